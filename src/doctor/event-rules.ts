import { sql } from 'kysely'
import { type DataRule, findBroken, restore_advice } from '../store/sql/data-rule.ts'

/** The invariants of events and their deliveries. */
export const event_rules: DataRule[] = [
  {
    check: 'every event has one place: in the feed, or in the queue before it',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select e.merchant_id, e.id from events e
            left join event_feed f on f.merchant_id = e.merchant_id and f.event_id = e.id
            left join (select unnest(merchant_ids) as merchant_id, unnest(event_ids) as event_id
              from event_queue) as q on q.merchant_id = e.merchant_id and q.event_id = e.id
            where (f.event_id is null) = (q.event_id is null) limit 10`,
      ),
  },
  {
    check: 'nothing waits where the queue of events is no longer read',
    advice:
      'would never be told. Start the service again: it reads the queue from its beginning then.',
    rule: (db) =>
      findBroken(
        db,
        sql`select q.merchant_ids, q.event_ids from event_queue q, event_feed_end e
            where q.arrival <= e.floor limit 10`,
      ),
  },
  {
    check: 'events of one resource stand in the feed in their order',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select merchant_id, resource_id from (
              select e.merchant_id, e.resource_id, f.position,
                lag(f.position) over (partition by e.merchant_id, e.resource_id
                  order by e.sequence) as before
              from events e
              join event_feed f on f.merchant_id = e.merchant_id and f.event_id = e.id) as placed
            where before > position limit 10`,
      ),
  },
  {
    check: 'what waits for a webhook is looked at when its time comes',
    advice: 'waits for nothing. Switch the webhook on again: PATCH with "active": true.',
    rule: (db) =>
      findBroken(
        db,
        sql`select d.merchant_id, d.webhook_id, d.event_id from webhook_deliveries d
            join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id
              and w.active and w.deleted_on is null
            join webhook_lanes l on l.merchant_id = d.merchant_id and l.webhook_id = d.webhook_id
              and l.mode = d.mode
            where d.next_on is not null and l.due_on is null limit 10`,
      ),
  },
]
