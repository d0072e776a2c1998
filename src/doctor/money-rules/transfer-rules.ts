import { sql } from 'kysely'
import { type DataRule, findBroken, restore_advice } from '../../store/sql/statements/data-rule.ts'

/** What each transfer took from the ledger, per store. */
const parts = sql`
  select l.merchant_id, l.transfer_id, e.store_id, e.mode, e.currency, -sum(e.amount) as amount
  from transfer_ledgers l
  join ledger_entries e on e.merchant_id = l.merchant_id and e.transaction_id = l.ledger_id
    and e.account = 'merchant_payable'
  group by 1, 2, 3, 4, 5`

/** The invariants of transfers and their part of the ledger. */
export const transfer_rules: readonly DataRule[] = [
  {
    check: 'every transfer is the sum of its ledger transactions',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with parts as (${parts})
            select f.merchant_id, f.id, f.amount, sum(p.amount)::text as found
            from transfers f left join parts p on p.merchant_id = f.merchant_id
              and p.transfer_id = f.id and p.mode = f.mode and p.currency = f.currency
            group by f.merchant_id, f.id
            having f.amount is distinct from sum(p.amount) limit 10`,
      ),
  },
  {
    check: 'the ledger has every paid transfer, store by store, and no other',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with parts as (${parts}), paid as (
              select p.* from parts p join transfers f on f.merchant_id = p.merchant_id
                and f.id = p.transfer_id and f.status = 'paid' where p.amount <> 0
            ), posted as (
              select merchant_id, transfer_id, store_id, mode, currency, amount
              from ledger_entries where kind = 'payout' and account = 'merchant_payable')
            select merchant_id, transfer_id, store_id,
              paid.amount::text as paid, posted.amount::text as booked
            from paid full join posted using (merchant_id, transfer_id, store_id, mode, currency)
            where paid.amount is distinct from posted.amount limit 10`,
      ),
  },
  {
    check: 'only failed and canceled transfers give back what they were to pay',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select l.merchant_id, l.transfer_id, l.ledger_id, f.status
            from transfer_ledgers l
            left join transfers f on f.merchant_id = l.merchant_id and f.id = l.transfer_id
            where l.freed is distinct from (f.status in ('failed', 'canceled')) limit 10`,
      ),
  },
]
