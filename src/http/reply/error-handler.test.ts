import { connect } from 'node:net'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { errorName, type errors } from '../../core/api/errors.ts'

// Every error, wherever it is detected, has the same shape. Raw bytes are sent where a client would
// not.
const world = useWorld()
let shop: TestMerchant
let port: number

beforeAll(async () => {
  shop = await world.merchant()
  port = (await world.listen()).port
})
beforeEach(() => world.clock.advance(60_000))

function shape(code: keyof typeof errors) {
  return {
    status: 'error',
    code,
    name: errorName(code),
    message: expect.any(String),
    errors: expect.any(Array),
  }
}

test('an error is {status, code, name, message, errors} and nothing else', async () => {
  const { status, body } = await world.call('GET', '/me')
  expect(status).toBe(401)
  expect(body).toEqual(shape('AUTH_HEADER_MISSING'))
  expect(errorName('BAD_REQUEST')).toBe('BadRequest')
  expect(errorName('RESOURCE_LIMIT_REACHED')).toBe('ResourceLimitReached')
})

test.each([
  ['an unknown route', 'GET', '/nowhere', {}, 404, 'NOT_FOUND'],
  ['a trailing slash', 'GET', '/me/', {}, 404, 'NOT_FOUND'],
  ['another method', 'PUT', '/me', {}, 405, 'NOT_ALLOWED'],
  ['bad JSON', 'POST', '/stores', { body: '{"name":' }, 400, 'INVALID_REQUEST'],
  ['a key twice', 'POST', '/stores', { body: '{"name":"a","name":"b"}' }, 400, 'INVALID_REQUEST'],
  ['__proto__', 'POST', '/stores', { body: '{"__proto__":{"a":1}}' }, 400, 'INVALID_REQUEST'],
  ['U+0000', 'POST', '/stores', { body: '{"name":"a\\u0000"}' }, 400, 'INVALID_REQUEST'],
  ['U+0000 in the address', 'GET', '/stores?search=%00', {}, 400, 'INVALID_REQUEST'],
  ['a bad escape in the address', 'GET', '/stores/%E0%A4%A', {}, 400, 'INVALID_REQUEST'],
  ['invalid UTF-8', 'POST', '/stores', { body: Buffer.from([0xff]) }, 400, 'INVALID_REQUEST'],
  [
    'a body over 256 KB',
    'POST',
    '/stores',
    { body: `"${'x'.repeat(262_143)}"` },
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  ['an address over 8 KB', 'GET', `/me?${'x'.repeat(8200)}`, {}, 414, 'URI_TOO_LONG'],
] as const)('%s', async (_, method, path, options, status, code) => {
  const response = await world.call(method, path, { auth: shop.as_merchant, ...options })
  expect(response.status).toBe(status)
  expect(response.body).toEqual(shape(code))
  expect(response.headers['x-request-id']).toBeTruthy()
})

test.each([
  ['text/plain', {}],
  ['application/x-www-form-urlencoded', {}],
  ['multipart/form-data; boundary=x', {}],
  ['application/json', { 'content-encoding': 'gzip' }],
])('a body as %s %o is 415', async (type, headers) => {
  const response = await world.call('POST', '/stores', {
    auth: shop.as_merchant,
    body: '{}',
    headers: { 'content-type': type, ...headers },
  })
  expect(response).toMatchObject({ status: 415, body: shape('UNSUPPORTED_MEDIA_TYPE') })
})

test('405 names the methods that are allowed', async () => {
  const { headers } = await world.call('PUT', '/me')
  expect(headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'PATCH'])
})

test('every wrong field is named with its reason', async () => {
  const response = await world.call('POST', `/stores/${shop.store_id}/webhooks`, {
    auth: shop.as_store,
    body: { url: 'nonsense', triggers: [], active: 'yes', auth_token: 'a\nb' },
  })
  expect(response.status).toBe(400)
  expect(response.body.errors).toEqual([
    { field: 'url', reason: 'INVALID_FORMAT_URL' },
    { field: 'triggers', reason: 'MUST_HAVE_AT_LEAST_ONE_ELEMENT' },
    { field: 'auth_token', reason: 'INVALID_FORMAT' },
    { field: 'active', reason: 'INVALID_FORMAT' },
  ])
  const missing = await world.call('POST', `/stores/${shop.store_id}/webhooks`, {
    auth: shop.as_store,
  })
  expect(missing.body.errors).toEqual([
    { field: 'url', reason: 'REQUIRED_VALUE' },
    { field: 'triggers', reason: 'REQUIRED_VALUE' },
  ])
})

test.each([
  ['path', `/stores/not-an-id`, [{ field: 'store_id', reason: 'INVALID_UUID' }]],
  ['limit below 10', '/stores?limit=9', [{ field: 'limit', reason: 'NUMBER_MIN' }]],
  ['limit above 100', '/stores?limit=101', [{ field: 'limit', reason: 'NUMBER_MAX' }]],
  ['limit twice', '/stores?limit=10&limit=20', [{ field: 'limit', reason: 'INVALID_FORMAT' }]],
  ['cursor', '/stores?cursor=x', [{ field: 'cursor', reason: 'INVALID_UUID' }]],
  [
    'direction',
    '/stores?cursor_direction=up',
    [{ field: 'cursor_direction', reason: 'NOT_ALLOWED_VALUE' }],
  ],
])('a wrong %s is a validation error', async (_, path, expected) => {
  const response = await world.call('GET', path, { auth: shop.as_merchant })
  expect(response).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', errors: expected },
  })
})

test('unknown query parameters and body fields are accepted and ignored', async () => {
  const { status } = await world.call('GET', '/me?a=1&a=2&__proto__=3&x[]=1', {
    auth: shop.as_store,
  })
  expect(status).toBe(200)
  expect((await world.call('GET', '/me?', { auth: shop.as_store })).status).toBe(200)
})

test('X-Request-Id is returned as sent, or generated', async () => {
  const mine = await world.call('GET', '/heartbeat', { headers: { 'x-request-id': 'order-7.a:b' } })
  expect(mine.headers['x-request-id']).toBe('order-7.a:b')
  for (const bad of ['a b', 'x'.repeat(129), '<script>', '']) {
    const created = await world.call('GET', '/heartbeat', { headers: { 'x-request-id': bad } })
    expect(created.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('error bodies contain no stack, SQL, path or version, and the log has the request id', async () => {
  const { db } = world.service
  Object.assign(world.service, {
    db: {
      selectFrom: () => {
        throw new Error('select secret from x')
      },
    },
  })
  try {
    const auth = (await Promise.resolve(shop)).as_store
    world.clock.advance(2000)
    const { status, text, headers, body } = await world.call('GET', '/me', { auth })
    expect(status).toBe(500)
    expect(body).toEqual(shape('UNKNOWN_ERROR'))
    expect(text).not.toMatch(/select|at |node_modules|\.ts|fastify/i)
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('server')
    expect(world.log.join()).toContain(headers['x-request-id'])
  } finally {
    Object.assign(world.service, { db })
  }
})

test('security headers are on every response', async () => {
  for (const path of ['/me', '/nowhere', '/heartbeat', '/livez']) {
    const { headers } = await world.call('GET', path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  }
})

/** Sends raw bytes; resolves to everything that was received until the server closed. */
function send(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(30_000, () => reject(new Error(`not closed, got: ${received}`)))
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

const host = 'Host: a\r\n'

test.each([
  [
    'Content-Length and Transfer-Encoding',
    `POST /me HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'two Content-Lengths',
    `POST /me HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  ],
  ['a folded header', `GET /me HTTP/1.1\r\n${host}X-A: 1\r\n 2\r\n\r\n`],
  ['bare line feeds', `GET /me HTTP/1.1\n${host.replace('\r', '')}\n`],
  ['the absolute form', `GET http://evil/me HTTP/1.1\r\n${host}\r\n`],
  [
    'an h2c upgrade',
    `GET /me HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  ],
  ['a space before the colon', `GET /me HTTP/1.1\r\n${host}X-A : 1\r\n\r\n`],
  ['a bad chunk size', `POST /me HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
  ['no HTTP at all', 'hello\r\n\r\n'],
])('%s: 400 and the connection is closed', async (_, bytes) => {
  const received = await send(bytes)
  expect(received).toMatch(/^HTTP\/1\.1 400 /)
  expect(received.toLowerCase()).toContain('connection: close')
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(JSON.parse(received.split('\r\n\r\n')[1] ?? '')).toEqual(shape('INVALID_REQUEST'))
})

test('headers over 16 KB are 431 in the same shape', async () => {
  const received = await send(`GET /me HTTP/1.1\r\n${host}X-A: ${'x'.repeat(17_000)}\r\n\r\n`)
  expect(received).toMatch(/^HTTP\/1\.1 431 /)
  expect(JSON.parse(received.split('\r\n\r\n')[1] ?? '')).toEqual(shape('REQUEST_HEADER_TOO_LARGE'))
})

test('a chunked body without length stops at the limit; a lying Content-Length is refused', async () => {
  const auth = `Authorization: ${shop.as_merchant}\r\nContent-Type: application/json\r\n`
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const chunked = await send(
    `POST /stores HTTP/1.1\r\n${host}${auth}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`,
  )
  expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
  const long = await send(
    `POST /stores HTTP/1.1\r\n${host}${auth}Content-Length: 999999999\r\n\r\n{`,
  )
  expect(long).toMatch(/^HTTP\/1\.1 413 /)
})
