import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { signAppToken } from '../../src/accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../src/accounts/app-tokens/create-app-token.ts'
import { event_rules } from '../../src/doctor/event-rules.ts'
import { emit } from '../../src/events/emit.ts'
import { inTransaction } from '../../src/service.ts'
import { newKeyText } from '../../src/vault/key-ring.ts'
import {
  fetchWhenFree,
  type Running,
  removeFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { newReceiver, type Receiver } from '../support/receiver/receiver.ts'
import { usedFolder } from '../support/setup/used-folder.ts'
import { newWorld, type TestMerchant, type World } from '../support/world.ts'

// The real program is really killed while it delivers; the receiver is this process and lives on.
const keys = {
  SIGNING_KEYS: newKeyText(),
  VAULT_KEYS: newKeyText(),
  FINGERPRINT_KEYS: newKeyText(),
}
const failpoint = 'after webhook was sent'
const triggers = ['token_created', 'token_updated', 'charge_updated', 'charge_finished']
const kills = 3
const client_count = 6

let world: World
let shop: TestMerchant
let receiver: Receiver
/** All processes of the first test are one machine, which restarts immediately. */
let machine: string
const folders: string[] = []
const running = new Set<Running>()

beforeAll(async () => {
  machine = temporaryFolder()
  folders.push(machine)
  world = await newWorld({ settings: keys })
  shop = await world.merchant()
})
afterEach(async () => {
  for (const node of running) await node.stop('SIGKILL')
  running.clear()
  for (const folder of folders.splice(0)) removeFolder(folder)
  await receiver.close()
})
afterAll(() => world.close())

const rows = async (query: string, ...values: unknown[]) =>
  (await world.store.pool.query(query, values)).rows

async function start(settings: Record<string, string>): Promise<Running> {
  const node = await startProcess({ LOG_LEVEL: 'error', ...settings })
  running.add(node)
  return node
}

function startNode(settings: Record<string, string> = {}): Promise<Running> {
  const DATABASE_URL = world.service.config.database_url ?? ''
  return start({ ...keys, DATABASE_URL, DATA_DIR: machine, ...settings })
}

async function kill(node: Running): Promise<void> {
  running.delete(node)
  await node.stop('SIGKILL')
}

async function died(node: Running): Promise<void> {
  while (node.child.exitCode === null && node.child.signalCode === null) await sleep(10)
  running.delete(node)
  expect(node.child.signalCode).toBe('SIGKILL')
}

/** The process may die before it is ready. */
async function startAndDie(): Promise<void> {
  const node = await startNode({ FAILPOINT: failpoint }).catch((error: Error) => {
    if (!error.message.startsWith('exit null')) throw error
  })
  if (node) await died(node)
}

async function post(url: string, auth: string, body: object): Promise<{ id: string }> {
  const response = await fetchWhenFree(url, {
    method: 'POST',
    headers: { authorization: auth, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.status >= 300) throw new Error(await response.text())
  return (await response.json()) as { id: string }
}

const card = {
  cardholder: 'A B',
  card_number: '4242424242424242',
  exp_month: 12,
  exp_year: 2040,
  cvv: '123',
}

async function newCharge(url: string, auth: string, body: object = {}): Promise<string> {
  const token = { payment_type: 'card', email: 'crash@example.com', data: card }
  const { id: transaction_token_id } = await post(`${url}/tokens`, auth, token)
  const money = { amount: 100, currency: 'JPY' }
  const charge = { transaction_token_id, ...money, ...body }
  return (await post(`${url}/charges`, auth, charge)).id
}

async function storeToken(): Promise<string> {
  const store = { id: shop.store_id, mode: 'test' as const, domains: [] }
  const owner = { merchant_id: shop.id, creator_id: shop.id, store }
  const { token, secret } = await createAppToken(world.service, owner)
  return `Bearer ${secret}.${await signAppToken(world.service, token)}`
}

/** A receiver with a small delay, so that a kill meets deliveries in progress. */
async function newSlowReceiver(): Promise<Receiver> {
  const created = await newReceiver()
  let count = 0
  created.respond = async () => {
    count += 11
    await sleep(count % 41)
    return { status: 200 }
  }
  return created
}

/** The claims of a dead process are due immediately, instead of in half a minute. */
async function endLeases(): Promise<void> {
  for (const [table, where] of [
    ['webhook_lanes', 'sending'],
    ['charges', "status = 'pending'"],
  ]) {
    // Rows that a process is writing at the moment need none of it.
    await rows(`update ${table} set due_on = clock_timestamp()
      where ctid in (select ctid from ${table} where ${where} for update skip locked)`)
  }
}

async function settled(): Promise<void> {
  for (let looks = 0; looks < 3000; looks += 1) {
    const [{ open }] = await rows(
      `select (select count(*) from event_queue) + (select count(*) from charges
         where status = 'pending') + (select count(*) from webhook_deliveries
         where next_on is not null) as open`,
    )
    if (open === 0) return
    if (looks % 20 === 19) await endLeases()
    await sleep(50)
  }
  const left = await rows('select * from webhook_lanes where due_on is not null')
  throw new Error(`Not settled: ${JSON.stringify(left)}`)
}

test('three kills during delivery: each event arrives, the same at every repetition', async () => {
  receiver = await newSlowReceiver()
  const body = { url: receiver.url, triggers }
  const created = await world.call('POST', '/webhooks', { auth: shop.as_merchant, body })
  expect(created.status, created.text).toBe(201)
  let node = await startNode()
  const charges = new Set<string>()
  let writing = true
  const tokens = await Promise.all(Array.from({ length: client_count }, storeToken))
  const clients = tokens.map(async (auth, index) => {
    while (writing || charges.size <= 10) {
      // A request that met a kill created no charge, or one that was not acknowledged.
      const charge = newCharge(node.url, auth, { capture: index % 2 === 0 })
      await charge.then((id) => charges.add(id)).catch(() => sleep(50))
      await sleep(60)
    }
  })
  // One resource that changes all the time.
  const resource_id = randomUUID()
  let changes = 0
  const changing = (async () => {
    while (writing || changes <= 10) {
      const event = { merchant_id: shop.id, store_id: shop.store_id, mode: 'test' as const }
      await inTransaction(world.service, (tx) =>
        emit(tx, 'token_updated', { ...event, resource_id, data: { id: resource_id } }),
      )
      changes += 1
      await sleep(200)
    }
  })()

  for (let round = 0; round < kills; round += 1) {
    const before = receiver.received.length
    if (round % 3 === 2) {
      await kill(node)
      await endLeases()
      await startAndDie()
      expect(receiver.received.length).toBeGreaterThan(before)
    } else {
      const enough = charges.size + 4
      while (charges.size < enough) await sleep(20)
      await receiver.until(before + 5)
      await sleep((round * 37) % 50)
      await kill(node)
    }
    node = await startNode()
    await endLeases()
  }
  writing = false
  await Promise.all([...clients, changing])
  await settled()

  const events = await rows(
    'select id, resource_id, sequence from events where merchant_id = $1 and name = any($2)',
    shop.id,
    triggers,
  )
  const bodies = new Map<string, Set<string>>()
  const sequences = new Map<string, Set<number>>()
  for (const { text, body, headers } of receiver.received) {
    expect(headers['webhook-id']).toBe(body.id)
    bodies.set(body.id, (bodies.get(body.id) ?? new Set()).add(text))
    const seen = sequences.get(body.resource_id) ?? new Set()
    sequences.set(body.resource_id, seen.add(body.sequence))
  }
  expect(new Set(bodies.keys())).toEqual(new Set(events.map(({ id }) => id)))
  expect([...bodies.values()].filter(({ size }) => size !== 1)).toEqual([])
  for (const seen of sequences.values()) expect(Math.max(...seen)).toBe(seen.size)
  expect(sequences.get(resource_id)?.size).toBeGreaterThan(10)
  expect([...charges].filter((id) => !sequences.has(id))).toEqual([])
  expect(charges.size).toBeGreaterThan(10)
  // The kills did meet deliveries: some arrived twice.
  expect(receiver.received.length).toBeGreaterThan(events.length)
  for (const { rule } of event_rules) expect(await rule(world.service.db)).toEqual([])
  const [left] = await rows('select count(*) from webhook_deliveries where delivered_on is null')
  expect(left.count).toBe(0)
}, 600_000)

test('a process with its own database, killed after sending: the next one sends immediately, then recovers', async () => {
  receiver = await newReceiver()
  const folder = usedFolder()
  folders.push(folder)
  const first = await start({ DATA_DIR: folder, FAILPOINT: failpoint })
  const demo = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))
  const auth = `Bearer ${demo.secret}.${demo.jwt}`
  const url = `${first.url}/stores/${demo.store_id}/webhooks`
  await post(url, auth, { url: receiver.url, triggers: ['charge_finished'] })
  const id = await newCharge(first.url, auth)
  await died(first)
  const second = await start({ DATA_DIR: folder })
  await receiver.until(2)
  expect(receiver.received.map(({ body }) => body.resource_id)).toEqual([id, id])
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
  await sleep(300)
  const checked = await runCommand(['doctor'], { DATA_DIR: folder })
  expect(checked.output).not.toContain('WRONG')
  expect(checked.code).toBe(0)
  expect(await second.stop()).toBe(0)
  expect(receiver.received).toHaveLength(2)
})
