import { sql } from 'kysely'
import type { Db } from './open-store.ts'
import type { Tables } from './tables.ts'

/** Tables whose rows are their own queue: they have `due_on` and `claims`. */
type QueueTable = {
  [Name in keyof Tables]: Tables[Name] extends { due_on: Date | null; claims: unknown }
    ? Name
    : never
}[keyof Tables]

export interface Claim {
  merchant_id: string
  id: string
  /** Grows with every claim: a result is only taken from the newest claimant. */
  claims: number
}

/**
 * Claims the rows that have been due for longest. Rows that another process is claiming are
 * passed over; a claimed row is due again when its lease ends, so a process that died with it
 * holds up nothing.
 */
export async function claimDue(
  db: Db,
  table: QueueTable,
  options: { now: Date; lease_ms: number; most: number },
): Promise<Claim[]> {
  const lease_ends = new Date(options.now.getTime() + options.lease_ms)
  const { rows } = await sql<Claim>`
    with due as (
      select merchant_id, id from ${sql.table(table)}
      where due_on <= ${options.now}
      order by due_on
      limit ${options.most}
      for update skip locked
    )
    update ${sql.table(table)} as t
    set due_on = ${lease_ends}, claims = t.claims + 1
    from due where t.merchant_id = due.merchant_id and t.id = due.id
    returning t.merchant_id, t.id, t.claims`.execute(db)
  return rows
}
