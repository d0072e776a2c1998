import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readMigrations } from '../../src/store/known-migrations.ts'
import { installPackage, temporaryFolder } from '../support/fleet/running-process.ts'

export interface NextRelease {
  readonly version: string
  /** Its program. */
  readonly file: string
  remove(): void
}

export const known_version = readMigrations().length
const newest = String(known_version).padStart(4, '0')
/** This program's declaration for a step that removes something the previous release no longer uses. */
export const contract_since_now = `-- contract, since ${newest}`

/** This program with another version and more migrations, like a later release. */
export function newRelease(version: string, ...steps: readonly string[]): NextRelease {
  const folder = temporaryFolder()
  const file = installPackage(folder)
  const about = join(dirname(file), '..', 'package.json')
  writeFileSync(about, JSON.stringify({ ...JSON.parse(readFileSync(about, 'utf8')), version }))
  for (const [at, sql] of steps.entries()) {
    const number = String(known_version + at + 1).padStart(4, '0')
    writeFileSync(join(dirname(file), 'migrations', `${number}-later-${at + 1}.sql`), sql)
  }
  return { version, file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
