import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/fleet/running-process.ts'
import { readConfig } from '../../../config.ts'
import type { Service } from '../../../service.ts'
import { demoCredentialsFor } from './local-credentials.ts'

// A page of a development start, in a browser on the same machine; each test changes one thing of it.
const folder = temporaryFolder()
writeFileSync(join(folder, 'credentials.json'), '{ "secret": "a-secret", "jwt": "a.jwt.b" }')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const own = { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' }

function given(
  settings: Record<string, string> = {},
  headers: Record<string, string> = own,
  remoteAddress = '127.0.0.1',
): string | null {
  const service = { config: readConfig({ DATA_DIR: folder, ...settings }) } as Service
  const request = { headers, socket: { remoteAddress } } as unknown as FastifyRequest
  return demoCredentialsFor(service, request)
}

test('a page of the service on this machine gets them', () => {
  expect(given()).toBe('a-secret.a.jwt.b')
  expect(given({ HOST: '::1' }, { host: '[::1]:80', origin: 'http://[::1]:80' }, '::1')).not.toBe(
    null,
  )
  expect(given({}, { host: 'localhost:8080', origin: 'http://localhost:8080' })).not.toBe(null)
  expect(given({}, { ...own, 'sec-fetch-site': 'same-origin' })).not.toBe(null)
})

test.each([
  ['a service that other machines reach', { HOST: '0.0.0.0' }],
  ['a database of its own', { DATABASE_URL: 'postgresql://u:p@db:5432/kaikei' }],
  ['a public address', { BASE_URL: 'https://pay.example' }],
  ['proxies', { TRUSTED_PROXIES: '10.0.0.1' }],
])('not with %s', (_, settings) => {
  expect(given(settings)).toBe(null)
})

test.each([
  ['no origin, as a program sends', { host: own.host }],
  ['the origin of another site', { ...own, origin: 'https://evil.example' }],
  ['the origin of another port', { ...own, origin: 'http://127.0.0.1:9999' }],
  [
    'a name that resolves to this machine',
    { host: 'evil.example:8080', origin: 'http://evil.example:8080' },
  ],
  [
    'a name that begins like an address',
    { host: '127.evil.example', origin: 'http://127.evil.example' },
  ],
  ['a page of another site of this machine', { ...own, 'sec-fetch-site': 'same-site' }],
  ['a proxy', { ...own, 'x-forwarded-for': '203.0.113.5' }],
  ['an unreadable host', { host: 'a b', origin: 'http://a b' }],
])('not to %s', (_, headers) => {
  expect(given({}, headers as Record<string, string>)).toBe(null)
})

test('not to another machine, and not without the file', () => {
  expect(given({}, own, '192.0.2.7')).toBe(null)
  expect(given({ DATA_DIR: join(folder, 'empty') })).toBe(null)
})
