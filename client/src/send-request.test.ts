import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Kaikei, type KaikeiError, type KaikeiOptions } from './kaikei-client.ts'

// A service that answers as each test says, one request after the other; the last answer is repeated.
type ApiResponse = (response: ServerResponse) => unknown

let planned: ApiResponse[] = []
const received: { request: IncomingMessage; body: string; at_ms: number }[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    received.push({ request, body, at_ms: Date.now() })
    const respond = planned.length > 1 ? planned.shift() : planned[0]
    respond?.(response)
  })
})
let base_url = ''

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  received.length = 0
})

const json = (status: number, body: object, headers: Record<string, string> = {}): ApiResponse => {
  return (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers })
      .end(JSON.stringify(body))
}
const error = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { status: 'error', code, name: '', message: `It is ${code}.`, errors: [] }, headers)
const done = json(200, { id: 'done' })
const created = json(201, { id: 'created' })
const broken: ApiResponse = (response) => response.destroy()
const silent: ApiResponse = () => {}
const at_once = { 'retry-after': '0' }

const newClient = (options: Partial<KaikeiOptions> = {}) =>
  new Kaikei({ base_url, jwt: 'a.b.c', secret: 's', store_id: 'store', ...options })
const charge = { transaction_token_id: 't', amount: 1000, currency: 'JPY' }
const keys = () => received.map(({ request }) => request.headers['idempotency-key'])

async function failureOf(call: PromiseLike<unknown>): Promise<KaikeiError> {
  return (await call.then(
    () => expect.fail('it succeeded'),
    (failure) => failure,
  )) as KaikeiError
}

test('a call has its credentials, its body and a key of its own', async () => {
  planned = [created]
  const kaikei = newClient()
  expect(await kaikei.charges.create(charge)).toEqual({ id: 'created' })
  await kaikei.charges.create(charge)
  const [{ request, body } = expect.fail()] = received
  expect(`${request.method} ${request.url}`).toBe('POST /charges')
  expect(request.headers).toMatchObject({
    authorization: 'Bearer s.a.b.c',
    'content-type': 'application/json',
    accept: 'application/json',
  })
  expect(JSON.parse(body)).toEqual(charge)
  expect(new Set(keys()).size).toBe(2)
})

test.each([
  ['429 with Retry-After', error(429, 'BAD_REQUEST', at_once)],
  ['503 with Retry-After', error(503, 'SERVICE_UNAVAILABLE', at_once)],
  ['408', error(408, 'REQUEST_TIMEOUT', at_once)],
  ['500', error(500, 'UNKNOWN_ERROR')],
  ['502 of a proxy', (response: ServerResponse) => response.writeHead(502).end('<html>')],
  ['409 while the first one is in progress', error(409, 'IDEMPOTENCY_KEY_CONFLICT', at_once)],
  ['a broken connection', broken],
])('a POST is repeated with the same key after %s', async (_, respond) => {
  planned = [respond, created]
  expect(await newClient().charges.create(charge)).toEqual({ id: 'created' })
  expect(received).toHaveLength(2)
  expect(new Set(keys()).size).toBe(1)
})

test('a POST is repeated with the same key after a time-out', async () => {
  planned = [silent, created]
  const call = newClient().charges.create(charge, { timeout_ms: 100 })
  expect(await call).toEqual({ id: 'created' })
  expect(new Set(keys()).size).toBe(1)
})

test('a retry waits as long as Retry-After says', async () => {
  planned = [error(429, 'BAD_REQUEST', { 'retry-after': '1' }), done]
  await newClient().charges.get('c')
  const [first, second] = received.map(({ at_ms }) => at_ms)
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990)
})

test('a longer wait than a minute is left to the caller', async () => {
  planned = [error(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '3600' })]
  const failure = await failureOf(newClient().charges.get('c'))
  expect(failure).toMatchObject({ status: 503, retry_after_ms: 3_600_000 })
  expect(received).toHaveLength(1)
})

test.each([
  ['400', error(400, 'VALIDATION_ERROR')],
  ['404', error(404, 'NOT_FOUND')],
  ['409 of another request', error(409, 'IDEMPOTENCY_KEY_CONFLICT')],
])('nothing is repeated after %s', async (_, respond) => {
  planned = [respond]
  await failureOf(newClient().charges.create(charge))
  expect(received).toHaveLength(1)
})

test('a call is repeated max_retries times', async () => {
  planned = [error(503, 'SERVICE_UNAVAILABLE', at_once)]
  const failure = await failureOf(newClient({ max_retries: 2 }).charges.get('c'))
  expect([failure.code, received.length]).toEqual(['SERVICE_UNAVAILABLE', 3])
  await failureOf(newClient().charges.get('c', {}, { max_retries: 0 }))
  expect(received).toHaveLength(4)
})

test('without a key only a refused POST is repeated', async () => {
  const without_key = { idempotency_key: null }
  planned = [error(429, 'BAD_REQUEST', at_once), created]
  await newClient().charges.create(charge, without_key)
  expect(keys()).toEqual([undefined, undefined])
  received.length = 0
  planned = [broken, created]
  const failure = await failureOf(newClient().charges.create(charge, without_key))
  expect([failure.code, received.length]).toEqual(['CONNECTION_FAILED', 1])
})

test('a 404 after a lost response counts as deleted', async () => {
  planned = [broken, error(404, 'NOT_FOUND')]
  expect(await newClient().webhooks.delete('w')).toBeUndefined()
  planned = [error(404, 'NOT_FOUND')]
  expect(await failureOf(newClient().webhooks.delete('w'))).toMatchObject({ code: 'NOT_FOUND' })
})

test('an error has code, status, fields and request id', async () => {
  const errors = [{ field: 'amount', reason: 'REQUIRED_VALUE' }]
  planned = [json(400, { code: 'VALIDATION_ERROR', message: 'amount is required.', errors })]
  const failure = await failureOf(newClient().charges.create(charge))
  expect(failure).toMatchObject({
    name: 'KaikeiError',
    message: 'amount is required.',
    code: 'VALIDATION_ERROR',
    status: 400,
    errors,
    request_id: 'r-1',
  })
})

test('a broken connection, a time-out and a foreign response have codes of their own', async () => {
  const kaikei = newClient({ max_retries: 0, timeout_ms: 1000 })
  const results = []
  for (const respond of [broken, silent, (r: ServerResponse) => r.writeHead(502).end('<html>')]) {
    planned = [respond]
    const { code, status, message } = await failureOf(kaikei.charges.get('c'))
    results.push([code, status, message.includes('/charges/{charge_id}')])
  }
  expect(results).toEqual([
    ['CONNECTION_FAILED', null, true],
    ['TIMED_OUT', null, true],
    ['UNREADABLE_RESPONSE', 502, false],
  ])
})

test('a body that never ends is a time-out, too', async () => {
  planned = [(response) => response.writeHead(200).write('{')]
  const kaikei = newClient({ max_retries: 0, timeout_ms: 100 })
  expect((await failureOf(kaikei.charges.get('c'))).code).toBe('TIMED_OUT')
})

test('an abort ends a call before, during and between attempts, with its reason', async () => {
  const aborted = () => newClient().charges.get('c', {}, { signal: AbortSignal.abort('before') })
  expect(await failureOf(aborted())).toBe('before')
  expect(received).toHaveLength(0)
  const later = error(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '30' })
  for (const [respond, max_retries] of [[silent, 0] as const, [later, 1] as const]) {
    planned = [respond]
    received.length = 0
    const stop = new AbortController()
    const options = { signal: stop.signal, max_retries }
    const call = failureOf(newClient().charges.get('c', {}, options))
    await expect.poll(() => received.length).toBe(1)
    stop.abort('enough')
    expect(await call).toBe('enough')
  }
})

test('requests that the service would refuse are sent later', async () => {
  const empty = { 'x-remaining-requests-route': '0', 'x-requests-per-minute-route': '300' }
  planned = [json(200, {}, empty)]
  const kaikei = newClient()
  await kaikei.charges.get('a')
  await Promise.all([kaikei.charges.get('b'), kaikei.charges.get('c'), kaikei.merchant.get()])
  const letters = received.map(({ request }) => request.url?.at(-1))
  expect(letters).toEqual(['a', 'e', 'b', 'c'])
  const [first = 0, , second = 0, third = 0] = received.map(({ at_ms }) => at_ms)
  expect(second - first).toBeGreaterThanOrEqual(190)
  expect(third - first).toBeGreaterThanOrEqual(390)
})

test('the store is that of the call, of the client or of the JWT', async () => {
  planned = [done]
  const claims = btoa(JSON.stringify({ store_id: 'of-jwt' })).replaceAll('=', '')
  const of_jwt = new Kaikei({ base_url: `${base_url}/`, jwt: `head.${claims}.signature` })
  const of_merchant = new Kaikei({ base_url, jwt: 'a.b.c', secret: 's' })
  await of_jwt.charges.get('c')
  await newClient().charges.get('c')
  await newClient().charges.get('c', {}, { store_id: 'of-call' })
  await newClient().webhooks.get('w', { store_id: null })
  await of_merchant.webhooks.get('w')
  await of_merchant.stores.get('a/b')
  expect(received.map(({ request }) => request.url)).toEqual([
    '/stores/of-jwt/charges/c',
    '/stores/store/charges/c',
    '/stores/of-call/charges/c',
    '/webhooks/w',
    '/webhooks/w',
    '/stores/a%2Fb',
  ])
  expect(received[0]?.request.headers.authorization).toBe(`Bearer head.${claims}.signature`)
  await expect(of_merchant.charges.get('c')).rejects.toThrow(/needs a store: pass store_id/)
  await expect(newClient().charges.get('')).rejects.toThrow('needs charge_id')
})

test('headers of the caller are read for each call; several values are repeated', async () => {
  planned = [json(200, { items: [], has_more: false })]
  let mode = 'test'
  const client = newClient({ headers: () => ({ 'x-mode': mode }) })
  await client.history.list({ status: ['failed', 'error'] })
  mode = 'live'
  await client.history.list()
  expect(received.map(({ request }) => request.headers['x-mode'])).toEqual(['test', 'live'])
  const { searchParams } = new URL(received[0]?.request.url ?? '', base_url)
  expect(searchParams.getAll('status[]')).toEqual(['failed', 'error'])
})
