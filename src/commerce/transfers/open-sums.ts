import { sql } from 'kysely'
import { type PayoutPart, payout_parts } from '../../core/money/payout-parts.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { now, type Service } from '../../service.ts'
import { latest_commit_ms, type OwedTo, openLedgers, partOf } from './open-ledgers.ts'

export interface PartSum {
  readonly part: PayoutPart
  readonly amount: number
  readonly count: number
}

/** The open ledger transactions of one part that were posted in one hour. */
interface OpenHour extends PartSum {
  readonly starts_ms: number
  /** The posting time of the first of them. */
  readonly oldest_on: Date
}

interface KnownHours {
  /** The transfers by which they were read: a new or returned one changes what is open. */
  readonly transfers: string
  readonly until_ms: number
  readonly hours: readonly OpenHour[]
}

/** Remembered merchants, modes and currencies; the ones that were not asked for longest are forgotten. */
const max_known = 100
const known = new Map<string, KnownHours>()

/** Later than any posting, also on a test clock. */
export const end_of_time = new Date('9999-01-01T00:00:00Z')

/**
 * The open ledger transactions, added up by hour and part. Nothing is posted a day late, so older hours are
 * remembered until a transfer takes or frees transactions: a repeated read costs as much as the last day.
 */
export async function readOpenHours(service: Service, owed: OwedTo): Promise<readonly OpenHour[]> {
  const key = `${owed.merchant_id} ${owed.mode} ${owed.currency}`
  const transfers = await transfersOf(service, owed)
  const found = known.get(key)
  const before = found?.transfers === transfers ? found : null
  const since_ms = before?.until_ms ?? 0
  const hours = [
    ...(before?.hours ?? []),
    ...(await readHours(service, owed, since_ms, end_of_time)),
  ]
  const closed_ms = Math.floor((now(service).getTime() - latest_commit_ms) / hour_ms) * hour_ms
  const until_ms = Math.max(since_ms, closed_ms)
  known.delete(key)
  known.set(key, {
    transfers,
    until_ms,
    hours: hours.filter(({ starts_ms }) => starts_ms < until_ms),
  })
  const [oldest] = known.keys()
  if (known.size > max_known && oldest) known.delete(oldest)
  return hours
}

/** All hours before an instant. An hour that it divides is read again, up to it. */
export async function hoursBefore(
  service: Service,
  owed: OwedTo,
  hours: readonly OpenHour[],
  end: Date,
): Promise<readonly OpenHour[]> {
  const end_ms = end.getTime()
  const divided_ms = Math.floor(end_ms / hour_ms) * hour_ms
  const whole = hours.filter(({ starts_ms }) => starts_ms < divided_ms)
  const is_divided = divided_ms < end_ms && hours.some(({ starts_ms }) => starts_ms === divided_ms)
  return is_divided ? [...whole, ...(await readHours(service, owed, divided_ms, end))] : whole
}

export function amountOf(hours: readonly PartSum[]): number {
  return hours.reduce((sum, { amount }) => sum + amount, 0)
}

/** The sum of each part; one that has nothing is left out. */
export function partsOf(sums: readonly PartSum[]): PartSum[] {
  return payout_parts.flatMap((part) => {
    const own = sums.filter((one) => one.part === part)
    const count = own.reduce((sum, one) => sum + one.count, 0)
    return count === 0 ? [] : [{ part, amount: amountOf(own), count }]
  })
}

/** Each transfer with its state: a state does not come twice. */
async function transfersOf({ db }: Service, owed: OwedTo): Promise<string> {
  const { rows } = await sql<{ text: string | null }>`
    select md5(string_agg(id::text || status, ' ' order by id)) as text from transfers
    where merchant_id = ${owed.merchant_id} and mode = ${owed.mode}
      and currency = ${owed.currency}`.execute(db)
  return rows[0]?.text ?? ''
}

async function readHours(service: Service, owed: OwedTo, from_ms: number, to: Date) {
  const open = await openLedgers(service, owed, to, new Date(from_ms))
  const { rows } = await sql<Omit<OpenHour, 'starts_ms'> & { starts_on: Date }>`
    with open as (${open}), named as (
      select amount, created_on, ${partOf(owed.merchant_id, 'open.kind', 'open.id')} as part from open)
    select date_trunc('hour', created_on, 'UTC') as starts_on, part, sum(amount)::bigint as amount,
      count(*)::bigint as count, min(created_on) as oldest_on
    from named group by 1, 2`.execute(service.db)
  return rows.map(({ starts_on, ...hour }) => ({ ...hour, starts_ms: starts_on.getTime() }))
}
