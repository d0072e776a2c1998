import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { day_ms, hour_ms } from '../../core/time/clock.ts'
import { countActivity } from './count-activity.ts'

// Sums by the hour, counted from the event feed: each event once, whatever happens to the worker.
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
})

async function activity(query: Record<string, string> = {}, auth = shop.as_merchant) {
  const { status, body, text } = await world.call('GET', '/activity', {
    auth,
    query: { mode: 'test', time_zone: 'UTC', ...query },
  })
  expect(status, text).toBe(200)
  return body
}

test('payments, failures and refunds of today, against the day before', async () => {
  const first = await pay.settled({ amount: 700 })
  world.clock.advance(day_ms)
  const paid = await pay.settled({ amount: 1000 })
  await pay.settled({}, { data: { card_number: '4000000000000002' } })
  await pay.post(`${pay.chargePath(paid.id)}/refunds`, { amount: 300, currency: 'JPY' })
  await pay.settled({ amount: 50, currency: 'USD' })
  await pay.work()
  const from = new Date(world.clock.now() - hour_ms).toISOString()
  const to = new Date(world.clock.now() + hour_ms).toISOString()
  const found = await activity({ from, to })
  expect(found).toMatchObject({ mode: 'test', currency: 'JPY', interval: 'hour' })
  expect(found.currencies.sort()).toEqual(['JPY', 'USD'])
  const { totals } = found
  expect(totals).toEqual({
    count: 2,
    successful: 1,
    failed: 1,
    canceled: 0,
    volume: 1000,
    refunds: 1,
    refund_volume: 300,
    success_rate: 0.5,
  })
  expect(found.failure_reasons).toMatchObject([{ code: 306, count: 1 }])
  expect(found.series.reduce((sum: number, one: { count: number }) => sum + one.count, 0)).toBe(2)
  expect(found.methods[0]).toMatchObject({ payment_type: 'card', brand: 'visa' })
  const days = await activity({
    from: new Date(world.clock.now() - 4 * day_ms).toISOString(),
    to,
  })
  expect(days.interval).toBe('day')
  expect(days.totals.volume).toBe(1000 + first.charged_amount)
  const day = new Date(world.clock.now() - 20 * hour_ms).toISOString()
  const yesterday = await activity({ from: day })
  expect(yesterday.totals_before.volume).toBe(first.charged_amount)
})

test('each event counts once, however many workers count, and again after a crash', async () => {
  const before = (await activity()).totals
  const other = await world.another()
  for (let count = 0; count < 6; count += 1) await pay.charge({ amount: 10 })
  await pay.work()
  const all = [world, other].flatMap(({ service }) =>
    [1, 2, 3].map(() => countActivity(service, 2)),
  )
  await Promise.all(all)
  await pay.work()
  const after = (await activity()).totals
  expect(after.successful - before.successful).toBe(6)
  expect(after.volume - before.volume).toBe(60)
  const { rows } = await world.store.pool.query(
    `select (select sum(count) from activity_hours where outcome <> 'refunded')::integer as counted,
      (select count(*) from events where name = 'charge_finished')::integer as finished`,
  )
  expect(rows[0].counted).toBe(rows[0].finished)
})

test('another merchant and another mode see nothing; a store of another is not found', async () => {
  const other = await world.merchant()
  expect((await activity({}, other.as_merchant)).totals.count).toBe(0)
  expect((await activity({ mode: 'live' })).totals.count).toBe(0)
  const query = { store_id: shop.store_id }
  const auth = other.as_merchant
  expect((await world.call('GET', '/activity', { auth, query })).status).toBe(404)
  expect((await world.call('GET', '/attention', { auth, query })).status).toBe(404)
})

test('a period that is too long or backwards is refused', async () => {
  const auth = shop.as_merchant
  const periods: Record<string, string>[] = [
    { from: '2020-01-01' },
    { from: '2026-01-02', to: '2026-01-01' },
  ]
  for (const query of periods) {
    const { status, body } = await world.call('GET', '/activity', { auth, query })
    expect([status, body.errors[0].reason]).toEqual([400, 'INVALID_TIME_PERIOD'])
  }
})

test('the attention list: open circuits, waiting payments, expiring holds, returned deposits', async () => {
  const held = await pay.settled({ capture: false })
  const waiting = await pay.waiting('bank_transfer', { brand: 'aozora_bank' })
  const short = await pay.waiting('bank_transfer', { brand: 'aozora_bank' })
  await pay.post(`/test/charges/${short}/deposits`, { amount: 1 })
  await pay.work()
  const body = { url: 'http://127.0.0.1:9/x', triggers: ['charge_finished'] }
  await world.call('POST', '/webhooks', { auth: shop.as_merchant, body })
  const look = async () =>
    (await world.call('GET', '/attention', { auth: shop.as_merchant, query: { mode: 'test' } }))
      .body
  const now = await look()
  const ids = (group: { newest: { resource_id: string }[] }) =>
    group.newest.map(({ resource_id }) => resource_id)
  expect(ids(now.awaiting_deposits)).toContain(waiting)
  expect(ids(now.expiring_authorizations)).not.toContain(held.id)
  const { rows } = await world.store.pool.query('select due_on from charges_due where id = $1', [
    held.id,
  ])
  world.clock.advance(rows[0].due_on.getTime() - world.clock.now() - day_ms)
  expect(ids((await look()).expiring_authorizations)).toEqual([held.id])
})

test('each count of the attention list is the length of a list that can be asked for', async () => {
  const auth = shop.as_merchant
  const get = async (path: string) => {
    const { status, text, body } = await world.call('GET', path, { auth })
    expect(status, text).toBe(200)
    return body
  }
  const idsOf = async (path: string, field = 'id') =>
    (await get(path)).items.map((item: Record<string, string>) => item[field]).toSorted()
  await pay.settled({ capture: false })
  const expiring = '/transaction_history?mode=test&expires_within_hours=48'
  const early = await get('/attention?mode=test')
  expect(await idsOf(expiring, 'resource_id')).toHaveLength(early.expiring_authorizations.count)
  const left = await world.store.pool.query(
    "select d.due_on from charges_due d join charges c using (merchant_id, id) where c.status = 'authorized' order by d.due_on desc limit 1",
  )
  world.clock.advance(left.rows[0].due_on.getTime() - world.clock.now() - day_ms)
  const waiting = await pay.waiting('bank_transfer', { brand: 'aozora_bank' })
  await pay.post(`/test/charges/${waiting}/deposits`, { amount: 1 })
  await pay.post(`/stores/${shop.store_id}/charges/${waiting}/cancels`)
  await pay.work()
  const { rows } = await world.store.pool.query('select id from webhooks limit 1')
  await world.store.pool.query(
    "insert into webhook_lanes (merchant_id, webhook_id, mode, rests_until) select merchant_id, id, 'test', $1 from webhooks on conflict (merchant_id, webhook_id, mode) do update set rests_until = excluded.rests_until",
    [new Date(world.clock.now() + day_ms)],
  )
  const now = await get('/attention?mode=test')
  expect(now.expiring_authorizations.count).toBeGreaterThan(0)
  expect(await idsOf(expiring, 'resource_id')).toHaveLength(now.expiring_authorizations.count)
  expect(await idsOf('/webhooks?paused=true')).toEqual([rows[0].id])
  expect(now.open_circuits.count).toBe(1)
  const back = ['returning', 'returned', 'unreturned'].map((one) => `status[]=${one}`).join('&')
  expect(now.returned_deposits.count).toBeGreaterThan(0)
  const week = new Date(world.clock.now() - 7 * day_ms).toISOString()
  expect(await idsOf(`/deposits?mode=test&${back}&from=${week}`)).toHaveLength(
    now.returned_deposits.count,
  )
  expect(await idsOf('/deposits?mode=test&status=expected')).toHaveLength(
    now.awaiting_deposits.count,
  )
})
