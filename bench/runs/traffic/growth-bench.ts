// `npm run bench -- growth`: what requests take with many charges stored compared with few, in one run. `BENCH_STORED` is
// how many; the big merchant has a quarter of them, and as many deliveries. They are copies of a charge that the service
// made (stored-charges.ts).
import { builds, openWorld, seconds, type World } from '../../bench-world.ts'
import { type Measurements, newMeasurements } from '../../measurements.ts'
import { filters, growthBars, measurePages, pages } from '../../page-growth.ts'
import { atMost, type Bar, printBars, printMeasurements, writeResults } from '../../report.ts'
import { measureCharges, measureTokens } from '../../scenarios.ts'
import { big_part } from '../../stored/stored-charges.ts'
import { storeDeliveries } from '../../stored/stored-deliveries.ts'
import { fill, storedShops } from '../../stored/stored-shops.ts'

const few = 10_000
/** With these the big merchant has ten thousand. */
const few_of_merchant = 40_000
const many = Number(process.env.BENCH_STORED ?? 1_000_000)
const connections = 16
const max_growth = 1.3

/** Milliseconds of a charge that is created, settling beside it. */
async function measureCreate(world: World, measurements: Measurements): Promise<number> {
  await measureTokens(world, measurements, connections)
  await measureCharges(world, measurements, connections)
  return (await measureCharges(world, measurements, connections)).p50_ms
}

async function readBytes({ database }: World): Promise<{ rows: number; indexes: number }> {
  const { rows } = await database.client.query(`select sum(pg_table_size(oid))::float8 as rows,
      sum(pg_indexes_size(oid))::float8 as indexes from pg_class
    where oid = 'charges'::regclass
      or oid in (select inhrelid from pg_inherits where inhparent = 'charges'::regclass)`)
  return rows[0]
}

const world = await openWorld()
const built = await builds(world)
const measurements = newMeasurements(world)
const bars: Bar[] = []
try {
  const shops = await storedShops(world)
  await fill(world, measurements, shops, few)
  const reads = ['get', ...pages] as const
  const few_reads = await measurePages(world, measurements, shops, reads)
  const create_few_ms = await measureCreate(world, measurements)
  await fill(world, measurements, shops, few_of_merchant)
  await storeDeliveries(world, shops.big, few_of_merchant * big_part)
  const only_big = { ...shops, small: [] }
  const few_filters = await measurePages(world, measurements, only_big, filters)
  await fill(world, measurements, shops, many)
  await storeDeliveries(world, shops.big, many * big_part)
  bars.push(...growthBars(few_reads, await measurePages(world, measurements, shops, reads)))
  const many_filters = await measurePages(world, measurements, only_big, filters)
  bars.push(...growthBars(few_filters, many_filters, 'filters'))
  const bytes = await readBytes(world)
  console.log(
    `Of ${many} charges each has ${Math.round(bytes.rows / many)} bytes of rows and ` +
      `${Math.round(bytes.indexes / many)} bytes of indexes.`,
  )
  const create_ms = await measureCreate(world, measurements)
  const note = `p50 ${create_few_ms.toFixed(2)} ms, then ${create_ms.toFixed(2)} ms`
  bars.push(
    atMost('create: time at most to least charges', create_ms / create_few_ms, max_growth, note),
  )
} finally {
  await world.close()
  printMeasurements(measurements.all)
  printBars(bars)
  console.log(`Node.js ${built.node}; ${built.database}`)
  writeResults('growth', { seconds, ...built, bars, measurements: measurements.all })
}
