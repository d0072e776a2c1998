import { beforeEach, expect, test } from 'vitest'
import { type Checkouts, checkouts } from '../../../test/support/pages/checkouts.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/time/clock.ts'
import { due_queues, queue_tables } from '../../store/due/due-queues.ts'
import { due_kinds } from '../../worker/due-kinds.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: minute_ms })
let buy: Checkouts

beforeEach(async () => {
  buy = checkouts(world, shop)
})

test('the test clock stops at the expiry of a checkout session, which expires then', async () => {
  const { id, expires_on } = await buy.session()
  const until = new Date(Date.parse(expires_on) + hour_ms).toISOString()
  const { items } = (await buy.get(`/test/clock/upcoming?until=${until}`)).body
  expect(items).toMatchObject([{ kind: 'checkout_expiry', resource_id: id, on: expires_on }])
  const moved = await buy.post('/test/clock', { now: until })
  expect(moved.status, moved.text).toBe(200)
  expect((await buy.read(id)).status).toBe('expired')
  const { items: events } = (await buy.get('/events?event=checkout_expired')).body
  // It happened at its own time, not at the end of the way.
  expect(Date.parse(events[0].created_on)).toBeLessThan(Date.parse(expires_on) + minute_ms)
})

test('a session that is open for longer than the clock is moved stays open', async () => {
  const { id } = await buy.session()
  await buy.post('/test/clock', { advance: `PT${(day_ms - hour_ms) / hour_ms}H` })
  expect((await buy.read(id)).status).toBe('open')
})

test('every table that is a queue has its worker, with the same clock', () => {
  const worked = due_kinds.flatMap(({ table, time }) => (table ? [[table, time]] : []))
  expect(new Map(worked as [string, string][])).toEqual(
    new Map(queue_tables.map((table) => [table, due_queues[table].clock])),
  )
})
