import { beforeAll, expect, test, vi } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { rate_limits } from '../../core/limits/limits.ts'
import { runAllDue } from '../../worker/worker.ts'
import { backlog_text } from './backlog-metrics.ts'
import { newMetrics } from './metrics.ts'

// An operator's view of waiting work, of limits and of providers.
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
})

type Values = Record<string, number>

/** A metric of a new scrape, by its labels. */
async function measure(metrics: ReturnType<typeof newMetrics>, name: string): Promise<Values> {
  const found = (await metrics.measured()).find((one) => one.name === name)
  return Object.fromEntries(
    (found?.values ?? []).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  )
}

test('the oldest due row of each kind, unknown outcomes and queued events are seen', async () => {
  await runAllDue(world.service)
  const quiet = newMetrics(world.store.pool, { backlog: true })
  expect((await measure(quiet, 'kaikei_due_work_oldest_seconds')).charges).toBe(0)
  expect(await measure(quiet, 'kaikei_feed_lag_seconds')).toEqual({ '': 0 })

  const { id } = (await pay.charge()).body
  const at = (seconds: number) => `now() - interval '${seconds} seconds'`
  await world.store.pool.query(`update charges set due_on = ${at(90)}, claims = 2 where id = $1`, [
    id,
  ])
  const metrics = newMetrics(world.store.pool, { backlog: true })
  const ages = await measure(metrics, 'kaikei_due_work_oldest_seconds')
  expect(ages.charges).toBeGreaterThanOrEqual(90)
  expect(ages.charges).toBeLessThan(900)
  expect(ages).toMatchObject({ refunds: 0, webhook_lanes: 0, mails: 0 })
  expect(await measure(metrics, 'kaikei_unknown_outcomes')).toEqual({
    charges: 1,
    refunds: 0,
    cancels: 0,
  })
  // The clock of tests is behind that of the database.
  expect((await measure(metrics, 'kaikei_feed_lag_seconds'))['']).toBeGreaterThan(0)
})

test('the database is read once, however often the metrics are', async () => {
  const query = vi.spyOn(world.store.pool, 'query')
  const metrics = newMetrics(world.store.pool, { backlog: true })
  for (let scrape = 0; scrape < 20; scrape += 1) await metrics.measured()
  expect(query).toHaveBeenCalledTimes(2)
  query.mockClear()
  await newMetrics(world.store.pool, { process: '1', backlog: false }).measured()
  expect(query).not.toHaveBeenCalled()
  query.mockRestore()
})

test('it reads along indexes, whatever the size of the tables', async () => {
  const client = await world.store.pool.connect()
  await client.query('begin; set local enable_seqscan = off; set local enable_sort = off')
  const { rows } = await client.query(`explain ${backlog_text}`)
  await client.query('rollback')
  client.release()
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const scanned = [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table)
  // One row each.
  expect(new Set(scanned)).toEqual(new Set(['event_feed_end', 'activity_position']))
  expect(plan).not.toContain('Sort')
})

test('limits that refuse, refusals of providers and waits for a connection are counted', async () => {
  const metrics = newMetrics(world.store.pool, { backlog: false })
  world.service.observers.onProviderCall = metrics.observeCall
  const before = (await measure(metrics, 'kaikei_limits_hit_total')).exact ?? 0
  const path = `/stores/${shop.store_id}`
  for (let call = 0; call < rate_limits.exact.burst + 3; call += 1) {
    await world.call('GET', path, { auth: shop.as_store })
  }
  expect((await measure(metrics, 'kaikei_limits_hit_total')).exact).toBe(before + 3)

  await pay.charge({}, { data: { card_number: '4000000000000002' } })
  await runAllDue(world.service)
  const refusals = await measure(metrics, 'kaikei_provider_refusals_total')
  expect(Object.keys(refusals)).toEqual([expect.stringMatching(/ 306$/)])
  const calls = await measure(metrics, 'kaikei_provider_call_seconds')
  expect(Object.keys(calls)).toContainEqual(expect.stringMatching(/ authorize refused$/))
  world.service.observers.onProviderCall = null

  const { pool } = world.store
  const all = Array.from({ length: pool.options.max + 1 }, () =>
    pool.query('select pg_sleep(0.05)'),
  )
  await Promise.all(all)
  const waits = await measure(metrics, 'kaikei_database_wait_seconds')
  expect(waits['']).toBeGreaterThan(0)
})
