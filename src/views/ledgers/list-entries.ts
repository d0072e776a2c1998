import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import {
  idRange,
  type ListScope,
  scope_filters,
  scopeOf,
} from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, filters } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { ledger_kinds } from '../../core/money/ledger-kinds.ts'
import { formatAmount } from '../../core/money/money.ts'
import type { Account } from '../../ledger/accounts.ts'
import type { Service } from '../../service.ts'
import {
  type BoundedList,
  readBoundedList,
  wholeGroups,
} from '../../store/sql/reads/bounded-list.ts'
import { AccountName } from './ledger-balances.ts'

export const ListEntries = Type.Object({
  ...PageParameters,
  ...scope_filters,
  account: Type.Optional(described(AccountName, 'Only entries of this account.')),
  currency: filters.currency,
  charge_id: described(Type.Optional(Id), 'Only entries that this charge caused.'),
  transfer_id: described(
    Type.Optional(Id),
    'Only entries paid by this transfer, and the entries of the payout itself.',
  ),
  from: filters.from,
  to: filters.to,
})
export type ListEntries = Static<typeof ListEntries>

export const EntryItem = named(
  'LedgerEntryItem',
  Type.Object({
    id: described(Id, 'The id of the ledger transaction; its entries share it.'),
    line: described(Type.Integer(), 'The number of the entry in its transaction, from 1.'),
    store_id: common.store_id,
    mode: common.mode,
    kind: described(Type.Enum([...ledger_kinds]), 'The recorded operation.'),
    account: described(AccountName, 'The account.'),
    currency: common.currency,
    amount: described(
      Type.Integer(),
      'The amount in the smallest unit: a debit is positive, a credit negative.',
    ),
    amount_formatted: common.amount_formatted,
    charge_id: described(nullable(Id), 'The charge that caused it; null without one.'),
    refund_id: described(nullable(Id), 'The refund that caused it; null without one.'),
    deposit_id: described(nullable(Id), 'The deposit that caused it; null without one.'),
    transfer_id: described(nullable(Id), 'The payout that it is; null for others.'),
    note: described(nullable(Type.String()), 'A note of the operator; null without one.'),
    created_on: common.created_on,
  }),
  'An entry of the ledger, with its transaction.',
)
export const EntryPage = PageOf(EntryItem)

/** Accounts with an index of their own, which has only the transactions with one of them. */
const indexed_accounts: readonly (readonly Account[])[] = [
  ['authorization_hold', 'authorized_by_customer'],
  ['paid_out', 'suspense', 'fx_clearing', 'conversion_requested', 'conversion_charged'],
]

/** Written out as in the index, so that the planner knows that it has every row. */
function accountIndex(account: Account | undefined): RawBuilder<unknown> | null {
  const names = indexed_accounts.find((some) => account && some.includes(account))
  return names ? sql`t.accounts && ${sql.lit(`{${names.join(',')}}`)}` : null
}

type EntryRow = Omit<Static<typeof EntryItem>, 'created_on' | 'amount_formatted'> & {
  created_on: Date
}

/** Maximum number of entries of one transaction, for which a page may be longer than its limit. */
const max_entries = 20

export async function listEntries(service: Service, caller: Caller, query: ListEntries) {
  const scope = await scopeOf(service, caller, query)
  const { account, currency } = query
  const rows = await readBoundedList<EntryRow>(
    service.db,
    listOf(scope, query),
    query,
    query.limit + max_entries,
    (source, order) => sql<EntryRow>`
      select l.id, e.line::integer as line, l.store_id, l.mode, l.kind, e.account, e.currency, e.amount,
        l.charge_id, l.refund_id, l.deposit_id, l.transfer_id, l.note, l.created_on
      from ${source} as l cross join lateral unnest(l.accounts, l.currencies, l.amounts)
        with ordinality as e (account, currency, amount, line)
      where true ${account ? sql`and e.account = ${account}` : sql``}
        ${currency ? sql`and e.currency = ${currency.toUpperCase()}` : sql``}
      order by l.id ${order}, e.line limit ${query.limit + max_entries}`,
  )
  const { items, has_more } = wholeGroups(rows, query, ({ id }) => id)
  return { items: items.map(viewEntry), has_more }
}

function listOf({ merchant_id, store_id, modes }: ListScope, query: ListEntries): BoundedList {
  const { account, currency, charge_id, transfer_id } = query
  const [mode] = modes
  const is_test = modes.length === 1 && mode === 'test'
  const of_account = accountIndex(account)
  const where = [
    ...(of_account ? [of_account] : []),
    // Written out, because an index has those of test mode only.
    ...(is_test ? [sql`t.mode = 'test'`] : []),
    ...(charge_id ? [sql`t.charge_id = ${charge_id}::uuid`] : []),
    ...(transfer_id ? [ofTransfer(merchant_id, transfer_id, query)] : []),
  ]
  const filter = [
    ...(account ? [sql`r.accounts @> array[${account}]`] : []),
    ...(currency ? [sql`r.currencies @> array[${currency.toUpperCase()}]`] : []),
    ...(store_id ? [sql`r.store_id = ${store_id}::uuid`] : []),
    ...(modes.length === 1 && !is_test ? [sql`r.mode = ${mode}`] : []),
    ...(modes.length === 0 ? [sql`false`] : []),
  ]
  return {
    ...idRange(query),
    table: 'ledger_transactions',
    key: 'id',
    merchant_id,
    modes: null,
    where: where.length > 0 ? sql.join(where, sql` and `) : undefined,
    filter,
  }
}

/** How many transactions of a transfer are examined for one page. */
const max_of_transfer = 5000

/** The next transactions of a transfer, in the order of its own index, and the payout itself. */
function ofTransfer(
  merchant_id: string,
  transfer_id: string,
  { cursor, cursor_direction }: ListEntries,
): RawBuilder<unknown> {
  const is_desc = cursor_direction === 'desc'
  const after = cursor ? sql`and ledger_id ${is_desc ? sql`<` : sql`>`} ${cursor}::uuid` : sql``
  return sql`t.id = any(array(select ledger_id from transfer_ledgers
      where merchant_id = ${merchant_id} and transfer_id = ${transfer_id}::uuid ${after}
      order by ledger_id ${is_desc ? sql`desc` : sql`asc`} limit ${sql.lit(max_of_transfer)})
    || array(select id from ledger_transactions
      where merchant_id = ${merchant_id} and transfer_id = ${transfer_id}::uuid))`
}

export function viewEntry({ created_on, ...entry }: EntryRow) {
  return {
    ...entry,
    amount_formatted: formatAmount(entry.amount, entry.currency),
    created_on: created_on.toISOString(),
  }
}
