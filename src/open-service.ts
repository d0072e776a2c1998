import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { failpointNamed, noFailpoint } from './core/failpoint.ts'
import { newRequestCounts, type RequestCounts } from './core/limits/request-counts.ts'
import { type Clock, systemClock } from './core/time/clock.ts'
import { endsWithin, no_deadline, type StopDeadlines } from './core/time/deadline.ts'
import { newLocalWork } from './local-work.ts'
import { newLog } from './log.ts'
import { newProviders } from './open-providers.ts'
import { newMailer } from './outbound/mailer.ts'
import { newOutbound } from './outbound/outbound.ts'
import { effects } from './register-effects.ts'
import type { Service } from './service.ts'
import { count_script } from './shared-state/count-script.ts'
import { newServerCounts } from './shared-state/server-counts.ts'
import { openSharedServer, type SharedServer } from './shared-state/shared-server.ts'
import { newChanges } from './store/due/changes.ts'
import { newTestClocks } from './store/due/test-clocks.ts'
import { type NodeRegistration, registerNode } from './store/nodes.ts'
import { openStore, prepareDatabase, type Store } from './store/open-store.ts'
import { type AwaitOptions, awaitDatabase } from './store/server/client/await-database.ts'
import { type DatabaseClock, followDatabaseTime, timeOf } from './store/server/database-clock.ts'
import { makeDataFolder } from './store/server/embedded/data-folder.ts'
import { openSignals } from './store/signals.ts'
import { type CvvKeys, newCvvKeys } from './vault/cvv-keys.ts'
import { followKeyFile } from './vault/follow-key-file.ts'
import { type Keys, keyedHash } from './vault/key-ring.ts'
import { checkKeys, openKeys } from './vault/open-keys.ts'
import { newPasswords } from './vault/password-hash.ts'
import { cvv_keys_script, shareCvvKeys } from './vault/share-cvv-keys.ts'
import { runDue } from './worker/worker.ts'

export interface OpenService {
  readonly service: Service
  readonly store: Store
  /** Among how many machines limits are divided when each counts its share. */
  machines(): number
  close(by?: StopDeadlines): Promise<void>
}

export interface OpenServiceOptions {
  readonly own: boolean
  readonly log?: Logger
  readonly machine_clock?: Clock
  /** The counts of the first process, in one of several. */
  readonly counts?: RequestCounts
  /** The machine registers with its version; commands, and all but the first of several processes, do not. */
  readonly version?: string | undefined
  /** The process uses the shared server, if there is one: it serves requests. */
  readonly shares_state?: boolean
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
  let node: NodeRegistration | null = null
  try {
    const applied = await prepareDatabase(store, config, {
      signal: options.signal,
      onWarning: (warning) => log.warn(warning),
      onWait: newWaitLog(log),
      // Once for a machine, which its first process registers.
      onNote: (note) => options.version && log.info(note),
    })
    clock = await followDatabaseTime(timeOf(store), monotonic, log)
    if (applied.length > 0)
      log.info({ migrations: applied.length, newest: applied.at(-1) }, 'database schema migrated')
    keys = await openKeys(store.db, config, clock)
    const { version, signal } = options
    if (version) node = await registerNode(store.db, config, version, log, signal)
  } catch (error) {
    clock?.stop()
    await store.close()
    throw error
  }
  const following = followKeyFile(keys, config, store.db, log)
  const is_alone = options.own && store.embedded && config.processes === 1
  const signals = openSignals(store.connection, clock, is_alone)
  const parts = { config, clock, db: store.db, signals, keys, log }
  const machines = () => (config.shared_state_url && node ? node.live() : 1)
  const counts = options.counts ?? newRequestCounts(clock.monotonic, machines)
  const state = options.shares_state
    ? await openSharedState(parts, counts)
    : ownState(parts, counts)
  const service = newService(parts, state)
  const close = async (by?: StopDeadlines) => {
    clock.stop()
    const { sessions = no_deadline, database = no_deadline } = by ?? {}
    await endsWithin(following.stop(), sessions.left_ms())
    await endsWithin(service.outbound.close(), sessions.left_ms())
    await endsWithin(signals.close(), sessions.left_ms())
    state.close()
    await node?.leave(sessions)
    await store.close(sessions, database)
  }
  await Promise.all([service.clocks.reload(), service.providers.refresh()]).catch(async (error) => {
    await close()
    throw error
  })
  return { service, store, machines, close }
}

/** Logs each reason for waiting once. */
function newWaitLog(log: Logger): (reason: string) => void {
  let logged = ''
  return (reason) => {
    if (reason !== logged) log.info({ reason }, 'waiting to start')
    logged = reason
  }
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
      log.warn({ err, wait_ms }, 'the database cannot be used yet; retrying'),
  }
}

type ServiceParts = Pick<Service, 'config' | 'clock' | 'db' | 'signals' | 'keys' | 'log'>

/** Data that exists for seconds: counts and keys of security codes. */
interface ShortLivedState {
  readonly counts: RequestCounts
  readonly cvv_keys: CvvKeys
  readonly shared_server: SharedServer | null
  close(): void
}

function ownState({ config, clock }: ServiceParts, counts: RequestCounts): ShortLivedState {
  const cvv_keys = newCvvKeys(config.data_dir, clock)
  return { counts, cvv_keys, shared_server: null, close: () => {} }
}

/** Shares it with the other machines, if there is a server for that; while it is away, `own` counts. */
export async function openSharedState(
  parts: ServiceParts,
  own: RequestCounts,
): Promise<ShortLivedState> {
  const { config, clock, keys, log } = parts
  if (!config.shared_state_url) return ownState(parts, own)
  const shared_server = await openSharedServer(config, [count_script, cvv_keys_script], log)
  const hash_key = keyedHash(keys.fingerprint.newest, 'shared state', 'counts')
  const counts = newServerCounts(shared_server, own, hash_key)
  const cvv_keys = await shareCvvKeys(newCvvKeys(config.data_dir, clock), shared_server, keys)
  const close = () => {
    cvv_keys.stop()
    shared_server.close()
  }
  return { counts, cvv_keys, shared_server, close }
}

/** Wires the outside parts together, the same way for the program and for tests. */
export function newService(parts: ServiceParts, state?: ShortLivedState): Service {
  const { config, clock, signals, db } = parts
  const { counts, cvv_keys, shared_server } =
    state ?? ownState(parts, newRequestCounts(clock.monotonic))
  const clocks = newTestClocks(db, clock, signals)
  return {
    ...parts,
    wall_clock: clock,
    clocks,
    only_merchant: null,
    runDue,
    local_work: newLocalWork(),
    counts,
    shared_server,
    address: {
      base_url: config.base_url ?? `http://127.0.0.1:${config.port}`,
      checkout_url: config.checkout_url,
    },
    cvv_keys,
    changes: newChanges(signals),
    providers: newProviders({ ...parts, clocks }),
    outbound: newOutbound(config),
    mailer: newMailer(config, parts.log),
    passwords: newPasswords(parts.keys.fingerprint),
    observers: { onProviderCall: null, traces: null },
    effects,
    failpoint: config.failpoint ? failpointNamed(config.failpoint) : noFailpoint,
  }
}
