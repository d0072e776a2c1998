import { sql } from 'kysely'
import { outageOf } from '../../core/api/outages.ts'
import { worker_policy } from '../../core/limits/retry-policies.ts'
import type { Db } from '../tables/db.ts'
import type { QueueTable } from './due-work.ts'

/** A row that this process has claimed, as the claim wrote it. */
export interface ClaimedRow {
  readonly merchant_id: string
  readonly id: string
  readonly claims: number
  readonly due_on: Date | null
}

/** The claims that this process works on: a stop, or the end of an outage, need not wait for their leases. */
export interface HeldClaims {
  /** Tracks a row while it is processed. `now` is the time of the row. */
  during<T>(table: QueueTable, row: ClaimedRow, now: () => number, work: Promise<T>): Promise<T>
  /**
   * Makes rows of a table due soon whose processing ended because the database was away: a failover lasts
   * seconds, a lease much longer.
   */
  releaseFailed(db: Db, table: QueueTable): Promise<void>
  /** Makes every row that is still being processed due immediately; returns how many there were. */
  giveBack(db: Db): Promise<number>
}

interface Held {
  readonly table: QueueTable
  readonly row: ClaimedRow
  readonly now: () => number
}

const { after_outage_ms } = worker_policy

/** Not a statement that took too long: it would do so again. */
function wasAway(error: unknown): boolean {
  const reason = outageOf(error)?.reason
  return reason === 'unreachable' || reason === 'restarting' || reason === 'read_only'
}

export function newHeldClaims(): HeldClaims {
  const held = new Set<Held>()
  const failed = new Map<QueueTable, Held[]>()
  return {
    during: async (table, row, now, work) => {
      const one = { table, row, now }
      held.add(one)
      try {
        return await work
      } catch (error) {
        if (wasAway(error)) failed.set(table, [...(failed.get(table) ?? []), one])
        throw error
      } finally {
        held.delete(one)
      }
    },
    releaseFailed: async (db, table) => {
      const rows = failed.get(table)
      if (!rows) return
      const soon = rows.map((one) => ({ ...one, now: () => one.now() + after_outage_ms }))
      await giveBackRows(db, table, soon)
      const since = failed.get(table)?.slice(rows.length) ?? []
      if (since.length > 0) failed.set(table, since)
      else failed.delete(table)
    },
    giveBack: async (db) => {
      const tables = new Set([...held].map(({ table }) => table))
      const counts = await Promise.all(
        [...tables].map((table) => {
          const of_table = [...held].filter((one) => one.table === table)
          return giveBackRows(db, table, of_table)
        }),
      )
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}

/**
 * Only rows that are still as the claim left them: one whose result was written, or that another
 * process has claimed since, has another due time or another count of claims.
 */
async function giveBackRows(db: Db, table: QueueTable, held: readonly Held[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} as t set due_on = h.now
    from unnest(${held.map(({ row }) => row.merchant_id)}::uuid[], ${held.map(({ row }) => row.id)}::uuid[],
      ${held.map(({ row }) => row.claims)}::integer[], ${held.map(({ row }) => row.due_on)}::timestamptz[],
      ${held.map(({ now }) => new Date(now()))}::timestamptz[])
      as h (merchant_id, id, claims, due_on, now)
    where t.merchant_id = h.merchant_id and t.id = h.id and t.claims = h.claims
      and t.due_on = h.due_on`.execute(db)
  return Number(numAffectedRows)
}
