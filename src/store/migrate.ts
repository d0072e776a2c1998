import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { PlainError } from '../core/plain-error.ts'

/** The schema cannot be brought to the state this code needs; the message says what to do. */
export class SchemaMismatch extends PlainError {}

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

/** Serializes processes that start at the same time on one database. */
const migration_lock = 7_230_110_002
const folder = new URL('./migrations/', import.meta.url)

/** The numbered files, in order. A gap or a duplicate number is a programming error. */
export function readMigrations(): Migration[] {
  const migrations = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: Number(name.slice(0, 4)), name, sql, checksum }
    })
  migrations.forEach(({ version, name }, index) => {
    if (version !== index + 1) throw new Error(`Migration ${name} is out of order.`)
  })
  return migrations
}

interface Applied {
  version: number
  name: string
  checksum: string
}

async function readApplied(client: pg.ClientBase): Promise<Applied[]> {
  const { rows: found } = await client.query(`select to_regclass('schema_migrations') as table`)
  if (found[0]?.table === null) return []
  const { rows } = await client.query<Applied>(
    'select version, name, checksum from schema_migrations order by version',
  )
  return rows
}

function checkApplied(applied: Applied[], known: Migration[]): void {
  const newest = applied.at(-1)
  if (newest && newest.version > known.length) {
    throw new SchemaMismatch(
      `The database has schema version ${newest.version}, this program knows ${known.length}. ` +
        'Start a newer version of the program, or restore a backup made with this one.',
    )
  }
  for (const { version, name, checksum } of applied) {
    if (known[version - 1]?.checksum !== checksum) {
      throw new SchemaMismatch(
        `Migration ${name} was changed after it had been applied. Restore its original text.`,
      )
    }
  }
}

/** Called before a migration is applied, with its place among those that are missing. */
export type OnMigration = (name: string, number: number, count: number) => void

/**
 * Applies missing migrations, each file in its own transaction; returns their names. Tests of an older
 * schema set the last version.
 */
export async function migrate(
  client: pg.ClientBase,
  last?: number,
  onMigration?: OnMigration,
): Promise<string[]> {
  const known = readMigrations()
  await client.query('select pg_advisory_lock($1)', [migration_lock])
  try {
    const applied = await readApplied(client)
    checkApplied(applied, known)
    const missing = known.slice(applied.length, last)
    for (const [at, migration] of missing.entries()) {
      onMigration?.(migration.name, at + 1, missing.length)
      await apply(client, migration)
    }
    return missing.map(({ name }) => name)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migration_lock])
  }
}

/** Versions that the database lacks; throws when it is ahead of this program. */
export async function missingMigrations(client: pg.ClientBase): Promise<string[]> {
  const known = readMigrations()
  const applied = await readApplied(client)
  checkApplied(applied, known)
  return known.slice(applied.length).map(({ name }) => name)
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  // Read committed: after waiting for a lock the current rows are read.
  await client.query('begin isolation level read committed')
  try {
    await client.query(`set local lock_timeout = '10s'`)
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null,
      applied_on timestamptz not null default now())`)
    await client.query(migration.sql)
    await client.query(
      'insert into schema_migrations (version, name, checksum) values ($1, $2, $3)',
      [migration.version, migration.name, migration.checksum],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
