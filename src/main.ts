import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { type PreparedDemo, prepareDemo } from './accounts/demo/demo-merchant.ts'
import { addressOf, type Config } from './config.ts'
import type { PlainError } from './core/api/plain-error.ts'
import type { RequestCounts } from './core/limits/request-counts.ts'
import { beginStop, endsWithin } from './core/time/deadline.ts'
import { checkLowWaterMark } from './events/feed-events.ts'
import { newAdmission } from './http/admission/admission.ts'
import { closeHttp, watchConnections } from './http/admission/close-http.ts'
import { watchLateness } from './http/admission/lateness.ts'
import { buildApp } from './http/app.ts'
import { checkPorts, refuseTaken } from './http/free-port.ts'
import type { Health } from './http/observation/health.ts'
import { type Metrics, newMetrics } from './http/observation/metrics.ts'
import { newReadiness, type WriteCheck } from './http/observation/readiness.ts'
import { newServiceLog } from './log.ts'
import { openForServing, whenAway } from './open-service.ts'
import type { Service } from './service.ts'
import { newWriteProbe } from './store/migrate/write-probe.ts'
import { replicaOf, type Store } from './store/open-store.ts'
import { awaitDatabase } from './store/server/client/await-database.ts'
import { openTraces } from './traces/open-traces.ts'
import { due_kinds } from './worker/due-kinds.ts'
import { releaseClaims } from './worker/release-claims.ts'
import { startWorker } from './worker/worker.ts'

export interface RunningService {
  readonly base_url: string
  readonly demo: PreparedDemo | null
  /** Resolves when the service cannot continue: it has lost its embedded database, or all processes. */
  readonly lost: Promise<PlainError>
  stop(): Promise<void>
}

/** Makes this process one of several: the first one does what is done once for all. */
export interface Membership {
  readonly number: number
  readonly log: Logger
  readonly counts: RequestCounts
  /** Receives the metrics of this process, for the first process. */
  onMetrics(metrics: Metrics): void
}

export interface StartOptions {
  /** The version of this program; unset in one of several processes. */
  readonly version?: string
  readonly member?: Membership
  /** Aborts a start in progress. */
  readonly signal: AbortSignal
}

/** Starts everything; when a step fails, the earlier ones are stopped again. */
export async function startService(
  config: Config,
  { version, member, signal }: StartOptions,
): Promise<RunningService> {
  if (!member) await checkPorts(config)
  const log = member?.log ?? newServiceLog(config)
  const counts = member ? { counts: member.counts } : {}
  const given = { own: !member, log, signal, version, shares_state: true, ...counts }
  const traces = await openTraces(config)
  const { service, store, close } = await openForServing(config, given)
  const lateness = watchLateness()
  let app: FastifyInstance | null = null
  let metrics_server: Server | null = null
  try {
    const readiness = newReadiness(writeChecks(service, store), log)
    const { shared_server } = service
    const { circuits } = service.providers
    const replica = replicaOf(service.db)
    const findWarnings = () => [
      ...replicaWarning(replica?.whyAway() ?? null),
      ...(shared_server?.isAway() ? [away_warning] : []),
      ...[...circuits.open().keys()].map(silentWarning),
    ]
    const health: Health = { accepting: true, findFaults: readiness.findFaults, findWarnings }
    const admission = newAdmission(config.requests_in_progress, lateness)
    const shown = member ? { process: String(member.number), backlog: false } : { backlog: true }
    const metrics =
      config.metrics_port === null
        ? null
        : newMetrics(store.pool, { ...shown, admission, circuits, shared_server })
    service.observers.onProviderCall = metrics?.observeCall ?? null
    service.observers.traces = traces
    traces?.follow(service.signals)
    const http = buildApp(service, { health, metrics, admission })
    const connections = watchConnections(http.server)
    app = http
    const base_url = await listen(http, config)
    service.address.base_url = base_url
    if (metrics) member?.onMetrics(metrics)
    metrics_server = metrics && !member ? await listenForMetrics(metrics, config) : null
    const prepare = () => prepareForAll(service, store, base_url)
    const demo = member ? null : await awaitDatabase(prepare, whenAway(log, signal))
    const worker = startWorker(service, metrics?.observeWork, kindsOf(config))
    readiness.started = true
    const { pid } = process
    log.info({ base_url, embedded_database: store.embedded, pid }, 'service started')
    const stop = async () => {
      const by = beginStop()
      lateness.stop()
      health.accepting = false
      await sleep(config.shutdown_delay_ms)
      service.changes.stop()
      worker.stopClaiming()
      await closeHttp(http, connections, by.requests)
      await worker.stop(by.worker)
      closeMetrics(metrics_server)
      if (traces) await endsWithin(traces.close(), by.sessions.left_ms())
      await close(by)
      log.info('service stopped')
    }
    return { base_url, demo, stop: once(stop), lost: store.lost }
  } catch (error) {
    lateness.stop()
    closeMetrics(metrics_server)
    app?.server.closeAllConnections()
    await app?.close()
    await close()
    throw error
  }
}

const replicaWarning = (reason: string | null) =>
  reason ? [`The replica is not used, and the primary answers all reads: ${reason}.`] : []
/** Requests are served nevertheless. */
const silentWarning = (connector: string) =>
  `the connector ${connector} does not answer, and gets no new payments for a while`
const away_warning =
  'The shared state server is away: each machine counts its share of every limit.'

/** The stores that a payment writes to: the database, and the keys of security codes. */
function writeChecks({ cvv_keys }: Service, { pool }: Store): WriteCheck[] {
  return [
    { part: 'the database', write: newWriteProbe(pool) },
    { part: 'the data folder', write: cvv_keys.checkWritable },
  ]
}

export function closeMetrics(server: Server | null): void {
  server?.close()
  server?.closeAllConnections()
}

/** Done once at a start, before any process works, however many processes there are. */
export async function prepareForAll(
  service: Service,
  store: Store,
  base_url: string,
): Promise<PreparedDemo | null> {
  const demo = await prepareDemo(service, base_url)
  await checkLowWaterMark(service)
  if (store.embedded) await releaseClaims(service)
  if (store.embedded && service.config.worker === 'off') {
    service.log.warn(
      'WORKER is off: payments stay pending until another process with WORKER=on handles them',
    )
  }
  return demo
}

/** Keys of security codes are files of this machine: no other machine would destroy them. */
function kindsOf({ worker }: Config) {
  return worker === 'on' ? due_kinds : due_kinds.filter(({ name }) => name === 'old_cvv_keys')
}

export function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= action()
    return running
  }
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config
  await app.listen({ host, port }).catch((error) => refuseTaken(error, 'PORT', port, host))
  // Without open files or memory for one more connection.
  app.server.on('error', (err) => app.log.error({ err }, 'a connection could not be accepted'))
  return addressOf(config, (app.server.address() as AddressInfo).port)
}

export function listenForMetrics(
  metrics: Metrics,
  { host, metrics_port }: Config,
  others?: Parameters<Metrics['listen']>[2],
): ReturnType<Metrics['listen']> {
  const port = metrics_port ?? 0
  return metrics
    .listen(host, port, others)
    .catch((error) => refuseTaken(error, 'METRICS_PORT', port, host))
}
