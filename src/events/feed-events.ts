import { sql } from 'kysely'
import { inTransaction, type Service } from '../service.ts'
import { trigger_spellings } from './event-names.ts'

/** One row for each other spelling of a trigger. */
const spellings = Object.entries(trigger_spellings)

/**
 * Gives events that were committed their place in the feed, and makes the deliveries that webhooks
 * ask for. One process at a time does it, so places are given in the order in which a reader sees
 * them: nothing appears behind what was read. Two events of one resource keep their order, because
 * the second cannot be seen before the first and came to the queue after it.
 */
export async function feedEvents(service: Service, most: number): Promise<number> {
  return inTransaction(service, async (tx) => {
    // Somebody who has to know that all is done waits for the other; everybody else does not.
    const busy = service.only_merchant ? sql`` : sql`skip locked`
    const end = await sql<{ position: number }>`
      select position from event_feed_end for update ${busy}`.execute(tx.db)
    const position = end.rows[0]?.position
    if (position === undefined) return 0
    const { rows } = await sql<{ count: number; lanes: number; merchants: string[] }>`
      with taken as (
        delete from event_queue where arrival in
          (select arrival from event_queue order by arrival limit ${most})
        returning merchant_id, event_id, arrival
      ), placed as (
        select e.merchant_id, e.id, e.store_id, e.mode, e.name, e.resource_id, e.created_on,
          ${position}::bigint + row_number() over (order by t.arrival) as position
        from taken t join events e on e.merchant_id = t.merchant_id and e.id = t.event_id
      ), fed as (
        insert into event_feed (merchant_id, position, event_id, store_id, mode, name)
        select merchant_id, position, id, store_id, mode, name from placed
      ), spelled as (
        select name, name as spelling from placed union
        select * from unnest(${spellings.map(([, name]) => name)}::text[],
          ${spellings.map(([spelling]) => spelling)}::text[])
      ), made as (
        insert into webhook_deliveries (merchant_id, webhook_id, event_id, mode, position,
          resource_id, trigger, next_on, round_on, created_on)
        select distinct on (p.position, w.id) p.merchant_id, w.id, p.id, coalesce(p.mode, 'live'),
          p.position, p.resource_id, s.spelling, p.created_on, p.created_on, p.created_on
        from placed p
        join spelled s on s.name = p.name
        join webhooks w on w.merchant_id = p.merchant_id and w.active and w.deleted_on is null
          and (w.store_id is null or w.store_id = p.store_id) and s.spelling = any(w.triggers)
        order by p.position, w.id, s.spelling <> p.name
        on conflict do nothing
        returning merchant_id, webhook_id, mode, next_on
      ), woken as (
        update webhook_lanes l set
          fresh_on = least(l.fresh_on, m.next_on),
          due_on = case when l.sending then l.due_on
            else greatest(least(l.due_on, m.next_on), l.rests_until) end
        from (select merchant_id, webhook_id, mode, min(next_on) as next_on
          from made group by 1, 2, 3) as m
        where l.merchant_id = m.merchant_id and l.webhook_id = m.webhook_id and l.mode = m.mode
        returning 1
      ), ended as (
        update event_feed_end set position = position + (select count(*) from taken)
        where exists (select from taken)
      )
      select (select count(*) from taken)::integer as count,
        (select count(*) from woken)::integer as lanes,
        array(select distinct merchant_id from taken)::text[] as merchants`.execute(tx.db)
    const { count = 0, lanes = 0, merchants = [] } = rows[0] ?? {}
    tx.afterCommit(() => {
      if (lanes > 0) tx.signals.spread('work', 'webhook_lanes')
      for (const merchant_id of merchants) tx.changes.tell(feedOf(merchant_id))
    })
    return count
  })
}

/** The name under which readers wait for a merchant's feed to grow. */
export function feedOf(merchant_id: string): string {
  return `feed ${merchant_id}`
}
