import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { failpointNamed, noFailpoint } from './core/failpoint.ts'
import { newRequestCounts, type RequestCounts } from './core/limits/request-counts.ts'
import type { PlainError } from './core/plain-error.ts'
import { type Clock, systemClock } from './core/time/clock.ts'
import { beginStop, endsWithin, no_deadline, type StopDeadlines } from './core/time/deadline.ts'
import { checkLowWaterMark } from './events/feed-events.ts'
import { newAdmission } from './http/admission.ts'
import { buildApp } from './http/app.ts'
import { closeHttp, watchConnections } from './http/close-http.ts'
import { checkPorts, refuseTaken } from './http/free-port.ts'
import type { Health } from './http/health.ts'
import { watchLateness } from './http/lateness.ts'
import { type Metrics, newMetrics } from './http/metrics.ts'
import { newReadiness, type WriteCheck } from './http/readiness.ts'
import { newLocalWork } from './local-work.ts'
import { newLog } from './log.ts'
import { newMailer } from './outbound/mailer.ts'
import { newOutbound } from './outbound/outbound.ts'
import { newProviders } from './providers/providers.ts'
import { type PreparedDemo, prepareDemo } from './resources/merchants/demo-merchant.ts'
import { releaseClaims } from './resources/release-claims.ts'
import type { Service } from './service.ts'
import { newChanges } from './store/changes.ts'
import { openStore, prepareDatabase, type Store } from './store/open-store.ts'
import { type AwaitOptions, awaitDatabase } from './store/server/await-database.ts'
import { makeDataFolder } from './store/server/data-folder.ts'
import { type DatabaseClock, followDatabaseTime, timeOf } from './store/server/database-clock.ts'
import { openSignals } from './store/signals.ts'
import { newWriteProbe } from './store/sql/write-probe.ts'
import { newTestClocks } from './store/test-clocks.ts'
import { newCvvKeys } from './vault/cvv-keys.ts'
import { followKeyFile } from './vault/follow-key-file.ts'
import type { Keys } from './vault/key-ring.ts'
import { checkKeys, openKeys } from './vault/open-keys.ts'
import { newPasswords } from './vault/password-hash.ts'
import { due_kinds } from './worker/due-kinds.ts'
import { runDue, startWorker } from './worker/worker.ts'

export interface RunningService {
  readonly base_url: string
  readonly demo: PreparedDemo | null
  /** Resolves when the service cannot continue: it has lost its embedded database, or all processes. */
  readonly lost: Promise<PlainError>
  stop(): Promise<void>
}

export interface OpenService {
  readonly service: Service
  readonly store: Store
  close(by?: StopDeadlines): Promise<void>
}

export interface OpenServiceOptions {
  readonly own: boolean
  readonly log?: Logger
  readonly machine_clock?: Clock
  readonly counts?: RequestCounts
  /** Aborts a start in progress. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The service without its HTTP side, for commands. Its time is that of the database, advanced by the
 * machine's monotonic clock.
 */
export async function openService(
  config: Config,
  options: OpenServiceOptions,
): Promise<OpenService> {
  const log = options.log ?? newLog(config.log_level)
  const { monotonic } = options.machine_clock ?? systemClock
  makeDataFolder(config.data_dir)
  checkKeys(config)
  const store = await openStore(config, {
    own: options.own,
    signal: options.signal,
    onTrouble: (message) => log.warn(message),
  })
  let clock: DatabaseClock | null = null
  let keys: Keys
  try {
    const applied = await prepareDatabase(store, options.signal)
    clock = await followDatabaseTime(timeOf(store), monotonic, log)
    if (applied.length > 0) log.info({ applied }, 'database schema brought up to date')
    keys = await openKeys(store.db, config, clock)
  } catch (error) {
    clock?.stop()
    await store.close()
    throw error
  }
  const following = followKeyFile(keys, config, store.db, log)
  const is_alone = options.own && store.embedded && config.processes === 1
  const signals = openSignals(store.connection, clock, is_alone)
  const service = newService({ config, clock, db: store.db, signals, keys, log }, options.counts)
  const close = async (by?: StopDeadlines) => {
    clock.stop()
    const { sessions = no_deadline, database = no_deadline } = by ?? {}
    await endsWithin(following.stop(), sessions.left_ms())
    await endsWithin(service.outbound.close(), sessions.left_ms())
    await endsWithin(signals.close(), sessions.left_ms())
    await store.close(sessions, database)
  }
  await service.clocks.reload().catch(async (error) => {
    await close()
    throw error
  })
  return { service, store, close }
}

/** Opens it for serving: waits for a database that is unavailable at first. */
export async function openForServing(
  config: Config,
  options: OpenServiceOptions & { log: Logger },
): Promise<OpenService> {
  return awaitDatabase(() => openService(config, options), whenAway(options.log, options.signal))
}

export function whenAway(log: Logger, signal?: AbortSignal): AwaitOptions {
  return {
    signal,
    onRetry: (err, wait_ms) =>
      log.warn({ err, wait_ms }, 'the database cannot be used yet; there is another attempt'),
  }
}

type ServiceParts = Pick<Service, 'config' | 'clock' | 'db' | 'signals' | 'keys' | 'log'>

/** Wires the outside parts together, the same way for the program and for tests. */
export function newService(parts: ServiceParts, counts?: RequestCounts): Service {
  const { config, clock, signals, db } = parts
  const clocks = newTestClocks(db, clock, signals)
  return {
    ...parts,
    wall_clock: clock,
    clocks,
    only_merchant: null,
    runDue,
    local_work: newLocalWork(),
    counts: counts ?? newRequestCounts(clock.monotonic),
    address: { base_url: config.base_url ?? `http://127.0.0.1:${config.port}` },
    cvv_keys: newCvvKeys(config.data_dir, clock),
    changes: newChanges(signals),
    providers: newProviders({ ...parts, clocks }),
    outbound: newOutbound(config),
    mailer: newMailer(config, parts.log),
    passwords: newPasswords(parts.keys.fingerprint),
    failpoint: config.failpoint ? failpointNamed(config.failpoint) : noFailpoint,
  }
}

/** Makes this process one of several: the first one does what is done once for all. */
export interface Membership {
  readonly number: number
  readonly log: Logger
  readonly counts: RequestCounts
  /** Receives the metrics of this process, for the first process. */
  onMetrics(metrics: Metrics): void
}

/** Starts everything; when a step fails, the earlier ones are stopped again. */
export async function startService(
  config: Config,
  member?: Membership,
  signal?: AbortSignal,
): Promise<RunningService> {
  if (!member) await checkPorts(config)
  const log = member?.log ?? newLog(config.log_level)
  const given = { own: !member, log, signal, ...(member ? { counts: member.counts } : {}) }
  const { service, store, close } = await openForServing(config, given)
  const lateness = watchLateness()
  let app: FastifyInstance | null = null
  let metrics_server: Server | null = null
  try {
    const readiness = newReadiness(writeChecks(service, store), log)
    const health: Health = { accepting: true, findFaults: readiness.findFaults }
    const admission = newAdmission(config.requests_in_progress, lateness)
    const shown = member ? { process: String(member.number), ledger: false } : { ledger: true }
    const metrics =
      config.metrics_port === null ? null : newMetrics(store.pool, { ...shown, admission })
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

/** What a payment writes to: the database, and the keys of security codes. */
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
    service.log.warn('WORKER is off: payments wait until a process elsewhere works at them')
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

/** The public address for links, when the port is known. */
export function addressOf({ host, base_url }: Config, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const name = reachable.includes(':') ? `[${reachable}]` : reachable
  return base_url ?? `http://${name}:${port}`
}
