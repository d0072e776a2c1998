import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { failpointNamed, noFailpoint } from './core/failpoint.ts'
import { PlainError } from './core/plain-error.ts'
import { buildApp } from './http/app.ts'
import type { Health } from './http/health.ts'
import { newMetrics } from './http/metrics.ts'
import { newLog } from './log.ts'
import { newMailer } from './outbound/mailer.ts'
import { newOutbound } from './outbound/outbound.ts'
import { newProviders } from './providers/route-payment.ts'
import { type DemoCredentials, prepareDemo } from './resources/merchants/demo-merchant.ts'
import { releaseClaims } from './resources/release-claims.ts'
import type { Service } from './service.ts'
import { newChanges } from './store/changes.ts'
import { makeDataFolder } from './store/data-folder.ts'
import { type DatabaseClock, followDatabaseTime, timeOf } from './store/database-clock.ts'
import { openStore, prepareDatabase, type Store } from './store/open-store.ts'
import { openSignals } from './store/signals.ts'
import { newTestClocks } from './store/test-clocks.ts'
import { keyFaults, noteKeys } from './vault/check-keys.ts'
import { newCvvKeys } from './vault/cvv-keys.ts'
import { KeyError, readKeys } from './vault/key-ring.ts'
import { newPasswords } from './vault/password-hash.ts'
import { runDue, startWorker } from './worker.ts'

export interface RunningService {
  readonly base_url: string
  readonly demo: DemoCredentials | null
  stop(): Promise<void>
}

/** A port that cannot be had; the message says whose fault it is. */
export class ListenError extends PlainError {}

export interface OpenService {
  readonly service: Service
  readonly store: Store
  close(): Promise<void>
}

/**
 * The service without its HTTP side: what commands work with. Its time is that of the database,
 * counted on by the machine's monotonic clock.
 */
export async function openService(
  config: Config,
  options: { own: boolean; log?: Logger; machine_clock?: Clock },
): Promise<OpenService> {
  const log = options.log ?? newLog(config.log_level)
  const { monotonic } = options.machine_clock ?? systemClock
  makeDataFolder(config.data_dir)
  const keys = readKeys(config)
  const store = await openStore(config, {
    own: options.own,
    onTrouble: (message) => log.warn(message),
  })
  let clock: DatabaseClock | null = null
  try {
    const applied = await prepareDatabase(store)
    clock = await followDatabaseTime(timeOf(store), monotonic, log)
    if (applied.length > 0) log.info({ applied }, 'database schema brought up to date')
    for (const fault of await keyFaults(store.db, keys)) throw new KeyError(fault)
    await noteKeys(store.db, keys, clock)
  } catch (error) {
    clock?.stop()
    await store.close()
    throw error
  }
  const signals = openSignals(store.connection, clock)
  const service = newService({ config, clock, db: store.db, signals, keys, log })
  await service.clocks.reload()
  const close = async () => {
    clock.stop()
    await service.outbound.close()
    await signals.close()
    await store.close()
  }
  return { service, store, close }
}

type ServiceParts = Pick<Service, 'config' | 'clock' | 'db' | 'signals' | 'keys' | 'log'>

/** Everything that is made of the outside parts, the same way for the program and for tests. */
export function newService(parts: ServiceParts): Service {
  const { config, clock, signals, db } = parts
  const clocks = newTestClocks(db, clock, signals)
  return {
    ...parts,
    wall_clock: clock,
    clocks,
    only_merchant: null,
    runDue,
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

/** Starts everything; what was started is stopped again when a later step fails. */
export async function startService(config: Config): Promise<RunningService> {
  const { service, store, close } = await openService(config, { own: true })
  let app: FastifyInstance | null = null
  try {
    const health = newHealth(store)
    const metrics = config.metrics_port === null ? null : newMetrics(store.pool)
    const http = buildApp(service, { health, metrics })
    app = http
    const base_url = await listen(http, config)
    service.address.base_url = base_url
    const metrics_server = await metrics
      ?.listen(config.host, config.metrics_port ?? 0)
      .catch((error) => refuseTaken(error, 'METRICS_PORT', config.metrics_port ?? 0))
    const demo = await prepareDemo(service, base_url)
    if (store.embedded) await releaseClaims(service)
    const worker = startWorker(service, metrics?.observeWork)
    service.log.info({ base_url, embedded_database: store.embedded }, 'service started')
    const stop = async () => {
      health.accepting = false
      await sleep(config.shutdown_delay_ms)
      service.changes.stop()
      await http.close()
      await worker.stop()
      metrics_server?.close()
      await close()
      service.log.info('service stopped')
    }
    return { base_url, demo, stop: once(stop) }
  } catch (error) {
    await app?.close()
    await close()
    throw error
  }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= action()
    return running
  }
}

const probe_ms = 500

/** The database is asked at most twice a second, and given a second to answer. */
function newHealth({ pool }: Store): Health {
  let asked: { at_ms: number; answer: Promise<boolean> } | null = null
  const ask = () =>
    Promise.race([
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
      sleep(1000, false, { ref: false }),
    ])
  return {
    accepting: true,
    databaseAnswers: () => {
      const now_ms = systemClock.monotonic()
      if (!asked || now_ms - asked.at_ms > probe_ms) asked = { at_ms: now_ms, answer: ask() }
      return asked.answer
    },
  }
}

async function listen(app: FastifyInstance, { host, port, base_url }: Config): Promise<string> {
  await app.listen({ host, port }).catch((error) => refuseTaken(error, 'PORT', port))
  const { port: actual } = app.server.address() as AddressInfo
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const name = reachable.includes(':') ? `[${reachable}]` : reachable
  return base_url ?? `http://${name}:${actual}`
}

function refuseTaken(error: { code?: string }, setting: string, port: number): never {
  if (error.code === 'EADDRINUSE') {
    throw new ListenError(
      `Port ${port} is taken by another program. Stop it, or choose another with ${setting}.`,
    )
  }
  if (error.code === 'EACCES') {
    throw new ListenError(`This user may not listen on port ${port}. Choose one above 1023.`)
  }
  throw error
}
