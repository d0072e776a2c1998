import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { day_ms } from '../../../src/core/time/clock.ts'
import { runAllDue, runKind } from '../../../src/worker/worker.ts'
import { type Fleet, newFleet, type Request, tally } from '../../support/fleet/payment-fleet.ts'
import { paymentFaults } from '../../support/rules/payment-checks.ts'

// Three processes on one database bill, stop and change the same subscriptions concurrently.
// Whatever comes first, an acknowledged stop is effective, and a cycle is charged once.
const many = 12
let fleet: Fleet
let customers = 0

beforeAll(async () => {
  fleet = await newFleet()
})
beforeEach(async () => {
  fleet.world.clock.advance(60_000)
  await fleet.newShop()
})
afterAll(() => fleet.world.close())

const bad_card = { card_number: '4000000000000002' }
const pathOf = (id: string) => `/stores/${fleet.shop.store_id}/subscriptions/${id}`
const rows = async (query: string, ...values: unknown[]) =>
  (await fleet.world.store.pool.query(query, values)).rows

function tokenOf(type: string, data: object = {}): Promise<string> {
  customers += 1
  return fleet.pay.tokenId({ type, email: `customer${customers}@example.com` }, data)
}

async function subscribe(transaction_token_id: string, settings: object = {}): Promise<string> {
  const created = await fleet.pay.post('/subscriptions', {
    transaction_token_id,
    amount: 100,
    currency: 'JPY',
    period: 'weekly',
    schedule_settings: settings,
  })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}

async function subscriptions(settings: object = {}): Promise<string[]> {
  const ids: string[] = []
  for (let created = 0; created < many; created += 1) {
    ids.push(await subscribe(await tokenOf('subscription'), settings))
  }
  await runAllDue(fleet.world.service)
  return ids
}

/** Creates the due charges, on every process, and leaves them in progress. */
async function billTogether(): Promise<void> {
  await Promise.all(fleet.nodes.map(({ service }) => runKind(service, 'subscriptions')))
}

async function chargeCount(id: string): Promise<number> {
  return (await rows('select from charges where subscription_id = $1', id)).length
}

/** Stops all concurrently, over every process, and counts the charges of each when its response is there. */
async function countedAtResponse(ids: string[], request: (id: string) => Request) {
  const one = async (id: string, index: number) => {
    const { method, path, body } = request(id)
    const node = fleet.nodes[index % fleet.nodes.length] ?? fleet.world
    const response = await node.call(method, path, { auth: fleet.shop.as_store, body })
    return { id, response, count: await chargeCount(id) }
  }
  return Promise.all(ids.map(one))
}

const stop = (id: string, index = 0): Request =>
  index % 2 === 0
    ? { method: 'DELETE', path: pathOf(id) }
    : { method: 'PATCH', path: `${pathOf(id)}/suspend`, body: { termination_mode: 'immediate' } }

/** Checks that nothing is charged twice or left in progress, and that the ledger is correct. */
async function noFaults(): Promise<void> {
  await fleet.workTogether()
  const { id } = fleet.shop
  const twice = `select payment_id from charges where merchant_id = $1 and status = 'successful'
    and payment_id is not null group by 1 having count(*) > 1`
  expect(await rows(twice, id)).toEqual([])
  const unpaid = `select p.id from subscription_payments p join charges c
    on c.merchant_id = p.merchant_id and c.payment_id = p.id and c.status = 'successful'
    where p.merchant_id = $1 and not p.is_paid`
  expect(await rows(unpaid, id)).toEqual([])
  const stuck = `select id, status from subscriptions where merchant_id = $1 and due_on is null
    and status in ('unverified', 'current', 'unpaid')`
  expect(await rows(stuck, id)).toEqual([])
  expect(await paymentFaults(fleet.world)).toEqual([])
}

/** Ended subscriptions are not billed in the tests that follow. */
async function endAll(): Promise<void> {
  const running = await rows(
    `select id from subscriptions where merchant_id = $1 and status not in ('canceled', 'completed')`,
    fleet.shop.id,
  )
  await fleet.together(running.map(({ id }) => stop(id)))
}

test('an immediate stop against billing: no charge is created after its response', async () => {
  const ids = await subscriptions()
  fleet.world.clock.advance(8 * day_ms)
  const stops = countedAtResponse(ids, (id) => stop(id, ids.indexOf(id)))
  const [stopped] = await Promise.all([stops, billTogether(), billTogether()])
  expect(tally(stopped.map(({ response }) => response))).toEqual({ 200: many / 2, 204: many / 2 })
  await fleet.workTogether()
  fleet.world.clock.advance(30 * day_ms)
  await fleet.workTogether()
  for (const { id, count } of stopped) expect(await chargeCount(id)).toBe(count)
  await noFaults()
})

test('a stop on the next payment against billing: at most the one in progress', async () => {
  const ids = await subscriptions({ termination_mode: 'on_next_payment' })
  fleet.world.clock.advance(8 * day_ms)
  const stops = countedAtResponse(ids, (id) => stop(id))
  const [stopped] = await Promise.all([stops, billTogether(), billTogether()])
  expect(tally(stopped.map(({ response }) => response))).toEqual({ 204: many })
  for (let week = 0; week < 3; week += 1) {
    // A row that was changed while it was claimed is processed when the claim expires.
    fleet.world.clock.advance(8 * day_ms)
    await fleet.workTogether()
  }
  for (const { id, count } of stopped) expect(await chargeCount(id)).toBe(count)
  const found = await rows('select status from subscriptions where id = any($1::uuid[])', ids)
  expect(found).toEqual(ids.map(() => ({ status: 'canceled' })))
  await noFaults()
})

test('a cancel against a retry: no charge is created after its response', async () => {
  const ids = await subscriptions()
  const bad: string[] = []
  for (let created = 0; created < many; created += 1)
    bad.push(await tokenOf('subscription', bad_card))
  const given = await fleet.together(
    ids.map((id, index) => ({
      method: 'PATCH',
      path: `${pathOf(id)}/token`,
      body: { transaction_token_id: bad[index] },
    })),
  )
  expect(tally(given)).toEqual({ 200: many })
  fleet.world.clock.advance(7 * day_ms)
  await fleet.workTogether()
  const unpaid = await rows(`select from subscriptions where status = 'unpaid'`)
  expect(unpaid).toHaveLength(many)
  fleet.world.clock.advance(2 * day_ms)
  const stops = countedAtResponse(ids, (id) => stop(id))
  const [stopped] = await Promise.all([stops, billTogether(), billTogether()])
  expect(tally(stopped.map(({ response }) => response))).toEqual({ 204: many })
  fleet.world.clock.advance(30 * day_ms)
  await fleet.workTogether()
  for (const { id, count } of stopped) expect(await chargeCount(id)).toBe(count)
  await noFaults()
})

test('a new token, a stop and a resumption while charges end: each cycle once', async () => {
  const ids = await subscriptions()
  const tokens: string[] = []
  for (let created = 0; created < many; created += 1) tokens.push(await tokenOf('subscription'))
  fleet.world.clock.advance(7 * day_ms)
  await billTogether()
  const changes = ids.flatMap((id, index): Request[] => [
    { method: 'PATCH', path: pathOf(id), body: { transaction_token_id: tokens[index] } },
    { method: 'PATCH', path: pathOf(id), body: { status: 'suspended' } },
    { method: 'PATCH', path: pathOf(id), body: { status: 'unpaid' } },
  ])
  const responses = fleet.together(changes)
  await Promise.all([responses, fleet.workTogether(), billTogether(), fleet.workTogether()])
  const answered = await responses
  expect(answered.filter(({ status }) => status >= 500)).toEqual([])
  // Subscriptions that were not resumed above, because they were not suspended yet, are resumed now.
  await fleet.together(ids.map((id) => ({ method: 'PATCH', path: `${pathOf(id)}/unsuspend` })))
  await fleet.workTogether()
  fleet.world.clock.advance(60_000)
  await noFaults()
  for (const id of ids) expect(await chargeCount(id)).toBe(2)
  await endAll()
})

test('many subscriptions, charges and changes of one token: no deadlock', async () => {
  const token = await tokenOf('recurring')
  const ids: string[] = []
  for (let created = 0; created < many; created += 1) {
    ids.push(await subscribe(token))
    fleet.world.clock.advance(31_000)
    await runAllDue(fleet.world.service)
  }
  const before = await deadlocks()
  for (let round = 0; round < 3; round += 1) {
    fleet.world.clock.advance(8 * day_ms)
    const money = { transaction_token_id: token, amount: 10, currency: 'JPY' }
    const requests = ids.flatMap((id, index): Request[] => [
      { method: 'POST', path: '/charges', body: money },
      { method: 'POST', path: '/subscriptions', body: { ...money, period: 'annually' } },
      { method: 'PATCH', path: pathOf(id), body: { amount: 200 + index } },
    ])
    const responses = fleet.together(requests)
    await Promise.all([responses, fleet.workTogether(), billTogether()])
    expect((await responses).filter(({ status }) => status >= 500)).toEqual([])
    await fleet.workTogether()
  }
  expect((await deadlocks()) - before).toBe(0)
  await noFaults()
  await endAll()
})

/** How many deadlocks the database resolved; sessions report theirs at most once a second. */
async function deadlocks(): Promise<number> {
  await sleep(1100)
  for (const { store } of fleet.nodes) {
    await Promise.all(Array.from({ length: 10 }, () => store.pool.query('select pg_sleep(0.05)')))
  }
  const [found] = await rows(
    'select deadlocks::integer as count from pg_stat_database where datname = current_database()',
  )
  return found.count
}
