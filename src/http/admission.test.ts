import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newWorld, type TestMerchant, type World } from '../../test/world.ts'
import type { RouteModule } from '../resources/route.ts'
import { newAdmission } from './admission.ts'
import { buildApp } from './app.ts'
import { watchLateness } from './lateness.ts'
import { newMetrics } from './metrics.ts'

// Room for 8 requests, 10 with reads, and 16 polls beside them. `/held` answers when the test says so; the
// clock of the rate limits stands still, so nothing else is refused.
let world: World
let shop: TestMerchant
let port: number
const held: (() => void)[] = []

const heldRoutes: RouteModule = (http) => {
  for (const method of ['GET', 'POST'] as const) {
    http.route({
      method,
      url: '/held',
      config: { rate: 'charge' },
      schema: { hide: true },
      handler: async () => {
        await new Promise<void>((resolve) => held.push(resolve))
        return {}
      },
    })
  }
}
const quickRoute: RouteModule = (http) => {
  const config = { rate: 'charge' } as const
  http.post('/quick', { config, schema: { hide: true } }, async () => ({}))
  http.get('/quick', { config, schema: { hide: true } }, async () => ({}))
}

beforeAll(async () => {
  world = await newWorld({
    settings: { REQUESTS_IN_PROGRESS: '8' },
    modules: [heldRoutes, quickRoute],
  })
  port = (await world.listen()).port
})
beforeEach(async () => {
  world.clock.advance(60_000)
  shop = await world.merchant()
})
afterEach(async () => {
  vi.useRealTimers()
  await letGo()
})
afterAll(() => world.close())

interface Got {
  status: number
  headers: IncomingHttpHeaders
  text: string
  reused: boolean
}

function send(method: string, path: string, options: { body?: string; agent?: Agent } = {}) {
  const { body = method === 'POST' ? '{}' : '', agent = new Agent() } = options
  const headers = {
    authorization: shop.as_store,
    ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
  }
  return new Promise<Got>((resolve, reject) => {
    const sent = request({ port, path, method, headers, agent }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => {
        const { statusCode: status = 0, headers } = answer
        resolve({ status, headers, text, reused: sent.reusedSocket })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function fill(count: number, method = 'POST', path = '/held'): Promise<Promise<Got>[]> {
  const before = held.length
  const sent = Array.from({ length: count }, () => send(method, path))
  await vi.waitFor(() => expect(held).toHaveLength(before + count))
  return sent
}

async function letGo(): Promise<void> {
  for (const answer of held.splice(0)) answer()
  await sleep(0)
}

const statusOf = async (method: string, path: string) => (await send(method, path)).status

test('above the bound writes are refused, above the second one reads too, and then all is well', async () => {
  const writes = await fill(8)
  const refused = await send('POST', '/quick')
  expect(refused.status).toBe(503)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(refused.headers['x-request-id']).toBeDefined()
  expect(refused.headers['x-content-type-options']).toBe('nosniff')
  expect(JSON.parse(refused.text)).toMatchObject({
    status: 'error',
    code: 'SERVICE_UNAVAILABLE',
    errors: [],
  })
  expect(await statusOf('GET', '/quick')).toBe(200)
  const reads = await fill(2, 'GET')
  expect(await statusOf('GET', '/quick')).toBe(503)
  expect(await statusOf('POST', '/quick')).toBe(503)
  for (const probe of ['/livez', '/readyz']) expect(await statusOf('GET', probe)).toBe(200)
  await letGo()
  const answered = await Promise.all([...writes, ...reads])
  expect(answered.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(await statusOf('POST', '/quick')).toBe(200)
  expect(await statusOf('GET', '/quick')).toBe(200)
})

test('who is refused is told to come back at different times', async () => {
  const writes = await fill(8)
  const answers = await Promise.all(Array.from({ length: 6 }, () => send('POST', '/quick')))
  const waits = answers.map(({ headers }) => headers['retry-after'])
  expect(waits.toSorted()).toEqual(['1', '1', '2', '2', '3', '3'])
  await letGo()
  await Promise.all(writes)
})

test('a refused request costs no look at its body or credential, and its connection can be used', async () => {
  const writes = await fill(8)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const long = JSON.stringify({ text: 'x'.repeat(200_000) })
  expect((await send('POST', '/quick', { agent, body: long })).status).toBe(503)
  const next = await send('GET', '/quick', { agent })
  expect([next.status, next.reused]).toEqual([200, true])
  shop = { ...shop, as_store: 'Bearer nobody' }
  expect(await statusOf('POST', '/quick')).toBe(503)
  await letGo()
  await Promise.all(writes)
  expect(await statusOf('POST', '/quick')).toBe(401)
  agent.destroy()
})

test('polls that wait take no room from others, and have a bound of their own', async () => {
  const polls = await fill(16, 'GET', '/held?polling=true')
  expect(await statusOf('GET', '/held?polling=true')).toBe(503)
  expect(await statusOf('POST', '/quick')).toBe(200)
  expect(await statusOf('GET', '/quick')).toBe(200)
  await letGo()
  expect((await Promise.all(polls)).every(({ status }) => status === 200)).toBe(true)
})

test('a client that goes away holds its place until its work is done', async () => {
  const agent = new Agent()
  const gone = Array.from({ length: 8 }, () => send('POST', '/held', { agent }).catch(() => null))
  await vi.waitFor(() => expect(held).toHaveLength(8))
  agent.destroy()
  await Promise.all(gone)
  await sleep(20)
  expect(await statusOf('POST', '/quick')).toBe(503)
  await letGo()
  expect(await statusOf('POST', '/quick')).toBe(200)
})

test('a request that never gets an answer gives its place back in the end', async () => {
  // Clients leave in the middle of their body, while their credential is looked up.
  const { pool } = world.store
  const taken = await Promise.all(Array.from({ length: 10 }, () => pool.connect()))
  const sockets = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'))
  const head = `POST /quick HTTP/1.1\r\nhost: x\r\nauthorization: ${shop.as_store}\r\n`
  const body = 'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":'
  for (const socket of sockets) socket.write(head + body)
  await vi.waitFor(async () => expect(await statusOf('POST', '/quick')).toBe(503))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
  while (vi.getTimerCount() < 8) await new Promise((resolve) => setImmediate(resolve))
  for (const client of taken) client.release()
  expect(await statusOf('POST', '/quick')).toBe(503)
  vi.advanceTimersByTime(30_000)
  expect(await statusOf('POST', '/quick')).toBe(200)
})

test('R133 while the database stalls no more wait for it than were let in', async () => {
  const { pool } = world.store
  const shops = await Promise.all(Array.from({ length: 60 }, () => world.merchant()))
  const taken = await Promise.all(Array.from({ length: 10 }, () => pool.connect()))
  const flood = shops.map((one, index) => {
    shop = one
    return send(index % 3 === 0 ? 'GET' : 'POST', '/quick')
  })
  await vi.waitFor(() => expect(pool.waitingCount).toBeGreaterThanOrEqual(8))
  const settled = await Promise.race([Promise.any(flood), sleep(2000)])
  expect(settled).toMatchObject({ status: 503 })
  await sleep(100)
  expect(pool.waitingCount).toBeLessThanOrEqual(10)
  for (const client of taken) client.release()
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(8)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect(await statusOf('POST', '/quick')).toBe(200)
})

test('a late event loop refuses writes first, then reads; both are counted', async () => {
  let late_ms = 0
  const admission = newAdmission(8, { late_ms: () => late_ms })
  const health = { accepting: true, databaseAnswers: async () => true }
  const app = buildApp(world.service, { health, admission, modules: [quickRoute] })
  const status = async (method: 'GET' | 'POST', path: string) => {
    const headers = { authorization: shop.as_store }
    return (await app.inject({ method, url: path, headers })).statusCode
  }
  const seen = async () => [
    await status('POST', '/quick'),
    await status('GET', '/quick?polling=true'),
    await status('GET', '/quick'),
    await status('GET', '/livez'),
  ]
  expect(await seen()).toEqual([200, 200, 200, 200])
  late_ms = 501
  expect(await seen()).toEqual([503, 503, 200, 200])
  late_ms = 1001
  expect(await seen()).toEqual([503, 503, 503, 200])
  late_ms = 0
  expect(await seen()).toEqual([200, 200, 200, 200])
  expect(admission.inProgress()).toEqual({ running: 0, polling: 0 })
  const metrics = newMetrics(world.store.pool, { admission, books: false })
  const shed = (await metrics.measured()).find(({ name }) => name === 'kaikei_requests_shed_total')
  const late = shed?.values.filter(({ labels }) => labels.reason === 'late')
  expect(late?.map(({ labels, value }) => [labels.kind, value])).toEqual([
    ['write', 2],
    ['poll', 2],
    ['read', 1],
  ])
  await app.close()
})

test('one pause of the event loop is not lateness, two in a row are, and it passes', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let now_ms = 0
  const lateness = watchLateness(() => now_ms)
  const look = (after_ms: number) => {
    now_ms += after_ms
    vi.advanceTimersByTime(100)
    return lateness.late_ms()
  }
  expect([look(100), look(5100), look(100)]).toEqual([0, 0, 0])
  expect([look(900), look(700), look(1100), look(100)]).toEqual([0, 600, 600, 0])
  lateness.stop()
})
