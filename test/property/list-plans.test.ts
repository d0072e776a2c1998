import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSession } from '../../src/store/open-store.ts'
import { newWorld, start_of_time, type TestMerchant, type World } from '../support/world.ts'

// Lists and searches read the same amount with little data and with six times as much. The rows that
// are searched were created first, so a scan along the list reaches them last.
let world: World
let shop: TestMerchant
let few: Reading[]
let many: Reading[]
const second_ms = 1000
const sizes = [2000, 12_000] as const

/** SQL of the n-th row's id; ids are derived from the instant. */
const id = `(lpad(to_hex(${start_of_time - 100_000 * second_ms} + n * ${second_ms}), 12, '0')
  || '70008' || lpad(to_hex(n), 15, '0'))::uuid`
const instant = `to_timestamp((${start_of_time - 100_000 * second_ms} + n * ${second_ms}) / 1000.0)`
/** The search examines the first rows. */
const is_old = '(n < 12)'
/** Words as the service makes them. */
const words = (owner: TestMerchant) => `array_to_tsvector(array(
  select '${owner.id.slice(-5)}' || word from unnest(
    case when n % 10 = 0 then array['taro', 'yamada'] else array['hanako', 'ito'] end
    || array[md5(n::text), lpad(n::text, 8, '0'), 'c' || n || '@example.com']
    || case when ${is_old} then array['zebedee', '北海道', '海道', '道'] else '{}' end) as word))`

/** The n-th rows of every table, as SQL. */
function seeds(owner: TestMerchant, from: number, to: number): string[] {
  const rows = `from generate_series(${from}, ${to - 1}) as n`
  const own = `'${owner.id}'::uuid, ${id}, '${owner.store_id}'::uuid`
  const mode = `case when ${is_old} then 'test' else 'live' end`
  const text = words(owner)
  return [
    `insert into charges (merchant_id, id, store_id, mode, type, transaction_token_id,
       transaction_token_type, payment_type, requested_amount, requested_currency, provider_amount,
       provider_currency, only_direct_currency, capture, status, metadata, email, cardholder,
       last_four, exp_month, exp_year, search_words, created_on, updated_on, error)
     select ${own}, ${mode}, 'normal', ${id}, 'one_time', 'card', 1000, 'JPY', 1000, 'JPY', false,
       true, case when ${is_old} then 'canceled' else 'failed' end, jsonb_build_object('order', md5(n::text)), 'c' || n || '@example.com',
       case when ${is_old} then 'ZEBEDEE' else 'TARO' end, lpad((n % 5000)::text, 4, '0'), 12, 2030,
       ${text}, ${instant}, ${instant},
       jsonb_build_object('code', case when ${is_old} then 330 else 306 end, 'message', '', 'detail', null) ${rows}`,
    `insert into refunds (merchant_id, id, store_id, charge_id, mode, status, amount, currency,
       metadata, search_words, created_on, updated_on)
     select ${own}, ${id}, ${mode}, case when ${is_old} then 'error' else 'successful' end, 10, 'JPY',
       '{}', ${text}, ${instant}, ${instant} ${rows}`,
    `insert into ledger_transactions (merchant_id, id, store_id, mode, origin, kind, charge_id,
       accounts, currencies, amounts, created_on)
     select ${own}, ${mode}, 'charge', 'capture', ${id}, case when ${is_old}
         then '{provider_receivable,suspense}'::text[] else '{provider_receivable,merchant_payable}' end,
       '{JPY,JPY}', '{1000,-1000}', ${instant} ${rows}`,
    `insert into events (merchant_id, id, store_id, mode, name, resource_id, sequence, data, created_on)
     select ${own}, ${mode}, 'charge_finished', ${id}, 1, '{"status": "failed"}', ${instant} ${rows}`,
    `insert into webhook_deliveries (merchant_id, webhook_id, event_id, mode, position, resource_id,
       trigger, delivered_on, round_on, created_on)
     select '${owner.id}', '${owner.store_id}', ${id}, ${mode}, n, ${id}, 'charge_finished',
       case when not ${is_old} then now() end, now(), ${instant} ${rows}`,
    `insert into deposits (merchant_id, id, store_id, charge_id, mode, reference, amount, currency, status,
       applied_amount, return_amount, created_on, updated_on)
     select ${own}, ${id}, ${mode}, gen_random_uuid(), 10, 'JPY',
       case when ${is_old} then 'returned' else 'applied' end, case when ${is_old} then 0 else 10 end,
       case when ${is_old} then 10 else 0 end, ${instant}, ${instant} ${rows}`,
    `insert into customers (merchant_id, id, mode, identity, email, created_on)
     select '${owner.id}', ${id}, ${mode}, 'c' || n, 'c' || n || '@example.com', ${instant} ${rows}`,
    `insert into request_log (merchant_id, id, request_id, mode, token_id, is_user, method, path, status,
       duration_ms, resource_id, ahead_ms)
     select '${owner.id}', ${id}, 'r' || n, ${mode}, ${id}, false, 'POST', '/charges',
       case when ${is_old} then 400 else 201 end, 1, ${id}, 0 ${rows}`,
    `insert into transaction_tokens (merchant_id, id, store_id, mode, payment_type, type, metadata,
       active, data, cvv_authorize, cvv_authorize_check, three_ds, search_words, created_on, updated_on)
     select ${own}, 'test', 'card', case when ${is_old} then 'recurring' else 'one_time' end, '{}',
       true, '{"card": {"cardholder": "A", "brand": "visa"}, "billing": {}}', '{}', '{}', '{}', ${text}, ${instant}, ${instant} ${rows}`,
    `insert into subscriptions (merchant_id, id, store_id, mode, transaction_token_id, payment_type,
       amount, currency, first_date, zone_id, termination_mode, first_charge_authorization_only,
       only_direct_currency, status, metadata, search_words, created_on, updated_on)
     select ${own}, ${mode}, ${id}, 'card', 10, 'JPY', '2026-01-01', 'Asia/Tokyo', 'immediate', false,
       false, case when ${is_old} then 'suspended' else 'current' end, '{}', ${text}, ${instant},
       ${instant} ${rows}`,
  ]
}

/** A webhook with the id of the store. */
function addWebhook({ id, store_id }: TestMerchant): string {
  return `insert into webhooks (merchant_id, id, url, triggers, active, created_on, updated_on)
    values ('${id}', '${store_id}', 'https://a.example/', '{}', true, now(), now())
    on conflict do nothing`
}

interface Reading {
  name: string
  plans: string[]
  found: number
}

const old_time = { from: at(1), to: at(20) }
function at(n: number): string {
  return new Date(start_of_time - 100_000 * second_ms + n * second_ms).toISOString()
}
/** The charge with the number 7. */
const old_charge = (() => {
  const hex = (start_of_time - 100_000 * second_ms + 7 * second_ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${'7'.padStart(12, '0')}`
})()
const old_order = 'c4ca4238a0b923820dcc509a6f75849b'

/** Name, path, query, whether a store calls, and what was actually read last. */
const lists: [string, string, Record<string, string>, 'store'?][] = [
  ['the first page', '/charges', {}],
  ['the oldest page', '/charges', { cursor_direction: 'asc' }],
  ['a page of test mode', '/charges', { mode: 'test' }],
  ["a store's page of its mode", '/stores/STORE/charges', {}, 'store'],
  ['a page of a time', '/charges', old_time],
  ['a page by e-mail', '/charges', { email: 'c7@example.com' }],
  [
    'a page by card',
    '/charges',
    { last_four: '0007', name: 'zebedee', exp_month: '12', exp_year: '2030' },
  ],
  ['the first page of history', '/transaction_history', {}],
  ["a store's history of its mode", '/transaction_history', {}, 'store'],
  ['history of a time', '/transaction_history', old_time],
  ['refunds of a rare status', '/transaction_history', { type: 'refund', status: 'error' }],
  ['ledgers of a charge', `/stores/STORE/charges/${old_charge}/ledgers`, {}],
  ['tokens', '/tokens', {}],
  ["a store's tokens", '/tokens', {}, 'store'],
  ['subscriptions of a rare status', '/subscriptions', { status: 'suspended' }],
  ['history of a rare status', '/transaction_history', { type: 'charge', status: 'canceled' }],
  ['history of a rare error', '/transaction_history', { type: 'charge', error_code: '330' }],
  ['history of a frequent error', '/transaction_history', { type: 'charge', error_code: '306' }],
  ['history of an open status', '/transaction_history', { type: 'charge', status: 'awaiting' }],
  ['deliveries', '/deliveries', {}],
  ['deliveries that failed', '/deliveries', { status: 'failed' }],
  ['deliveries of a resource', '/deliveries', { resource_id: old_charge }],
  ['deposits', '/deposits', { mode: 'live' }],
  ['deposits of a rare status', '/deposits', { status: 'returned' }],
  ['customers', '/customers', { mode: 'live' }],
  ['customers by e-mail', '/customers', { search: 'c7@' }],
  ['customers of a store', '/customers', { store_id: 'STORE', mode: 'live' }],
  ['history of a customer', '/transaction_history', { customer_key: old_charge }],
  ['ledger entries', '/ledger_entries', {}],
  ['ledger entries of test mode', '/ledger_entries', { mode: 'test' }],
  ['ledger entries of a rare account', '/ledger_entries', { account: 'suspense' }],
  ['requests', '/requests', {}],
  ['requests that were refused', '/requests', { status: 'error' }],
  ['requests of a resource', '/requests', { resource_id: old_charge, method: 'POST' }],
  ['a timeline', `/stores/STORE/charges/${old_charge}/timeline`, {}],
]
const searches: typeof lists = [
  ['a rare term', '/transaction_history', { search: 'zebedee' }],
  ['a rare term of one kind and mode', '/transaction_history', { search: 'zebedee', mode: 'test' }],
  ['two Japanese letters', '/transaction_history', { search: '海道' }],
  ['a number counted up', '/transaction_history', { search: '00000007' }],
  ['a beginning that all rows have', '/transaction_history', { search: 'c' }],
  ['a frequent term', '/transaction_history', { search: 'yamada' }],
  ['a term that is nowhere', '/transaction_history', { search: 'qwertz' }],
  ['a frequent and a rare word', '/transaction_history', { search: 'hanako zebedee' }],
  ['an id', '/transaction_history', { search: '0190a000-0000-7000-8000-000000000001' }],
  ['a rare cardholder', '/transaction_history', { cardholder: 'zebedee', type: 'charge' }],
  ['a value of metadata', '/charges', { metadata: old_order }],
  ['a value of metadata in history', '/transaction_history', { metadata: old_order }],
  ['everything with an id', '/search', { q: old_charge, mode: 'test' }],
  ['everything with the end of an id', '/search', { q: '…00000007', mode: 'test' }],
  ['everything with a rare name', '/search', { q: 'zebedee', mode: 'test' }],
  ['everything with a frequent name', '/search', { q: 'yamada', mode: 'live' }],
  ['everything with an amount', '/search', { q: '¥1,000', mode: 'live' }],
  ['everything with an order number', '/search', { q: old_order, mode: 'live' }],
  ['everything with an e-mail', '/search', { q: 'c7@example.com', mode: 'test' }],
  ['a token', '/tokens', { search: 'zebedee' }],
  ['a subscription', '/subscriptions', { search: 'zebedee' }],
]

/** Applies settings to both connections of the service. */
async function applySettings(settings: string[]): Promise<pg.PoolClient[]> {
  const { pool } = world.store
  const clients = await Promise.all([pool.connect(), pool.connect()])
  for (const client of clients) for (const setting of settings) await client.query(setting)
  for (const client of clients) client.release()
  return clients
}

async function readAll(): Promise<Reading[]> {
  const readings: Reading[] = []
  const clients = await applySettings([
    "load 'auto_explain'",
    'set auto_explain.log_min_duration = 0',
    'set auto_explain.log_analyze = on',
    'set auto_explain.log_buffers = on',
    'set auto_explain.log_timing = off',
    'set client_min_messages = log',
  ])
  let plans: string[] = []
  const note = ({ message = '' }: { message?: string | undefined }) => {
    if (/order by/i.test(message)) plans.push(message)
  }
  for (const client of clients) client.on('notice', note)
  for (const [cases, plan_cache_mode] of [
    [lists, 'force_generic_plan'],
    [searches, 'auto'],
  ] as const) {
    await applySettings([`set plan_cache_mode = ${plan_cache_mode}`])
    for (const [name, path, query, who] of cases) {
      const attempts: Reading[] = []
      // At first a connection reads the system catalogs too.
      for (let n = 0; n < 4; n += 1) {
        plans = []
        world.clock.advance(10_000)
        const auth = who ? shop.as_store : shop.as_merchant
        const place = path.replace('STORE', shop.store_id)
        const given = Object.fromEntries(
          Object.entries(query).map(([key, value]) => [key, value.replace('STORE', shop.store_id)]),
        )
        const { status, text, body } = await world.call('GET', place, { auth, query: given })
        expect(status, text).toBe(200)
        attempts.push({ name, plans, found: body.items.length })
      }
      readings.push(attempts.reduce((a, b) => (pagesRead(a) <= pagesRead(b) ? a : b)))
    }
  }
  for (const client of clients) client.off('notice', note)
  await applySettings(['set auto_explain.log_min_duration = -1'])
  return readings
}

beforeAll(async () => {
  world = await newWorld({ settings: { DATABASE_CONNECTIONS: '2' } })
  shop = await world.merchant()
  const other = await world.merchant()
  const [small, large] = sizes
  // A separate session: it has no time limit.
  const fill = (from: number, to: number) =>
    withSession(world.store, async (client) => {
      for (const owner of [shop, other]) {
        await client.query(addWebhook(owner))
        for (const statement of seeds(owner, from, to)) await client.query(statement)
      }
      await client.query(`vacuum analyze charges, refunds, ledger_transactions,
        transaction_tokens, subscriptions, events, webhook_deliveries, deposits, customers, request_log`)
    })
  await fill(0, small)
  few = await readAll()
  await fill(small, large)
  many = await readAll()
}, 300_000)
afterAll(() => world.close())

/** Database pages that the statements of a request touched. */
function pagesRead({ plans }: Reading): number {
  const counts = plans.map((plan) => {
    const found = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan)
    return Number(found?.[1] ?? 0) + Number(found?.[2] ?? 0)
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

test.each([...lists, ...searches].map(([name], place) => [name, place] as const))(
  '%s is found by an index, and its cost does not grow',
  (_, place) => {
    const [before, after] = [few[place], many[place]]
    if (!before || !after) throw new Error('nothing was read')
    expect(after.plans.length).toBeGreaterThan(0)
    expect(after.found).toBe(before.found)
    for (const plan of after.plans) expect(plan).not.toMatch(/Seq Scan/)
    const plans = after.plans.join('\n')
    expect(pagesRead(before)).toBeGreaterThan(0)
    expect(pagesRead(after), plans).toBeLessThanOrEqual(1.5 * pagesRead(before) + 50)
  },
)
