import { type RawBuilder, sql } from 'kysely'
import type { Mode } from '../../../core/access/caller.ts'
import { fail } from '../../../core/api/errors.ts'
import { firstIdAt } from '../../../core/ids.ts'
import type { Db } from '../../tables/db.ts'
import type { Tables } from '../../tables/tables.ts'
import type { Page, PageQuery } from './page.ts'

/** A list along an index that begins with the merchant, and with the mode where `modes` are given. */
export interface BoundedList {
  readonly table: keyof Tables
  /** The column that the list is sorted by: an id, which contains its time. */
  readonly key: string
  readonly merchant_id: string
  /** Each of them is a range of the index; null: the index has no mode. */
  readonly modes: readonly Mode[] | null
  /** The smallest key of the list, and the one after its largest. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Conditions that the index has. */
  readonly where?: RawBuilder<unknown> | undefined
  /** Conditions without an index: the list is scanned for them, up to a limit. Its row is `r`. */
  readonly filter?: readonly RawBuilder<unknown>[] | undefined
}

const last_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/**
 * How many rows are scanned for a filter without an index; the last is the limit. So a list of a million rows
 * takes less than one and a half times as long as one of ten thousand.
 */
export const max_bounded_read = 14_000
const scan_sizes = [200, 2000, max_bounded_read] as const

/** The next rows of a list, at most `count`. */
function nextRows(list: BoundedList, page: PageQuery, count: number): RawBuilder<unknown> {
  const { table, merchant_id, modes, from = firstIdAt(0), to = last_id, where } = list
  const { cursor, cursor_direction } = page
  const is_desc = cursor_direction === 'desc'
  const key = sql.ref(`t.${list.key}`)
  const order = is_desc ? sql`desc` : sql`asc`
  const cut = cursor ? sql`and ${key} ${is_desc ? sql`<` : sql`>`} ${cursor}::uuid` : sql``
  const of_mode = modes === null ? sql`` : sql`and t.mode = m.mode`
  const one = sql`select t.* from ${sql.table(table)} t
    where t.merchant_id = ${merchant_id}::uuid ${of_mode}
      and ${key} >= ${from}::uuid and ${key} < ${to}::uuid ${cut} ${where ? sql`and ${where}` : sql``}
    order by t.merchant_id ${order}, ${key} ${order} limit ${sql.lit(count)}`
  if (modes === null) return sql`(${one})`
  return sql`(select n.* from unnest(${[...modes]}::text[]) as m (mode) cross join lateral (${one}) as n
    order by ${sql.ref(`n.${list.key}`)} ${order} limit ${sql.lit(count)})`
}

/**
 * The first rows of a list, at most `wanted`. Filters without an index scan its next rows up to a limit:
 * a request that would scan more is asked for a range of time.
 */
export async function readBoundedList<T>(
  db: Db,
  list: BoundedList,
  page: PageQuery,
  wanted: number,
  select: (source: RawBuilder<unknown>, order: RawBuilder<unknown>) => RawBuilder<T>,
  refuse: () => never = refuseLongScan,
): Promise<T[]> {
  const { filter = [] } = list
  const order = page.cursor_direction === 'desc' ? sql`desc` : sql`asc`
  const key = sql.ref(`r.${list.key}`)
  const read = async (window: RawBuilder<unknown>) => {
    const conditions = filter.length > 0 ? sql`where ${sql.join([...filter], sql` and `)}` : sql``
    const source = sql`(select r.* from ${window} as r ${conditions}
      order by ${key} ${order} limit ${sql.lit(wanted)})`
    return (await select(source, order).execute(db)).rows
  }
  if (filter.length === 0) return read(nextRows(list, page, wanted))
  const rows = await scanWindows(db, wanted, (count) => nextRows(list, page, count), read)
  return rows ?? refuse()
}

/**
 * Reads from windows of growing size until enough rows are found, or the list has ended. Null: the largest
 * window did not have enough, and the list goes on.
 */
export async function scanWindows<T>(
  db: Db,
  wanted: number,
  windowOf: (count: number) => RawBuilder<unknown>,
  read: (window: RawBuilder<unknown>) => Promise<T[]>,
): Promise<T[] | null> {
  for (const count of scan_sizes) {
    const window = windowOf(count)
    const rows = await read(window)
    if (rows.length >= wanted) return rows
    const { rows: counted } = await sql<{ count: number }>`
      select count(*)::integer as count from ${window} as n`.execute(db)
    if ((counted[0]?.count ?? 0) < count) return rows
  }
  return null
}

export function refuseLongScan(): never {
  fail('VALIDATION_ERROR', {
    message: `The page is not full after ${max_bounded_read} rows; narrow the list with from and to.`,
    errors: [{ field: 'from', reason: 'INVALID_TIME_PERIOD' }],
  })
}

/**
 * A page of rows of which several may have one key. It ends with the last row of a key, so that the key can
 * be the cursor; it may have a few more rows than its limit.
 */
export function wholeGroups<T>(
  rows: readonly T[],
  { limit }: PageQuery,
  keyOf: (row: T) => string,
): Page<T> {
  const last = rows[limit - 1]
  if (rows.length <= limit || last === undefined) return { items: [...rows], has_more: false }
  let end = limit
  for (let next = rows[end]; next && keyOf(next) === keyOf(last); next = rows[end]) end += 1
  return { items: rows.slice(0, end), has_more: rows.length > end }
}
