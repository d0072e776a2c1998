import { request } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test, vi } from 'vitest'
import { withExtra } from '../../../src/core/limits/fair-share.ts'
import { newAdmission } from '../../../src/http/admission/admission.ts'
import { never_late } from '../../../src/http/admission/lateness.ts'
import { buildApp } from '../../../src/http/app.ts'
import { newService } from '../../../src/open-service.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { openSignals } from '../../../src/store/signals.ts'
import { startWorker } from '../../../src/worker/worker.ts'
import { useWorld } from '../../support/use-world.ts'
import type { TestMerchant } from '../../support/world.ts'

// A proxy between the service and its database can stop forwarding, as a network or a disk that hangs:
// no connection breaks, and no response comes. There are 40 slots, and requests are answered within two
// seconds; STALL_SECONDS=30 makes the stall longer, with the timeouts of the program.
const places = 40
const seconds = Number(process.env.STALL_SECONDS ?? 4)
const response_ms = seconds < 30 ? 2000 : 25_000
const connections = 10
const pause_ms = 50
const timeout = 180_000 + 2000 * seconds

const world = useWorld()

/** Forwards everything, until a test makes it hold everything back. */
async function startProxy() {
  const { host, port } = inject('postgres')
  const pairs: [Socket, Socket][] = []
  let is_stalled = false
  const hold = (pair: readonly Socket[]) => pair.map((socket) => socket.pause())
  const server = createServer((client) => {
    const database = connect(`${host}/.s.PGSQL.${port}`)
    const pair: [Socket, Socket] = [client, database]
    pairs.push(pair)
    for (const [from, to] of [pair, pair.toReversed() as typeof pair]) {
      from.on('data', (chunk) => to.write(chunk))
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
    if (is_stalled) hold(pair)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const set = (stalled: boolean) => {
    is_stalled = stalled
    for (const pair of pairs) {
      if (stalled) hold(pair)
      else for (const socket of pair) socket.resume()
    }
  }
  return { port: (server.address() as AddressInfo).port, set, close: () => server.close() }
}

/** A second service on the database of the world, through the proxy. */
async function startBehind(proxy_port: number) {
  const { config, clock, keys, log } = world.service
  const { user, password } = inject('postgres')
  const { rows } = await world.store.pool.query('select current_database() as name')
  const database_url = `postgresql://${user}:${password}@127.0.0.1:${proxy_port}/${rows[0].name}`
  const options = { own: false, onTrouble: () => {} }
  const behind = { ...config, database_url, database_connections: connections }
  const store = await openStore(behind, options)
  const signals = openSignals(store.connection, clock)
  const service = newService({ config: behind, clock, db: store.db, signals, keys, log })
  await service.clocks.reload()
  const admission = newAdmission(places, never_late, {
    look_ms: 200,
    response_ms,
    poll_response_ms: response_ms,
    forget_ms: 30_000,
  })
  const health = { accepting: true, findFaults: async () => [] }
  const app = buildApp(service, { health, admission })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const worker = startWorker(service)
  const close = async () => {
    await app.close()
    await worker.stop()
    await signals.close()
    await store.close()
  }
  return { port, admission, pool: store.pool, close }
}

interface Got {
  status: number
  retry_after: string | undefined
  ms: number
}

function send(port: number, shop: TestMerchant, path: string, body?: object): Promise<Got> {
  const text = body ? JSON.stringify(body) : ''
  const type = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const headers = { authorization: shop.as_store, ...(body ? type : {}) }
  const began_ms = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request({ port, method: body ? 'POST' : 'GET', path, headers }, (response) => {
      response.resume().on('end', () => {
        const { statusCode: status = 0, headers } = response
        const ms = performance.now() - began_ms
        resolve({ status, retry_after: headers['retry-after'], ms })
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

const card = { cardholder: 'A', card_number: '4242424242424242', cvv: '123' }
const data = { ...card, exp_month: 12, exp_year: 2030 }
const token = { payment_type: 'card', email: 'customer@example.com', data }

test('while the database stalls few requests wait, not for long, and then the service recovers by itself', {
  timeout,
}, async () => {
  const proxy = await startProxy()
  const behind = await startBehind(proxy.port)
  const { port, admission, pool } = behind
  const shops = await Promise.all(Array.from({ length: 30 }, () => world.merchant()))
  const ask = (index: number) => {
    const shop = shops[index % shops.length] as TestMerchant
    if (index % 3 === 0) return send(port, shop, '/tokens', token)
    return send(port, shop, index % 3 === 1 ? '/charges' : `/stores/${shop.store_id}`)
  }
  const warm = await Promise.all(Array.from({ length: 9 }, (_, index) => ask(index)))
  expect(warm.every(({ status }) => status < 300)).toBe(true)

  proxy.set(true)
  const responses: Promise<Got>[] = []
  const lines: { running: number; polling: number; waiting: number; total: number }[] = []
  const ends_ms = performance.now() + seconds * 1000
  while (performance.now() < ends_ms) {
    for (let count = 0; count < 12; count += 1) responses.push(ask(responses.length))
    await sleep(pause_ms)
    const { waitingCount: waiting, totalCount: total } = pool
    lines.push({ ...admission.inProgress(), waiting, total })
  }
  expect((await send(port, shops[0] as TestMerchant, '/livez')).status).toBe(200)
  expect(Math.max(...lines.map(({ running }) => running))).toBeLessThanOrEqual(withExtra(places))
  expect(Math.max(...lines.map(({ total }) => total))).toBeLessThanOrEqual(connections)
  // The worker's slots wait for a connection too: one for each kind of due work.
  expect(Math.max(...lines.map(({ waiting }) => waiting))).toBeLessThanOrEqual(
    withExtra(places) + 30,
  )

  proxy.set(false)
  const got = await Promise.all(responses)
  expect(got.length).toBeGreaterThan(5 * places)
  expect(new Set(got.map(({ status }) => status).filter((status) => status >= 300))).toEqual(
    new Set([503]),
  )
  for (const { status, retry_after } of got) {
    if (status === 503) expect(Number(retry_after)).toBeGreaterThanOrEqual(1)
  }
  const unanswered = admission.refused().filter(({ reason }) => reason === 'unanswered')
  expect(unanswered.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0)
  // Checks are a fifth of a second apart; the rest is a margin, and what other work of the machine took.
  const late_ms = seconds * 1000 - lines.length * pause_ms
  expect(Math.max(...got.map(({ ms }) => ms))).toBeLessThan(response_ms + 3000 + late_ms)

  world.clock.advance(60_000)
  await vi.waitFor(async () => expect((await ask(0)).status).toBe(201))
  await vi.waitFor(() => expect(admission.inProgress()).toEqual({ running: 0, polling: 0 }))
  const after = await Promise.all(Array.from({ length: 9 }, (_, index) => ask(index)))
  expect(after.every(({ status }) => status < 300)).toBe(true)
  expect(pool.waitingCount).toBe(0)
  await behind.close()
  proxy.close()
})
