import Type from 'typebox'
import { readNextTransfers } from '../../commerce/transfers/next-transfer.ts'
import type { Mode } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import type { Service } from '../../service.ts'

export const NextPayout = named(
  'NextPayout',
  Type.Object({
    transfer_id: described(nullable(Id), 'The transfer, when it was created already.'),
    status: described(nullable(Type.String()), 'The state of that transfer; null without one.'),
    paid_on: described(
      nullable(Type.String()),
      'The day of the payout by the schedule of the merchant; null where the schedule does not decide it.',
    ),
    amount: described(
      Type.Integer(),
      'The amount of the transfer, or the scheduled amount, in the smallest unit.',
    ),
    currency: common.currency,
    amount_formatted: common.amount_formatted,
  }),
  'The next payout to the merchant.',
)

/** The transfer that is under way, or the one that the schedule will create; null when none is planned. */
export async function readNextPayout(
  service: Service,
  of: { merchant_id: string; mode: Mode; currency: string | null },
) {
  const { currency } = of
  if (!currency) return null
  const [next] = await readNextTransfers(service, of, currency)
  if (!next || (next.transfer === null && next.paid_on === null)) return null
  const { transfer, paid_on, amount } = next
  return {
    transfer_id: transfer?.id ?? null,
    status: transfer?.status ?? null,
    ...{ paid_on, amount, currency },
    amount_formatted: formatAmount(amount, currency),
  }
}
