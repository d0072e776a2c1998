import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { faultOf } from '../../core/read-unknown.ts'
import { second_ms, systemClock } from '../../core/time/clock.ts'
import { readDatabaseUrl } from './client/database-hosts.ts'
import { newClient } from './client/new-client.ts'
import type { DatabaseState } from './examine-database.ts'

/** How long the standby may take to reach the position of the primary. */
const max_wait_ms = 2 * second_ms
const look_ms = 100

const primary_state = `select pg_current_wal_flush_lsn()::text as lsn,
  (select system_identifier::text from pg_control_system()) as server`
const replica_state = `select pg_is_in_recovery() as standby,
  (select system_identifier::text from pg_control_system()) as server,
  (select status from pg_stat_wal_receiver) as receiver,
  current_setting('hot_standby_feedback') as feedback`

/** Examines the standby that lists are read from; while it cannot be used, the primary has these reads. */
export async function examineReplica(primary: pg.ClientBase, url: string): Promise<DatabaseState> {
  const replica = newClient(readDatabaseUrl(url))
  replica.on('error', () => {})
  try {
    await replica.connect()
    return await compare(primary, replica)
  } catch (error) {
    const { code, message } = faultOf(error)
    return { faults: [`DATABASE_REPLICA_URL cannot be read: ${code ?? message}.`], warnings: [] }
  } finally {
    await replica.end().catch(() => {})
  }
}

async function compare(primary: pg.ClientBase, replica: pg.ClientBase): Promise<DatabaseState> {
  const { lsn, server } = (await primary.query(primary_state)).rows[0]
  const found = (await replica.query(replica_state)).rows[0]
  if (found.server !== server) {
    const fault =
      'DATABASE_REPLICA_URL names a server that is no copy of DATABASE_URL; it is not used.'
    return { faults: [fault], warnings: [] }
  }
  if (!found.standby) {
    const fault = 'DATABASE_REPLICA_URL names a server that is no standby; it is not used.'
    return { faults: [fault], warnings: [] }
  }
  const warnings: string[] = []
  if (found.receiver !== 'streaming') {
    warnings.push(
      'The replica does not show that it follows the primary, and is not used: it does not stream, ' +
        'or its user is not in pg_read_all_stats.',
    )
  }
  if (found.feedback !== 'on') {
    warnings.push('The replica may cancel reads; set hot_standby_feedback=on there.')
  }
  const behind = await bytesBehind(replica, lsn)
  if (behind > 0) {
    warnings.push(`The replica is ${behind} bytes behind what the primary had two seconds ago.`)
  }
  return { faults: [], warnings }
}

/** How much a standby has not replayed yet after a short wait; nothing: it has reached the position. */
async function bytesBehind(replica: pg.ClientBase, lsn: string): Promise<number> {
  const late_ms = systemClock.monotonic() + max_wait_ms
  for (;;) {
    const text = 'select pg_wal_lsn_diff($1, pg_last_wal_replay_lsn())::text as behind'
    const { rows } = await replica.query(text, [lsn])
    const behind = Number(rows[0]?.behind ?? 0)
    if (behind <= 0 || systemClock.monotonic() > late_ms) return Math.max(behind, 0)
    await sleep(look_ms)
  }
}
