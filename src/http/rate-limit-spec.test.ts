import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newWorld, type TestMerchant, type World } from '../../test/world.ts'

// Which routes have which limit. The clock stands still unless a test moves it, so counts are exact.
let world: World
let shop: TestMerchant

beforeAll(async () => {
  world = await newWorld()
})
beforeEach(async () => {
  world.clock.advance(60_000)
  shop = await world.merchant()
})
afterAll(() => world.close())

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
