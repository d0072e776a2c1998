import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../tables/tables.ts'
import { isKnown, type Known, type Reader } from './find-row.ts'
import { type Page, type PageQuery, readPage } from './page.ts'

/** What a list is narrowed to; what is absent may be anything. `from` and `to` are ids. */
type Filter<Name extends keyof Tables> = {
  readonly [Column in keyof Tables[Name]]?: string | boolean | undefined
} & { readonly from?: string | undefined; readonly to?: string | undefined }

/** A page of the rows of a merchant that a caller may see. */
export function listRows<Name extends keyof Tables & string>(
  { db }: Reader,
  table: Name,
  known: Known<Name>,
  page: PageQuery,
  { from, to, ...equal }: Filter<Name> = {},
): Promise<Page<Selectable<Tables[Name]>>> {
  const rows = db.selectFrom(sql`${sql.table(table)}`.as('listed')).selectAll()
  const narrowed = Object.entries(equal)
    .filter(([, value]) => value !== undefined)
    .reduce((found, [name, value]) => found.where(sql.ref(name), '=', value), rows)
    .where(isKnown(known))
  const begun = from ? narrowed.where(sql.ref('id'), '>=', from) : narrowed
  return readPage(to ? begun.where(sql.ref('id'), '<', to) : begun, page)
}
