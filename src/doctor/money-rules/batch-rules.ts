import { sql } from 'kysely'
import { type DataRule, findBroken, restore_advice } from '../../store/sql/statements/data-rule.ts'

/** The invariants of subscription batches. */
export const batch_rules: readonly DataRule[] = [
  {
    check: 'every batch has the outcome of its items, and every created item its subscription',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with counted as (
              select b.merchant_id, b.id, b.status, b.due_on,
                count(i.*) filter (where i.status = 'awaiting') as awaiting,
                count(i.*) filter (where i.status = 'failed') as failed,
                count(i.*) filter (where i.status = 'successful' and s.id is null) as lost
              from subscription_batches b
              left join subscription_batch_items i
                on i.merchant_id = b.merchant_id and i.batch_id = b.id
              left join subscriptions s
                on s.merchant_id = i.merchant_id and s.id = i.subscription_id
              group by b.merchant_id, b.id)
            select merchant_id, id as batch_id, status, due_on, awaiting, failed, lost from counted
            where lost > 0
              or (status = 'awaiting' and (due_on is null or due_on < now() - interval '1 hour'))
              or (status <> 'awaiting' and (awaiting > 0 or (failed > 0) <> (status = 'failed')))
            limit 10`,
      ),
  },
]
