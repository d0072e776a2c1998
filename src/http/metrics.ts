import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import type { Admission } from './admission.ts'

/** All metrics of one process, as sent to another one. */
export type Measured = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface Metrics {
  observeRequest(method: string, route: string, status: number, seconds: number): void
  observeWork(kind: string, count: number): void
  measured(): Promise<Measured>
  /** Serves the metrics, and those of other processes, on a separate port. */
  listen(host: string, port: number, others?: () => Promise<Measured[]>): Promise<Server>
}

export interface MetricsOptions {
  /** The name of this process among several: each is reported separately, because each starts at zero. */
  readonly process?: string
  /** None in a process that serves no requests. */
  readonly admission?: Admission
  /** Metrics that are the same in all processes are measured by one of them. */
  readonly ledger: boolean
}

export function newMetrics(pool: Pool, { process, admission, ledger }: MetricsOptions): Metrics {
  const registry = new Registry()
  if (process !== undefined) registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Histogram({
    name: 'kaikei_http_request_seconds',
    help: 'Time to answer, by route pattern',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const work = new Counter({
    name: 'kaikei_due_work_total',
    help: 'Rows handled by the worker, by kind',
    labelNames: ['kind'],
    registers,
  })
  measureConnections(registry, pool)
  if (admission) measureAdmission(registry, admission)
  if (ledger) measureLedger(registry, pool)
  return {
    observeRequest: (method, route, status, seconds) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    observeWork: (kind, count) => work.inc({ kind }, count),
    measured: () => registry.getMetricsAsJSON(),
    listen: (host, port, others) =>
      listen(host, port, registry.contentType, async () => {
        if (!others) return registry.metrics()
        const all = await Promise.all([registry.getMetricsAsJSON(), others()])
        return AggregatorRegistry.aggregate([all[0], ...all[1]]).metrics()
      }),
  }
}

function measureConnections(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'kaikei_database_connections',
    help: 'Database connections of this process, by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waited_for' }, pool.waitingCount)
    },
  })
}

function measureAdmission(registry: Registry, admission: Admission): void {
  new Gauge({
    name: 'kaikei_requests_in_progress',
    help: 'Requests that are worked at, and polls that wait for a change',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(admission.inProgress()))
        this.set({ state }, count)
    },
  })
  new Counter({
    name: 'kaikei_requests_shed_total',
    help: 'Requests answered with 503 because there was no room for them, by kind and reason',
    labelNames: ['kind', 'reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { kind, reason, count } of admission.refused()) this.inc({ kind, reason }, count)
    },
  })
}

function measureLedger(registry: Registry, pool: Pool): void {
  new Gauge({
    name: 'kaikei_ledger_open_positions',
    help: 'What clearing accounts hold and nothing explains yet, in minor units',
    labelNames: ['account', 'currency', 'mode'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { account, currency, mode, sum } of await openPositions(pool)) {
        this.set({ account, currency, mode }, sum)
      }
    },
  })
}

const max_query_ms = 1000

interface OpenPosition {
  account: string
  currency: string
  mode: string
  sum: number
}

/** Empty when the database is unavailable or busy: all the other metrics are needed then. */
async function openPositions(pool: Pool): Promise<OpenPosition[]> {
  const asked =
    pool.query<OpenPosition>(`select account, currency, mode, sum(balance)::float8 as sum
    from ledger_balances where account in ('fx_clearing', 'suspense')
    group by 1, 2, 3 having sum(balance) <> 0`)
  const found = asked.then(
    ({ rows }) => rows,
    () => [],
  )
  return Promise.race([found, sleep(max_query_ms, [], { ref: false })])
}

function listen(
  host: string,
  port: number,
  content_type: string,
  read: () => Promise<string>,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(async ({ url }, response) => {
      const found = url === '/metrics' ? await read().catch(() => null) : ''
      const status = found === null ? 503 : found === '' ? 404 : 200
      response.writeHead(status, { 'content-type': content_type }).end(found ?? '')
    })
    server.on('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}
