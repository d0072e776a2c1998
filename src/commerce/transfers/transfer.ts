import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { common, filters } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import {
  Id,
  Instant,
  MetadataSchema,
  nullable,
  PageOf,
  PageParameters,
} from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { statesOf } from '../../core/payments/states.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { emit } from '../../events/emit.ts'
import type { Service, Transacting } from '../../service.ts'
import { type Page, type PageQuery, readPage } from '../../store/sql/reads/page.ts'
import type {
  TransferStatusChangeTable,
  TransferTable,
} from '../../store/tables/commerce/transfer-tables.ts'

export type Transfer = Selectable<TransferTable>
type StatusChange = Selectable<TransferStatusChangeTable>

const states = statesOf('transfer')

export const TransferView = named(
  'Transfer',
  Type.Object({
    id: described(Id, 'The id of the transfer.'),
    merchant_id: common.merchant_id,
    bank_account_id: described(nullable(Id), 'The account for this payout; null without one.'),
    mode: common.mode,
    amount: described(
      Type.Integer(),
      'The sum of its ledger transactions, in the smallest unit of the currency.',
    ),
    currency: common.currency,
    amount_formatted: common.amount_formatted,
    status: described(Type.Enum(states), 'The state, changed by the operator.'),
    error_code: described(nullable(Type.String()), 'Always null; the reason is in `error_text`.'),
    error_text: described(
      nullable(Type.String()),
      'The reason for the failure or cancellation; otherwise null.',
    ),
    metadata: described(MetadataSchema, 'Keys and values of the operator.'),
    note: described(nullable(Type.String()), 'A note of the operator; null without one.'),
    from: described(Instant, 'The posting time of its oldest sale.'),
    to: described(Instant, 'Sales posted before this time are in it.'),
    started_by: described(Type.String(), 'The creator: `operator`, or `schedule`.'),
    created_on: common.created_on,
  }),
  'A payout of the amount owed to the merchant.',
)
export const TransferPage = PageOf(TransferView)

export const StatusChangePage = PageOf(
  named(
    'TransferStatusChange',
    Type.Object({
      id: described(Id, 'The id of the change.'),
      merchant_id: common.merchant_id,
      transfer_id: described(Id, 'The transfer that changed.'),
      old_status: described(Type.Enum(states), 'The status before.'),
      new_status: described(Type.Enum(states), 'The status after.'),
      reason: described(nullable(Type.String()), 'Why it changed; null if not given.'),
      created_on: common.created_on,
    }),
    'A change of the status of a transfer.',
  ),
)

export const ListTransfers = Type.Object({
  ...PageParameters,
  // Other services of this API list transfers of zero under this name; here there are none.
  status: described(
    Type.Optional(Type.Enum([...states, 'blank'])),
    'Only items with this status; `blank` finds none.',
  ),
  currency: filters.currency,
  started_by: described(
    Type.Optional(Type.String({ maxLength: 64 })),
    'Only items created by this actor, such as `operator`.',
  ),
  mode: filters.mode,
  from: filters.from,
  to: filters.to,
})
export type ListTransfers = Static<typeof ListTransfers>

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
