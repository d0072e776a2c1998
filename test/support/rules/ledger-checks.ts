import type { Selectable } from 'kysely'
import type { Mode } from '../../../src/core/access/caller.ts'
import { ledger_rules } from '../../../src/ledger/balances.ts'
import type { Service } from '../../../src/service.ts'
import type { Db } from '../../../src/store/tables/db.ts'
import type { LedgerBalanceTable } from '../../../src/store/tables/tables.ts'

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
