import { sql } from 'kysely'
import { type DataRule, findBroken } from '../store/sql/statements/data-rule.ts'
import { event_facts } from '../views/activity/count-activity.ts'
import { hasEvents } from './event-rules.ts'

/** The newest hours of all merchants: a sum that went wrong is noticed while people look at it. */
const max_hours = 500

/** The sums by the hour, which are derived: a sample of hours is counted again. */
export const activity_rules: readonly DataRule[] = [
  {
    check: 'the sums of each hour are those of its charges and refunds',
    advice:
      'shows a wrong sum on the home screen; no payment is affected. Delete the rows of the hour in ' +
      'activity_hours and insert what was counted.',
    rule: (db) =>
      findBroken(
        db,
        sql`with hours as (
              select distinct merchant_id, hour from (
                select merchant_id, hour, hour as created_on from activity_hours
                union all select merchant_id, date_trunc('hour', created_on, 'UTC'), created_on
                  from events where name in ('charge_finished', 'refund_finished')) as all_hours
              where ${hasEvents('all_hours')}
              order by hour desc, merchant_id limit ${max_hours}
            ), next as (
              select f.merchant_id, f.position, f.event_id, f.name from hours h
              join events e on e.merchant_id = h.merchant_id
                and date_trunc('hour', e.created_on, 'UTC') = h.hour
              join event_feed f on f.merchant_id = e.merchant_id and f.event_id = e.id
              where f.name in ('charge_finished', 'refund_finished')
                and f.position <= (select position from activity_position)
            ), facts as (${sql.raw(event_facts)}
            ), counted as (
              select merchant_id, mode, date_trunc('hour', created_on, 'UTC') as hour, store_id,
                currency, payment_type, coalesce(brand, '') as brand, outcome, reason,
                count(*) as count, sum(amount)::bigint as amount
              from facts where outcome in ('successful', 'failed', 'canceled', 'refunded')
              group by 1, 2, 3, 4, 5, 6, 7, 8, 9
            ), shown as (select a.* from activity_hours a join hours using (merchant_id, hour))
            select merchant_id, mode, hour, store_id, currency, payment_type, brand, outcome, reason,
              s.count as shown_count, c.count as counted, s.amount as shown_amount,
              c.amount as counted_amount
            from shown s full join counted c using (merchant_id, mode, hour, store_id, currency,
              payment_type, brand, outcome, reason)
            where s.count is distinct from c.count or s.amount is distinct from c.amount limit 10`,
      ),
  },
]
