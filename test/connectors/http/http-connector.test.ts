import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  authenticationOf,
  authorizationOf,
  followUpOf,
  inquiryOf,
  limit,
} from '../../../scripts/connector-check/check-calls.ts'
import type { CheckWorld } from '../../../scripts/connector-check/check-subject.ts'
import { acquirer_operations } from '../../../src/connectors/http/api/acquirer-operations.ts'
import { validatorOf } from '../../../src/connectors/http/api/acquirer-responses.ts'
import { describeAcquirerApi } from '../../../src/connectors/http/api/describe-acquirer-api.ts'
import { http_connector } from '../../../src/connectors/http/http-connector.ts'
import { isSigned, signCall } from '../../../src/connectors/http/messages/sign-message.ts'
import { sensitive } from '../../../src/core/cards/sensitive.ts'
import type { Outcome } from '../../../src/providers/provider.ts'

// The connector and a server that records what it is sent, and answers what a test wants.
interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const capabilities = {
  api_version: 1,
  name: 'Recorder',
  instruments: ['card'],
  brands: ['visa'],
  currencies: ['JPY'],
  disputes: true,
  settlements: true,
}
const secret = 'a secret of at least 32 characters'
const card_number = '4532015112830366'
const received: Received[] = []
const log_lines: string[] = []
let returned: { session?: object; [name: string]: unknown } = {
  outcome: 'approved',
  provider_reference: 'pay-1',
  data: { a: 1 },
}
let server: Server
let base_url = ''
const now_ms = 1_800_000_000_000

const log = pino({ level: 'trace' }, { write: (line: string) => void log_lines.push(line) })
const provider = http_connector.open('recorded', { log, now: () => now_ms })
let world: CheckWorld

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    received.push({ path: request.url ?? '', headers: request.headers, body })
    const is_question = request.url?.endsWith('/capabilities')
    response.end(JSON.stringify(is_question ? capabilities : returned))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/of/a/merchant/`
  const credentials = { base_url, key_id: 'key-1', secret }
  world = { credentials, subject: { cards: { approved: card_number } } } as unknown as CheckWorld
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
afterEach(() => {
  received.length = 0
  log_lines.length = 0
  returned = { outcome: 'approved', provider_reference: 'pay-1', data: { a: 1 } }
})

test('docs/acquirer-api/openapi.json is generated from the schemas; if not: npm run generate', () => {
  const file = new URL('../../../docs/acquirer-api/openapi.json', import.meta.url)
  expect(readFileSync(fileURLToPath(file), 'utf8')).toBe(describeAcquirerApi())
})

test('the recommended rules of Redocly find nothing in it, and every field is described', async () => {
  const source = describeAcquirerApi()
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  expect(undescribed(JSON.parse(source).components.schemas)).toEqual([])
})

/** The fields that have no description and no name of their own. */
function undescribed(part: unknown, path = ''): string[] {
  if (typeof part !== 'object' || part === null) return []
  const { properties = {} } = part as { properties?: Record<string, object> }
  const own = Object.entries(properties)
    .filter(([, field]) => !('description' in field || '$ref' in field))
    .map(([name]) => `${path}.${name}`)
  const inner = Object.entries(part).flatMap(([name, one]) => undescribed(one, `${path}/${name}`))
  return [...own, ...inner]
}

test('every request is as the description says, signed, and names its reference', async () => {
  const operation = authorizationOf(world)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const taken = await provider.authorize(operation, { ...limit(), traceparent })
  expect(taken).toEqual({ outcome: 'approved', provider_reference: 'pay-1', data: { a: 1 } })
  const authentication = authenticationOf(world, card_number, true)
  await provider.authenticate(authentication, limit())
  const following = followUpOf(operation, taken)
  for (const send of ['capture', 'void', 'refund', 'returnDeposit'] as const) {
    await provider[send](following, limit())
  }
  const certificate = { certificate_id: sensitive('1234'), certificate_name: sensitive('Taro') }
  const customs = { customs: 'NINGBO', merchant_customs_no: '31', ...certificate } as const
  await provider.declareCustoms({ ...following, ...customs }, limit())
  const inquiry = inquiryOf('refund', following, taken)
  await provider.inquire(inquiry, limit())
  await provider.continue?.({ ...inquiry, returned: { payment: 'pay-1' } }, limit())
  returned = { session: { merchantSessionIdentifier: 'x' } }
  const owner = { merchant_id: operation.merchant_id, store_id: operation.store_id }
  const place = { domain: 'pay.example', display_name: 'Shop' }
  const validation_url = 'https://apple-pay-gateway.apple.com/start'
  const asked = { ...owner, ...place, validation_url, credentials: operation.credentials }
  expect(await provider.applePaySession?.(asked, limit())).toEqual(returned.session)
  returned = { deposits: [] }
  await provider.deposits(inquiry, limit())
  returned = { disputes: [] }
  await provider.disputes?.(inquiry, limit())
  returned = { lines: [], next: null }
  const question = { since: new Date(now_ms), credentials: sensitive(world.credentials) }
  for await (const line of provider.settlements?.(question) ?? []) expect.fail(line.line_id)
  returned = { outcome: 'approved' }
  const content = sensitive(Buffer.from('sent'))
  const files = [{ name: 'parcel.txt', content_type: 'text/plain', content }] as const
  const evidence = sensitive({ explanation: 'It was delivered.' })
  const response = { dispute_reference: 'dis-1', response: 'evidence', evidence, files } as const
  await provider.respondToDispute?.({ ...following, ...response }, limit())
  const by_path = new Map(received.map((one) => [one.path, one]))
  for (const { method, path, request } of Object.values(acquirer_operations)) {
    const whole_path = `/of/a/merchant${path}`
    const one = by_path.get(whole_path)
    expect(one, path).toBeDefined()
    const { body = '', headers = {} } = one ?? {}
    const signed = { method, path: whole_path, body }
    expect(isSigned([{ id: 'key-1', secret }], signed, headers, now_ms), path).toBe(true)
    expect(isSigned([{ id: 'key-1', secret: 'x' }], signed, headers, now_ms)).toBe(false)
    if (!request) continue
    const validator = validatorOf(request)
    expect([...validator.Errors(JSON.parse(body))], path).toEqual([])
    const fields = Object.keys(JSON.parse(body)).toSorted()
    expect(fields, path).toEqual(Object.keys((request as unknown as Shown).properties).toSorted())
    const is_question = /inquire|continue|deposits|disputes|settlements|session/.test(path)
    const reference = is_question ? undefined : JSON.parse(body).reference
    expect(headers['idempotency-key'], path).toBe(reference)
  }
  expect(by_path.get('/of/a/merchant/v1/authorize')?.headers.traceparent).toBe(traceparent)
  expect(by_path.get('/of/a/merchant/v1/authorize')?.body).toContain(card_number)
  expect(received.filter(({ path }) => path.endsWith('capabilities'))).toHaveLength(1)
})

interface Shown {
  readonly properties: object
}

test("a payment outside the acquirer's capabilities is not sent", async () => {
  const others = [
    [{ currency: 'USD' }, 'Recorder does not take USD.'],
    [
      { instrument: { kind: 'konbini', convenience_store: 'lawson', customer_name: 'Taro' } },
      'Recorder takes no konbini payments.',
    ],
    [
      { instrument: { ...authorizationOf(world).instrument, brand: 'jcb' } },
      'Recorder does not take jcb.',
    ],
  ] as const
  for (const [changes, reason] of others) {
    const operation = authorizationOf(world, changes as Parameters<typeof authorizationOf>[1])
    const refused = { outcome: 'not_taken', reason, is_in_order: true }
    expect(await provider.authorize(operation, limit())).toEqual(refused)
  }
  expect(received.filter(({ path }) => path.endsWith('authorize'))).toEqual([])
})

test('a card number or secret that the acquirer repeats is masked, and no log has it', async () => {
  returned = {
    outcome: 'approved',
    provider_reference: `of ${card_number}`,
    raw_message: `Card 4532 0151 1283 0366 with ${secret}`,
    data: { card: [card_number] },
  }
  const found = await provider.authorize(authorizationOf(world), limit())
  expect(found).toEqual({
    outcome: 'approved',
    provider_reference: 'of [hidden]',
    raw_message: 'Card [card] with [hidden]',
    data: { card: ['[hidden]'] },
  })
  returned = { outcome: 'approved', raw_message: card_number, [card_number]: secret }
  const unknown = await provider.authorize(authorizationOf(world), limit())
  expect(unknown.outcome).toBe('unknown')
  expect(log_lines.join('')).toContain('the acquirer gave no valid answer')
  expect(log_lines.join('')).not.toMatch(/4532015112830366|a secret of/)
})

const wrong_urls: [string, RegExp][] = [
  ['http://acquirer.example', /must begin with https/],
  ['ftp://acquirer.example', /must begin with https/],
  ['acquirer.example', /must be an address/],
  ['https://user:word@acquirer.example', /no user, query or fragment/],
  ['https://acquirer.example/?a=b', /no user, query or fragment/],
]
test.each(wrong_urls)('the address %s is refused before anything is sent', async (url, problem) => {
  const settings = { base_url: url, key_id: 'key-1', secret }
  const tested = await http_connector.test(settings, AbortSignal.timeout(60_000))
  expect(tested).toEqual({ is_ok: false, problem: expect.stringMatching(problem) })
  const credentials = sensitive(settings)
  const found = await provider.authorize(authorizationOf(world, { credentials }), limit())
  expect(found).toEqual({ outcome: 'not_taken', reason: expect.stringMatching(problem) })
})

test('settings that are missing or malformed are all named', async () => {
  const settings = { base_url: 'https://acquirer.example', secret: 'short', colour: 'red' }
  const tested = await http_connector.test(settings, AbortSignal.timeout(60_000))
  const problem = 'These settings are missing, unknown or malformed: key_id, colour, secret.'
    .match(/\w+/g)
    ?.toSorted()
  expect(tested.is_ok ? [] : tested.problem.match(/\w+/g)?.toSorted()).toEqual(problem)
})

test('a call that was given up before it was sent is not taken, and is never sent', async () => {
  await provider.authorize(authorizationOf(world), limit())
  received.length = 0
  const ended = AbortSignal.abort()
  const found = await provider.authorize(authorizationOf(world), { signal: ended })
  expect(found.outcome).toBe('not_taken')
  // A question about an operation says nothing about it when it is not sent.
  const inquiry = inquiryOf('authorize', authorizationOf(world))
  expect(await provider.inquire(inquiry, { signal: ended })).toMatchObject({ outcome: 'unknown' })
  expect(received).toEqual([])
})

test('with all connections in use a call waits, and is not taken when its time is over', async () => {
  const held: (() => void)[] = []
  const slow = createServer((request, response) => {
    request.resume()
    if (request.url?.endsWith('capabilities')) response.end(JSON.stringify(capabilities))
    else held.push(() => response.end('{"outcome":"approved"}'))
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const { port } = slow.address() as AddressInfo
  const settings = { base_url: `http://127.0.0.1:${port}`, key_id: 'key-1', secret }
  const credentials = sensitive(settings)
  const send = (signal?: AbortSignal) =>
    provider.authorize(authorizationOf(world, { credentials }), signal ? { signal } : limit())
  const running: Promise<Outcome>[] = Array.from({ length: 64 }, () => send())
  await expect.poll(() => held.length).toBe(64)
  const ending = new AbortController()
  const waiting = send(ending.signal)
  // Everything up to the queue for a connection is done in promises.
  await new Promise((resolve) => setImmediate(resolve))
  ending.abort()
  expect(await waiting).toMatchObject({ outcome: 'not_taken' })
  for (const release of held) release()
  const outcomes = await Promise.all(running)
  expect(outcomes.every((one) => one.outcome === 'approved')).toBe(true)
  // The queue is in order: a later call is not sent before the one that was given up.
  const later = send()
  await expect.poll(() => held.length).toBeGreaterThan(64)
  held.at(-1)?.()
  expect(await later).toMatchObject({ outcome: 'approved' })
  expect(held).toHaveLength(65)
  slow.closeAllConnections()
  slow.close()
})

test('a notification names several payments; a signed one of another shape is refused in words', () => {
  const id = '0192f0a0-0000-7000-8000-000000000009'
  const read = (content: object, name = 'recorded') => {
    const body = Buffer.from(JSON.stringify(content))
    const signed = { method: 'POST', path: `/callbacks/${name}`, body } as const
    const headers = signCall({ id: 'key-1', secret }, signed, now_ms)
    const credentials = sensitive(world.credentials)
    return provider.readNotification({ body, headers, now_ms, credentials })
  }
  const payments = [{ provider_reference: 'pay-1' }, { merchant_id: id, charge_id: id }]
  expect(read({ payments })).toEqual([
    { provider_reference: 'pay-1' },
    { merchant_id: id, resource_type: 'charge', resource_id: id },
  ])
  expect(read({ payments }, 'another')).toBeNull()
  expect(() => read({ payments: [] })).toThrow(/must be {"payments"/)
  expect(() => read({ payments: [{ provider_reference: 'a', amount: 1 }] })).toThrow(/must be/)
  const unsigned = { body: Buffer.from('{}'), headers: {}, now_ms }
  expect(provider.readNotification({ ...unsigned, credentials: null })).toBeNull()
})
