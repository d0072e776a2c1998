import { CompiledQuery } from 'kysely'
import type { Db } from '../../tables/db.ts'

/**
 * Runs a statement with a constant text. Hot statements are written out once instead of being built for
 * every call, which costs more than sending them.
 */
export async function run<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]))
  return rows as Row[]
}
