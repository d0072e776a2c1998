import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Clock, day_ms, hour_ms, second_ms, systemClock } from '../../src/core/time/clock.ts'
import { newLog } from '../../src/log.ts'
import { type OpenService, openService } from '../../src/open-service.ts'
import type { Service } from '../../src/service.ts'
import { claimDue } from '../../src/store/due/due-work.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { till } from '../support/deposits-seen.ts'
import { type Payments, payments } from '../support/payments.ts'
import { paymentFaults } from '../support/rules/payment-checks.ts'
import { useWorld } from '../support/use-world.ts'
import { start_of_time } from '../support/world.ts'

// Nodes whose dates are an hour fast, an hour slow, and changed back and forth while they run.
// Everything becomes due by the time of the database: once, not before it, and not after the next check
// of a worker.
const count = 10
/** Half of a round trip to the database, which a busy machine delays. The dates are an hour apart. */
const doubt_ms = 250
/** A worker checks every second; the rest is a margin for a busy machine. */
const late_ms = 60 * second_ms

const machines: Record<string, Clock['now']> = {
  fast: () => systemClock.now() + hour_ms,
  slow: () => systemClock.now() - hour_ms,
  jumping: () => systemClock.now() + (systemClock.now() % 3 === 0 ? hour_ms : -hour_ms),
}

const world = useWorld()
let pay: Payments
const nodes: Record<string, OpenService> = {}

const rows = async (query: string, ...values: unknown[]) =>
  (await world.store.pool.query(query, values)).rows
const serviceOf = (name: string) => (nodes[name] as OpenService).service

beforeAll(async () => {
  pay = payments(world, await world.merchant())
  // A month and some days ago, so that one monthly payment is due and the next one is not.
  world.clock.advance(systemClock.now() - 35 * day_ms - start_of_time)
  for (const [name, now] of Object.entries(machines)) {
    const machine_clock = { now, monotonic: systemClock.monotonic }
    const log = newLog('silent')
    nodes[name] = await openService(world.service.config, { own: false, log, machine_clock })
  }
  // When things happened, as the database itself saw it.
  await rows('create table seen (id uuid, what text, at timestamptz)')
  await rows(`create function note_seen() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' or new.status <> old.status then
      insert into seen values
        (coalesce(new.subscription_id, new.id), tg_op || ' ' || new.status, clock_timestamp());
    end if;
    return null; end $$`)
  await rows(`create trigger note_seen after insert or update on charges
    for each row execute function note_seen()`)
})
afterAll(async () => {
  for (const node of Object.values(nodes)) await node.close()
})

/** Makes these rows due one after the other, from two seconds ahead; returns when. */
async function comeDue(
  table: string,
  ids: string[],
  columns: string[],
): Promise<Map<string, number>> {
  const due = new Map<string, number>()
  const [base] = await rows('select clock_timestamp() as at')
  for (const [index, id] of ids.entries()) {
    const at = new Date(base.at.getTime() + 2 * second_ms + index * 100)
    const changes = columns.map((column) => `${column} = $1`).join(', ')
    await rows(`update ${table} set ${changes} where id = $2`, at, id)
    due.set(id, at.getTime())
  }
  return due
}

/** All nodes work until one of these was seen of every row, and one check longer. */
async function workUntilSeen(whats: string[], wanted: number): Promise<void> {
  const workers = Object.values(nodes).map(({ service }) => startWorker(service))
  for (let attempts = 0; attempts < 1200; attempts += 1) {
    const found = await rows('select distinct id from seen where what = any($1)', whats)
    if (found.length >= wanted) break
    await sleep(50)
  }
  await sleep(1.2 * second_ms)
  await Promise.all(workers.map((worker) => worker.stop()))
}

/** Each was seen once, at its time. */
async function expectInTime(what: string, due: Map<string, number>): Promise<void> {
  const found = await rows('select id, at from seen where what = $1', what)
  expect(found.map(({ id }) => id).sort()).toEqual([...due.keys()].sort())
  for (const { id, at } of found) {
    const after_ms = at.getTime() - (due.get(id) ?? 0)
    expect(after_ms, 'not before its time').toBeGreaterThan(-doubt_ms)
    expect(after_ms, 'not long after its time').toBeLessThan(late_ms)
  }
}

test.each(Object.keys(machines))('the time of a %s node is that of the database', async (name) => {
  const { clock } = serviceOf(name)
  const before_ms = clock.now()
  const [found] = await rows('select clock_timestamp() as at')
  const after_ms = clock.now()
  expect(found.at.getTime()).toBeGreaterThan(before_ms - doubt_ms)
  expect(found.at.getTime()).toBeLessThan(after_ms + doubt_ms)
})

async function subscribe(email: string): Promise<string> {
  const token = await pay.tokenId({ type: 'subscription', email })
  const money = { transaction_token_id: token, amount: 100, currency: 'JPY' }
  const { status, body, text } = await pay.post('/subscriptions', { ...money, period: 'monthly' })
  expect(status, text).toBe(201)
  return body.id
}

test('subscriptions are billed and charges expire once, when they are due', async () => {
  const subscriptions: string[] = []
  for (let made = 0; made < count; made += 1) {
    subscriptions.push(await subscribe(`customer${made}@example.com`))
  }
  const waiting: string[] = []
  for (let made = 0; made < count; made += 1) waiting.push(await pay.waiting('konbini', till))
  await rows('truncate seen')
  const to_bill = await comeDue('subscriptions', subscriptions, ['due_on'])
  const to_expire = await comeDue('charges', waiting, ['expires_on', 'due_on'])
  await workUntilSeen(['UPDATE failed', 'UPDATE successful'], 2 * count)
  await expectInTime('INSERT pending', to_bill)
  await expectInTime('UPDATE failed', to_expire)
  const found = await rows(
    `select s.paid, count(c.*)::integer as charges, min(s.due_on) > now() as later
     from subscriptions s join charges c on c.subscription_id = s.id group by s.id, s.paid`,
  )
  expect(found).toEqual(subscriptions.map(() => ({ paid: 2, charges: 2, later: true })))
  const [newest] = await rows(
    `select max(abs(extract(epoch from c.created_on - seen.at)))::float8 as apart
     from charges c join seen on seen.id = c.subscription_id and seen.what = 'INSERT pending'
     where c.created_on > now() - interval '1 day'`,
  )
  expect(newest.apart, 'seconds from the time stamp to the time').toBeLessThan(30)
  expect(await paymentFaults(world)).toEqual([])
})

test('a fast node takes nothing early, and no lease before its end', async () => {
  const id = await pay.waiting('konbini', till)
  const claim = async (service: Service) =>
    (await claimDue(service, 'charges', { lease_ms: 1500, max_rows: 50 })).map((row) => row.id)
  await rows(
    "update charges set due_on = clock_timestamp() + interval '50 minutes' where id = $1",
    id,
  )
  expect(await claim(serviceOf('fast'))).toEqual([])
  // By the date of its machine it would: this test can fail.
  const by_date = {
    ...serviceOf('fast'),
    clock: { ...systemClock, now: machines.fast as () => number },
  }
  expect(await claim(by_date)).toEqual([id])
  await rows('update charges set due_on = clock_timestamp() where id = $1', id)
  await sleep(2 * doubt_ms)
  expect(await claim(serviceOf('slow'))).toEqual([id])
  const [lease] = await rows('select due_on from charges where id = $1', id)
  let taken: string[] = []
  for (let attempts = 0; attempts < 6000 && taken.length === 0; attempts += 1) {
    await sleep(10)
    taken = await claim(serviceOf(attempts % 2 ? 'fast' : 'jumping'))
  }
  const [now] = await rows('select clock_timestamp() as at')
  expect(taken).toEqual([id])
  expect(now.at.getTime()).toBeGreaterThan(lease.due_on.getTime() - doubt_ms)
  expect(now.at.getTime()).toBeLessThan(lease.due_on.getTime() + late_ms)
})
