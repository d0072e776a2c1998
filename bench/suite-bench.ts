// `npm run bench`: everything in one run, each figure next to its ceiling and to a peer, and the bars
// that must be met. All rules and limits are enabled; so many merchants take part that none reaches a
// limit.
import { chargeBars, measureHalfLoad, measureSettling, measureStart } from './bars.ts'
import { builds, drain, openWorld, seconds, useNewShops, useShops } from './bench-world.ts'
import { newMeasurements } from './measurements.ts'
import { growthBars, measurePages, type StoredShops } from './page-growth.ts'
import { type Bar, printBars, printMeasurements, writeResults } from './report.ts'
import {
  type Ceilings,
  connection_counts,
  measureCeilings,
  measureCharges,
  measureLife,
  measureMixed,
  measureReads,
  measureTokens,
} from './scenarios.ts'
import { startEcho, startInsert, startPeer, startSink } from './servers.ts'
import { makeShops } from './shops.ts'
import { countStored, sampleStored, storeCharges } from './stored-charges.ts'

const few = 10_000
const many = Number(process.env.BENCH_STORED ?? 1_000_000)
const small_shops = 100

const world = await openWorld()
const built = await builds(world)
const measurements = newMeasurements(world)
const bars: Bar[] = []
const [echo, peer, sink] = await Promise.all([startEcho(), startPeer(), startSink()])
if (!peer) process.stderr.write('The peer could not be installed: its figures are left out.\n')

async function fill(shops: StoredShops, wanted: number): Promise<void> {
  const begun_ms = performance.now()
  await storeCharges(world, [shops.big, ...shops.small], wanted)
  measurements.setStored(await countStored(world))
  const passed_s = (performance.now() - begun_ms) / 1000
  process.stderr.write(`filled up to ${wanted} charges in ${passed_s.toFixed(0)} s\n`)
}

/** Shops with charges; the service creates some first, which also warms it up. */
async function storedShops(): Promise<StoredShops> {
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

async function readStored({ small }: StoredShops): Promise<void> {
  await useShops(world, small, await sampleStored(world, small))
}

async function measureStored(shops: StoredShops) {
  await readStored(shops)
  for (const connections of connection_counts.toReversed()) {
    await measureCeilings(measurements, { echo }, connections)
    await measureReads(measurements, connections)
  }
  return measurePages(world, measurements, shops)
}

async function measureWrites(shops: StoredShops): Promise<void> {
  const { connection } = world.database
  const [insert, shared] = [
    await startInsert(connection, false),
    await startInsert(connection, true),
  ]
  const ceilings: Ceilings = { echo, insert, 'shared insert': shared, ...(peer ? { peer } : {}) }
  for (const connections of connection_counts.toReversed()) {
    await measureCeilings(measurements, ceilings, connections)
    await measureTokens(world, measurements, connections)
    await measureCharges(world, measurements, connections)
    await measureCharges(world, measurements, connections, 'charge_with_key')
    await measureLife(world, measurements, sink, connections)
    await readStored(shops)
    await measureMixed(world, measurements, connections)
  }
  await Promise.all([insert.stop(), shared.stop()])
}

try {
  const shops = await storedShops()
  await fill(shops, few)
  const few_times = await measureStored(shops)
  await measureWrites(shops)
  bars.push(...chargeBars(measurements))
  await useNewShops(world, 20_000 * seconds)
  bars.push(await measureHalfLoad(world, measurements))
  bars.push(await measureSettling(world, measurements))
  await fill(shops, many)
  bars.push(...growthBars(few_times, await measureStored(shops)))
  await world.pause()
  bars.push(await measureStart(world.data_dir, 5))
} finally {
  await Promise.all([echo.stop(), peer?.stop(), sink.stop()])
  await world.close()
  printMeasurements(measurements.all)
  printBars(bars)
  console.log(`Node.js ${built.node}; ${built.database}`)
  writeResults('suite', { seconds, ...built, bars, measurements: measurements.all })
}
