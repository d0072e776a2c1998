import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { failpointNamed, noFailpoint } from './core/failpoint.ts'
import { newRequestCounts, type RequestCounts } from './core/limits/request-counts.ts'
import { type Clock, systemClock } from './core/time/clock.ts'
import { endsWithin, no_deadline, type StopDeadlines } from './core/time/deadline.ts'
import { newLocalWork } from './local-work.ts'
import { newLog } from './log.ts'
import { newMailer } from './outbound/mailer.ts'
import { newOutbound } from './outbound/outbound.ts'
import { newProviders } from './providers/providers.ts'
import type { Service } from './service.ts'
import { newChanges } from './store/changes.ts'
import { openStore, prepareDatabase, type Store } from './store/open-store.ts'
import { type AwaitOptions, awaitDatabase } from './store/server/await-database.ts'
import { makeDataFolder } from './store/server/data-folder.ts'
import { type DatabaseClock, followDatabaseTime, timeOf } from './store/server/database-clock.ts'
import { openSignals } from './store/signals.ts'
import { newTestClocks } from './store/test-clocks.ts'
import { newCvvKeys } from './vault/cvv-keys.ts'
import { followKeyFile } from './vault/follow-key-file.ts'
import type { Keys } from './vault/key-ring.ts'
import { checkKeys, openKeys } from './vault/open-keys.ts'
import { newPasswords } from './vault/password-hash.ts'
import { runDue } from './worker/worker.ts'

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
