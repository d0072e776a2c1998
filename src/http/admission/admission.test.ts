import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newWorld, type TestMerchant, type World } from '../../../test/support/world.ts'
import { page } from '../../api/routes/operation.ts'
import { fail } from '../../core/api/errors.ts'
import { buildApp } from '../app.ts'
import { newMetrics } from '../observation/metrics.ts'
import { newAdmission } from './admission.ts'
import { never_late, watchLateness } from './lateness.ts'

// 10 slots: 6 for lists, 8 for others, 10 for requests that move money; and 20 for polls. `/held/…`
// responds when the test says so; the clock of the rate limits is frozen, so nothing else is refused.
let world: World
let shop: TestMerchant
let port: number
const held: (() => void)[] = []

const kinds = { money: 'POST', other: 'GET', list: 'GET' } as const
type Kind = keyof typeof kinds

const heldRoutes = (Object.entries(kinds) as [Kind, 'GET' | 'POST'][]).flatMap(
  ([admit_as, method]) => {
    const options = { right: 'payments', rate: 'charge', admit_as } as const
    return [
      page({
        at: `${method} /held/${admit_as}`,
        ...options,
        handle: async ({ query }, reply) => {
          if ('make' in (query as object)) reply.code(201)
          await new Promise<void>((resolve) => held.push(resolve))
          return 'fail' in (query as object) ? fail('NOT_FOUND') : {}
        },
      }),
      page({ at: `${method} /quick/${admit_as}`, ...options, handle: () => ({}) }),
    ]
  },
)

/** Routes whose kind follows neither from their method nor from their parameters. */
const kinds_of_routes: Readonly<Record<string, string>> = {
  'POST /tokens': 'money',
  'POST /charges': 'money',
  'POST /subscriptions': 'money',
  'POST /subscriptions/batches': 'money',
  'POST /stores/:store_id/charges/:charge_id/capture': 'money',
  'POST /stores/:store_id/charges/:charge_id/refunds': 'money',
  'POST /stores/:store_id/charges/:charge_id/cancels': 'money',
  'POST /checkout/:page/payments': 'money',
  'POST /checkout/:page/saved_card': 'money',
  'POST /test/clock': 'long',
  'GET /stores/:store_id/charges/:charge_id/timeline': 'list',
  'GET /test/clock/upcoming': 'list',
}

beforeAll(async () => {
  world = await newWorld({
    settings: { REQUESTS_IN_PROGRESS: '10' },
    modules: [heldRoutes],
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

interface SendOptions {
  body?: string
  agent?: Agent
  key?: string
}

function send(method: string, path: string, options: SendOptions = {}) {
  const { body = method === 'POST' ? '{}' : '', agent = new Agent() } = options
  const headers = {
    authorization: shop.as_store,
    ...(options.key ? { 'idempotency-key': options.key } : {}),
    ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
  }
  return new Promise<Got>((resolve, reject) => {
    const sent = request({ port, path, method, headers, agent }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, text, reused: sent.reusedSocket })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function fill(count: number, kind: Kind = 'money', query = ''): Promise<Promise<Got>[]> {
  const before = held.length
  const sent = Array.from({ length: count }, () => send(kinds[kind], `/held/${kind}${query}`))
  await vi.waitFor(() => expect(held).toHaveLength(before + count))
  return sent
}

async function letGo(): Promise<void> {
  for (const respond of held.splice(0)) respond()
  await sleep(0)
}

const quick = async (kind: Kind) => (await send(kinds[kind], `/quick/${kind}`)).status
const statuses = async () => [await quick('list'), await quick('other'), await quick('money')]

test('lists are refused first, then what is neither, and what moves money last', async () => {
  const sent = await fill(5, 'list')
  expect(await statuses()).toEqual([200, 200, 200])
  sent.push(...(await fill(1, 'list')))
  const refused = await send('GET', '/quick/list')
  expect(refused.status).toBe(503)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(refused.headers['x-request-id']).toBeDefined()
  expect(refused.headers['x-content-type-options']).toBe('nosniff')
  expect(JSON.parse(refused.text)).toMatchObject({
    status: 'error',
    code: 'SERVICE_UNAVAILABLE',
    errors: [],
  })
  expect(await statuses()).toEqual([503, 200, 200])
  sent.push(...(await fill(2, 'other')))
  expect(await statuses()).toEqual([503, 503, 200])
  sent.push(...(await fill(2, 'money')))
  expect(await statuses()).toEqual([503, 503, 503])
  for (const probe of ['/livez', '/readyz', '/livez?polling=true']) {
    expect((await send('GET', probe)).status).toBe(200)
  }
  await letGo()
  const answered = await Promise.all(sent)
  expect(answered.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(await statuses()).toEqual([200, 200, 200])
})

test('every route has a kind for admission', async () => {
  const health = { accepting: true, findFaults: async () => [] }
  const app = buildApp(world.service, { health })
  const found = new Map<string, string>()
  const lists: string[] = []
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    found.set(`${method} ${url}`, config?.admit_as ?? '')
    const responses = schema?.response as Record<string, { properties?: object }> | undefined
    if (method === 'GET' && 'has_more' in (responses?.[200]?.properties ?? {})) lists.push(url)
  })
  await app.ready()
  for (const [route, kind] of Object.entries(kinds_of_routes)) {
    expect(found.get(route), route).toBe(kind)
  }
  const money = [...found].filter(([, kind]) => kind === 'money')
  expect(money.every(([route]) => route in kinds_of_routes)).toBe(true)
  expect(lists.length).toBeGreaterThan(20)
  expect(lists.filter((url) => found.get(`GET ${url}`) !== 'list')).toEqual([])
  expect(lists.filter((url) => found.get(`HEAD ${url}`) !== 'list')).toEqual([])
  expect(found.get('GET /stores/:store_id/charges/:charge_id')).toBe('other')
  expect(found.get('PATCH /stores/:store_id/charges/:charge_id/refunds')).toBe('other')
  expect(found.get('GET /livez')).toBe('probe')
  await app.close()
})

test('refused requests get different Retry-After values', async () => {
  const writes = await fill(10)
  const responses = await Promise.all(Array.from({ length: 6 }, () => send('POST', '/quick/money')))
  const waits = responses.map(({ headers }) => headers['retry-after'])
  expect(waits.toSorted()).toEqual(['1', '1', '2', '2', '3', '3'])
  await letGo()
  await Promise.all(writes)
})

test('a refused request costs no look at its body or credential, and its connection can be used', async () => {
  const writes = await fill(10)
  // Two extra slots are for merchants that hold less than their share.
  shop = await world.merchant()
  writes.push(...(await fill(2)))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const long = JSON.stringify({ text: 'x'.repeat(200_000) })
  expect((await send('POST', '/quick/money', { agent, body: long })).status).toBe(503)
  const next = await send('GET', '/livez', { agent })
  expect([next.status, next.reused]).toEqual([200, true])
  shop = { ...shop, as_store: 'Bearer nobody' }
  expect(await quick('money')).toBe(503)
  await letGo()
  await Promise.all(writes)
  expect(await quick('money')).toBe(401)
  agent.destroy()
})

test('one merchant that takes every slot keeps no other merchant out', async () => {
  const flood = await fill(10)
  expect(await quick('money')).toBe(503)
  const greedy = shop
  shop = await world.merchant()
  expect(await quick('money')).toBe(200)
  const others = await fill(2)
  expect(await quick('money')).toBe(503)
  shop = greedy
  expect(await quick('money')).toBe(503)
  await letGo()
  expect((await Promise.all([...flood, ...others])).map(({ status }) => status)).toEqual(
    Array.from({ length: 12 }, () => 200),
  )
})

test('waiting polls take no slots from others, and have a limit of their own', async () => {
  const polls = await fill(20, 'other', '?polling=true')
  expect((await send('GET', '/held/other?polling=true')).status).toBe(503)
  expect(await statuses()).toEqual([200, 200, 200])
  await letGo()
  expect((await Promise.all(polls)).every(({ status }) => status === 200)).toBe(true)
})

test('a poll begins with a read: it is refused where a list is; a write is no poll', async () => {
  const writes = await fill(6)
  expect((await send('GET', '/quick/other?polling=true')).status).toBe(503)
  expect((await send('GET', '/quick/other')).status).toBe(200)
  writes.push(...(await fill(4)))
  expect((await send('POST', '/quick/money?polling=true')).status).toBe(503)
  await letGo()
  await Promise.all(writes)
})

test('a client that disconnects holds its slot until its work is done', async () => {
  const agent = new Agent()
  const leave = () => send('POST', '/held/money', { agent }).catch(() => null)
  const gone = Array.from({ length: 10 }, leave)
  await vi.waitFor(() => expect(held).toHaveLength(10))
  agent.destroy()
  await Promise.all(gone)
  await sleep(20)
  expect(await quick('money')).toBe(503)
  await letGo()
  expect(await quick('money')).toBe(200)
})

/** An app beside that of the world, with timeouts of moments instead of seconds. */
async function hurried(max_slots: number, forget_ms = 60_000) {
  const times = { look_ms: 20, response_ms: 1000, poll_response_ms: 1000, forget_ms }
  const admission = newAdmission(max_slots, never_late, times)
  const health = { accepting: true, findFaults: async () => [] }
  const app = buildApp(world.service, { health, admission, modules: [heldRoutes] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const usual_port = port
  port = (app.server.address() as AddressInfo).port
  const close = async () => {
    port = usual_port
    await app.close()
  }
  return { admission, close }
}

test('a request without a response in time gets 503; its slot is held until the work is done', async () => {
  const { admission, close } = await hurried(2)
  const sent = [...(await fill(1)), ...(await fill(1, 'money', '?fail'))]
  const late = await Promise.all(sent)
  for (const { status, headers } of late) {
    expect(status).toBe(503)
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
  }
  expect(admission.inProgress()).toEqual({ running: 2, polling: 0 })
  expect(await quick('money')).toBe(503)
  await letGo()
  await vi.waitFor(() => expect(admission.inProgress()).toEqual({ running: 0, polling: 0 }))
  expect(await statuses()).toEqual([200, 200, 200])
  expect(admission.refused()).toContainEqual({ kind: 'money', reason: 'unanswered', count: 2 })
  await close()
})

test('a repeated request whose first response came too late gets the first result', async () => {
  const { admission, close } = await hurried(4)
  for (const [path, status] of [
    ['/held/money', 200],
    ['/held/money?make', 201],
  ] as const) {
    const key = crypto.randomUUID()
    expect((await send('POST', path, { key })).status).toBe(503)
    await letGo()
    await vi.waitFor(() => expect(admission.inProgress().running).toBe(0))
    // On a busy machine that one may come too late as well.
    const again = await vi.waitFor(async () => {
      const got = await send('POST', path, { key })
      expect([got.status, got.text]).toEqual([status, '{}'])
      return got
    })
    expect(again.headers['idempotency-status']).toBe('retrieved_idempotent_response')
    const { length } = world.log.filter((line) => line.includes('"status":503,"ms"'))
    expect(length).toBeGreaterThan(0)
  }
  await close()
})

test('a client that disconnects before admission releases its slot', async () => {
  // In the middle of its body, while its credential is looked up: it never gets a response.
  const { admission, close } = await hurried(10)
  const { pool } = world.store
  const taken = await Promise.all(Array.from({ length: 10 }, () => pool.connect()))
  const sockets = Array.from({ length: 10 }, () => connect(port, '127.0.0.1'))
  const head = `POST /quick/money HTTP/1.1\r\nhost: x\r\nauthorization: ${shop.as_store}\r\n`
  const body = 'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":'
  for (const socket of sockets) socket.write(head + body)
  await vi.waitFor(() => expect(admission.inProgress().running).toBe(10))
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
  await sleep(20)
  expect(await quick('money')).toBe(503)
  for (const client of taken) client.release()
  await vi.waitFor(() => expect(admission.inProgress().running).toBe(0))
  expect(await quick('money')).toBe(200)
  await close()
})

test('work that never ends does not hold its slot for ever', async () => {
  const { admission, close } = await hurried(2, 2500)
  const began_ms = performance.now()
  const late = await Promise.all(await fill(2))
  expect(late.map(({ status }) => status)).toEqual([503, 503])
  expect(admission.inProgress().running).toBe(2)
  await vi.waitFor(() => expect(admission.inProgress().running).toBe(0))
  expect(performance.now() - began_ms).toBeGreaterThan(500)
  await close()
})

test('a late event loop refuses in the same order; all are counted', async () => {
  let late_ms = 0
  const admission = newAdmission(10, { late_ms: () => late_ms })
  const health = { accepting: true, findFaults: async () => [] }
  const app = buildApp(world.service, { health, admission, modules: [heldRoutes] })
  const status = async (method: 'GET' | 'POST', path: string) => {
    const headers = { authorization: shop.as_store }
    return (await app.inject({ method, url: path, headers })).statusCode
  }
  const seen = async () => [
    await status('GET', '/quick/other?polling=true'),
    await status('GET', '/quick/list'),
    await status('GET', '/quick/other'),
    await status('POST', '/quick/money'),
    await status('GET', '/livez'),
  ]
  expect(await seen()).toEqual([200, 200, 200, 200, 200])
  late_ms = 501
  expect(await seen()).toEqual([503, 503, 200, 200, 200])
  late_ms = 751
  expect(await seen()).toEqual([503, 503, 503, 200, 200])
  late_ms = 1001
  expect(await seen()).toEqual([503, 503, 503, 503, 200])
  late_ms = 0
  expect(await seen()).toEqual([200, 200, 200, 200, 200])
  expect(admission.inProgress()).toEqual({ running: 0, polling: 0 })
  const metrics = newMetrics(world.store.pool, { admission, backlog: false })
  const shed = (await metrics.measured()).find(({ name }) => name === 'kaikei_requests_shed_total')
  const late = shed?.values.filter(({ labels }) => labels.reason === 'late')
  expect(late?.map(({ labels, value }) => [labels.kind, value])).toEqual([
    ['poll', 3],
    ['list', 3],
    ['other', 2],
    ['money', 1],
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
