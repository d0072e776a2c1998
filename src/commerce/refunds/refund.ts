import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { Id, nullable, PageOf, withTotal } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { statesOf } from '../../core/payments/states.ts'
import { ChargeErrorView } from '../../methods/pieces/shown-pieces.ts'
import { Amount, Currency } from '../../payments/charges/charge-input.ts'
import type { Service } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import type { RefundTable } from '../../store/tables/tables.ts'

export type Refund = Selectable<RefundTable>

const reasons = ['fraud', 'duplicate', 'customer_request'] as const
const Reason = nullable(Type.Enum([...reasons]))
const Message = nullable(Type.String({ maxLength: 1000 }))

export const CreateRefund = named(
  'CreateRefund',
  Type.Object({
    amount: described(
      Amount,
      'The amount to refund, in the smallest unit of the currency. Maximum: the charged ' +
        'amount minus earlier refunds.',
    ),
    currency: described(Currency, 'The currency of the charge.'),
    reason: described(Type.Optional(Reason), 'Why the money is returned.'),
    message: described(
      Type.Optional(Message),
      'A note about the refund, at most 1,000 characters.',
    ),
    metadata: Type.Optional(nullable(common.new_metadata)),
  }),
  'A new refund of a charge.',
)
export type CreateRefund = Static<typeof CreateRefund>

export const PatchRefund = named(
  'UpdateRefund',
  Type.Object({
    reason: described(Type.Optional(Reason), 'Why the money is returned.'),
    message: described(
      Type.Optional(Message),
      'A note about the refund, at most 1,000 characters.',
    ),
    metadata: Type.Optional(common.changed_metadata),
  }),
  'Changes to a refund.',
)
export type PatchRefund = Static<typeof PatchRefund>

export const RefundView = named(
  'Refund',
  Type.Object({
    id: described(Id, 'The id of the refund.'),
    store_id: common.store_id,
    charge_id: described(Id, 'The charge whose money is returned.'),
    status: described(
      textOf('RefundStatus', statesOf('refund'), 'The status of a refund.'),
      'Whether the money was returned: `pending` until the provider has responded.',
    ),
    amount: common.amount,
    currency: common.currency,
    amount_formatted: common.amount_formatted,
    reason: described(
      nullable(textOf('RefundReason', reasons, 'Why money is returned.')),
      'The reason for the refund; null if not given.',
    ),
    message: described(
      nullable(Type.String()),
      'The note about the refund; null when none was given.',
    ),
    error: ChargeErrorView,
    metadata: common.metadata,
    mode: common.mode,
    created_on: common.created_on,
    updated_on: common.updated_on,
  }),
  'A refund of a successful charge to the customer.',
)
export const RefundPage = withTotal(PageOf(RefundView))

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
  const { merchant_id, mode } = caller
  const of_charge = charge_id ? { charge_id } : {}
  const known = { merchant_id, store_id, ...of_charge, id: refund_id, mode }
  return requireRow(service, 'refunds', known, lock)
}
