// `npm run bench -- charges`: the quick part of the suite: echo, token, charge and get, and how fast
// charges settle without other load. About a minute; with BENCH_DATABASE_URL, which names an empty database,
// the same again on that server.
import { performance } from 'node:perf_hooks'
import {
  backlog,
  builds,
  drain,
  haveTokens,
  openWorld,
  seconds,
  useShops,
  type World,
  warmUp,
} from '../../bench-world.ts'
import { type Server, startEcho } from '../../load/servers.ts'
import { newMeasurements } from '../../measurements.ts'
import { printMeasurements, writeResults } from '../../report.ts'
import { tokensFor } from '../../scenarios.ts'
import { makeShops } from '../../stored/shops.ts'
import { sampleStored } from '../../stored/stored-charges.ts'

async function measureWorld(world: World, echo: Server) {
  const measurements = newMeasurements(world)
  const { measureCeiling, measureOurs, measureRead } = measurements
  let settled_per_second = 0
  const shops = await makeShops(world.service, 60, { credentials: 8 })
  await useShops(world, shops)
  await warmUp(world)
  for (const connections of [16, 64]) {
    await measureCeiling('echo', echo, connections)
    await measureOurs('create token', { kind: 'token', connections })
    await haveTokens(world, tokensFor(measurements, connections))
    await measureOurs('create charge', { kind: 'charge', connections })
    const left = await backlog(world)
    const began_ms = performance.now()
    await drain(world)
    settled_per_second = Math.round(left / ((performance.now() - began_ms) / 1000))
    await world.load.use({ stored: await sampleStored(world, shops) })
    await measureRead('get one charge', { kind: 'get', connections })
  }
  return { settled_per_second, measurements: measurements.all }
}

const external = process.env.BENCH_DATABASE_URL
const databases: Record<string, string>[] = [{}]
if (external) databases.push({ DATABASE_URL: external })
const results: object[] = []
const echo = await startEcho()
try {
  for (const environment of databases) {
    const world = await openWorld(environment)
    try {
      const measured = await measureWorld(world, echo)
      const built = await builds(world)
      printMeasurements(measured.measurements)
      console.log(`settled a second, with nothing else to do: ${measured.settled_per_second}`)
      console.log(`Node.js ${built.node}; ${built.database}`)
      results.push({ ...measured, ...built })
    } finally {
      await world.close()
    }
  }
} finally {
  await echo.stop()
}
writeResults('charges', { seconds, results })
