import { drain, useShops, type World } from '../bench-world.ts'
import type { Measurements } from '../measurements.ts'
import { makeShops, type OwnedShop } from './shops.ts'
import { countStored, storeCharges } from './stored-charges.ts'

const small_shops = 100

export interface StoredShops {
  big: OwnedShop
  small: OwnedShop[]
}

/** Shops with charges; the service creates some first, which also warms it up. */
export async function storedShops(world: World): Promise<StoredShops> {
  const [big] = await makeShops(world.service, 1, { credentials: 20, of_merchant: true })
  if (!big) throw new Error('There is no big merchant.')
  const small = await makeShops(world.service, small_shops, { credentials: 8 })
  const run = { port: world.ours.port, connections: 16, seconds: 30, count: 2000 }
  await useShops(world, small)
  await world.load.run({ ...run, kind: 'token' })
  await world.load.run({ ...run, kind: 'charge' })
  await drain(world)
  return { big, small }
}

export async function fill(
  world: World,
  measurements: Measurements,
  { big, small }: StoredShops,
  wanted: number,
): Promise<void> {
  const begun_ms = performance.now()
  await storeCharges(world, [big, ...small], wanted)
  measurements.setStored(await countStored(world))
  const passed_s = (performance.now() - begun_ms) / 1000
  process.stderr.write(`filled up to ${wanted} charges in ${passed_s.toFixed(0)} s\n`)
}
