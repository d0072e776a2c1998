import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Host, network } from './hosts.ts'

// The files of deploy/patroni, as a machine of the lab has them.

const deployment = fileURLToPath(new URL('../../deploy/patroni', import.meta.url))

/** Numbers of users are read from the system: `id -u postgres`. */
function postgresUser(): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8').match(/^postgres:[^:]*:(\d+):(\d+):/m)
  if (!line) throw new Error('There is no user postgres: install postgresql-15.')
  return { uid: Number(line[1]), gid: Number(line[2]) }
}

/** A folder on a disk of its own, which can be filled. */
export function newDisk(folder: string, size: string): string {
  const { uid, gid } = postgresUser()
  mkdirSync(folder)
  const options = `size=${size},uid=${uid},gid=${gid},mode=0700`
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  return folder
}

/** A file of the deployment with a host's own name and address. */
export function deployedFile(file: string, name: string, { address }: Host): string {
  return readFileSync(join(deployment, file), 'utf8')
    .replace(/^name: .*/m, `name: ${name}`)
    .replaceAll(/(listen|connect_address|urls): (http:\/\/)?10\.0\.0\.\d+/g, `$1: $2${address}`)
    .replaceAll('10.0.0.', `${network}.`)
}

/** Returns the path of a file that only PostgreSQL's user can read. */
export function writeSettings(folder: string, file: string, text: string): string {
  const { uid, gid } = postgresUser()
  const path = join(folder, file)
  writeFileSync(path, text)
  chmodSync(path, 0o600)
  chownSync(path, uid, gid)
  return path
}
