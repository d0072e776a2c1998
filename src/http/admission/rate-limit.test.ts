import { request } from 'node:http'
import { expect, test } from 'vitest'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { merchantRoutes } from '../../accounts/merchants/merchant-routes.ts'
import { storeRoutes } from '../../accounts/stores/store-routes.ts'
import { page } from '../../api/routes/operation.ts'
import { addressSubject } from '../../core/access/address-subject.ts'

// The clock is frozen unless a test moves it, so counts are exact. `/charge-like` represents the routes
// that have the Charge limit.
const chargeLike = [
  page({ at: 'POST /charge-like', right: 'payments', rate: 'charge', handle: () => ({}) }),
]

const world = useWorld({ modules: [merchantRoutes, storeRoutes, chargeLike] })
const shop = useMerchant(world, { passed_ms: 60_000 })

async function statuses(count: number, method: string, path: string, auth: string | null) {
  const calls = Array.from({ length: count }, () => world.call(method, path, { auth }))
  const responses = await Promise.all(calls)
  return responses.map(({ status }) => status)
}

function count(found: number[], status: number): number {
  return found.filter((one) => one === status).length
}

test('Standard: Exact allows a burst of 10 and 120 a minute, per exact route', async () => {
  const found = await statuses(25, 'GET', '/me', shop.as_store)
  expect(count(found, 200)).toBe(10)
  expect(count(found, 429)).toBe(15)
  world.clock.advance(499)
  expect(await statuses(1, 'GET', '/me', shop.as_store)).toEqual([429])
  world.clock.advance(1)
  expect(await statuses(2, 'GET', '/me', shop.as_store)).toEqual([200, 429])
})

test('Standard: Route allows a burst of 30 and 1200 a minute, whatever the ids', async () => {
  const paths = Array.from({ length: 40 }, () => `/stores/${crypto.randomUUID()}`)
  const responses = await Promise.all(
    paths.map((path) => world.call('GET', path, { auth: shop.as_merchant })),
  )
  expect(
    count(
      responses.map(({ status }) => status),
      404,
    ),
  ).toBe(30)
  expect(
    count(
      responses.map(({ status }) => status),
      429,
    ),
  ).toBe(10)
})

test('charge routes have their own limit of 100 concurrent requests and are not subject to the others', async () => {
  const found = await statuses(110, 'POST', '/charge-like', shop.as_store)
  expect(count(found, 200)).toBe(100)
  expect(count(found, 429)).toBe(10)
  expect(await statuses(1, 'GET', '/me', shop.as_store)).toEqual([200])
  world.clock.advance(20)
  const next = await world.call('POST', '/charge-like', { auth: shop.as_store })
  expect(next.status).toBe(200)
  expect(next.headers['x-remaining-requests']).toBe('0')
  expect(next.headers['x-requests-per-minute']).toBe('3000')
  expect(next.headers).not.toHaveProperty('x-remaining-requests-route')
})

test('each response carries the remaining and per-minute headers, errors too', async () => {
  for (const [path, auth] of [
    ['/me', shop.as_store],
    ['/me', null],
    ['/nowhere', null],
  ] as const) {
    const { headers } = await world.call('GET', path, { auth })
    expect(headers).toMatchObject({
      'x-remaining-requests-route': '29',
      'x-requests-per-minute-route': '1200',
      'x-remaining-requests-exact': '9',
      'x-requests-per-minute-exact': '120',
    })
  }
})

test('exceeding yields BadRequest with Retry-After', async () => {
  await statuses(10, 'GET', '/me', shop.as_store)
  const { status, headers, body } = await world.call('GET', '/me', { auth: shop.as_store })
  expect(status).toBe(429)
  expect(body).toMatchObject({ code: 'BAD_REQUEST', name: 'BadRequest', errors: [] })
  expect(headers['retry-after']).toBe('1')
  expect(headers['x-remaining-requests-exact']).toBe('0')
})

test('no other spelling of a path, no header and no order of parameters gives a new allowance', async () => {
  const id = shop.store_id
  const spellings = [
    `/stores/${id}?a=1&b=2`,
    `/stores/${id}?b=2&a=1`,
    `/stores/${id.toUpperCase()}?a=1&b=2`,
    `/stores/${id.replace('-', '%2d')}?a=1&b=2`,
    `/stores/${id}?%61=1&b=%32`,
    `/stores/${id}?&a=1&&b=2`,
  ]
  for (const [index, path] of spellings.entries()) {
    const response = await world.call(index === 5 ? 'HEAD' : 'GET', path, {
      auth: shop.as_merchant,
      headers: {
        'x-forwarded-for': `10.0.0.${index}`,
        'x-http-method-override': 'PATCH',
        forwarded: `for=10.0.0.${index}`,
      },
    })
    expect(response.headers['x-remaining-requests-exact']).toBe(String(9 - index))
  }
})

test('a spelling that the router does not know leads nowhere', async () => {
  const { port } = await (await world.another()).listen()
  const id = shop.store_id
  for (const path of [`//stores/${id}`, `/Stores/${id}`, `/stores/${id}/`, `/stores/%2e/${id}`]) {
    const status = await new Promise((resolve) => {
      const headers = { authorization: shop.as_merchant }
      request({ port, path, headers }, (response) => resolve(response.statusCode)).end()
    })
    expect(status).toBe(404)
  }
})

test('one bucket set per application token: another token has its own', async () => {
  await statuses(10, 'GET', '/me', shop.as_store)
  expect(await statuses(1, 'GET', '/me', shop.as_store)).toEqual([429])
  expect(await statuses(1, 'GET', '/me', shop.as_merchant)).toEqual([200])
})

test('unauthenticated requests are counted by address, before the database is queried', async () => {
  expect(count(await statuses(15, 'GET', '/me', null), 429)).toBe(5)
  expect(await statuses(1, 'GET', '/me', shop.as_store)).toEqual([200])
  world.clock.advance(60_000)
  const guesses = Array.from({ length: 150 }, (_, index) =>
    world.call('GET', '/me', { auth: shop.as_store.replace('Bearer ', `Bearer g${index}`) }),
  )
  const found = (await Promise.all(guesses)).map(({ status }) => status)
  expect(count(found, 401)).toBeLessThanOrEqual(10)
  expect(count(found, 401) + count(found, 429)).toBe(150)
  // A known caller is not locked out by an unknown one on the same address.
  expect(await statuses(1, 'GET', '/me', shop.as_store)).toEqual([200])
})

test('an IPv6 customer is one address for its whole /64 network', () => {
  expect(addressSubject('2001:db8:1:2:aaaa::1')).toBe(addressSubject('2001:db8:1:2:bbbb:1:2:3'))
  expect(addressSubject('2001:db8:1:2::1')).not.toBe(addressSubject('2001:db8:1:3::1'))
  expect(addressSubject('::ffff:192.0.2.7')).toBe(addressSubject('192.0.2.7'))
  expect(addressSubject('::1')).toBe('address 0:0:0:0')
})
