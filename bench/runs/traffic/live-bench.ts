// `npm run bench -- live`: a live charge through the whole service, created and polled until it is final, next to the same
// two calls sent to the bare example acquirer, in the same run, at 64 connections: while the acquirer answers each at once,
// and while it takes 100 or 300 ms for each.
import { authenticationOf, authorizationOf } from '../../../scripts/connector-check/check-calls.ts'
import type { CheckWorld } from '../../../scripts/connector-check/check-subject.ts'
import {
  type ExampleAcquirer,
  startExampleAcquirer,
} from '../../../scripts/connector-check/http-subject.ts'
import { addConnector } from '../../../src/accounts/connectors/connectors-store.ts'
import { signCall } from '../../../src/connectors/http/messages/sign-message.ts'
import {
  writeAuthentication,
  writeAuthorization,
} from '../../../src/connectors/http/messages/write-requests.ts'
import { makeTokens, openWorld, seconds, useShops, type World } from '../../bench-world.ts'
import { type LoadResult, runLoad } from '../../load/load.ts'
import { type Usage, watchCpu } from '../../process-usage.ts'
import { atMost, printBars, writeResults } from '../../report.ts'
import { makeShops } from '../../stored/shops.ts'

const connections = 64
const shops = 60
const card = '4532015112830366'
const max_overhead_ms = 15
/** Code that has just begun to run is slower. */
const warm_up_s = Math.min(2 * seconds, 10)
/** So many charges a second are not reached; the tokens of a run are created before it. */
const max_per_second = { 0: 1500, 100: 700, 300: 300 } as const
const delays_ms = [0, 100, 300] as const

/** With percent of one core. */
type Measured = LoadResult & { readonly cpu?: Usage }

/** The same requests as the connector sends, over plain sockets: the cardholder is asked for, then the money. */
function measureBare(
  { settings, url }: ExampleAcquirer,
  begin_within_ms: number,
): Promise<LoadResult> {
  const { key_id = '', secret = '' } = settings
  const subject = { cards: { approved: card } }
  const world = { subject, credentials: settings } as unknown as CheckWorld
  const write = (path: string, body: string) => {
    const signed = signCall({ id: key_id, secret }, { method: 'POST', path, body }, Date.now())
    const headers = { host: 'acquirer', ...signed, 'content-length': Buffer.byteLength(body) }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
  }
  const authorize = () => writeAuthorization(authorizationOf(world, { capture: true }))
  const begin = () => ({
    request: write('/v1/authenticate', writeAuthentication(authenticationOf(world, card))),
    answered: () => ({ request: write('/v1/authorize', authorize()) }),
  })
  return runLoad({ port: Number(new URL(url).port), connections, seconds, begin_within_ms, begin })
}

/** Charges of tokens that were created before: each from the request that creates it until it is final. */
async function measureService(
  world: World,
  per_second: number,
  begin_within_ms: number,
): Promise<Measured> {
  const { load, ours, database } = world
  const measure = async (run_s: number): Promise<Measured> => {
    await makeTokens(world, Math.ceil(per_second * run_s))
    const cpu = watchCpu({
      service: { pid: ours.pid, except: database.pid },
      database: { pid: database.pid },
    })
    const result = await load.run({
      kind: 'watched',
      port: ours.port,
      connections,
      seconds: run_s,
      begin_within_ms,
    })
    return { ...result, cpu: cpu() }
  }
  await measure(warm_up_s)
  const measured = await measure(seconds)
  const { requests, errors_by_status } = measured
  if (requests === 0 || Object.keys(errors_by_status).length > 0) {
    throw new Error(`${requests} charges, with errors ${JSON.stringify(errors_by_status)}`)
  }
  return measured
}

const acquirer = await startExampleAcquirer()
process.env.BENCH_CARD = '4532015112830366'
const world = await openWorld()
const results: (Measured & { delay_ms: number; of: string })[] = []
try {
  const { settings } = acquirer
  await addConnector(world.service, { name: 'example', kind: 'http', owner: null, settings })
  await useShops(world, await makeShops(world.service, shops, { credentials: 8, live: true }))
  for (const delay_ms of delays_ms) {
    await acquirer.control('/controls/faults', { delay_ms })
    // So long a payment takes: it is begun at every moment of another.
    const begin_within_ms = 2 * delay_ms
    await measureBare(acquirer, begin_within_ms)
    const bare = await measureBare(acquirer, begin_within_ms)
    const whole = await measureService(world, max_per_second[delay_ms], begin_within_ms)
    results.push({ delay_ms, of: 'bare acquirer', ...bare }, { delay_ms, of: 'service', ...whole })
  }
} finally {
  await world.close()
  await acquirer.stop()
}
const round = (value: number) => Math.round(value * 100) / 100
/** Milliseconds of a processor for each charge. */
const each = (percent: number | undefined, per_second: number) =>
  percent === undefined ? '' : round((percent * 10) / per_second)
console.table(
  results.map(({ of, delay_ms, per_second, errors, p50_ms, p99_ms, cpu }) => ({
    of,
    'acquirer takes ms': delay_ms,
    'per s': per_second,
    'p50 ms': round(p50_ms),
    'p99 ms': round(p99_ms),
    'service ms each': each(cpu?.service, per_second),
    'database ms each': each(cpu?.database, per_second),
    errors,
  })),
)
const bars = delays_ms.map((delay_ms) => {
  const [bare, whole] = results.filter((one) => one.delay_ms === delay_ms)
  const above_ms = (whole?.p50_ms ?? 0) - (bare?.p50_ms ?? 0)
  const figure = `p50 ms above the bare acquirer, which takes ${delay_ms} ms for each of two calls`
  // Without a pause between payments, what is measured is how many of them a processor can make.
  const note = delay_ms === 0 ? 'at full load' : ''
  return atMost(figure, above_ms, max_overhead_ms, note)
})
printBars(bars)
writeResults('live', { seconds, connections, results, bars })
