import { sql } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Db } from './open-store.ts'
import type { Tables } from './tables.ts'
import type { TestClocks } from './test-clocks.ts'

/** Tables whose rows are their own queue: they have `due_on` and `claims`. */
type QueueTable = {
  [Name in keyof Tables]: Tables[Name] extends { id: string; due_on: Date | null; claims: unknown }
    ? Name
    : never
}[keyof Tables]

export interface Claim {
  merchant_id: string
  id: string
  /** Grows with every claim: a result is only taken from the newest claimant. */
  claims: number
}

/** Who looks for work: at which time, and whether for one merchant's test mode only. */
export interface Claimer {
  readonly db: Db
  readonly clock: Clock
  readonly clocks: TestClocks
  readonly only_merchant: string | null
}

/**
 * Claims the rows that have been due for longest. Rows that another process is claiming are
 * passed over; a claimed row is due again when its lease ends, so a process that died with it
 * holds up nothing. Merchants whose test mode has a time of its own are looked at apart, by it.
 */
export async function claimDue(
  { db, clock, clocks, only_merchant }: Claimer,
  table: QueueTable,
  { lease_ms, most }: { lease_ms: number; most: number },
): Promise<Claim[]> {
  const now = new Date(clock.now())
  const lease_ends = new Date(now.getTime() + lease_ms)
  const apart = table === 'app_tokens' ? [] : clocks.moved()
  const whose = only_merchant
    ? sql`and merchant_id = ${only_merchant} and mode = 'test'`
    : apart.length > 0
      ? sql`and not (mode = 'test' and merchant_id = any(${apart}))`
      : sql``
  const { rows } = await sql<Claim>`
    with due as (
      select merchant_id, id from ${sql.table(table)}
      where due_on <= ${now} ${whose}
      order by due_on
      limit ${most}
      for update skip locked
    )
    update ${sql.table(table)} as t
    set due_on = ${lease_ends}, claims = t.claims + 1
    from due where t.merchant_id = due.merchant_id and t.id = due.id
    returning t.merchant_id, t.id, t.claims`.execute(db)
  return rows
}
