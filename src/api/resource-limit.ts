import { sql } from 'kysely'
import { fail } from '../core/api/errors.ts'
import { noteHit } from '../core/limits/limit-hits.ts'
import { type LimitedResource, resource_limits } from '../core/limits/limits.ts'
import type { Transacting } from '../service.ts'

interface Owner {
  merchant_id: string
  store_id?: string | null
}

const counted = {
  stores: 'stores',
  store_webhooks: 'webhooks',
  merchant_webhooks: 'webhooks',
  store_app_tokens: 'app_tokens',
  merchant_app_tokens: 'app_tokens',
  bank_accounts: 'bank_accounts',
  payment_links: 'payment_links',
} as const satisfies Record<LimitedResource, string>

/**
 * Checks that one more is allowed. The owner's row is locked first: creates of one owner are
 * serialized, and each counts what the previous ones created.
 */
export async function requirePlace(
  service: Transacting,
  resource: LimitedResource,
  { merchant_id, store_id = null }: Owner,
): Promise<void> {
  const { max, owner } = resource_limits[resource]
  const table = counted[resource]
  const of_store = owner === 'store' || table === 'webhooks' || table === 'app_tokens'
  const is_link = table === 'payment_links'
  const lock =
    owner === 'store'
      ? sql`select from stores where merchant_id = ${merchant_id} and id = ${store_id}
            and deleted_on is null for no key update`
      : sql`select from merchants where id = ${merchant_id} for no key update`
  const locked = await lock.execute(service.db)
  if (locked.rows.length === 0) fail('NOT_FOUND')
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)}
    where merchant_id = ${merchant_id} and ${is_link ? sql`active` : sql`deleted_on is null`}
    ${of_store ? sql`and store_id is not distinct from ${store_id}` : sql``}
  `.execute(service.db)
  if ((rows[0]?.count ?? 0) >= max) {
    noteHit(resource)
    const what = table.replace('_', ' ')
    const way_out = is_link ? 'switch one off' : 'delete one'
    fail('RESOURCE_LIMIT_REACHED', {
      message: `A ${owner} can have at most ${max} ${what}; ${way_out} first.`,
    })
  }
}
