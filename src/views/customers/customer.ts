import { type RawBuilder, type Selectable, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { scope_filters, scopeOf } from '../../accounts/stores/list-scope.ts'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { common, PaymentTypeText, TokenTypeText } from '../../core/api/common-fields.ts'
import { described, extended, named, textOf } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { isUuid } from '../../core/ids.ts'
import { formatAmount } from '../../core/money/money.ts'
import { statesOf } from '../../core/payments/states.ts'
import { cardDataOf, payerOf } from '../../methods/method-table.ts'
import type { Service } from '../../service.ts'
import { readBoundedList } from '../../store/sql/reads/bounded-list.ts'
import { pageOf } from '../../store/sql/reads/page.ts'
import type { CustomerTable } from '../../store/tables/accounts/console-tables.ts'
import {
  chargesOfCustomer,
  firstOfPersons,
  isFirstOfPerson,
  max_compared,
  paysInStore,
  personOf,
  tokensOfCustomer,
} from './person.ts'

type Customer = Selectable<CustomerTable>

export const ListCustomers = Type.Object({
  ...PageParameters,
  mode: scope_filters.mode,
  store_id: described(
    Type.Optional(Id),
    `Only customers with payments in this store, by the newest ${max_compared} payments of each.`,
  ),
  search: described(
    Type.Optional(Type.String({ maxLength: 254 })),
    'A customer id, or the beginning of an e-mail; of many, the first 2000 by the alphabet.',
  ),
})
type ListCustomers = Static<typeof ListCustomers>

const customer_fields = {
  id: described(Id, 'The key of the customer. Everybody with one e-mail is one customer.'),
  mode: common.mode,
  customer_id: described(
    nullable(Id),
    'The first id under `svc-customer-id` of their tokens; null for a customer known by the e-mail.',
  ),
  email: described(nullable(Type.String()), 'The e-mail of the first payment; null without one.'),
  name: described(nullable(Type.String()), 'The name of the first payment; null without one.'),
  created_on: described(Instant, "The end of the customer's first payment."),
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
    amount: described(Type.Integer(), 'The charged amount, in the smallest unit of the currency.'),
    amount_formatted: common.amount_formatted,
    refunded_amount: described(Type.Integer(), 'The refunded part.'),
    first_on: described(
      nullable(Instant),
      'When the first successful charge was created; null without one.',
    ),
    last_on: described(
      nullable(Instant),
      'When the last successful charge was created; null without one.',
    ),
  }),
  'The amount that a customer has paid in a currency.',
)
const CustomerToken = named(
  'CustomerToken',
  Type.Object({
    id: described(Id, 'The id of the transaction token.'),
    store_id: common.store_id,
    payment_type: described(PaymentTypeText, 'How the customer pays.'),
    type: described(TokenTypeText, 'The kind of token.'),
    active: described(Type.Boolean(), 'Whether it can be charged.'),
    brand: described(nullable(Type.String()), 'The brand; null where it is not known.'),
    last_four: described(
      nullable(Type.String()),
      'The last four digits of a card; otherwise null.',
    ),
    created_on: common.created_on,
    last_used_on: described(nullable(Instant), 'The time of the last charge; null before it.'),
  }),
  'A payment method of a customer, masked.',
)
const CustomerSubscription = named(
  'CustomerSubscription',
  Type.Object({
    id: described(Id, 'The id of the subscription.'),
    store_id: common.store_id,
    status: described(textOf(null, statesOf('subscription')), 'The status of the subscription.'),
    amount: common.amount,
    currency: common.currency,
    created_on: common.created_on,
  }),
  'A subscription of a customer.',
)
const CustomerDispute = named(
  'CustomerDispute',
  Type.Object({
    id: described(Id, 'The id of the dispute.'),
    store_id: common.store_id,
    charge_id: common.charge_id,
    status: described(textOf(null, statesOf('dispute')), 'The status of the dispute.'),
    amount: common.amount,
    currency: common.currency,
    created_on: common.created_on,
  }),
  'A dispute of a customer.',
)
export const CustomerDetails = extended(
  'CustomerDetails',
  CustomerView,
  {
    customer_ids: described(
      Type.Array(Id),
      'Every id under `svc-customer-id` that came with the e-mail, at most 100.',
    ),
    totals: described(
      Type.Array(CustomerTotal),
      'The amounts the customer has paid, by currency, of the newest 10,000 charges.',
    ),
    tokens: described(
      Type.Array(CustomerToken),
      'The newest recurring and subscription tokens, at most 100.',
    ),
    subscriptions: described(
      Type.Array(CustomerSubscription),
      'The newest subscriptions, at most 20.',
    ),
    disputes: described(Type.Array(CustomerDispute), 'The newest disputes, at most 20.'),
  },
  'A customer, with totals and payment methods.',
)

function viewCustomer({ id, mode, customer_id, email, name, created_on }: Customer) {
  return { id, mode, customer_id, email, name, created_on: created_on.toISOString() }
}

/** The facts about a person that the rows of a page contain together. */
async function readPeople(
  { db }: Service,
  merchant_id: string,
  rows: readonly Customer[],
): Promise<ReturnType<typeof viewCustomer>[]> {
  if (rows.length === 0) return []
  const { rows: more } = await sql<Pick<Customer, 'id' | 'customer_id' | 'name'>>`
    select k.id, known.customer_id, known.name
    from unnest(${rows.map(({ id }) => id)}::uuid[]) as k (id)
    cross join lateral (select (array_agg(p.customer_id order by p.id)
          filter (where p.customer_id is not null))[1] as customer_id,
        (array_agg(p.name order by p.id) filter (where p.name is not null))[1] as name
      from (${personOf(merchant_id, sql.ref('k.id'))}) as p) as known`.execute(db)
  const known = new Map(more.map((row) => [row.id, row]))
  return rows.map((row) => viewCustomer({ ...row, ...known.get(row.id) }))
}

export async function listCustomers(service: Service, caller: Caller, query: ListCustomers) {
  const { merchant_id, modes, store_id } = await scopeOf(service, caller, query)
  const term = query.search?.trim().toLowerCase()
  const filter = (row: string) => [
    isFirstOfPerson(row),
    ...(store_id ? [paysInStore(row, store_id)] : []),
  ]
  const list = { table: 'customers', key: 'id', merchant_id, modes, filter: filter('r') } as const
  const rows = term
    ? await findCustomers(service, merchant_id, modes, term, query, filter('n'))
    : await readBoundedList<Customer>(
        service.db,
        list,
        query,
        query.limit + 1,
        (source, order) => sql<Customer>`select * from ${source} as c order by c.id ${order}`,
      )
  const { items, has_more } = pageOf(rows, query)
  return { items: await readPeople(service, merchant_id, items), has_more }
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
  filter: readonly RawBuilder<unknown>[],
): Promise<Customer[]> {
  const is_desc = cursor_direction === 'desc'
  const { rows } = await sql<Customer>`
    select n.* from customers n
    where n.merchant_id = ${merchant_id}::uuid and ${sql.join([...filter], sql` and `)}
      and n.id = any(array(${customersLike(merchant_id, modes, term)}))
      ${cursor ? sql`and n.id ${is_desc ? sql`<` : sql`>`} ${cursor}::uuid` : sql``}
    order by n.id ${is_desc ? sql`desc` : sql`asc`} limit ${limit + 1}`.execute(db)
  return rows
}

/** The ids of customers with this customer id, or of rows with an e-mail that begins like this. */
export function customersLike(
  merchant_id: string,
  modes: readonly Mode[],
  term: string,
  max_rows = max_found,
): RawBuilder<unknown> {
  const of_modes = (
    found: RawBuilder<unknown>,
  ) => sql`(select n.* from unnest(${[...modes]}::text[]) as m (mode)
    cross join lateral (select * from customers
      where merchant_id = ${merchant_id}::uuid and mode = m.mode ${found}) as n)`
  if (isUuid(term)) return firstOfPersons(of_modes(sql`and identity = ${term}`))
  const end = `${term}\u{10ffff}`
  return sql`(select id from ${of_modes(sql`and email collate "C" >= ${term}
    and email collate "C" < ${end} order by email collate "C", id limit ${sql.lit(max_rows)}`)} as n)`
}

export async function readCustomer(service: Service, caller: Caller, id: string) {
  const { merchant_id, modes } = await scopeOf(service, caller, {})
  const { rows } = await personOf(merchant_id, id).$castTo<Customer>().execute(service.db)
  const own = rows.find((row) => row.id === id.toLowerCase())
  if (!own || !modes.includes(own.mode)) fail('NOT_FOUND')
  const [first = own] = rows
  const [totals, tokens, subscriptions, disputes] = await Promise.all([
    readTotals(service, own),
    readTokens(service, own),
    readSubscriptions(service, own),
    readDisputes(service, own),
  ])
  const customer_ids = rows.flatMap(({ customer_id }) => customer_id ?? [])
  const name = rows.find((row) => row.name !== null)?.name ?? null
  const person = { ...first, name, customer_id: customer_ids[0] ?? null }
  return { ...viewCustomer(person), customer_ids, totals, tokens, subscriptions, disputes }
}

const max_tokens = 100
const max_related = 20

/** The condition that a charge `c` was made with a token with a customer id, of the newest of them. */
export function withTokensOf(merchant_id: string, customer_id: string) {
  return sql<boolean>`c.transaction_token_id = any(array(select id from transaction_tokens
    where merchant_id = ${merchant_id} and customer_id = ${customer_id}::uuid
    order by id desc limit 1000))`
}

async function readTotals(service: Service, { merchant_id, id, mode }: Customer) {
  type Total = Omit<Static<typeof CustomerTotal>, 'amount_formatted' | 'first_on' | 'last_on'> & {
    first_on: Date | null
    last_on: Date | null
  }
  const is_paid = sql`filter (where status = 'successful')`
  const { rows } = await sql<Total>`
    select coalesce(charged_currency, requested_currency) as currency,
      (count(*) ${is_paid})::integer as successful,
      (count(*) filter (where status in ('failed', 'error')))::integer as failed,
      coalesce(sum(charged_amount) ${is_paid}, 0)::bigint as amount,
      coalesce(sum(refunded_amount), 0)::bigint as refunded_amount,
      min(created_on) ${is_paid} as first_on, max(created_on) ${is_paid} as last_on
    from charges where merchant_id = ${merchant_id}::uuid and mode = ${mode} and type = 'normal'
      and id = any(${chargesOfCustomer(merchant_id, id)})
    group by 1 order by 1`.execute(service.db)
  return rows.map((total) => ({
    ...total,
    amount_formatted: formatAmount(total.amount, total.currency),
    first_on: total.first_on?.toISOString() ?? null,
    last_on: total.last_on?.toISOString() ?? null,
  }))
}

async function readTokens(service: Service, { merchant_id, id, mode }: Customer) {
  const rows = await service.db
    .selectFrom('transaction_tokens')
    .select(['id', 'store_id', 'payment_type', 'type', 'active', 'data', 'created_on'])
    .select('last_used_on')
    .where('merchant_id', '=', merchant_id)
    .where('mode', '=', mode)
    .where('type', '<>', 'one_time')
    .where('deleted_on', 'is', null)
    .where(sql<boolean>`id = any(${tokensOfCustomer(merchant_id, id)})`)
    .orderBy('id', 'desc')
    .limit(max_tokens)
    .execute()
  return rows.map(({ data, created_on, last_used_on, ...token }) => ({
    ...token,
    brand: payerOf({ payment_type: token.payment_type, data }).brand,
    last_four: cardDataOf({ payment_type: token.payment_type, data })?.card.last_four ?? null,
    created_on: created_on.toISOString(),
    last_used_on: last_used_on?.toISOString() ?? null,
  }))
}

async function readSubscriptions(service: Service, { merchant_id, id, mode }: Customer) {
  const rows = await service.db
    .selectFrom('subscriptions')
    .select(['id', 'store_id', 'status', 'amount', 'currency', 'created_on'])
    .where('merchant_id', '=', merchant_id)
    .where('mode', '=', mode)
    .where(sql<boolean>`transaction_token_id = any(${tokensOfCustomer(merchant_id, id)})`)
    .orderBy('id', 'desc')
    .limit(max_related)
    .execute()
  return rows.map((row) => ({ ...row, created_on: row.created_on.toISOString() }))
}

async function readDisputes(service: Service, { merchant_id, id, mode }: Customer) {
  const rows = await service.db
    .selectFrom('disputes')
    .select(['id', 'store_id', 'charge_id', 'status', 'amount', 'currency', 'created_on'])
    .where('merchant_id', '=', merchant_id)
    .where('mode', '=', mode)
    .where(sql<boolean>`charge_id = any(${chargesOfCustomer(merchant_id, id)})`)
    .orderBy('id', 'desc')
    .limit(max_related)
    .execute()
  return rows.map((row) => ({ ...row, created_on: row.created_on.toISOString() }))
}
