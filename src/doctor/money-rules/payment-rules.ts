import { sql } from 'kysely'
import { max_test_charges } from '../../core/limits/limits.ts'
import { takes_test_charge } from '../../payments/charges/create/test-charge-quota.ts'
import { type DataRule, findBroken, restore_advice } from '../../store/sql/statements/data-rule.ts'
import { hasEvents } from '../event-rules.ts'
import { timeOf } from '../stuck-work-rules.ts'

const look_advice = 'needs a look: its provider must say what became of it.'

/** Simulators know charges that changed since, whatever SIMULATOR_DAYS is. */
const known_to_simulators = sql`interval '70 days'`

/** Invariants of charges, refunds, declarations and tokens, beside the ledger itself. */
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
    check: 'the ledger has the capture of every charged charge, and of no other',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with posted as (
              select merchant_id, charge_id, -sum(amount)::bigint as amount from ledger_entries
              where kind = 'capture' and account = 'merchant_payable' group by 1, 2)
            select c.merchant_id, c.id as charge_id, c.charged_amount, b.amount as booked
            from charges c left join posted b
              on b.merchant_id = c.merchant_id and b.charge_id = c.id
            where coalesce(c.charged_amount, 0) <> coalesce(b.amount, 0)
              or (c.status = 'successful') <> (c.charged_amount is not null) limit 10`,
      ),
  },
  {
    check: "the simulator's operations log agrees with every settled charge",
    advice: look_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with log as (
              select merchant_id, charge_id,
                sum(amount) filter (where (kind = 'authorize' and capture)
                  or kind in ('capture', 'deposit')) as taken,
                sum(amount) filter (where kind in ('refund', 'return')) as returned,
                count(*) filter (where (kind = 'authorize' and capture) or kind = 'capture') as takes
              from simulator_operations where outcome ->> 'outcome' = 'approved' group by 1, 2),
            refunded as (
              select merchant_id, charge_id, sum(amount) as amount from refunds
              where status = 'successful' group by 1, 2)
            select c.merchant_id, c.id as charge_id, c.status, c.charged_amount, b.taken, b.returned
            from charges c left join log b on b.merchant_id = c.merchant_id and b.charge_id = c.id
            left join refunded r on r.merchant_id = c.merchant_id and r.charge_id = c.id
            where c.mode = 'test' and c.updated_on > ${timeOf('c')} - ${known_to_simulators}
              and (b.takes > 1 or (
              c.status in ('successful', 'failed', 'error', 'canceled')
              and not exists (select from refunds p where p.merchant_id = c.merchant_id
                and p.charge_id = c.id and p.status = 'pending')
              and not exists (select from deposits d where d.merchant_id = c.merchant_id
                and d.charge_id = c.id and d.status in ('returning', 'unreturned'))
              and not exists (select from provider_notifications n where n.merchant_id = c.merchant_id
                and n.resource_id = c.id)
              and coalesce(c.charged_amount, 0) - coalesce(r.amount, 0)
                <> coalesce(b.taken, 0) - coalesce(b.returned, 0))) limit 10`,
      ),
  },
  {
    check: 'charges that ended without money are reversed at the provider',
    advice:
      'needs a look: if the provider still has it, void or refund it there (`kaikei charges explain`).',
    rule: (db) =>
      findBroken(
        db,
        sql`select o.merchant_id, o.charge_id, o.provider, o.kind
            from provider_operations o
            join charges c on c.merchant_id = o.merchant_id and c.id = o.charge_id
            where o.kind in ('void', 'refund') and o.resource_id = o.charge_id
              and coalesce(o.outcome, 'unknown') in ('unknown', 'not_taken')
              and c.status in ('failed', 'error', 'canceled')
              and not exists (select from provider_operations u
                where u.merchant_id = o.merchant_id and u.charge_id = o.charge_id
                  and u.reference = o.reference and u.outcome in ('approved', 'refused'))
            limit 10`,
      ),
  },
  {
    check:
      'the free quota of test charges never exceeds the limit minus the charges of the last 24 hours',
    advice:
      'would make too many. Set free to 0 in test_charge_counts: then they are counted again.',
    rule: (db) =>
      findBroken(
        db,
        sql`select t.merchant_id, t.free, made.count::integer as made
            from test_charge_counts t cross join lateral (
              select count(*) from charges where merchant_id = t.merchant_id
                and created_on > t.counted_on - interval '24 hours'
                and ${sql.raw(takes_test_charge)}) as made
            where t.free > 0 and t.free + made.count > ${max_test_charges} limit 10`,
      ),
  },
  {
    check: 'every deposit is in the ledger, and what of it is neither applied nor returned is held',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with posted as (
              select merchant_id, deposit_id as id,
                sum(amount) filter (where kind = 'deposit') as arrived,
                -sum(amount) filter (where kind = 'return') as returned
              from ledger_entries
              where deposit_id is not null and account = 'provider_receivable' group by 1, 2)
            select d.merchant_id, d.id as deposit_id, d.status, d.amount, b.arrived, b.returned
            from deposits d left join posted b on b.merchant_id = d.merchant_id and b.id = d.id
            where b.arrived is distinct from d.amount or coalesce(b.returned, 0) <>
              case d.status when 'returned' then d.return_amount else 0 end limit 10`,
      ),
  },
  {
    check: 'deposits are held for charges that wait for them, and paid charges have what they took',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select c.merchant_id, c.id as charge_id, c.status, c.charged_amount,
              sum(d.applied_amount)::bigint as applied, count(*) filter (where d.status = 'held') as held
            from charges c join deposits d on d.merchant_id = c.merchant_id and d.charge_id = c.id
            group by 1, 2, 3, 4
            having sum(d.applied_amount) <> coalesce(c.charged_amount, 0)
              or (count(*) filter (where d.status = 'held') > 0 and c.status <> 'awaiting') limit 10`,
      ),
  },
  {
    check: 'the statement of every virtual account ends with what is held on it',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with statement as (
              select merchant_id, charge_id, sum(case bank_ledger_type when 'deposit' then amount
                else -amount end)::bigint as balance from bank_transfer_ledgers group by 1, 2),
            kept as (
              select merchant_id, charge_id, coalesce(sum(amount) filter (where status = 'held'),
                0)::bigint as balance from deposits group by 1, 2)
            select merchant_id, charge_id, s.balance, k.balance as held
            from statement s join kept k using (merchant_id, charge_id)
            where s.balance <> k.balance limit 10`,
      ),
  },
  {
    check: 'every finished charge, refund and cancel has exactly one event about it',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with finished as (
              select merchant_id, id, 'charge_finished' as name, created_on,
                status in ('successful', 'failed', 'error', 'canceled') as done from charges
              union all select merchant_id, id, 'refund_finished', created_on, status <> 'pending'
                from refunds
              union all select merchant_id, id, 'cancel_finished', created_on, status <> 'pending'
                from cancels),
            told as (
              select merchant_id, resource_id as id, name, count(*)::integer as times from events
              where name in ('charge_finished', 'refund_finished', 'cancel_finished')
              group by 1, 2, 3)
            select merchant_id, id, name, done, times
            from finished full join told using (merchant_id, id, name)
            where coalesce(done, false)::integer <> coalesce(times, 0)
              and (done is null or ${hasEvents('finished')}) limit 10`,
      ),
  },
  {
    check:
      'every ended attempt of a customs declaration has its event, and the newest is its status',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with declared as (
              select d.merchant_id, d.id, d.status, coalesce(a.status, 'pending') as newest, d.created_on
              from customs_declarations d left join customs_attempts a
                on a.merchant_id = d.merchant_id and a.id = d.attempt_id),
            ended as (
              select merchant_id, declaration_id as id, count(*) as times from customs_attempts
              group by 1, 2),
            told as (
              select merchant_id, resource_id as id, count(*) as times from events
              where name = 'customs_declaration_finished' group by 1, 2)
            select merchant_id, id, status, newest, ended.times as ended, told.times as told
            from declared full join ended using (merchant_id, id)
            full join told using (merchant_id, id)
            where (ended.times is distinct from told.times and ${hasEvents('declared')})
              or status is null or status <> newest
            limit 10`,
      ),
  },
  {
    check: 'the simulator declared no charge to customs but for an attempt that is known',
    advice: look_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select merchant_id, charge_id, reference from simulator_operations o
            where kind = 'customs' and outcome ->> 'outcome' = 'approved'
              and not exists (select from customs_attempts a where a.merchant_id = o.merchant_id
                and a.id = o.reference and a.status = 'successful')
              and not exists (select from customs_declarations d where d.status = 'pending'
                and d.merchant_id = o.merchant_id and d.attempt_id = o.reference) limit 10`,
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
            union all select 'customs_declaration', merchant_id, id, due_on from customs_declarations
              where status = 'pending' and (due_on is null or due_on < now() - interval '1 hour')
            union all select 'deposit', merchant_id, id, due_on from deposits
              where status = 'returning' and (due_on is null or due_on < now() - interval '1 hour')
            limit 10`,
      ),
  },
  {
    check: 'what is due is found',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select 'charge' as kind, merchant_id, id, c.due_on, d.due_on as found_on
              from charges c full join charges_due d using (merchant_id, id)
              where c.due_on is distinct from d.due_on
            union all select 'token', merchant_id, id, t.due_on, d.due_on
              from transaction_tokens t full join transaction_tokens_due d using (merchant_id, id)
              where t.due_on is distinct from d.due_on limit 10`,
      ),
  },
]
