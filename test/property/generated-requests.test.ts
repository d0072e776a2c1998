import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestMerchant, type World } from '../world.ts'
import { hostile, nearlyValid, valid } from './json-schema-values.ts'

// Requests are made from our own schemas: fitting, nearly fitting and hostile. The test world checks
// every answer against the API description; here only a 5xx or an undocumented answer can fail.
let world: World
let shop: TestMerchant

beforeAll(async () => {
  world = await newWorld()
  shop = await world.merchant()
})
afterAll(() => world.close())

interface Parameter {
  name: string
  in: string
  schema: object
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: object } } }
}

interface Generated {
  method: string
  path: string
  body: unknown
  auth: 'store' | 'merchant' | 'jwt' | 'none' | 'bad'
  key: string | null
}

/** The shop itself is not deleted: from then on its tokens would be refused everywhere. */
function operations(): [path: string, method: string, operation: Operation][] {
  const all = Object.entries(world.app.swagger().paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(
      ([method, operation]) =>
        [path, method.toUpperCase(), operation] as [string, string, Operation],
    ),
  )
  return all.filter(([path, method]) => method !== 'DELETE' || path !== '/stores/{store_id}')
}

/** Ids that exist make the request go further than ids that do not. */
function idFor(name: string): fc.Arbitrary<string> {
  const own = name === 'store_id' ? shop.store_id : name === 'merchant_id' ? shop.id : undefined
  const random = fc.oneof(fc.uuid(), hostile.map(asText))
  return own ? fc.oneof({ weight: 4, arbitrary: fc.constant(own) }, random) : random
}

function requestOf([path, method, operation]: ReturnType<
  typeof operations
>[number]): fc.Arbitrary<Generated> {
  const { parameters = [], requestBody } = operation
  const ids = fc.record(
    Object.fromEntries(
      parameters.filter((one) => one.in === 'path').map(({ name }) => [name, idFor(name)]),
    ),
  )
  const query = fc.record(
    Object.fromEntries(
      parameters
        .filter((one) => one.in === 'query')
        // Whoever polls waits; a feed without news would take its five seconds each time.
        .map(({ name, schema }) => [
          name,
          fc.oneof(name === 'polling' ? fc.constant(false) : valid(schema), hostile),
        ]),
    ),
    { requiredKeys: [] },
  )
  const schema = requestBody?.content['application/json'].schema
  const body = schema
    ? fc.oneof(
        { weight: 4, arbitrary: valid(schema) },
        { weight: 4, arbitrary: nearlyValid(schema) },
        { weight: 1, arbitrary: hostile },
      )
    : fc.constant(undefined)
  return fc.record({
    method: fc.constant(method),
    path: fc.tuple(ids, query).map(([names, search]) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
        encode(String((names as Record<string, string>)[name])),
      )
      const pairs = Object.entries(search).map(([key, value]) => `${key}=${encode(asText(value))}`)
      return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled
    }),
    body,
    auth: fc.constantFrom('store', 'merchant', 'merchant', 'merchant', 'jwt', 'none', 'bad'),
    key: fc.option(fc.constantFrom('a', 'b', 'c', '', 'x y', 'k'.repeat(300)), { freq: 5 }),
  })
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function encode(text: string): string {
  return encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed()) || '-'
}

test('10,000 generated requests: no 5xx, and every answer matches the API description', async () => {
  const all = operations()
  const seen = new Map<number, number>()
  const tried = new Set<string>()
  const authorization = {
    store: shop.as_store,
    merchant: shop.as_merchant,
    jwt: `Bearer ${shop.jwt}`,
    none: null,
    bad: 'Bearer a.b.c',
  }
  const requests = fc.sample(fc.oneof(...all.map(requestOf)), { numRuns: 10_000, seed: 20260115 })
  for (const { method, path, body, auth, key } of requests) {
    world.clock.advance(1000)
    const { status } = await world.call(method, path, {
      auth: authorization[auth],
      ...(body === undefined ? {} : { body: JSON.stringify(body) ?? 'undefined' }),
      headers: key === null ? {} : { 'idempotency-key': key },
    })
    expect(status, `${method} ${path} ${JSON.stringify(body)}`).toBeLessThan(500)
    seen.set(status, (seen.get(status) ?? 0) + 1)
    if (status < 300) tried.add(`${method} ${path.split(/[/?]/).slice(1, 2)}`)
  }
  // The harness is only worth something if it got through to every kind of answer.
  for (const status of [200, 201, 400, 401, 403, 404])
    expect(seen.get(status), String(status)).toBeGreaterThan(5)
  expect(tried.size).toBeGreaterThan(8)
}, 240_000)
