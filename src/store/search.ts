import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Mode } from '../core/caller.ts'
import { isUuid } from '../core/ids.ts'
import { searchQuery, termWords } from '../core/search-words.ts'
import type { Db } from './open-store.ts'
import { type Page, type PageQuery, pageOf, readRows } from './page.ts'
import type { Tables } from './tables.ts'

/** Tables that are searched; each has an index of its words. */
export type Searched = 'charges' | 'refunds' | 'subscriptions' | 'transaction_tokens'

export interface Search {
  readonly table: Searched
  readonly merchant_id: string
  readonly store_id: string | null
  readonly mode: Mode | null
  /** The smallest id of the list, and the one behind its largest. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** What every row of the result has the words of, or is named by. */
  readonly term: string
  /** Columns in which a term that is an id is found too. */
  readonly ids?: readonly string[]
}

/** So many rows of a list are read for every search: a frequent term has filled a page then. */
const first_read = 200
/** So many are read where they have to be enough, judged by the first. */
const most_read = 2000

/** Whether a row has all words of a term. */
export function hasWords(row: string, merchant_id: string, term: string): RawBuilder<boolean> {
  const query = searchQuery(merchant_id, termWords(term))
  return query === null ? sql`false` : sql`${sql.ref(`${row}.search_words`)} @@ ${query}::tsquery`
}

/** Whether a row has all words of a term, and has them in its metadata. */
export function metadataHasWords(
  row: string,
  merchant_id: string,
  term: string,
): RawBuilder<boolean> {
  const metadata = sql.ref(`${row}.metadata`)
  const values = sql`(select string_agg(value, ' ') from jsonb_each_text(${metadata}))`
  return sql`(${hasWords(row, merchant_id, term)} and ${textHasWords(values, term)})`
}

/** Whether all words of a term are in a text, wherever they begin. */
export function textHasWords(text: RawBuilder<unknown>, term: string): RawBuilder<boolean> {
  const found = termWords(term).map(
    (word) => sql`lower(normalize(${text}, nfkc)) like ${likePart(word)}`,
  )
  return found.length === 0 ? sql`false` : sql`(${sql.join(found, sql` and `)})`
}

/** A text inside of another, as a pattern: its signs mean themselves. */
function likePart(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** Whether a row has all words of a term, or is named by it in one of these columns. */
export function isFound(
  row: string,
  { merchant_id, term, ids = [] }: Pick<Search, 'merchant_id' | 'term' | 'ids'>,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  const by_words = hasWords(row, merchant_id, term)
  if (!isUuid(term) || ids.length === 0) return by_words
  const by_id = ids.map(
    (name) => sql`${column('merchant_id')} = ${merchant_id} and ${column(name)} = ${term}::uuid`,
  )
  return sql`(${sql.join([by_words, ...by_id], sql` or `)})`
}

/**
 * All that is found. Words carry their merchant, so nothing but the index of the words can serve
 * this, however many rows there are and whatever the planner thinks of them.
 */
function byIndex(search: Search): RawBuilder<unknown> {
  return sql`(select * from ${sql.table(search.table)} n where ${isFound('n', search)} offset 0)`
}

/** The next rows of the list, whatever is in them. */
function nextRows(search: Search, page: PageQuery, count: number): RawBuilder<unknown> {
  const { table, merchant_id, store_id, mode, from, to } = search
  const { cursor, cursor_direction } = page
  const [compare, order] = cursor_direction === 'desc' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const all = [sql`merchant_id = ${merchant_id}`]
  // Only both together lead along an index.
  if (store_id && mode) all.push(sql`store_id = ${store_id} and mode = ${sql.lit(mode)}`)
  if (table === 'transaction_tokens') all.push(sql`type <> 'one_time'`)
  if (cursor) all.push(sql`id ${compare} ${cursor}::uuid`)
  if (from) all.push(sql`id >= ${from}::uuid`)
  if (to) all.push(sql`id < ${to}::uuid`)
  return sql`(select * from ${sql.table(table)} where ${sql.join(all, sql` and `)}
    order by id ${order} limit ${sql.lit(count)})`
}

/**
 * The rows of a page, and one more, of a list that `read` reads from a source. The index gives every row that
 * has a term before the first can be shown: good for rare terms. So the next rows of the list are
 * looked through first; there a frequent term has its page already, and others are seen to be rare.
 */
export async function readFound<T>(
  search: Search,
  page: PageQuery,
  read: (source: RawBuilder<unknown>) => Promise<T[]>,
): Promise<T[]> {
  const wanted = page.limit + 1
  if (termWords(search.term).length === 0) return []
  if (!isUuid(search.term)) {
    for (const count of [first_read, most_read]) {
      const rows = await read(nextRows(search, page, count))
      if (rows.length >= wanted) return rows
      if (rows.length * (most_read / first_read) < wanted) break
    }
  }
  return read(byIndex(search))
}

/** A page of a list that looks for a term; `list` makes the list from what it shall read. */
export async function readSearchPage<T, Name extends Searched>(
  db: Db,
  search: Search & { table: Name },
  page: PageQuery,
  list: (source: SelectQueryBuilder<Tables, Name, object>) => unknown,
): Promise<Page<T>> {
  const rows = await readFound<T>(search, page, (source) => {
    const from = db.selectFrom(sql`${source}`.as(search.table))
    return readRows<T>(list(from as never), page)
  })
  return pageOf(rows, page)
}
