import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestMerchant, World } from '../support/world.ts'
import { type Machines, startMachines } from './machine-fleet.ts'

// A merchant's test clock is moved on one machine; the next request goes to another one.
let machines: Machines
let one: World
let other: World
let shop: TestMerchant

beforeAll(async () => {
  machines = await startMachines({ SHARED_STATE: 'per_machine' })
  ;[one, other] = machines.nodes
  shop = await one.merchant()
})
afterAll(() => machines.close())

async function timeOn({ call }: World): Promise<string> {
  return (await call('GET', '/test/clock', { auth: shop.as_store })).body.now
}

async function moveOn({ call, clock }: World): Promise<string> {
  clock.advance(1000)
  const moved = await call('POST', '/test/clock', {
    auth: shop.as_store,
    body: { advance: 'P1D' },
  })
  expect(moved.status).toBe(200)
  return moved.body.now
}

test('a request that is sent after the move sees it, on every machine', async () => {
  for (const node of [one, other, one]) {
    const now = await moveOn(node)
    for (const seen_by of machines.nodes) expect(await timeOn(seen_by)).toBe(now)
  }
})

test('also on a machine whose messages do not arrive', async () => {
  await other.service.signals.close()
  for (let round = 0; round < 2; round += 1) {
    const now = await moveOn(one)
    expect(await timeOn(other)).toBe(now)
  }
})
