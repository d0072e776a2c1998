import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// Which routes of the specification need the application token secret. The token has no domains, so
// that no browser may call without it.
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant()
})

const id = randomUUID()
const dynamic = 'POST /checkout_info/gateways/alipay_plus_online'

/** Every route that the specification has. */
function routes(): string[] {
  const store = `/stores/${shop.store_id}`
  const charge = `${store}/charges/${id}`
  return [
    'POST /tokens',
    `GET ${store}/tokens/${id}`,
    'POST /charges',
    'GET /charges',
    `GET ${store}/charges`,
    `PATCH ${charge}`,
    'GET /transaction_history',
    `GET ${store}/transaction_history`,
    `POST ${charge}/refunds`,
    `GET ${charge}/refunds`,
    `PATCH ${charge}/refunds`,
    `PATCH ${store}/refunds/${id}`,
    `PATCH ${charge}/cancels/${id}`,
    'POST /subscriptions',
    `GET ${store}/subscriptions`,
    `GET ${store}/subscriptions/${id}/charges`,
    `POST ${charge}/customs`,
    `PATCH ${charge}/customs/${id}`,
    `GET ${charge}/customs/${id}`,
    'GET /me',
    `GET ${store}`,
    `GET /merchants/${shop.id}${store}/webhooks/${id}`,
    `GET ${store}/webhooks/${id}`,
    `GET ${store}/webhooks`,
  ]
}

async function ask(route: string, auth: string) {
  const [method = '', path = ''] = route.split(' ')
  return world.call(method, path, { auth, ...(method === 'GET' ? {} : { body: {} }) })
}

test('POST /tokens, GET /stores/{storeId}/tokens/{id} and POST /charges require the secret, as all others', async () => {
  for (const route of routes()) {
    const { status, body } = await ask(route, `Bearer ${shop.jwt}`)
    expect([401, 403], route).toContain(status)
    expect(['INVALID_DOMAIN', 'INVALID_PERMISSIONS'], route).toContain(body.code)
  }
})

test('with Bearer secret.JWT each of them is let in', async () => {
  for (const route of routes()) {
    const { status } = await ask(route, shop.as_store)
    expect([200, 400, 404], route).toContain(status)
  }
})

test('dynamic information takes Bearer JWT without secret', async () => {
  expect((await ask(dynamic, `Bearer ${shop.jwt}`)).body.code).toBe('VALIDATION_ERROR')
  expect((await ask(dynamic, shop.as_store)).body.code).toBe('VALIDATION_ERROR')
})

test('three_ds_mode skip also requires the secret', async () => {
  const body = { transaction_token_id: id, amount: 1, currency: 'JPY', three_ds_mode: 'skip' }
  const response = await world.call('POST', '/charges', { auth: `Bearer ${shop.jwt}`, body })
  expect(response).toMatchObject({ status: 403, body: { code: 'INVALID_PERMISSIONS' } })
})
