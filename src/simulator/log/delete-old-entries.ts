import { sql } from 'kysely'
import { firstIdAt } from '../../core/ids.ts'
import { day_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'
import { deleteOldRows, walkMerchants } from '../../store/sql/reads/walk-merchants.ts'

/**
 * Deletes what simulators know of charges past their retention, by the test clock of their merchant. A charge
 * that is not over, or that changed since, stays.
 */
export async function deleteOldEntries(
  { db, wall_clock, clocks, config }: Service,
  max_rows: number,
): Promise<number> {
  const stored_ms = config.simulator_days * day_ms
  const where = sql`not exists (select from charges c where c.merchant_id = t.merchant_id
    and c.id = t.charge_id and (c.status in ('pending', 'awaiting', 'authorized')
      or c.updated_on >= m.before_on))`
  const old = {
    table: 'simulator_operations',
    key: 'charge_id',
    where,
    beforeOf: (merchant_id: string) => firstIdAt(clocks.of(merchant_id, 'test').now() - stored_ms),
  } as const
  return walkMerchants(db, 'simulator_operations', wall_clock.now(), max_rows, (ids) =>
    deleteOldRows(db, old, ids, max_rows),
  )
}
