// `npm run bench -- fairness`: what a refusal costs compared with a bare Fastify route, and how one
// merchant affects another: by a flood of refused requests, and by webhooks that respond late. All in
// one run.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { signAppToken } from '../../../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../../src/accounts/app-tokens/create-app-token.ts'
import { createStore } from '../../../src/accounts/stores/create-store.ts'
import { createWebhook } from '../../../src/accounts/webhooks/create-webhook.ts'
import { openWorld, seconds, type World } from '../../bench-world.ts'
import { runLoad, type Step } from '../../load/load.ts'
import { startEcho } from '../../load/servers.ts'
import { watchCpu } from '../../process-usage.ts'
import { writeResults } from '../../report.ts'
import { makeShops } from '../../stored/shops.ts'

const environment = {
  TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: process.env.BENCH_LOG_LEVEL ?? 'info',
  REQUESTS_IN_PROGRESS: '100',
}
const attack_connections = 200
const slow_webhooks = 160
const slow_ms = 2700

function get(path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`
}

function post(path: string, authorization: string, body: object): string {
  const text = JSON.stringify(body)
  return (
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n` +
    `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
  )
}

const card_token = {
  payment_type: 'card',
  email: 'bench@example.com',
  data: {
    cardholder: 'BENCH',
    card_number: '4242424242424242',
    exp_month: 12,
    exp_year: 2032,
    cvv: '123',
  },
}

/** Processor time that one request costs the server, in microseconds. */
async function costOf(
  name: string,
  server: { port: number; pid: number; except: number },
  requests: readonly string[],
): Promise<number> {
  let next = 0
  const begin = (): Step => {
    next += 1
    return { request: requests[next % requests.length] ?? '' }
  }
  const run = { port: server.port, connections: 16, begin }
  await runLoad({ ...run, seconds: 2 })
  const cpu = watchCpu({ server })
  const result = await runLoad({ ...run, seconds })
  const us = ((cpu().server ?? 0) * 10_000 * result.seconds) / result.requests
  const seen = JSON.stringify(result.errors_by_status)
  process.stderr.write(`${name}: ${us.toFixed(1)} us, ${result.per_second}/s ${seen}\n`)
  return us
}

async function costs(world: World): Promise<Record<string, number>> {
  const bare = await startEcho()
  const ours = { port: world.ours.port, pid: world.ours.pid, except: world.database.pid }
  const shops = await makeShops(world.service, 40, { credentials: 1 })
  const credentials = shops.flatMap((shop) => shop.credentials)
  const addresses = Array.from({ length: 500 }, (_, at) => `10.0.${at >> 8}.${at & 255}`)
  // The bare route gets the same requests that are refused.
  const requests = credentials.map((authorization) => get('/me', { authorization }))
  const sums: Record<string, number> = {}
  const rounds = ['first', 'second']
  for (const round of rounds) {
    const found: Record<string, number> = {}
    found.bare = await costOf(`${round}: bare route`, { ...bare, except: 0 }, requests)
    found['429'] = await costOf(`${round}: 429`, ours, requests)
    found['401 without a credential'] = await costOf(
      `${round}: 401 without a credential`,
      ours,
      addresses.map((address) => get('/me', { 'x-forwarded-for': address })),
    )
    found['401 with a wrong one'] = await costOf(
      `${round}: 401 with a wrong one`,
      ours,
      addresses.map((address, at) => {
        const authorization = `${credentials[at % 100]?.slice(0, -6)}AAAAAA`
        return get('/me', { authorization, 'x-forwarded-for': address })
      }),
    )
    found['503'] = await costOfFull(world, ours, shops)
    for (const [name, us] of Object.entries(found)) sums[name] = (sums[name] ?? 0) + us
  }
  await bare.stop()
  return Object.fromEntries(Object.entries(sums).map(([name, us]) => [name, us / rounds.length]))
}

/** Every slot is held by requests that wait for a locked table. */
async function costOfFull(
  { database }: World,
  ours: { port: number; pid: number; except: number },
  shops: { store_id: string; credentials: string[] }[],
): Promise<number> {
  const { client } = database
  await client.query('begin')
  await client.query('lock table stores in access exclusive mode')
  const held = shops.flatMap(({ store_id, credentials }) =>
    credentials.flatMap((authorization) =>
      Array.from({ length: 4 }, () => get(`/stores/${store_id}`, { authorization })),
    ),
  )
  const holding = runLoad({
    port: ours.port,
    connections: held.length,
    seconds: 1,
    count: held.length,
    begin: () => ({ request: held.pop() ?? '' }),
  })
  await sleep(1500)
  const addresses = Array.from({ length: 500 }, (_, at) => `10.1.${at >> 8}.${at & 255}`)
  const requests = addresses.map((address) => get('/charges', { 'x-forwarded-for': address }))
  const us = await costOf('503', ours, requests)
  await client.query('rollback')
  await holding
  return us
}

interface Flood {
  quiet_ms: number
  flooded_ms: number
}

/** The median of a merchant's POST /tokens, alone and beside 200 connections of another merchant. */
async function flood(world: World): Promise<Flood> {
  const [victim, attacker] = await makeShops(world.service, 2, { credentials: 8 })
  if (!victim || !attacker) throw new Error('there are no shops')
  let turn = 0
  const begin = (): Step => {
    turn += 1
    const authorization = victim.credentials[turn % victim.credentials.length] ?? ''
    return { request: post('/tokens', authorization, card_token) }
  }
  const pay = () => runLoad({ port: world.ours.port, connections: 1, seconds, begin })
  await pay()
  const quiet = await pay()
  await world.load.use({ shops: [attacker] })
  const attack = world.load.run({
    kind: 'me',
    port: world.ours.port,
    connections: attack_connections,
    seconds: seconds + 2,
  })
  await sleep(1000)
  const flooded = await pay()
  const { errors_by_status, per_second } = await attack
  process.stderr.write(`attack: ${per_second}/s ${JSON.stringify(errors_by_status)}\n`)
  process.stderr.write(`victim: ${JSON.stringify([quiet, flooded])}\n`)
  return { quiet_ms: quiet.p50_ms, flooded_ms: flooded.p50_ms }
}

/** The median from POST /tokens to the arrival of its event, alone and beside slow receivers. */
async function deliveries(world: World): Promise<Flood> {
  const arrived = new Map<string, (at_ms: number) => void>()
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      if (request.url?.startsWith('/slow')) return void setTimeout(() => response.end(), slow_ms)
      response.end()
      arrived.get(JSON.parse(text).data.id)?.(performance.now())
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const [victim, attacker] = await makeShops(world.service, 2, { credentials: 8 })
  if (!victim || !attacker) throw new Error('there are no shops')
  const hook = { triggers: ['token_created'], active: true }
  const { merchant_id: victim_id, store_id } = victim
  await createWebhook(
    world.service,
    { merchant_id: victim_id, store_id },
    { ...hook, url: `${url}/quick` },
  )
  const attackers: string[] = []
  for (let made = 0; made < slow_webhooks / 20; made += 1) {
    const { merchant_id } = attacker
    const { id } = await createStore(world.service, merchant_id, { name: `Slow ${made}` })
    for (let one = 0; one < 20; one += 1) {
      const slow = { ...hook, url: `${url}/slow?${one}` }
      await createWebhook(world.service, { merchant_id, store_id: id }, slow)
    }
    const store = { id, mode: 'test' as const, domains: [] }
    const owner = { merchant_id, creator_id: merchant_id, store }
    const { token, secret } = await createAppToken(world.service, owner)
    attackers.push(`Bearer ${secret}.${await signAppToken(world.service, token)}`)
  }
  const create = async (authorization: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${world.ours.port}/tokens`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(card_token),
    })
    return ((await response.json()) as { id: string }).id
  }
  const medianOf = async () => {
    const times: number[] = []
    for (let count = 0; count < 40; count += 1) {
      const begun_ms = performance.now()
      const id = await create(victim.credentials[count % 8] ?? '')
      const at_ms = await new Promise<number>((resolve) => arrived.set(id, resolve))
      times.push(at_ms - begun_ms)
      await sleep(50)
    }
    return times.sort((a, b) => a - b)[20] ?? 0
  }
  const quiet_ms = await medianOf()
  let is_over = false
  const attack = (async () => {
    while (!is_over) {
      await Promise.all(attackers.map(create))
      await sleep(250)
    }
  })()
  await sleep(4000)
  const flooded_ms = await medianOf()
  is_over = true
  await attack
  receiver.closeAllConnections()
  receiver.close()
  return { quiet_ms, flooded_ms }
}

/** One part alone: `cost`, `flood` or `deliveries`. */
const only = process.env.BENCH_PART
const is_wanted = (part: string) => !only || only === part

const world = await openWorld(environment)
try {
  const cost_us = is_wanted('cost') ? await costs(world) : {}
  await world.restart()
  const flooded = is_wanted('flood') ? await flood(world) : null
  const delivered = is_wanted('deliveries') ? await deliveries(world) : null
  const rows = [
    ...Object.entries(cost_us).map(([name, us]) => {
      const ratio = us / (cost_us.bare ?? us)
      return [`refusal: ${name}`, `${us.toFixed(1)} us`, `${ratio.toFixed(2)} of the bare route`]
    }),
    ...Object.entries({ flooded, delivered }).flatMap(([name, found]) => {
      if (!found) return []
      const { quiet_ms, flooded_ms } = found
      const times = `${(flooded_ms / quiet_ms).toFixed(1)} times`
      return [[`victim, ${name}`, `${quiet_ms.toFixed(1)} -> ${flooded_ms.toFixed(1)} ms`, times]]
    }),
  ]
  for (const row of rows) process.stdout.write(`${row.join(' | ')}\n`)
  writeResults('fairness', { seconds, cost_us, flooded, delivered })
} finally {
  await world.close()
}
