import { sql } from 'kysely'
import Type from 'typebox'
import { PaymentTypeText } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Instant, nullable } from '../../core/api/schemas.ts'
import { day_ms, hour_ms } from '../../core/time/clock.ts'
import { now, type Service } from '../../service.ts'
import { QueueDay, readQueueAges } from './queue-ages.ts'

/** More calls of a day are not examined: the newest are, and the response says since when. */
const max_examined = 20_000
const max_errors = 50
const hours = 24

const Count = Type.Integer()

const TrendPoint = named(
  'OperatorTrendPoint',
  Type.Object({
    on: described(Instant, 'The start of the hour.'),
    ended: described(Count, 'Authorizations that were approved or refused.'),
    approved: described(Count, 'The approved ones.'),
  }),
  'Authorizations of an hour.',
)
const Trend = named(
  'OperatorTrend',
  Type.Object({
    provider: described(Type.String(), 'The name of the provider or connector.'),
    payment_type: described(PaymentTypeText, 'The payment method.'),
    ended: described(Count, 'Authorizations that were approved or refused.'),
    approved: described(Count, 'The approved ones.'),
    hours: described(Type.Array(TrendPoint), 'The last 24 hours, the oldest first.'),
  }),
  'The approval rate of a payment method at a provider.',
)
const ErrorCount = named(
  'OperatorErrorCount',
  Type.Object({
    provider: described(Type.String(), 'The name of the provider or connector.'),
    kind: described(Type.String(), 'The call: `authorize`, `capture`, `refund` and so on.'),
    code: described(nullable(Type.String()), "The provider's own code; null without one."),
    message: described(nullable(Type.String()), 'Its message; null without one.'),
    count: described(Count, 'How often it came.'),
    last_on: described(Instant, 'When it came last.'),
  }),
  'A refusal or fault of a provider.',
)
export const TrendsView = named(
  'OperatorTrends',
  Type.Object({
    from: described(Instant, 'The start of the examined time.'),
    is_cut: described(
      Type.Boolean(),
      `Whether there were more than ${max_examined} calls, so that only the newest were examined.`,
    ),
    trends: described(Type.Array(Trend), 'Success by provider and method, the most calls first.'),
    errors: described(Type.Array(ErrorCount), 'Errors by code, the most frequent first.'),
    queues: described(
      Type.Array(QueueDay),
      'The queues that had work due at a measurement, the longest wait first.',
    ),
    measured_hours: described(
      Count,
      'In how many of the hours a worker measured the queues, which it does every five minutes.',
    ),
  }),
  'The responses of providers and the queues in the last 24 hours.',
)

interface HourRow {
  provider: string
  payment_type: string
  on: Date
  ended: number
  approved: number
}

interface ErrorRow {
  provider: string
  kind: string
  code: string | null
  message: string | null
  count: number
  last_on: Date
}

/** Reads the newest calls of a day along the index of their time. */
export async function readTrends(service: Service) {
  const { db } = service
  const at = now(service)
  const start = Math.floor(at.getTime() / hour_ms) * hour_ms - day_ms + hour_ms
  const calls = sql`(select * from provider_operations where started_on >= ${new Date(start)}
    order by started_on desc limit ${sql.lit(max_examined)})`
  const [counted, ended, errors, queues] = await Promise.all([
    sql<{ count: number; first: Date | null }>`select count(*)::integer as count,
      min(started_on) as first from ${calls} as o`.execute(db),
    sql<HourRow>`select o.provider, c.payment_type, date_trunc('hour', o.started_on, 'UTC') as "on",
        count(*)::integer as ended, (count(*) filter (where o.outcome = 'approved'))::integer as approved
      from ${calls} as o join charges c on c.merchant_id = o.merchant_id and c.id = o.charge_id
      where o.kind = 'authorize' and o.outcome in ('approved', 'refused')
      group by 1, 2, 3`.execute(db),
    sql<ErrorRow>`select provider, kind, coalesce(raw_code, code::text) as code,
        max(raw_message) as message, count(*)::integer as count, max(started_on) as last_on
      from ${calls} as o where outcome in ('refused', 'unknown', 'not_taken')
      group by 1, 2, 3 order by count desc, last_on desc limit ${sql.lit(max_errors)}`.execute(db),
    readQueueAges(service, start, hours),
  ])
  const [found] = counted.rows
  const is_cut = (found?.count ?? 0) >= max_examined
  return {
    from: ((is_cut && found?.first) || new Date(start)).toISOString(),
    is_cut,
    trends: trendsOf(ended.rows, start),
    errors: errors.rows.map((row) => ({ ...row, last_on: row.last_on.toISOString() })),
    ...queues,
  }
}

function trendsOf(rows: readonly HourRow[], start: number) {
  const groups = new Map<string, HourRow[]>()
  for (const row of rows) {
    const name = `${row.provider} ${row.payment_type}`
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  const trends = [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? [trendOf(first, group, start)] : []
  })
  return trends.toSorted((a, b) => b.ended - a.ended)
}

function trendOf({ provider, payment_type }: HourRow, group: readonly HourRow[], start: number) {
  const points = Array.from({ length: hours }, (_, at) => {
    const ms = start + at * hour_ms
    const row = group.find(({ on }) => on.getTime() === ms)
    return {
      on: new Date(ms).toISOString(),
      ended: row?.ended ?? 0,
      approved: row?.approved ?? 0,
    }
  })
  const sum = (name: 'ended' | 'approved') => group.reduce((all, row) => all + row[name], 0)
  return { provider, payment_type, ended: sum('ended'), approved: sum('approved'), hours: points }
}
