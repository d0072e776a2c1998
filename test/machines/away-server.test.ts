import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { login_rates } from '../../src/core/access/users.ts'
import { rate_limits } from '../../src/core/limits/limits.ts'
import type { CountKey } from '../../src/core/limits/request-counts.ts'
import type { TestMerchant, World } from '../support/world.ts'
import { type Machines, startMachines } from './machine-fleet.ts'
import { type SharedRedis, startRedis } from './shared-redis.ts'

// Redis is killed, or hangs. The clock of the machines stands still, too: their own counters do not refill.
let redis: SharedRedis
let machines: Machines
let shop: TestMerchant

beforeAll(async () => {
  redis = await startRedis()
  machines = await startMachines({ SHARED_STATE_URL: redis.url })
})
beforeEach(async () => {
  shop = await machines.nodes[0].merchant()
  await becomes('back')
})
afterAll(async () => {
  await machines.close()
  await redis.close()
})

const isAway = ({ service }: World) => service.shared_server?.isAway()

/** A machine notices when it uses the server; keys of security codes are exchanged every two seconds. */
async function becomes(state: 'away' | 'back'): Promise<void> {
  const is_away = state === 'away'
  await vi.waitFor(
    () => expect(machines.nodes.map(isAway)).toEqual([is_away, is_away, is_away]),
    30_000,
  )
}

async function passedOn(node: World, count: number): Promise<number> {
  const sent = Array.from({ length: count }, () =>
    node.call('GET', `/stores/${shop.store_id}`, { auth: shop.as_store }),
  )
  return (await Promise.all(sent)).filter(({ status }) => status === 200).length
}

const lines = (node: World, text: string) => node.log.filter((line) => line.includes(text))

test('killed: each machine lets through its share, without waiting, and says so once', async () => {
  const share = Math.floor(rate_limits.exact.burst / 3)
  for (const node of machines.nodes) node.log.length = 0
  await redis.kill()
  await becomes('away')
  for (const node of machines.nodes) expect(await passedOn(node, 12)).toBe(share)
  expect(machines.nodes[0].service.counts.take([['charge', 'x']])).not.toBeInstanceOf(Promise)
  for (const node of machines.nodes) {
    expect(lines(node, 'the shared state server does not answer')).toHaveLength(1)
    expect(node.service.shared_server?.counters.fallbacks).toBeGreaterThan(0)
  }
  await redis.restart()
  await becomes('back')
  for (const node of machines.nodes) {
    expect(lines(node, 'the shared state server answers again')).toHaveLength(1)
  }
})

test('frozen: requests are answered, later ones do not wait, and it recovers', async () => {
  redis.freeze()
  try {
    const taken = machines.nodes.map(({ service }) => service.counts.take([['charge', 'frozen']]))
    expect((await Promise.all(taken)).every(({ allowed }) => allowed)).toBe(true)
    await becomes('away')
    const next = machines.nodes[0].service.counts.take([['charge', 'frozen']])
    expect(next).not.toBeInstanceOf(Promise)
    expect(await passedOn(machines.nodes[1], 1)).toBe(1)
  } finally {
    redis.thaw()
  }
  await becomes('back')
})

test('login attempts stay strict: those that Redis let through count when it is away', async () => {
  const keys: CountKey[] = [['login_account', 'taro']]
  const [one, other] = machines.nodes
  const { burst } = login_rates.account
  for (let attempt = 0; attempt < burst; attempt += 1) await one.service.counts.take(keys)
  await redis.kill()
  await becomes('away')
  // The first machine has let through all of them: nothing is left of its share.
  expect((await one.service.counts.take(keys)).allowed).toBe(false)
  let passed = 0
  for (let attempt = 0; attempt < burst; attempt += 1) {
    if ((await other.service.counts.take(keys)).allowed) passed += 1
  }
  expect(passed).toBe(Math.floor(burst / 3))
  await redis.restart()
  await becomes('back')
})

test('a server that writes to disk is named in the log', async () => {
  await redis.client.config('SET', 'save', '60 1')
  const node = await machines.nodes[0].another()
  expect(lines(node, 'the shared state server writes to disk')).toHaveLength(1)
  await redis.client.config('SET', 'save', '')
})
