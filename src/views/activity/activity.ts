import { type RawBuilder, sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import Type, { type Static } from 'typebox'
import { oneMode, scope_filters, scopeOf } from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, extended, named, textOf } from '../../core/api/described-schemas.ts'
import { failField } from '../../core/api/errors.ts'
import { Instant, nullable } from '../../core/api/schemas.ts'
import { startOfDayIn } from '../../core/money/payout-schedule.ts'
import { charge_errors } from '../../core/payments/charge-errors.ts'
import { day_ms, hour_ms } from '../../core/time/clock.ts'
import { dateIn, default_zone } from '../../core/time/schedule.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { atTimeOf, now, type Service } from '../../service.ts'

export const ActivityQuery = Type.Object({
  ...scope_filters,
  from: described(
    Type.Optional(Type.String({ format: 'instant' })),
    'The start of the period; by default the start of today. Full hours count.',
  ),
  to: described(
    Type.Optional(Type.String({ format: 'instant' })),
    'The end of the period; by default now.',
  ),
  currency: described(
    Type.Optional(Type.String({ format: 'currency' })),
    'The currency. Default: the currency with the most payments.',
  ),
  time_zone: described(
    Type.Optional(Type.String({ format: 'time_zone' })),
    'The zone in which days begin; by default that of the merchant.',
  ),
})
type ActivityQuery = Static<typeof ActivityQuery>

const Whole = Type.Integer()
const Totals = named(
  'ActivityTotals',
  Type.Object({
    count: described(Whole, 'Successful and failed payments.'),
    successful: described(Whole, 'Successful payments.'),
    failed: described(Whole, 'Payments that failed.'),
    canceled: described(Whole, 'Payments that were canceled.'),
    volume: described(Whole, 'The sum of successful payments, in the smallest unit.'),
    refunds: described(Whole, 'Successful refunds.'),
    refund_volume: described(Whole, 'The sum of successful refunds, in the smallest unit.'),
    success_rate: described(
      nullable(Type.Number()),
      'Successful payments divided by `count`; null without payments.',
    ),
  }),
  'Activity in a period.',
)
type Totals = Static<typeof Totals>
const Point = extended(
  'ActivityPoint',
  Totals,
  { on: described(Instant, 'The start of the hour or day.') },
  'Activity in an hour or on a day.',
)
type Point = Static<typeof Point>
const Reason = named(
  'FailureReason',
  Type.Object({
    code: described(Whole, 'The code of the error, such as 306; 0 without one.'),
    message: described(Type.String(), 'The meaning of the code.'),
    count: described(Whole, 'How many payments failed with it.'),
  }),
  'The reasons for failed payments.',
)
const Method = named(
  'ActivityMethod',
  Type.Object({
    payment_type: common.payment_type,
    brand: described(nullable(Type.String()), 'The brand; null where it is not known.'),
    successful: described(Whole, 'Successful payments.'),
    failed: described(Whole, 'Payments that failed.'),
    volume: described(Whole, 'The sum of successful payments, in the smallest unit.'),
  }),
  'The payments of a payment method.',
)
export const Activity = named(
  'Activity',
  Type.Object({
    from: described(Instant, 'The start of the period.'),
    to: described(Instant, 'The end of the period.'),
    before_from: described(Instant, 'The start of the previous period, which has the same length.'),
    time_zone: described(Type.String(), 'The zone in which days begin.'),
    interval: described(textOf(null, ['hour', 'day']), 'The period of each point of the series.'),
    mode: common.mode,
    currency: described(nullable(Type.String()), 'The currency of all amounts; null without any.'),
    currencies: described(
      Type.Array(Type.String()),
      'Every currency of the period, the most used first.',
    ),
    totals: described(Totals, 'The whole period.'),
    totals_before: described(Totals, 'The period before.'),
    series: described(Type.Array(Point), 'The period by hour or day.'),
    series_before: described(Type.Array(Point), 'The period before by hour or day.'),
    failure_reasons: described(Type.Array(Reason), 'Why payments failed, the most frequent first.'),
    methods: described(Type.Array(Method), 'Payment methods, the most frequent first.'),
  }),
  'Sums of a period, and of the period before it.',
)

const max_days = 400
/** Longer periods are shown by day. */
const max_hourly_ms = 3 * day_ms

interface Period {
  readonly from: Date
  readonly to: Date
  readonly before: Date
  readonly zone: string
  readonly unit: 'hour' | 'day'
}

function readPeriod(service: Service, query: ActivityQuery, zone: string): Period {
  const to = query.to ? readInstant(query.to) : now(service)
  const start = query.from
    ? readInstant(query.from)
    : startOfDayIn(zone, dateIn(zone, to ?? now(service)))
  if (!to) failField('to', 'INVALID_FORMAT_DATE')
  if (!start) failField('from', 'INVALID_FORMAT_DATE')
  const from = new Date(Math.floor(start.getTime() / hour_ms) * hour_ms)
  const length_ms = to.getTime() - from.getTime()
  if (length_ms <= 0 || length_ms > max_days * day_ms) failField('from', 'INVALID_TIME_PERIOD')
  const hours = Math.ceil(length_ms / hour_ms)
  const before = new Date(from.getTime() - hours * hour_ms)
  return { from, to, before, zone, unit: length_ms <= max_hourly_ms ? 'hour' : 'day' }
}

/** The sums of a period, read from the hours that the worker has counted. */
export async function readActivity(given: Service, caller: Caller, query: ActivityQuery) {
  const scope = await scopeOf(given, caller, query)
  const { merchant_id, store_id } = scope
  const mode = oneMode(scope)
  const service = atTimeOf(given, { merchant_id, mode })
  const { configuration } = await service.db
    .selectFrom('merchants')
    .select('configuration')
    .where('id', '=', merchant_id)
    .executeTakeFirstOrThrow()
  const zone = query.time_zone ?? (configuration.display_time_zone as string | null) ?? default_zone
  const period = readPeriod(service, query, zone)
  const owned = sql`merchant_id = ${merchant_id} and mode = ${mode}
    ${store_id ? sql`and store_id = ${store_id}::uuid` : sql``}`
  const currencies = await readCurrencies(service, owned, period)
  const currency = query.currency?.toUpperCase() ?? currencies[0] ?? null
  const own = sql`${owned} and currency = ${currency}`
  const [points, reasons, methods] = await Promise.all([
    readPoints(service, own, period),
    readReasons(service, own, period),
    readMethods(service, own, period),
  ])
  const { from, to, before } = period
  const series = seriesOf(points, from, to, period)
  const series_before = seriesOf(points, before, from, period)
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    before_from: before.toISOString(),
    ...{ time_zone: zone, interval: period.unit, mode, currency, currencies },
    totals: sumOf(series),
    totals_before: sumOf(series_before),
    ...{ series, series_before, failure_reasons: reasons, methods },
  }
}

async function readCurrencies({ db }: Service, owned: RawBuilder<unknown>, period: Period) {
  const { rows } = await sql<{ currency: string }>`
    select currency from activity_hours
    where ${owned} and hour >= ${period.before} and hour < ${period.to}
    group by currency order by sum(count) desc, currency limit 50`.execute(db)
  return rows.map(({ currency }) => currency)
}

interface PointRow {
  is_before: boolean
  on: Date
  outcome: 'successful' | 'failed' | 'canceled' | 'refunded'
  count: number
  amount: number
}

async function readPoints({ db }: Service, own: RawBuilder<unknown>, period: Period) {
  const { from, to, before, unit, zone } = period
  const { rows } = await sql<PointRow>`
    select hour < ${from} as is_before, date_trunc(${unit}, hour, ${zone}) as "on", outcome,
      sum(count)::bigint as count, sum(amount)::bigint as amount
    from activity_hours where ${own} and hour >= ${before} and hour < ${to}
    group by 1, 2, 3`.execute(db)
  return rows
}

async function readReasons({ db }: Service, own: RawBuilder<unknown>, { from, to }: Period) {
  const { rows } = await sql<{ code: number; count: number }>`
    select reason as code, sum(count)::bigint as count from activity_hours
    where ${own} and hour >= ${from} and hour < ${to} and outcome = 'failed'
    group by 1 order by 2 desc, 1 limit 20`.execute(db)
  return rows.map(({ code, count }) => ({ code, message: reasonOf(code), count }))
}

function reasonOf(code: number): string {
  return charge_errors[code as keyof typeof charge_errors] ?? 'The payment failed.'
}

async function readMethods({ db }: Service, own: RawBuilder<unknown>, { from, to }: Period) {
  const { rows } = await sql<Static<typeof Method>>`
    select payment_type, nullif(brand, '') as brand,
      coalesce(sum(count) filter (where outcome = 'successful'), 0)::bigint as successful,
      coalesce(sum(count) filter (where outcome = 'failed'), 0)::bigint as failed,
      coalesce(sum(amount) filter (where outcome = 'successful'), 0)::bigint as volume
    from activity_hours where ${own} and hour >= ${from} and hour < ${to}
      and outcome in ('successful', 'failed')
    group by 1, 2 order by 3 desc, 4 desc, 1 limit 50`.execute(db)
  return rows
}

const nothing: Totals = {
  ...{ count: 0, successful: 0, failed: 0, canceled: 0, volume: 0, refunds: 0, refund_volume: 0 },
  success_rate: null,
}

function withRate(totals: Totals): Totals {
  const count = totals.successful + totals.failed
  return { ...totals, count, success_rate: count === 0 ? null : totals.successful / count }
}

/** A point for every hour or day of a period, also where nothing happened. */
function seriesOf(rows: readonly PointRow[], from: Date, to: Date, period: Period): Point[] {
  const { unit, zone } = period
  const points = new Map<number, Totals>()
  const step = unit === 'hour' ? { hours: 1 } : { days: 1 }
  const first = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone)
  let at =
    unit === 'hour'
      ? first.round({ smallestUnit: 'hour', roundingMode: 'floor' })
      : first.startOfDay()
  for (; at.epochMilliseconds < to.getTime(); at = at.add(step)) {
    points.set(at.epochMilliseconds, { ...nothing })
  }
  for (const { is_before, on, outcome, count, amount } of rows) {
    const totals = points.get(on.getTime())
    if (!totals || is_before !== from < period.from) continue
    if (outcome === 'refunded') {
      totals.refunds += count
      totals.refund_volume += amount
    } else {
      totals[outcome] += count
      if (outcome === 'successful') totals.volume += amount
    }
  }
  return [...points].map(([ms, totals]) => ({
    on: new Date(ms).toISOString(),
    ...withRate(totals),
  }))
}

function sumOf(points: readonly Point[]): Totals {
  const sum = { ...nothing }
  for (const point of points) {
    for (const name of ['successful', 'failed', 'canceled', 'volume'] as const) {
      sum[name] += point[name]
    }
    sum.refunds += point.refunds
    sum.refund_volume += point.refund_volume
  }
  return withRate(sum)
}
