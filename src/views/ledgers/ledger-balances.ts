import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { scope_filters, scopeOf } from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, nullable } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { namesOf } from '../../core/table-names.ts'
import { accounts } from '../../ledger/accounts.ts'
import type { Service } from '../../service.ts'

export const AccountName = named(
  'LedgerAccount',
  Type.Enum(namesOf(accounts)),
  'An account of the ledger.',
)

export const BalanceQuery = Type.Object({
  ...scope_filters,
  by_store: described(
    Type.Boolean({ default: false }),
    'Whether each store has its own balances; otherwise all stores are summed.',
  ),
})
type BalanceQuery = Static<typeof BalanceQuery>

const Balance = named(
  'LedgerBalance',
  Type.Object({
    account: described(AccountName, 'The account.'),
    description: described(Type.String(), 'The purpose of the account.'),
    store_id: described(nullable(Id), 'The store; null for the sum of all stores.'),
    mode: common.mode,
    currency: common.currency,
    balance: described(
      Type.Integer(),
      'The sum of its entries in the smallest unit: debits are positive, credits negative.',
    ),
    balance_formatted: described(Type.Number(), 'The same in the major unit of the currency.'),
  }),
  'The balance of an account.',
)

const TrialBalance = named(
  'TrialBalance',
  Type.Object({
    mode: common.mode,
    currency: common.currency,
    debits: described(Type.Integer(), 'The sum of the balances above zero.'),
    credits: described(Type.Integer(), 'The sum of the balances below zero, as a positive number.'),
    difference: described(Type.Integer(), 'Debits less credits: zero.'),
  }),
  'All accounts of a mode and currency together.',
)

export const LedgerBalances = named(
  'LedgerBalances',
  Type.Object({
    balances: described(Type.Array(Balance), 'The balances, by mode, currency and account.'),
    trial_balance: described(Type.Array(TrialBalance), 'The sums of each mode and currency.'),
  }),
  'The balances of the ledger.',
)

type BalanceRow = Pick<Static<typeof Balance>, 'account' | 'store_id' | 'currency' | 'balance'> & {
  mode: 'test' | 'live'
}

/** A merchant has few accounts: a small number for each store, mode and currency it has used. */
const max_balances = 10_000

export async function readLedgerBalances(service: Service, caller: Caller, query: BalanceQuery) {
  const { merchant_id, store_id, modes } = await scopeOf(service, caller, query)
  const store = query.by_store || store_id ? sql`store_id` : sql`null::uuid`
  const { rows } = await sql<BalanceRow>`
    select account, ${store} as store_id, mode, currency, sum(balance)::bigint as balance
    from ledger_balances where merchant_id = ${merchant_id} and mode = any(${[...modes]})
      ${store_id ? sql`and store_id = ${store_id}::uuid` : sql``}
    group by 1, 2, 3, 4 order by 3, 4, 1, 2 limit ${sql.lit(max_balances)}`.execute(service.db)
  return { balances: rows.map(viewBalance), trial_balance: trialBalance(rows) }
}

function viewBalance(row: BalanceRow) {
  const balance_formatted = formatAmount(row.balance, row.currency)
  return { ...row, description: accounts[row.account], balance_formatted }
}

function trialBalance(rows: readonly BalanceRow[]) {
  const totals = new Map<string, Static<typeof TrialBalance>>()
  for (const { mode, currency, balance } of rows) {
    const key = `${mode} ${currency}`
    const total = totals.get(key) ?? { mode, currency, debits: 0, credits: 0, difference: 0 }
    if (balance > 0) total.debits += balance
    else total.credits -= balance
    total.difference += balance
    totals.set(key, total)
  }
  return [...totals.values()]
}
