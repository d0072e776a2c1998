import { type RawBuilder, sql } from 'kysely'
import { worker_policy } from '../core/limits/retry-policies.ts'
import { now, type Service } from '../service.ts'
import { dueTable, type QueueTable } from '../store/due-work.ts'

/** Much is due far ahead; only what is due sooner than this can be a lease. */
const max_lease_ms = 2 * worker_policy.lease_ms

type BusyRows = (lease_ends: Date) => RawBuilder<unknown>

/**
 * Which rows of each queue a process may have been busy with. `waits`: the lease is waited for, because
 * `due_on` is also an expiry, or the wait after a failed attempt.
 */
const busy: Readonly<Record<QueueTable | 'test_clocks', BusyRows | 'waits'>> = {
  charges: () => sql`status = 'pending' or pending_action in ('capture', 'expire', 'reverse')
    or (status = 'awaiting' and three_ds_passed_on is not null)`,
  refunds: () => sql`status = 'pending'`,
  cancels: () => sql`status = 'pending'`,
  customs_declarations: () => sql`status = 'pending'`,
  deposits: () => sql`status = 'returning'`,
  disputes: () => sql`pending_response is not null`,
  subscriptions: (lease_ends) => sql`due_on < ${lease_ends}`,
  subscription_batches: () => sql`true`,
  provider_notifications: () => sql`true`,
  account_capabilities: (lease_ends) => sql`due_on < ${lease_ends}`,
  test_clocks: () => sql`true`,
  webhook_lanes: () => sql`sending`,
  webhook_replays: () => sql`true`,
  transaction_tokens: () => sql`three_ds ->> 'status' = 'pending'`,
  checkout_sessions: 'waits',
  app_tokens: 'waits',
  mails: 'waits',
  password_reset_requests: (lease_ends) => sql`due_on < ${lease_ends}`,
}

/**
 * Makes everything due immediately that a former process had claimed. Only for the sole owner of a
 * database, at its start: no other process can be working then, so no lease has to expire. Operations
 * that were sent to a provider are queried, not sent again.
 */
export async function releaseClaims(service: Service): Promise<void> {
  const at = now(service)
  const lease_ends = new Date(at.getTime() + max_lease_ms)

  /**
   * Where the table itself has no index for it, its rows are found through related rows. The leases of
   * a test mode with its own clock are in that time.
   */
  function amongDue(table: string) {
    if (table !== 'charges' && table !== 'transaction_tokens') return sql``
    const due = dueTable(table)
    return sql`and (merchant_id, id) in (
      select merchant_id, id from ${sql.table(due)} where due_on > ${at} and due_on <= ${lease_ends}
      union all select merchant_id, id from ${sql.table(due)}
      where merchant_id = any(${service.clocks.moved()}) and mode = 'test')`
  }

  for (const [table, busyRows] of Object.entries(busy)) {
    if (busyRows === 'waits') continue
    await sql`update ${sql.table(table)} set due_on = ${at}
      where due_on > ${at} and (${busyRows(lease_ends)}) ${amongDue(table)}`.execute(service.db)
  }
}
