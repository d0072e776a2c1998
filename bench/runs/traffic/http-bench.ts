// `npm run bench -- http`: GET /me of the service next to a bare Fastify route, in the same run.
import { openWorld, seconds, useShops } from '../../bench-world.ts'
import { startEcho } from '../../load/servers.ts'
import { newMeasurements } from '../../measurements.ts'
import { printMeasurements, writeResults } from '../../report.ts'
import { makeShops } from '../../stored/shops.ts'

const connections = 32
const world = await openWorld()
const bare = await startEcho()
const measurements = newMeasurements(world)
try {
  // Each token may make 10 calls at once and 2 a second: the limits stay on, so there are many.
  await useShops(world, await makeShops(world.service, 100, { credentials: 19 }))
  for (const round of ['warm-up', 'measured']) {
    await measurements.measureCeiling('bare get', bare, connections)
    await measurements.measureOurs(`GET /me, ${round}`, { kind: 'me', connections }, ['bare get'])
  }
} finally {
  await bare.stop()
  await world.close()
}
printMeasurements(measurements.all)
writeResults('http', { seconds, measurements: measurements.all })
