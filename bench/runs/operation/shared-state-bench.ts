// `npm run bench -- shared-state`: what a shared state server costs a request: the service with a Redis and
// without, in turns and in one run. Both are on this machine, so the network is not part of it.
import { startRedis } from '../../../test/machines/shared-redis.ts'
import { drain, haveTokens, openWorld, restartWarm, seconds, useShops } from '../../bench-world.ts'
import { newMeasurements } from '../../measurements.ts'
import { printMeasurements, writeResults } from '../../report.ts'
import { makeShops } from '../../stored/shops.ts'
import { sampleStored } from '../../stored/stored-charges.ts'

const rounds = 3
const connections = 64

const redis = await startRedis()
const world = await openWorld()
const measurements = newMeasurements(world)
const settings = { alone: {}, shared: { SHARED_STATE_URL: redis.url } }
try {
  const shops = await makeShops(world.service, 200, { credentials: 8 })
  await useShops(world, shops)
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, environment] of Object.entries(settings)) {
      await restartWarm(world, environment)
      await drain(world)
      await measurements.measureOurs(`create token, ${name}`, { kind: 'token', connections })
      const a_second = measurements.rateOf(`create token, ${name}`, connections)
      await haveTokens(world, Math.ceil(a_second * seconds * 1.2))
      await measurements.measureOurs(`create charge, ${name}`, { kind: 'charge', connections })
      await drain(world)
      await world.load.use({ stored: await sampleStored(world, shops) })
      await measurements.measureOurs(`get one charge, ${name}`, { kind: 'get', connections })
    }
  }
} finally {
  await world.close()
  await redis.close()
}
printMeasurements(measurements.all)
writeResults('shared-state', { seconds, measurements: measurements.all })
