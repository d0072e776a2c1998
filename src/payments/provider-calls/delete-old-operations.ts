import { sql } from 'kysely'
import { day_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'

/** Deletes records of operations past their retention, a part at a time. */
export async function deleteOldOperations(
  { db, wall_clock, config }: Service,
  max_rows: number,
): Promise<number> {
  const before = new Date(wall_clock.now() - config.provider_operations_days * day_ms)
  const { rows } = await sql`
    delete from provider_operations where ctid in (
      select ctid from provider_operations where started_on < ${before}
      order by started_on limit ${max_rows} for update skip locked)
    returning 1`.execute(db)
  return rows.length
}
