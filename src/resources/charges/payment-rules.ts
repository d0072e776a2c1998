import { sql } from 'kysely'
import { type DataRule, findBroken, restore_advice } from '../../store/data-rule.ts'

const look_advice = 'needs a look: its provider must say what became of it.'

/** What must hold of charges, refunds and tokens, beside the books themselves. */
export const payment_rules: readonly DataRule[] = [
  {
    check: 'what is refunded or about to be is what its charge counts, and no more than was taken',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select c.merchant_id, c.id as charge_id, c.refunded_amount, r.total
            from charges c left join (
              select merchant_id, charge_id, sum(amount)::bigint as total from refunds
              where status in ('pending', 'successful') group by 1, 2
            ) r on r.merchant_id = c.merchant_id and r.charge_id = c.id
            where c.refunded_amount <> coalesce(r.total, 0)
              or c.refunded_amount > coalesce(c.charged_amount, 0)
              or coalesce(c.charged_amount, 0) > c.provider_amount limit 10`,
      ),
  },
  {
    check: 'the books have the capture of every charged charge, and of no other',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with booked as (
              select t.merchant_id, t.charge_id, sum(e.amount)::bigint as amount
              from ledger_transactions t join ledger_entries e
                on e.merchant_id = t.merchant_id and e.transaction_id = t.id
              where t.kind = 'capture' and e.account = 'provider_receivable' group by 1, 2)
            select c.merchant_id, c.id as charge_id, c.charged_amount, b.amount as booked
            from charges c left join booked b
              on b.merchant_id = c.merchant_id and b.charge_id = c.id
            where coalesce(c.charged_amount, 0) <> coalesce(b.amount, 0)
              or (c.status = 'successful') <> (c.charged_amount is not null) limit 10`,
      ),
  },
  {
    check: "the simulator's own book agrees with every settled charge",
    advice: look_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with book as (
              select merchant_id, charge_id,
                sum(amount) filter (where (kind = 'authorize' and capture) or kind = 'capture') as taken,
                sum(amount) filter (where kind = 'refund') as returned,
                count(*) filter (where (kind = 'authorize' and capture) or kind = 'capture') as takes
              from simulator_operations where outcome ->> 'outcome' = 'approved' group by 1, 2),
            refunded as (
              select merchant_id, charge_id, sum(amount) as amount from refunds
              where status = 'successful' group by 1, 2)
            select c.merchant_id, c.id as charge_id, c.status, c.charged_amount, b.taken, b.returned
            from charges c left join book b on b.merchant_id = c.merchant_id and b.charge_id = c.id
            left join refunded r on r.merchant_id = c.merchant_id and r.charge_id = c.id
            where c.mode = 'test' and (b.takes > 1 or (
              c.status in ('successful', 'failed', 'error', 'canceled')
              and not exists (select from refunds p where p.merchant_id = c.merchant_id
                and p.charge_id = c.id and p.status = 'pending')
              and coalesce(c.charged_amount, 0) - coalesce(r.amount, 0)
                <> coalesce(b.taken, 0) - coalesce(b.returned, 0))) limit 10`,
      ),
  },
  {
    check: 'every finished charge, refund and cancel has told so exactly once',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with finished as (
              select merchant_id, id, 'charge_finished' as name,
                status in ('successful', 'failed', 'error', 'canceled') as done from charges
              union all select merchant_id, id, 'refund_finished', status <> 'pending' from refunds
              union all select merchant_id, id, 'cancel_finished', status <> 'pending' from cancels),
            told as (
              select merchant_id, resource_id as id, name, count(*)::integer as times from events
              where name in ('charge_finished', 'refund_finished', 'cancel_finished')
              group by 1, 2, 3)
            select merchant_id, id, name, done, times
            from finished full join told using (merchant_id, id, name)
            where coalesce(done, false)::integer <> coalesce(times, 0) limit 10`,
      ),
  },
  {
    check: 'no token was used more often than it may be',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select merchant_id, id, type, uses, usage_limit from transaction_tokens
            where (type = 'one_time' and uses > 1)
              or (usage_limit ~ '^[0-9]+$' and uses > usage_limit::integer) limit 10`,
      ),
  },
  {
    check: 'nothing is left without an outcome',
    advice: look_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select 'charge' as kind, merchant_id, id, due_on from charges
              where status = 'pending' and (due_on is null or due_on < now() - interval '1 hour')
            union all select 'refund', merchant_id, id, due_on from refunds
              where status = 'pending' and (due_on is null or due_on < now() - interval '1 hour')
            union all select 'cancel', merchant_id, id, due_on from cancels
              where status = 'pending' and (due_on is null or due_on < now() - interval '1 hour')
            limit 10`,
      ),
  },
]
