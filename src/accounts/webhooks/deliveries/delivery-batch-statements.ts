import type { Claimed } from '../../../store/due/due-work.ts'
import { newBatch, perPool, work_options } from '../../../store/sql/batches/batch.ts'
import { newColumnArrays } from '../../../store/sql/batches/column-arrays.ts'
import { run } from '../../../store/sql/statements/statement.ts'
import type { StoredAttempt } from '../../../store/tables/accounts/webhook-tables.ts'
import type { Db } from '../../../store/tables/db.ts'
import type { Webhook } from '../webhook.ts'
import type { DeliverableEvent } from './post-event.ts'

/** Rows examined per batch: a resource with a long queue must not block the others. */
const look_ahead = 256
/** Maximum number of stored attempts of one delivery; older ones are dropped. */
const max_stored_attempts = 50

export type DeliveryQueue = Claimed<'webhook_lanes'>

/** The due deliveries of a queue at an instant, at most `max_items`. */
interface BatchQuery {
  readonly queue: DeliveryQueue
  readonly at: Date
  readonly max_items: number
}

export interface Waiting extends DeliverableEvent {
  readonly attempts: number
  readonly round_on: Date
}

export interface DeliveryBatch {
  /** Null: it was disabled or deleted. */
  readonly webhook: Webhook | null
  readonly due: readonly Waiting[]
}

const wanted_types = {
  merchant_id: 'uuid',
  webhook_id: 'uuid',
  mode: 'text',
  at: 'timestamptz',
  max_items: 'integer',
} as const
const wanted_columns = Object.keys(wanted_types)
const wanted_arrays = newColumnArrays(wanted_types)

/** Events of one resource are sent one after the other, so that a healthy receiver gets them in order. */
const read_batches = `
  select i.n::integer as n, w.*, d.due
  from unnest(${wanted_columns.map(wanted_arrays.of).join(', ')}) with ordinality
    as i (${wanted_columns.join(', ')}, n)
  join webhooks w on w.merchant_id = i.merchant_id and w.id = i.webhook_id and w.active
    and w.deleted_on is null
  left join lateral (
    select jsonb_build_object('id', e.id, 'trigger', d.trigger, 'data', e.data::text,
      'resource_id', e.resource_id, 'sequence', e.sequence, 'created_on', e.created_on,
      'attempts', d.attempts, 'round_on', d.round_on) as due
    from (
      select distinct on (resource_id) * from (
        select event_id, resource_id, trigger, attempts, round_on, next_on, position
        from webhook_deliveries
        where merchant_id = i.merchant_id and webhook_id = i.webhook_id and mode = i.mode
          and next_on <= i.at
        order by next_on, position limit ${look_ahead}
      ) as soonest order by resource_id, position
    ) as d
    join events e on e.merchant_id = i.merchant_id and e.id = d.event_id
    order by d.next_on, d.position limit i.max_items
  ) as d on true`

type Found = Webhook & { readonly n: number; readonly due: Waiting | null }

async function readBatches(db: Db, wanted: readonly BatchQuery[]): Promise<DeliveryBatch[]> {
  const rows = wanted.map(({ queue, at, max_items }) => ({
    merchant_id: queue.merchant_id,
    webhook_id: queue.webhook_id,
    mode: queue.mode,
    at,
    max_items,
  }))
  const batches: { webhook: Webhook | null; due: Waiting[] }[] = wanted.map(() => ({
    webhook: null,
    due: [],
  }))
  const found = await run<Found>(db, read_batches, wanted_arrays.values(rows))
  for (const { n, due, ...webhook } of found) {
    const batch = batches[n - 1]
    if (!batch) continue
    batch.webhook = webhook
    if (due) batch.due.push(readDelivery(due))
  }
  return batches
}

/** The database writes instants with microseconds and an offset; here they are dates again. */
function readDelivery(due: Waiting): Waiting {
  return { ...due, created_on: new Date(due.created_on), round_on: new Date(due.round_on) }
}

/** Concurrent reads share one statement. */
export const readDueBatched = perPool((db) =>
  newBatch<BatchQuery, DeliveryBatch>((wanted) => readBatches(db, wanted), {
    ...work_options,
    ownerOf: ({ queue }) => queue.merchant_id,
  }),
)

/** The result of a batch. */
export interface BatchResult {
  readonly queue: DeliveryQueue
  readonly at: Date
  readonly failures: number
  readonly rests_until: Date | null
  readonly results: readonly DeliveryResult[]
}

export interface DeliveryResult {
  readonly event_id: string
  /** When it is retried. */
  readonly next_on: Date | null
  readonly delivered_on: Date | null
  readonly attempt: StoredAttempt
}

/** Per queue; `first` and `last` are the positions of its results. */
const end_types = {
  merchant_id: 'uuid',
  webhook_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  claims: 'integer',
  at: 'timestamptz',
  failures: 'integer',
  rests_until: 'timestamptz',
  soonest_on: 'timestamptz',
  first: 'integer',
  last: 'integer',
} as const
const end_columns = Object.keys(end_types)
/** The first parameter is the lock_timeout. */
const end_arrays = newColumnArrays(end_types, 1)
const result_types = {
  queue: 'integer',
  event_id: 'uuid',
  next_on: 'timestamptz',
  delivered_on: 'timestamptz',
  attempt: 'jsonb',
} as const
const result_columns = Object.keys(result_types)
const result_arrays = newColumnArrays(result_types, 1 + end_columns.length)

/**
 * Writes results and releases delivery queues, each due when its next delivery is. Queues are locked in
 * the order of their key, as the feed does, so that two statements never deadlock.
 */
const complete_batches = `
  with ends as (
    select * from unnest(${end_columns.map(end_arrays.of).join(', ')}) with ordinality
      as i (${end_columns.join(', ')}, n)
    where (select set_config('lock_timeout', $1, true)) is not null
  ), held as (
    select i.*, l.fresh_on from ends i
    join webhook_lanes l on l.merchant_id = i.merchant_id and l.id = i.id and l.claims = i.claims
    order by l.merchant_id, l.id for update of l
  ), written as (
    update webhook_deliveries d set
      next_on = r.next_on, delivered_on = r.delivered_on, attempts = d.attempts + 1,
      tries = case when jsonb_array_length(d.tries) < ${max_stored_attempts} then d.tries
        else d.tries - 0 end || r.attempt
    from unnest(${result_columns.map(result_arrays.of).join(', ')})
      as r (${result_columns.join(', ')})
    where d.merchant_id = ${end_arrays.at('merchant_id', 'r.queue')}
      and d.webhook_id = ${end_arrays.at('webhook_id', 'r.queue')}
      and d.event_id = r.event_id and d.next_on is not null
  ), circuits as (
    select h.*, least(h.soonest_on, (
      select d.next_on from webhook_deliveries d
      where d.merchant_id = h.merchant_id and d.webhook_id = h.webhook_id and d.mode = h.mode
        and d.next_on is not null
        and d.event_id <> all (coalesce((${result_arrays.of('event_id')})[h.first:h.last], '{}'))
        and exists (select from webhooks w where w.merchant_id = h.merchant_id
          and w.id = h.webhook_id and w.active and w.deleted_on is null)
      order by d.next_on limit 1)) as next_on
    from held h
  )
  update webhook_lanes l set
    sending = false, failures = r.failures, rests_until = r.rests_until,
    due_on = case when coalesce(r.fresh_on, r.next_on) is null then null
      else greatest(least(r.fresh_on, r.next_on), r.at, r.rests_until) end
  from circuits r
  where l.merchant_id = r.merchant_id and l.id = r.id
  returning r.n::integer as n, l.due_on`

/** When each queue is due again; null: when an event arrives, or another process has claimed it. */
export async function completeBatches(
  db: Db,
  ends: readonly BatchResult[],
  lock_timeout: string,
): Promise<(Date | null)[]> {
  const results: (DeliveryResult & { queue: number })[] = []
  const rows = ends.map((end, index) => {
    const { queue, at, failures, rests_until } = end
    const first = results.length + 1
    const again = end.results.flatMap(({ next_on }) => next_on?.getTime() ?? [])
    for (const result of end.results) results.push({ ...result, queue: index + 1 })
    return {
      merchant_id: queue.merchant_id,
      webhook_id: queue.webhook_id,
      mode: queue.mode,
      id: queue.id,
      claims: queue.claims,
      at,
      failures,
      rests_until,
      soonest_on: again.length > 0 ? new Date(Math.min(...again)) : null,
      first,
      last: results.length,
    }
  })
  const ended = await run<{ n: number; due_on: Date | null }>(db, complete_batches, [
    lock_timeout,
    ...end_arrays.values(rows),
    ...result_arrays.values(results),
  ])
  const due_on: (Date | null)[] = ends.map(() => null)
  for (const { n, due_on: next } of ended) due_on[n - 1] = next
  return due_on
}

/** Concurrent completions share one statement. */
export const completeBatched = perPool((db, lock_waiting_db) =>
  newBatch<BatchResult, Date | null>(
    (ends, waits_for_locks) =>
      waits_for_locks
        ? completeBatches(lock_waiting_db, ends, '5s')
        : completeBatches(db, ends, '200ms'),
    { ...work_options, ownerOf: ({ queue }) => queue.merchant_id, keyOf: ({ queue }) => queue.id },
  ),
)
