import { type RawBuilder, sql } from 'kysely'
import type { Mode } from '../../core/access/caller.ts'
import { atTimeOf, now, type Service } from '../../service.ts'
import type { StoredConfiguration } from '../../store/tables/tables.ts'
import { owedIn, payoutLimits } from './create-transfers.ts'
import { duePayoutDay, type PayoutDay, payoutDayAfter } from './due-transfers.ts'
import { accountOf, type OwedTo, openLedgers, partOf } from './open-ledgers.ts'
import {
  amountOf,
  end_of_time,
  hoursBefore,
  type PartSum,
  partsOf,
  readOpenHours,
} from './open-sums.ts'
import type { Transfer } from './transfer.ts'

/**
 * Why the next payout is what it is. `under_way`: its transfer exists. `scheduled`: the schedule will
 * create it. `no_schedule`: the operator starts it. Otherwise nothing is paid: too little is owed.
 */
export const next_reasons = [
  'under_way',
  'scheduled',
  'no_schedule',
  'below_minimum',
  'debt',
  'nothing_owed',
] as const
export type NextReason = (typeof next_reasons)[number]

/** The next payout in a mode and currency; without one, the amount carried over. */
export interface NextTransfer extends OwedTo {
  readonly reason: NextReason
  readonly transfer: Transfer | null
  readonly amount: number
  /** The day of the schedule; null where the schedule does not decide it. */
  readonly paid_on: string | null
  readonly from: Date | null
  /** Everything posted before this instant is included; null: everything owed. */
  readonly to: Date | null
  readonly bank_account_id: string | null
  readonly parts: readonly PartSum[]
  /** The following payout and its day; without a day, the remaining amount owed. */
  readonly later: { readonly amount: number; readonly paid_on: string | null }
  readonly min_amount: number
}

/** A schedule is followed for this many payouts: waiting periods of years need no more. */
const max_days_ahead = 120

/** The next payout in every currency of a merchant's ledger, as the scheduler would create it. */
export async function readNextTransfers(
  given: Service,
  of: { merchant_id: string; mode: Mode },
  currency?: string | null,
): Promise<NextTransfer[]> {
  const service = atTimeOf(given, of)
  const { configuration } = await service.db
    .selectFrom('merchants')
    .select('configuration')
    .where('id', '=', of.merchant_id)
    .executeTakeFirstOrThrow()
  const found: NextTransfer[] = []
  for (const owed of await owedIn(service, of)) {
    if (currency && owed.currency !== currency) continue
    found.push(await readNextTransfer(service, configuration, { ...of, currency: owed.currency }))
  }
  return found
}

/** The ledger transactions of the next payout in a currency; null where nothing was ever owed in it. */
export async function nextLedgers(
  service: Service,
  of: { merchant_id: string; mode: Mode },
  currency: string | null,
): Promise<RawBuilder<unknown> | null> {
  const [next] = await readNextTransfers(service, of, currency)
  if (!next) return null
  return next.transfer
    ? inTransfer(next.transfer)
    : openLedgers(service, next, next.to ?? end_of_time)
}

async function readNextTransfer(
  service: Service,
  configuration: StoredConfiguration,
  owed: OwedTo,
): Promise<NextTransfer> {
  const { wait_ms, min_amount } = payoutLimits(configuration, owed.currency)
  const at = now(service)
  const due = duePayoutDay(configuration, at)
  const days = due ? daysFrom(configuration, due, at) : []
  const ends = due ? days.map(({ to }) => to) : [new Date(at.getTime() - wait_ms)]
  const hours = await readOpenHours(service, owed)
  const before: (typeof hours)[] = []
  for (const end of ends) before.push(await hoursBefore(service, owed, hours, end))
  const sums = [...before, hours].map(amountOf)
  const total = amountOf(hours)
  const transfer = await underWay(service, owed)
  if (transfer) {
    const day = due && dayOf(configuration, transfer)
    const later = laterOf(sums, days, min_amount)
    return { ...(await ofTransfer(service, owed, transfer)), ...{ later, min_amount }, ...day }
  }
  // Without a schedule, what could be paid now is shown, also where the waiting period leaves nothing.
  const is_open = due === null && total >= min_amount
  const chosen = is_open ? 0 : ends.findIndex((_, index) => (sums[index] ?? 0) >= min_amount)
  const to = ends[chosen]
  const amount = sums[chosen]
  if (to === undefined || amount === undefined) {
    const nothing = { reason: reasonOf(total, sums), min_amount, ...nothing_later }
    return { ...(await planned(service, owed, hours, null)), ...nothing }
  }
  const rest = sums.map((sum, index) => (index > chosen ? sum - amount : 0))
  return {
    ...(await planned(service, owed, before[chosen] ?? [], to)),
    reason: due ? 'scheduled' : 'no_schedule',
    paid_on: days[chosen]?.paid_on ?? null,
    later: laterOf(rest, days, min_amount),
    min_amount,
  }
}

/** The payout after the next one: the first day that has enough. Without one, everything that is open. */
function laterOf(sums: readonly number[], days: readonly PayoutDay[], min_amount: number) {
  const found = sums.findIndex((sum, index) => sum >= min_amount && days[index])
  const amount = (found === -1 ? sums.at(-1) : sums[found]) ?? 0
  return { amount, paid_on: days[found]?.paid_on ?? null }
}

const nothing_later = { later: { amount: 0, paid_on: null } } as const

function reasonOf(total: number, sums: readonly number[]): NextReason {
  if (total < 0) return 'debt'
  return total === 0 && sums.every((sum) => sum === 0) ? 'nothing_owed' : 'below_minimum'
}

/** Payout days from the due one until the first that pays everything that is owed by now. */
function daysFrom(configuration: StoredConfiguration, due: PayoutDay, at: Date): PayoutDay[] {
  const days = [due]
  for (let day: PayoutDay | null = due; day && day.to <= at && days.length < max_days_ahead; ) {
    day = payoutDayAfter(configuration, day)
    if (day) days.push(day)
  }
  return days
}

/** The transfer that is paid next; of several, the oldest. */
async function underWay({ db }: Service, { merchant_id, mode, currency }: OwedTo) {
  const found = await db
    .selectFrom('transfers')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('mode', '=', mode)
    .where('currency', '=', currency)
    .where('status', 'in', ['created', 'approved', 'processing'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** The day that the schedule created a transfer for; none when the schedule is another one by now. */
function dayOf(configuration: StoredConfiguration, transfer: Transfer) {
  if (transfer.started_by !== 'schedule') return null
  const day = duePayoutDay(configuration, transfer.created_on)
  return day && day.to.getTime() === transfer.to.getTime() ? { paid_on: day.paid_on } : null
}

async function ofTransfer(service: Service, owed: OwedTo, transfer: Transfer) {
  const { amount, from, to, bank_account_id } = transfer
  const parts = await readParts(service, transfer)
  const shown = { amount, paid_on: null, from, to, bank_account_id, parts }
  return { ...owed, reason: 'under_way' as const, transfer, ...shown }
}

/** The ledger transactions that a transfer pays, or would have paid. */
export function inTransfer({ merchant_id, id, currency }: Transfer): RawBuilder<unknown> {
  return sql`
    select l.ledger_id as id, e.created_on, e.kind, -sum(e.amount) as amount
    from transfer_ledgers l
    join ledger_entries e on e.merchant_id = ${merchant_id} and e.transaction_id = l.ledger_id
      and e.account = 'merchant_payable' and e.currency = ${currency}
    where l.merchant_id = ${merchant_id} and l.transfer_id = ${id}
    group by 1, 2, 3`
}

/** The amount the scheduler would pay until an instant; null: everything owed. */
async function planned(
  { db }: Service,
  owed: OwedTo,
  hours: Awaited<ReturnType<typeof readOpenHours>>,
  to: Date | null,
) {
  const { rows } = await sql<{ id: string }>`${accountOf(owed)}`.execute(db)
  const times = hours.map(({ oldest_on }) => oldest_on.getTime())
  const from = times.length > 0 ? new Date(Math.min(...times)) : null
  const bank_account_id = rows[0]?.id ?? null
  const shown = { amount: amountOf(hours), parts: partsOf(hours), from, to, bank_account_id }
  return { ...owed, transfer: null, paid_on: null, ...shown }
}

/** Transfers whose parts are remembered; the ones that were not asked for longest are forgotten. */
const max_known = 500
const known_parts = new Map<string, PartSum[]>()

/** The sums that make up a transfer. Its ledger transactions stay the same. */
export async function readParts({ db }: Service, transfer: Transfer): Promise<PartSum[]> {
  const found = known_parts.get(transfer.id)
  known_parts.delete(transfer.id)
  const parts = found ?? partsOf(await sumParts(db, transfer))
  known_parts.set(transfer.id, parts)
  const [oldest] = known_parts.keys()
  if (known_parts.size > max_known && oldest) known_parts.delete(oldest)
  return parts
}

async function sumParts(db: Service['db'], transfer: Transfer): Promise<PartSum[]> {
  const { rows } = await sql<PartSum>`
    with paid as (${inTransfer(transfer)}), named as (
      select amount, ${partOf(transfer.merchant_id, 'paid.kind', 'paid.id')} as part from paid)
    select part, sum(amount)::bigint as amount, count(*)::bigint as count
    from named group by part`.execute(db)
  return rows
}
