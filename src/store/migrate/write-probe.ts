import type pg from 'pg'
import { PlainError } from '../../core/api/plain-error.ts'
import { errorOf } from '../../core/read-unknown.ts'
import { min_program_sql, programFault, readMigrations } from '../known-migrations.ts'

/**
 * Spills a quarter of a megabyte to a temporary file, which needs disk space as a growing table does;
 * then rewrites an unchanged row, and commits. The row is the newest migration, which identifies the
 * schema version.
 */
const probe = `
  select set_config('work_mem', '64kB', true), set_config('lock_timeout', '1s', true);
  with pages as materialized (select repeat('x', 8000) as page from generate_series(1, 32))
    select sum(length(page)) from pages;
  update schema_migrations set applied_on = applied_on
    where version = (select max(version) from schema_migrations)
    returning version, (${min_program_sql})`

/**
 * Attempts a write that changes nothing; throws when it fails, or when this program does not fit the schema.
 * A schema that a newer program has extended fits.
 */
export function newWriteProbe(pool: pg.Pool): () => Promise<void> {
  const known = readMigrations().length
  return async () => {
    const results = await onSession(pool)
    const { version = 0, min_program = 0 } = results.at(-1)?.rows[0] ?? {}
    const fault = programFault(min_program, known)
    if (fault) throw new PlainError(fault)
    if (version >= known) return
    throw new PlainError(
      `the database has schema version ${version}, this program needs ${known}: start the service again`,
    )
  }
}

interface Probed {
  version: number
  min_program: number
}

/** On a separate session: only those have a limit on how long a network may swallow a result. */
async function onSession(pool: pg.Pool): Promise<pg.QueryResult<Probed>[]> {
  const client = await pool.connect()
  let fault: Error | undefined
  try {
    return (await client.query(probe)) as unknown as pg.QueryResult<Probed>[]
  } catch (error) {
    fault = errorOf(error)
    throw error
  } finally {
    client.release(fault)
  }
}
