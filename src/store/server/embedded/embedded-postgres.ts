import type { ChildProcess } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { outageOf } from '../../../core/api/outages.ts'
import { PlainError } from '../../../core/api/plain-error.ts'
import { faultOf } from '../../../core/read-unknown.ts'
import { type Deadline, endsWithin, no_deadline } from '../../../core/time/deadline.ts'
import { newClient } from '../client/new-client.ts'
import { postgresAccount } from './postgres-account.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { cluster_user, type Home, launch, openHome, own } from './postgres-cluster.ts'
import { newRestarts, type RestartPolicy, StartRefused, usual_policy } from './restart-policy.ts'

/** The PostgreSQL server inside DATA_DIR, as a child process of the service. */
export interface EmbeddedPostgres {
  readonly connection: pg.ClientConfig
  /** Resolves when the server has ended and cannot be restarted; never, when it is stopped. */
  readonly lost: Promise<PlainError>
  /** Stops the server, if this process started it, after every session has ended. */
  stop(deadline?: Deadline): Promise<void>
}

/** Held by the service that owns a data folder, for as long as its database session lives. */
const owner_lock = 7_230_110_001
const database = 'kaikei'
const on_windows = process.platform === 'win32'
/** Unix socket paths are limited to about 100 characters. */
const longest_socket_folder = 80

const server_settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '256MB',
  max_connections: '200',
  // Parallel queries would use shared memory of /dev/shm, which containers limit to 64 MB.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  min_dynamic_shared_memory: '1MB',
  jit: 'off',
  max_wal_size: '1GB',
  // After a crash every file is synced first: all together, where the system can.
  ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
  wal_compression: 'off',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Values must not reach this log, and a failed statement's message repeats them: "invalid input
  // syntax for type uuid". The service receives that message and logs it masked. `log` is above
  // `error`: starts, stops and crashes are logged.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}

export interface SupervisionOptions {
  /** Aborts a start in progress. */
  readonly signal?: AbortSignal
  readonly policy?: RestartPolicy
}

/**
 * Starts the server of a data folder, or joins the running one. With `own` the caller is the service:
 * it gets the folder exclusively or is refused, and a server that a killed service left behind is
 * restarted. Without, a running server is used as it is.
 */
export async function startEmbeddedPostgres(
  data_dir: string,
  own: boolean,
  onCrash: (message: string) => void,
  { signal, policy = usual_policy }: SupervisionOptions = {},
): Promise<EmbeddedPostgres> {
  const account = postgresAccount()
  const binaries = postgresBinaries(account)
  const home = await openHome(data_dir, binaries, account)
  const running = await findRunning(home, signal)
  if (running) {
    const never = new Promise<PlainError>(() => {})
    if (!own) return { connection: running, lost: never, stop: async () => {} }
    await stopLeftOver(home, running, data_dir)
  }
  return superviseServer(home, binaries, data_dir, onCrash, policy, signal)
}

interface PidFile {
  pid: number
  port: number
  host: string
}

/** PostgreSQL writes its process, port and socket folder, a line each, into its data folder. */
function readPidFile(home: Home): PidFile | null {
  try {
    const lines = readFileSync(join(home.folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
    const [pid, , , port, socket, address] = lines
    if (!pid || !port) return null
    return { pid: Number(pid), port: Number(port), host: socket || address || '127.0.0.1' }
  } catch {
    return null
  }
}

function connectionTo(home: Home, host: string, port: number, name = database): pg.ClientConfig {
  const password = readFileSync(join(home.folder, 'password'), 'utf8')
  return { host, port, user: cluster_user, password, database: name }
}

/**
 * A server counts as running when it accepts connections; a server that is still starting is awaited. The
 * file is read again for each attempt: another instance may stop that server and start its own meanwhile.
 */
async function findRunning(home: Home, signal?: AbortSignal): Promise<pg.ClientConfig | null> {
  for (let tries = 0; ; tries += 1) {
    const file = readPidFile(home)
    if (!file || !isPostgres(file.pid, home)) return null
    const admin = connectionTo(home, file.host, file.port, 'postgres')
    try {
      await withClient(admin, (client) => client.query('select 1'))
      return connectionTo(home, file.host, file.port)
    } catch {
      if (tries === 600) throw notAnswering(file.pid)
      await sleep(100, undefined, { signal })
    }
  }
}

function notAnswering(pid: number): PlainError {
  return new PlainError(
    `The database server of an earlier start (process ${pid}) does not answer. Stop that process first.`,
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return faultOf(error).code === 'EPERM'
  }
}

/**
 * A pid file may outlive its server and name another process, or one that has ended and that no process has
 * waited for (its command line is empty); then the file is stale and removed.
 */
function isPostgres(pid: number, home: Home): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(home.folder)) return true
  } catch {
    return isAlive(pid)
  }
  const path = join(home.folder, 'data', 'postmaster.pid')
  if (readPidFile(home)?.pid === pid) rmSync(path, { force: true })
  return false
}

async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = newClient(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Only a server without an owner may be stopped; the lock of a killed owner is gone with it. */
async function stopLeftOver(home: Home, running: pg.ClientConfig, data_dir: string): Promise<void> {
  const admin = { ...running, database: 'postgres' }
  const file = readPidFile(home)
  await withClient(admin, async (client) => {
    if (!(await takeOwnerLock(client))) throw folderInUse(data_dir)
    if (file) process.kill(file.pid, 'SIGINT')
    // It removes the file last. The process may be listed for seconds more, until its new parent reaps
    // it.
    const runs = () => file && isAlive(file.pid) && readPidFile(home)?.pid === file.pid
    for (let tries = 0; runs() && tries < 1200; tries += 1) await sleep(25)
  })
}

function folderInUse(data_dir: string): StartRefused {
  return new StartRefused(
    `Another instance of the service uses the data folder ${data_dir}. ` +
      'Stop it, or give this one its own folder with DATA_DIR.',
  )
}

async function takeOwnerLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [owner_lock])
  return rows[0]?.taken === true
}

/** Starts the server, keeps it running until it is stopped, and holds the owner's lock on it. */
async function superviseServer(
  home: Home,
  binaries: string,
  data_dir: string,
  onCrash: (message: string) => void,
  policy: RestartPolicy,
  signal?: AbortSignal,
): Promise<EmbeddedPostgres> {
  const place = await listenPlace(home)
  const admin = connectionTo(home, place.host, place.port, 'postgres')
  const over = new AbortController()
  const stop = () => over.abort()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  let child: ChildProcess | null = null
  let owner: pg.Client | null = null
  // A service that exits without stopping its server would leave it running.
  const endServer = () => child?.kill('SIGINT')
  process.once('exit', endServer)

  async function start(): Promise<void> {
    child = startServer(home, binaries, place)
    owner = await takeOwnership(home, child, admin, data_dir, over.signal)
  }

  async function stopAll(deadline: Deadline = no_deadline): Promise<void> {
    stop()
    if (owner) await endsWithin(owner.end(), Math.min(500, deadline.left_ms()))
    if (child) await stopServer(child, deadline)
    process.off('exit', endServer)
    if (place.temporary) rmSync(place.host, { recursive: true, force: true })
  }

  const ended = () => (child ? exitOf(child) : Promise.resolve())
  const restarts = newRestarts(home, policy, over.signal, onCrash)
  try {
    await restarts.startUntilRuns(start)
    if (owner) await createDatabase(owner)
  } catch (error) {
    await stopAll()
    throw error
  } finally {
    // From here on the caller stops it.
    signal?.removeEventListener('abort', stop)
  }
  const lost = restarts.keepRunning(start, ended)
  return { connection: { ...admin, database }, lost, stop: stopAll }
}

interface Place {
  host: string
  port: number
  temporary: boolean
}

async function listenPlace(home: Home): Promise<Place> {
  if (on_windows) return { host: '127.0.0.1', port: await freePort(), temporary: false }
  if (home.folder.length <= longest_socket_folder) {
    return { host: home.folder, port: 5432, temporary: false }
  }
  const host = mkdtempSync(join(tmpdir(), 'kaikei-'))
  if (home.account) own(host, home.account)
  return { host, port: 5432, temporary: true }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

function startServer(home: Home, binaries: string, place: Place): ChildProcess {
  const where = on_windows
    ? { listen_addresses: '127.0.0.1' }
    : { listen_addresses: '', unix_socket_directories: place.host }
  const options = Object.entries({ ...server_settings, ...where, port: String(place.port) })
  const log = openSync(join(home.folder, 'server.log'), 'a', 0o600)
  const child = launch(
    join(binaries, 'postgres'),
    home.account,
    [
      '-D',
      join(home.folder, 'data'),
      ...options.flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    log,
  )
  closeSync(log)
  child.on('error', () => {})
  return child
}

/** Waits until the server accepts connections, however long recovery takes, and takes the owner's lock. */
async function takeOwnership(
  home: Home,
  child: ChildProcess,
  admin: pg.ClientConfig,
  data_dir: string,
  signal: AbortSignal,
): Promise<pg.Client> {
  for (;;) {
    signal.throwIfAborted()
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      if (await findRunning(home, signal)) throw folderInUse(data_dir)
      throw new PlainError(
        `The embedded database did not start. See ${join(home.folder, 'server.log')}.`,
      )
    }
    const client = newClient(admin)
    client.on('error', () => {})
    try {
      await client.connect()
      if (readPidFile(home)?.pid === child.pid && (await takeOwnerLock(client))) return client
      await client.end()
      if (readPidFile(home)?.pid !== child.pid) await sleep(100)
      else throw folderInUse(data_dir)
    } catch (error) {
      await client.end().catch(() => {})
      if (error instanceof StartRefused) throw error
      if (outageOf(error)?.reason === 'access_denied') {
        const path = join(home.folder, 'password')
        throw new StartRefused(
          `The embedded database refuses the password in ${path}. Restore that file from a backup.`,
        )
      }
      await sleep(20)
    }
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
  if (rowCount === 0) await client.query(`create database ${database}`)
}

function exitOf(child: ChildProcess): Promise<unknown> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve()
  }
  return new Promise((resolve) => child.once('exit', resolve))
}

/**
 * A fast shutdown: open transactions are rolled back, everything committed is on disk. A server that is
 * not done in time is killed, and recovers at its next start; nothing is lost.
 */
async function stopServer(child: ChildProcess, deadline: Deadline): Promise<void> {
  const ended = exitOf(child)
  child.kill('SIGINT')
  if (await endsWithin(ended, deadline.left_ms() - 800)) return
  child.kill('SIGQUIT')
  if (await endsWithin(ended, deadline.left_ms() - 300)) return
  child.kill('SIGKILL')
  await endsWithin(ended, deadline.left_ms())
}

/** How to connect to the embedded server of a data folder, if it runs. */
export async function runningConnection(data_dir: string): Promise<pg.ClientConfig | null> {
  const entry = join(data_dir, 'postgres')
  if (!existsSync(entry)) return null
  return findRunning({ folder: realpathSync(entry), account: null })
}
