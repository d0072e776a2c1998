import { sql } from 'kysely'
import type { Service } from '../../service.ts'

/** Short-lived data of tokens, and when it ends. */
const short_lived = [
  ['token_aliases', 'valid_until'],
  ['token_confirmations', 'expires_on'],
] as const

/** Test mode is never behind real time: data that has ended by our time has ended by its own. */
export async function deleteExpiredRows(service: Service, max: number): Promise<number> {
  const at = new Date(service.wall_clock.now())
  let count = 0
  for (const [table, end] of short_lived) {
    const { rows } = await sql`
      delete from ${sql.table(table)} where ctid in (
        select ctid from ${sql.table(table)} where ${sql.ref(end)} <= ${at}
        order by ${sql.ref(end)} limit ${max} for update skip locked)
      returning 1`.execute(service.db)
    count += rows.length
  }
  return count
}
