import { sql } from 'kysely'
import { firstIdAt } from '../../core/ids.ts'
import { day_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'
import type { Db } from '../../store/open-store.ts'
import { perPool } from '../../store/sql/batch.ts'

/** Merchants whose requests are looked at in one run. */
const max_merchants = 50
const before_all = firstIdAt(0)

/** The last merchant that was looked at, of each database. */
const progressOf = perPool(() => ({ last_merchant: before_all }))

async function nextMerchants(db: Db, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from merchants where id > ${after}::uuid
    order by id limit ${sql.lit(max_merchants)}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes requests past their retention, of some merchants at a time, one after the other: the key of the log
 * begins with the merchant, and another index would cost every request.
 */
export async function deleteOldRequests(
  { db, wall_clock, config }: Service,
  max_rows: number,
): Promise<number> {
  const before = firstIdAt(wall_clock.now() - config.request_log_days * day_ms)
  const progress = progressOf(db)
  const next = await nextMerchants(db, progress.last_merchant)
  const ids = next.length > 0 ? next : await nextMerchants(db, before_all)
  const { rows } = await sql`
    delete from request_log where ctid = any(array(
      select old.place from unnest(${ids}::uuid[]) as m (id) cross join lateral (
        select ctid as place from request_log where merchant_id = m.id and id < ${before}::uuid
        order by id limit ${max_rows} for update skip locked) as old
      limit ${max_rows}))
    returning 1`.execute(db)
  // The same merchants again while there is more.
  if (rows.length < max_rows) progress.last_merchant = ids.at(-1) ?? before_all
  return rows.length
}
