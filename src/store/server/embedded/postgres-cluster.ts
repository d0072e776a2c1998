import { type ChildProcess, spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { PlainError } from '../../../core/api/plain-error.ts'
import { newUnguessableId, randomText } from '../../../core/ids.ts'
import { makeDataFolder } from './data-folder.ts'
import { type Account, canReach } from './postgres-account.ts'
import { system_folder } from './postgres-binaries.ts'

export interface Home {
  /** The folder with the cluster, its password, its log and, where the path is short enough, its socket. */
  readonly folder: string
  readonly account: Account | null
}

export const cluster_user = 'kaikei'
const on_windows = process.platform === 'win32'

/** The cluster of a data folder; it is created if there is none. */
export async function openHome(
  data_dir: string,
  binaries: string,
  account: Account | null,
): Promise<Home> {
  const entry = join(data_dir, 'postgres')
  makeDataFolder(data_dir)
  if (!existsSync(entry)) await createCluster(entry, binaries, account)
  const folder = realpathSync(entry)
  const { uid, gid } = statSync(folder)
  return { folder, account: account && { uid, gid } }
}

/**
 * The cluster is created under a temporary name and renamed: there is never half a cluster, and of two
 * services that start together one finds the other's. Where the account cannot reach the data folder, the
 * cluster is in the system's folder and the data folder links to it.
 */
async function createCluster(
  entry: string,
  binaries: string,
  account: Account | null,
): Promise<void> {
  const { folder, keep, remove } = placeCluster(dirname(entry), account)
  writeFileSync(join(folder, 'password'), randomText(32), { mode: 0o600 })
  if (account) own(join(folder, 'password'), account)
  try {
    await runInitdb(folder, binaries, account)
    keep()
  } catch (error) {
    remove()
    if (!existsSync(entry)) throw error
  }
}

export interface NewCluster {
  /** An empty folder that the account can use. */
  readonly folder: string
  /** Gives it its name: from then on it is the cluster of the data folder. */
  keep(): void
  remove(): void
}

/** A place for the cluster of a data folder, under a temporary name. */
export function placeCluster(data_dir: string, account: Account | null): NewCluster {
  makeDataFolder(data_dir)
  const entry = join(data_dir, 'postgres')
  if (lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new PlainError(
      `${entry} links to a missing folder. Restore the folder or remove the link.`,
    )
  }
  const outside = !canReach(account, dirname(entry), 'pass')
  const name = `postgres-${newUnguessableId().slice(0, 8)}`
  const folder = outside ? join(system_folder, name) : join(dirname(entry), name)
  if (outside) mkdirSync(system_folder, { recursive: true, mode: 0o755 })
  mkdirSync(folder, { mode: 0o700 })
  if (account) own(folder, account)
  return {
    folder,
    keep: () => {
      if (outside) symlinkSync(folder, entry)
      else renameSync(folder, entry)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Deletes the cluster of a data folder, wherever it is, and the folder itself. */
export function removeDataFolder(data_dir: string): void {
  const entry = join(data_dir, 'postgres')
  if (existsSync(entry)) rmSync(realpathSync(entry), { recursive: true, force: true })
  rmSync(data_dir, { recursive: true, force: true })
}

export function own(path: string, account: Account): void {
  chownSync(path, account.uid, account.gid)
}

async function runInitdb(folder: string, binaries: string, account: Account | null): Promise<void> {
  const initdb = launch(join(binaries, 'initdb'), account, [
    `--pgdata=${join(folder, 'data')}`,
    `--username=${cluster_user}`,
    `--pwfile=${join(folder, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ])
  let output = ''
  initdb.stderr?.on('data', (chunk) => {
    output += chunk
  })
  initdb.stdout?.resume()
  const code = await new Promise((resolve, reject) => {
    initdb.on('error', reject)
    initdb.on('close', resolve)
  })
  if (code !== 0)
    throw new PlainError(`The embedded database could not be created: ${output.trim()}`)
}

/** A separate process group: a Ctrl-C meant for the service must not stop the database under it. */
export function launch(
  program: string,
  account: Account | null,
  args: string[],
  log: 'pipe' | number = 'pipe',
): ChildProcess {
  return spawn(program, args, {
    cwd: on_windows ? undefined : '/',
    detached: !on_windows,
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: process.env.PATH, SystemRoot: process.env.SystemRoot },
    stdio: ['ignore', log, log],
    ...(account ?? {}),
  })
}
