// `npm run bench`: everything in one run, each figure next to its ceiling and to a peer, and the bars
// that must be met. All rules and limits are enabled; so many merchants take part that none reaches a
// limit.
import { chargeBars, measureHalfLoad, measureSettling, measureStart } from '../../bars.ts'
import { builds, openWorld, seconds, useNewShops, useShops } from '../../bench-world.ts'
import { startEcho, startInsert, startPeer, startSink } from '../../load/servers.ts'
import { newMeasurements } from '../../measurements.ts'
import { growthBars, measurePages } from '../../page-growth.ts'
import { type Bar, printBars, printMeasurements, writeResults } from '../../report.ts'
import {
  type Ceilings,
  connection_counts,
  measureCeilings,
  measureCharges,
  measureLife,
  measureMixed,
  measureReads,
  measureTokens,
} from '../../scenarios.ts'
import { sampleStored } from '../../stored/stored-charges.ts'
import { fill, type StoredShops, storedShops } from '../../stored/stored-shops.ts'

const few = 10_000
const many = Number(process.env.BENCH_STORED ?? 1_000_000)

const world = await openWorld()
const built = await builds(world)
const measurements = newMeasurements(world)
const bars: Bar[] = []
const [echo, peer, sink] = await Promise.all([startEcho(), startPeer(), startSink()])
if (!peer) process.stderr.write('The peer could not be installed: its figures are left out.\n')

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
  const shops = await storedShops(world)
  await fill(world, measurements, shops, few)
  const few_times = await measureStored(shops)
  await measureWrites(shops)
  bars.push(...chargeBars(measurements))
  await useNewShops(world, 20_000 * seconds)
  bars.push(await measureHalfLoad(world, measurements))
  bars.push(await measureSettling(world, measurements))
  await fill(world, measurements, shops, many)
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
