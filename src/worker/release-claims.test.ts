import { expect, test } from 'vitest'
import { payments } from '../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../test/support/use-world.ts'
import { releaseClaims } from './release-claims.ts'

// The claims of a process that was killed.
const world = useWorld()
const shop = useMerchant(world)
const pay = payments(world, shop)

const rows = async (query: string, ...values: unknown[]) =>
  (await world.store.pool.query(query, values)).rows

/** The state that a process leaves behind that claimed a charge at the shop's time, and died. */
async function leaveClaimed(id: string, at_ms: number): Promise<void> {
  const due_on = new Date(at_ms + 30_000)
  await rows('update charges set due_on = $1, claims = 1 where id = $2', due_on, id)
}

const statusOf = async (id: string) => (await pay.get(pay.chargePath(id))).body.status

test('a claimed charge is due immediately for the next process', async () => {
  const { id } = (await pay.charge()).body
  await leaveClaimed(id, world.clock.now())
  await pay.work()
  expect(await statusOf(id)).toBe('pending')
  await releaseClaims(world.service)
  await pay.work()
  expect(await statusOf(id)).toBe('successful')
})

test('also in a test mode with a time of its own', async () => {
  const moved = await pay.post('/test/clock', { advance: 'P1D' })
  expect(moved.status).toBe(200)
  const { id } = (await pay.charge()).body
  await leaveClaimed(id, world.service.clocks.of(shop.id, 'test').now())
  await releaseClaims(world.service)
  await pay.work()
  expect(await statusOf(id)).toBe('successful')
})

test('rows due later than the end of any lease are not changed', async () => {
  const id = await pay.tokenId()
  const pending = JSON.stringify({ status: 'pending' })
  await rows('update transaction_tokens set three_ds = $1 where id = $2', pending, id)
  const due = () => rows('select due_on from transaction_tokens where id = $1', id)
  const before = await due()
  expect(before[0].due_on.getTime()).toBeGreaterThan(world.clock.now() + 60_000)
  await releaseClaims(world.service)
  expect(await due()).toEqual(before)
})
