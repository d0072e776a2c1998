import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { cvv_life_ms } from '../../src/vault/cvv-keys.ts'
import { runAllDue } from '../../src/worker/worker.ts'
import { payments } from '../support/payments.ts'
import type { TestMerchant, World } from '../support/world.ts'
import { cvvsSent } from './cvvs-sent.ts'
import { type Machines, startMachines } from './machine-fleet.ts'
import { type SharedRedis, startRedis } from './shared-redis.ts'

// Each machine seals security codes with keys of its own, and gets those of the others from Redis.
let redis: SharedRedis
let machines: Machines
let shop: TestMerchant

beforeAll(async () => {
  redis = await startRedis()
  machines = await startMachines({ SHARED_STATE_URL: redis.url, SHARED_STATE_TIMEOUT_MS: '5000' })
})
beforeEach(async () => {
  shop = await nodeAt(0).merchant()
})
afterAll(async () => {
  await machines.close()
  await redis.close()
})

const nodeAt = (index: number) => machines.nodes[index % 3] as World

/** One machine creates the token, the next one the charge, and the third one asks the provider. */
async function chargeAcross(index: number, of = shop): Promise<string> {
  const id = await payments(nodeAt(index), of).tokenId()
  const wanted = { transaction_token_id: id, amount: 1, currency: 'JPY' }
  const { body, status } = await payments(nodeAt(index + 1), of).post('/charges', wanted)
  expect(status).toBe(201)
  await runAllDue(nodeAt(index + 2).service)
  const { get, chargePath } = payments(nodeAt(index + 2), of)
  return (await get(chargePath(body.id))).body.status
}

test('100 of 100 codes are opened by another machine than the one that sealed them', async () => {
  const sent = machines.nodes.map(cvvsSent)
  const shops = await Promise.all(Array.from({ length: 10 }, () => nodeAt(0).merchant()))
  const statuses: string[] = []
  for (let index = 0; index < 100; index += 1) {
    statuses.push(await chargeAcross(index, shops[index % shops.length]))
  }
  expect(statuses.filter((status) => status === 'successful')).toHaveLength(100)
  expect(sent.flat()).toEqual(Array.from({ length: 100 }, () => '123'))
})

test('keys are in Redis for five minutes at most, and sealed', async () => {
  await chargeAcross(0)
  const names = await redis.client.keys('*')
  const hashes: string[] = []
  for (const name of names) if ((await redis.client.type(name)) === 'hash') hashes.push(name)
  expect(hashes.length).toBeGreaterThan(0)
  for (const name of hashes) {
    const left_ms = await redis.client.pttl(name)
    expect(left_ms).toBeGreaterThan(0)
    expect(left_ms).toBeLessThanOrEqual(cvv_life_ms + 10_000)
    for (const value of await redis.client.hvals(name)) {
      // The format and the id of the vault key come first.
      expect(Buffer.from(value, 'base64').length).toBeGreaterThan(32 + 28)
    }
  }
})

test('codes that were sealed before Redis went away are opened everywhere', async () => {
  const sent = machines.nodes.map(cvvsSent)
  await vi.waitFor(() => expect(machines.nodes.some(isAway)).toBe(false), 30_000)
  await keysAreExchanged()
  await redis.kill()
  try {
    await vi.waitFor(() => expect(machines.nodes.every(isAway)).toBe(true), 30_000)
    expect(await chargeAcross(1)).toBe('successful')
    expect(sent.flat()).toEqual(['123'])
  } finally {
    await redis.restart()
  }
})

test('codes that were sealed meanwhile are opened everywhere when Redis is back', async () => {
  const sent = machines.nodes.map(cvvsSent)
  await redis.kill()
  await vi.waitFor(() => expect(machines.nodes.every(isAway)).toBe(true), 30_000)
  // Keys of a time that no machine has prepared for.
  nodeAt(0).clock.advance(60_000)
  const id = await payments(nodeAt(0), shop).tokenId()
  await redis.restart()
  await vi.waitFor(() => expect(machines.nodes.some(isAway)).toBe(false), 30_000)
  const wanted = { transaction_token_id: id, amount: 1, currency: 'JPY' }
  const { body } = await payments(nodeAt(1), shop).post('/charges', wanted)
  const { get, chargePath } = payments(nodeAt(1), shop)
  await vi.waitFor(async () => {
    await runAllDue(nodeAt(1).service)
    nodeAt(0).clock.advance(1000)
    expect((await get(chargePath(body.id))).body.status).toBe('successful')
  }, 20_000)
  expect(sent.flat()).toEqual(['123'])
})

/** Each machine has stored the keys of this time since, and has read those of the others afterwards. */
async function keysAreExchanged(): Promise<void> {
  const calls = async () => {
    const counts = await redis.client.info('commandstats')
    return Number(/cmdstat_evalsha:calls=(\d+)/.exec(counts)?.[1] ?? 0)
  }
  const before = await calls()
  const rounds = 4
  await vi.waitFor(async () => expect(await calls()).toBeGreaterThan(before + rounds * 6), 60_000)
}

function isAway({ service }: World): boolean {
  return service.shared_server?.isAway() ?? false
}
