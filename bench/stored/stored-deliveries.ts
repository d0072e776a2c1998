import { createWebhook } from '../../src/accounts/webhooks/create-webhook.ts'
import type { World } from '../bench-world.ts'
import type { OwnedShop } from './shops.ts'

const at_once = 50_000
const days = 90
/** One delivery in this many belongs to the searched event. */
const rare_part = 100

/** Fills events of a merchant, and their deliveries to a webhook, up to this number of each. */
export async function storeDeliveries(world: World, shop: OwnedShop, wanted: number) {
  const { client } = world.database
  const { merchant_id, store_id } = shop
  const { rows } = await client.query(
    'select count(*)::integer as count from webhook_deliveries where merchant_id = $1',
    [merchant_id],
  )
  const before: number = rows[0].count
  const webhook_id = await webhookOf(world, shop)
  for (let stored = before; stored < wanted; stored += at_once) {
    const count = Math.min(at_once, wanted - stored)
    await client.query(
      `with made as (
        select n, case n % ${rare_part} when 0 then 'refund_finished' else 'charge_finished' end as name,
          uuidv7(- interval '1 second' * (${days * 86_400}.0 * (($2 - n)::float8 / $2))) as id
        from generate_series($1::bigint, $1 + $3 - 1) as n
      ), stored as (
        insert into events (merchant_id, id, store_id, mode, name, resource_id, sequence, data, created_on)
        select $4, id, $5, 'test', name, id, 1, '{"status": "successful"}', uuid_extract_timestamp(id)
        from made)
      insert into webhook_deliveries (merchant_id, webhook_id, event_id, mode, position, resource_id,
        trigger, delivered_on, round_on, attempts, created_on)
      select $4, $6, id, 'test', n, id, name, uuid_extract_timestamp(id), uuid_extract_timestamp(id), 1,
        uuid_extract_timestamp(id) from made`,
      [stored + 1, wanted, count, merchant_id, store_id, webhook_id],
    )
  }
  await client.query('vacuum analyze')
}

async function webhookOf(
  { database, service }: World,
  { merchant_id, store_id }: OwnedShop,
): Promise<string> {
  const text = 'select id from webhooks where merchant_id = $1'
  const find = async () => (await database.client.query(text, [merchant_id])).rows[0]?.id
  const found = await find()
  if (found) return found
  const hook = { url: 'http://127.0.0.1:9/', triggers: ['refund_finished'], active: true }
  await createWebhook(service, { merchant_id, store_id }, hook)
  return find()
}
