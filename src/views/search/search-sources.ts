import { type RawBuilder, sql } from 'kysely'
import type { Mode } from '../../core/access/caller.ts'
import { first_id } from '../../core/ids.ts'
import { hasWords, readFound, type Searched } from '../../store/sql/reads/search.ts'
import { ownTable } from '../../store/sql/statements/own-partition.ts'
import type { Db } from '../../store/tables/db.ts'
import type { SearchTerm } from './search-term.ts'

/** The scope of a search: one merchant and mode, perhaps one store. */
export interface SearchScope {
  readonly db: Db
  readonly merchant_id: string
  readonly mode: Mode
  readonly store_id: string | null
}

/** Rows of one source; each is read along an index up to this number. */
const max_rows = 100
/** Tables without an index for a search are searched among their newest rows. */
const max_newest = 2000
/** The rows of one minute, of which the end of an id is compared. */
const max_of_beginning = 20_000
/** How many rows with a word are read where it is neither frequent nor rare. */
const max_hits = 5000
const last_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

type WithIdEnds = 'charges' | 'refunds' | 'subscriptions' | 'customers' | 'checkout_sessions'
type Ids = RawBuilder<unknown>

/** The ids of rows that begin or end as the term does. */
export function idsLike(scope: SearchScope, table: WithIdEnds, { ids }: SearchTerm): Ids[] {
  const { merchant_id } = scope
  return ids.map(({ range, end }) => {
    if (range) return idsInRange(scope, table, range, end)
    const reversed = [...end].reverse().join('')
    const id_end = sql`reverse(right(id::text, 12)) collate "C"`
    return sql`(select id from ${sql.table(table)} where merchant_id = ${merchant_id}::uuid
      and ${id_end} >= ${reversed} and ${id_end} < ${`${reversed}g`} limit ${sql.lit(max_rows)})`
  })
}

/** The same for tables of which only the newest rows are searched by the end of their ids. */
export function newestIdsLike(scope: SearchScope, table: string, { ids }: SearchTerm): Ids[] {
  return ids.map(({ range, end }) =>
    range
      ? idsInRange(scope, table, range, end)
      : sql`(select id from ${newest(scope, table)} where right(id::text, ${end.length}) = ${end})`,
  )
}

function idsInRange(
  { merchant_id }: SearchScope,
  table: string,
  [from, to]: readonly [string, string],
  end: string,
): Ids {
  const count = end === '' ? max_rows : max_of_beginning
  return sql`(select id from (select id from ${sql.table(table)} where merchant_id = ${merchant_id}::uuid
      and id >= ${from}::uuid and id <= ${to}::uuid
      order by merchant_id desc, id desc limit ${sql.lit(count)}) as n
    where right(id::text, ${end.length}) = ${end})`
}

/** The newest rows of a table, as a source. */
export function newest({ merchant_id }: SearchScope, table: string): Ids {
  return sql`(select * from ${sql.table(table)} where merchant_id = ${merchant_id}::uuid
    order by merchant_id desc, id desc limit ${sql.lit(max_newest)}) as n`
}

type OfAmount = {
  readonly table: 'charges' | 'refunds' | 'subscriptions'
  readonly amount: string
  readonly currency: string
}

/** The newest rows with the amount. Whole keys are compared: only the index of amounts can serve that. */
export async function idsOfAmount(
  { db, merchant_id, mode, store_id }: SearchScope,
  { table, amount, currency }: OfAmount,
  { amounts }: SearchTerm,
): Promise<Ids[]> {
  if (amounts.length === 0) return []
  const own_table = sql.table(await ownTable(db, table, merchant_id))
  const keys = ['merchant_id', 'mode', amount, 'id'].map((name) => sql.ref(name))
  const order = sql.join(keys.map((key) => sql`${key} desc`))
  const of_store = store_id ? sql`and n.store_id = ${store_id}::uuid` : sql``
  return amounts.map(({ amount: value, currencies }) => {
    const bound = (id: string) =>
      sql`(${merchant_id}::uuid, ${mode}, ${value}::bigint, ${id}::uuid)`
    return sql`(select id from (select id, store_id, ${sql.ref(currency)} as currency from ${own_table}
        where (${sql.join(keys)}) >= ${bound(first_id)} and (${sql.join(keys)}) <= ${bound(last_id)}
        order by ${order} limit ${sql.lit(max_newest)}) as n
      where n.currency = any(${[...currencies]}::text[]) ${of_store} limit ${sql.lit(max_rows)})`
  })
}

/** The condition that a newest row has the amount. */
export function hasAmount({ amounts }: SearchTerm): RawBuilder<boolean> {
  if (amounts.length === 0) return sql`false`
  const each = amounts.map(
    ({ amount, currencies }) =>
      sql`(n.amount = ${amount}::bigint and n.currency = any(${[...currencies]}::text[]))`,
  )
  return sql`(${sql.join(each, sql` or `)})`
}

const one_letter = /^[ -~]$/

/** The newest rows with all words of the term. One Latin letter would mean nearly every row. */
export async function idsWithWords(
  scope: SearchScope,
  table: Searched,
  { text }: SearchTerm,
  limit: number,
): Promise<Ids[]> {
  if (one_letter.test(text)) return []
  const { db, merchant_id, store_id, mode } = scope
  const search = { table, merchant_id, store_id, mode, term: text, max_hits }
  const page = { limit, cursor_direction: 'desc' } as const
  const found = await readFound<{ id: string }>(db, search, page, async (source) => {
    const { rows } = await sql<{ id: string }>`select r.id from ${source} as r
      where r.merchant_id = ${merchant_id}::uuid and ${isIn(scope, 'r')}
        and ${hasWords('r', merchant_id, text)}
      order by r.id desc limit ${sql.lit(limit + 1)}`.execute(db)
    return rows
  })
  if (found.length === 0) return []
  return [sql`(select unnest(${found.map(({ id }) => id)}::uuid[]) as id)`]
}

/** The mode and the store of a row. */
export function isIn({ mode, store_id }: SearchScope, row: string): RawBuilder<boolean> {
  const of_store = store_id ? sql`and ${sql.ref(`${row}.store_id`)} = ${store_id}::uuid` : sql``
  return sql`(${sql.ref(`${row}.mode`)} = ${mode} ${of_store})`
}

/** The ids of all sources, as an array. */
export function allOf(sources: readonly Ids[]): RawBuilder<string[]> {
  if (sources.length === 0) return sql`'{}'::uuid[]`
  return sql`array(${sql.join([...sources], sql` union all `)})`
}
