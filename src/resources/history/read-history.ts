import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../core/caller.ts'
import { fail, failField } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { readInstant } from '../../core/text/formats.ts'
import type { Service } from '../../service.ts'
import { idAt } from '../../store/sql/page.ts'
import {
  hasWords,
  isFound,
  max_bounded_read,
  metadataHasWords,
  type Range,
  readBounded,
  readFound,
  textHasWords,
} from '../../store/sql/search.ts'
import { plainName } from '../payment-methods/brand-names.ts'
import type { HistoryQuery, HistoryRow } from './history.ts'

function readMoment(field: 'from' | 'to', given: string): Date {
  const moment = /^\d{10,14}$/.test(given) ? new Date(Number(given)) : readInstant(given)
  return moment ?? failField(field, 'INVALID_FORMAT_DATE')
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
    // Written out, because the index has only those of test mode.
    if (mode) all.push(sql`${column('mode')} = ${sql.lit(mode)}`)
  }
  if (cursor) {
    const operator = cursor_direction === 'desc' ? sql`<` : sql`>`
    all.push(sql`${column('id')} ${operator} ${cursor}::uuid`)
  }
  if (from) all.push(sql`${column('id')} >= ${idAt(readMoment('from', from))}::uuid`)
  if (to) all.push(sql`${column('id')} < ${idAt(readMoment('to', to))}::uuid`)
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
  return sql.join([...all, ...clientConditions(query, row)], sql` and `)
}

/** Conditions that the client libraries have in addition to those of the specification. */
function clientConditions(query: HistoryQuery, row: 'c' | 'r'): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  const id = sql.ref(`${row}.id`)
  const { short_id, gateway_transaction_id: reference } = query
  if (short_id) all.push(sql`right(${id}::text, 6) = ${short_id.toLowerCase()}`)
  if (reference) all.push(isUuid(reference) ? sql`${id} = ${reference}::uuid` : sql`false`)
  const brands = namesIn(query.brand).map(plainName)
  if (brands.length > 0) all.push(sql`replace(c.brand, '_', '') = any(${brands})`)
  const names = [...namesIn(query.service_provider), ...namesIn(query.service_providers)]
  if (names.length > 0) {
    all.push(sql`c.provider = any(${names})`)
  }
  return all
}

function namesIn(given: string | string[] | undefined): string[] {
  return [given ?? []].flat()
}

const tables = { charge: 'charges', refund: 'refunds' } as const

/** A page of one of the two, plus one row if there are more. */
export async function readHistory(
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
  const range = rangeOf(caller, store_id, query, kind)
  // An id, an e-mail or a card is found by its own index.
  const few = query.id ?? query.gateway_transaction_id ?? email ?? card_last_four
  if (term && !email && !card_last_four) {
    return readFound(service.db, { ...range, term, ids: search ? ['id'] : [] }, query, read)
  }
  if (few || !isUnindexed(query)) return read(sql.table(tables[kind]))
  return (await readBounded(service.db, range, query, read)) ?? refuseLongRead()
}

/** Filters without an index: they scan the list up to a limit. */
function isUnindexed(query: HistoryQuery): boolean {
  const { short_id, brand, service_provider, service_providers } = query
  return Boolean(short_id || brand || service_provider || service_providers)
}

function refuseLongRead(): never {
  fail('VALIDATION_ERROR', {
    message: `The page is not full after ${max_bounded_read} transactions; narrow the list with from and to.`,
    errors: [{ field: 'from', reason: 'INVALID_TIME_PERIOD' }],
  })
}

function rangeOf(
  { merchant_id, mode }: Caller,
  store_id: string | null,
  query: HistoryQuery,
  kind: 'charge' | 'refund',
): Range {
  const { from, to } = query
  return {
    table: tables[kind],
    merchant_id,
    store_id,
    mode: mode ?? query.mode ?? null,
    from: from && idAt(readMoment('from', from)),
    to: to && idAt(readMoment('to', to)),
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
      c.payment_type, c.provider, c.type as charge_type, c.cardholder, c.email, c.brand, null as reason,
      c.provider_amount as wanted_amount
    from ${source} c where ${conditions(caller, store_id, query, 'c')}`,
  refund: (source, caller, store_id, query) => sql`
    select r.id, r.charge_id, r.store_id, 'refund' as type, r.amount, r.currency, r.status,
      r.metadata, r.created_on, r.mode, c.payment_type, c.provider, c.type as charge_type, c.cardholder,
      c.email, c.brand, r.reason, c.provider_amount as wanted_amount
    from ${source} r join charges c on c.merchant_id = r.merchant_id and c.id = r.charge_id
    where ${conditions(caller, store_id, query, 'r')}`,
}
