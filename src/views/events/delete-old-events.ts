import { sql } from 'kysely'
import type pg from 'pg'
import { first_id, firstIdAt } from '../../core/ids.ts'
import { drop_policy } from '../../core/limits/retry-policies.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/time/clock.ts'
import { deliveriesStoredFrom, storedFrom } from '../../events/event-retention.ts'
import type { Service } from '../../service.ts'
import { withOwnSession } from '../../store/open-store.ts'
import { type DropStep, dropTable, dropTableStep } from '../../store/partitions/drop-table.ts'
import {
  detachPartition,
  type EventPartition,
  findDetached,
  preparePartitions,
  readPartitions,
  withPartitionsLock,
} from '../../store/partitions/event-partitions.ts'
import { perPool } from '../../store/sql/batches/batch.ts'
import { deleteOldRows, walkMerchants } from '../../store/sql/reads/walk-merchants.ts'

/** When the months are looked at again, and since when one waits to become smaller; of each database. */
const looksOf = perPool((): { next_ms: number; waits_since_ms: number | null } => ({
  next_ms: 0,
  waits_since_ms: null,
}))

/** A dropped month, or another outcome. */
type Outcome = { readonly dropped: string } | 'none' | 'not yet' | Exclude<DropStep, 'dropped'>

/**
 * Keeps the partitions of `events`: the coming months exist, and those past their retention are dropped, one
 * at a call, or a part of a large one. A month is dropped once its rows of the feed and its deliveries are
 * deleted, which `deleteOldFeed` and `deleteOldDeliveries` do some rows at a time.
 */
export async function keepEventMonths(service: Service): Promise<number> {
  const { db, wall_clock, config, log } = service
  const now_ms = wall_clock.now()
  const looks = looksOf(db)
  if (now_ms < looks.next_ms) return 0
  looks.next_ms = now_ms + minute_ms
  const at_once = now_ms - (looks.waits_since_ms ?? now_ms) >= drop_policy.max_wait_ms
  const outcome = await withOwnSession(db, async (client): Promise<Outcome> => {
    if (!(await preparePartitions(client, now_ms, true))) return 'not yet'
    return dropOldMonth(client, now_ms - config.events_days * day_ms, at_once)
  })
  if (outcome === 'waits') looks.waits_since_ms ??= now_ms
  else if (outcome !== 'rests') looks.waits_since_ms = null
  if (outcome === 'none') looks.next_ms = now_ms + hour_ms
  else if (outcome !== 'not yet') looks.next_ms = wall_clock.now() + drop_policy.rest_ms
  if (typeof outcome === 'string') return 0
  looks.next_ms = 0
  log.info({ partition: outcome.dropped }, 'a month of events past its retention was deleted')
  return 1
}

/** Drops the oldest month that has ended by then, or continues with one; `at_once`: however large it is. */
async function dropOldMonth(
  client: pg.Client,
  ended_by_ms: number,
  at_once: boolean,
): Promise<Outcome> {
  // Readers of a month, such as a backup, are not waited for longer.
  await client.query("set lock_timeout = '10s'")
  return withPartitionsLock<Outcome>(client, 'not yet', async () => {
    const begun = await findDetached(client)
    if (begun !== null) return dropDetached(client, begun, at_once)
    const old = (await readPartitions(client)).filter(({ to_ms }) => to_ms <= ended_by_ms)
    const [oldest, newest] = [old[0], old.at(-1)]
    if (!oldest || !newest) return 'none'
    if (await markOld(client, newest.to_ms)) return 'not yet'
    if (!oldest.is_detaching) {
      if (await isReferredTo(client)) return 'not yet'
      await rememberNumbers(client, oldest)
    }
    await detachPartition(client, oldest)
    return dropDetached(client, oldest.name, false)
  })
}

async function dropDetached(client: pg.Client, name: string, at_once: boolean): Promise<Outcome> {
  if (at_once) await dropTable(client, name)
  const step = at_once ? 'dropped' : await dropTableStep(client, name)
  return step === 'dropped' ? { dropped: name } : step
}

/** From now on nothing new refers to older events; true: a transaction may have begun before that. */
async function markOld(client: pg.Client, stored_from_ms: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `update event_retention set kept_from = $1, kept_since = $2 where kept_from < $1`,
    [firstIdAt(stored_from_ms), new Date(stored_from_ms)],
  )
  return rowCount === 1
}

/** Whether an old event is still in the queue, in the feed, or in a delivery. */
async function isReferredTo(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is_referred_to: boolean }>(`
    with old as (select kept_from as id from event_retention)
    select exists (select from event_queue q, unnest(q.event_ids) as e (id), old where e.id < old.id)
      or exists (select from merchants m, old where exists (
          select from event_feed f where f.merchant_id = m.id and f.event_id < old.id)
        or exists (select from unnest(array['test', 'live']) as mode (name), webhook_deliveries d
          where d.merchant_id = m.id and d.mode = mode.name and d.event_id < old.id))
      as is_referred_to`)
  return rows[0]?.is_referred_to ?? true
}

/** A sequential read of the month: it needs no index, and pushes nothing else out of memory. */
async function rememberNumbers(client: pg.Client, { name }: EventPartition): Promise<void> {
  await client.query('set max_parallel_workers_per_gather = 0')
  await client.query(`update event_retention set max_sequence = greatest(max_sequence,
    (select coalesce(max(sequence), 0) from ${name}))`)
}

/** Deletes rows of the feed whose events are about to be dropped. Rows that are not counted yet stay. */
export async function deleteOldFeed(
  { db, wall_clock }: Service,
  max_rows: number,
): Promise<number> {
  const before = await storedFrom(db)
  if (before === first_id) return 0
  const where = sql`not (t.name in ('charge_finished', 'refund_finished')
    and t.position > (select position from activity_position))`
  const old = { table: 'event_feed', key: 'event_id', where, beforeOf: () => before } as const
  return walkMerchants(db, 'event_feed', wall_clock.now(), max_rows, (ids) =>
    deleteOldRows(db, old, ids, max_rows),
  )
}

/** Deletes deliveries past their retention. One that waits stays, unless its webhook is off. */
export async function deleteOldDeliveries(service: Service, max_rows: number): Promise<number> {
  const { db, wall_clock } = service
  const [kept_from, of_deliveries] = [await storedFrom(db), deliveriesStoredFrom(service)]
  const before = kept_from > of_deliveries ? kept_from : of_deliveries
  const where = sql`(t.next_on is null or not exists (select from webhooks w
    where w.merchant_id = t.merchant_id and w.id = t.webhook_id and w.active
      and w.deleted_on is null))`
  const old = {
    table: 'webhook_deliveries',
    key: 'event_id',
    by_mode: true,
    where,
    beforeOf: () => before,
  } as const
  return walkMerchants(db, 'webhook_deliveries', wall_clock.now(), max_rows, (ids) =>
    deleteOldRows(db, old, ids, max_rows),
  )
}
