import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { second_ms } from '../../core/time/clock.ts'
import {
  checkProgram,
  type Migration,
  min_program_sql,
  readMigrations,
  SchemaMismatch,
} from '../known-migrations.ts'
import { partitionCharges, partitionsNote } from '../partitions/charge-partitions.ts'
import { preparePartitions } from '../partitions/event-partitions.ts'
import { applyMigration, MachinesTooOld, type MachineTooOld } from './apply-migration.ts'

/** Serializes programs that migrate at the same time. */
const migration_lock = 7_230_110_002
/** How often a lock, or machines that must be replaced first, are looked at again. */
const look_ms = second_ms / 2

interface Applied {
  version: number
  name: string
  checksum: string
}

/** The progress of a migration: its name, its number among the missing ones, and its processed rows. */
export interface MigrationProgress {
  name: string
  number: number
  count: number
  row_count: number
}

export interface MigrateOptions {
  /** The last version to apply, for tests of an older schema. */
  readonly last?: number
  /** Waits until machines are replaced that a step would break, instead of refusing it. */
  readonly waits?: boolean
  /** How many charges the operator expects: a new database is laid out for them. */
  readonly expected_charges?: number | null
  readonly signal?: AbortSignal | undefined
  onProgress?(progress: MigrationProgress): void
  /** Receives the reason for waiting. */
  onWait?(reason: string): void
  /** Receives what the operator should know, a sentence each. */
  onNote?(note: string): void
}

/**
 * Applies missing migrations and returns their names. A step that would break machines of an older release is
 * refused while they live. A machine that has died looks alive for some seconds: its row is watched until it
 * is updated, or is old.
 */
export async function migrate(
  client: pg.ClientBase,
  options: MigrateOptions = {},
): Promise<string[]> {
  const applied: string[] = []
  let first_seen: readonly MachineTooOld[] | null = null
  for (;;) {
    try {
      await applyMissing(client, options, applied)
      if (options.last === undefined) await prepareTables(client, options)
      return applied
    } catch (error) {
      if (!(error instanceof MachinesTooOld)) throw error
      first_seen ??= error.machines
      if (!options.waits && isAlive(error.machines, first_seen)) throw error
      options.onWait?.(error.message)
      await sleep(look_ms, undefined, { signal: options.signal })
    }
  }
}

/** Partitions tables. A large one of events is left to the worker. */
async function prepareTables(
  client: pg.ClientBase,
  { expected_charges = null, onNote }: MigrateOptions,
): Promise<void> {
  await partitionCharges(client, expected_charges)
  const note = await partitionsNote(client, expected_charges)
  if (note) onNote?.(note)
  const { rows } = await client.query<{ now_ms: number }>(
    'select extract(epoch from now())::float8 * 1000 as now_ms',
  )
  await preparePartitions(client, rows[0]?.now_ms ?? 0, false)
}

function isAlive(now: readonly MachineTooOld[], before: readonly MachineTooOld[]): boolean {
  const seen = new Map(before.map(({ id, seen_on }) => [id, seen_on]))
  return now.some(({ id, seen_on }) => seen_on > (seen.get(id) ?? seen_on))
}

async function applyMissing(
  client: pg.ClientBase,
  options: MigrateOptions,
  applied: string[],
): Promise<void> {
  const known = readMigrations()
  const { last = known.length } = options
  const findMissing = async () =>
    (await missingOf(client, known)).filter(({ version }) => version <= last)
  // Without the lock: a machine of the release before starts while a long migration runs.
  if ((await findMissing()).length === 0) return
  await takeLock(client, options)
  try {
    const missing = await findMissing()
    for (const [at, migration] of missing.entries()) {
      const place = { name: migration.name, number: at + 1, count: missing.length }
      const onRows = (row_count: number) => options.onProgress?.({ ...place, row_count })
      onRows(0)
      await applyMigration(client, migration, onRows)
      applied.push(migration.name)
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migration_lock])
  }
}

/** Asks again and again: an index is not built while the transaction of a waiting statement is open. */
async function takeLock(client: pg.ClientBase, { signal, onWait }: MigrateOptions): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [
      migration_lock,
    ])
    if (rows[0]?.taken) return
    onWait?.('Another program migrates the schema.')
    await sleep(look_ms, undefined, { signal })
  }
}

/** Names of migrations that the database lacks; throws when this program cannot work with it. */
export async function missingMigrations(client: pg.ClientBase): Promise<string[]> {
  return (await missingOf(client, readMigrations())).map(({ name }) => name)
}

async function missingOf(client: pg.ClientBase, known: Migration[]): Promise<Migration[]> {
  const { rows: found } = await client.query(`select to_regclass('schema_migrations') as table`)
  if (found[0]?.table === null) return known
  const { rows: applied } = await client.query<Applied>(
    'select version, name, checksum from schema_migrations order by version',
  )
  const { rows } = await client.query<{ min_program: number }>(min_program_sql)
  checkProgram(rows[0]?.min_program ?? 0, known.length)
  for (const { version, name, checksum } of applied) {
    const migration = known[version - 1]
    if (migration && migration.checksum !== checksum) {
      throw new SchemaMismatch(
        `Migration ${name} was changed after it had been applied. Restore its original text.`,
      )
    }
  }
  return known.slice(applied.length)
}
