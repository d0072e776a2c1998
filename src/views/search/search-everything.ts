import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { oneMode, scope_filters, scopeOf } from '../../accounts/stores/list-scope.ts'
import type { Caller } from '../../core/access/caller.ts'
import { mayRead, type RightName } from '../../core/access/rights.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { Id, Instant, Label, nullable } from '../../core/api/schemas.ts'
import { namesOf } from '../../core/table-names.ts'
import { cardDataOf, payerOf } from '../../methods/method-table.ts'
import type { Service } from '../../service.ts'
import { textHasWords } from '../../store/sql/reads/search.ts'
import { customersLike } from '../customers/customer.ts'
import { firstOfPersons, isFirstOfPerson, paysInStore } from '../customers/person.ts'
import {
  allOf,
  hasAmount,
  idsLike,
  idsOfAmount,
  idsWithWords,
  isIn,
  newest,
  newestIdsLike,
  type SearchScope,
} from './search-sources.ts'
import { readTerm, type SearchTerm } from './search-term.ts'

export const SearchQuery = Type.Object({
  q: described(
    Label(),
    'An id or its first or last characters; the beginning of an e-mail, name, last four ' +
      'digits or metadata value; or an amount such as ¥12,800.',
  ),
  store_id: scope_filters.store_id,
  mode: scope_filters.mode,
})
type SearchQuery = Static<typeof SearchQuery>

/** At most this many of each kind. */
const max_of_kind = 5
/** The customers, disputes and sessions of this many payments are found by what the payment has. */
const max_payments = 50
/** The maximum of compared customers whose e-mail begins with the term, in alphabetical order. */
const max_customers = 200

interface Found {
  readonly id: string
  readonly store_id: string | null
  readonly charge_id: string | null
  readonly name: string | null
  readonly email: string | null
  readonly last_four: string | null
  readonly amount: number | null
  readonly currency: string | null
  readonly status: string | null
  readonly created_on: Date
}

interface Kind {
  /** Only a caller who may read the resource finds it. */
  readonly right: RightName
  readonly find: (
    scope: SearchScope,
    term: SearchTerm,
    payments: readonly string[],
  ) => Promise<Found[]>
}

/** The kinds of results, in the order of the response. */
const kinds = {
  charge: { right: 'payments', find: async (scope, _, payments) => readCharges(scope, payments) },
  customer: { right: 'settings', find: findCustomers },
  subscription: { right: 'payments', find: findSubscriptions },
  refund: { right: 'payments', find: findRefunds },
  dispute: { right: 'payments', find: findDisputes },
  deposit: { right: 'settings', find: findDeposits },
  transfer: { right: 'settings', find: findTransfers },
  payment_link: { right: 'payments', find: findLinks },
  checkout_session: { right: 'payments', find: findSessions },
} as const satisfies Record<string, Kind>

const text = nullable(Type.String())
export const SearchResults = named(
  'SearchResults',
  Type.Object({
    items: described(
      Type.Array(
        named(
          'SearchResult',
          Type.Object({
            type: described(
              textOf('SearchResultType', namesOf(kinds), 'A kind of resource that is searched.'),
              'The kind of the result.',
            ),
            id: described(Id, 'The id of the resource; of a customer, their key.'),
            store_id: described(nullable(Id), 'Its store; null where it belongs to the merchant.'),
            charge_id: described(nullable(Id), 'The charge that it belongs to; null without one.'),
            name: described(text, 'The name of the customer or link; null where it is not known.'),
            email: described(text, 'The e-mail of the customer; null without one.'),
            last_four: described(text, 'The last four digits of the card; null without one.'),
            amount: described(nullable(Type.Integer()), 'Its amount; null where it has none.'),
            currency: described(text, 'The currency of the amount; null without one.'),
            status: described(text, 'Its status; null where it has none.'),
            created_on: described(Instant, 'When it was created.'),
          }),
          'A resource that a search has found.',
        ),
      ),
      'The results, grouped by type.',
    ),
  }),
  'The results of a search: at most five of each kind, the newest first.',
)

/** Each kind is read by its own indexes, at most a fixed number of rows, however large the tables are. */
export async function search(service: Service, caller: Caller, query: SearchQuery) {
  const list = await scopeOf(service, caller, query)
  const { merchant_id, store_id } = list
  const scope = { db: service.db, merchant_id, store_id, mode: oneMode(list) }
  const term = readTerm(query.q)
  const payments = await findPayments(scope, term)
  const readable = namesOf(kinds).filter((type) => mayRead(caller, kinds[type].right))
  const found = await Promise.all(
    readable.map(async (type) => {
      const rows = await (kinds[type] as Kind).find(scope, term, payments)
      return rows.slice(0, max_of_kind).map(({ created_on, ...row }) => ({
        type,
        ...row,
        created_on: created_on.toISOString(),
      }))
    }),
  )
  return { items: found.flat() }
}

async function findPayments(scope: SearchScope, term: SearchTerm): Promise<string[]> {
  const { db, merchant_id } = scope
  const found = [
    ...idsLike(scope, 'charges', term),
    ...(await idsOfAmount(scope, charge_amount, term)),
    ...(await idsWithWords(scope, 'charges', term, max_payments)),
  ]
  const { rows } = await sql<{ id: string }>`
    select c.id from charges c where c.merchant_id = ${merchant_id}::uuid and ${isIn(scope, 'c')}
      and c.id = any(${allOf(found)}) order by c.id desc limit ${sql.lit(max_payments)}`.execute(db)
  return rows.map(({ id }) => id)
}

const charge_amount = {
  table: 'charges',
  amount: 'requested_amount',
  currency: 'requested_currency',
} as const

/** The payer of a charge `c`. */
const payer = sql`c.cardholder as name, c.email, c.last_four`

async function read(scope: SearchScope, statement: RawBuilder<Found>): Promise<Found[]> {
  return (await statement.execute(scope.db)).rows
}

function readCharges(scope: SearchScope, payments: readonly string[]): Promise<Found[]> {
  return read(
    scope,
    sql<Found>`select c.id, c.store_id, c.id as charge_id, ${payer}, c.requested_amount as amount,
        c.requested_currency as currency, c.status, c.created_on
      from charges c where c.merchant_id = ${scope.merchant_id}::uuid
        and c.id = any(${payments.slice(0, max_of_kind)}::uuid[]) order by c.id desc`,
  )
}

/** A customer is found by the e-mail or an id, and by what a payment of theirs has. */
function findCustomers(
  scope: SearchScope,
  term: SearchTerm,
  payments: readonly string[],
): Promise<Found[]> {
  const { merchant_id, mode } = scope
  const of_payments = sql`(select n.* from charges c
    join transaction_tokens t on t.merchant_id = c.merchant_id and t.id = c.transaction_token_id
    cross join lateral (select * from customers where merchant_id = c.merchant_id and mode = c.mode
      and identity = coalesce(t.customer_id::text, c.email) limit 1) as n
    where c.merchant_id = ${merchant_id}::uuid and c.id = any(${[...payments]}::uuid[]))`
  const of_ids = sql`(select c.* from customers c where c.merchant_id = ${merchant_id}::uuid
    and c.id = any(${allOf(idsLike(scope, 'customers', term))}))`
  const sources = [
    firstOfPersons(of_payments),
    firstOfPersons(of_ids),
    customersLike(merchant_id, [mode], term.text.toLowerCase(), max_customers),
  ]
  return read(
    scope,
    sql<Found>`select c.id, null as store_id, null as charge_id, c.name, c.email, null as last_four,
        null as amount, null as currency, null as status, c.created_on
      from customers c where c.merchant_id = ${merchant_id}::uuid and c.mode = ${mode}
        and ${isFirstOfPerson('c')}
        ${scope.store_id ? sql`and ${paysInStore('c', scope.store_id)}` : sql``}
        and c.id = any(${allOf(sources)})
      order by c.id desc limit ${sql.lit(max_of_kind)}`,
  )
}

async function findRefunds(scope: SearchScope, term: SearchTerm): Promise<Found[]> {
  const of_amount = { table: 'refunds', amount: 'amount', currency: 'currency' } as const
  const found = [
    ...idsLike(scope, 'refunds', term),
    ...(await idsOfAmount(scope, of_amount, term)),
    ...(await idsWithWords(scope, 'refunds', term, max_of_kind)),
  ]
  return read(
    scope,
    sql<Found>`select r.id, r.store_id, r.charge_id, ${payer}, r.amount, r.currency, r.status, r.created_on
      from refunds r join charges c on c.merchant_id = r.merchant_id and c.id = r.charge_id
      where r.merchant_id = ${scope.merchant_id}::uuid and ${isIn(scope, 'r')}
        and r.id = any(${allOf(found)}) order by r.id desc limit ${sql.lit(max_of_kind)}`,
  )
}

async function findSubscriptions(scope: SearchScope, term: SearchTerm): Promise<Found[]> {
  const of_amount = { table: 'subscriptions', amount: 'amount', currency: 'currency' } as const
  const found = [
    ...idsLike(scope, 'subscriptions', term),
    ...(await idsOfAmount(scope, of_amount, term)),
    ...(await idsWithWords(scope, 'subscriptions', term, max_of_kind)),
  ]
  type Row = Found & Parameters<typeof payerOf>[0]
  const { rows } = await sql<Row>`
    select s.id, s.store_id, null as charge_id, t.email, s.amount, s.currency, s.status, s.created_on,
      t.payment_type, t.data
    from subscriptions s
    join transaction_tokens t on t.merchant_id = s.merchant_id and t.id = s.transaction_token_id
    where s.merchant_id = ${scope.merchant_id}::uuid and ${isIn(scope, 's')}
      and s.id = any(${allOf(found)}) order by s.id desc limit ${sql.lit(max_of_kind)}`.execute(
    scope.db,
  )
  return rows.map(({ payment_type, data, ...row }) => ({
    ...row,
    name: payerOf({ payment_type, data }).name,
    last_four: cardDataOf({ payment_type, data })?.card.last_four ?? null,
  }))
}

/** The ids of rows that belong to payments. */
const idsOfPayments = (
  { merchant_id }: SearchScope,
  table: 'disputes' | 'checkout_sessions',
  payments: readonly string[],
) =>
  sql`(select id from ${sql.table(table)} where merchant_id = ${merchant_id}::uuid
    and charge_id = any(${payments}::uuid[]))`

function findDisputes(
  scope: SearchScope,
  term: SearchTerm,
  payments: readonly string[],
): Promise<Found[]> {
  const found = [
    ...newestIdsLike(scope, 'disputes', term),
    sql`(select n.id from ${newest(scope, 'disputes')} where ${hasAmount(term)})`,
    idsOfPayments(scope, 'disputes', payments),
  ]
  return read(
    scope,
    sql<Found>`select d.id, d.store_id, d.charge_id, ${payer}, d.amount, d.currency, d.status, d.created_on
      from disputes d join charges c on c.merchant_id = d.merchant_id and c.id = d.charge_id
      where d.merchant_id = ${scope.merchant_id}::uuid and ${isIn(scope, 'd')}
        and d.id = any(${allOf(found)}) order by d.id desc limit ${sql.lit(max_of_kind)}`,
  )
}

/** By the name of the sender, as the bank reports it. */
function findDeposits(scope: SearchScope, term: SearchTerm): Promise<Found[]> {
  const { merchant_id, mode } = scope
  const name = sql`lower(normalize(name, nfkc)) collate "C"`
  const beginning = term.text.toLowerCase()
  const found = [
    sql`(select id from deposits where merchant_id = ${merchant_id}::uuid and mode = ${mode}
      and name is not null and ${name} >= ${beginning} and ${name} < ${`${beginning}\u{10ffff}`}
      order by ${name}, id desc limit ${sql.lit(max_payments)})`,
  ]
  return read(
    scope,
    sql<Found>`select d.id, d.store_id, d.charge_id, d.name, c.email, null as last_four, d.amount,
        d.currency, d.status, d.created_on
      from deposits d join charges c on c.merchant_id = d.merchant_id and c.id = d.charge_id
      where d.merchant_id = ${merchant_id}::uuid and ${isIn(scope, 'd')}
        and d.id = any(${allOf(found)}) order by d.id desc limit ${sql.lit(max_of_kind)}`,
  )
}

/** Payouts are of the whole merchant. */
function findTransfers(scope: SearchScope, term: SearchTerm): Promise<Found[]> {
  const { merchant_id, mode } = scope
  const found = [
    ...newestIdsLike(scope, 'transfers', term),
    sql`(select n.id from ${newest(scope, 'transfers')} where ${hasAmount(term)})`,
  ]
  return read(
    scope,
    sql<Found>`select t.id, null as store_id, null as charge_id, null as name, null as email,
        null as last_four, t.amount, t.currency, t.status, t.created_on
      from transfers t where t.merchant_id = ${merchant_id}::uuid and t.mode = ${mode}
        and t.id = any(${allOf(found)}) order by t.id desc limit ${sql.lit(max_of_kind)}`,
  )
}

function findLinks(scope: SearchScope, term: SearchTerm): Promise<Found[]> {
  const found = [
    ...newestIdsLike(scope, 'payment_links', term),
    sql`(select n.id from ${newest(scope, 'payment_links')}
      where ${hasAmount(term)} or ${textHasWords(sql`n.name`, term.text)})`,
  ]
  return read(
    scope,
    sql<Found>`select l.id, l.store_id, null as charge_id, l.name, null as email, null as last_four,
        l.amount, l.currency, null as status, l.created_on
      from payment_links l where l.merchant_id = ${scope.merchant_id}::uuid and ${isIn(scope, 'l')}
        and l.id = any(${allOf(found)}) order by l.id desc limit ${sql.lit(max_of_kind)}`,
  )
}

function findSessions(
  scope: SearchScope,
  term: SearchTerm,
  payments: readonly string[],
): Promise<Found[]> {
  const found = [
    ...idsLike(scope, 'checkout_sessions', term),
    idsOfPayments(scope, 'checkout_sessions', payments),
  ]
  return read(
    scope,
    sql<Found>`select s.id, s.store_id, s.charge_id, s.options -> 'customer' ->> 'name' as name,
        s.options -> 'customer' ->> 'email' as email, null as last_four, s.amount, s.currency, s.status,
        s.created_on
      from checkout_sessions s where s.merchant_id = ${scope.merchant_id}::uuid and ${isIn(scope, 's')}
        and s.id = any(${allOf(found)}) order by s.id desc limit ${sql.lit(max_of_kind)}`,
  )
}
