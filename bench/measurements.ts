import { seconds, type World } from './bench-world.ts'
import type { LoadResult } from './load/load.ts'
import type { LoadRun } from './load/load-client.ts'
import type { Kind } from './load/load-requests.ts'
import type { Server } from './load/servers.ts'
import { memoryMb, type Usage, watchCpu } from './process-usage.ts'

/**
 * The ceilings that the service is compared with, each measured in the same run, and the request of
 * each.
 */
const ceilings = {
  echo: 'bare',
  'bare get': 'me',
  insert: 'bare',
  'shared insert': 'bare',
  peer: 'peer',
} as const satisfies Record<string, Kind>
export type Ceiling = keyof typeof ceilings

export interface Measurement extends LoadResult {
  scenario: string
  connections: number
  /** Charges in the database. */
  stored: number
  cpu: Usage
  memory_mb: Record<string, number>
  /** Requests per second relative to a ceiling at the same number of connections. */
  to: Partial<Record<Ceiling, number>>
}

type Run = Partial<Omit<LoadRun, 'kind'>> & { kind: Kind; connections: number }

/** Measures and stores the results. */
export function newMeasurements(world: World) {
  const all: Measurement[] = []
  let stored = 0

  async function measure(scenario: string, server: Server, run: Run): Promise<Measurement> {
    const { load, database } = world
    const cpu = watchCpu({
      service: { pid: server.pid, except: database.pid },
      database: { pid: database.pid },
      load: { pid: load.pid },
    })
    const result = await load.run({ port: server.port, seconds, ...run })
    if (result.errors === result.requests) {
      const found = JSON.stringify(result.errors_by_status)
      throw new Error(
        `${scenario}: of ${result.requests} requests none was answered well: ${found}`,
      )
    }
    const measured = {
      scenario,
      ...result,
      connections: run.connections,
      stored,
      cpu: cpu(),
      memory_mb: { service: memoryMb(server.pid, database.pid), database: memoryMb(database.pid) },
      to: {} as Measurement['to'],
    }
    const wrong = result.errors ? `, errors ${JSON.stringify(result.errors_by_status)}` : ''
    const found = `${result.per_second}/s, p50 ${result.p50_ms.toFixed(2)} ms${wrong}`
    process.stderr.write(`${scenario}, ${run.connections} connections: ${found}\n`)
    return measured
  }

  /** The same for a short time without measuring, to warm up the code. */
  async function warmUp({ port }: Server, run: Run): Promise<void> {
    await world.load.run({ port, ...run, seconds: Math.min(seconds / 4, 1) })
  }

  const find = (scenario: string, connections: number) =>
    all.findLast((one) => one.scenario === scenario && one.connections === connections)
  /** The newest result; 0: it could not be measured. */
  const rateOf = (scenario: string, connections: number) =>
    find(scenario, connections)?.per_second ?? 0

  async function measureOurs(scenario: string, run: Run, against: Ceiling[] = ['echo']) {
    const measured = await measure(scenario, world.ours, run)
    for (const ceiling of against) {
      const rate = rateOf(ceiling, run.connections)
      if (rate > 0) measured.to[ceiling] = measured.per_second / rate
    }
    all.push(measured)
    return measured
  }

  return {
    all,
    find,
    rateOf,
    setStored: (count: number) => {
      stored = count
    },
    measureCeiling: async (ceiling: Ceiling, server: Server, connections: number) => {
      const run = { kind: ceilings[ceiling], connections }
      await warmUp(server, run)
      const measured = await measure(ceiling, server, run)
      all.push(measured)
      return measured
    },
    /** For repeatable scenarios: warmed up before measuring. */
    measureRead: async (scenario: string, run: Run, against: Ceiling[] = ['echo']) => {
      await warmUp(world.ours, run)
      return measureOurs(scenario, run, against)
    },
    measureOurs,
  }
}

export type Measurements = ReturnType<typeof newMeasurements>
