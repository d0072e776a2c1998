import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newKeyText } from '../../src/vault/key-ring.ts'
import {
  type Running,
  removeFolder,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { type Payments, payments } from '../support/payments.ts'
import { paymentFaults } from '../support/rules/payment-checks.ts'
import { newWorld, type TestMerchant, type World } from '../support/world.ts'

// Real processes die while they create the subscriptions of a batch. The first charges are in the
// future, so only the batch itself prevents a subscription from being created twice.
const keys = {
  SIGNING_KEYS: newKeyText(),
  VAULT_KEYS: newKeyText(),
  FINGERPRINT_KEYS: newKeyText(),
}
const item_count = 8

let world: World
let shop: TestMerchant
let pay: Payments
/** All processes are one machine, which restarts immediately. */
let machine: string

beforeAll(async () => {
  machine = temporaryFolder()
  world = await newWorld({ settings: keys })
})
beforeEach(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
})
afterAll(async () => {
  removeFolder(machine)
  const faults = await paymentFaults(world)
  await world.close()
  expect(faults).toEqual([])
})

async function start(more: Record<string, string> = {}): Promise<Running> {
  const DATABASE_URL = world.service.config.database_url ?? ''
  return startProcess({ ...keys, DATABASE_URL, DATA_DIR: machine, LOG_LEVEL: 'error', ...more })
}

const rows = async (query: string, ...values: unknown[]) =>
  (await world.store.pool.query(query, values)).rows

/** Accepted by a process without a worker, so that it waits for those that die. */
async function acceptBatch(): Promise<string> {
  const [{ now }] = await rows('select clock_timestamp() as now')
  const start_on = new Date(now.getTime() + 10 * 86_400_000).toISOString().slice(0, 10)
  const subscriptions: object[] = []
  for (let made = 0; made < item_count; made += 1) {
    subscriptions.push({
      transaction_token_id: await pay.tokenId({ type: 'recurring', email: `c${made}@example.com` }),
      amount: 100,
      currency: 'JPY',
      period: 'monthly',
      schedule_settings: { start_on },
    })
  }
  const { status, body, text } = await pay.post('/subscriptions/batches', { subscriptions })
  expect(status, text).toBe(201)
  return body.id
}

const exitOf = ({ child }: Running): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))

async function countOf(table: string): Promise<number> {
  const query = `select count(*)::integer as count from ${table} where merchant_id = $1`
  return (await rows(query, shop.id))[0].count
}

test.each([
  ['in batch item', 'before its subscription is committed', 0],
  ['after batch item', 'after its subscription was committed', 1],
])('killed %s, %s: each subscription is created exactly once', async (FAILPOINT, _, before) => {
  const id = await acceptBatch()
  const dueIn = (time: string) =>
    rows(`update subscription_batches set due_on = now() + interval '${time}' where id = $1`, id)
  // Each of these gets one item further, or as far as the previous one.
  for (const round of [1, 2]) {
    // It must be up before it can die.
    await dueIn('1 hour')
    const dying = await start({ FAILPOINT })
    await dueIn('0 s')
    await exitOf(dying)
    expect(await countOf('subscriptions')).toBe(before * round)
  }
  // The lease of the dead process has expired.
  await dueIn('0 s')
  const living = await start()
  let batch = (await pay.get(`/subscriptions/batches/${id}`)).body
  for (let attempts = 0; attempts < 600 && batch.status === 'awaiting'; attempts += 1) {
    await sleep(100)
    batch = (await pay.get(`/subscriptions/batches/${id}`)).body
  }
  await living.stop('SIGKILL')
  expect(batch.status).toBe('successful')
  expect(new Set(batch.subscription_ids).size).toBe(item_count)
  expect(await countOf('subscriptions')).toBe(item_count)
  expect(await countOf('subscription_payments')).toBe(item_count)
  const reported = `select count(*)::integer as count from events
    where merchant_id = $1 and name = 'subscription_created'`
  expect(await rows(reported, shop.id)).toEqual([{ count: item_count }])
})
