import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { postgresAccount } from './postgres-account.ts'
import { copiedBinaries, postgresBinaries } from './postgres-binaries.ts'

// The real package of the database, in a folder that its account cannot enter, as `npm ci` leaves it in a
// checkout below root's home: links included.
const account = postgresAccount()
const folder = mkdtempSync(join(tmpdir(), 'kaikei-binaries-'))
const closed = join(folder, 'closed')
const installed = join(closed, 'package')
const system = join(folder, 'system')
const links: { source: string; target: string }[] = []

chmodSync(folder, 0o755)
mkdirSync(closed, { mode: 0o700 })
const from = join(postgresBinaries(null), '..', '..')
cpSync(from, installed, { recursive: true, verbatimSymlinks: true })
links.push(...JSON.parse(readFileSync(join(installed, 'native/pg-symlinks.json'), 'utf8')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const on_windows = process.platform === 'win32'
const library = links[0]?.target ?? ''

function version(binaries: string): string {
  return execFileSync(join(binaries, 'postgres'), ['--version'], {
    ...account,
    cwd: '/',
  }).toString()
}

const copy = () => copiedBinaries(installed, system, account)

test.skipIf(on_windows)('links that an install script made stay relative in the copy', () => {
  const binaries = copy()
  for (const { source, target } of links) {
    expect(readlinkSync(join(binaries, '..', '..', target))).toBe(basename(source))
  }
  expect(version(binaries)).toContain('PostgreSQL')
})

test.skipIf(on_windows)('a copy with links into the closed folder is replaced', () => {
  const path = join(copy(), '..', '..', library)
  unlinkSync(path)
  symlinkSync(join(installed, library), path)
  expect(version(copy())).toContain('PostgreSQL')
  expect(readlinkSync(path)).not.toContain(closed)
})

test.skipIf(on_windows)(
  'a half-deleted copy is replaced, whether programs or other files are missing',
  () => {
    const native = join(copy(), '..')
    for (const lost of ['lib', 'share/postgresql/postgres.bki']) {
      rmSync(join(native, lost), { recursive: true })
      expect(version(copy())).toContain('PostgreSQL')
      expect(() => readFileSync(join(native, 'share/postgresql/postgres.bki'))).not.toThrow()
    }
    truncateSync(join(native, 'bin/postgres'), 1000)
    expect(version(copy())).toContain('PostgreSQL')
  },
)

test.skipIf(on_windows)('an upgrade of the package gets a copy of its own', () => {
  const before = copy()
  const description = join(installed, 'package.json')
  const { version: old, ...rest } = JSON.parse(readFileSync(description, 'utf8'))
  writeFileSync(description, JSON.stringify({ ...rest, version: `${old}-next` }))
  const after = copy()
  expect(after).not.toBe(before)
  expect([version(before), version(after)]).toEqual([version(before), version(before)])
})

test.skipIf(on_windows)(
  'a package installed with a narrow umask gives a copy that the account can run',
  () => {
    chmodSync(join(installed, 'native'), 0o700)
    chmodSync(join(installed, 'native/bin/postgres'), 0o700)
    rmSync(system, { recursive: true })
    expect(version(copy())).toContain('PostgreSQL')
  },
)

test.skipIf(on_windows)('a program that cannot run is reported with its own message', () => {
  const program = join(installed, 'native/bin/postgres')
  writeFileSync(program, '#!/bin/sh\necho no such library >&2\nexit 127\n')
  expect(copy).toThrow(/cannot run from .*no such library/)
})
