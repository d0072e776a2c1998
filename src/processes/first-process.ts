import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import type { ClientConfig } from 'pg'
import { addressOf, type Config } from '../config.ts'
import { PlainError } from '../core/api/plain-error.ts'
import { newRequestCounts } from '../core/limits/request-counts.ts'
import { systemClock } from '../core/time/clock.ts'
import { beginStop } from '../core/time/deadline.ts'
import { checkPorts, refuseTaken } from '../http/free-port.ts'
import { newMetrics } from '../http/observation/metrics.ts'
import { newServiceLog } from '../log.ts'
import {
  closeMetrics,
  listenForMetrics,
  once,
  prepareForAll,
  type RunningService,
} from '../main.ts'
import { openForServing, whenAway } from '../open-service.ts'
import { type Store, sharing_connections } from '../store/open-store.ts'
import { awaitDatabase } from '../store/server/client/await-database.ts'
import { type ProcessPool, startProcessPool } from './process-pool.ts'

/** Connections of the first process itself, which serves no requests. */
const own_connections = 2
/** Reserved for the first process, for commands and for psql sessions. */
const spare_connections = 15

/**
 * Several processes behind one port. This one runs the embedded database, prepares it, counts requests
 * for all, exposes the metrics of all, and replaces processes that die; the others serve requests and
 * run the worker.
 */
export async function startProcesses(
  config: Config,
  { program, version, signal }: { program: string; version: string; signal: AbortSignal },
): Promise<RunningService> {
  if (!cluster.isPrimary) {
    throw new PlainError('A cluster manager already starts the processes. Set PROCESSES to 1.')
  }
  await checkPorts(config)
  const own = { ...config, database_connections: own_connections }
  const log = newServiceLog(config)
  const given = { own: true, log, signal, version }
  const { service, store, close, machines } = await openForServing(own, given)
  let process_pool: ProcessPool | null = null
  let metrics_server: Server | null = null
  try {
    const database_connections = await connectionsOfEach(store, config)
    const port = await findPort(config)
    const base_url = addressOf(config, port)
    service.address.base_url = base_url
    const metrics =
      config.metrics_port === null ? null : newMetrics(store.pool, { process: '0', backlog: true })
    const others = async () => (await process_pool?.measured()) ?? []
    metrics_server = metrics && (await listenForMetrics(metrics, config, others))
    const prepare = () => prepareForAll(service, store, base_url)
    const demo = await awaitDatabase(prepare, whenAway(log, signal))
    const counts = newRequestCounts(systemClock.monotonic, machines)
    const order = {
      database_url: config.database_url ?? urlOf(store.connection),
      database_connections,
      port,
      hash_key: counts.hash_key.toString('base64'),
    }
    const serving = startProcessPool({ size: config.processes, program, order, counts, log })
    process_pool = serving
    await Promise.race([serving.started, abortOf(signal)])
    log.info({ base_url, processes: config.processes, pid: process.pid }, 'all processes are ready')
    const stop = async () => {
      const by = beginStop()
      await serving.stop(by.members)
      closeMetrics(metrics_server)
      await close(by)
      log.info('all processes stopped')
    }
    const lost = Promise.race([serving.lost, store.lost])
    return { base_url, demo, stop: once(stop), lost }
  } catch (error) {
    const by = beginStop()
    closeMetrics(metrics_server)
    await process_pool?.stop(by.members)
    await close(by)
    throw error
  }
}

/** Rejects when a start is aborted. */
function abortOf(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** The connections of the embedded server are divided evenly among the processes. */
async function connectionsOfEach({ pool, embedded }: Store, config: Config): Promise<number> {
  const { rows } = await pool.query(
    `select current_setting('max_connections')::integer as max_connections`,
  )
  const { max_connections } = rows[0]
  const { database_connections: wanted, processes } = config
  // The first process has a few more: for shared statements, and one for LISTEN.
  const beside = sharing_connections + 1
  const share = Math.floor((max_connections - spare_connections) / processes) - beside
  if (share >= wanted) return wanted
  if (embedded && share >= 2) return share
  throw new PlainError(
    `The database allows ${max_connections} connections, too few for PROCESSES=${processes} with ` +
      `DATABASE_CONNECTIONS=${wanted}. Lower one of them.`,
  )
}

/** The configured port, if it is available; or a free one. */
async function findPort({ host, port }: Config): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen(port, host, resolve)
  }).catch((error) => refuseTaken(error, 'PORT', port, host))
  const { port: found } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return found
}

function urlOf({ user, password, host = '', port, database }: ClientConfig): string {
  const place = `host=${encodeURIComponent(host)}&port=${port}`
  return `postgresql://${user}:${password}@/${database}?${place}`
}
