import { sql } from 'kysely'
import { remember } from '../../../accounts/credentials/cached-credentials.ts'
import { day_ms, minute_ms } from '../../../core/time/time-units.ts'
import type { Service } from '../../../service.ts'
import type { CheckoutSession } from '../checkout-session.ts'

const window_ms = 30 * day_ms
/** The order of a page may be this old: it costs a sum over a month of hours. */
const cached_ms = 10 * minute_ms
const max_methods = 20

interface Cached {
  readonly read_on: number
  readonly usual: readonly string[]
}
const cache = new Map<string, Cached>()

/** How the store's customers paid in the last month, as `payment_type/brand`, most used first. */
export async function usualMethods(
  service: Service,
  { merchant_id, store_id, mode }: CheckoutSession,
): Promise<readonly string[]> {
  const now = service.clock.now()
  const key = `${merchant_id} ${store_id} ${mode}`
  const known = cache.get(key)
  if (known && Math.abs(now - known.read_on) < cached_ms) return known.usual
  const { rows } = await sql<{ method: string }>`
    select payment_type || '/' || brand as method from activity_hours
    where merchant_id = ${merchant_id} and mode = ${mode} and store_id = ${store_id}
      and hour >= ${new Date(now - window_ms)} and outcome = 'successful'
    group by payment_type, brand order by sum(count) desc, 1 limit ${sql.lit(max_methods)}`.execute(
    service.db,
  )
  const usual = rows.map(({ method }) => method)
  remember(cache, key, { read_on: now, usual })
  return usual
}
