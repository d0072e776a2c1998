import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Config } from '../config.ts'
import { outageOf } from '../core/outages.ts'
import { PlainError } from '../core/plain-error.ts'
import { type Deadline, endsWithin, no_deadline } from '../core/time/deadline.ts'
import { migrate, type OnMigration } from './migrate.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './server/embedded-postgres.ts'
import { newClient, plain_socket } from './server/new-client.ts'
import { isOutdatedPlan, newStatementNames } from './sql/prepared-statements.ts'
import { addQueryLayers, cut, endSilence, refuseUnconfirmedCommits } from './sql/session.ts'
import type { Tables } from './tables/tables.ts'

export type Db = Kysely<Tables>

export interface Store {
  readonly db: Db
  readonly pool: pg.Pool
  readonly connection: pg.ClientConfig
  readonly embedded: boolean
  /** Resolves when the embedded server has ended for good; never with an external one. */
  readonly lost: Promise<PlainError>
  /** Sessions still in use at `sessions` are cut off; the embedded server ends by `database`. */
  close(sessions?: Deadline, database?: Deadline): Promise<void>
}

/** The server is not safe for payments; the message says what to change. */
export class UnsafeDatabase extends PlainError {}

const oldest_version = 150_000

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

const shared = new WeakMap<Db, Db>()

/** The connections for shared statements, in addition to those of a pool. */
export function sharedDb(db: Db): Db {
  return shared.get(db) ?? db
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
    const connection = embedded?.connection ?? { connectionString: config.database_url ?? '' }
    return connect(connection, embedded, config.database_connections, options)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

function connect(
  connection: pg.ClientConfig,
  embedded: EmbeddedPostgres | null,
  max_connections: number,
  options: OpenOptions,
): Store {
  const pool = newPool(connection, max_connections, session_settings, options)
  const sharing = newPool(connection, sharing_connections, sharing_settings, options)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  shared.set(db, new Kysely<Tables>({ dialect: new PostgresDialect({ pool: sharing }) }))
  return {
    db,
    pool,
    connection,
    embedded: embedded !== null,
    lost: embedded?.lost ?? new Promise(() => {}),
    close: async (sessions = no_deadline, database = no_deadline) => {
      await Promise.all([endPool(pool, sessions), endPool(sharing, sessions)])
      await embedded?.stop(database)
    },
  }
}

/** Waits until all sessions are idle; at the deadline those in use are cut off. */
async function endPool(pool: pg.Pool, deadline: Deadline): Promise<void> {
  const ended = pool.end()
  if (await endsWithin(ended, deadline.left_ms())) return
  for (const client of (pool as unknown as { _clients: pg.PoolClient[] })._clients) cut(client)
}

function newPool(
  connection: pg.ClientConfig,
  max: number,
  settings: readonly string[],
  options: OpenOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    ...plain_socket,
    types,
    max,
    application_name: 'kaikei',
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
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

/** Refuses servers that may lose acknowledged commits, then migrates the schema. */
export async function prepareDatabase(
  store: Store,
  signal?: AbortSignal,
  onMigration?: OnMigration,
): Promise<string[]> {
  return withSession(
    store,
    async (client) => {
      for (const fault of await databaseFaults(client)) throw new UnsafeDatabase(fault)
      return migrate(client, undefined, onMigration)
    },
    signal,
  )
}

/** A separate session, outside the pool and its time limits; the signal cuts it off. */
export async function withSession<T>(
  store: Store,
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

/** What makes a server unsafe for this service, one sentence each. */
export async function databaseFaults(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query(`select
    current_setting('server_version_num')::integer as version,
    current_setting('server_version') as version_name,
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    pg_is_in_recovery() as standby,
    current_setting('server_encoding') as encoding`)
  const found = rows[0] ?? {}
  const faults: string[] = []
  if (found.version < oldest_version) {
    faults.push(`PostgreSQL ${found.version_name} is too old; use version 15 or newer.`)
  }
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    if (found[name] === 'off') {
      faults.push(`PostgreSQL runs with ${name}=off and can lose payments; set ${name}=on.`)
    }
  }
  if (found.standby)
    faults.push('This PostgreSQL is a standby; the service must be given the primary.')
  if (found.encoding !== 'UTF8') {
    faults.push(`The database has the encoding ${found.encoding}; create it with UTF8.`)
  }
  return faults
}

/** Whether an error means that the database is unavailable, and not that the statement was wrong. */
export function isUnavailable(error: unknown): boolean {
  return outageOf(error) !== null
}

/**
 * Whether the connection was lost during a statement, which may have been executed. A statement that
 * the server refused, or that was never sent, was not.
 */
export function isLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  if (code !== undefined) return /^(08|57P0[12]|ECONNRESET$|EPIPE$|ETIMEDOUT$)/.test(code)
  return /Connection terminated/.test(message ?? '')
}

/** A rolled-back transaction may be retried: it met a conflict, or the schema has just changed. */
export function isRetryable(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return ['40001', '40P01'].includes(code) || isOutdatedPlan(error)
}

/** The unique index that an insert violated, if that was the error. */
export function violatedIndex(error: unknown): string | null {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' ? (constraint ?? '') : null
}
