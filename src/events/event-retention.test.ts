import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../test/support/payments.ts'
import { newReceiver, type Receiver } from '../../test/support/receiver/receiver.ts'
import { useWorld } from '../../test/support/use-world.ts'
import { start_of_time, type TestMerchant } from '../../test/support/world.ts'
import { firstIdAt, instantOf, newId } from '../core/ids.ts'
import { day_ms, hour_ms, minute_ms } from '../core/time/clock.ts'
import { data_rules } from '../doctor/data-findings.ts'
import { deleteOldEntries } from '../simulator/log/delete-old-entries.ts'
import { withOwnSession } from '../store/open-store.ts'
import { preparePartitions, readPartitions } from '../store/partitions/event-partitions.ts'
import { keepEventMonths } from '../views/events/delete-old-events.ts'
import { runAllDue } from '../worker/worker.ts'

// The service runs from January 2026 on, on a table of events as releases before had it. Its months are those
// of the test's clock, not of the day on which the test runs.
const world = useWorld({ settings: { SIMULATOR_DAYS: '36500' } })
let shop: TestMerchant
let pay: Payments
let receiver: Receiver
let hook: string

const rows = async <T>(text: string) => (await world.store.pool.query(text)).rows as T[]
const count = async (table: string) =>
  (await rows<{ count: number }>(`select count(*)::integer as count from ${table}`))[0]?.count
const months = () =>
  withOwnSession(world.service.db, async (client) =>
    (await readPartitions(client)).map(({ name }) => name),
  )
const prepare = () =>
  withOwnSession(world.service.db, (client) => preparePartitions(client, world.clock.now(), true))

/** Half an hour is more than any pause of the worker's walks. */
async function pass(days: number) {
  world.clock.advance(days * day_ms)
  for (let times = 0; times < 5; times += 1) {
    world.clock.advance(day_ms / 48)
    await runAllDue(world.service)
  }
}

const feed = async (query: Record<string, string> = {}) =>
  world.call('GET', '/events', { auth: shop.as_merchant, query: { limit: '100', ...query } })

beforeAll(async () => {
  await world.store.pool.query(`
    create table plain (like events_first including all);
    drop table events;
    alter table plain rename to events;
    create trigger events_are_final before update on events
      for each row execute function refuse_change()`)
  // A machine of such a release serves.
  await world.store.pool.query(`insert into nodes (id, host, version, schema_version, shared_state, seen_on)
    values (gen_random_uuid(), 'old', '0.1.0', 29, 'none', now() + interval '1 hour')`)
  receiver = await newReceiver()
  shop = await world.merchant()
  pay = payments(world, shop)
  const body = { url: receiver.url, triggers: ['charge_finished'] }
  hook = (await world.call('POST', '/webhooks', { auth: shop.as_merchant, body })).body.id
})
afterAll(async () => {
  await receiver.close()
})

test('a table with events is partitioned, and everything in it is found as before', async () => {
  const charge = await pay.settled()
  // As an older release wrote it, at a test clock that is years ahead.
  const ahead = newId(start_of_time + 2000 * day_ms)
  await sql`insert into events select merchant_id, ${ahead}, store_id, mode, 'charge_updated', resource_id, 2, data,
    created_on from events where resource_id = ${charge.id}`.execute(world.service.db)
  await sql`insert into event_queue (merchant_ids, event_ids)
    values (array[${shop.id}::uuid], array[${ahead}::uuid])`.execute(world.service.db)
  await runAllDue(world.service)
  const before = await feed()
  expect(before.body.items.map(({ id }: { id: string }) => id)).toContain(ahead)
  expect(await prepare()).toBe(false)
  expect(await months()).toEqual([])
  await sql`delete from nodes`.execute(world.service.db)
  expect(await prepare()).toBe(true)
  expect(await months()).toEqual([
    'events_first',
    'events_2026_02',
    'events_2026_03',
    'events_later',
  ])
  expect(await rows('select id from events_later')).toEqual([{ id: ahead }])
  expect((await feed()).body).toEqual(before.body)
  await expect(world.store.pool.query('update events set sequence = 3')).rejects.toThrow(
    'never changed',
  )
})

test('the worker prepares coming months, also where rows of the future wait', async () => {
  await pass(20)
  await pay.settled()
  expect(await months()).toEqual([
    'events_first',
    'events_2026_02',
    'events_2026_03',
    'events_2026_04',
    'events_later',
  ])
  expect(await count('events_2026_02')).toBeGreaterThan(0)
  const [first, second] = await Promise.all([prepare(), prepare()])
  expect(first || second).toBe(true)
})

test('a test clock that is ahead gives events its time, and ids of the time of the database', async () => {
  const other = await world.merchant()
  const its = payments(world, other)
  const moved = await its.post('/test/clock', { advance: 'P800D' })
  expect(moved.status, moved.text).toBeLessThan(300)
  await its.work()
  const charge = await its.settled()
  const { body } = await its.get(`/events?resource_id=${charge.id}`)
  const [event] = body.items
  expect(Date.parse(event.created_on) - instantOf(event.id)).toBeGreaterThan(799 * day_ms)
  expect(event.id < firstIdAt(world.clock.now() + day_ms)).toBe(true)
})

test('months past their retention are deleted; charges and their history can still be read', async () => {
  const { items } = (await feed({ cursor_direction: 'asc' })).body
  const [oldest] = items
  const charge = (await pay.get(`/stores/${shop.store_id}/charges`)).body.items.at(-1)
  const refund = await pay.post(`${pay.chargePath(charge.id)}/refunds`, {
    amount: 1,
    currency: 'JPY',
  })
  await pay.work()
  expect(refund.status).toBe(201)
  expect(await count('webhook_deliveries')).toBeGreaterThan(1)
  await pass(100)
  expect(await count('webhook_deliveries')).toBe(0)
  expect((await feed({ cursor: oldest.id, cursor_direction: 'asc' })).body.items).toEqual(
    items.slice(1).concat((await feed()).body.items.slice(0, -items.length).reverse()),
  )
  await pay.settled()
  await pass(330)
  const left = await months()
  expect(left).not.toContain('events_first')
  expect(left).not.toContain('events_2026_02')
  expect(left).toContain('events_2026_06')
  const again = await feed({ cursor: oldest.id })
  expect([again.status, again.body.message]).toEqual([
    404,
    expect.stringMatching(/events are kept for 400 days.*begins at the oldest/),
  ])
  const stored = (await feed({ cursor_direction: 'asc' })).body.items
  expect(stored.length).toBeGreaterThan(0)
  const first_stored = firstIdAt(start_of_time + 40 * day_ms)
  expect(stored.filter(({ id }: { id: string }) => id < first_stored)).toEqual([])
  for (const path of ['', '/refunds', '/timeline', '/ledgers']) {
    const found = await pay.get(`${pay.chargePath(charge.id)}${path}`)
    expect([path, found.status], found.text).toEqual([path, 200])
  }
  const gone = await world.call('POST', `/webhooks/${hook}/events/${oldest.id}/redeliver`, {
    auth: shop.as_merchant,
  })
  expect(gone.status).toBe(404)
})

test('numbers go on after those that were deleted', async () => {
  const [{ max_sequence } = { max_sequence: 0 }] = await rows<{ max_sequence: number }>(
    'select max_sequence from event_retention',
  )
  expect(max_sequence).toBeGreaterThan(0)
  const auth = shop.as_merchant
  await world.call('PATCH', `/stores/${shop.store_id}`, { auth, body: { name: 'Later' } })
  await world.call('PATCH', `/stores/${shop.store_id}`, { auth, body: { name: 'Later still' } })
  await runAllDue(world.service)
  const { items } = (await feed({ resource_id: shop.store_id, cursor_direction: 'asc' })).body
  expect(items.map(({ sequence }: { sequence: number }) => sequence)).toEqual([
    max_sequence + 1,
    max_sequence + 2,
  ])
})

test('doctor reports nothing that was deleted on purpose', async () => {
  const broken = await Promise.all(
    data_rules.map(
      async ({ check, rule }) => [check, (await rule(world.service.db)).length] as const,
    ),
  )
  const skipped = /coming months|have been due|go on|come to an end|purged in time|end in time/
  expect(broken.filter(([check, faults]) => faults > 0 && !skipped.test(check))).toEqual([])
})

test('simulators forget a test charge by its own clock, once it is over', async () => {
  const [its, other] = [payments(world, await world.merchant()), await world.merchant()]
  const old = await its.settled()
  const { id: stored } = await payments(world, other).settled()
  await its.post('/test/clock', { advance: 'P1D' })
  const config = { ...world.service.config, simulator_days: 70 }
  const known = async () =>
    (await rows<{ charge_id: string }>('select charge_id from simulator_operations')).map(
      ({ charge_id }) => charge_id,
    )
  await deleteOldEntries({ ...world.service, config }, 1000)
  expect(await known()).toEqual(expect.arrayContaining([old.id, stored]))
  await its.post('/test/clock', { advance: 'P71D' })
  world.clock.advance(day_ms / 48)
  await deleteOldEntries({ ...world.service, config }, 1000)
  const left = await known()
  expect([left.includes(old.id), left.includes(stored)]).toEqual([false, true])
})

test('tokens for one charge lose personal data after their days, others and charges keep it', async () => {
  const billing = { billing: { line1: '1-1', city: 'Tokyo' } }
  const { id, transaction_token_id } = await pay.settled(
    {},
    { token: { metadata: { a: 'b' } }, data: billing },
  )
  const recurring = await pay.tokenId({ type: 'recurring' })
  const tokens = async () => {
    const of = async (token: string) =>
      (await pay.get(`/stores/${shop.store_id}/tokens/${token}`)).body
    return [await of(transaction_token_id), await of(recurring)]
  }
  await pass(549)
  expect((await tokens())[0]).toMatchObject({ email: 'customer@example.com', metadata: { a: 'b' } })
  await pass(2)
  const [emptied, stored] = await tokens()
  expect(emptied).toMatchObject({
    email: null,
    metadata: {},
    data: { card: { last_four: '4242' } },
  })
  expect(JSON.stringify(emptied)).not.toContain('Tokyo')
  expect(stored.email).toBe('customer@example.com')
  const charge = await pay.get(pay.chargePath(id))
  expect(charge.status).toBe(200)
})

test('an interrupted deletion is finished', async () => {
  // Another month was detached by an operator.
  await world.store.pool.query(`
    create table events_2020_01 (like events_later);
    create table events_2020_02 (like events_later);
    comment on table events_2020_01 is 'Past its retention: kaikei drops it.'`)
  await pass(1)
  expect(await rows(`select relname as name from pg_class where relname ~ '^events_2020'`)).toEqual(
    [{ name: 'events_2020_02' }],
  )
})

test('a large month is dropped at once when an old snapshot keeps its rows for an hour', async () => {
  await world.store.pool.query(`
    create table events_2020_03 (like events_later) with (autovacuum_enabled = off);
    insert into events_2020_03 (merchant_id, id, name, resource_id, sequence, data, created_on)
      select '${shop.id}', id, 'charge_finished', id, 1, to_jsonb(repeat('x', 1800)), now()
      from (select gen_random_uuid() as id from generate_series(1, 24000)) as made;
    comment on table events_2020_03 is 'Past its retention: kaikei drops it.'`)
  const reader = await world.store.pool.connect()
  await reader.query('begin isolation level repeatable read; select 1')
  const isThere = async () =>
    (await rows("select 1 where to_regclass('events_2020_03') is not null"))[0]
  const look = async (after_ms: number) => {
    world.clock.advance(after_ms)
    // The rest between two steps is over.
    await rows("select pg_stat_reset_single_table_counters('events_2020_03'::regclass)")
    return keepEventMonths(world.service)
  }
  expect([await look(hour_ms), await look(minute_ms), await look(minute_ms)]).toEqual([0, 0, 0])
  expect(await isThere()).toBeDefined()
  expect(await look(hour_ms)).toBe(1)
  expect(await isThere()).toBeUndefined()
  await reader.query('rollback')
  reader.release()
})
