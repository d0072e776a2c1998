import { setTimeout as sleep } from 'node:timers/promises'
import { drain, haveTokens, seconds, useNewShops, type World } from './bench-world.ts'
import type { Kind } from './load/load-requests.ts'
import type { Server } from './load/servers.ts'
import type { Ceiling, Measurement, Measurements } from './measurements.ts'

export const connection_counts = [1, 16, 64]
/** Charges are created at most about as fast as tokens; a measurement ends when the tokens are used up. */
export function tokensFor({ rateOf }: Measurements, connections: number): number {
  return Math.ceil(rateOf('create token', connections) * seconds * 1.2)
}

export type Ceilings = Partial<Record<Ceiling, Server>>

export async function measureCeilings(
  measurements: Measurements,
  ceilings: Ceilings,
  connections: number,
): Promise<void> {
  for (const [ceiling, server] of Object.entries(ceilings)) {
    await measurements.measureCeiling(ceiling as Ceiling, server, connections)
  }
}

const reads: [string, Kind][] = [
  ['get one charge', 'get'],
  ['first page', 'list'],
  ['page by e-mail', 'by_email'],
  ['page by time', 'by_time'],
  ['search', 'search'],
]

/** Reads of stored charges, distributed over all shops. */
export async function measureReads(measurements: Measurements, connections: number) {
  for (const [scenario, kind] of reads) {
    await measurements.measureRead(scenario, { kind, connections })
  }
}

const written: Ceiling[] = ['echo', 'insert', 'shared insert', 'peer']

export async function measureCharges(
  world: World,
  measurements: Measurements,
  connections: number,
  kind: Kind = 'charge',
): Promise<Measurement> {
  const scenario = kind === 'charge' ? 'create charge' : 'create charge with key'
  await haveTokens(world, tokensFor(measurements, connections))
  const measured = await measurements.measureOurs(scenario, { kind, connections }, written)
  await drain(world)
  return measured
}

export async function measureTokens(world: World, measurements: Measurements, connections: number) {
  await useNewShops(world, 20_000 * seconds)
  await measurements.measureOurs('create token', { kind: 'token', connections }, written)
  await drain(world)
}

const mix = 'mixed: 50 % get, 20 % page, 15 % token, 15 % charge'
export async function measureMixed(world: World, measurements: Measurements, connections: number) {
  await measurements.measureOurs(mix, { kind: 'mixed', connections })
  await drain(world)
}

const longest_wait_ms = 60_000

/** Token, charge, settled as the client sees it, webhook at its receiver. */
export async function measureLife(
  world: World,
  measurements: Measurements,
  sink: Server,
  connections: number,
): Promise<void> {
  const sink_url = `http://127.0.0.1:${sink.port}`
  const arrivals = async () => (await (await fetch(sink_url)).json()) as number[]
  await useNewShops(world, 2000 * seconds, `${sink_url}/ok`)
  await arrivals()
  const began_ms = performance.now()
  const life = await measurements.measureOurs('full life', { kind: 'life', connections })
  const arrived: number[] = []
  while (performance.now() - began_ms < seconds * 1000 + longest_wait_ms) {
    arrived.push(...(await arrivals()))
    if (arrived.length >= life.requests - life.errors) break
    await sleep(50)
  }
  const passed_s = (performance.now() - began_ms) / 1000
  arrived.sort((a, b) => a - b)
  const at = (part: number) => arrived[Math.floor(arrived.length * part)] ?? 0
  const missing = life.requests - life.errors - arrived.length
  measurements.all.push({
    ...life,
    scenario: '  of it: charge made to webhook received',
    requests: arrived.length,
    seconds: passed_s,
    per_second: Math.round(arrived.length / passed_s),
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    errors: missing,
    errors_by_status: missing > 0 ? { missing } : {},
    to: {},
  })
}
