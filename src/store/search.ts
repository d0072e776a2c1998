import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Clock, minute_ms } from '../core/clock.ts'
import { isUuid } from '../core/ids.ts'
import type { Db } from './open-store.ts'
import { type Page, type PageQuery, readPage } from './page.ts'
import type { Tables } from './tables.ts'

/** Tables that are searched; each has an index of the same shape over merchant and text. */
export type Searched = 'charges' | 'refunds' | 'subscriptions' | 'transaction_tokens'

/** A term in a text, as a pattern: its signs mean themselves. */
export function likePart(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** Who searches: the service, or a part of it. */
export interface Searcher {
  readonly db: Db
  readonly wall_clock: Clock
}

export interface Search {
  readonly table: Searched
  readonly merchant_id: string
  readonly store_id: string | null
  /** What every row of the result has in its text, or is named by. */
  readonly term: string
  /** Columns in which a term that is an id is found too. */
  readonly ids?: readonly string[]
}

/** More of the sample than this part: a page is full soon when the list is read from its start. */
const frequent = 0.005
/** So many rows of the list are read for a frequent term before the index is asked. */
const most_read = 2000

/**
 * What a list reads instead of its table, one after the other until a page is full; the last leaves
 * nothing out. A frequent term is found among the next rows of the list, where the index would give
 * every row that has it before the first could be shown. A rare one is found by the index, where
 * reading the list would come to its end. Which it is, a sample of the table tells.
 */
export async function searchSources(
  searcher: Searcher,
  search: Search,
  page: PageQuery,
): Promise<RawBuilder<unknown>[]> {
  const { table, merchant_id, term, ids = [] } = search
  if (!isIndexed(term)) return [sql.table(table)]
  const named = isUuid(term) ? ids : []
  const found = [
    sql`search_code(n.search_text) like search_code(${likePart(term)})`,
    ...named.map((column) => sql`${sql.ref(`n.${column}`)} = ${term}::uuid`),
  ]
  // Kept apart, so that no plan walks along the list instead.
  const by_index = sql`(select * from ${sql.table(table)} n where n.merchant_id = ${merchant_id}
    ${listedOnly(table)} and (${sql.join(found, sql` or `)}) offset 0)`
  const sample = await sampleOf(searcher, table)
  const part = term.toLowerCase()
  const hits = sample.filter((text) => text.includes(part)).length
  return hits > sample.length * frequent ? [nextRows(search, page), by_index] : [by_index]
}

/** Without three letters or digits in a row, or a letter beyond ASCII, the index knows nothing. */
function isIndexed(term: string): boolean {
  return /[a-z0-9]{3}|[^\0-\x7f]/i.test(term)
}

/** The index of tokens leaves out those that are never listed. */
function listedOnly(table: Searched): RawBuilder<unknown> {
  return table === 'transaction_tokens' ? sql`and n.type <> 'one_time'` : sql``
}

/** The next rows of the list, whatever is in them. */
function nextRows(search: Search, { cursor, cursor_direction }: PageQuery): RawBuilder<unknown> {
  const { table, merchant_id, store_id } = search
  const [compare, order] = cursor_direction === 'desc' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  return sql`(select * from ${sql.table(table)} n where n.merchant_id = ${merchant_id}
    ${store_id ? sql`and n.store_id = ${store_id}` : sql``} ${listedOnly(table)}
    ${cursor ? sql`and n.id ${compare} ${cursor}::uuid` : sql``}
    order by n.id ${order} limit ${sql.lit(most_read)})`
}

/** A page of a list that looks for a term; `list` makes the list from what it shall read. */
export async function readSearchPage<T, Name extends Searched>(
  searcher: Searcher,
  search: Search & { table: Name },
  page: PageQuery,
  list: (source: SelectQueryBuilder<Tables, Name, object>) => unknown,
): Promise<Page<T>> {
  let found: Page<T> = { items: [], has_more: false }
  for (const source of await searchSources(searcher, search, page)) {
    const from = searcher.db.selectFrom(sql`${source}`.as(search.table))
    found = await readPage<T>(list(from as never), page)
    if (found.has_more) break
  }
  return found
}

interface Sample {
  readonly texts: readonly string[]
  readonly read_on: number
}

const samples = new WeakMap<Db, Map<Searched, Sample>>()
const sample_life_ms = 10 * minute_ms

/** Some hundred texts from everywhere in the table, as the database keeps them for its planner. */
async function sampleOf({ db, wall_clock }: Searcher, table: Searched): Promise<readonly string[]> {
  const now_ms = wall_clock.now()
  const known = samples.get(db) ?? new Map<Searched, Sample>()
  samples.set(db, known)
  const found = known.get(table)
  if (found && now_ms - found.read_on < sample_life_ms) return found.texts
  const { rows } = await sql<{ texts: string[] | null }>`
    select histogram_bounds::text::text[] as texts from pg_stats
    where schemaname = current_schema() and tablename = ${table}
      and attname = 'search_text'`.execute(db)
  const texts = rows[0]?.texts ?? []
  known.set(table, { texts, read_on: now_ms })
  return texts
}
