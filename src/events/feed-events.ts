import { sql } from 'kysely'
import { isTransacting, type Service } from '../service.ts'
import { sharedDb } from '../store/sql/connections/shared-connections.ts'
import { run } from '../store/sql/statements/statement.ts'
import { trigger_spellings } from './event-names.ts'

/** One row for each other spelling of a trigger. */
const spellings = Object.entries(trigger_spellings)

/**
 * Assigns committed events their positions in the feed, and creates the deliveries that webhooks
 * subscribed to. One process at a time does this, so positions are assigned in the order in which a
 * reader sees them: nothing appears before what was already read. Two events of one resource keep their
 * order, because the second is never visible before the first and was queued after it.
 */
export async function feedEvents(service: Service, max_rows: number): Promise<number> {
  const [names, others] = [spellings.map(([, name]) => name), spellings.map(([other]) => other)]
  // A caller that must know that all events are processed waits for the other process; others skip.
  const text = service.only_merchant ? feed_waiting : feed
  const db = isTransacting(service) ? service.db : sharedDb(service.db)
  // A transaction that has written before may have a smaller id than one that is not visible to it.
  const moves_low_water_mark = !isTransacting(service)
  const [found] = await run<Fed>(db, text, [max_rows, names, others, moves_low_water_mark])
  const { count = 0, woken_queues = 0, merchants = [] } = found ?? {}
  const notify = () => {
    if (woken_queues > 0) service.signals.broadcast('work', 'webhook_lanes')
    for (const merchant_id of merchants) service.changes.notify(feedOf(merchant_id))
  }
  if (isTransacting(service)) service.afterCommit(notify)
  else notify()
  return count
}

interface Fed {
  count: number
  woken_queues: number
  merchants: string[]
}

/**
 * When the next low-water mark takes effect. Both expressions are in the `set` list: in a condition the
 * planner might request the transaction id before anything was read.
 */
const counts = `$4 and pg_snapshot_xmin(pg_current_snapshot()) >= e.next_floor_from
  and t.last >= e.next_floor`
/** Set by another server with higher transaction ids: the database was restored from a copy. */
const is_foreign = '$4 and e.next_floor_from > pg_current_xact_id()'

/** Enough events for one statement; events that were written together are taken together. */
const max_events = 1000

/** The columns of a new delivery, in the order in which they are selected. */
export const insert_deliveries = `insert into webhook_deliveries as d (merchant_id, webhook_id, event_id,
  mode, position, resource_id, trigger, next_on, round_on, created_on)`

/**
 * One statement. Its snapshot of the queue may be older than the end of the feed that it locks, when
 * another process wrote in between: then those rows are already gone, and later ones wait for the next
 * run. Every row it sees was queued before that.
 *
 * Each event looks up the webhooks of its merchant (`offset 0`): a session whose plan was made when
 * there were few would scan all of them for ever.
 *
 * It starts at the low-water mark (`floor`), below which no row can appear any more. The next mark is
 * the last number that was taken; it takes effect as soon as a statement has taken everything below it
 * and has seen that every transaction has ended that was open when the mark was set: one of those may
 * have drawn a smaller number.
 */
const feedText = (busy: string) => `
  with ended as (
    select position, floor from event_feed_end for update ${busy}
  ), taken as (
    delete from event_queue where exists (select from ended) and arrival in (
      select arrival from (
        select arrival, sum(count) over (order by arrival) - count as before from (
          select arrival, cardinality(event_ids) as count from event_queue
          where arrival > (select floor from ended) order by arrival limit $1) as first
      ) as counted where before < ${max_events})
    returning merchant_ids, event_ids, arrival
  ), arrived as (
    select t.arrival, e.* from taken t cross join lateral
      unnest(t.merchant_ids, t.event_ids) with ordinality as e (merchant_id, event_id, place)
  ), placed as (
    select e.merchant_id, e.id, e.store_id, e.mode, e.name, e.resource_id, e.created_on,
      (select position from ended) + row_number() over (order by t.arrival, t.place) as position
    from arrived t join events e on e.merchant_id = t.merchant_id and e.id = t.event_id
  ), fed as (
    insert into event_feed (merchant_id, position, event_id, store_id, mode, name)
    select merchant_id, position, id, store_id, mode, name from placed
  ), spelled as (
    select name, name as spelling from placed union
    select * from unnest($2::text[], $3::text[])
  ), made as (
    ${insert_deliveries}
    select distinct on (p.position, w.id) p.merchant_id, w.id, p.id, coalesce(p.mode, 'live'),
      p.position, p.resource_id, s.spelling, p.created_on, p.created_on, p.created_on
    from placed p cross join lateral (
      select w.id, w.triggers from webhooks w
      where w.merchant_id = p.merchant_id and w.active and w.deleted_on is null
        and (w.store_id is null or w.store_id = p.store_id) offset 0) as w
    join spelled s on s.name = p.name and s.spelling = any(w.triggers)
    order by p.position, w.id, s.spelling <> p.name
    on conflict do nothing
    returning merchant_id, webhook_id, mode, next_on
  ), waiting_queues as (
    select l.merchant_id, l.id, m.next_on
    from (select merchant_id, webhook_id, mode, min(next_on) as next_on
      from made group by 1, 2, 3) as m
    join webhook_lanes l on l.merchant_id = m.merchant_id and l.webhook_id = m.webhook_id
      and l.mode = m.mode
    order by l.merchant_id, l.id for update of l
  ), woken as (
    update webhook_lanes l set
      fresh_on = least(l.fresh_on, m.next_on),
      due_on = case when l.sending then l.due_on
        else greatest(least(l.due_on, m.next_on), l.rests_until) end
    from waiting_queues m where l.merchant_id = m.merchant_id and l.id = m.id
    returning 1
  ), moved as (
    update event_feed_end e set position = e.position + t.count,
      floor = case when ${counts} then e.next_floor else e.floor end,
      next_floor = case when ${counts} or ${is_foreign} then t.last else e.next_floor end,
      next_floor_from = case when ${counts} or ${is_foreign} then pg_current_xact_id()
        else e.next_floor_from end
    from (select count(*), max(arrival) as last from arrived) as t where t.count > 0
  )
  select (select count(*) from arrived)::integer as count,
    (select count(*) from woken)::integer as woken_queues,
    array(select distinct merchant_id from arrived)::text[] as merchants`
const feed = feedText('skip locked')
const feed_waiting = feedText('')

/**
 * Resets the low-water mark to the start of the queue when a row is or will be below it: a database
 * that was copied table by table, without its sequences, counts from the beginning.
 */
export async function checkLowWaterMark({ db }: Service): Promise<void> {
  await sql`update event_feed_end e set floor = 0, next_floor = 0, next_floor_from = '0'
    where e.next_floor > coalesce(pg_sequence_last_value(
        pg_get_serial_sequence('event_queue', 'arrival')::regclass), 0)
      or exists (select from event_queue where arrival <= e.floor)`.execute(db)
}

/** The name under which readers wait for a merchant's feed to grow. */
export function feedOf(merchant_id: string): string {
  return `feed ${merchant_id}`
}
