import type pg from 'pg'
import { firstIdAt, instantOf } from '../../core/ids.ts'
import { faultOf } from '../../core/read-unknown.ts'
import { day_ms } from '../../core/time/clock.ts'
import { live_sql } from '../sql/connections/live-nodes.ts'

// `events` is partitioned by month of its id, which contains the time. `events_first` has everything up to
// the month in which the table was converted, `events_later` everything after the last month that exists.
// There is no default partition: with one, no partition could be detached while statements run.

/** Serializes programs that change partitions. */
export const partitions_lock = 7_230_110_006
/** The first schema version whose programs give events ids of the database's time. */
const first_version = 30
/** So many months exist ahead, beside the current one. */
const months_ahead = 2
/** A larger table is converted by the worker, not by a start, which must be quick. */
const max_short_bytes = 64_000_000
/** Requests wait behind a waiting change of the table, so it does not wait for long. */
const lock_timeout = '200ms'

export interface EventPartition {
  readonly name: string
  readonly from_ms: number
  readonly to_ms: number
  /** It was being detached when the program ended. */
  readonly is_detaching: boolean
}

/** The partitions of `events`; none: the table was not converted yet. */
export const partitions_sql = `
  select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound,
    i.inhdetachpending as is_detaching
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.oid = to_regclass('events') and p.relkind = 'p'`

export interface PartitionRow {
  readonly name: string
  readonly bound: string | null
  readonly is_detaching: boolean
}

/** In the order of time. */
export function partitionsOf(rows: readonly PartitionRow[]): EventPartition[] {
  const boundOf = (bound: string | null, word: 'FROM' | 'TO', without: number) => {
    const id = new RegExp(`${word} \\('([0-9a-f-]{36})'\\)`).exec(bound ?? '')?.[1]
    return id === undefined ? without : instantOf(id)
  }
  return rows
    .map(({ name, bound, is_detaching }) => ({
      name,
      from_ms: boundOf(bound, 'FROM', Number.NEGATIVE_INFINITY),
      to_ms: boundOf(bound, 'TO', Number.POSITIVE_INFINITY),
      is_detaching,
    }))
    .sort((a, b) => a.to_ms - b.to_ms)
}

export async function readPartitions(client: pg.ClientBase): Promise<EventPartition[]> {
  return partitionsOf((await client.query<PartitionRow>(partitions_sql)).rows)
}

/** The first instant of a month, so many months after that of an instant. */
export function monthStart(ms: number, months: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}

/** Whether the months that events will need soon exist. */
export function areAhead(partitions: readonly EventPartition[], now_ms: number): boolean {
  return (partitions.at(-1)?.from_ms ?? 0) > monthStart(now_ms, months_ahead)
}

/**
 * Makes `events` a partitioned table, and the months that it will need. Returns whether that is done: it is
 * not while another program does it, while machines of an older release serve, or when the table is in use
 * for long. Every step can be repeated after an interruption.
 */
export async function preparePartitions(
  client: pg.ClientBase,
  now_ms: number,
  may_take_long: boolean,
): Promise<boolean> {
  if (areAhead(await readPartitions(client), now_ms)) return true
  return withPartitionsLock(client, false, async () => {
    const found = await readPartitions(client)
    if (found.length === 0 && !(await convert(client, now_ms, may_take_long))) return false
    for (;;) {
      const partitions = await readPartitions(client)
      if (areAhead(partitions, now_ms)) return true
      await addMonth(client, partitions.at(-1)?.from_ms ?? now_ms)
    }
  })
}

/** Runs work that no other program does meanwhile; `otherwise`: one does, or a lock was not free. */
export async function withPartitionsLock<T>(
  client: pg.ClientBase,
  otherwise: T,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [partitions_lock])
  if (!rows[0]?.taken) return otherwise
  try {
    return await work()
  } catch (error) {
    if (faultOf(error).code !== '55P03') throw error
    return otherwise
  } finally {
    await client.query('select pg_advisory_unlock($1)', [partitions_lock])
  }
}

async function inTransaction(client: pg.ClientBase, text: string): Promise<void> {
  try {
    await client.query(`begin; set local lock_timeout = '${lock_timeout}'; ${text}; commit`)
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * The table itself becomes the first partition, and no row is copied. That needs a validated constraint that
 * its rows are before a limit; rows after it (of test clocks, written by older releases) go to a child table
 * first, where every statement still finds them. Only the first and the last step lock the table, for
 * milliseconds.
 */
async function convert(
  client: pg.ClientBase,
  now_ms: number,
  may_take_long: boolean,
): Promise<boolean> {
  const { rows } = await client.query<{ bytes: string; old_machines: boolean }>(
    `select pg_total_relation_size('events') as bytes, exists (
       select from nodes where ${live_sql} and schema_version < ${first_version}) as old_machines`,
  )
  const { bytes = '0', old_machines = false } = rows[0] ?? {}
  const is_large = Number(bytes) > max_short_bytes
  if (old_machines || (is_large && !may_take_long)) return false
  let limit = await limitOf(client)
  // Nothing could be written after it: an attempt that was interrupted for so long begins again.
  if (limit !== null && instantOf(limit) - now_ms < 7 * day_ms) {
    await inTransaction(client, undoLimit())
    limit = null
  }
  if (limit === null) {
    limit = firstIdAt(monthStart(now_ms + 7 * day_ms, is_large ? 3 : 1))
    await inTransaction(client, setLimit(limit))
  }
  await client.query(`with moved as (delete from only events where id >= '${limit}' returning *)
    insert into events_later select * from moved`)
  await client.query('alter table events validate constraint events_range')
  await inTransaction(client, replaceTable(limit))
  return true
}

async function limitOf(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_constraintdef(oid) as text from pg_constraint
     where conrelid = 'events'::regclass and conname = 'events_range'`,
  )
  return /'([0-9a-f-]{36})'/.exec(rows[0]?.text ?? '')?.[1] ?? null
}

const setLimit = (limit: string) => `
  create table events_later (like events including all) inherits (events);
  alter table events_later add constraint events_later_range check (id >= '${limit}');
  alter table events add constraint events_range check (id < '${limit}') no inherit not valid`

const undoLimit = () => `
  alter table events drop constraint events_range;
  insert into events select * from events_later;
  drop table events_later`

const replaceTable = (limit: string) => `
  alter table events_later no inherit events;
  drop trigger events_are_final on events;
  alter table events rename to events_first;
  create table events (like events_first) partition by range (id);
  create trigger events_are_final before update on events
    for each row execute function refuse_change();
  alter table events attach partition events_first for values from (minvalue) to ('${limit}');
  alter table events attach partition events_later for values from ('${limit}') to (maxvalue);
  alter table events_first drop constraint events_range;
  alter table events_later drop constraint events_later_range`

/** Takes a month out of `events_later`, which is empty unless an older release has moved test clocks. */
async function addMonth(client: pg.ClientBase, from_ms: number): Promise<void> {
  const name = `events_${new Date(from_ms).toISOString().slice(0, 7).replace('-', '_')}`
  const [from, to] = [firstIdAt(from_ms), firstIdAt(monthStart(from_ms, 1))]
  await inTransaction(
    client,
    `create table ${name} (like events_later including all);
     alter table events detach partition events_later;
     with moved as (delete from events_later where id < '${to}' returning *)
       insert into ${name} select * from moved;
     alter table events attach partition ${name} for values from ('${from}') to ('${to}');
     alter table events attach partition events_later for values from ('${to}') to (maxvalue)`,
  )
}

/** Marks a month that is deleted. One that an operator has detached, to archive it, does not have it. */
const deleted_mark = 'Past its retention: kaikei drops it.'

/** Tables that were detached and not dropped yet. */
const detached_sql = `
  select relname as name from pg_class
  where relkind = 'r' and not relispartition and relname like 'events\\_%'
    and relnamespace = (select relnamespace from pg_class where oid = to_regclass('events'))
    and obj_description(oid, 'pg_class') = '${deleted_mark}'
  order by relname limit 1`

/** A month that was detached and is not dropped yet. Nothing refers to it any more. */
export async function findDetached(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(detached_sql)
  return rows[0]?.name ?? null
}

/**
 * Detaches a month while statements go on: it waits until those that use it have ended, and nothing waits for
 * it. When that takes too long, the next attempt finishes it.
 */
export async function detachPartition(
  client: pg.ClientBase,
  { name, is_detaching }: EventPartition,
): Promise<void> {
  await client.query(`comment on table ${name} is '${deleted_mark}'`)
  const how = is_detaching ? 'finalize' : 'concurrently'
  await client.query(`alter table events detach partition ${name} ${how}`)
}
