import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isNameIn } from '../../core/table-names.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Db } from '../tables/db.ts'
import type { Tables } from '../tables/tables.ts'
import type { TestClocks } from './test-clocks.ts'

/** Tables whose rows are their own queue: they have `due_on` and `claims`. */
export type QueueTable = {
  [Name in keyof Tables]: Tables[Name] extends { id: string; due_on: Date | null; claims: unknown }
    ? Name
    : never
}[keyof Tables]

/** A claimed row. Its `claims` grow with every claim: only the result of the newest is accepted. */
export type Claimed<Name extends QueueTable> = Selectable<Tables[Name]>

/** Tables whose due rows are found in another table, which follows their `due_on`: see migration 0012. */
const followed = { charges: 'charges_due', transaction_tokens: 'transaction_tokens_due' } as const

/** The table to search for due rows. */
export function dueTable(table: QueueTable): string {
  return isNameIn(followed, table) ? followed[table] : table
}

/** The caller that looks for work: its time, and whether for one merchant's test mode only. */
export interface Claimer {
  readonly db: Db
  readonly clock: Clock
  readonly clocks: TestClocks
  readonly only_merchant: string | null
}

export interface ClaimOptions {
  readonly lease_ms: number
  readonly max_rows: number
  /** Due by real time, whatever merchants do with their test clocks. */
  readonly by_machine?: boolean
  /** More columns to write with the claim. */
  readonly set?: RawBuilder<unknown>
  /** How many rows of each merchant are in progress: merchants with few come first. */
  readonly held?: ReadonlyMap<string, number>
  /** Merchants that get no more now. */
  readonly passed_over?: readonly string[]
}

/** How many times the wanted rows are examined, to find those of merchants with little in progress. */
const look_ahead = 4

/**
 * Claims the rows that have been due for longest, of merchants in rotation: first the oldest of each, then
 * the second. A merchant's rows in progress count as claimed. Rows that another process is claiming are
 * skipped; a claimed row is due again when its lease ends, so a process that died blocks nothing. Merchants
 * with a moved test clock are processed separately.
 */
export async function claimDue<Name extends QueueTable>(
  { db, clock, clocks, only_merchant }: Claimer,
  table: Name,
  { lease_ms, max_rows, by_machine, set, held = new Map(), passed_over = [] }: ClaimOptions,
): Promise<Claimed<Name>[]> {
  const now = new Date(clock.now())
  const lease_ends = new Date(now.getTime() + lease_ms)
  const apart = by_machine ? [] : clocks.moved()
  const whose = only_merchant
    ? sql`and merchant_id = ${only_merchant} and mode = 'test'`
    : apart.length > 0
      ? sql`and not (mode = 'test' and merchant_id = any(${apart}))`
      : sql``
  const rest = passed_over.length > 0 ? sql`and merchant_id <> all(${passed_over})` : sql``
  const { rows } = await sql<Claimed<Name>>`
    with soonest as (
      select merchant_id, id, due_on from ${sql.table(dueTable(table))}
      where due_on <= ${now} ${whose} ${rest}
      order by due_on
      limit ${max_rows * look_ahead}
    ), ranked as (
      select s.merchant_id, s.id, s.due_on, coalesce(h.count, 0)
        + row_number() over (partition by s.merchant_id order by s.due_on) as place
      from soonest s
      left join unnest(${[...held.keys()]}::uuid[], ${[...held.values()]}::integer[])
        as h (merchant_id, count) on h.merchant_id = s.merchant_id
    ), due as (
      select found.merchant_id, found.id
      from (select * from ranked order by place, due_on) as r
      cross join lateral (
        select t.merchant_id, t.id from ${sql.table(table)} t
        where t.merchant_id = r.merchant_id and t.id = r.id and t.due_on <= ${now}
        limit 1 for update skip locked
      ) as found
      limit ${max_rows}
    )
    update ${sql.table(table)} as t
    set due_on = ${lease_ends}, claims = t.claims + 1 ${set ?? sql``}
    from due where t.merchant_id = due.merchant_id and t.id = due.id
    returning t.*`.execute(db)
  return rows
}

/**
 * The guard of every change that a claim makes: the row was not claimed again meanwhile and, where a
 * state is given, is still in it.
 */
export function stillClaimed(
  { merchant_id, id, claims }: { merchant_id: string; id: string; claims: number },
  status?: string,
) {
  const claimed = sql<boolean>`merchant_id = ${merchant_id} and id = ${id} and claims = ${claims}`
  return status === undefined ? claimed : sql<boolean>`${claimed} and status = ${status}`
}

/** Sets when a claimed row is due again, unless it was claimed again meanwhile. */
export async function reschedule(
  db: Db,
  table: QueueTable,
  { merchant_id, id, claims }: { merchant_id: string; id: string; claims: number },
  due_on: Date,
): Promise<void> {
  await sql`update ${sql.table(table)} set due_on = ${due_on}
    where merchant_id = ${merchant_id} and id = ${id} and claims = ${claims}`.execute(db)
}

/**
 * The tables that may have due rows, in one statement: it costs less than claiming from each. A row of a
 * merchant whose test clock is behind the latest one is found and not claimed.
 */
export async function findDueTables(
  { db, clock, clocks, only_merchant }: Claimer,
  tables: readonly QueueTable[],
): Promise<Set<QueueTable>> {
  const moved = only_merchant ? [] : clocks.moved()
  const times = [clock, ...moved.map((id) => clocks.of(id, 'test'))].map((one) => one.now())
  const latest = new Date(Math.max(...times))
  const looks = tables.map(
    (table) => sql`select ${sql.lit(table)} as name
      where exists (select from ${sql.table(dueTable(table))} where due_on <= ${latest})`,
  )
  const { rows } = await sql<{ name: QueueTable }>`${sql.join(looks, sql` union all `)}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
