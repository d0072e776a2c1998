import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import {
  type ListScope,
  oneMode,
  scope_filters,
  scopeOf,
} from '../../accounts/stores/list-scope.ts'
import { partOf } from '../../commerce/transfers/open-ledgers.ts'
import type { Caller } from '../../core/access/caller.ts'
import { common, PaymentTypeText } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { formatAmount } from '../../core/money/money.ts'
import { payout_parts } from '../../core/money/payout-parts.ts'
import type { Service } from '../../service.ts'
import { max_bounded_read, readBoundedList } from '../../store/sql/reads/bounded-list.ts'
import { pageOf } from '../../store/sql/reads/page.ts'

const { cursor, limit } = PageParameters

export const StatementQuery = Type.Object({
  cursor,
  limit,
  ...scope_filters,
  currency: described(
    Type.Optional(Type.String({ format: 'currency' })),
    'The currency of the account; by default the first one with a balance.',
  ),
  balance: described(
    Type.Optional(Type.Integer()),
    "With a cursor: that item's `balance` less its `amount`. The page continues from there.",
  ),
})
type StatementQuery = Static<typeof StatementQuery>

const Whole = Type.Integer()

const StatementLine = named(
  'StatementLine',
  Type.Object({
    id: described(Id, 'The id of the ledger transaction.'),
    store_id: common.store_id,
    part: described(
      Type.Enum([...payout_parts, 'payout']),
      'What the line is: a sale, a fee, a refund, a dispute, an adjustment or a payout.',
    ),
    currency: common.currency,
    amount: described(Whole, 'By how much it changes the balance; fees and payouts are negative.'),
    amount_formatted: common.amount_formatted,
    balance: described(Whole, 'The balance after this line.'),
    charge_id: described(nullable(Id), 'The charge that caused it; null without one.'),
    transfer_id: described(nullable(Id), 'The payout that it is; null for other lines.'),
    payment_type: described(nullable(PaymentTypeText), 'How the customer paid; null for payouts.'),
    brand: described(nullable(Type.String()), 'The brand of the card or wallet, where known.'),
    last_four: described(nullable(Type.String()), 'The last four digits of the card, if any.'),
    customer_name: described(nullable(Type.String()), "The customer's name, where known."),
    note: described(nullable(Type.String()), 'A note of the operator; null without one.'),
    created_on: common.created_on,
  }),
  'A line of the account statement: one change of what the merchant is owed.',
)

export const StatementPage = PageOf(StatementLine)

type LineRow = Omit<Static<typeof StatementLine>, 'created_on' | 'amount_formatted' | 'balance'> & {
  created_on: Date
}

/** The lines are read with the balance in one snapshot, so the sums are exact under load too. */
export async function readStatement(service: Service, caller: Caller, query: StatementQuery) {
  if ((query.cursor === undefined) !== (query.balance === undefined)) {
    fail('VALIDATION_ERROR', {
      message: '`cursor` and `balance` continue a page together: send both, or neither.',
      errors: [
        { field: query.cursor === undefined ? 'cursor' : 'balance', reason: 'REQUIRED_VALUE' },
      ],
    })
  }
  const scope = await scopeOf(service, caller, query)
  return service.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const snapshot = { ...service, db: tx }
      const now = await readBalance(snapshot, scope, query)
      const rows = now ? await readLines(snapshot, scope, query, now.currency) : []
      const page = { limit: query.limit, cursor_direction: 'desc' } as const
      const { items, has_more } = pageOf(rows, page)
      return { items: withBalance(items, query.balance ?? now?.balance ?? 0), has_more }
    })
}

function withBalance(rows: readonly LineRow[], newest: number) {
  let balance = newest
  return rows.map(({ created_on, ...row }) => {
    const line = {
      ...row,
      balance,
      amount_formatted: formatAmount(row.amount, row.currency),
      created_on: created_on.toISOString(),
    }
    balance -= row.amount
    return line
  })
}

/** What is owed in the currency that is asked for, or the first that has a balance. */
async function readBalance({ db }: Service, scope: ListScope, { currency }: StatementQuery) {
  const { merchant_id, store_id } = scope
  const { rows } = await sql<{ currency: string; balance: number }>`
    select currency, -sum(balance)::bigint as balance from ledger_balances
    where merchant_id = ${merchant_id} and mode = ${oneMode(scope)} and account = 'merchant_payable'
      ${store_id ? sql`and store_id = ${store_id}::uuid` : sql``}
      ${currency ? sql`and currency = ${currency.toUpperCase()}` : sql``}
    group by currency order by currency limit 1`.execute(db)
  return rows[0]
}

function readLines(
  { db }: Service,
  scope: ListScope,
  { cursor: after, limit: wanted }: StatementQuery,
  currency: string,
): Promise<LineRow[]> {
  const { merchant_id, store_id } = scope
  const mode = oneMode(scope)
  const list = {
    table: 'ledger_transactions',
    key: 'id',
    merchant_id,
    modes: null,
    where: mode === 'test' ? sql`t.mode = 'test'` : undefined,
    filter: [
      sql`r.mode = ${mode}`,
      sql`r.accounts @> array['merchant_payable']`,
      sql`r.currencies @> array[${currency}]`,
      ...(store_id ? [sql`r.store_id = ${store_id}::uuid`] : []),
    ],
  } as const
  const page = {
    cursor_direction: 'desc',
    limit: wanted,
    ...(after ? { cursor: after } : {}),
  } as const
  return readBoundedList<LineRow>(
    db,
    list,
    page,
    wanted + 1,
    (source) => sql<LineRow>`
      select l.id, l.store_id, l.charge_id, l.transfer_id, l.note, l.created_on, own.amount,
        ${currency} as currency,
        case when l.kind = 'payout' then 'payout' else ${partOf(merchant_id, 'l.kind', 'l.id')} end as part,
        c.payment_type, c.brand, c.last_four, c.cardholder as customer_name
      from ${source} as l
      cross join lateral (select -sum(e.amount)::bigint as amount
        from unnest(l.accounts, l.currencies, l.amounts) as e (account, currency, amount)
        where e.account = 'merchant_payable' and e.currency = ${currency}) as own
      left join charges c on c.merchant_id = ${merchant_id} and c.id = l.charge_id
      where own.amount is not null
      order by l.id desc`,
    refuseSparseStore,
  )
}

function refuseSparseStore(): never {
  fail('VALIDATION_ERROR', {
    message:
      `This store has too few of the last ${max_bounded_read} ledger transactions. Leave out \`store_id\` ` +
      'to read the statement of all stores, or use `GET /ledger_entries` with `from` and `to`.',
    errors: [{ field: 'store_id', reason: 'INVALID_TIME_PERIOD' }],
  })
}
