import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { failField } from '../../core/errors.ts'
import { readInstant } from '../../core/formats.ts'
import type { Metadata } from '../../core/metadata.ts'
import { formatAmount } from '../../core/money.ts'
import {
  Id,
  Instant,
  MetadataSchema,
  nullable,
  PageOf,
  PageParameters,
} from '../../core/schemas.ts'
import { statesOf } from '../../core/states.ts'
import type { Service } from '../../service.ts'
import { idAt } from '../../store/page.ts'
import {
  hasWords,
  isFound,
  metadataHasWords,
  readFound,
  type Search,
  textHasWords,
} from '../../store/search.ts'

const Moment = Type.String({ maxLength: 40, description: 'ISO-8601, or epoch milliseconds' })
const statuses = [...new Set([...statesOf('charge'), ...statesOf('refund')])]

export const HistoryQuery = Type.Object({
  ...PageParameters,
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
  search: Type.Optional(
    Type.String({ maxLength: 255, description: 'An id, or words by their beginning' }),
  ),
  type: Type.Optional(Type.Enum(['charge', 'refund'])),
  status: Type.Optional(Type.Enum(statuses)),
  mode: Type.Optional(Type.Enum(['test', 'live'])),
  id: Type.Optional(Id),
  email: Type.Optional(Type.String({ maxLength: 254 })),
  metadata: Type.Optional(Type.String({ maxLength: 255 })),
  card_last_four: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
  cardholder: Type.Optional(Type.String({ maxLength: 255 })),
  card_exp: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
  currency: Type.Optional(Type.String({ format: 'currency' })),
  payment_type: Type.Optional(Type.String({ maxLength: 32 })),
})
export type HistoryQuery = Static<typeof HistoryQuery>

const text = nullable(Type.String())

export const HistoryPage = PageOf(
  Type.Object({
    store_id: Id,
    resource_id: Id,
    charge_id: Id,
    amount: Type.Integer(),
    currency: Type.String(),
    amount_formatted: Type.Number(),
    type: Type.String(),
    status: Type.String(),
    metadata: MetadataSchema,
    created_on: Instant,
    mode: Type.String(),
    payment_type: Type.String(),
    charge_type: Type.String(),
    user_data: Type.Object({
      cardholder_name: text,
      cardholder_email_address: text,
      brand: text,
      reason: text,
    }),
  }),
)

interface HistoryRow {
  id: string
  charge_id: string
  store_id: string
  type: 'charge' | 'refund'
  amount: number
  currency: string
  status: string
  metadata: Metadata
  created_on: Date
  mode: string
  payment_type: string
  charge_type: string
  cardholder: string | null
  email: string | null
  brand: string | null
  reason: string | null
}

function readMoment(given: string): Date {
  const moment = /^\d{10,14}$/.test(given) ? new Date(Number(given)) : readInstant(given)
  return moment ?? failField('from', 'INVALID_FORMAT_DATE')
}

/** The conditions on one of the two tables; `c` is always the charge. */
function conditions(
  caller: Caller,
  store_id: string | null,
  query: HistoryQuery,
  row: 'c' | 'r',
): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const of_charge = (name: string) => sql.ref(`c.${name}`)
  const all: RawBuilder<unknown>[] = [sql`${column('merchant_id')} = ${caller.merchant_id}`]
  const { from, to, search, status, cursor, cursor_direction } = query
  if (store_id) all.push(sql`${column('store_id')} = ${store_id}`)
  for (const mode of [caller.mode, query.mode]) {
    // Written out, because an index has those of test mode only.
    if (mode) all.push(sql`${column('mode')} = ${sql.lit(mode)}`)
  }
  if (cursor) {
    const operator = cursor_direction === 'desc' ? sql`<` : sql`>`
    all.push(sql`${column('id')} ${operator} ${cursor}::uuid`)
  }
  if (from) all.push(sql`${column('id')} >= ${idAt(readMoment(from))}::uuid`)
  if (to) all.push(sql`${column('id')} < ${idAt(readMoment(to))}::uuid`)
  if (status) all.push(sql`${column('status')} = ${status}`)
  if (query.id) all.push(sql`${column('id')} = ${query.id}::uuid`)
  const { merchant_id } = caller
  if (search) all.push(isFound(row, { merchant_id, term: search, ids: ['id'] }))
  const { email, metadata, card_last_four, cardholder, card_exp, currency, payment_type } = query
  if (email) all.push(sql`${of_charge('email')} = ${email.toLowerCase()}`)
  if (metadata) all.push(metadataHasWords(row, merchant_id, metadata))
  if (cardholder) {
    all.push(hasWords(row, merchant_id, cardholder))
    all.push(textHasWords(of_charge('cardholder'), cardholder))
  }
  if (card_last_four) all.push(sql`${of_charge('last_four')} = ${card_last_four}`)
  if (card_exp) {
    const [year, month] = card_exp.split('-').map(Number)
    all.push(sql`${of_charge('exp_year')} = ${year} and ${of_charge('exp_month')} = ${month}`)
  }
  if (currency) {
    const name = row === 'c' ? 'requested_currency' : 'currency'
    all.push(sql`${column(name)} = ${currency.toUpperCase()}`)
  }
  if (payment_type) all.push(sql`${of_charge('payment_type')} = ${payment_type}`)
  return sql.join(all, sql` and `)
}

/**
 * Charges and refunds in one list. Each table gives at most a page by its own index; the two
 * pages are merged, so the cost does not grow with what is stored.
 */
export async function listHistory(
  service: Service,
  caller: Caller,
  store_id: string | null,
  query: HistoryQuery,
) {
  const kinds = query.type ? [query.type] : (['charge', 'refund'] as const)
  const pages = kinds.map((kind) => readKind(service, caller, store_id, query, kind))
  const rows = (await Promise.all(pages)).flat().sort((a, b) => (a.id < b.id ? -1 : 1))
  if (query.cursor_direction === 'desc') rows.reverse()
  return { items: rows.slice(0, query.limit).map(viewItem), has_more: rows.length > query.limit }
}

const tables = { charge: 'charges', refund: 'refunds' } as const

/** A page of one of the two, and one row more if there is one. */
async function readKind(
  service: Service,
  caller: Caller,
  store_id: string | null,
  query: HistoryQuery,
  kind: 'charge' | 'refund',
): Promise<HistoryRow[]> {
  const { search, metadata, cardholder, email, card_last_four } = query
  const read = async (source: RawBuilder<unknown>) => {
    const statement = statements[kind](source, caller, store_id, query)
    const order = query.cursor_direction === 'desc' ? sql`desc` : sql`asc`
    const page = sql<HistoryRow>`${statement} order by id ${order} limit ${query.limit + 1}`
    return (await page.execute(service.db)).rows
  }
  const term = search ?? metadata ?? cardholder
  // An e-mail or a card is found by an index of its own.
  if (!term || email || card_last_four) return read(sql.table(tables[kind]))
  const search_for = searchOf(caller, store_id, query, kind, term)
  return readFound(service.db, search_for, query, read)
}

function searchOf(
  { merchant_id, mode }: Caller,
  store_id: string | null,
  query: HistoryQuery,
  kind: 'charge' | 'refund',
  term: string,
): Search {
  const { from, to, search } = query
  return {
    table: tables[kind],
    merchant_id,
    store_id,
    mode: mode ?? query.mode ?? null,
    from: from && idAt(readMoment(from)),
    to: to && idAt(readMoment(to)),
    term,
    ids: search ? ['id'] : [],
  }
}

type Statement = (
  source: RawBuilder<unknown>,
  caller: Caller,
  store_id: string | null,
  query: HistoryQuery,
) => RawBuilder<unknown>

const statements: Record<'charge' | 'refund', Statement> = {
  charge: (source, caller, store_id, query) => sql`
    select c.id, c.id as charge_id, c.store_id, 'charge' as type, c.requested_amount as amount,
      c.requested_currency as currency, c.status, c.metadata, c.created_on, c.mode,
      c.payment_type, c.type as charge_type, c.cardholder, c.email, c.brand, null as reason
    from ${source} c where ${conditions(caller, store_id, query, 'c')}`,
  refund: (source, caller, store_id, query) => sql`
    select r.id, r.charge_id, r.store_id, 'refund' as type, r.amount, r.currency, r.status,
      r.metadata, r.created_on, r.mode, c.payment_type, c.type as charge_type, c.cardholder,
      c.email, c.brand, r.reason
    from ${source} r join charges c on c.merchant_id = r.merchant_id and c.id = r.charge_id
    where ${conditions(caller, store_id, query, 'r')}`,
}

function viewItem(row: HistoryRow) {
  return {
    store_id: row.store_id,
    resource_id: row.id,
    charge_id: row.charge_id,
    amount: row.amount,
    currency: row.currency,
    amount_formatted: formatAmount(row.amount, row.currency),
    type: row.type,
    status: row.status,
    metadata: row.metadata,
    created_on: row.created_on.toISOString(),
    mode: row.mode,
    payment_type: row.payment_type,
    charge_type: row.charge_type,
    user_data: {
      cardholder_name: row.cardholder,
      cardholder_email_address: row.email,
      brand: row.brand,
      reason: row.reason,
    },
  }
}
