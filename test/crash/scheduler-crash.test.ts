import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hour_ms } from '../../src/core/time/clock.ts'
import { newKeyText } from '../../src/vault/key-ring.ts'
import {
  fetchWhenFree,
  type Running,
  removeFolder,
  startProcess,
  temporaryFolder,
} from '../support/fleet/running-process.ts'
import { payments } from '../support/payments.ts'
import { paymentFaults } from '../support/rules/payment-checks.ts'
import { useWorld } from '../support/use-world.ts'
import type { TestMerchant } from '../support/world.ts'

// Real processes on one database all schedule; some are killed, one is frozen, and the
// dates of all are wrong. The subscriptions were created long ago by the clock of the test, so by the
// real one payments are overdue.
const keys = {
  SIGNING_KEYS: newKeyText(),
  VAULT_KEYS: newKeyText(),
  FINGERPRINT_KEYS: newKeyText(),
}
const node_count = 4
const subscription_count = 20
const rounds = 3

const world = useWorld({ settings: keys })
let shop: TestMerchant
const folders: string[] = []
const nodes: Running[] = []

/** Sets the date of a process: an hour ahead for one, an hour behind for the next. */
function wrongDate(): string {
  const off_ms = folders.length % 2 === 0 ? hour_ms : -hour_ms
  const script = `const right = Date.now; Date.now = () => right() + ${off_ms}`
  return `--import data:text/javascript,${encodeURIComponent(script)}`
}

async function startNode(): Promise<Running> {
  const folder = temporaryFolder()
  folders.push(folder)
  const DATABASE_URL = world.service.config.database_url ?? ''
  const settings = {
    DATABASE_URL,
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    SHARED_STATE: 'per_machine',
  }
  return startProcess({ ...keys, ...settings, NODE_OPTIONS: wrongDate() })
}

const rows = async (query: string, ...values: unknown[]) =>
  (await world.store.pool.query(query, values)).rows

beforeAll(async () => {
  shop = await world.merchant()
  const pay = payments(world, shop)
  for (let made = 0; made < subscription_count; made += 1) {
    const token = await pay.tokenId({ type: 'subscription', email: `c${made}@example.com` })
    const { status } = await pay.post('/subscriptions', {
      transaction_token_id: token,
      amount: 100,
      currency: 'JPY',
      period: 'daily',
    })
    expect(status).toBe(201)
  }
  await pay.work()
  nodes.push(...(await Promise.all(Array.from({ length: node_count }, startNode))))
})
afterAll(async () => {
  for (const node of nodes) await node.stop('SIGKILL')
  for (const folder of folders) removeFolder(folder)
})

/** All but those that a process is writing at the moment, which may be the frozen one. */
async function makeDue(table: string, where: string): Promise<void> {
  await rows(`update ${table} set due_on = now()
    where ctid in (select ctid from ${table} where ${where} for update skip locked)`)
}

/** Waits until every subscription has this many payments and nothing is in progress. */
async function settled(paid: number): Promise<void> {
  for (let attempts = 0; attempts < 1200; attempts += 1) {
    const [found] = await rows(
      `select count(*) filter (where paid >= $1)::integer as done,
        (select count(*)::integer from charges where status = 'pending') as pending
       from subscriptions`,
      paid,
    )
    if (found.done === subscription_count && found.pending === 0) return
    // A killed process leaves its leases behind; here they expire sooner than in half a minute.
    if (attempts % 10 === 9) {
      await makeDue('charges', "status = 'pending'")
      await makeDue('subscriptions', `paid < ${paid} and due_on is not null`)
    }
    await sleep(100)
  }
  throw new Error(
    `Not settled: ${JSON.stringify(await rows('select status, paid from subscriptions'))}`,
  )
}

test('four processes, killed and frozen, with wrong dates: each cycle is billed exactly once', async () => {
  const [start] = await rows('select clock_timestamp() as at')
  await settled(2)
  for (let round = 0; round < rounds; round += 1) {
    const frozen = nodes[(round + 2) % node_count]
    frozen?.child.kill('SIGSTOP')
    // An hour has passed: overdue work is due again.
    await makeDue('subscriptions', 'due_on is not null')
    const victim = nodes[round % node_count]
    await sleep(30 * (round % 3))
    await victim?.stop('SIGKILL')
    nodes[round % node_count] = await startNode()
    frozen?.child.kill('SIGCONT')
    await settled(3 + round)
  }
  const counted = await rows(
    `select s.paid, count(distinct p.number)::integer as numbers, count(p.*)::integer as payments,
      (select count(*)::integer from charges c where c.subscription_id = s.id) as charges,
      (select count(*)::integer from charges c where c.subscription_id = s.id
        and c.status = 'successful') as successful
     from subscriptions s join subscription_payments p on p.subscription_id = s.id
     group by s.merchant_id, s.id`,
  )
  expect(counted).toHaveLength(subscription_count)
  for (const { paid, numbers, payments: made, charges, successful } of counted) {
    expect({ numbers, made, charges, successful }).toEqual({
      numbers: paid + 1,
      made: paid + 1,
      charges: paid,
      successful: paid,
    })
  }
  const off_time = `select c.created_on from charges c join subscription_payments p
    on p.merchant_id = c.merchant_id and p.id = c.payment_id
    where p.number > 1 and not c.created_on between $1::timestamptz - interval '1 minute' and clock_timestamp()`
  expect(await rows(off_time, start.at)).toEqual([])
  expect(await paymentFaults(world)).toEqual([])
})

/** Nothing is written about this payment and later ones of the merchant until that is released. */
async function stallAtPayment(number: number, merchant_id: string): Promise<() => Promise<void>> {
  const holder = await world.store.pool.connect()
  await holder.query('select pg_advisory_lock(124)')
  await holder.query(`
    create function stall() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(124); return new; end $$;
    create trigger stall before insert on subscription_payments for each row
      when (new.number >= ${number} and new.merchant_id = '${merchant_id}') execute function stall()`)
  return async () => {
    await holder.query('select pg_advisory_unlock(124)')
    await holder.query('drop function stall cascade')
    holder.release()
  }
}

test('a clock move of a killed process is continued by another', async () => {
  const owner = await world.merchant()
  const node = nodes[0]
  const post = async (path: string, body: object) => {
    const response = await fetchWhenFree(`${node?.url}${path}`, {
      method: 'POST',
      headers: { authorization: owner.as_store, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { id: string }
  }
  const card = {
    cardholder: 'A',
    card_number: '4242424242424242',
    exp_month: 12,
    exp_year: 2040,
    cvv: '123',
  }
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
    const token = await post('/tokens', {
      payment_type: 'card',
      type: 'subscription',
      email,
      data: card,
    })
    const money = { amount: 100, currency: 'JPY', period: 'daily' }
    await post('/subscriptions', { transaction_token_id: token.id, ...money })
  }
  const moving = async () =>
    (await rows('select frozen_at, target from test_clocks where merchant_id = $1', owner.id))[0]
  const release = await stallAtPayment(5, owner.id)
  const move = post('/test/clock', { advance: 'P20D' }).catch(() => null)
  await vi.waitFor(async () => {
    const [{ billed }] = await rows(
      `select max(paid) as billed from subscriptions where merchant_id = $1`,
      owner.id,
    )
    expect(billed).toBeGreaterThan(2)
  })
  await node?.stop('SIGKILL')
  await move
  await release()
  const at_kill = await moving()
  expect(at_kill.target).not.toBeNull()
  // The lease of the mover expires.
  await rows('update test_clocks set due_on = now()')
  await vi.waitFor(async () => expect((await moving()).target).toBeNull())
  const billed = await rows(
    `select s.paid, count(c.*)::integer as charges, count(distinct c.created_on::date)::integer as days
     from subscriptions s join charges c on c.subscription_id = s.id
     where s.merchant_id = $1 and c.status = 'successful' group by s.id, s.paid`,
    owner.id,
  )
  expect(billed).toHaveLength(3)
  for (const { paid, charges, days } of billed) expect([charges, days]).toEqual([paid, paid])
  expect(billed[0].paid).toBeGreaterThanOrEqual(20)
  expect(await paymentFaults(world)).toEqual([])
})
