import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { PlainError } from '../../../core/api/plain-error.ts'

/** The unprivileged account that runs the embedded server when the service itself runs as root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root. For an ordinary user there is no such account. */
export function postgresAccount(): Account | null {
  if (process.platform === 'win32' || process.getuid?.() !== 0) return null
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const row = rows.find((fields) => fields[0] === name)
    if (row) return { uid: Number(row[2]), gid: Number(row[3]) }
  }
  throw new PlainError(
    'PostgreSQL does not run as root and there is no user "postgres" or "nobody" to run it as. ' +
      'Start the service as an ordinary user.',
  )
}

/**
 * Whether the account can reach a folder, and read it or only pass through it, according to the modes
 * along its path.
 */
export function canReach(
  account: Account | null,
  folder: string,
  wanted: 'read' | 'pass' = 'read',
): boolean {
  if (account === null) return true
  for (let path = folder; ; path = dirname(path)) {
    const { uid, gid, mode } = statSync(path)
    const needed = path === folder && wanted === 'read' ? 0o5 : 0o1
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
    if (((mode >> shift) & needed) !== needed) return false
    if (path === dirname(path)) return true
  }
}
