// `npm run bench -- charges`: the quick part of the suite: echo, token, charge and get, and how fast
// charges settle without other load. About a minute.
import { performance } from 'node:perf_hooks'
import { backlog, drain, haveTokens, openWorld, seconds, useShops, warmUp } from './bench-world.ts'
import { newMeasurements } from './measurements.ts'
import { printMeasurements, writeResults } from './report.ts'
import { tokensFor } from './scenarios.ts'
import { startEcho } from './servers.ts'
import { makeShops } from './shops.ts'
import { sampleStored } from './stored-charges.ts'

const world = await openWorld()
const echo = await startEcho()
const measurements = newMeasurements(world)
const { measureCeiling, measureOurs } = measurements
let settled_per_second = 0
try {
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
    await measureOurs('get one charge', { kind: 'get', connections })
  }
} finally {
  await echo.stop()
  await world.close()
}
printMeasurements(measurements.all)
console.log(`settled a second, with nothing else to do: ${settled_per_second}`)
writeResults('charges', { seconds, settled_per_second, measurements: measurements.all })
