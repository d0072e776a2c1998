import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { drop_policy } from '../core/limits/retry-policies.ts'

/** A table of so many bytes is dropped at once. */
const max_dropped_bytes = 32_000_000
/** So many pages are emptied by a statement: commits of requests wait behind its log. */
const pages_emptied = 16
/** So many are given back by a step. PostgreSQL gives back a thousand or more. */
const pages_given_back = 1024

/** `waits`: a transaction that could still read the table holds its rows. */
export type DropStep = 'dropped' | 'smaller' | 'waits'

interface DropPace {
  readonly pause_ms: number
  readonly rest_ms: number
}

interface TableSize {
  readonly bytes: string
  readonly pages: string
  readonly key: string | null
  readonly index: string | null
  readonly rested_ms: number | null
}

const size_sql = `
  select pg_total_relation_size(t.oid) as bytes,
    pg_relation_size(t.oid) / current_setting('block_size')::integer as pages,
    (select conname from pg_constraint where conrelid = t.oid and contype in ('p', 'u') limit 1) as key,
    (select indexrelid::regclass::text from pg_index where indrelid = t.oid limit 1) as index,
    (select extract(epoch from clock_timestamp() - last_vacuum)::float * 1000
      from pg_stat_user_tables where relid = t.oid) as rested_ms
  from (select to_regclass($1) as oid) as t where t.oid is not null`

/**
 * One step of dropping a table that nothing uses, until it is gone. A file system takes long to free a large
 * file, and commits wait for that. So the indexes go one by one, and then the table from its end on.
 */
export async function dropTableStep(
  client: pg.ClientBase,
  name: string,
  { pause_ms, rest_ms }: DropPace = drop_policy,
): Promise<DropStep> {
  const { bytes, pages, key, index, rested_ms } = await sizeOf(client, name)
  if (bytes <= max_dropped_bytes || pages < pages_given_back) {
    await client.query(`drop table if exists ${name}`)
    return 'dropped'
  }
  if (key !== null) await client.query(`alter table ${name} drop constraint ${key}`)
  else if (index !== null) await client.query(`drop index ${index}`)
  // Another machine may have done a step meanwhile.
  else if (rested_ms >= rest_ms) return giveBackEnd(client, name, pages, pause_ms)
  return 'smaller'
}

async function sizeOf(client: pg.ClientBase, name: string) {
  const { rows } = await client.query<TableSize>(size_sql, [name])
  const { bytes = '0', pages = '0', key = null, index = null, rested_ms = null } = rows[0] ?? {}
  const rested = rested_ms ?? Number.POSITIVE_INFINITY
  return { bytes: Number(bytes), pages: Number(pages), key, index, rested_ms: rested }
}

async function giveBackEnd(
  client: pg.ClientBase,
  name: string,
  pages: number,
  pause_ms: number,
): Promise<'smaller' | 'waits'> {
  for (let done = pages_emptied; done <= pages_given_back; done += pages_emptied) {
    await client.query(`delete from ${name} where ctid >= '(${pages - done},0)'`)
    await sleep(pause_ms)
  }
  // Rows are not kept for so long that marking them as old would be worth it.
  await client.query(
    'set vacuum_freeze_min_age = 1000000000; set vacuum_freeze_table_age = 2000000000',
  )
  await client.query(`vacuum (truncate, index_cleanup off) ${name}`)
  return (await sizeOf(client, name)).pages < pages ? 'smaller' : 'waits'
}
