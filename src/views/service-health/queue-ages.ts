import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import { described, named } from '../../core/api/described-schemas.ts'
import { Instant, nullable } from '../../core/api/schemas.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/time/clock.ts'
import { now, type Service } from '../../service.ts'
import { queue_tables, queueOf } from '../../store/due/due-queues.ts'
import { dueTable, type QueueTable } from '../../store/due/due-work.ts'

/** More are not counted: a queue of this length is a problem, whatever its exact length. */
export const max_counted = 10_000
const sample_ms = 5 * minute_ms
/** The samples of the hours that are shown, and of one more. */
const stored_ms = day_ms + hour_ms

const Count = Type.Integer()

export const QueueLabel = described(
  named(
    'OperatorQueueLabel',
    Type.Object({
      en: described(Type.String(), 'In English.'),
      ja: described(Type.String(), 'In Japanese.'),
    }),
    'The name of a kind of work for people.',
  ),
  'The name to show.',
)
const QueuePoint = named(
  'OperatorQueuePoint',
  Type.Object({
    on: described(Instant, 'The start of the hour.'),
    due: described(nullable(Count), 'The most due items; null if nothing was measured.'),
    waited_ms: described(
      nullable(Count),
      'How long the oldest item had been due, at most; null if nothing was measured.',
    ),
  }),
  'The work of one kind that was due in an hour.',
)
export const QueueDay = named(
  'OperatorQueueDay',
  Type.Object({
    name: described(Type.String(), 'The kind of work.'),
    label: QueueLabel,
    waited_ms: described(Count, 'How long the oldest item had been due, at most.'),
    hours: described(Type.Array(QueuePoint), 'The last 24 hours, the oldest first.'),
  }),
  'How long work of one kind was due in the last 24 hours.',
)

/** The number of due rows of each queue, and when the oldest became due. */
export function dueInQueues(at: Date): RawBuilder<unknown> {
  const due = queue_tables.map(
    (
      name,
    ) => sql`select ${sql.lit(name)} as name, count(*)::integer as due, min(due_on) as oldest_on
      from (select due_on from ${sql.table(dueTable(name))} where due_on <= ${at}
        order by due_on limit ${sql.lit(max_counted)}) as due`,
  )
  return sql.join(due, sql` union all `)
}

/**
 * Measures the queues, once in five minutes for all processes together, and deletes what is older than a day.
 * Returns 0: it leaves no work.
 */
export async function sampleQueues(service: Service): Promise<number> {
  const { db } = service
  const at = now(service)
  const slot = new Date(Math.floor(at.getTime() / sample_ms) * sample_ms)
  const { numAffectedRows = 0n } = await sql`
    insert into queue_samples (sampled_on, queue, due, waited_ms)
    select ${slot}, name, due, coalesce(extract(epoch from ${at} - oldest_on) * 1000, 0)::bigint
    from (${dueInQueues(at)}) as queues
    where not exists (select from queue_samples where sampled_on = ${slot})
    on conflict do nothing`.execute(db)
  if (numAffectedRows === 0n) return 0
  await db
    .deleteFrom('queue_samples')
    .where('sampled_on', '<', new Date(slot.getTime() - stored_ms))
    .execute()
  return 0
}

interface HourRow {
  queue: QueueTable
  on: Date
  due: number
  waited_ms: number
}

/** The longest waits of each hour since `start`, of queues that had anything due. */
export async function readQueueAges({ db }: Service, start: number, hours: number) {
  const { rows } = await sql<HourRow>`
    select queue, date_trunc('hour', sampled_on, 'UTC') as "on", max(due) as due,
      max(waited_ms) as waited_ms
    from queue_samples where sampled_on >= ${new Date(start)} group by 1, 2`.execute(db)
  const queues = queue_tables.flatMap((name) => {
    const own = rows.filter(({ queue }) => queue === name)
    if (own.every(({ due }) => due === 0)) return []
    const points = Array.from({ length: hours }, (_, at) => {
      const ms = start + at * hour_ms
      const found = own.find(({ on }) => on.getTime() === ms)
      const { due = null, waited_ms = null } = found ?? {}
      return { on: new Date(ms).toISOString(), due, waited_ms }
    })
    const waited_ms = Math.max(...own.map((row) => row.waited_ms))
    return [{ name, label: queueOf(name).label, waited_ms, hours: points }]
  })
  return {
    queues: queues.toSorted((a, b) => b.waited_ms - a.waited_ms),
    measured_hours: new Set(rows.map(({ on }) => on.getTime())).size,
  }
}
