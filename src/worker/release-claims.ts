import { sql } from 'kysely'
import { worker_policy } from '../core/limits/retry-policies.ts'
import { now, type Service } from '../service.ts'
import { queue_tables, queueOf } from '../store/due/due-queues.ts'
import { dueTable } from '../store/due/due-work.ts'

/** Much is due far ahead; only what is due sooner than this can be a lease. */
const max_lease_ms = 2 * worker_policy.lease_ms

/**
 * Makes everything due immediately that a former process had claimed. Only for the sole owner of a
 * database, at its start: no other process can be working then, so no lease has to expire. Operations
 * that were sent to a provider are queried, not sent again.
 */
export async function releaseClaims(service: Service): Promise<void> {
  const at = now(service)
  const lease_ends = new Date(at.getTime() + max_lease_ms)

  /**
   * Without its own index, a table's rows are found through related rows. Leases in test mode use the
   * test clock.
   */
  function amongDue(table: string) {
    if (table !== 'charges' && table !== 'transaction_tokens') return sql``
    const due = dueTable(table)
    return sql`and (merchant_id, id) in (
      select merchant_id, id from ${sql.table(due)} where due_on > ${at} and due_on <= ${lease_ends}
      union all select merchant_id, id from ${sql.table(due)}
      where merchant_id = any(${service.clocks.moved()}) and mode = 'test')`
  }

  for (const table of queue_tables) {
    const { busy } = queueOf(table)
    if (busy === 'waits') continue
    await sql`update ${sql.table(table)} set due_on = ${at}
      where due_on > ${at} and (${busy(lease_ends)}) ${amongDue(table)}`.execute(service.db)
  }
  await sql`update test_clocks set due_on = ${at} where due_on > ${at}`.execute(service.db)
}
