import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { qrSvg } from '../../core/text/formats/qr-image.ts'
import { day_ms, minute_ms } from '../../core/time/clock.ts'
import { runKind } from '../../worker/worker.ts'

// A shop shows a token to another of its programs for a few minutes, without telling its id.
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
})

async function newAlias(body: object = {}) {
  const transaction_token_id = await pay.tokenId({ type: 'recurring' })
  const made = await pay.post('/tokens/alias', { transaction_token_id, ...body })
  return { ...made, transaction_token_id }
}

const pathOf = (key: string) => `/stores/${shop.store_id}/tokens/alias/${key}`
const inMs = (ms: number) => new Date(world.clock.now() + ms).toISOString()

test('an alias shows its token, and what was said of the payment', async () => {
  const details = { amount: 500, currency: 'jpy', metadata: { table: 7 } }
  const { status, body, transaction_token_id } = await newAlias(details)
  expect(status).toBe(201)
  expect(body).toEqual({ key: expect.any(String), valid_until: inMs(15 * minute_ms) })
  const found = await pay.get(pathOf(body.key))
  expect(found.body).toMatchObject({
    id: transaction_token_id,
    key: body.key,
    store_id: shop.store_id,
    email: 'customer@example.com',
    payment_type: 'card',
    type: 'recurring',
    mode: 'test',
    active: true,
    amount: 500,
    currency: 'JPY',
    alias_metadata: { table: 7 },
    valid_until: body.valid_until,
  })
  expect(found.body).not.toHaveProperty('data')
})

test('media=qr answers a picture of the key', async () => {
  const { key } = (await newAlias()).body
  const { statusCode, headers, payload } = await world.app.inject({
    url: `${pathOf(key)}?media=qr`,
    headers: { authorization: shop.as_store },
  })
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toContain('image/svg+xml')
  expect(payload).toBe(qrSvg(key))
  expect((await pay.get(`${pathOf(key)}?media=gif`)).status).toBe(400)
})

test('it ends by itself, by default after fifteen minutes, and is then removed', async () => {
  const { key } = (await newAlias()).body
  const longer = (await newAlias({ valid_until: inMs(day_ms) })).body.key
  world.clock.advance(15 * minute_ms)
  expect((await pay.get(pathOf(key))).status).toBe(404)
  expect((await pay.get(pathOf(longer))).status).toBe(200)
  await runKind(world.service, 'expired_token_rows')
  const left = await world.store.pool.query('select id from token_aliases where id = any($1)', [
    [key, longer],
  ])
  expect(left.rows).toEqual([{ id: longer }])
})

test('it can be ended before', async () => {
  const { key } = (await newAlias()).body
  const auth = shop.as_store
  expect((await world.call('DELETE', pathOf(key), { auth })).status).toBe(204)
  expect((await world.call('DELETE', pathOf(key), { auth })).status).toBe(404)
  expect((await pay.get(pathOf(key))).status).toBe(404)
})

test.each([
  [{ valid_until: '2020-01-01' }, 'valid_until', 'MUST_BE_FUTURE_TIME'],
  [{ valid_until: '2099-01-01' }, 'valid_until', 'EXPIRATION_DATE_OUT_OF_BOUNDS'],
  [{ amount: 5 }, 'currency', 'REQUIRED_VALUE'],
  [{ currency: 'JPY' }, 'amount', 'REQUIRED_VALUE'],
  [{ amount: 0, currency: 'JPY' }, 'amount', 'NUMBER_MIN'],
])('%j is refused', async (body, field, reason) => {
  const response = await newAlias(body)
  expect(response).toMatchObject({ status: 400, body: { errors: [{ field, reason }] } })
})

test('only of a token that the store has and that is not deleted', async () => {
  const { key } = (await newAlias()).body
  const token_id = await pay.tokenId({ type: 'recurring' })
  const auth = shop.as_store
  await world.call('DELETE', `/stores/${shop.store_id}/tokens/${token_id}`, { auth })
  for (const transaction_token_id of [token_id, randomUUID()]) {
    expect((await newAlias({ transaction_token_id })).status).toBe(404)
  }
  const stranger = await world.merchant()
  const body = { transaction_token_id: token_id }
  const post = (auth: string) => world.call('POST', '/tokens/alias', { auth, body })
  expect((await post(stranger.as_store)).status).toBe(404)
  expect((await post(shop.as_merchant)).status).toBe(403)
  expect((await post(`Bearer ${shop.jwt}`)).status).toBe(403)
  expect((await world.call('GET', pathOf(key), { auth: stranger.as_merchant })).status).toBe(404)
  expect((await world.call('GET', pathOf(key), { auth: shop.as_merchant })).status).toBe(200)
})
