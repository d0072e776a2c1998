// `npm run bench -- memory`: memory of one process while a million charges (BENCH_CHARGES) go through it.
// Flat: in the last quarter it is within a tenth of what it was in the second.
import { drain, haveTokens, openWorld, type World } from '../../bench-world.ts'
import { freePort } from '../../load/servers.ts'
import { memoryMb } from '../../process-usage.ts'
import { atMost, printBars, writeResults } from '../../report.ts'

const wanted = Number(process.env.BENCH_CHARGES ?? 1_000_000)
/** Creates this number of tokens, charges them, and repeats. */
const at_once = Math.min(25_000, Math.ceil(wanted / 40))
const metrics_port = await freePort()

interface Sample {
  charges: number
  memory_mb: number
  heap_mb: number
}

async function heapMb(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metrics_port}/metrics`)).text()
  const bytes = /^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1]
  return Math.round(Number(bytes ?? 0) / 1024 ** 2)
}

async function sample({ ours, database }: World, charges: number): Promise<Sample> {
  return { charges, memory_mb: memoryMb(ours.pid, database.pid), heap_mb: await heapMb() }
}

const world = await openWorld({ METRICS_PORT: String(metrics_port) })
const samples: Sample[] = []
let made = 0
let errors = 0
try {
  while (made < wanted) {
    await haveTokens(world, at_once)
    const begun = made
    let running = true
    const sampling = (async () => {
      while (running) {
        samples.push(await sample(world, begun))
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    })()
    const run = { kind: 'charge' as const, connections: 64, seconds: 240, port: world.ours.port }
    const result = await world.load.run(run)
    running = false
    await sampling
    made += result.requests - result.errors
    errors += result.errors
    await drain(world)
    const { memory_mb, heap_mb } = samples.at(-1) ?? {}
    process.stderr.write(`${made} charges, ${memory_mb} MB, of it heap ${heap_mb} MB\n`)
    if (result.requests === result.errors) throw new Error('No charge could be made.')
  }
} finally {
  await world.close()
}

const quarters = [0, 1, 2, 3].map((quarter) => {
  const own = samples.filter(({ charges }) => Math.floor((charges / made) * 4) === quarter)
  const mean = (pick: (one: Sample) => number) =>
    Math.round(own.reduce((sum, one) => sum + pick(one), 0) / Math.max(own.length, 1))
  return {
    quarter: quarter + 1,
    samples: own.length,
    'MB mean': mean(({ memory_mb }) => memory_mb),
    'MB most': Math.max(0, ...own.map(({ memory_mb }) => memory_mb)),
    'heap MB mean': mean(({ heap_mb }) => heap_mb),
  }
})
console.table(quarters)
const [, second, , last] = quarters.map((one) => one['MB mean'])
const note = `${made} charges, ${errors} errors, ${second} MB then ${last} MB`
const bar = atMost('memory, last quarter to second', (last ?? 0) / (second || 1), 1.1, note)
printBars([bar])
writeResults('memory', { charges: made, errors, quarters, bars: [bar] })
