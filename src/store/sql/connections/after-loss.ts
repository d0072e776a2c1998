import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../tables/db.ts'
import type { RowKey } from '../reads/row-reader.ts'
import { isLost } from '../statements/database-errors.ts'
import { run } from '../statements/statement.ts'

const max_looks = 20
const look_again_ms = 100

/**
 * When the connection is lost before a statement is confirmed, it may have been executed. The rows it
 * writes show that, over another connection: returns the ids that exist, of what was written as a
 * whole. When none exists, or nothing can be read, the loss is reported.
 */
export async function writtenDespite(
  db: Db,
  table: 'charges' | 'transaction_tokens',
  keys: readonly RowKey[],
  error: unknown,
): Promise<Set<string>> {
  if (!isLost(error)) throw error
  const text = `
    select t.id from unnest($1::uuid[], $2::uuid[]) as i (merchant_id, id)
    join ${table} t on t.merchant_id = i.merchant_id and t.id = i.id`
  const values = [keys.map(({ merchant_id }) => merchant_id), keys.map(({ id }) => id)]
  for (let looks = 1; looks <= max_looks; looks += 1) {
    await sleep(look_again_ms)
    const found = await run<{ id: string }>(db, text, values).catch(() => [])
    if (found.length > 0) return new Set(found.map(({ id }) => id))
  }
  throw error
}
