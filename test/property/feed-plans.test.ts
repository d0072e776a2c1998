import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { emit } from '../../src/events/emit.ts'
import { feedEvents } from '../../src/events/feed-events.ts'
import { inTransaction } from '../../src/service.ts'
import { useWorld } from '../support/use-world.ts'
import type { TestMerchant } from '../support/world.ts'

// The cost of pages of a large feed: rows are found by an index, and few are read.
const world = useWorld({ settings: { DATABASE_CONNECTIONS: '2' }, has_made_up_events: true })
let shop: TestMerchant
let cursor: string
const row_count = 20_000

beforeAll(async () => {
  shop = await world.merchant()
  const other = await world.merchant()
  const { pool } = world.store
  for (const { id, store_id } of [shop, other]) {
    await pool.query(
      `with made as (
         insert into events (merchant_id, id, store_id, mode, name, resource_id, sequence, data, created_on)
         select $1, gen_random_uuid(), case when n % 50 = 0 then $2::uuid else gen_random_uuid() end,
           'test', case when n % 200 = 0 then 'charge_finished' else 'token_created' end,
           gen_random_uuid(), 1, '{"value":1}'::json, now()
         from generate_series(1, $3::integer) as n
         returning merchant_id, id, store_id, mode, name
       ), ends as (select position from event_feed_end), fed as (
         insert into event_feed (merchant_id, position, event_id, store_id, mode, name)
         select merchant_id, (select position from ends) + row_number() over (order by id), id,
           store_id, mode, name from made
       )
       update event_feed_end set position = position + $3::integer`,
      [id, store_id, row_count],
    )
  }
  await pool.query('analyze events; analyze event_feed')
  const { rows } = await pool.query(
    'select event_id from event_feed where merchant_id = $1 order by position limit 1 offset 10000',
    [shop.id],
  )
  cursor = rows[0].event_id
})

/** Every plan of the statements of an action, with the actual row counts. */
async function plansWhile<T>(run: () => Promise<T>): Promise<{ plans: string[]; result: T }> {
  const plans: string[] = []
  const { pool } = world.store
  const settings = [
    "load 'auto_explain'",
    'set auto_explain.log_min_duration = 0',
    'set auto_explain.log_analyze = on',
    'set auto_explain.log_format = text',
    'set client_min_messages = log',
    'set plan_cache_mode = force_generic_plan',
  ]
  const clients = await Promise.all([pool.connect(), pool.connect()])
  const note = ({ message }: { message?: string | undefined }) => {
    if (/event_feed/.test(message ?? '')) plans.push(message ?? '')
  }
  for (const client of clients) {
    for (const setting of settings) await client.query(setting)
    client.on('notice', note)
  }
  for (const client of clients) client.release()
  const result = await run()
  for (const client of clients) client.off('notice', note)
  return { plans, result }
}

async function plansOf(path: string, query: Record<string, string>, auth = shop.as_merchant) {
  world.clock.advance(10_000)
  const { plans, result } = await plansWhile(() => world.call('GET', path, { auth, query }))
  expect(result.status, result.text).toBe(200)
  return { plans, items: result.body.items }
}

/** The largest number of rows that any step of a plan read, whether it kept them or not. */
function maxRows(plan: string): number {
  const counts = [...plan.matchAll(/actual (?:time=\S+ )?rows=([\d.]+)|Removed by Filter: (\d+)/g)]
  return Math.max(...counts.map(([, read, removed]) => Number(read ?? removed)))
}

const asc = { cursor_direction: 'asc' }

test.each([
  ['the first page', '/events', () => ({})],
  ['the oldest page', '/events', () => asc],
  ['a page after a cursor', '/events', () => ({ cursor, ...asc })],
  ['a page before a cursor', '/events', () => ({ cursor })],
  ['a rare name', '/events', () => ({ event: 'charge_finished', ...asc })],
  ['a rare name after a cursor', '/events', () => ({ event: 'charge_finished', cursor, ...asc })],
  ['a frequent name', '/events', () => ({ event: 'token_created', ...asc })],
  ['one store', '/stores/STORE/events', () => ({})],
  ['one store after a cursor', '/stores/STORE/events', () => ({ cursor, ...asc })],
])('%s is found by an index', async (_, path, query) => {
  const { plans, items } = await plansOf(path.replace('STORE', shop.store_id), query())
  expect(plans.length).toBeGreaterThan(0)
  expect(items.length).toBeGreaterThan(5)
  for (const plan of plans) {
    expect(plan).not.toMatch(/Seq Scan/)
    expect(maxRows(plan), plan).toBeLessThan(5_000)
  }
})

test('one resource is found by an index', async () => {
  const { rows } = await world.store.pool.query(
    `select e.resource_id from events e join event_feed f on f.event_id = e.id
       and f.merchant_id = e.merchant_id
     where e.merchant_id = $1 order by f.position desc limit 1 offset 15000`,
    [shop.id],
  )
  const { plans, items } = await plansOf('/events', { resource_id: rows[0].resource_id })
  expect(items).toHaveLength(1)
  for (const plan of plans) {
    expect(plan).not.toMatch(/Seq Scan/)
    expect(maxRows(plan), plan).toBeLessThan(5_000)
  }
})

test('an event looks up the webhooks of its merchant, also in a session that started with few', async () => {
  const { pool } = world.store
  const auth = shop.as_merchant
  const body = { url: 'http://127.0.0.1:1/hook', triggers: ['charge_finished'] }
  expect((await world.call('POST', '/webhooks', { auth, body })).status).toBe(201)
  const feed = () =>
    inTransaction(world.service, async (tx) => {
      const data = { id: shop.id }
      const event = { merchant_id: shop.id, store_id: shop.store_id, resource_id: newId(1), data }
      await emit(tx, 'charge_finished', { ...event, mode: 'test' })
      return feedEvents(tx, 100)
    })
  await plansWhile(() => Promise.all([feed(), feed()]))
  await pool.query(`insert into webhooks select (jsonb_populate_record(w,
      jsonb_build_object('merchant_id', m.id, 'id', gen_random_uuid(), 'url', w.url || n))).*
    from webhooks w, merchants m, generate_series(1, 3000) as n where m.id <> w.merchant_id`)
  const { plans } = await plansWhile(feed)
  const made = await pool.query('select from webhook_deliveries where merchant_id = $1', [shop.id])
  expect(made.rowCount).toBe(3)
  const plan = plans.find((text) => text.includes('insert into event_feed')) ?? ''
  expect(plan).toMatch(/webhook_deliveries/)
  expect(maxRows(plan), plan).toBeLessThan(100)
})

test('a statement of the feed ends with the thousandth event, and the next one continues', async () => {
  await world.store.pool.query(
    `with given as (select gen_random_uuid() as id, n % 3 as part from generate_series(1, 1800) as n),
     made as (
       insert into events (merchant_id, id, store_id, mode, name, resource_id, sequence, data, created_on)
       select $1, id, $2, 'test', 'token_created', id, 1, '{}', now() from given)
     insert into event_queue (merchant_ids, event_ids)
     select array_agg($1::uuid), array_agg(id) from given group by part`,
    [shop.id, shop.store_id],
  )
  const fed = [await feedEvents(world.service, 250), await feedEvents(world.service, 250)]
  expect([...fed, await feedEvents(world.service, 250)]).toEqual([1200, 600, 0])
})
