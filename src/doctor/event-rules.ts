import { type RawBuilder, sql } from 'kysely'
import {
  areAhead,
  type PartitionRow,
  partitions_sql,
  partitionsOf,
} from '../store/partitions/event-partitions.ts'
import { type DataRule, findBroken, restore_advice } from '../store/sql/statements/data-rule.ts'

/**
 * Whether the events of a row can still be expected. Of a merchant with a test clock that is not known once
 * events were deleted: its rows are as old as its clock says, and its events as old as they are.
 */
export function hasEvents(alias: string): RawBuilder<boolean> {
  const [created_on, merchant_id] = [
    sql.ref(`${alias}.created_on`),
    sql.ref(`${alias}.merchant_id`),
  ]
  return sql<boolean>`exists (select from event_retention kept where ${created_on} >= kept.kept_since
    and (kept.kept_since = '-infinity'
      or not exists (select from test_clocks k where k.merchant_id = ${merchant_id})))`
}

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
            where (f.event_id is null) = (q.event_id is null)
              and e.id >= (select kept_from from event_retention) limit 10`,
      ),
  },
  {
    check: 'the coming months of events exist',
    advice:
      'is not ready for the next month. Events are still stored; start the service with WORKER=on, ' +
      'which prepares it, and look for transactions that are open for long.',
    rule: async (db) => {
      const { rows } = await sql.raw<PartitionRow>(partitions_sql).execute(db)
      const partitions = partitionsOf(rows)
      const { rows: clock } = await sql<{ now_ms: number }>`
        select extract(epoch from now())::float8 * 1000 as now_ms`.execute(db)
      // Without any, the table waits for its conversion.
      const is_ready = rows.length === 0 || areAhead(partitions, clock[0]?.now_ms ?? 0)
      if (is_ready) return []
      return [{ table: 'events', months: partitions.map(({ name }) => name) }]
    },
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
