import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { provider_policy } from '../../core/limits/retry-policies.ts'
import { minute_ms, second_ms, systemClock } from '../../core/time/clock.ts'
import { dueTable } from '../../store/due/due-work.ts'
import { due_kinds } from '../../worker/due-kinds.ts'

/** The database is read at most once in this time, however often the metrics are read. */
const read_every_ms = 5 * second_ms
/** Sums over all stores are no first row of an index. */
const read_ledger_every_ms = minute_ms
const max_query_ms = second_ms
/** Counts and ages look at this many rows at most. */
const max_rows = 500

/** Measurements of all processes together, made by one process of a machine. */
export function measureBacklog(registry: Registry, pool: Pool): void {
  const readers = {
    backlog: newReader(pool, backlog_text, read_every_ms),
    ledger: newReader(pool, ledger_text, read_ledger_every_ms),
  }
  for (const { name, help, labelNames, from } of gauges) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset()
        for (const { metric, labels, value } of await readers[from]()) {
          if (metric === name) this.set(labels, value)
        }
      },
    })
  }
}

const gauges = [
  {
    name: 'kaikei_due_work_oldest_seconds',
    help: 'How long the oldest due row that no worker has claimed has waited, by kind',
    labelNames: ['kind'],
    from: 'backlog',
  },
  {
    name: 'kaikei_feed_lag_seconds',
    help: 'Age of the oldest event that is in neither the feed nor a delivery queue yet',
    labelNames: [],
    from: 'backlog',
  },
  {
    name: 'kaikei_activity_lag_events',
    help: 'Events of the feed that the activity of merchants does not include yet',
    labelNames: [],
    from: 'backlog',
  },
  {
    name: 'kaikei_unknown_outcomes',
    help: `Payments that a provider was asked for without a known outcome, up to ${max_rows}, by kind`,
    labelNames: ['kind'],
    from: 'backlog',
  },
  {
    name: 'kaikei_ledger_open_positions',
    help: 'What clearing accounts hold and nothing explains yet, in minor units',
    labelNames: ['account', 'currency', 'mode'],
    from: 'ledger',
  },
] as const

interface Sample {
  readonly metric: (typeof gauges)[number]['name']
  readonly labels: Record<string, string>
  readonly value: number
}

/** Keeps the last result; an empty one when the database is away, and all other metrics are needed. */
function newReader(pool: Pool, text: string, every_ms: number): () => Promise<readonly Sample[]> {
  let read_on_ms = Number.NEGATIVE_INFINITY
  let last: Promise<readonly Sample[]> = Promise.resolve([])
  return () => {
    const now_ms = systemClock.monotonic()
    if (now_ms - read_on_ms >= every_ms) {
      read_on_ms = now_ms
      const found = pool.query<Sample>(text).then(
        ({ rows }) => rows,
        () => [],
      )
      last = Promise.race([found, sleep(max_query_ms, [], { ref: false })])
    }
    return last
  }
}

/** The first row of an index on `due_on`. */
const agesText = due_kinds.flatMap(({ name, table }) =>
  table
    ? `select 'kaikei_due_work_oldest_seconds', jsonb_build_object('kind', '${name}'),
        extract(epoch from now() - (select due_on from ${dueTable(table)}
          where due_on <= now() order by due_on limit 1))`
    : [],
)

/** Claimed before, still pending, and due again soon: nothing waits for longer before it asks again. */
const unknownText = (['charges', 'refunds', 'cancels'] as const).map(
  (table) => `select 'kaikei_unknown_outcomes', jsonb_build_object('kind', '${table}'), count(*)
    from (select merchant_id, id from ${dueTable(table)}
      where due_on <= now() + interval '${provider_policy.max_wait_ms} ms'
      order by due_on limit ${max_rows}) as soon
    join ${table} t using (merchant_id, id) where t.status = 'pending' and t.claims > 1`,
)

/** Events of a merchant whose test clock is ahead are younger than now: the oldest of some is taken. */
const feedText = `select 'kaikei_feed_lag_seconds', '{}'::jsonb,
  extract(epoch from now() - min(e.created_on))
  from (select merchant_ids[1] as merchant_id, event_ids[1] as id from event_queue
    where arrival > (select floor from event_feed_end) order by arrival limit ${max_rows}) as queued
  join events e using (merchant_id, id)`

const activityText = `select 'kaikei_activity_lag_events', '{}'::jsonb, f.position - a.position
  from event_feed_end f, activity_position a`

/** Nothing has waited where nothing was found. */
export const backlog_text = `select metric, labels, greatest(value, 0)::float8 as value
  from (${[...agesText, ...unknownText, feedText, activityText].join('\nunion all ')})
    as sample (metric, labels, value)`

const ledger_text = `select 'kaikei_ledger_open_positions' as metric,
    jsonb_build_object('account', account, 'currency', currency, 'mode', mode) as labels,
    sum(balance)::float8 as value
  from ledger_balances where account in ('fx_clearing', 'suspense')
  group by account, currency, mode having sum(balance) <> 0`
