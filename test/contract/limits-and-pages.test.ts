import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useMerchant, useWorld } from '../support/use-world.ts'
import { newWorld, type World } from '../support/world.ts'

// 50 concurrent creates, distributed over two nodes and ten tokens, so that no rate limit applies.
const world = useWorld()
let other: World
const shop = useMerchant(world, { passed_ms: 60_000 })
let tokens: string[]

beforeAll(async () => {
  other = await world.another()
})
beforeEach(async () => {
  tokens = [shop.as_merchant, ...(await world.merchantTokens(shop, 9))]
})

async function creates(count: number, path: string, body: (index: number) => object) {
  const responses = []
  for (let done = 0; done < count; done += 50) {
    world.clock.advance(60_000)
    const batch = Array.from({ length: Math.min(50, count - done) }, (_, index) =>
      (index % 2 ? world : other).call('POST', path, {
        auth: tokens[index % 10] ?? '',
        body: body(done + index),
      }),
    )
    responses.push(...(await Promise.all(batch)))
  }
  const made = responses.filter(({ status }) => status === 201)
  const refused = responses.filter(({ status }) => status !== 201)
  for (const { status, body } of refused) {
    expect({ status, name: body.name }).toEqual({ status: 400, name: 'ResourceLimitReached' })
  }
  return made
}

const hook = (index: number) => ({
  url: `https://a.example/${index}`,
  triggers: ['charge_finished'],
})

test.each([
  ['Store-level webhooks: 20 per store', () => `/stores/${shop.store_id}/webhooks`, hook, 20],
  ['Merchant-level webhooks: 20 per merchant', () => '/webhooks', hook, 20],
  [
    'Store-level application tokens: 20 per store',
    () => `/stores/${shop.store_id}/app_jwts`,
    () => ({}),
    19,
  ],
  ['Merchant-level application tokens: 20 per merchant', () => '/app_jwts', () => ({}), 10],
  [
    'Bank accounts: 10 per merchant',
    () => '/bank_accounts',
    (index: number) => ({
      holder_name: 'A',
      bank_name: 'B',
      country: 'JP',
      currency: 'JPY',
      account_number: String(1_000_000 + index),
    }),
    10,
  ],
])('50 concurrent creates. %s', async (_, path, body, left) => {
  const made = await creates(50, path(), body)
  expect(made).toHaveLength(left)
  // Deleting frees exactly one slot.
  const id = made[0]?.body.id ?? made[0]?.body.jti
  expect((await world.call('DELETE', `${path()}/${id}`, { auth: shop.as_merchant })).status).toBe(
    204,
  )
  expect(await creates(3, path(), (index) => body(100 + index))).toHaveLength(1)
})

test('120 concurrent store creates. Stores: 100 per merchant', async () => {
  const made = await creates(120, '/stores', (index) => ({ name: `Store ${index}` }))
  expect(made).toHaveLength(99)
})

async function walk(direction: 'asc' | 'desc', limit: number, onPage = async () => {}) {
  const ids: string[] = []
  let cursor = ''
  for (;;) {
    world.clock.advance(2000)
    const { body } = await world.call('GET', '/stores', {
      auth: shop.as_merchant,
      query: { limit: String(limit), cursor_direction: direction, ...(cursor ? { cursor } : {}) },
    })
    ids.push(...body.items.map(({ id }: { id: string }) => id))
    await onPage()
    if (!body.has_more) return ids
    cursor = ids.at(-1) ?? ''
  }
}

async function makeStores(count: number): Promise<string[]> {
  const ids = [shop.store_id]
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(1000)
    const { body } = await world.call('POST', '/stores', {
      auth: shop.as_merchant,
      body: { name: `N${index}` },
    })
    ids.push(body.id)
  }
  return ids
}

test('every list is sorted by creation date, latest first, default page size 10', async () => {
  const ids = await makeStores(11)
  const { body } = await world.call('GET', '/stores', { auth: shop.as_merchant })
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual(ids.reverse().slice(0, 10))
  expect(body.has_more).toBe(true)
})

test('cursor excludes its resource; asc starts at the oldest; a full last page has no more', async () => {
  const ids = await makeStores(19)
  expect(await walk('asc', 10)).toEqual(ids)
  expect(await walk('desc', 10)).toEqual([...ids].reverse())
  expect(await walk('desc', 100)).toEqual([...ids].reverse())
  const page = async (query: Record<string, string>) =>
    (await world.call('GET', '/stores', { auth: shop.as_merchant, query })).body
  world.clock.advance(5000)
  expect(await page({ cursor: ids[9] ?? '', cursor_direction: 'asc' })).toMatchObject({
    has_more: false,
  })
  expect(await page({ cursor: ids[0] ?? '' })).toEqual({ items: [], has_more: false })
})

test('unknown and foreign cursors answer alike', async () => {
  await makeStores(3)
  const stranger = await world.merchant()
  const page = async (cursor: string) =>
    (await world.call('GET', '/stores', { auth: shop.as_merchant, query: { cursor } })).text
  const foreign = await page(stranger.store_id)
  const unknown = await page(`${stranger.store_id.slice(0, -4)}0000`)
  expect(foreign).toBe(unknown)
})

test('a walk while stores are inserted: none twice, none of the older ones skipped', async () => {
  const ids = await makeStores(35)
  let made = 0
  const walked = await walk('desc', 10, async () => {
    made += 1
    await world.call('POST', '/stores', { auth: tokens[1] ?? '', body: { name: `During ${made}` } })
  })
  expect(walked).toEqual([...ids].reverse())
  expect(new Set(walked).size).toBe(walked.length)
})

test('page limits 1 to 9 are for client libraries only', async () => {
  const clients = await newWorld({ settings: { COMPATIBILITY: 'clients' } })
  try {
    const merchant = await clients.merchant()
    const get = (limit: number) =>
      clients.call('GET', `/stores?limit=${limit}`, { auth: merchant.as_merchant })
    expect((await get(3)).status).toBe(200)
    expect((await get(0)).status).toBe(400)
    const empty = await clients.call('POST', '/app_jwts', {
      auth: merchant.as_merchant,
      body: '[]',
    })
    expect(empty.status).toBe(201)
  } finally {
    await clients.close()
  }
})
