import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Config, readConfig, settings } from './config.ts'

// A setting that contains a secret is given as itself, or as a file with its content.
const folder = mkdtempSync(join(tmpdir(), 'kaikei-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(content: string): string {
  const path = join(folder, 'secret')
  writeFileSync(path, content)
  return path
}

const values = {
  DATABASE_REPLICA_URL: 'postgresql://kaikei:secret@replica:5432/kaikei',
  DATABASE_URL: 'postgresql://kaikei:secret@db/kaikei',
  SHARED_STATE_URL: 'redis://:secret@valkey:6379',
  BACKUP_PASSPHRASE: 'correct horse battery staple',
  SMTP_URL: 'smtps://kaikei:secret@mail:465',
  SIGNING_KEYS: 'a:c2VjcmV0',
  VAULT_KEYS: 'b:c2VjcmV0',
  FINGERPRINT_KEYS: 'c:c2VjcmV0',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer abc, x-team=payments',
}
const read_as: Partial<Record<string, unknown>> = {
  OTEL_EXPORTER_OTLP_HEADERS: { authorization: 'Bearer abc', 'x-team': 'payments' },
}

test('these settings are secrets', () => {
  const secrets = Object.entries(settings).flatMap(([name, one]) => ('secret' in one ? name : []))
  expect(secrets.sort()).toEqual(Object.keys(values).sort())
})

test.each(Object.entries(values))('%s is read from its file', (name, value) => {
  const key = name.toLowerCase() as keyof Config
  const expected = read_as[name] ?? value
  expect(readConfig({ [`${name}_FILE`]: fileWith(`${value}\n`) })[key]).toEqual(expected)
  expect(readConfig({ [`${name}_FILE`]: ' ', [name]: value })[key]).toEqual(expected)
})

test('a file that cannot be used stops the start with one sentence, which has no secret', () => {
  const read = (path: string, more = {}) =>
    readConfig({ DATABASE_URL_FILE: path, ...more }).database_url
  const path = fileWith('\n')
  expect(() => read(path)).toThrow(`The file ${path} of DATABASE_URL_FILE is empty.`)
  expect(() => read(folder)).toThrow(
    `The file ${folder} of DATABASE_URL_FILE cannot be read (EISDIR).`,
  )
  expect(() => read('/no/such')).toThrow(
    'The file /no/such of DATABASE_URL_FILE cannot be read (ENOENT).',
  )
  expect(() => read(path, { DATABASE_URL: values.DATABASE_URL })).toThrow(
    'Only one of DATABASE_URL and DATABASE_URL_FILE can be set.',
  )
  expect(() => read(fileWith('secret'))).toThrow(
    'The setting DATABASE_URL must look like postgresql://user:password@host:5432/database.',
  )
})

test('a setting that is no secret has no file', () => {
  expect(readConfig({ PORT_FILE: fileWith('1') }).port).toBe(8080)
})

test('a number of expected charges is a whole one, up to a million million', () => {
  const read = (EXPECTED_CHARGES: string) => readConfig({ EXPECTED_CHARGES }).expected_charges
  expect([read(''), read('0'), read('1000000000000')]).toEqual([null, 0, 1_000_000_000_000])
  for (const text of ['1e9', '-1', '1000000000001', '100 million']) {
    expect(() => read(text)).toThrow(
      'The setting EXPECTED_CHARGES must be a whole number from 0 to 1000000000000.',
    )
  }
})
