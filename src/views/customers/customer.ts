import { type Selectable, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { scope_filters, scopeOf } from '../../accounts/stores/list-scope.ts'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { common, PaymentTypeText, TokenTypeText } from '../../core/api/common-fields.ts'
import { described, extended, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { isUuid } from '../../core/ids.ts'
import { formatAmount } from '../../core/money/money.ts'
import { cardDataOf, payerOf } from '../../methods/method-table.ts'
import type { Service } from '../../service.ts'
import { readBoundedList } from '../../store/sql/reads/bounded-list.ts'
import { findRow } from '../../store/sql/reads/find-row.ts'
import { pageOf } from '../../store/sql/reads/page.ts'
import type { CustomerTable } from '../../store/tables/accounts/console-tables.ts'

type Customer = Selectable<CustomerTable>

export const ListCustomers = Type.Object({
  ...PageParameters,
  mode: scope_filters.mode,
  search: described(
    Type.Optional(Type.String({ maxLength: 254 })),
    'A customer id, or the beginning of an e-mail; of many, the first 2000 by the alphabet.',
  ),
})
type ListCustomers = Static<typeof ListCustomers>

const customer_fields = {
  id: described(Id, 'The key of the customer.'),
  mode: common.mode,
  customer_id: described(
    nullable(Id),
    'The id under `svc-customer-id` of its tokens; null for a customer known by the e-mail.',
  ),
  email: described(nullable(Type.String()), 'The e-mail of the first payment; null without one.'),
  name: described(nullable(Type.String()), 'The name of the first payment; null without one.'),
  created_on: described(Instant, 'When the first payment of the customer ended.'),
}
const CustomerView = named(
  'Customer',
  Type.Object(customer_fields),
  'A customer of the merchant, known by an id of the merchant or by the e-mail.',
)
export const CustomerPage = PageOf(CustomerView)

const CustomerTotal = named(
  'CustomerTotal',
  Type.Object({
    currency: common.currency,
    successful: described(Type.Integer(), 'The number of successful charges.'),
    failed: described(Type.Integer(), 'The number of charges that failed.'),
    amount: described(Type.Integer(), 'What was charged, in the smallest unit of the currency.'),
    amount_formatted: common.amount_formatted,
    refunded_amount: described(Type.Integer(), 'What of it was refunded.'),
  }),
  'What a customer has paid in a currency.',
)
const CustomerToken = named(
  'CustomerToken',
  Type.Object({
    id: described(Id, 'The id of the transaction token.'),
    store_id: common.store_id,
    payment_type: described(PaymentTypeText, 'How the customer pays.'),
    type: described(TokenTypeText, 'What the token is for.'),
    active: described(Type.Boolean(), 'Whether it can be charged.'),
    brand: described(nullable(Type.String()), 'The brand; null where it is not known.'),
    last_four: described(
      nullable(Type.String()),
      'The last four digits of a card; otherwise null.',
    ),
    created_on: common.created_on,
    last_used_on: described(nullable(Instant), 'When it was last charged; null until then.'),
  }),
  'A payment method of a customer, masked.',
)
export const CustomerDetails = extended(
  'CustomerDetails',
  CustomerView,
  {
    totals: described(
      Type.Array(CustomerTotal),
      'What the customer has paid, by currency, of the newest 10,000 charges.',
    ),
    tokens: described(
      Type.Array(CustomerToken),
      'The newest recurring and subscription tokens, at most 100.',
    ),
  },
  'A customer, with totals and payment methods.',
)

function viewCustomer({ id, mode, customer_id, email, name, created_on }: Customer) {
  return { id, mode, customer_id, email, name, created_on: created_on.toISOString() }
}

export async function listCustomers(service: Service, caller: Caller, query: ListCustomers) {
  const { merchant_id, modes } = await scopeOf(service, caller, query)
  const term = query.search?.trim().toLowerCase()
  const list = { table: 'customers', key: 'id', merchant_id, modes } as const
  const rows = term
    ? await findCustomers(service, merchant_id, modes, term, query)
    : await readBoundedList<Customer>(
        service.db,
        list,
        query,
        query.limit + 1,
        (source, order) => sql<Customer>`select * from ${source} as c order by c.id ${order}`,
      )
  const { items, has_more } = pageOf(rows, query)
  return { items: items.map(viewCustomer), has_more }
}

/** How many customers whose e-mail begins alike are found, the first in alphabetical order. */
const max_found = 2000

/** All matches are read along the index of the e-mail, and then sorted like the list. */
async function findCustomers(
  { db }: Service,
  merchant_id: string,
  modes: readonly Mode[],
  term: string,
  { cursor, cursor_direction, limit }: ListCustomers,
): Promise<Customer[]> {
  const is_desc = cursor_direction === 'desc'
  const end = `${term}\u{10ffff}`
  const found = isUuid(term)
    ? sql`and identity = ${term}`
    : sql`and email collate "C" >= ${term} and email collate "C" < ${end}
      order by email collate "C", id limit ${sql.lit(max_found)}`
  const { rows } = await sql<Customer>`
    select n.* from unnest(${[...modes]}::text[]) as m (mode) cross join lateral (
      select * from customers where merchant_id = ${merchant_id} and mode = m.mode ${found}) as n
    where ${cursor ? sql`n.id ${is_desc ? sql`<` : sql`>`} ${cursor}::uuid` : sql`true`}
    order by n.id ${is_desc ? sql`desc` : sql`asc`} limit ${limit + 1}`.execute(db)
  return rows
}

export async function readCustomer(service: Service, caller: Caller, id: string) {
  const { merchant_id, modes } = await scopeOf(service, caller, {})
  const customer = await findRow(service, 'customers', { merchant_id, id })
  if (!customer || !modes.includes(customer.mode)) fail('NOT_FOUND')
  const [totals, tokens] = await Promise.all([
    readTotals(service, customer),
    readTokens(service, customer),
  ])
  return { ...viewCustomer(customer), totals, tokens }
}

/** How many charges and tokens of one customer are read. */
const max_charges = 10_000
const max_charged_tokens = 1000
const max_tokens = 100

/** The charges of a customer: those of the tokens with the id, or with the e-mail. */
export function chargesOfCustomer({ merchant_id, customer_id, email }: Omit<Customer, 'id'>) {
  if (!customer_id) return sql`c.merchant_id = ${merchant_id} and c.email = ${email}`
  return sql`c.merchant_id = ${merchant_id} and ${withTokensOf(merchant_id, customer_id)}`
}

/** The condition that a charge `c` was made with a token of the customer, the newest of them. */
export function withTokensOf(merchant_id: string, customer_id: string) {
  return sql<boolean>`c.transaction_token_id = any(array(select id from transaction_tokens
    where merchant_id = ${merchant_id} and customer_id = ${customer_id}::uuid
    order by id desc limit ${sql.lit(max_charged_tokens)}))`
}

async function readTotals(service: Service, customer: Customer) {
  type Total = Omit<Static<typeof CustomerTotal>, 'amount_formatted'>
  const { rows } = await sql<Total>`
    select coalesce(charged_currency, requested_currency) as currency,
      (count(*) filter (where status = 'successful'))::integer as successful,
      (count(*) filter (where status in ('failed', 'error')))::integer as failed,
      coalesce(sum(charged_amount) filter (where status = 'successful'), 0)::bigint as amount,
      coalesce(sum(refunded_amount), 0)::bigint as refunded_amount
    from (select * from charges c where ${chargesOfCustomer(customer)}
      and c.mode = ${customer.mode} and c.type = 'normal'
      order by c.id desc limit ${sql.lit(max_charges)}) as newest
    group by 1 order by 1`.execute(service.db)
  return rows.map((total) => ({
    ...total,
    amount_formatted: formatAmount(total.amount, total.currency),
  }))
}

async function readTokens(service: Service, { merchant_id, mode, customer_id, email }: Customer) {
  let tokens = service.db
    .selectFrom('transaction_tokens')
    .select(['id', 'store_id', 'payment_type', 'type', 'active', 'data', 'created_on'])
    .select('last_used_on')
    .where('merchant_id', '=', merchant_id)
    .where('mode', '=', mode)
    .where('type', '<>', 'one_time')
    .where('deleted_on', 'is', null)
  tokens = customer_id
    ? tokens.where('customer_id', '=', customer_id)
    : tokens.where('id', 'in', (used) =>
        used
          .selectFrom('charges')
          .select('transaction_token_id')
          .where('merchant_id', '=', merchant_id)
          .where('email', '=', email)
          .orderBy('id', 'desc')
          .limit(max_charged_tokens),
      )
  const rows = await tokens.orderBy('id', 'desc').limit(max_tokens).execute()
  return rows.map(({ data, created_on, last_used_on, ...token }) => ({
    ...token,
    brand: payerOf({ payment_type: token.payment_type, data }).brand,
    last_four: cardDataOf({ payment_type: token.payment_type, data })?.card.last_four ?? null,
    created_on: created_on.toISOString(),
    last_used_on: last_used_on?.toISOString() ?? null,
  }))
}
