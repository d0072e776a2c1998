import { firstIdAt } from '../../../core/ids.ts'

/** The start and the size of a page of a list. */
export interface PageQuery {
  limit: number
  cursor?: string
  cursor_direction: 'asc' | 'desc'
}

export interface Page<T> {
  items: T[]
  has_more: boolean
}

/**
 * The smallest id of rows created at an instant. A row's id is derived from its `created_on`: a range
 * of time is a range of ids, which every list is sorted by.
 */
export function idAt(moment: Date | null): string {
  return firstIdAt(Math.max(0, moment?.getTime() ?? 0))
}

/** The part of a query builder that paging needs. */
interface Pageable<T> {
  where(column: 'id', operator: '<' | '>', value: string): Pageable<T>
  orderBy(column: 'id', direction: 'asc' | 'desc'): Pageable<T>
  limit(count: number): Pageable<T>
  execute(): Promise<T[]>
}

/**
 * One page of a query that is already restricted to what the caller may see. Ids sort by creation, so
 * the cursor is compared and never looked up: a cursor of another merchant, of a deleted resource or a
 * made-up one behaves like its point in time, and reveals nothing. One extra row shows whether there
 * are more.
 */
export async function readPage<T>(query: unknown, page: PageQuery): Promise<Page<T>> {
  return pageOf(await readRows<T>(query, page), page)
}

/** The rows of a page, plus one more if there is one. */
export async function readRows<T>(query: unknown, page: PageQuery): Promise<T[]> {
  const { limit, cursor, cursor_direction } = page
  let paged = query as Pageable<T>
  if (cursor) paged = paged.where('id', cursor_direction === 'desc' ? '<' : '>', cursor)
  return paged
    .orderBy('id', cursor_direction)
    .limit(limit + 1)
    .execute()
}

export function pageOf<T>(rows: readonly T[], { limit }: PageQuery): Page<T> {
  return { items: rows.slice(0, limit), has_more: rows.length > limit }
}

/** A page as a response shows it. */
export function viewPage<Row, View>(
  { items, has_more }: Page<Row>,
  view: (row: Row) => View,
): Page<View> {
  return { items: items.map((row) => view(row)), has_more }
}
