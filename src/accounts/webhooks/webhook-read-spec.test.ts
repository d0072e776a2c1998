import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse, TestMerchant } from '../../../test/support/world.ts'

// Webhook reads, in the words of the specification.
const world = useWorld()
let shop: TestMerchant
let hook: ApiResponse['body']

const wanted = {
  url: 'https://shop.example/hook',
  triggers: ['charge_updated', 'charge_finished', 'subscription_created', 'token_created'],
  auth_token: 'AUTH-token-7',
}

beforeAll(async () => {
  shop = await world.merchant()
  const created = await world.call('POST', `/stores/${shop.store_id}/webhooks`, {
    auth: shop.as_store,
    body: wanted,
  })
  expect(created.status, created.text).toBe(201)
  hook = created.body
})

const get = (path: string) => {
  world.clock.advance(1000)
  return world.call('GET', path, { auth: shop.as_store })
}
const of_store = () => `/stores/${shop.store_id}/webhooks`

test('GET /merchants/{merchantId}/stores/{storeId}/webhooks/{webhookId} answers 200 with the webhook', async () => {
  const { status, body } = await get(`/merchants/${shop.id}${of_store()}/${hook.id}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: hook.id,
    merchant_id: shop.id,
    store_id: shop.store_id,
    triggers: wanted.triggers,
    url: wanted.url,
    active: true,
    created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/),
  })
})

test('auth_token is returned as stored', async () => {
  const { body } = await get(`${of_store()}/${hook.id}`)
  expect(body.auth_token).toBe('AUTH-token-7')
})

test('the merchants/{merchantId} segment may be omitted when a store is specified', async () => {
  const long = await get(`/merchants/${shop.id}${of_store()}/${hook.id}`)
  const short = await get(`${of_store()}/${hook.id}`)
  expect(short.body).toEqual(long.body)
})

test('when webhookId is omitted, a list of webhooks matching query filters is returned', async () => {
  for (const path of [of_store(), `/merchants/${shop.id}${of_store()}`]) {
    const list = await get(path)
    expect(list).toMatchObject({ status: 200, body: { items: [{ id: hook.id }], has_more: false } })
    expect((await get(`${path}?active=true`)).body.items).toHaveLength(1)
    expect((await get(`${path}?active=false`)).body.items).toEqual([])
  }
})

test('another merchant, store or webhook in the path is not found', async () => {
  const other = await world.merchant()
  for (const path of [
    `/merchants/${other.id}${of_store()}/${hook.id}`,
    `/merchants/${shop.id}/stores/${other.store_id}/webhooks/${hook.id}`,
    `${of_store()}/${other.id}`,
  ]) {
    expect((await get(path)).status, path).toBe(404)
  }
})
