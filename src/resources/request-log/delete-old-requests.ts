import { sql } from 'kysely'
import { day_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'

/** Deletes requests past their retention, a part at a time. */
export async function deleteOldRequests(
  { db, wall_clock, config }: Service,
  max_rows: number,
): Promise<number> {
  const before = new Date(wall_clock.now() - config.request_log_days * day_ms)
  const { rows } = await sql`
    delete from request_log where ctid in (
      select ctid from request_log where created_on < ${before}
      order by created_on limit ${max_rows} for update skip locked)
    returning 1`.execute(db)
  return rows.length
}
