import { sql } from 'kysely'
import { first_id, firstIdAt } from '../core/ids.ts'
import { day_ms } from '../core/time/clock.ts'
import type { Service } from '../service.ts'
import type { Db } from '../store/tables/db.ts'

/** The first id of an event that is kept: older ones are deleted, or are about to be. */
export async function storedFrom(db: Db): Promise<string> {
  const row = await db.selectFrom('event_retention').select('kept_from').executeTakeFirst()
  return row?.kept_from ?? first_id
}

/** In a statement. */
export const kept_from = sql`(select kept_from from event_retention)`

/** The first id of an event whose deliveries are kept. */
export function deliveriesStoredFrom({ config, wall_clock }: Service): string {
  return firstIdAt(wall_clock.now() - config.deliveries_days * day_ms)
}
