import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import { PlainError } from '../core/api/plain-error.ts'
import { type Deadline, endsWithin, no_deadline } from '../core/time/deadline.ts'
import { type MigrateOptions, migrate } from './migrate/migrate.ts'
import { newReplica, type Replica } from './replica.ts'
import { type DatabaseConnection, readDatabaseUrl } from './server/client/database-hosts.ts'
import { clientOf, newClient } from './server/client/new-client.ts'
import { plain_socket } from './server/client/plain-socket.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './server/embedded/embedded-postgres.ts'
import {
  type DatabaseState,
  examineDatabase,
  shared_connections_fault,
  sharesConnections,
} from './server/examine-database.ts'
import {
  addQueryLayers,
  cut,
  endSilence,
  refuseUnconfirmedCommits,
} from './sql/connections/session.ts'
import { shareConnections } from './sql/connections/shared-connections.ts'
import { newStatementNames } from './sql/statements/prepared-statements.ts'
import type { Db } from './tables/db.ts'
import type { Tables } from './tables/tables.ts'

export interface Store {
  readonly db: Db
  readonly pool: pg.Pool
  readonly connection: DatabaseConnection
  readonly embedded: boolean
  /** Resolves when the embedded server has ended for good; never with an external one. */
  readonly lost: Promise<PlainError>
  /** Sessions still in use at `sessions` are cut off; the embedded server ends by `database`. */
  close(sessions?: Deadline, database?: Deadline): Promise<void>
}

/** The server is not safe for payments; the message says what to change. */
export class UnsafeDatabase extends PlainError {}

/** 64-bit integers are amounts and counts: beyond 2^53 they would silently lose digits. */
function readBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`The number ${text} is too large.`)
  return value
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') => {
    if (id === pg.types.builtins.INT8) return readBigint
    // A date stays a date: as an instant it would be another one elsewhere.
    if (id === pg.types.builtins.DATE) return (text: string) => text
    return pg.types.getTypeParser(id, format)
  },
} as pg.CustomTypesConfig

/**
 * How long a statement may run before the server cancels it; and a day has 24 hours everywhere. A
 * session keeps for a while the plan it made when a table was small, or before its statistics existed:
 * so every plan must go from key to key through indexes, whatever the statistics say.
 */
const session_settings = [
  'statement_timeout=15s',
  'lock_timeout=5s',
  'default_transaction_isolation=read committed',
  'idle_in_transaction_session_timeout=30s',
  'timezone=UTC',
  'jit=off',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  // Otherwise another index is read as a whole for a merchant, and sorted, where one has the order of
  // the list.
  'enable_incremental_sort=off',
]

/** A shared statement has the same plan whatever its parameters: it is not replanned for each. */
const sharing_settings = [...session_settings, 'plan_cache_mode=force_generic_plan']
/** Few: each statement serves many requests, and a session that is always busy is a fast one. */
export const sharing_connections = 4

const connections = new WeakMap<Db, DatabaseConnection>()

/** A session outside the pool and its time limits, for rare and long work on the schema. */
export function withOwnSession<T>(db: Db, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const connection = connections.get(db)
  if (!connection) throw new Error('The database was not opened by openStore.')
  return withSession({ connection }, work)
}

const replicas = new WeakMap<Db, Replica>()

/** The replica for reads in addition to those of a pool, if DATABASE_REPLICA_URL names one. */
export function replicaOf(db: Db): Replica | null {
  return replicas.get(db) ?? null
}

export interface OpenOptions {
  /** The service takes the embedded data folder exclusively; commands join a running server. */
  own: boolean
  /** Aborts a start in progress. */
  signal?: AbortSignal
  onTrouble(message: string): void
}

/** Opens the database of the configuration: embedded, or the one that DATABASE_URL names. */
export async function openStore(config: Config, options: OpenOptions): Promise<Store> {
  const embedded = config.database_url
    ? null
    : await startEmbeddedPostgres(config.data_dir, options.own, options.onTrouble, options)
  try {
    const connection = embedded?.connection ?? readDatabaseUrl(config.database_url ?? '')
    return connect(connection, embedded, config, options)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

function connect(
  connection: DatabaseConnection,
  embedded: EmbeddedPostgres | null,
  { database_connections, database_replica_url }: Config,
  options: OpenOptions,
): Store {
  const pool = newPool(connection, database_connections, session_settings, options)
  const sharing = newPool(connection, sharing_connections, sharing_settings, options)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  connections.set(db, connection)
  shareConnections(db, new Kysely<Tables>({ dialect: new PostgresDialect({ pool: sharing }) }))
  const replica_pool =
    database_replica_url === null
      ? null
      : newPool(
          readDatabaseUrl(database_replica_url),
          database_connections,
          session_settings,
          options,
        )
  if (replica_pool) {
    const onAway = (reason: string) =>
      options.onTrouble(`The replica is not used, reads go to the primary: ${reason}`)
    replicas.set(db, newReplica(replica_pool, pool, db, onAway))
  }
  return {
    db,
    pool,
    connection,
    embedded: embedded !== null,
    lost: embedded?.lost ?? new Promise(() => {}),
    close: async (sessions = no_deadline, database = no_deadline) => {
      const pools = [pool, sharing, ...(replica_pool ? [replica_pool] : [])]
      await Promise.all(pools.map((one) => endPool(one, sessions)))
      await embedded?.stop(database)
    },
  }
}

/**
 * The planner counts the cost of all partitions for a plan that any parameters can use, although one is read:
 * so it would rather plan again for each execution, which takes longer than the statement.
 */
const plan_once = `(select set_config('plan_cache_mode', 'force_generic_plan', false) from pg_class
  where oid = to_regclass('charges') and relkind = 'p')`

/**
 * In a statement, not in the options of the connection, which poolers do not pass on. A server that became a
 * standby since it was found is not used.
 */
async function prepareSession(
  client: pg.ClientBase,
  settings: readonly string[],
  must_be_primary: boolean,
): Promise<void> {
  const pairs = settings.map((setting) => setting.split('='))
  const query = {
    text: `select bool_and(set_config(name, value, false) is not null), pg_is_in_recovery() as is_standby,
        ${plan_once}
      from unnest($1::text[], $2::text[]) as setting (name, value)`,
    values: [pairs.map(([name]) => name), pairs.map(([, value]) => value)],
    query_timeout: 5000,
  }
  try {
    const { rows } = await client.query(query)
    if (!must_be_primary || !rows[0]?.is_standby) return
    throw Object.assign(new Error('The database is a standby'), { code: '08001' })
  } catch (error) {
    cut(client)
    throw error
  }
}

/** Waits until all sessions are idle; at the deadline those in use are cut off. */
async function endPool(pool: pg.Pool, deadline: Deadline): Promise<void> {
  const ended = pool.end()
  if (await endsWithin(ended, deadline.left_ms())) return
  for (const client of (pool as unknown as { _clients: pg.PoolClient[] })._clients) cut(client)
}

function newPool(
  connection: DatabaseConnection,
  max: number,
  settings: readonly string[],
  options: OpenOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    ...plain_socket,
    types,
    max,
    // Programs that know no table of machines were called "kaikei": a migration tells them apart.
    application_name: 'kaikei program',
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    Client: clientOf(connection),
    onConnect: (client) => prepareSession(client, settings, connection.hosts !== undefined),
  })
  // A connection that dies during a transaction fails the transaction; without its own listener it
  // would also crash the process.
  const prepareStatements = newStatementNames()
  pool.on('connect', (client) => {
    client.on('error', () => {})
    addQueryLayers(client, prepareStatements, refuseUnconfirmedCommits, endSilence)
  })
  pool.on('error', (error) => options.onTrouble(`A database connection was lost: ${error.message}`))
  return pool
}

export interface PrepareOptions extends MigrateOptions {
  /** Receives what may lose payments in some cases, a sentence each. */
  onWarning?(warning: string): void
}

/** Refuses servers that may lose acknowledged commits, then migrates the schema. */
export async function prepareDatabase(
  store: Store,
  config: Config,
  options: PrepareOptions = {},
): Promise<string[]> {
  return withSession(
    store,
    async (client) => {
      const { faults, warnings } = await databaseState(store, config, client)
      for (const fault of faults) throw new UnsafeDatabase(fault)
      for (const warning of warnings) options.onWarning?.(warning)
      return migrate(client, { ...options, expected_charges: config.expected_charges })
    },
    options.signal,
  )
}

/** What is wrong with the server, or with the way to it. */
export async function databaseState(
  store: Store,
  { require_sync_standby }: Config,
  client: pg.Client,
): Promise<DatabaseState> {
  const is_shared =
    !store.embedded && (await withSession(store, (other) => sharesConnections(client, other)))
  if (is_shared) return { faults: [shared_connections_fault], warnings: [] }
  return examineDatabase(client, require_sync_standby)
}

/** A separate session, outside the pool and its time limits; the signal cuts it off. */
export async function withSession<T>(
  store: Pick<Store, 'connection'>,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = newClient({ ...store.connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  const end = () => cut(client)
  signal?.addEventListener('abort', end)
  try {
    await client.connect()
    return await work(client)
  } finally {
    signal?.removeEventListener('abort', end)
    await client.end().catch(() => {})
  }
}
