import { type Selectable, sql } from 'kysely'
import type { Mode } from '../core/access/caller.ts'
import type { Service } from '../service.ts'
import { type DataRule, findBroken, restore_advice } from '../store/sql/data-rule.ts'
import type { Db } from '../store/tables/db.ts'
import type { LedgerBalanceTable } from '../store/tables/tables.ts'

export type LedgerBalance = Selectable<LedgerBalanceTable>

/** The balance of each account of a merchant; an account that was never used has no row. */
export async function readBalances(
  service: Service,
  merchant_id: string,
  { store_id, mode }: { store_id?: string; mode?: Mode } = {},
): Promise<LedgerBalance[]> {
  let balances = service.db
    .selectFrom('ledger_balances')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
  if (store_id) balances = balances.where('store_id', '=', store_id)
  if (mode) balances = balances.where('mode', '=', mode)
  return balances
    .orderBy('store_id')
    .orderBy('mode')
    .orderBy('account')
    .orderBy('currency')
    .execute()
}

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

const max_named = 3

/** The faults of the ledger, a sentence for each broken rule. */
export async function ledgerFaults(db: Db): Promise<string[]> {
  const faults: string[] = []
  for (const { check, rule } of ledger_rules) {
    const rows = await rule(db)
    if (rows.length === 0) continue
    const named = rows.slice(0, max_named).map((row) => JSON.stringify(row))
    faults.push(`Not true that ${check}: ${named.join(', ')}${rows.length > max_named ? ' …' : ''}`)
  }
  return faults
}
