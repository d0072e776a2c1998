import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainError } from './explain-error.ts'
import { outageOf } from './outages.ts'

test.each([
  ['disk_full', ['53100', 'ENOSPC', 'EDQUOT']],
  ['read_only', ['25006', 'EROFS']],
  ['out_of_resources', ['53000', '53200', '53300', '53400', 'EMFILE', 'ENFILE', 'ENOMEM']],
  ['io_error', ['58000', '58030', '58P01', 'EIO', 'ESTALE', 'EISDIR']],
  ['restarting', ['57P01', '57P02', '57P03', '57P04', '57P05']],
  ['access_denied', ['28000', '28P01', '3D000', 'EACCES', 'EPERM']],
  ['timed_out', ['57014', '55P03', '25P03', '25P04']],
  ['unreachable', ['08000', '08006', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'ENOENT']],
] as const)('%s: %o', (reason, codes) => {
  for (const code of codes) expect(outageOf({ code }), code).toMatchObject({ reason })
})

test('a permanent fault is no outage', () => {
  const codes = ['23505', '22P02', '42P01', '42703', '57000', 'P0001', 'FST_ERR_VALIDATION', 42]
  for (const code of codes) expect(outageOf({ code, message: 'x' })).toBeNull()
  expect(outageOf(new Error('some mistake of ours'))).toBeNull()
  expect(outageOf(new Error('timeout exceeded when trying to connect'))).not.toBeNull()
  expect(outageOf(null)).toBeNull()
})

function errorOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
}

test('a sentence names the part at fault, and DATABASE_URL only where there is one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-explain-'))
  writeFileSync(join(folder, 'file'), '')
  const no_folder = errorOf(() => readFileSync(join(folder, 'file', 'keys.json')))
  expect(explainError(no_folder, false)).toMatch(/^A file cannot be used: ENOTDIR/)
  rmSync(folder, { recursive: true })
  const refused = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve))
  expect(explainError(refused, false)).toMatch(/^The database of DATABASE_URL cannot be used: /)
  expect(explainError(refused, true)).toMatch(/^The embedded database cannot be used: /)
})
