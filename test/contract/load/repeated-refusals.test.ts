import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { rate_limits } from '../../../src/core/limits/limits.ts'
import { useWorld } from '../../support/use-world.ts'
import type { TestMerchant } from '../../support/world.ts'

// A request that repeats a refused one is refused before the framework sees it. Only the time it takes
// may differ: same status, body and headers, and the refusal ends at the same instant.
const world = useWorld()
let shop: TestMerchant
let port: number

beforeAll(async () => {
  shop = await world.merchant({ domains: ['shop.example'] })
  port = (await world.listen()).port
})

interface Seen {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

function call(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let body = ''
      response.on('data', (part) => {
        body += part
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** A request that the framework handles has a UUID. */
const requestIds = (seen: Seen[]) => seen.map(({ headers }) => String(headers['x-request-id']))
const isUuid = (id: string) => /^[0-9a-f-]{36}$/.test(id)

async function callUntil(status: number, headers: Record<string, string>): Promise<Seen> {
  for (let sent = 0; sent < 500; sent += 1) {
    const seen = await call('/me', headers)
    if (seen.status === status) return seen
  }
  throw new Error(`no ${status}`)
}

test('429 again is the same 429, and it ends when its time is over', async () => {
  const [authorization = ''] = await world.merchantTokens(shop, 1)
  const first = await callUntil(429, { authorization })
  const again = await Promise.all([1, 2, 3].map(() => call('/me', { authorization })))
  expect(requestIds([first]).every(isUuid)).toBe(true)
  expect(requestIds(again).some(isUuid)).toBe(false)
  expect(new Set(requestIds(again)).size).toBe(3)
  for (const { status, headers, body } of again) {
    expect(status).toBe(429)
    expect(body).toBe(first.body)
    for (const { remaining_header, rate_header } of [rate_limits.route, rate_limits.exact]) {
      expect(headers[remaining_header.toLowerCase()]).toBe(
        first.headers[remaining_header.toLowerCase()],
      )
      expect(headers[rate_header.toLowerCase()]).toBe(first.headers[rate_header.toLowerCase()])
    }
    expect(headers['retry-after']).toBe(first.headers['retry-after'])
    expect(headers['content-type']).toBe('application/json')
  }
  // Refused requests do not count: one request is allowed again at the announced instant.
  world.clock.advance(Number(first.headers['retry-after']) * 1000)
  expect((await call('/me', { authorization })).status).toBe(200)
})

test('HEAD is refused without a body, another route and another token are not refused at all', async () => {
  const [authorization = '', other = ''] = await world.merchantTokens(shop, 2)
  await callUntil(429, { authorization })
  const heads = [
    await call('/me', { authorization }, 'HEAD'),
    await call('/me', { authorization }, 'HEAD'),
  ]
  expect(heads.map(({ status, body }) => [status, body])).toEqual([
    [429, ''],
    [429, ''],
  ])
  expect((await call('/stores', { authorization })).status).toBe(200)
  expect((await call('/me', { authorization: other })).status).toBe(200)
})

test('a repeated 401 counts against the address, until that gets 429', async () => {
  world.clock.advance(120_000)
  const seen: Seen[] = []
  for (let sent = 0; sent < 40; sent += 1) seen.push(await call('/me'))
  const allowed = rate_limits.exact.burst
  expect(seen.map(({ status }) => status)).toEqual([
    ...Array(allowed).fill(401),
    ...Array(40 - allowed).fill(429),
  ])
  const remaining = rate_limits.exact.remaining_header.toLowerCase()
  expect(seen.slice(0, allowed).map(({ headers }) => Number(headers[remaining]))).toEqual(
    Array.from({ length: allowed }, (_, sent) => allowed - 1 - sent),
  )
  expect(new Set(seen.slice(0, allowed).map(({ body }) => body)).size).toBe(1)
  expect(requestIds(seen).filter(isUuid)).toHaveLength(1)
})

test('a wrong credential is refused again with its own message', async () => {
  world.clock.advance(120_000)
  const headers = { authorization: 'Basic YTpi' }
  const [first, again] = [await call('/me', headers), await call('/me', headers)]
  expect([first.status, again.status]).toEqual([401, 401])
  expect(again.body).toBe(first.body)
  expect(again.body).not.toBe((await call('/me')).body)
})

test('a request from a page takes the ordinary path: it needs headers that depend on it', async () => {
  world.clock.advance(120_000)
  const headers = { authorization: `Bearer ${shop.jwt}`, origin: 'https://shop.example' }
  const first = await callUntil(429, headers).catch(() => null)
  const again = await call('/me', headers)
  expect(again.headers['access-control-allow-origin']).toBe(
    first?.headers['access-control-allow-origin'],
  )
  expect(isUuid(String(again.headers['x-request-id']))).toBe(true)
})

test('a URL that may contain a card number is not kept in memory', async () => {
  world.clock.advance(120_000)
  const path = '/stores/4242424242424242'
  const seen = [await call(path), await call(path), await call('/me?number=4242424242424242')]
  expect(requestIds([...seen, await call('/me?number=4242424242424242')]).every(isUuid)).toBe(true)
})

test('the request id of a client is in every refusal', async () => {
  const headers = { authorization: 'Basic YTpj', 'x-request-id': 'mine-1' }
  expect(requestIds([await call('/me', headers), await call('/me', headers)])).toEqual([
    'mine-1',
    'mine-1',
  ])
})

test('a repeated refusal is in the log like any other', async () => {
  const [authorization = ''] = await world.merchantTokens(shop, 1)
  await callUntil(429, { authorization })
  // Another second begins: the first refusals of a second are logged individually.
  await sleep(1100)
  const again = await call('/me', { authorization })
  const [line = '{}'] = world.log.filter((one) => one.includes(requestIds([again])[0] ?? '-'))
  expect(JSON.parse(line)).toMatchObject({ route: '/me', status: 429, merchant_id: shop.id })
})
