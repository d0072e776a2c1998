import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { paymentFaults } from '../../../test/payment-checks.ts'
import { type Payments, payments } from '../../../test/payments.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/world.ts'
import { Failure } from '../../core/errors.ts'
import { createCharge } from './create-charge.ts'

// Charges that come at the same time share one statement; each is decided as if it had come alone.
let world: World
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  world = await newWorld()
})
beforeEach(async () => {
  world.clock.advance(60_000)
  shop = await world.merchant()
  pay = payments(world, shop)
})
afterAll(async () => {
  const faults = await paymentFaults(world)
  await world.close()
  expect(faults).toEqual([])
})

const day_ms = 24 * 3_600_000
const query = async (text: string, ...values: unknown[]) =>
  (await world.store.pool.query(text, values)).rows

/** Charges in one statement, each so long after now: `made`, or why not. */
async function together(tokens: string[], after_ms: number[], body: object = {}, of = shop) {
  const now_ms = world.clock.now()
  const outcomes = tokens.map(async (transaction_token_id, index) => {
    const clock = { ...world.clock, now: () => now_ms + (after_ms[index] ?? 0) }
    const caller = { merchant_id: of.id, store_id: of.store_id, mode: 'test', with_secret: true }
    const asked = { transaction_token_id, amount: 1000, currency: 'JPY', ...body }
    try {
      await createCharge({ ...world.service, clock }, caller as never, asked)
      return 'made'
    } catch (error) {
      return error instanceof Failure ? error.code : String(error)
    }
  })
  return Promise.all(outcomes)
}

const oneTimeTokens = async (count: number) => {
  const ids: string[] = []
  while (ids.length < count) ids.push(await pay.tokenId())
  return ids
}

/** As if the merchant had made 1440 charges since yesterday: the oldest two in these places. */
async function fillRing(position: number, ...oldest_on: number[]) {
  const at = new Date(world.clock.now())
  await query('update test_charge_rings set position = $2 where merchant_id = $1', shop.id, position)
  await query(
    `insert into test_charge_slots select $1, slot, $2::timestamptz
     from generate_series(0, 1439) as slot`,
    shop.id,
    at,
  )
  for (const [index, used_on] of oldest_on.entries()) {
    await query(
      'update test_charge_slots set used_on = $3 where merchant_id = $1 and slot = $2',
      shop.id,
      position + 1 + index,
      new Date(used_on),
    )
  }
}

test('a place that is free some milliseconds later is not passed over', async () => {
  const tokens = await oneTimeTokens(5)
  const yesterday = world.clock.now() - day_ms
  await fillRing(9, yesterday + 2, yesterday + 3)
  const full = 'RESOURCE_LIMIT_REACHED'
  const first = await together(tokens.slice(0, 2), [0, 5])
  expect(first[0]).toBe(full)
  const later = await together(tokens.slice(2), [5, 5, 5])
  const made = [...first, ...later].filter((outcome) => outcome === 'made')
  expect({ first, later, made: made.length }).toMatchObject({ made: 2 })
})
