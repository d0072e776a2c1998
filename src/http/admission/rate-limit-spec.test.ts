import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'

// The limit of each route. The clock is frozen unless a test moves it, so counts are exact.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })

const post = (path: string) => world.call('POST', path, { auth: shop.as_store, body: {} })
const get = (path: string) => world.call('GET', path, { auth: shop.as_merchant })

test.each(['/tokens', '/charges', '/subscriptions'])(
  'Charge applies to POST %s, and Standard does not',
  async (path) => {
    const { headers } = await post(path)
    expect(headers).toMatchObject({
      'x-remaining-requests': '99',
      'x-requests-per-minute': '3000',
    })
    for (const standard of ['route', 'exact']) {
      expect(headers).not.toHaveProperty(`x-remaining-requests-${standard}`)
      expect(headers).not.toHaveProperty(`x-requests-per-minute-${standard}`)
    }
  },
)

test.each([
  '/subscriptions/simulate_plan',
  '/checkout_info/gateways/alipay_plus_online',
  `/stores/${randomUUID()}/charges/${randomUUID()}/refunds`,
])('Standard applies to POST %s, and Charge does not', async (path) => {
  const { headers } = await post(path)
  expect(headers).toMatchObject({
    'x-requests-per-minute-route': '1200',
    'x-requests-per-minute-exact': '120',
  })
  expect(headers).not.toHaveProperty('x-remaining-requests')
})

test('Standard: Exact is per exact route including resource id and query string', async () => {
  const remaining = async (path: string) => {
    const { headers } = await get(path)
    const { 'x-remaining-requests-exact': exact, 'x-remaining-requests-route': route } = headers
    return [Number(exact), Number(route)]
  }
  expect(await remaining('/stores?search=a')).toEqual([9, 29])
  expect(await remaining('/stores?search=a')).toEqual([8, 28])
  expect(await remaining('/stores?search=b')).toEqual([9, 27])
  expect(await remaining(`/stores/${shop.store_id}`)).toEqual([9, 29])
  expect(await remaining(`/stores/${randomUUID()}`)).toEqual([9, 28])
})

test('Route and Exact limits apply together: either of them refuses', async () => {
  for (let count = 0; count < 10; count += 1) expect((await get('/stores')).status).toBe(200)
  expect((await get('/stores')).body.name).toBe('BadRequest')
  for (let count = 0; count < 20; count += 1) await get(`/stores?search=${count}`)
  const refused = await get('/stores?search=new')
  expect(refused).toMatchObject({ status: 429, body: { name: 'BadRequest' } })
  expect(refused.headers['x-remaining-requests-route']).toBe('0')
})

/** Every rate limit header of a response. */
const rates = ({ headers }: ApiResponse) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^x-(remaining-)?requests/.test(name)),
  )

test('a successful POST returns what is left of its limit and the limit per minute', async () => {
  const { as_store: auth, store_id } = shop
  const send = (path: string, body: object) => world.call('POST', path, { auth, body })
  const charge_limit = { 'x-remaining-requests': '99', 'x-requests-per-minute': '3000' }
  const standard = {
    'x-remaining-requests-route': '29',
    'x-requests-per-minute-route': '1200',
    'x-remaining-requests-exact': '9',
    'x-requests-per-minute-exact': '120',
  }
  const card = { cardholder: 'T', card_number: '4242424242424242', exp_month: 12, exp_year: 2030 }
  const token = { payment_type: 'card', email: 'a@example.com', type: 'recurring' }
  const created = await send('/tokens', { ...token, data: { ...card, cvv: '123' } })
  expect([created.status, rates(created)]).toEqual([201, charge_limit])
  const money = { transaction_token_id: created.body.id, amount: 100, currency: 'JPY' }
  world.clock.advance(60_000)
  const charge = await send('/charges', money)
  expect([charge.status, rates(charge)]).toEqual([201, charge_limit])
  world.clock.advance(60_000)
  const subscription = await send('/subscriptions', { ...money, period: 'monthly' })
  expect([subscription.status, rates(subscription)]).toEqual([201, charge_limit])
  await payments(world, shop).work()
  world.clock.advance(60_000)
  const refunds = `/stores/${store_id}/charges/${charge.body.id}/refunds`
  const refund = await send(refunds, { amount: 1, currency: 'JPY' })
  expect([refund.status, rates(refund)]).toEqual([201, standard])
})

test('a POST that is refused for its rate returns that nothing is left, and the limit per minute', async () => {
  for (let count = 0; count < 100; count += 1) await post('/charges')
  const refused = await post('/charges')
  expect(refused.status).toBe(429)
  expect(rates(refused)).toEqual({ 'x-remaining-requests': '0', 'x-requests-per-minute': '3000' })
})
