import { type RawBuilder, type Selectable, sql } from 'kysely'
import { fail } from '../../../core/api/errors.ts'
import type { Db } from '../../tables/db.ts'
import type { Tables } from '../../tables/tables.ts'

/** What a caller may be limited to; null or absent: all of their merchant. */
const limits: readonly string[] = ['store_id', 'mode']

/** The merchant, the columns by which the row is known, and what the caller is limited to. */
export type Known<Name extends keyof Tables> = { readonly merchant_id: string } & {
  readonly [Column in keyof Tables[Name]]?: string | number | null | undefined
}

export type Reader = { readonly db: Db }

/** What is true of the rows that a caller may see. */
export function isKnown(known: object): RawBuilder<boolean> {
  const given = Object.entries(known).filter(
    ([name, value]) => !limits.includes(name) || (value ?? null) !== null,
  )
  const matches = given.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  return sql.join(matches, sql` and `)
}

/** The row of a merchant, as far as its caller may see it; null: there is none. */
export async function findRow<Name extends keyof Tables>(
  { db }: Reader,
  table: Name,
  known: Known<Name>,
  lock = false,
): Promise<Selectable<Tables[Name]> | null> {
  const { rows } = await sql<Selectable<Tables[Name]>>`
    select * from ${sql.table(table)} where ${isKnown(known)}
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** The same, locked: changes of the row run one after the other. */
export function lockRow<Name extends keyof Tables>(tx: Reader, table: Name, known: Known<Name>) {
  return findRow(tx, table, known, true)
}

/** The row, which is not found where the caller may not see it. */
export async function requireRow<Name extends keyof Tables>(
  service: Reader,
  table: Name,
  known: Known<Name>,
  lock = false,
): Promise<Selectable<Tables[Name]>> {
  return (await findRow(service, table, known, lock)) ?? fail('NOT_FOUND')
}
