import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cvv_policy } from '../../src/core/limits/retry-policies.ts'
import { unopenedCounts } from '../../src/methods/card/unopened-codes.ts'
import { runAllDue } from '../../src/worker/worker.ts'
import { type Payments, payments } from '../support/payments.ts'
import type { TestMerchant, World } from '../support/world.ts'
import { cvvsSent } from './cvvs-sent.ts'
import { type Machines, startMachines } from './machine-fleet.ts'

// Machines that share nothing but the database. A security code that one of them sealed is not left out when
// another one works at the charge: the charge waits for the machine with the key, or fails.
let machines: Machines
let shop: TestMerchant
let pay: Payments
let one: World
let other: World

beforeAll(async () => {
  machines = await startMachines({ SHARED_STATE: 'per_machine' })
  ;[one, other] = machines.nodes
})
beforeEach(async () => {
  one.clock.advance(60_000)
  other.log.length = 0
  shop = await one.merchant()
  pay = payments(one, shop)
})
afterAll(() => machines.close())

/** A charge whose code the first machine has sealed. */
async function newCharge(): Promise<string> {
  const transaction_token_id = await pay.tokenId()
  const { body } = await pay.post('/charges', { transaction_token_id, amount: 1, currency: 'JPY' })
  return body.id
}

const chargeOf = async (id: string) => (await pay.get(pay.chargePath(id))).body

test('the machine with the key charges with the code, however often another one claims', async () => {
  const id = await newCharge()
  const before = unopenedCounts().retried
  const [by_one, by_other] = [cvvsSent(one), cvvsSent(other)]
  await runAllDue(other.service)
  expect(await chargeOf(id)).toMatchObject({ status: 'pending', error: null })
  expect(by_other).toEqual([])
  one.clock.advance(cvv_policy.look_again_ms)
  await runAllDue(one.service)
  expect(await chargeOf(id)).toMatchObject({ status: 'successful' })
  expect(by_one).toEqual(['123'])
  expect(unopenedCounts().retried).toBeGreaterThan(before)
  const lines = other.log.filter((line) => line.includes('a security code cannot be opened here'))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join()).not.toContain('4242424242424242')
})

test('a charge that no machine with the key claims fails, and says why', async () => {
  const id = await newCharge()
  const before = unopenedCounts().failed
  const by_other = cvvsSent(other)
  for (let passed_ms = 0; passed_ms <= cvv_policy.wait_ms; passed_ms += 10_000) {
    await runAllDue(other.service)
    one.clock.advance(10_000)
  }
  await runAllDue(other.service)
  expect(await chargeOf(id)).toMatchObject({
    status: 'error',
    error: { code: 501, detail: 'The security code could not be opened. Create a new token.' },
  })
  expect(by_other).toEqual([])
  expect(unopenedCounts().failed).toBe(before + 1)
  expect(other.log.join()).toContain('a security code could not be opened: the payment fails')
})
