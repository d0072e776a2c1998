import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeTry } from '../../src/accounts/sessions/login-rates.ts'
import { login_rates } from '../../src/core/access/users.ts'
import { type Rate, unit } from '../../src/core/limits/bucket.ts'
import { rate_limits } from '../../src/core/limits/limits.ts'
import { type CountKey, newRequestCounts } from '../../src/core/limits/request-counts.ts'
import type { ApiResponse, CallOptions, TestMerchant, World } from '../support/world.ts'
import { type Machines, startMachines } from './machine-fleet.ts'
import { type SharedRedis, startRedis } from './shared-redis.ts'

// Three machines and a real Redis, which counts on its own clock: its buckets refill while a test runs.
let redis: SharedRedis
let machines: Machines
let shop: TestMerchant

beforeAll(async () => {
  redis = await startRedis()
  // Here a server that is slow, because the machine is, must not count as away.
  machines = await startMachines({ SHARED_STATE_URL: redis.url, SHARED_STATE_TIMEOUT_MS: '5000' })
  shop = await machines.nodes[0].merchant()
})
afterAll(async () => {
  await machines.close()
  await redis.close()
})

const nodeAt = (index: number) => machines.nodes[index % 3] as World

/**
 * Sends concurrent requests over all machines; resolves to the responses and to the tokens that the rate
 * has refilled.
 */
async function sendAll(
  { per_minute }: Rate,
  count: number,
  request: (index: number) => [method: string, path: string, options?: CallOptions],
): Promise<{ responses: ApiResponse[]; refilled: number }> {
  const began_ms = performance.now()
  const all = Array.from({ length: count }, (_, index) => nodeAt(index).call(...request(index)))
  const responses = await Promise.all(all)
  const passed_ms = performance.now() - began_ms
  return { responses, refilled: Math.ceil((per_minute * passed_ms) / unit) }
}

const isPassed = ({ status }: ApiResponse) => status !== 429

function expectExact(responses: ApiResponse[], { burst }: Rate, refilled: number): void {
  const passed = responses.filter(isPassed).length
  expect(passed).toBeGreaterThanOrEqual(burst)
  expect(passed).toBeLessThanOrEqual(burst + refilled)
  for (const { status, body, headers } of responses) {
    if (status === 429) expect([body.name, headers['retry-after']]).toEqual(['BadRequest', '1'])
  }
}

test('exact: three machines let through what one does', async () => {
  const path = `/stores/${shop.store_id}`
  const { responses, refilled } = await sendAll(rate_limits.exact, 60, () => [
    'GET',
    path,
    { auth: shop.as_merchant },
  ])
  expectExact(responses, rate_limits.exact, refilled)
  const remaining = responses.map(({ headers }) => Number(headers['x-remaining-requests-exact']))
  expect(Math.max(...remaining)).toBe(rate_limits.exact.burst - 1)
  expect(Math.min(...remaining)).toBe(0)
})

test('route: three machines let through what one does', async () => {
  const { responses, refilled } = await sendAll(rate_limits.route, 90, (index) => [
    'GET',
    `/stores/${crypto.randomUUID()}`,
    { auth: shop.as_store, headers: { 'x-request-id': `route-${index}` } },
  ])
  expectExact(responses, rate_limits.route, refilled)
})

test('charge: three machines let through what one does', async () => {
  const { responses, refilled } = await sendAll(rate_limits.charge, 240, () => [
    'POST',
    '/tokens',
    { auth: shop.as_store, body: {} },
  ])
  expectExact(responses, rate_limits.charge, refilled)
})

test('an account has its login attempts once, whichever machine handles them', async () => {
  const began_ms = performance.now()
  const attempts = Array.from({ length: 40 }, (_, index) =>
    takeTry(nodeAt(index).service, `192.0.2.${index}`, 'taro@example.com').then(
      () => true,
      () => false,
    ),
  )
  const passed = (await Promise.all(attempts)).filter((one) => one).length
  const { burst, per_minute } = login_rates.account
  const refilled = Math.ceil((per_minute * (performance.now() - began_ms)) / unit)
  expect(passed).toBeGreaterThanOrEqual(burst)
  expect(passed).toBeLessThanOrEqual(burst + refilled)
})

/** Limits that hardly refill while a test runs, so that the clocks do not matter. */
const slow_limits = ['card_address', 'card_number', 'card_challenged'] as const
const someKeys = fc.uniqueArray(
  fc.tuple(fc.constantFrom(...slow_limits), fc.constantFrom('a', 'b')),
  {
    minLength: 1,
    maxLength: 3,
    selector: String,
  },
)
const someSteps = fc.array(fc.tuple(fc.boolean(), fc.nat(2), someKeys), { maxLength: 40 })

test('the script counts as one process does', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(someSteps, async (steps) => {
      run += 1
      const own = newRequestCounts(() => 0)
      for (const [gives_back, node, names] of steps) {
        const keys = names.map(([limit, key]): CountKey => [limit, `${run} ${key}`])
        const { counts } = nodeAt(node).service
        if (gives_back) {
          own.giveBack(keys)
          counts.giveBack(keys)
          // A token that one machine returns is available before the next request of another one.
          await counts.take([['checkout_visit', `${run} ${node}`]])
          continue
        }
        const [expected, found] = [own.take(keys), await counts.take(keys)]
        expect(found).toMatchObject({ allowed: expected.allowed, remaining: expected.remaining })
        expect(found.wait_ms).toBeLessThanOrEqual(expected.wait_ms)
        expect(found.wait_ms === 0).toBe(expected.allowed)
      }
    }),
    { numRuns: 30 },
  )
})

async function scriptsRun(): Promise<number> {
  const text = await redis.client.info('commandstats')
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(text)?.[1] ?? 0)
}

test('all requests of an event loop turn share a round trip', async () => {
  const { counts } = machines.nodes[0].service
  const before = await scriptsRun()
  const taken = await Promise.all(
    Array.from({ length: 200 }, (_, index) => counts.take([['charge', `turn ${index % 20}`]])),
  )
  // Keys of security codes are exchanged every two seconds, by three machines.
  expect((await scriptsRun()) - before).toBeLessThan(20)
  expect(taken.every(({ allowed }) => allowed)).toBe(true)
})

test('every key expires, and none says whose it is', async () => {
  const names = await redis.client.keys('*')
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    expect(name).toMatch(/^kaikei:(probe|[\w-]{22})$/)
    expect(await redis.client.pttl(name)).not.toBe(-1)
  }
})

test('a bucket that is full again is removed', async () => {
  const { counts } = machines.nodes[0].service
  const before = new Set(await redis.client.keys('*'))
  const keys: CountKey[] = [['card_number', 'full again']]
  await counts.take(keys)
  const [added = ''] = (await redis.client.keys('*')).filter((name) => !before.has(name))
  expect(await redis.client.exists(added)).toBe(1)
  counts.giveBack(keys)
  await counts.take([['charge', 'after it']])
  expect(await redis.client.exists(added)).toBe(0)
})
