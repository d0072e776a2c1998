import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { PlainError } from '../core/api/plain-error.ts'
import { second_ms } from '../core/time/clock.ts'
import { type Deadline, endsWithin, no_deadline } from '../core/time/deadline.ts'
import { checkProgram, min_program_sql, readMigrations } from './known-migrations.ts'
import { live_sql, nodes_lock } from './sql/connections/live-nodes.ts'
import type { Db } from './tables/db.ts'
import type { NodeTable } from './tables/tables.ts'

/** The heartbeat interval of a machine. */
const beat_ms = 3 * second_ms
/** How often a start looks whether another machine is still alive. */
const look_ms = second_ms / 2

type Node = Pick<NodeTable, 'id' | 'host' | 'version' | 'schema_version' | 'shared_state'>

/** This machine among those that serve on the database. */
export interface NodeRegistration {
  /** How many machines serve, this one included. */
  live(): number
  /** Ends it immediately: no other machine waits until the row is old. */
  leave(deadline?: Deadline): Promise<void>
}

export const is_live = sql.raw<boolean>(live_sql)

const advice =
  'Set SHARED_STATE_URL on every machine to a Redis-compatible server that they share, ' +
  'or SHARED_STATE=per_machine if limits may multiply by the number of machines.'

/**
 * Registers this machine. Machines that do not share their short-lived state would multiply every limit and
 * could not open each other's security codes, so the second one is refused. When the first has died, the
 * start waits until its row is old.
 */
export async function registerNode(
  db: Db,
  config: Config,
  version: string,
  log: Logger,
  signal?: AbortSignal,
): Promise<NodeRegistration> {
  const node: Node = {
    id: machineId(config.data_dir),
    host: hostname(),
    version,
    schema_version: readMigrations().length,
    shared_state: config.shared_state_url ? 'server' : (config.shared_state ?? 'none'),
  }
  await enter(db, node, log, signal)
  const stopping = new AbortController()
  let others = 0
  const beat = async () => {
    const found = await writeBeat(db, node)
    if (node.shared_state === 'none' && found > 0 && others === 0) {
      log.error(`another machine serves from this database. ${advice}`)
    }
    others = found
  }
  const keepBeating = async () => {
    while (!stopping.signal.aborted) {
      await beat().catch(() => {})
      await sleep(beat_ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  const beating = keepBeating()
  const leave = async () => {
    stopping.abort()
    await beating
    await db.deleteFrom('nodes').where('id', '=', node.id).execute()
  }
  return {
    live: () => others + 1,
    leave: async (deadline = no_deadline) => {
      await endsWithin(leave(), deadline.left_ms())
    },
  }
}

/** The same as long as the system runs, for every program in the folder; another one in every container. */
function machineId(data_dir: string): string {
  const parts = [hostname(), data_dir, bootId()]
  return createHash('sha256').update(parts.join('\0')).digest('base64url')
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
  } catch {
    return ''
  }
}

/** Writes the row of this machine, unless another one must not serve beside it. */
async function enter(db: Db, node: Node, log: Logger, signal?: AbortSignal): Promise<void> {
  let first_seen: Excluding | null = null
  for (;;) {
    const other = await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${nodes_lock})`.execute(tx)
      const { rows } = await sql.raw<{ min_program: number }>(min_program_sql).execute(tx)
      checkProgram(rows[0]?.min_program ?? 0, node.schema_version)
      const found = await findExcluding(tx, node)
      if (found) return found
      await tx.deleteFrom('nodes').where('id', '=', node.id).execute()
      await writeBeat(tx, node)
      return null
    })
    if (!other) return
    if (!first_seen)
      log.info(
        { host: other.host },
        'another machine served from this database recently: waiting to see whether it still runs',
      )
    first_seen ??= other
    const is_alive = other.id !== first_seen.id || other.seen_on > first_seen.seen_on
    if (is_alive) throw new PlainError(refusalOf(node, other))
    await sleep(look_ms, undefined, { signal })
  }
}

type Excluding = Pick<Selectable<NodeTable>, 'id' | 'host' | 'shared_state' | 'seen_on'>

/** A live machine beside which this one must not serve: one of them does not share its state. */
async function findExcluding(db: Db, { id, shared_state }: Node): Promise<Excluding | null> {
  const others = db
    .selectFrom('nodes')
    .select(['id', 'host', 'shared_state', 'seen_on'])
    .where('id', '<>', id)
    .where(is_live)
    .orderBy('started_on')
  const found = shared_state === 'none' ? others : others.where('shared_state', '=', 'none')
  return (await found.executeTakeFirst()) ?? null
}

function refusalOf({ shared_state }: Node, { host, shared_state: of_other }: Excluding): string {
  const without = shared_state !== 'none' && of_other === 'none' ? ' without shared state' : ''
  return `The machine ${host} serves on this database${without}. ${advice}`
}

/** Returns how many other machines are alive. Rows of machines that died a day ago are deleted. */
async function writeBeat(db: Db, node: Node): Promise<number> {
  const { id, host, version, schema_version, shared_state } = node
  const { rows } = await sql<{ others: number }>`
    with beat as (
      insert into nodes (id, host, version, schema_version, shared_state)
      values (${id}, ${host}, ${version}, ${schema_version}, ${shared_state})
      on conflict (id) do update set seen_on = now(), version = excluded.version,
        schema_version = excluded.schema_version, shared_state = excluded.shared_state
    ), forgotten as (
      delete from nodes where id <> ${id} and seen_on < now() - interval '1 day'
    )
    select count(*)::integer as others from nodes where id <> ${id} and ${is_live}`.execute(db)
  return rows[0]?.others ?? 0
}
