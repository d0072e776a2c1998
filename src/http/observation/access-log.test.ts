import { beforeAll, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// One line a request. Its path is shown as far as it cannot contain a secret.
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant()
})

async function logged(method: string, path: string, auth?: string) {
  const { headers } = await world.call(method, path, auth ? { auth } : {})
  const lines = world.log.filter((line) => line.includes(`"${headers['x-request-id']}"`))
  return JSON.parse(lines.at(-1) ?? '{}')
}

const page = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfG'

test.each([
  ['/chargess', '/chargess'],
  ['/me/', '/me/'],
  ['/chargess?card_number=4242424242424242', '/chargess'],
  [`/links/${page}`, '/links/…'],
  ['/links/4242424242424242/x', '/links/…/x'],
  ['/links/%34%32', '/links/…'],
  ['/x/01a1e56a-1171-77a6-9f56-e91265c94bda', '/x/01a1e56a-1171-77a6-9f56-e91265c94bda'],
  [`/${'a/'.repeat(50)}`, '/a/a/a/a/a/a/a/a/a/a/a'],
])('a path that is no route, %s, is logged as %s', async (path, shown) => {
  expect(await logged('GET', path)).toMatchObject({
    msg: 'request',
    method: 'GET',
    route: 'unknown',
    path: shown,
    status: 404,
  })
})

test('of a route the last id is shown, and only it', async () => {
  const path = `/stores/${shop.store_id}/charges/${shop.store_id}`
  const line = await logged('GET', path, shop.as_store)
  expect(line).toMatchObject({ path: `/stores/…/charges/${shop.store_id}`, merchant_id: shop.id })
  expect(line).not.toHaveProperty('route')
  const other = `/stores/${shop.store_id}/charges/4242424242424242`
  expect(await logged('GET', other, shop.as_store)).toMatchObject({
    path: `/stores/${shop.store_id}/charges/:charge_id`,
  })
  expect(await logged('GET', `/password_resets/${page}`)).not.toHaveProperty('path')
  const aliases = `/stores/${shop.store_id}/tokens/alias`
  expect(await logged('GET', `${aliases}/${shop.id}`, shop.as_store)).toMatchObject({
    path: `${aliases}/:alias_key`,
  })
})

test('the duration is in milliseconds with at most one decimal', async () => {
  const { ms } = await logged('GET', '/me', shop.as_store)
  expect(String(ms)).toMatch(/^\d+(\.\d)?$/)
})

test('a line has at most 300 bytes', async () => {
  const pay = payments(world, shop)
  const { id } = (await pay.charge()).body
  const of_store = `/stores/${shop.store_id}`
  await world.call('GET', `${of_store}/charges/${id}`, { auth: shop.as_store })
  await world.call('PATCH', `${of_store}/charges/${id}`, { auth: shop.as_store, body: {} })
  const payment = `${of_store}/subscriptions/${id}/payments/${id}`
  await world.call('GET', payment, { auth: shop.as_store })
  const lines = world.log.filter((line) => line.includes('"msg":"request"'))
  expect(lines.join()).toContain(`/payments/${id}`)
  expect(lines.filter((line) => Buffer.byteLength(line) > 300)).toEqual([])
})

test('probes are logged when they fail, and only then', async () => {
  const before = world.log.length
  for (const path of ['/livez', '/readyz', '/heartbeat']) await world.call('GET', path)
  expect(world.log.slice(before)).toEqual([])
  while ((await world.call('GET', '/heartbeat')).status === 200);
  expect(world.log.at(-1)).toContain('"route":"/heartbeat","status":429')
})
