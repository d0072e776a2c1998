import { sql } from 'kysely'
import { type DataRule, findBroken, restore_advice } from '../store/sql/statements/data-rule.ts'

/** The invariants of the ledger: everything sums to zero, and balances equal their entries. */
export const ledger_rules: readonly DataRule[] = [
  {
    check: 'every ledger transaction sums to zero in each currency',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select merchant_id, transaction_id, currency, sum(amount)::text as sum
            from ledger_entries group by 1, 2, 3 having sum(amount) <> 0 limit 10`,
      ),
  },
  {
    check: 'the accounts of a merchant sum to zero in each mode and currency',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`select merchant_id, mode, currency, sum(amount)::text as sum
            from ledger_entries group by 1, 2, 3 having sum(amount) <> 0
            union all select merchant_id, mode, currency, sum(balance)::text
            from ledger_balances group by 1, 2, 3 having sum(balance) <> 0 limit 10`,
      ),
  },
  {
    check: 'every ledger balance is the sum of its entries',
    advice: restore_advice,
    rule: (db) =>
      findBroken(
        db,
        sql`with sums as (
              select merchant_id, store_id, mode, account, currency, sum(amount) as sum
              from ledger_entries group by 1, 2, 3, 4, 5)
            select merchant_id, store_id, mode, account, currency,
              b.balance::text as balance, s.sum::text as sum
            from ledger_balances b
            full join sums s using (merchant_id, store_id, mode, account, currency)
            where b.balance is distinct from s.sum limit 10`,
      ),
  },
]
