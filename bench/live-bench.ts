// `npm run bench -- live`: an authorization by the `http` connector next to the same request sent to the bare example
// acquirer, in the same run, at 64 connections: once while the acquirer answers at once, once while it takes 100 ms.
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { authorizationOf } from '../scripts/connector-check/check-calls.ts'
import type { CheckWorld } from '../scripts/connector-check/check-subject.ts'
import {
  type ExampleAcquirer,
  startExampleAcquirer,
} from '../scripts/connector-check/http-subject.ts'
import { http_connector } from '../src/connectors/http/http-connector.ts'
import { signCall } from '../src/connectors/http/sign-message.ts'
import { writeAuthorization } from '../src/connectors/http/write-requests.ts'
import { newLog } from '../src/log.ts'
import { runLoad, type Times, timesOf } from './load.ts'
import { atMost, printBars, writeResults } from './report.ts'

const connections = 64
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const max_overhead_ms = 15

/** The same request as the connector sends, over plain sockets. */
function measureBare({ settings, url }: ExampleAcquirer, world: CheckWorld): Promise<Times> {
  const { key_id = '', secret = '' } = settings
  const path = '/v1/authorize'
  const begin = () => {
    const body = writeAuthorization(authorizationOf(world))
    const signed = signCall({ id: key_id, secret }, { method: 'POST', path, body }, Date.now())
    const headers = { host: 'acquirer', ...signed, 'content-length': Buffer.byteLength(body) }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return { request: `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}` }
  }
  return runLoad({ port: Number(new URL(url).port), connections, seconds, begin })
}

async function measureConnector(world: CheckWorld): Promise<Times> {
  const log = newLog('silent')
  const provider = http_connector.open(`bench-${randomUUID()}`, { log, now: () => Date.now() })
  const times_ms: number[] = []
  const end_ms = performance.now() + seconds * 1000
  async function runConnection(): Promise<void> {
    while (performance.now() < end_ms) {
      const begun_ms = performance.now()
      const ending = new AbortController()
      const limit = { signal: ending.signal }
      const { outcome } = await provider.authorize(authorizationOf(world), limit)
      if (outcome !== 'approved') throw new Error(`The acquirer answered ${outcome}.`)
      times_ms.push(performance.now() - begun_ms)
    }
  }
  await Promise.all(Array.from({ length: connections }, runConnection))
  return timesOf(times_ms)
}

const acquirer = await startExampleAcquirer()
const subject = { cards: { approved: '4532015112830366' } }
const world = { subject, credentials: acquirer.settings } as unknown as CheckWorld
const results: (Times & { delay_ms: number; of: string })[] = []
try {
  for (const delay_ms of [0, 100]) {
    await acquirer.control('/controls/faults', { delay_ms })
    for (const round of ['warm-up', 'measured']) {
      const bare = await measureBare(acquirer, world)
      const connector = await measureConnector(world)
      if (round === 'warm-up') continue
      results.push(
        { delay_ms, of: 'bare acquirer', ...bare },
        { delay_ms, of: 'connector', ...connector },
      )
    }
  }
} finally {
  await acquirer.stop()
}
const round = (value: number) => Math.round(value * 100) / 100
console.table(
  results.map(({ of, delay_ms, requests, p50_ms, p99_ms }) => ({
    of,
    'acquirer takes ms': delay_ms,
    'per s': Math.round(requests / seconds),
    'p50 ms': round(p50_ms),
    'p99 ms': round(p99_ms),
  })),
)
const bars = [0, 100].map((delay_ms) => {
  const [bare, connector] = results.filter((one) => one.delay_ms === delay_ms)
  const above_ms = (connector?.p50_ms ?? 0) - (bare?.p50_ms ?? 0)
  const figure = `p50 ms above the bare acquirer, which takes ${delay_ms} ms`
  // Without a pause between payments, what is measured is how many of them a processor can make.
  const note = delay_ms === 0 ? 'at full load' : ''
  return atMost(figure, above_ms, max_overhead_ms, note)
})
printBars(bars)
writeResults('live', { seconds, connections, results, bars })
