import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Mode } from '../../../core/access/caller.ts'
import { firstIdAt, isUuid } from '../../../core/ids.ts'
import { searchQuery, termWords } from '../../../core/text/search-words.ts'
import type { Db } from '../../tables/db.ts'
import type { Tables } from '../../tables/tables.ts'
import { ownTable } from '../statements/own-partition.ts'
import { scanWindows } from './bounded-list.ts'
import { type Page, type PageQuery, pageOf, readRows } from './page.ts'

/** Tables with search; each has an index of its words. */
export type Searched = 'charges' | 'refunds' | 'subscriptions' | 'transaction_tokens'

/** The rows of a list before the search. */
export interface Range {
  readonly table: Searched
  readonly merchant_id: string
  readonly store_id: string | null
  readonly mode: Mode | null
  /** The smallest id of the list, and the one after its largest. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The table that has them: the one of the list, or the partition of its merchant. */
interface Located {
  readonly own_table: string
}

export interface Search extends Range {
  /** The words, or the id, that every row of the result must have. */
  readonly term: string
  /** Columns that are also compared with a term that is an id. */
  readonly ids?: readonly string[]
  /** How many rows of the index are read, the oldest first; absent: all. */
  readonly max_hits?: number
}

/**
 * How many rows of the list are scanned for a search: the first number always, because a frequent term
 * fills a page there; more only while the last rows promise to fill it.
 */
const reads = [100, 500, 2000] as const
const max_read = 2000
const [first_read] = reads

/** Whether a row has all words of a term. */
export function hasWords(row: string, merchant_id: string, term: string): RawBuilder<boolean> {
  return hasAll(row, merchant_id, termWords(term))
}

function hasAll(row: string, merchant_id: string, words: readonly string[]): RawBuilder<boolean> {
  const query = searchQuery(merchant_id, words)
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

/** Whether a text contains all words of a term, at any position. */
export function textHasWords(text: RawBuilder<unknown>, term: string): RawBuilder<boolean> {
  const found = termWords(term).map(
    (word) => sql`lower(normalize(${text}, nfkc)) like ${likePart(word)}`,
  )
  return found.length === 0 ? sql`false` : sql`(${sql.join(found, sql` and `)})`
}

/** A substring pattern without special characters. */
function likePart(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** Whether a row has all words of a term, or the term is an id in one of these columns. */
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
 * All matches. Words carry their merchant, so only the index of the words can serve this, however many
 * rows there are and whatever the planner estimates.
 */
async function byIndex(
  db: Db,
  search: Search & Located,
  page: PageQuery,
): Promise<RawBuilder<unknown>> {
  const { own_table, merchant_id, term, max_hits } = search
  const words = termWords(term)
  const found =
    words.length > 1
      ? hasAll('n', merchant_id, await rareWords(db, search, page, words))
      : isFound('n', search)
  return sql`(select * from ${sql.table(own_table)} n where ${found}
    ${max_hits === undefined ? sql`offset 0` : sql`limit ${sql.lit(max_hits)}`})`
}

/**
 * The index collects all rows of each word before it intersects them. So it is queried only for words
 * that the next rows of the list do not have, if there are such; the list checks the others.
 */
async function rareWords(
  db: Db,
  search: Search & Located,
  page: PageQuery,
  words: readonly string[],
): Promise<readonly string[]> {
  const counts = words.map(
    (word) => sql`count(*) filter (where ${hasAll('n', search.merchant_id, [word])})::integer`,
  )
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts
    from ${nextRows(search, page, first_read)} as n`.execute(db)
  const rare = words.filter((_, place) => rows[0]?.counts[place] === 0)
  return rare.length > 0 ? rare : words
}

const first_id = firstIdAt(0)
const last_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The next rows of the list before the search, read in order along an index. Compared as whole keys,
 * because the planner may expect so few rows of one merchant that it would rather collect and sort them
 * all.
 */
function nextRows(search: Range & Located, page: PageQuery, count: number): RawBuilder<unknown> {
  const { table, own_table, merchant_id, store_id, mode, from = first_id, to = last_id } = search
  const is_desc = page.cursor_direction === 'desc'
  const low = is_desc ? from : (page.cursor ?? from)
  const high = is_desc ? (page.cursor ?? to) : to
  // Only both together lead along an index.
  const of_store = store_id && mode
  const names = of_store ? sql`merchant_id, store_id, mode` : sql`merchant_id`
  const owner = of_store
    ? sql`${merchant_id}::uuid, ${store_id}::uuid, ${mode}`
    : sql`${merchant_id}::uuid`
  const order = ['merchant_id', ...(of_store ? ['store_id', 'mode'] : []), 'id'].map((name) =>
    is_desc ? sql`${sql.ref(name)} desc` : sql.ref(name),
  )
  const listed = table === 'transaction_tokens' ? sql`and type <> 'one_time'` : sql``
  return sql`(select * from ${sql.table(own_table)} where (${names}, id) >= (${owner}, ${low}::uuid)
    and (${names}, id) <= (${owner}, ${high}::uuid) ${listed}
    order by ${sql.join(order)} limit ${sql.lit(count)})`
}

/**
 * Reads the rows of a list page, plus one more, with `read` from a source. The index returns every
 * row with a term before the first can be shown: good for rare terms. So the next rows of the list are
 * scanned first; a frequent term fills its page there, and others are known to be rare.
 */
export async function readFound<T>(
  db: Db,
  search: Search,
  page: PageQuery,
  read: (source: RawBuilder<unknown>) => Promise<T[]>,
): Promise<T[]> {
  const wanted = page.limit + 1
  if (termWords(search.term).length === 0) return []
  const located = { ...search, own_table: await ownTable(db, search.table, search.merchant_id) }
  if (!isUuid(search.term)) {
    for (const count of reads) {
      const rows = await read(nextRows(located, page, count))
      if (rows.length >= wanted) return rows
      if (rows.length * (max_read / count) < wanted) break
    }
  }
  return read(await byIndex(db, located, page))
}

/** A page of a list that searches a term; `list` builds the list from its source. */
export async function readSearchPage<T, Name extends Searched>(
  db: Db,
  search: Search & { table: Name },
  page: PageQuery,
  list: (source: SelectQueryBuilder<Tables, Name, object>) => unknown,
): Promise<Page<T>> {
  const rows = await readFound<T>(db, search, page, (source) => {
    const from = db.selectFrom(sql`${source}`.as(search.table))
    return readRows<T>(list(from as never), page)
  })
  return pageOf(rows, page)
}

/**
 * The rows of a page, plus one more, for a filter without an index: the next rows of the list are
 * scanned, up to a limit. Null: the page was not full by then, and there are more rows.
 */
export async function readBounded<T>(
  db: Db,
  range: Range,
  page: PageQuery,
  read: (source: RawBuilder<unknown>) => Promise<T[]>,
  onCut?: () => void,
): Promise<T[] | null> {
  const located = { ...range, own_table: await ownTable(db, range.table, range.merchant_id) }
  return scanWindows(db, page.limit + 1, (count) => nextRows(located, page, count), read, onCut)
}
