import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { newOddReceiver, type OddReceiver } from '../../test/support/receiver/odd-receiver.ts'
import { newOutbound, response_within_ms } from './outbound.ts'

// Receivers that are slow, never stop, or are not who they claim to be. All run concurrently,
// because most of them take the whole three seconds.
const outbound = newOutbound({ webhook_targets: 'any', host: '' })
const slack_ms = 10_000
const closers: (() => Promise<unknown>)[] = [outbound.close]
afterAll(async () => {
  for (const close of closers) await close()
})

async function receiver(behave: (socket: Socket, request: string) => void): Promise<OddReceiver> {
  const created = await newOddReceiver(behave)
  closers.push(created.close)
  return created
}

const send = ({ port }: { port: number }, body = '{}') =>
  outbound.post({ url: `http://127.0.0.1:${port}/hook`, headers: {}, body })

/** Writes a text byte by byte, ten a second, for as long as the connection is open. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return
    socket.write(byte)
    await sleep(100)
  }
}

/** Writes as fast as the reader reads; returns the number of bytes. */
function flood(socket: Socket, part: Buffer, count: { bytes: number }): void {
  const more = () => {
    while (!socket.destroyed && count.bytes < 1024 ** 3) {
      count.bytes += part.length
      if (!socket.write(part)) return socket.once('drain', more)
    }
  }
  more()
}

async function letGo({ open }: OddReceiver): Promise<void> {
  await vi.waitFor(() => expect(open()).toBe(0))
}

const head = (status: number, more = '') => `HTTP/1.1 ${status} X\r\n${more}\r\n`
const chunked = 'transfer-encoding: chunked\r\n'
const too_late = 'No answer came within 3 seconds.'
const cut = 'The connection was closed before an answer came.'

const slow: [what: string, behave: (socket: Socket) => unknown, result: object][] = [
  ['never answers', () => {}, { status: null, error: too_late }],
  [
    'drips its status line',
    (socket) => drip(socket, head(200, `x-filler: ${'x'.repeat(500)}\r\n`)),
    { status: null, error: too_late },
  ],
  [
    'drips a header',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      return drip(socket, `x-filler: ${'x'.repeat(500)}\r\n\r\n`)
    },
    { status: null, error: too_late },
  ],
  [
    'says for ever that it is working on it',
    (socket) => {
      const timer = setInterval(() => socket.write(head(102)), 100)
      socket.on('close', () => clearInterval(timer))
    },
    { status: null, error: too_late },
  ],
  [
    'drips the body of a success',
    (socket) => {
      socket.write(head(200, 'content-length: 1000\r\n'))
      return drip(socket, 'x'.repeat(1000))
    },
    { status: 200, error: null, answer: null },
  ],
  [
    'drips the body of a refusal',
    (socket) => {
      socket.write(head(500, 'content-length: 1000\r\n'))
      return drip(socket, 'why'.repeat(300))
    },
    { status: 500, error: null, answer: expect.stringMatching(/^whywhy/) },
  ],
  [
    'promises a body that never comes',
    (socket) => socket.write(head(204 + 1, 'content-length: 10\r\n')),
    { status: 205, error: null },
  ],
  [
    'never ends its body and never closes',
    (socket) => socket.write(`${head(200, 'connection: close\r\n')}hello`),
    { status: 200, error: null },
  ],
]

describe.concurrent('slow receivers', () => {
  test.each(slow)(
    'a receiver that %s is dropped after three seconds',
    async (_, behave, result) => {
      const odd = await receiver(behave)
      const { duration_ms, ...rest } = await send(odd)
      expect(rest).toMatchObject(result)
      expect(duration_ms).toBeGreaterThanOrEqual(response_within_ms - 100)
      expect(duration_ms).toBeLessThan(response_within_ms + slack_ms)
      await letGo(odd)
    },
  )

  test('a receiver that accepts a connection and never starts TLS is dropped', async () => {
    const odd = await receiver(() => {})
    const url = `https://127.0.0.1:${odd.port}/`
    const { status, error, duration_ms } = await outbound.post({ url, headers: {}, body: '{}' })
    expect({ status, error }).toEqual({
      status: null,
      error: expect.stringMatching(/within 3 seconds/),
    })
    expect(duration_ms).toBeLessThan(response_within_ms + slack_ms)
    await letGo(odd)
  })
})

test.each([200, 500])('of an endless body with %i only the beginning is read', async (status) => {
  const count = { bytes: 0 }
  const odd = await receiver((socket) => {
    socket.write(head(status, 'connection: close\r\n'))
    flood(socket, Buffer.alloc(64 * 1024, 'x'), count)
  })
  const before = process.memoryUsage()
  const result = await send(odd)
  await letGo(odd)
  const after = process.memoryUsage()
  expect(result.status).toBe(status)
  expect(result.answer).toBe(status === 200 ? null : 'x'.repeat(250))
  expect(result.duration_ms).toBeLessThan(response_within_ms)
  // Only what the kernel buffers between the two was sent beyond what was read.
  expect(count.bytes).toBeLessThan(32 * 1024 ** 2)
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(32 * 1024 ** 2)
})

test('an endless header is cut off', async () => {
  const count = { bytes: 0 }
  const odd = await receiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ')
    flood(socket, Buffer.alloc(8 * 1024, 'x'), count)
  })
  expect(await send(odd)).toMatchObject({
    status: null,
    error: 'The headers of the answer are too large.',
  })
  await letGo(odd)
  expect(count.bytes).toBeLessThan(32 * 1024 ** 2)
})

test('a compressed response stays compressed: a bomb costs its small size only', async () => {
  const inner = gzipSync(Buffer.alloc(128 * 1024 ** 2), { level: 9 })
  const odd = await receiver((socket) => {
    const headers = `content-encoding: gzip\r\ncontent-length: ${inner.length}\r\n`
    socket.write(Buffer.concat([Buffer.from(head(500, headers)), inner]))
  })
  const before = process.memoryUsage()
  const { status, answer, duration_ms } = await send(odd)
  const after = process.memoryUsage()
  expect(status).toBe(500)
  expect(answer?.length).toBeLessThanOrEqual(250)
  expect(duration_ms).toBeLessThan(response_within_ms)
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(16 * 1024 ** 2)
})

test.each<[what: string, behave: (socket: Socket) => unknown, error: string | RegExp]>([
  ['closes at once', (socket) => socket.end(), cut],
  ['resets the connection', (socket) => socket.resetAndDestroy(), cut],
  ['closes within the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nx-a: b'), cut],
  ['speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), /^The request failed \(/],
  [
    'has two lengths',
    (socket) => socket.end(head(200, 'content-length: 1\r\ncontent-length: 2\r\n')),
    /^The request failed \(/,
  ],
  ['wants another protocol', (socket) => socket.write(head(101, 'upgrade: x\r\n')), /./],
])('a receiver that %s: no answer, in words', async (_, behave, error) => {
  const odd = await receiver(behave)
  const result = await send(odd)
  expect(result.status).toBeNull()
  expect(result.error).toMatch(error)
  expect(result.duration_ms).toBeLessThan(response_within_ms)
  await letGo(odd)
})

test('a success whose body breaks off is a success', async () => {
  const odd = await receiver((socket) => {
    socket.write(`${head(200, chunked)}5\r\nhello\r\n`)
    setTimeout(() => socket.destroy(), 50)
  })
  expect(await send(odd)).toMatchObject({ status: 200, error: null })
})

test('the stored part of a response is short and has no control characters', async () => {
  const text = `\u001b[31mred\u0000\r\nline\t${'é'.repeat(300)}`
  const bytes = Buffer.byteLength(text)
  const odd = await receiver((socket) =>
    socket.write(`${head(400, `content-length: ${bytes}\r\nretry-after: 7\r\n`)}${text}`),
  )
  const { answer, retry_after } = await send(odd)
  expect(answer).toHaveLength(250)
  expect(answer).toMatch(/^\[31mred line é+$/)
  expect(retry_after).toBe('7')
})

test('connections are reused', async () => {
  const odd = await receiver((socket) => {
    socket.write(head(200, 'content-length: 0\r\n'))
  })
  for (let sent = 0; sent < 8; sent += 1) await send(odd)
  expect(odd.sockets.length).toBeLessThanOrEqual(2)
})

test('a silent receiver does not block another on the same host from getting a connection', async () => {
  const odd = await receiver((socket, request) => {
    if (!request.includes('/silent')) socket.write(head(200, 'content-length: 0\r\n'))
  })
  const url = (path: string) => `http://127.0.0.1:${odd.port}${path}`
  const own = newOutbound({ webhook_targets: 'any', host: '' })
  const silent = Array.from({ length: 64 }, () =>
    own.post({ url: url('/silent'), headers: {}, body: '' }),
  )
  expect(await own.post({ url: url('/well'), headers: {}, body: '' })).toMatchObject({
    status: 200,
  })
  await own.close()
  await Promise.all(silent)
})

test('a connection that the receiver closed meanwhile is not reused', async () => {
  const odd = await receiver((socket) => {
    socket.write(head(200, 'content-length: 0\r\n'))
    setTimeout(() => socket.end(), 5)
  })
  for (let sent = 0; sent < 3; sent += 1) {
    expect(await send(odd)).toMatchObject({ status: 200 })
    await letGo(odd)
  }
  expect(odd.sockets).toHaveLength(3)
})

test('closing does not wait for slow receivers', async () => {
  const odd = await receiver(() => {})
  const own = newOutbound({ webhook_targets: 'any', host: '' })
  const url = `http://127.0.0.1:${odd.port}/`
  const sending = own.post({ url, headers: {}, body: '{}' })
  while (odd.sockets.length === 0) await sleep(5)
  await own.close()
  expect(await sending).toMatchObject({ status: null })
  await letGo(odd)
})

const pem_file = fileURLToPath(
  new URL('../../test/support/receiver/receiver-certificate.pem', import.meta.url),
)

async function tlsReceiver() {
  const pem = readFileSync(pem_file)
  const requests: string[] = []
  const created = await newOddReceiver(
    (socket, request) => {
      requests.push(request)
      socket.write(head(200, 'content-length: 0\r\n'))
    },
    (handler) => {
      const server = createTlsServer({ key: pem, cert: pem }, handler)
      server.on('tlsClientError', () => {})
      return server as Server
    },
  )
  closers.push(created.close)
  return { port: created.port, requests }
}

test('an untrusted certificate is refused; nothing is sent', async () => {
  const { port, requests } = await tlsReceiver()
  const url = `https://127.0.0.1:${port}/`
  const headers = { authorization: 'secret' }
  expect(await outbound.post({ url, headers, body: '{}' })).toMatchObject({
    status: null,
    error: 'The TLS connection is not trustworthy (DEPTH_ZERO_SELF_SIGNED_CERT).',
  })
  expect(requests).toEqual([])
})

/** Another process, because trusted certificates are read when a process starts. */
const trusting = `
  import { newOutbound } from '${new URL('./outbound.ts', import.meta.url).href}'
  const here = (host, options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
  const outbound = newOutbound({ webhook_targets: 'any', host: '' }, here)
  const results = {}
  for (const host of ['receiver.test', 'other.test', '127.0.0.1']) {
    const url = 'https://' + host + ':' + process.argv[1] + '/'
    results[host] = await outbound.post({ url, headers: {}, body: '{}' })
  }
  await outbound.close()
  console.log(JSON.stringify(results))`

test('a certificate of another name is not trusted; that of the right name is', async () => {
  const { port, requests } = await tlsReceiver()
  const args = ['--import', 'tsx', '--input-type=module', '-e', trusting, String(port)]
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: pem_file }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  const error = 'The TLS connection is not trustworthy (ERR_TLS_CERT_ALTNAME_INVALID).'
  expect(JSON.parse(stdout)).toMatchObject({
    'receiver.test': { status: 200, error: null },
    'other.test': { status: null, error },
    '127.0.0.1': { status: null, error },
  })
  expect(requests).toHaveLength(1)
})
