import { type RawBuilder, sql } from 'kysely'
import { first_id, instantOf } from '../../../core/ids.ts'
import { minute_ms } from '../../../core/time/clock.ts'
import type { Db } from '../../tables/db.ts'
import type { Tables } from '../../tables/tables.ts'
import { perPool } from '../batches/batch.ts'

/** Merchants that are looked at in one run. */
const max_merchants = 50
/** When all merchants were looked at, the next round begins after this time. */
const round_pause_ms = 10 * minute_ms

interface Progress {
  last_merchant: string
  pauses_until_ms: number
}

/** How far each walk has come, of each database. After a restart it begins again. */
const progressOf = perPool(() => new Map<string, Progress>())

/**
 * Calls `work` for some merchants, and at the next call for the next ones. Keys of tables begin with the
 * merchant, and another index for old rows would cost every write. While there is more of the same
 * merchants, they are not left.
 */
export async function walkMerchants(
  db: Db,
  name: string,
  now_ms: number,
  max_rows: number,
  work: (merchant_ids: readonly string[]) => Promise<number>,
): Promise<number> {
  const all = progressOf(db)
  const progress = all.get(name) ?? { last_merchant: first_id, pauses_until_ms: 0 }
  if (now_ms < progress.pauses_until_ms) return 0
  const { rows } = await sql<{ id: string }>`select id from merchants
    where id > ${progress.last_merchant}::uuid order by id limit ${sql.lit(max_merchants)}`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  const count = ids.length > 0 ? await work(ids) : 0
  if (count >= max_rows) return count
  const is_end = ids.length < max_merchants
  all.set(name, {
    last_merchant: is_end ? first_id : (ids.at(-1) ?? first_id),
    pauses_until_ms: is_end ? now_ms + round_pause_ms : 0,
  })
  return count
}

/** Rows along an index that begins with the merchant, perhaps the mode, and the key. */
export interface OldRows {
  readonly table: keyof Tables
  /** An id, which contains its time. */
  readonly key: string
  readonly by_mode?: boolean
  /** More that must hold of a row `t`; `m.before_on` is the time before which rows are old. */
  readonly where?: RawBuilder<unknown>
  /** Rows of a merchant with smaller keys are old. */
  beforeOf(merchant_id: string): string
}

/** Deletes old rows of these merchants, at most so many. Rows that another transaction has locked stay. */
export async function deleteOldRows(
  db: Db,
  { table, key, by_mode, where, beforeOf }: OldRows,
  merchant_ids: readonly string[],
  max_rows: number,
): Promise<number> {
  const of_mode = by_mode ? sql`and t.mode = mode.name` : sql``
  const modes = by_mode ? sql`cross join unnest(array['test', 'live']) as mode (name)` : sql``
  const before = merchant_ids.map(beforeOf)
  const before_on = before.map((id) => new Date(instantOf(id)))
  const { rows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select old.place from unnest(${[...merchant_ids]}::uuid[], ${before}::uuid[],
        ${before_on}::timestamptz[]) as m (id, before, before_on) ${modes} cross join lateral (
        select t.ctid as place from ${sql.table(table)} t
        where t.merchant_id = m.id ${of_mode} and ${sql.ref(`t.${key}`)} < m.before
          ${where ? sql`and ${where}` : sql``}
        order by ${sql.ref(`t.${key}`)} limit ${max_rows} for update skip locked) as old
      limit ${max_rows}))
    returning 1`.execute(db)
  return rows.length
}
