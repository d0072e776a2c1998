import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { outageOf } from '../../../core/api/outages.ts'
import { primary_search_policy } from '../../../core/limits/retry-policies.ts'
import { faultOf } from '../../../core/read-unknown.ts'
import { cut } from '../../sql/connections/session.ts'
import type { DatabaseConnection, DatabaseHost } from './database-hosts.ts'
import { plain_socket } from './plain-socket.ts'

/** A host that says it is the primary. */
interface Primary {
  readonly place: DatabaseHost
  /** The identity of the database cluster, which another one may replace. */
  readonly system: string
  /** Grows when a standby takes over. */
  readonly timeline: number
}

/** The known state of several hosts. */
interface Cluster {
  search: Promise<Primary> | null
  newest: Primary | null
  readonly sessions: Map<PrimaryClient, Primary>
}

const clusters = new WeakMap<readonly DatabaseHost[], Cluster>()

function clusterOf({ hosts = [] }: DatabaseConnection): Cluster {
  const cluster = clusters.get(hosts) ?? { search: null, newest: null, sessions: new Map() }
  clusters.set(hosts, cluster)
  return cluster
}

/**
 * Connects to the one of several hosts that is the primary now. As soon as another one is known to have taken
 * over, sessions of the old primary are cut: it may only be frozen, and return unaware.
 */
export class PrimaryClient extends pg.Client {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    super(connection)
    this.#connection = connection
    // A server may accept a session and end it immediately, before the pool listens.
    this.on('error', () => {})
  }

  override connect(): Promise<this>
  override connect(callback: (error?: Error) => void): void
  override connect(callback?: (error?: Error) => void): Promise<this> | undefined {
    const opened = this.#open()
    if (!callback) return opened
    opened.then(() => callback(), callback)
    return undefined
  }

  async #open(): Promise<this> {
    const cluster = clusterOf(this.#connection)
    const primary = await findPrimary(this.#connection, cluster)
    Object.assign(this, primary.place)
    await super.connect()
    this.once('end', () => cluster.sessions.delete(this))
    cluster.sessions.set(this, primary)
    cutOutdated(cluster)
    return this
  }
}

/** Connections that are opened at the same time share the search. */
function findPrimary(connection: DatabaseConnection, cluster: Cluster): Promise<Primary> {
  cluster.search ??= searchAll(connection, cluster).finally(() => {
    cluster.search = null
  })
  return cluster.search
}

const { response_ms, ask_again_ms } = primary_search_policy

/**
 * Queries all hosts concurrently. A silent host may be the lost primary, so the others are queried
 * again until one of them takes over.
 */
async function searchAll(connection: DatabaseConnection, cluster: Cluster): Promise<Primary> {
  const { hosts = [] } = connection
  const silent = new Set(hosts)
  const ask = async (host: DatabaseHost): Promise<Primary> => {
    for (;;) {
      try {
        const primary = await askHost(connection, host)
        learn(cluster, primary)
        silent.clear()
        return primary
      } catch (error) {
        silent.delete(host)
        if (silent.size === 0) throw error
      }
      await sleep(ask_again_ms)
    }
  }
  try {
    return await Promise.any(hosts.map(ask))
  } catch (error) {
    const { errors = [] } = faultOf(error)
    const denied = errors.find((one) => outageOf(one)?.reason === 'access_denied')
    if (denied) throw denied
    const reasons = hosts.map(
      ({ host, port }, at) => `${host}:${port}: ${faultOf(errors[at]).message}`,
    )
    throw Object.assign(new Error(`No host is a primary (${reasons.join('; ')})`), {
      code: '08001',
    })
  }
}

const isOutdated = (one: Primary, newest: Primary | null) =>
  newest !== null && one.system === newest.system && one.timeline < newest.timeline

function learn(cluster: Cluster, primary: Primary): void {
  if (isOutdated(primary, cluster.newest)) throw new Error('was the primary before another one')
  cluster.newest = primary
  cutOutdated(cluster)
}

function cutOutdated({ sessions, newest }: Cluster): void {
  for (const [client, primary] of sessions) if (isOutdated(primary, newest)) cut(client)
}

async function askHost(connection: DatabaseConnection, place: DatabaseHost): Promise<Primary> {
  const limits = { connectionTimeoutMillis: response_ms, query_timeout: response_ms }
  const client = new pg.Client({ ...connection, ...plain_socket, ...limits })
  client.on('error', () => {})
  // The address in the connection string would win over options of the constructor.
  Object.assign(client, place)
  try {
    await client.connect()
    await requireWritable(client)
    return { place, ...(await historyOf(client)) }
  } finally {
    void client.end().catch(() => {})
  }
}

/** Like `target_session_attrs=read-write` of libpq. */
async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as reads_only`,
  )
  if (rows[0]?.is_standby) throw new Error('a standby')
  if (rows[0]?.reads_only) throw new Error('allows reads only')
}

type History = Pick<Primary, 'system' | 'timeline'>

/** If these functions are missing or not permitted, no host counts as outdated. */
const unknown_history: History = { system: '', timeline: 0 }
const not_reported = ['42883', '0A000', '42501']

/** The timeline is the first part of the name of the file that is written to. */
async function historyOf(client: pg.Client): Promise<History> {
  const text = `select system_identifier::text as system,
      ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
    from pg_control_system()`
  const { rows } = await client.query<History>(text).catch((error) => {
    if (!not_reported.includes(error.code)) throw error
    return { rows: [] }
  })
  return rows[0] ?? unknown_history
}
