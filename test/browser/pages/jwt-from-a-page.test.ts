import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestMerchant } from '../../support/world.ts'
import { type BrowserWorld, newBrowserWorld } from '../browser-world.ts'

// A page of the shop, on another origin than ours, calls every route that accepts a JWT without its
// secret. The browser sends a preflight, as for every call with a credential, which must succeed.
let world: BrowserWorld
let shop: TestMerchant

beforeAll(async () => {
  world = await newBrowserWorld()
  shop = await world.world.merchant({ domains: ['shop.example'] })
})
afterAll(() => world.close())

interface Seen {
  status: number
  id: string
  code: string
}

const card = {
  payment_type: 'card',
  email: 'taro@example.com',
  data: {
    cardholder: 'TARO',
    card_number: '4242424242424242',
    exp_month: 12,
    exp_year: 2030,
    cvv: '123',
  },
}

async function openPage() {
  const page = await world.visitor()
  await page.goto(world.shop.url)
  return async (method: string, path: string, body?: object): Promise<Seen> => {
    const url = world.url + path
    return page.evaluate(
      async ({ url, method, jwt, body }) => {
        const response = await fetch(url, {
          method,
          headers: {
            authorization: `Bearer ${jwt}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        const read = (await response.json().catch(() => ({}))) as { id?: string; code?: string }
        return { status: response.status, id: read.id ?? '', code: read.code ?? '' }
      },
      { url, method, jwt: shop.jwt, ...(body ? { body } : {}) },
    )
  }
}

function browserRoutes(): [method: string, path: string][] {
  type Operation = { 'x-access'?: { without_secret?: string } }
  const paths = Object.entries(world.world.app.describeRoutes().paths)
  return paths.flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>)
      .filter(([, one]) => (one['x-access']?.without_secret ?? 'never') !== 'never')
      .map(([method]): [string, string] => [method.toUpperCase(), path]),
  )
}

test('a page creates a token and reads it', async () => {
  const call = await openPage()
  const created = await call('POST', '/tokens', card)
  expect(created.status).toBe(201)
  const read = await call('GET', `/stores/${shop.store_id}/tokens/${created.id}`)
  expect([read.status, read.id]).toEqual([200, created.id])
  const confirmed = await call('POST', `/stores/${shop.store_id}/tokens/${created.id}/confirm`, {
    confirmation_code: '0000',
  })
  expect(confirmed).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
})

test('a page may call every route that allows a JWT alone, and reads the response', async () => {
  const call = await openPage()
  const routes = browserRoutes()
  expect(routes.length).toBeGreaterThan(10)
  for (const [method, path] of routes) {
    const own: Record<string, string> = { store_id: shop.store_id }
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => own[name] ?? crypto.randomUUID())
    const { status } = await call(method, filled, method === 'GET' ? undefined : {})
    expect([200, 400, 404], `${method} ${path} ${status}`).toContain(status)
  }
})

test('a page that is refused can read why', async () => {
  const call = await openPage()
  const refused: string[] = []
  for (let count = 0; count < 60 && refused.length === 0; count += 1) {
    world.world.clock.advance(-600)
    const { status, code } = await call('GET', '/checkout_info')
    if (status === 429) refused.push(code)
  }
  expect(refused).toEqual(['BAD_REQUEST'])
})
