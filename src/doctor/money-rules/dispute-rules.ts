import { sql } from 'kysely'
import { type DataRule, findBroken, restore_advice } from '../../store/sql/statements/data-rule.ts'
import { hasEvents } from '../event-rules.ts'

/** What must hold of disputes and their part of the ledger. */
export const dispute_rules: readonly DataRule[] = [
  {
    check: 'the ledger has withdrawn every dispute with its fee, and returned those that were won',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with posted as (
              select p.merchant_id, p.dispute_id, sum(e.amount) as amount
              from dispute_postings p join ledger_entries e on e.merchant_id = p.merchant_id
                and e.transaction_id = p.ledger_id and e.account = 'merchant_payable' group by 1, 2)
            select d.merchant_id, d.id, d.status, d.amount, d.fee_amount, p.amount::text as posted
            from disputes d left join posted p on p.merchant_id = d.merchant_id and p.dispute_id = d.id
            where coalesce(p.amount, 0) <>
              case d.status when 'won' then 0 else d.amount end + d.fee_amount
              limit 10`,
      ),
  },
  {
    check: 'no money is both refunded and disputed',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select c.merchant_id, c.id as charge_id, c.charged_amount, c.refunded_amount,
              sum(d.amount)::text as disputed
            from disputes d join charges c on c.merchant_id = d.merchant_id and c.id = d.charge_id
            where d.status <> 'won' group by c.merchant_id, c.id
            having sum(d.amount) + c.refunded_amount > coalesce(c.charged_amount, 0) limit 10`,
      ),
  },
  {
    check: 'every dispute has the event of its opening, and of its end once it has ended',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with told as (
              select merchant_id, resource_id as id, count(*) filter (where name = 'dispute_created')
                as created, count(*) filter (where name = 'dispute_closed') as closed
              from events where name in ('dispute_created', 'dispute_closed') group by 1, 2)
            select merchant_id, id, d.status, t.created, t.closed
            from disputes d full join told t using (merchant_id, id)
            where (t.created is distinct from 1
              or t.closed is distinct from (d.status in ('won', 'lost', 'accepted'))::integer)
              and (d.status is null or ${hasEvents('d')}) limit 10`,
      ),
  },
]
