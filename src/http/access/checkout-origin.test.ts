import { beforeAll, expect, test } from 'vitest'
import { checkouts } from '../../../test/support/pages/checkouts.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// The pages of customers have an origin of their own.
const world = useWorld({
  settings: { BASE_URL: 'https://api.example', CHECKOUT_URL: 'https://pay.example' },
})
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant({ domains: ['shop.example'] })
})

/** Without the check of responses against the description, which knows one origin. */
async function at(
  host: string,
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string> = {},
) {
  world.clock.advance(1000)
  const response = await world.app.inject({ method, url, headers: { host, ...headers } })
  return { status: response.statusCode, headers: response.headers }
}

test('sessions and links are there; other hosts lead to them, forms included', async () => {
  const session = await checkouts(world, shop).session()
  const { pathname, origin } = new URL(session.url)
  expect(origin).toBe('https://pay.example')
  expect((await at('pay.example', 'GET', pathname)).status).toBe(200)
  for (const [method, path] of [
    ['GET', `${pathname}?language=ja`],
    ['POST', `${pathname}/leave`],
    ['GET', '/checkout.js'],
    ['GET', '/pay/x'],
  ] as const) {
    const { status, headers } = await at('api.example', method, path)
    expect([status, headers.location]).toEqual([308, `https://pay.example${path}`])
  }
})

test('only what the pages need is there', async () => {
  const auth = { authorization: shop.as_store }
  const status = async (method: 'GET' | 'POST', path: string) =>
    (await at('pay.example', method, path, auth)).status
  expect(await status('GET', '/checkout.js')).toBe(200)
  expect(await status('GET', '/favicon.ico')).toBe(200)
  expect(await status('POST', '/tokens')).toBe(400)
  for (const path of [
    '/',
    '/docs',
    '/console',
    '/tokens',
    '/charges',
    '/account/password/x',
    '/x',
  ]) {
    expect(await status('GET', path), path).toBe(404)
  }
  for (const path of ['/console/api/tokens', '/console/session', '/authenticate', '/charges']) {
    expect(await status('POST', path), path).toBe(404)
  }
  expect((await at('api.example', 'GET', '/charges', auth)).status).toBe(200)
})

test.each([
  'pay.example:443',
  'pay.example.',
  'PAY.example.:443',
  'pay.example:8443',
  'pay.example..',
])(
  'with the host %s it is the same origin: neither console nor API, and no redirect to itself',
  async (host) => {
    const { pathname } = new URL((await checkouts(world, shop).session()).url)
    const auth = { authorization: shop.as_store }
    expect((await at(host, 'GET', pathname)).status).toBe(200)
    expect((await at(host, 'GET', '/checkout.js')).status).toBe(200)
    for (const path of ['/', '/console', '/charges', '/docs']) {
      expect((await at(host, 'GET', path, auth)).status, path).toBe(404)
    }
    expect((await at(host, 'POST', '/console/session')).status).toBe(404)
  },
)

test('two origins on one host are told apart by their ports', async () => {
  const local = await world.another({
    BASE_URL: 'http://localhost:8080',
    CHECKOUT_URL: 'http://localhost:8081',
  })
  const status = async (host: string, url: string) =>
    (await local.app.inject({ method: 'GET', url, headers: { host } })).statusCode
  expect(await status('localhost:8081', '/docs')).toBe(404)
  expect(await status('localhost.:8081', '/docs')).toBe(404)
  expect(await status('localhost:8080', '/docs')).toBe(200)
  expect(await status('localhost:8080', '/checkout.js')).toBe(308)
})

test('a page there may pay; a page of the API may not', async () => {
  const { url } = await checkouts(world, shop).session()
  const path = `${new URL(url).pathname}/leave`
  const leave = (origin: string) => at('pay.example', 'POST', path, { origin })
  expect((await leave('https://pay.example')).status).toBe(200)
  expect((await leave('https://api.example')).status).toBe(403)
})
