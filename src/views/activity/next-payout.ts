import { sql } from 'kysely'
import Type from 'typebox'
import type { Mode } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { nextPayout, type PayoutSchedule } from '../../core/money/payout-schedule.ts'
import { dateIn } from '../../core/time/schedule.ts'
import { now, type Service } from '../../service.ts'
import type { StoredConfiguration } from '../../store/tables/tables.ts'

export const NextPayout = named(
  'NextPayout',
  Type.Object({
    transfer_id: described(nullable(Id), 'The transfer, when it was created already.'),
    status: described(nullable(Type.String()), 'Where that transfer stands; null without one.'),
    paid_on: described(
      nullable(Type.String()),
      'The day of the payout by the schedule of the merchant; null without a schedule.',
    ),
    amount: described(
      Type.Integer(),
      'The amount of the transfer, or what is owed now, in the smallest unit.',
    ),
    currency: common.currency,
    amount_formatted: common.amount_formatted,
  }),
  'The next payout to the merchant.',
)

interface Wanted {
  readonly merchant_id: string
  readonly mode: Mode
  readonly currency: string | null
  readonly configuration: StoredConfiguration
  readonly zone: string
}

/** The transfer that is under way, or what the schedule will pay of what is owed now. */
export async function readNextPayout(service: Service, wanted: Wanted) {
  const { merchant_id, mode, currency, configuration, zone } = wanted
  if (!currency) return null
  const schedule = (configuration.transfer_schedule ?? {}) as PayoutSchedule
  const payout = nextPayout(schedule, dateIn(zone, now(service)))
  const paid_on = payout?.paid_on ?? null
  const { rows } = await sql<{ transfer_id: string | null; status: string | null; amount: number }>`
    (select id as transfer_id, status, amount from transfers
      where merchant_id = ${merchant_id} and mode = ${mode} and currency = ${currency}
        and status in ('created', 'approved', 'processing')
      order by "to" desc limit 1)
    union all
    (select null, null, -coalesce(sum(balance), 0)::bigint from ledger_balances
      where merchant_id = ${merchant_id} and mode = ${mode} and currency = ${currency}
        and account = 'merchant_payable')`.execute(service.db)
  const [next] = rows
  if (!next || (next.transfer_id === null && paid_on === null)) return null
  return { ...next, paid_on, currency, amount_formatted: formatAmount(next.amount, currency) }
}
