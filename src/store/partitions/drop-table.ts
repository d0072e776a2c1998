import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { drop_policy } from '../../core/limits/retry-policies.ts'

/** A table up to this many bytes is dropped in one step. */
const max_dropped_bytes = 32_000_000
/** The pages that a statement empties: commits of requests wait behind its log. */
const pages_emptied = 16
/** The pages that a step empties. PostgreSQL releases a thousand or more. */
const pages_of_step = 1024

/**
 * `begun`: it is not gone yet. `waits`: an old snapshot, of any transaction, keeps its rows. `rests`: another
 * machine has just done a step.
 */
export type DropStep = 'dropped' | 'begun' | 'waits' | 'rests'

interface DropPace {
  readonly pause_ms: number
  readonly rest_ms: number
}

interface TableState {
  readonly bytes: string
  readonly pages: string
  readonly key: string | null
  readonly index: string | null
  readonly is_published: boolean
  readonly rested_ms: number | null
}

const state_sql = `
  select pg_total_relation_size(c.oid) as bytes,
    pg_relation_size(c.oid) / current_setting('block_size')::integer as pages,
    (select conname from pg_constraint where conrelid = c.oid and contype in ('p', 'u') limit 1) as key,
    (select indexrelid::regclass::text from pg_index where indrelid = c.oid limit 1) as index,
    exists (select from pg_publication_tables where tablename = c.relname
      and schemaname = c.relnamespace::regnamespace::text) as is_published,
    (select extract(epoch from clock_timestamp() - last_vacuum)::float * 1000
      from pg_stat_user_tables where relid = c.oid) as rested_ms
  from pg_class c where c.oid = to_regclass($1)`

/**
 * One step of dropping a table that nothing uses, until it is gone. A file system takes long to free a
 * large file, and commits wait for that. So the indexes go one by one, and then the table from its end on.
 * A published one is dropped in one step: subscribers would delete its rows as well.
 */
export async function dropTableStep(
  client: pg.ClientBase,
  name: string,
  { pause_ms, rest_ms }: DropPace = drop_policy,
): Promise<DropStep> {
  const state = await readState(client, name)
  const { bytes, pages, key, index, is_published, rested_ms } = state
  if (bytes <= max_dropped_bytes || pages < pages_of_step || is_published) {
    await dropTable(client, name)
    return 'dropped'
  }
  if (key !== null) await client.query(`alter table ${name} drop constraint ${key}`)
  else if (index !== null) await client.query(`drop index ${index}`)
  else return rested_ms < rest_ms ? 'rests' : shrink(client, name, pause_ms)
  return 'begun'
}

export async function dropTable(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`drop table if exists ${name}`)
}

async function readState(client: pg.ClientBase, name: string) {
  const { rows } = await client.query<TableState>(state_sql, [name])
  const { bytes = '0', pages = '0', key = null, index = null } = rows[0] ?? {}
  const { is_published = false, rested_ms = null } = rows[0] ?? {}
  const rested = rested_ms ?? Number.POSITIVE_INFINITY
  return { bytes: Number(bytes), pages: Number(pages), key, index, is_published, rested_ms: rested }
}

/** Gives back what the step before has emptied, which by now no transaction sees, and empties the new end. */
async function shrink(
  client: pg.ClientBase,
  name: string,
  pause_ms: number,
): Promise<'begun' | 'waits'> {
  // Freezing rows would be wasted: the table is soon gone.
  await client.query(`set vacuum_freeze_min_age = 1000000000; set vacuum_freeze_table_age = 2000000000;
    set vacuum_cost_delay = '2ms'`)
  await client.query(`vacuum (truncate, index_cleanup on) ${name}`)
  const { pages } = await readState(client, name)
  let deleted = 0
  for (let done = 0; done < pages_of_step; done += pages_emptied) {
    const from = Math.max(0, pages - done - pages_emptied)
    const { rowCount } = await client.query(
      `delete from ${name} where ctid >= '(${from},0)' and ctid < '(${pages - done},0)'`,
    )
    deleted += rowCount ?? 0
    await sleep(pause_ms)
  }
  return deleted > 0 ? 'begun' : 'waits'
}
