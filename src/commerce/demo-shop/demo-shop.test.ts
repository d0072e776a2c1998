import { expect, test } from 'vitest'
import { createDemoShop, removeDemoShop } from './demo-shop.ts'
import { useWorld } from '../../../test/support/use-world.ts'

const world = useWorld()
test('fills', async () => {
  const begun = performance.now(); const c0=process.cpuUsage()
  const shop = await createDemoShop(world.service)
  console.log('fill ms', performance.now() - begun, process.cpuUsage(c0))
  const { rows } = await world.store.pool.query(`select status, count(*) from charges where merchant_id = $1 group by 1`, [shop.merchant_id])
  console.log(rows)
  const b2 = performance.now()
  console.log(await removeDemoShop(world.service), performance.now() - b2)
  expect(1).toBe(1)
}, 120_000)
