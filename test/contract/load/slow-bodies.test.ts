import { type AddressInfo, connect, type Socket } from 'node:net'
import { fastify } from 'fastify'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newBodiesInFlight } from '../../../src/http/admission/bodies-in-flight.ts'
import { useWorld } from '../../support/use-world.ts'
import type { TestMerchant } from '../../support/world.ts'

// Clients that send the beginning of a body and then nothing, over real connections. There are slots
// for 40 requests, and an address or credential may have 16 bodies in flight.
const world = useWorld({ settings: { REQUESTS_IN_PROGRESS: '40', TRUSTED_PROXIES: '127.0.0.1' } })
let attacker: TestMerchant
let victim: TestMerchant
let port: number
const sockets: Socket[] = []

beforeAll(async () => {
  attacker = await world.merchant()
  victim = await world.merchant()
  port = (await world.listen()).port
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Opens a request and sends one byte of its body; collects the response. */
function openSlow(path: string, address: string, auth: string | null): { response: string } {
  const seen = { response: '' }
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    seen.response += chunk
  })
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'host: x',
      `x-forwarded-for: ${address}`,
      ...(auth ? [`authorization: ${auth}`] : []),
      'content-type: application/json',
      'content-length: 100',
      '',
      '{',
    ].join('\r\n'),
  )
  return seen
}

/** How many were refused; on a slow machine some are evicted after a second instead, for later ones. */
function refusedOf(opened: readonly { response: string }[]): number {
  return opened.filter(({ response }) => / (429|408) /.test(response)).length
}

async function pay(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/tokens`, {
    method: 'POST',
    headers: {
      authorization: victim.as_store,
      'content-type': 'application/json',
      'x-forwarded-for': '192.0.2.200',
    },
    body: JSON.stringify({
      payment_type: 'card',
      email: 'taro@example.com',
      data: {
        cardholder: 'TARO',
        card_number: '4242424242424242',
        exp_month: 12,
        exp_year: 2030,
        cvv: '123',
      },
    }),
  })
  await response.arrayBuffer()
  return response.status
}

test('one credential with unfinished bodies from many addresses takes no slot of others', async () => {
  const opened = Array.from({ length: 60 }, (_, index) =>
    openSlow('/tokens', `192.0.2.${index}`, attacker.as_store),
  )
  await vi.waitFor(() => expect(refusedOf(opened)).toBe(44))
  expect(await pay()).toBe(201)
})

test('unfinished bodies of a merchant are evicted for its ordinary requests', async () => {
  const opened = Array.from({ length: 20 }, (_, index) =>
    openSlow('/tokens', `192.0.2.${index}`, `Bearer ${victim.secret}.${victim.jwt}`),
  )
  await vi.waitFor(() => expect(refusedOf(opened)).toBe(4))
  await vi.waitFor(async () => expect(await pay()).toBe(201))
  expect(opened.some(({ response }) => response.includes(' 408 '))).toBe(true)
})

test('an address without a credential takes no slot either', async () => {
  // The console refuses a request of another program before its body.
  const paths = Object.entries(world.app.describeRoutes().paths)
    .filter(([path]) => !path.startsWith('/console/'))
    .filter(([, item]) => {
      const { post } = item as { post?: { security?: unknown[] } }
      return post?.security?.length === 0
    })
    .map(([path]) => path.replaceAll(/\{\w+\}/g, '0190a0b0-0000-7000-8000-000000000000'))
  expect(paths.length).toBeGreaterThan(2)
  const opened = paths.flatMap((path) =>
    Array.from({ length: 20 }, () => openSlow(path, '192.0.2.7', null)),
  )
  await vi.waitFor(() => expect(refusedOf(opened)).toBe(opened.length - 16))
  expect(await pay()).toBe(201)
})

test('when bodies from everywhere fill the total, the oldest are evicted', async () => {
  const opened = Array.from({ length: 40 }, (_, index) =>
    openSlow('/authenticate', `198.51.100.${index}`, null),
  )
  await vi.waitFor(async () => {
    expect(await pay()).toBe(201)
    expect(opened.some(({ response }) => response.includes(' 408 '))).toBe(true)
  })
})

test('a body that does not arrive in time is answered with 408, and its slot is free immediately', async () => {
  const limits = { total: 2, per_subject: 2, timeout_ms: 100, check_ms: 20 }
  const bodies = newBodiesInFlight(limits)
  const counts: number[] = []
  const app = fastify().decorateReply('refused', false)
  app.addHook('onRequest', (request, reply, done) => {
    if (bodies.begin(request, reply, ['a'])) done()
    counts.push(bodies.count())
  })
  app.post('/', async () => 'read')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  let response = ''
  socket.on('data', (chunk) => {
    response += chunk
  })
  const type = 'content-type: application/json'
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${type}\r\ncontent-length: 9\r\n\r\n{`)
  await closed
  expect(counts).toEqual([1])
  expect(response).toMatch(/^HTTP\/1.1 408 .*"code":"REQUEST_TIMEOUT"/s)
  expect(bodies.count()).toBe(0)
  await app.close()
})
