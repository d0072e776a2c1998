import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// Programs that leave the store out of the path get the same results as with the store.
const world = useWorld()
let shop: TestMerchant
let pay: Payments
let id: string
let payment_id: string

beforeAll(async () => {
  shop = await world.merchant({ domains: ['shop.example'] })
  pay = payments(world, shop)
  const made = await subscribe()
  id = made.body.id
  await pay.work()
  payment_id = (await pay.get(`/subscriptions/${id}`)).body.next_payment.id
})

const subscribe = async () =>
  pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring' }),
    amount: 500,
    currency: 'JPY',
    period: 'monthly',
  })
const call = (method: string, path: string, auth = shop.as_store, body?: object) => {
  world.clock.advance(1000)
  return world.call(method, path, { auth, ...(body ? { body } : {}) })
}

const reads = ['', '?polling=true', '/charges', '/charges/latest', '/payments']
const of_payment = ['', '/charges']

test('every read gives the same without the store, to a store and to its merchant', async () => {
  const paths = [
    ...reads.map((part) => `/subscriptions/${id}${part}`),
    ...of_payment.map((part) => `/subscriptions/${id}/payments/${payment_id}${part}`),
    '/subscriptions',
  ]
  for (const path of paths) {
    const with_store = await call('GET', `/stores/${shop.store_id}${path}`)
    expect(with_store.status, path).toBe(200)
    for (const auth of [shop.as_store, shop.as_merchant]) {
      const without = await call('GET', path, auth)
      expect([without.status, without.body], path).toEqual([200, with_store.body])
    }
  }
})

test('subscriptions of another store, merchant or mode are not found', async () => {
  const stranger = await world.merchant()
  const second = await call('POST', '/stores', shop.as_merchant, { name: 'Second' })
  const token = await call('POST', `/stores/${second.body.id}/app_jwts`, shop.as_merchant, {
    mode: 'test',
  })
  const of_second = `Bearer ${token.body.secret}.${token.body.jwt}`
  const changes: [string, string, object?][] = [
    ...reads.map((part) => ['GET', part] as [string, string]),
    ['GET', `/payments/${payment_id}`],
    ['GET', `/payments/${payment_id}/charges`],
    ['PATCH', `/payments/${payment_id}`, {}],
    ['PATCH', '', { metadata: { a: 1 } }],
    ['PATCH', '/token', { transaction_token_id: crypto.randomUUID() }],
    ['PATCH', '/suspend', {}],
    ['PATCH', '/unsuspend', {}],
    ['DELETE', ''],
  ]
  for (const auth of [stranger.as_store, stranger.as_merchant, of_second]) {
    for (const [method, part, body] of changes) {
      const response = await call(method, `/subscriptions/${id}${part}`, auth, body)
      expect([response.status, response.body.code], `${method} ${part}`).toEqual([404, 'NOT_FOUND'])
    }
  }
  expect((await call('GET', `/subscriptions/${id}`)).body.status).toBe('current')
})

test('a browser reads a subscription and its newest charge, and nothing more', async () => {
  const browser = (path: string) =>
    world.call('GET', path, {
      auth: `Bearer ${shop.jwt}`,
      headers: { origin: 'https://shop.example' },
    })
  expect((await browser(`/subscriptions/${id}`)).status).toBe(200)
  expect((await browser(`/subscriptions/${id}/charges/latest`)).status).toBe(200)
  for (const part of ['/charges', '/payments', `/payments/${payment_id}`]) {
    expect((await browser(`/subscriptions/${id}${part}`)).status, part).toBe(403)
  }
})

test('it is changed, suspended, resumed, given another token and ended', async () => {
  const made = (await subscribe()).body.id
  await pay.work()
  const path = `/subscriptions/${made}`
  const patched = await call('PATCH', path, shop.as_store, { metadata: { a: 1 } })
  expect(patched).toMatchObject({ status: 200, body: { metadata: { a: 1 } } })
  const next = (await call('GET', path)).body.next_payment
  const due_date = '2026-03-20'
  const moved = await call('PATCH', `${path}/payments/${next.id}`, shop.as_merchant, { due_date })
  expect(moved).toMatchObject({ status: 200, body: { id: next.id, due_date } })
  const transaction_token_id = await pay.tokenId({ type: 'recurring' })
  const given = await call('PATCH', `${path}/token`, shop.as_store, { transaction_token_id })
  expect(given).toMatchObject({ status: 200, body: { transaction_token_id } })
  expect((await call('PATCH', `${path}/suspend`)).body.status).toBe('suspended')
  expect((await call('PATCH', `${path}/unsuspend`)).body.status).toBe('unpaid')
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('GET', path)).body.status).toBe('canceled')
})

test('a token is renewed without its store', async () => {
  const token = await pay.tokenId({ type: 'recurring' })
  const stranger = await world.merchant()
  for (const auth of [stranger.as_store, stranger.as_merchant]) {
    expect((await call('POST', `/tokens/${token}/renew`, auth)).status).toBe(404)
  }
  const renewed = await call('POST', `/tokens/${token}/renew`)
  expect(renewed).toMatchObject({ status: 201, body: { active: true, store_id: shop.store_id } })
  const again = await call('POST', `/tokens/${renewed.body.id}/renew`, shop.as_merchant)
  expect(again.status).toBe(201)
  const old = await call('GET', `/stores/${shop.store_id}/tokens/${token}`)
  expect(old.body.active).toBe(false)
})

test('names that are no id are not taken for one, and other methods are refused', async () => {
  expect((await call('GET', '/subscriptions/simulate_plan')).status).toBe(405)
  expect((await call('GET', '/subscriptions/current')).body.code).toBe('VALIDATION_ERROR')
  expect((await call('PUT', `/subscriptions/${id}`)).status).toBe(405)
})
