import { sql } from 'kysely'
import type { Db } from '../../tables/db.ts'
import type { Tables } from '../../tables/tables.ts'

/** So many merchants are remembered for a pool; the table of a merchant never changes once it has rows. */
const max_known = 10_000
const known_tables = new WeakMap<Db, Map<string, string>>()

/**
 * The table that has the rows of a merchant: `charges`, or one of its partitions. For statements that compare
 * whole keys, or words that contain their merchant, so that only one index can serve them: with a plain
 * condition on the merchant, which would select the partition, the planner could choose another index.
 */
export async function ownTable(
  db: Db,
  table: keyof Tables & string,
  merchant_id: string,
): Promise<string> {
  if (table !== 'charges') return table
  const known = known_tables.get(db) ?? new Map<string, string>()
  known_tables.set(db, known)
  const found = known.get(merchant_id)
  if (found !== undefined) return found
  const { rows } = await sql<{ name: string }>`
    select (select relname from pg_class where oid = c.tableoid) as name
    from charges c where c.merchant_id = ${merchant_id} limit 1`.execute(db)
  const [row] = rows
  // Before its first charge it has no table of its own, and the whole one has nothing to find.
  if (!row) return table
  if (known.size >= max_known) known.clear()
  known.set(merchant_id, row.name)
  return row.name
}
