import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kaikei } from '../client/src/kaikei-client.ts'
import {
  backlog,
  drain,
  haveTokens,
  makeTokens,
  restartWarm,
  seconds,
  type World,
  without_worker,
} from './bench-world.ts'
import type { Kind } from './load/load-requests.ts'
import { startOurs } from './load/servers.ts'
import type { Measurements } from './measurements.ts'
import { atLeast, atMost, type Bar } from './report.ts'
import { tokensFor } from './scenarios.ts'

/** The minimum rates for charges in the ordinary scenarios. */
export function chargeBars({ find }: Measurements): Bar[] {
  const charge = find('create charge', 64)
  const read = find('get one charge', 64)
  const peer = find('peer', 16)
  const missing = peer ? '' : 'the peer could not be installed'
  const peers = peer ? `the peer’s p99 is ${peer.p99_ms.toFixed(1)} ms` : missing
  const p99_ms = find('create charge', 16)?.p99_ms ?? null
  return [
    atLeast('create charge to echo, 64 connections', charge?.to.echo ?? null, 0.27),
    atLeast('create charge to peer, 64 connections', charge?.to.peer ?? null, 1.1, missing),
    atMost('create charge p99, 16 connections, ms', p99_ms, 26, peers),
    atLeast('full life a second, 64 connections', find('full life', 64)?.per_second ?? null, 450),
    atLeast('get one charge to echo, 64 connections', read?.to.echo ?? null, 0.7),
  ]
}

/** From the charge request to the response that reports it as settled, at half of the maximum rate. */
export async function measureHalfLoad(world: World, measurements: Measurements): Promise<Bar> {
  const pace = Math.max(1, Math.round(measurements.rateOf('create charge', 64) / 2))
  await haveTokens(world, pace * seconds * 2)
  const run = { kind: 'some_watched' as Kind, connections: 64, pace, seconds: seconds * 2 }
  const { watched } = await measurements.measureOurs('create charge at half load', run)
  await drain(world)
  const note = `${watched.requests} charges followed at ${pace}/s, p50 ${watched.p50_ms.toFixed(0)} ms`
  return atMost('create to successful at half load, p99 ms', watched.p99_ms, 150, note)
}

/** Headroom above the bar. */
const sustained_part = 0.65
/** A minute, unless all measurements are short. */
const sustained_s = Math.max(seconds * 12, seconds >= 3 ? 60 : 0)
const mean = (values: number[]) =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(values.length, 1)

async function chargesWhileSettled(world: World, measurements: Measurements, pace: number) {
  const samples: number[] = []
  let running = true
  const sampling = (async () => {
    while (running) {
      samples.push(await backlog(world))
      await sleep(1000)
    }
  })()
  const run = { kind: 'charge' as Kind, connections: 64, pace, seconds: sustained_s }
  const created = await measurements.measureOurs('create charge, sustained', run)
  running = false
  const left = await backlog(world)
  await sampling
  return { created, samples, settled: created.requests - created.errors - left }
}

/** Whether the pending charges are not being settled. */
async function isIdle(world: World): Promise<boolean> {
  const before = await backlog(world)
  await sleep(500)
  return before > 0 && (await backlog(world)) === before
}

/** Charges are created continuously and must be settled as fast; compared with creating them alone. */
export async function measureSettling(world: World, measurements: Measurements): Promise<Bar> {
  const tokens = tokensFor(measurements, 64)
  await haveTokens(world, tokens * 4)
  await restartWarm(world, without_worker)
  // By the process that will charge them, as in everyday work.
  const makeAlone = async (connections: number) => {
    await makeTokens(world, tokens)
    const run = { kind: 'charge' as Kind, connections }
    return measurements.measureOurs('create charge alone', run, ['echo', 'peer'])
  }
  await makeAlone(16)
  const alone = await makeAlone(64)
  const off = await isIdle(world)
  await restartWarm(world)
  await drain(world)

  const pace = Math.max(1, Math.round(alone.per_second * sustained_part))
  await haveTokens(world, pace * sustained_s)
  const { created, samples, settled } = await chargesWhileSettled(world, measurements, pace)
  await drain(world)
  const quarter = Math.ceil(samples.length / 4)
  const [second, last] = [samples.slice(quarter, quarter * 2), samples.slice(-quarter)].map(mean)
  // Flat: the backlog at the end is at most a quarter second of work larger than at the beginning.
  const flat = (last ?? 0) <= (second ?? 0) * 1.5 + pace / 4
  const ratio = settled / created.seconds / Math.max(alone.per_second, 1)
  const settled_rate = Math.round(settled / created.seconds)
  const note = [
    `${settled_rate}/s settled of ${created.per_second}/s made`,
    `for ${Math.round(created.seconds)} s, alone ${alone.per_second}/s${off ? '' : ' (with worker)'}`,
    `backlog ${Math.round(second ?? 0)} to ${Math.round(last ?? 0)}: ${flat ? 'flat' : 'growing'}`,
  ].join(', ')
  const bar = atLeast('settled a second to create rate alone', ratio, 0.6, note)
  return { ...bar, met: bar.met && flat }
}

/** Time to the first response on an existing database. The service is stopped before and afterwards. */
export async function measureStart(data_dir: string, runs: number): Promise<Bar> {
  const times_s: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const begun_ms = performance.now()
    const { port, stop } = await startOurs({ DATA_DIR: data_dir })
    const credentials = JSON.parse(readFileSync(join(data_dir, 'credentials.json'), 'utf8'))
    const base_url = `http://127.0.0.1:${port}`
    await new Kaikei({ ...credentials, base_url, max_retries: 0 }).merchant.get()
    times_s.push((performance.now() - begun_ms) / 1000)
    await stop()
  }
  times_s.sort((a, b) => a - b)
  const note = `median of ${runs}, slowest ${times_s.at(-1)?.toFixed(2)} s`
  return atMost('start to first answer, s', times_s[Math.floor(runs / 2)] ?? null, 1.5, note)
}
