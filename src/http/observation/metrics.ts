import { createServer, type Server } from 'node:http'
import type { Pool } from 'pg'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import type { Circuits } from '../../core/limits/circuits.ts'
import { limitHits } from '../../core/limits/limit-hits.ts'
import { unopenedCounts } from '../../methods/card/unopened-codes.ts'
import { attemptCounts } from '../../payments/card-testing/attempt-counts.ts'
import { fallBackCounts } from '../../payments/routing/fall-back-counts.ts'
import type { ProviderCall } from '../../service.ts'
import type { SharedServer } from '../../shared-state/shared-server.ts'
import type { Admission } from '../admission/admission.ts'
import { measureBacklog } from './backlog-metrics.ts'

/** All metrics of one process, as sent to another one. */
export type Measured = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export interface Metrics {
  observeRequest(method: string, route: string, status: number, seconds: number): void
  observeWork(kind: string, count: number): void
  observeCall(call: ProviderCall): void
  measured(): Promise<Measured>
  /** Serves the metrics, and those of other processes, on a separate port. */
  listen(host: string, port: number, others?: () => Promise<Measured[]>): Promise<Server>
}

export interface MetricsOptions {
  /** The name of this process among several: each is reported separately, because each starts at zero. */
  readonly process?: string
  /** None in a process that serves no requests. */
  readonly admission?: Admission
  /** None in a process that calls no provider. */
  readonly circuits?: Circuits
  /** The server that shares counts between machines; null: none. */
  readonly shared_server?: SharedServer | null
  /** Metrics that are the same in all processes are measured by one of them. */
  readonly backlog: boolean
}

export function newMetrics(pool: Pool, options: MetricsOptions): Metrics {
  const { process, admission, circuits, shared_server, backlog } = options
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
  measureCheckouts(registry)
  measureUnopened(registry)
  measureWaits(registry, pool)
  measureLimits(registry)
  if (shared_server) measureSharedServer(registry, shared_server)
  if (admission) measureAdmission(registry, admission)
  if (circuits) measureConnectors(registry, circuits)
  if (backlog) measureBacklog(registry, pool)
  return {
    observeCall: measureProviders(registry),
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

function measureCheckouts(registry: Registry): void {
  new Counter({
    name: 'kaikei_checkout_attempts_total',
    help: 'Cards that were tried on pages and with new tokens, by what became of them',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(attemptCounts())) this.inc({ result }, count)
    },
  })
}

function measureUnopened(registry: Registry): void {
  new Counter({
    name: 'kaikei_cvv_unopened_total',
    help: 'Security codes that could not be opened, by what became of the payment',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(unopenedCounts())) this.inc({ result }, count)
    },
  })
}

function measureSharedServer(registry: Registry, server: SharedServer): void {
  new Gauge({
    name: 'kaikei_shared_state_up',
    help: '1 while the shared state server can be used, 0 while each machine counts its share',
    registers: [registry],
    collect() {
      this.set(server.isAway() ? 0 : 1)
    },
  })
  const counters = {
    losses: 'How often the shared state server went away',
    fallbacks:
      'Requests that were counted by this machine because the shared state server was away',
  } as const
  for (const name of ['losses', 'fallbacks'] as const) {
    new Counter({
      name: `kaikei_shared_state_${name}_total`,
      help: counters[name],
      registers: [registry],
      collect() {
        this.reset()
        this.inc(server.counters[name])
      },
    })
  }
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

/** Only waits are measured: a statement that finds a free connection costs nothing more. */
function measureWaits(registry: Registry, pool: Pool): void {
  const waits = new Histogram({
    name: 'kaikei_database_wait_seconds',
    help: 'How long statements waited for a free connection, where there was none',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const connect = pool.connect.bind(pool)
  const measured = (callback?: Parameters<typeof connect>[0]) => {
    const is_free = pool.idleCount > 0 || pool.totalCount < pool.options.max
    const end = is_free && pool.waitingCount === 0 ? null : waits.startTimer()
    if (callback === undefined) return end ? connect().finally(end) : connect()
    if (!end) return connect(callback)
    connect((error, client, release) => {
      end()
      callback(error, client, release)
    })
  }
  pool.connect = measured as typeof pool.connect
}

function measureLimits(registry: Registry): void {
  new Counter({
    name: 'kaikei_limits_hit_total',
    help: 'Requests that a rate limit or a resource limit refused, by limit',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [limit, count] of Object.entries(limitHits())) this.inc({ limit }, count)
    },
  })
}

function measureConnectors(registry: Registry, circuits: Circuits): void {
  new Gauge({
    name: 'kaikei_connector_open_circuits',
    help: 'Accounts that this process sends no new payments to, because the connector does not answer',
    labelNames: ['connector'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [connector, count] of circuits.open()) this.set({ connector }, count)
    },
  })
  new Counter({
    name: 'kaikei_connector_fallbacks_total',
    help: 'Payments that went to another connector, because the first certainly did nothing',
    labelNames: ['from', 'to'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { from, to, count } of fallBackCounts()) this.inc({ from, to }, count)
    },
  })
}

function measureProviders(registry: Registry): Metrics['observeCall'] {
  const registers = [registry]
  const calls = new Histogram({
    name: 'kaikei_provider_call_seconds',
    help: 'Time that calls to payment providers took, by operation and outcome',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  })
  const refusals = new Counter({
    name: 'kaikei_provider_refusals_total',
    help: 'Operations that a payment provider refused, by error code',
    labelNames: ['provider', 'code'],
    registers,
  })
  return ({ provider, operation, outcome, code, seconds }) => {
    calls.observe({ provider, operation, outcome }, seconds)
    if (code !== null) refusals.inc({ provider, code })
  }
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
