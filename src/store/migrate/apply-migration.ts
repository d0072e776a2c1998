import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { PlainError } from '../../core/api/plain-error.ts'
import { faultOf } from '../../core/read-unknown.ts'
import { second_ms, systemClock } from '../../core/time/clock.ts'
import type { Migration } from '../known-migrations.ts'
import { live_sql, nodes_lock } from '../sql/connections/live-nodes.ts'
import { runConcurrently } from './build-index.ts'

export interface MachineTooOld {
  readonly id: string
  readonly host: string
  readonly version: string
  readonly seen_on: Date
}

/** Machines serve with a program that a step would break. */
export class MachinesTooOld extends PlainError {
  readonly machines: readonly MachineTooOld[]

  constructor({ name }: Migration, machines: readonly MachineTooOld[]) {
    const named = machines
      .map(({ host, version }) => `${host} (${versionText(version)})`)
      .join(', ')
    super(
      `Migration ${name} removes what these machines still use: ${named}. ` +
        'Replace or stop them first, or wait for that with: kaikei migrate --wait',
    )
    this.machines = machines
  }
}

const versionText = (version: string) => (/^\d/.test(version) ? `version ${version}` : version)

/** Receives how many rows a step has processed. */
type OnRows = (row_count: number) => void

/**
 * While machines serve. A step that waits for a lock has every later request of that table behind it, and so
 * has one that holds its lock: both end before a request gives up its own wait for a lock.
 */
const serving_limits = { lock_timeout: '500ms', statement_timeout: '4s' }
const alone_limits = { lock_timeout: '10s', statement_timeout: '0' }
/** Between two attempts to get a lock, so that requests which waited are done. */
const retry_ms = 2 * second_ms
const give_up_ms = 120 * second_ms

export async function applyMigration(
  client: pg.ClientBase,
  migration: Migration,
  onRows: OnRows,
): Promise<void> {
  if (migration.runs === 'concurrently') return applyConcurrently(client, migration)
  if (migration.runs === 'in batches') return applyInBatches(client, migration, onRows)
  await inTransaction(client, migration, async () => {
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null,
      applied_on timestamptz not null default now())`)
    await client.query(migration.sql)
    await record(client, migration)
  })
}

/** The first steps are recorded in a table that lacks the last column. */
async function record(
  client: pg.ClientBase,
  { version, name, checksum, min_program }: Migration,
): Promise<void> {
  await client.query(
    `insert into schema_migrations select row.* from jsonb_populate_record(null::schema_migrations,
       $1::jsonb || jsonb_build_object('applied_on', now())) as row`,
    [JSON.stringify({ version, name, checksum, min_program })],
  )
}

/** Retries while other transactions hold the locks that it needs. */
async function inTransaction<T>(
  client: pg.ClientBase,
  migration: Migration,
  work: () => Promise<T>,
): Promise<T> {
  const began_ms = systemClock.monotonic()
  for (;;) {
    try {
      return await tryTransaction(client, migration, work)
    } catch (error) {
      const { code } = faultOf(error)
      if (code === '57014') throw new PlainError(tooLong(migration))
      if (code !== '55P03') throw error
      if (systemClock.monotonic() - began_ms > give_up_ms) throw new PlainError(noLock(migration))
      await sleep(retry_ms)
    }
  }
}

const tooLong = ({ name }: Migration) =>
  `Migration ${name} takes more than ${serving_limits.statement_timeout} and would block the machines ` +
  'that serve; nothing was changed. Stop them and run: kaikei migrate'

const noLock = ({ name }: Migration) =>
  `Migration ${name} got no lock within ${give_up_ms / second_ms} s, because other transactions ` +
  'hold it; nothing was changed. End them, and try again.'

async function tryTransaction<T>(
  client: pg.ClientBase,
  migration: Migration,
  work: () => Promise<T>,
): Promise<T> {
  // Read committed: after waiting for a lock the current rows are read.
  await client.query('begin isolation level read committed')
  try {
    const { lock_timeout, statement_timeout } = (await hasMachines(client))
      ? serving_limits
      : alone_limits
    await client.query(
      `set local lock_timeout = '${lock_timeout}'; set local statement_timeout = '${statement_timeout}'`,
    )
    await refuseOldMachines(client, migration)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) as table', [name])
  return rows[0]?.table !== null
}

async function hasMachines(client: pg.ClientBase): Promise<boolean> {
  if (!(await hasTable(client, 'nodes'))) return false
  const { rowCount } = await client.query(`select from nodes where ${live_sql} limit 1`)
  return rowCount === 1
}

/** Inside the transaction of the step: until it is over no other machine enters. */
async function refuseOldMachines(client: pg.ClientBase, migration: Migration): Promise<void> {
  if (migration.min_program === 0) return
  if (!(await hasTable(client, 'nodes'))) return refuseOldSessions(client, migration)
  if (!(await hasMachines(client))) return
  await client.query('select pg_advisory_xact_lock($1)', [nodes_lock])
  const { rows } = await client.query<MachineTooOld>(
    `select id, host, version, seen_on from nodes
     where ${live_sql} and schema_version < $1 order by host, id`,
    [migration.min_program],
  )
  if (rows.length > 0) throw new MachinesTooOld(migration, rows)
}

/**
 * Programs that do not know the table of machines yet are seen by their sessions, which have this name.
 * Those of later programs have another one.
 */
const old_session_name = 'kaikei'

async function refuseOldSessions(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { rows } = await client.query<MachineTooOld>(
    `select coalesce(host(client_addr), 'this machine') as id,
       coalesce(host(client_addr), 'this machine') as host,
       'an older version' as version, clock_timestamp() as seen_on
     from pg_stat_activity where datname = current_database() and application_name = $1
       and backend_type = 'client backend' and pid <> pg_backend_pid()
     group by client_addr`,
    [old_session_name],
  )
  if (rows.length > 0) throw new MachinesTooOld(migration, rows)
}

interface Batch {
  cursor: string | null
  rows: number
}

/**
 * Each batch and its cursor are one transaction: after an interruption the next run continues. Between two
 * batches there is a pause as long as the batch, so that requests have half of the database.
 */
async function applyInBatches(
  client: pg.ClientBase,
  migration: Migration,
  onRows: OnRows,
): Promise<void> {
  const { version } = migration
  for (let is_done = false; !is_done; ) {
    const began_ms = systemClock.monotonic()
    is_done = await inTransaction(client, migration, async () => {
      const { rows: stored } = await client.query<{ cursor: string; row_count: string }>(
        'select cursor, row_count from migration_progress where version = $1',
        [version],
      )
      const { rows: found } = await client.query<Batch>(migration.sql, [stored[0]?.cursor ?? null])
      const { cursor, rows } = found[0] ?? { cursor: null, rows: 0 }
      const row_count = Number(stored[0]?.row_count ?? 0) + rows
      onRows(row_count)
      if (cursor === null) {
        await client.query('delete from migration_progress where version = $1', [version])
        await record(client, migration)
        return true
      }
      await client.query(
        `insert into migration_progress (version, cursor, row_count) values ($1, $2, $3)
         on conflict (version) do update set cursor = $2, row_count = $3`,
        [version, cursor, row_count],
      )
      return false
    })
    if (!is_done) await sleep(systemClock.monotonic() - began_ms)
  }
}

/** Builds or drops indexes while requests go on, which no transaction can contain. */
async function applyConcurrently(client: pg.ClientBase, migration: Migration): Promise<void> {
  await inTransaction(client, migration, async () => {})
  const statements = migration.sql.split(/;\s*$/m).filter((text) => text.trim() !== '')
  for (const statement of statements) {
    await runConcurrently(client, statement, (work) => inTransaction(client, migration, work))
  }
  await inTransaction(client, migration, () => record(client, migration))
}
