import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../core/access/caller.ts'
import { failField } from '../../core/api/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { charge_errors } from '../../core/payments/charge-errors.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { readInstant } from '../../core/typed/formats.ts'
import { plainName } from '../../methods/pieces/brand-names.ts'
import { atTimeOf, now, type Service } from '../../service.ts'
import { refuseLongScan, scanWindows } from '../../store/sql/reads/bounded-list.ts'
import { idAt } from '../../store/sql/reads/page.ts'
import {
  hasWords,
  isFound,
  metadataHasWords,
  type Range,
  readBounded,
  readFound,
  textHasWords,
} from '../../store/sql/reads/search.ts'
import { withTokensOf } from '../customers/customer.ts'
import { chargesOfCustomer } from '../customers/person.ts'
import type { HistoryQuery, HistoryRow } from './history.ts'

function readMoment(field: 'from' | 'to', given: string): Date {
  const moment = /^\d{10,14}$/.test(given) ? new Date(Number(given)) : readInstant(given)
  return moment ?? failField(field, 'INVALID_FORMAT_DATE')
}

/** Authorized charges that nothing else ends before they expire. */
export const left_to_expire = sql`c.status = 'authorized' and c.capture_at is null
  and c.pending_action is null`

/** With the instant that a number of hours from now means, by the merchant's clock. */
type TimedQuery = HistoryQuery & { readonly expires_before?: Date }

/** The conditions on one of the two tables; `c` is always the charge. */
function conditions(
  caller: Caller,
  store_id: string | null,
  query: TimedQuery,
  row: 'c' | 'r',
): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const of_charge = (name: string) => sql.ref(`c.${name}`)
  const all: RawBuilder<unknown>[] = [sql`${column('merchant_id')} = ${caller.merchant_id}`]
  const { from, to, search, cursor, cursor_direction } = query
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
  const statuses = namesIn(query.status)
  const [status] = statuses
  if (statuses.length > 1) all.push(sql`${column('status')} = any(${statuses})`)
  else if (status) all.push(sql`${column('status')} = ${status}`)
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
  if (query.expires_before) {
    all.push(left_to_expire)
    all.push(sql`exists (select from charges_due due where due.merchant_id = c.merchant_id
      and due.id = c.id and due.due_on < ${query.expires_before})`)
  }
  if (currency) {
    const name = row === 'c' ? 'requested_currency' : 'currency'
    all.push(sql`${column(name)} = ${currency.toUpperCase()}`)
  }
  if (payment_type) all.push(sql`${of_charge('payment_type')} = ${payment_type}`)
  const more = [...ownerConditions(merchant_id, query, row), ...clientConditions(query, row)]
  return sql.join([...all, ...more], sql` and `)
}

/** Conditions on the owner, the amount and the error of a payment. */
function ownerConditions(
  merchant_id: string,
  query: HistoryQuery,
  row: 'c' | 'r',
): RawBuilder<unknown>[] {
  const { error_code, amount_from, amount_to, subscription_id, customer_id } = query
  const { customer_key } = query
  const charge_id = sql.ref(row === 'c' ? 'c.id' : 'r.charge_id')
  const amount = sql.ref(row === 'c' ? 'c.requested_amount' : 'r.amount')
  const error = sql.ref(`${row}.error`)
  return [
    ...(error_code === undefined ? [] : [sql`${error} ->> 'code' = ${String(error_code)}`]),
    ...(amount_from === undefined ? [] : [sql`${amount} >= ${amount_from}`]),
    ...(amount_to === undefined ? [] : [sql`${amount} < ${amount_to}`]),
    ...(subscription_id ? [sql`c.subscription_id = ${subscription_id}::uuid`] : []),
    ...(customer_id ? [withTokensOf(merchant_id, customer_id)] : []),
    ...(customer_key
      ? [sql`${charge_id} = any(${chargesOfCustomer(merchant_id, customer_key)})`]
      : []),
  ]
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

/**
 * A page of one of the two, plus one row if there are more. With `onCut`, a list that would have to be
 * scanned for longer is cut instead of refused. A search also finds charges by their error.
 */
export async function readHistory(
  service: Service,
  caller: Caller,
  store_id: string | null,
  given: HistoryQuery,
  kind: 'charge' | 'refund',
  onCut?: () => void,
): Promise<HistoryRow[]> {
  const { expires_within_hours: hours } = given
  // Only charges that wait are due, and only these are read.
  if (hours !== undefined && kind === 'refund') return []
  const query: TimedQuery =
    hours === undefined ? given : { ...given, ...expiringWithin(service, caller, given, hours) }
  const { search, ...others } = query
  const codes = kind === 'charge' && search ? errorCodes(search) : []
  const read = (one: TimedQuery) => readKind(service, caller, store_id, one, kind, onCut)
  const pages = [query, ...codes.map((error_code) => ({ ...others, error_code }))].map(read)
  return (await Promise.all(pages)).flat()
}

function expiringWithin(service: Service, caller: Caller, query: HistoryQuery, hours: number) {
  const { merchant_id } = caller
  const at = now(atTimeOf(service, { merchant_id, mode: caller.mode ?? query.mode ?? 'live' }))
  return {
    status: 'authorized',
    expires_before: new Date(at.getTime() + hours * hour_ms),
  }
}

/** Terms that are in too many messages are no search for an error. */
const max_error_codes = 5

/** The error codes that a term means: the code itself, or words of its message by their beginning. */
function errorCodes(term: string): number[] {
  const words = term.toLowerCase().split(/\s+/).filter(Boolean)
  const found = Object.entries(charge_errors).filter(([code, message]) => {
    const reported = message.toLowerCase().split(/[\s.,;:]+/)
    return (
      term.trim() === code || words.every((word) => reported.some((one) => one.startsWith(word)))
    )
  })
  return found.length > max_error_codes ? [] : found.map(([code]) => Number(code))
}

async function readKind(
  service: Service,
  caller: Caller,
  store_id: string | null,
  query: TimedQuery,
  kind: 'charge' | 'refund',
  onCut?: () => void,
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
  // An id, an e-mail, a card, a subscription or a customer is found by its own index.
  const { id, gateway_transaction_id, subscription_id, customer_id, customer_key } = query
  const few =
    id ??
    gateway_transaction_id ??
    email ??
    card_last_four ??
    subscription_id ??
    customer_id ??
    customer_key
  if (term && !few) {
    return readFound(service.db, { ...range, term, ids: search ? ['id'] : [] }, query, read)
  }
  if (few) return read(sql.table(tables[kind]))
  const indexed = kind === 'charge' ? indexedWindows(range, query) : null
  if (indexed) {
    const found = indexed.map((windowOf) =>
      scanWindows(service.db, query.limit + 1, windowOf, read, onCut),
    )
    return (await Promise.all(found)).flatMap((rows) => rows ?? refuseLongScan())
  }
  if (!isUnindexed(query, kind)) return read(sql.table(tables[kind]))
  return (await readBounded(service.db, range, query, read, onCut)) ?? refuseLongScan()
}

const open_statuses: readonly string[] = ['pending', 'awaiting', 'authorized']
const unpaid_statuses: readonly string[] = ['failed', 'error', 'canceled']

type WindowOf = (count: number) => RawBuilder<unknown>

/** Windows along an index that has only charges with such an error or status; null: there is none. */
function indexedWindows(range: Range, query: HistoryQuery): WindowOf[] | null {
  const { merchant_id, mode, from, to } = range
  const modes = mode ? [mode] : ['test', 'live']
  const statuses = namesIn(query.status)
  const is_desc = query.cursor_direction === 'desc'
  const order = is_desc ? sql`desc` : sql`asc`
  const bounds = sql`${from ? sql`and id >= ${from}::uuid` : sql``} ${to ? sql`and id < ${to}::uuid` : sql``}
    ${query.cursor ? sql`and id ${is_desc ? sql`<` : sql`>`} ${query.cursor}::uuid` : sql``}`
  const along = (condition: RawBuilder<unknown>) =>
    modes.map(
      (one): WindowOf =>
        (count) =>
          sql`(select * from charges where merchant_id = ${merchant_id}::uuid
          and mode = ${one} and ${condition} ${bounds} order by id ${order} limit ${sql.lit(count)})`,
    )
  if (query.error_code !== undefined) {
    return along(sql`error is not null and error ->> 'code' = ${String(query.error_code)}`)
  }
  if (statuses.length === 0) return null
  if (statuses.every((status) => unpaid_statuses.includes(status))) {
    return statuses.flatMap((status) => along(sql`unpaid_status = ${status}`))
  }
  if (!statuses.every((status) => open_statuses.includes(status))) return null
  // Every open object is due at some time.
  return [
    (count) => sql`(select c.* from (select merchant_id, id from charges_due
        where merchant_id = ${merchant_id}::uuid and mode = any(${modes}) ${bounds}
        order by merchant_id ${order}, id ${order} limit ${sql.lit(count)}) as due
      join charges c on c.merchant_id = due.merchant_id and c.id = due.id)`,
  ]
}

/** Filters without an index: they scan the list up to a limit. Refunds have an index of one status. */
function isUnindexed(query: HistoryQuery, kind: 'charge' | 'refund'): boolean {
  const { short_id, brand, service_provider, service_providers, currency, payment_type } = query
  const { card_exp, amount_from, amount_to, error_code } = query
  const by_status = namesIn(query.status).length > (kind === 'refund' ? 1 : 0)
  const by_text = short_id ?? brand ?? service_provider ?? service_providers ?? card_exp
  const by_number = amount_from ?? amount_to ?? error_code
  return Boolean(by_text ?? currency ?? payment_type) || by_number !== undefined || by_status
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
  query: TimedQuery,
) => RawBuilder<unknown>

const statements: Record<'charge' | 'refund', Statement> = {
  charge: (source, caller, store_id, query) => sql`
    select c.id, c.id as charge_id, c.store_id, 'charge' as type, c.requested_amount as amount,
      c.requested_currency as currency, c.status, c.metadata, c.created_on, c.mode,
      c.payment_type, c.provider, c.type as charge_type, c.cardholder, c.email, c.brand,
      c.last_four, c.error, null as reason, c.provider_amount as wanted_amount,
      c.refunded_amount, c.charged_currency as refunded_currency
    from ${source} c where ${conditions(caller, store_id, query, 'c')}`,
  refund: (source, caller, store_id, query) => sql`
    select r.id, r.charge_id, r.store_id, 'refund' as type, r.amount, r.currency, r.status,
      r.metadata, r.created_on, r.mode, c.payment_type, c.provider, c.type as charge_type, c.cardholder,
      c.email, c.brand, c.last_four, r.error, r.reason, c.provider_amount as wanted_amount,
      null as refunded_amount, null as refunded_currency
    from ${source} r join charges c on c.merchant_id = r.merchant_id and c.id = r.charge_id
    where ${conditions(caller, store_id, query, 'r')}`,
}
