import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import { day_ms, hour_ms } from '../../core/time/clock.ts'
import { runKind } from '../../worker/worker.ts'
import { readTrends } from './provider-trends.ts'

const world = useWorld()
const measure = () => runKind(world.service, 'queue_samples')

test('queues are measured every five minutes, and the last day of it is shown by the hour', async () => {
  await measure()
  expect(await readTrends(world.service)).toMatchObject({ queues: [], measured_hours: 1 })
  const charge = await payments(world, await world.merchant()).charge({ amount: 700 })
  expect(charge.status, charge.text).toBe(201)
  world.clock.advance(2 * hour_ms)
  await measure()
  await measure()
  await runKind(world.service, 'charges')
  world.clock.advance(hour_ms)
  await measure()
  const { queues, measured_hours } = await readTrends(world.service)
  const [day] = queues
  expect(measured_hours).toBe(3)
  expect([day?.name, day?.label.en, day?.hours.length]).toEqual(['charges', 'Payments', 24])
  expect((day?.waited_ms ?? 0) / hour_ms).toBeCloseTo(2, 1)
  expect(day?.hours.slice(-4).map(({ due }) => due)).toEqual([0, null, 1, 0])
})

test('measurements of more than a day ago are deleted', async () => {
  world.clock.advance(2 * day_ms)
  await measure()
  const found = await world.store.pool.query('select distinct sampled_on from queue_samples')
  expect(found.rows).toHaveLength(1)
})
