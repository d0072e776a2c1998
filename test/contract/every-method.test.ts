import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../support/use-world.ts'
import type { TestMerchant } from '../support/world.ts'

// Every path of the API description with every method, with each kind of credential and with none, and
// with a preflight. Nothing may be a 5xx, and a method that a path lacks is 405.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant({ domains: ['shop.example'] })
})

interface Described {
  path: string
  methods: string[]
  from_browser: string[]
}

function described(): Described[] {
  return Object.entries(world.app.describeRoutes().paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, { 'x-access'?: object }>)
    const from_browser = operations.filter(([, operation]) => {
      const access = (operation['x-access'] ?? {}) as { without_secret?: string }
      return (access.without_secret ?? 'never') !== 'never'
    })
    const names = (list: typeof operations) => list.map(([method]) => method.toUpperCase())
    return { path, methods: names(operations), from_browser: names(from_browser) }
  })
}

function fill(path: string): string {
  const own: Record<string, string> = { store_id: shop.store_id, merchant_id: shop.id }
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => own[name] ?? randomUUID())
}

async function send(method: string, url: string, headers: Record<string, string>) {
  world.clock.advance(1000)
  const { statusCode, headers: given } = await world.app.inject({
    method: method as 'GET',
    url,
    headers,
  })
  return { status: statusCode, allow: String(given.allow ?? ''), headers: given }
}

test('no path answers with 5xx to any method, and a method that it lacks is 405 with Allow', async () => {
  const credentials = {
    store: shop.as_store,
    merchant: shop.as_merchant,
    jwt: `Bearer ${shop.jwt}`,
  }
  const headers = [{}, ...Object.values(credentials).map((authorization) => ({ authorization }))]
  for (const one of described()) {
    for (const method of methods) {
      const is_there =
        one.methods.includes(method) || (method === 'HEAD' && one.methods.includes('GET'))
      // An existing route is called with valid input elsewhere; here it must only not fail.
      if (is_there && (method === 'DELETE' || one.path.endsWith('/logout'))) continue
      for (const given of headers) {
        const { status, allow } = await send(method, fill(one.path), given)
        const reported = `${method} ${one.path} ${Object.keys(given)} ${status}`
        expect(status, reported).toBeLessThan(500)
        if (is_there || (method === 'OPTIONS' && one.from_browser.length > 0)) continue
        expect(status, reported).toBe(405)
        for (const name of one.methods) expect(allow.split(', '), reported).toContain(name)
      }
    }
  }
})

test('every preflight of a route that a browser may call is answered with its methods', async () => {
  const from_browser = described().filter((one) => one.from_browser.length > 0)
  expect(from_browser.length).toBeGreaterThan(10)
  for (const { path, from_browser: names } of from_browser) {
    for (const name of names) {
      const { status, headers } = await send('OPTIONS', fill(path), {
        origin: 'https://shop.example',
        'access-control-request-method': name,
        'access-control-request-headers': 'authorization,content-type',
      })
      expect(status, path).toBe(204)
      expect(headers['access-control-allow-origin'], path).toBe('https://shop.example')
      expect(String(headers['access-control-allow-methods']), path).toContain(name)
      expect(headers['content-type'], path).toBeUndefined()
    }
  }
})

test('a path that lacks its store is answered with the right one', async () => {
  const auth = shop.as_store
  const lost = await world.call('GET', `/charges/${randomUUID()}`, { auth })
  expect(lost).toMatchObject({
    status: 404,
    body: {
      code: 'NOT_FOUND',
      message: 'There is no such route. Did you mean /stores/{store_id}/charges/{charge_id}?',
    },
  })
  expect((await world.call('GET', '/charges/', { auth })).body.message).toContain('mean /charges?')
  expect((await world.call('GET', '/nothing/here', { auth })).body.message).toBe(
    'There is no such route.',
  )
})
