import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { named, textOf } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { formatAmount } from '../../core/money/money.ts'
import { Id, Instant, MetadataSchema, nullable, PageOf } from '../../core/schemas.ts'
import { statesOf } from '../../core/states.ts'
import type { Service } from '../../service.ts'
import type { RefundTable } from '../../store/tables/tables.ts'
import { Amount, Currency } from '../charges/charge.ts'
import { ChargeErrorView } from '../payment-methods/shown-pieces.ts'

export type Refund = Selectable<RefundTable>

const Reason = nullable(Type.Enum(['fraud', 'duplicate', 'customer_request']))
const Message = nullable(Type.String({ maxLength: 1000 }))

export const CreateRefund = named(
  'CreateRefund',
  Type.Object({
    amount: Amount,
    currency: Currency,
    reason: Type.Optional(Reason),
    message: Type.Optional(Message),
    metadata: Type.Optional(nullable(MetadataSchema)),
  }),
)
export type CreateRefund = Static<typeof CreateRefund>

export const PatchRefund = named(
  'UpdateRefund',
  Type.Object({
    reason: Type.Optional(Reason),
    message: Type.Optional(Message),
    metadata: Type.Optional(MetadataSchema),
  }),
)
export type PatchRefund = Static<typeof PatchRefund>

export const RefundView = named(
  'Refund',
  Type.Object({
    id: Id,
    store_id: Id,
    charge_id: Id,
    status: textOf('RefundStatus', statesOf('refund')),
    amount: Type.Integer(),
    currency: Type.String(),
    amount_formatted: Type.Number(),
    reason: nullable(Type.String()),
    message: nullable(Type.String()),
    error: ChargeErrorView,
    metadata: MetadataSchema,
    mode: Type.String(),
    created_on: Instant,
    updated_on: Instant,
  }),
)
export const RefundPage = PageOf(RefundView)

export function viewRefund(refund: Refund) {
  return {
    id: refund.id,
    store_id: refund.store_id,
    charge_id: refund.charge_id,
    status: refund.status,
    amount: refund.amount,
    currency: refund.currency,
    amount_formatted: formatAmount(refund.amount, refund.currency),
    reason: refund.reason,
    message: refund.message,
    error: refund.error,
    metadata: refund.metadata,
    mode: refund.mode,
    created_on: refund.created_on.toISOString(),
    updated_on: refund.updated_on.toISOString(),
  }
}

/** A refund of a store; of one charge when that is named too. */
export interface RefundPath {
  store_id: string
  charge_id?: string
  refund_id: string
}

export async function getRefund(
  service: Service,
  caller: Pick<Caller, 'merchant_id' | 'mode'>,
  { store_id, charge_id, refund_id }: RefundPath,
  lock = false,
): Promise<Refund> {
  let refunds = service.db
    .selectFrom('refunds')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
    .where('store_id', '=', store_id)
    .where('id', '=', refund_id)
  if (charge_id) refunds = refunds.where('charge_id', '=', charge_id)
  if (caller.mode) refunds = refunds.where('mode', '=', caller.mode)
  if (lock) refunds = refunds.forUpdate()
  return (await refunds.executeTakeFirst()) ?? fail('NOT_FOUND')
}
