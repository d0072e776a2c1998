import { firstIdAt } from '../../core/ids.ts'
import { day_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'
import { deleteOldRows, walkMerchants } from '../../store/sql/reads/walk-merchants.ts'

/** Deletes requests past their retention, of some merchants at a time. */
export async function deleteOldRequests(
  { db, wall_clock, config }: Service,
  max_rows: number,
): Promise<number> {
  const now_ms = wall_clock.now()
  const before = firstIdAt(now_ms - config.request_log_days * day_ms)
  const old = { table: 'request_log', key: 'id', beforeOf: () => before } as const
  return walkMerchants(db, 'request_log', now_ms, max_rows, (ids) =>
    deleteOldRows(db, old, ids, max_rows),
  )
}
