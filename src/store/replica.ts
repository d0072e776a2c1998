import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { outageOf } from '../core/api/outages.ts'
import { faultOf } from '../core/read-unknown.ts'
import { second_ms, systemClock } from '../core/time/clock.ts'
import { shareQueries } from './sql/batches/share-queries.ts'
import { addQueryLayers, type QueryLayer } from './sql/connections/session.ts'
import type { Db } from './tables/db.ts'
import type { Tables } from './tables/tables.ts'

/** A standby that takes reads from the primary. */
export interface Replica {
  /**
   * The target of a read that begins now: the replica, once it has everything that the primary had committed
   * at this moment, or else the primary. So no caller reads from before its own write, whichever machine
   * wrote, and no read is older than one before it.
   */
  findReader(): Promise<Db>
  /** Why the last read did not go to the replica; null: it did, or there was none. */
  whyAway(): string | null
}

interface Position {
  timeline: number | null
  lsn: string | null
}

/** Visible rows on the primary are flushed; on the replica, replayed. */
const primary_position = `select pg_current_wal_flush_lsn()::text as lsn,
  ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer as timeline`
/** Positions of different timelines cannot be compared. A server that is no standby has none. */
const replica_position = `select pg_last_wal_replay_lsn()::text as lsn,
  (select received_tli from pg_stat_wal_receiver where status = 'streaming') as timeline`

/** How long a read waits for the replica, and how long the primary has all reads afterwards. */
const max_wait_ms = 50
const look_ms = 5
const away_ms = second_ms

export function newReplica(
  replica_pool: pg.Pool,
  primary_pool: pg.Pool,
  primary: Db,
  onAway: (reason: string) => void,
): Replica {
  const askPrimary = shareQueries(() => readPosition(primary_pool, primary_position))
  const askReplica = shareQueries(() => readPosition(replica_pool, replica_position))
  let away_until_ms = Number.NEGATIVE_INFINITY
  let reason = ''

  function leave(why: string): void {
    away_until_ms = systemClock.monotonic() + away_ms
    if (why !== reason) onAway(why)
    reason = why
  }

  /** Whether the replica reaches a position soon. */
  async function reaches({ lsn, timeline }: Position): Promise<boolean> {
    const late_ms = systemClock.monotonic() + max_wait_ms
    for (;;) {
      const found = await askReplica()
      if (found.lsn === null || found.timeline !== timeline) {
        leave('it is no standby of the primary, or its user is not in pg_read_all_stats')
        return false
      }
      if (numberOf(found.lsn) >= numberOf(lsn)) return true
      if (systemClock.monotonic() > late_ms) {
        leave('it is behind the primary')
        return false
      }
      await sleep(look_ms)
    }
  }

  const repeatOnPrimary: QueryLayer =
    (query) =>
    async (...args) =>
      query(...args).catch((error) => {
        if (!is_read.test(String(args[0])) || !isTroubleOfReplica(error)) throw error
        leave('it fails')
        return primary_pool.query(...(args as [string]))
      })
  replica_pool.on('connect', (client) => addQueryLayers(client, repeatOnPrimary))
  const connect = () =>
    replica_pool.connect().catch(() => {
      leave('it cannot be reached')
      return primary_pool.connect()
    })
  // The pools are ended by the store.
  const end = async () => {}
  const reader = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end } }) })

  return {
    whyAway: () => (reason === '' ? null : reason),
    findReader: async () => {
      if (systemClock.monotonic() < away_until_ms) return primary
      const position = await askPrimary()
      const is_current = await reaches(position).catch(() => {
        leave('it cannot be reached')
        return false
      })
      if (!is_current) return primary
      reason = ''
      return reader
    },
  }
}

const is_read = /^\s*(select|with)\b/i

/** Reads are single statements, so the primary can repeat one. A write is never repeated there. */
function isTroubleOfReplica(error: unknown): boolean {
  const { code } = faultOf(error)
  const reason = outageOf(error)?.reason
  // 40001: the standby had to apply a change of rows that the statement read.
  return code === '40001' || (reason !== undefined && reason !== 'read_only')
}

async function readPosition(pool: pg.Pool, text: string): Promise<Position> {
  const { rows } = await pool.query<Position>(text)
  return rows[0] ?? { timeline: null, lsn: null }
}

/** `16/B374D848`: both halves are hexadecimal. */
function numberOf(lsn: string | null): bigint {
  const [high = '0', low = '0'] = (lsn ?? '').split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
