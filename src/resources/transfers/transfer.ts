import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { named } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { formatAmount } from '../../core/money/money.ts'
import {
  Id,
  Instant,
  MetadataSchema,
  nullable,
  PageOf,
  PageParameters,
} from '../../core/schemas.ts'
import { statesOf } from '../../core/states.ts'
import { readInstant } from '../../core/text/formats.ts'
import { emit } from '../../events/emit.ts'
import type { Service, Transacting } from '../../service.ts'
import { type Page, type PageQuery, readPage } from '../../store/sql/page.ts'
import type {
  TransferStatusChangeTable,
  TransferTable,
} from '../../store/tables/transfer-tables.ts'

export type Transfer = Selectable<TransferTable>
type StatusChange = Selectable<TransferStatusChangeTable>

const states = statesOf('transfer')
const Day = Type.String({ format: 'instant' })

export const TransferView = named(
  'Transfer',
  Type.Object({
    id: Id,
    merchant_id: Id,
    bank_account_id: nullable(Id),
    mode: Type.Enum(['test', 'live']),
    amount: Type.Integer(),
    currency: Type.String(),
    amount_formatted: Type.Number(),
    status: Type.Enum(states),
    error_code: nullable(Type.String()),
    error_text: nullable(Type.String()),
    metadata: MetadataSchema,
    note: nullable(Type.String()),
    from: Instant,
    to: Instant,
    started_by: Type.String(),
    created_on: Instant,
  }),
)
export const TransferPage = PageOf(TransferView)

export const StatusChangePage = PageOf(
  named(
    'TransferStatusChange',
    Type.Object({
      id: Id,
      merchant_id: Id,
      transfer_id: Id,
      old_status: Type.Enum(states),
      new_status: Type.Enum(states),
      reason: nullable(Type.String()),
      created_on: Instant,
    }),
  ),
)

export const ListTransfers = Type.Object({
  ...PageParameters,
  // Other services of this API list transfers of zero under this name; here there are none.
  status: Type.Optional(Type.Enum([...states, 'blank'])),
  currency: Type.Optional(Type.String({ format: 'currency' })),
  started_by: Type.Optional(Type.String({ maxLength: 64 })),
  mode: Type.Optional(Type.Enum(['test', 'live'])),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
})
type ListTransfers = Static<typeof ListTransfers>

export function viewTransfer(transfer: Transfer) {
  return {
    id: transfer.id,
    merchant_id: transfer.merchant_id,
    bank_account_id: transfer.bank_account_id,
    mode: transfer.mode,
    amount: transfer.amount,
    currency: transfer.currency,
    amount_formatted: formatAmount(transfer.amount, transfer.currency),
    status: transfer.status,
    error_code: transfer.status === 'failed' ? 'TRANSFER_FAILED' : null,
    error_text: transfer.error_text,
    metadata: {},
    note: null,
    from: transfer.from.toISOString(),
    to: transfer.to.toISOString(),
    started_by: transfer.started_by,
    created_on: transfer.created_on.toISOString(),
  }
}

export function viewStatusChange({ created_on, ...change }: StatusChange) {
  return { ...change, created_on: created_on.toISOString() }
}

/** Emits an event with the current state of a transfer. */
export async function emitTransfer(
  tx: Transacting,
  name: 'transfer_created' | 'transfer_updated' | 'transfer_finalized',
  transfer: Transfer,
): Promise<void> {
  const { merchant_id, mode, id } = transfer
  await emit(tx, name, { merchant_id, mode, resource_id: id, data: viewTransfer(transfer) })
}

/** The merchant's transfers, as far as the caller may see them. */
function transfersOf(service: Service, { merchant_id, mode }: Caller) {
  const transfers = service.db
    .selectFrom('transfers')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
  return mode ? transfers.where('mode', '=', mode) : transfers
}

export async function getTransfer(service: Service, caller: Caller, id: string): Promise<Transfer> {
  const found = await transfersOf(service, caller).where('id', '=', id).executeTakeFirst()
  return found ?? fail('NOT_FOUND')
}

export async function listTransfers(
  service: Service,
  caller: Caller,
  filter: ListTransfers,
): Promise<Page<Transfer>> {
  const { status, currency, started_by, mode, from, to } = filter
  if (status === 'blank') return { items: [], has_more: false }
  let transfers = transfersOf(service, caller)
  if (status) transfers = transfers.where('status', '=', status)
  if (currency) transfers = transfers.where('currency', '=', currency.toUpperCase())
  if (started_by) transfers = transfers.where('started_by', '=', started_by)
  if (mode) transfers = transfers.where('mode', '=', mode)
  if (from) transfers = transfers.where('created_on', '>=', readInstant(from))
  if (to) transfers = transfers.where('created_on', '<', readInstant(to))
  return readPage<Transfer>(transfers, filter)
}

export async function listStatusChanges(
  service: Service,
  caller: Caller,
  transfer_id: string,
  page: PageQuery,
): Promise<Page<StatusChange>> {
  const changes = service.db
    .selectFrom('transfer_status_changes')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
    .where('transfer_id', '=', transfer_id)
  return readPage<StatusChange>(changes, page)
}
