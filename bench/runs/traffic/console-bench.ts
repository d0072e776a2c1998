// `npm run bench -- console`: the screens of the console with a million charges (BENCH_CHARGES) stored, a quarter
// of them of one merchant: p95 of each read, how fast activity is counted, and the memory of a large export.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { drain, openWorld, useShops } from '../../bench-world.ts'
import { memoryMb } from '../../process-usage.ts'
import { atMost, type Bar, printBars, writeResults } from '../../report.ts'
import { makeShops, type OwnedShop } from '../../stored/shops.ts'
import { storeCharges } from '../../stored/stored-charges.ts'

const wanted = Number(process.env.BENCH_CHARGES ?? 1_000_000)
const max_p95_ms = 300
const requests_each = 60
const world = await openWorld()
const { client } = world.database
const bars: Bar[] = []

async function prepare(): Promise<OwnedShop> {
  const [big] = await makeShops(world.service, 1, { credentials: 20, of_merchant: true })
  if (!big) throw new Error('There is no big merchant.')
  const small = await makeShops(world.service, 20, { credentials: 8 })
  await useShops(world, small)
  const run = { port: world.ours.port, connections: 16, seconds: 30, count: 500 }
  await world.load.run({ ...run, kind: 'token' })
  await world.load.run({ ...run, kind: 'charge' })
  await drain(world)
  await storeCharges(world, [big, ...small], wanted)
  return big
}

/** What the stored charges would have written beside themselves, for the big merchant. */
async function storeRest({ merchant_id, store_id }: OwnedShop): Promise<void> {
  const [webhook, ids] = [crypto.randomUUID(), [merchant_id, store_id]]
  await client.query('set synchronous_commit = off')
  // A twentieth failed, of which some were canceled; so the rare statuses are there.
  // Their life ends with success; here some of them failed instead, and a few were canceled.
  await client.query('alter table charges disable trigger charges_status')
  await client.query(
    `update charges set status = case when hash % 1000 = 0 then 'canceled' else 'failed' end,
       error = '{"code": 306, "message": "The issuer of the card declined the charge.", "detail": null}',
       charged_amount = null
     from (select id as charge_id, abs(hashtext(id::text)) as hash from charges
       where merchant_id = $1) as h
     where merchant_id = $1 and id = charge_id and hash % 20 = 0`,
    [merchant_id],
  )
  await client.query('alter table charges enable trigger charges_status')
  await client.query(
    `with made as (
       insert into events (merchant_id, id, store_id, mode, name, resource_id, sequence, data, created_on)
       select merchant_id, uuidv7(created_on - now()), store_id, mode, 'charge_finished', id, 1,
         '{"status": "successful"}', created_on from charges where merchant_id = $1
       returning merchant_id, id, store_id, mode, name)
     insert into event_feed (merchant_id, position, event_id, store_id, mode, name)
     select merchant_id, (select position from event_feed_end) + row_number() over (order by id), id,
       store_id, mode, name from made`,
    [merchant_id],
  )
  await client.query('update event_feed_end set position = (select max(position) from event_feed)')
  await client.query(
    `insert into webhooks (merchant_id, id, url, triggers, active, created_on, updated_on)
     values ($1, $2, 'https://shop.example/', '{charge_finished}', true, now(), now())`,
    [merchant_id, webhook],
  )
  await client.query(
    `insert into webhook_deliveries (merchant_id, webhook_id, event_id, mode, position, resource_id,
       trigger, delivered_on, round_on, attempts, created_on)
     select merchant_id, $2, id, mode, row_number() over (order by id), resource_id, name, created_on,
       created_on, 1, created_on from events where merchant_id = $1 and name = 'charge_finished'`,
    [merchant_id, webhook],
  )
  await client.query(
    `insert into ledger_transactions (merchant_id, id, store_id, mode, origin, kind, charge_id, accounts,
       currencies, amounts, created_on)
     select merchant_id, uuidv7(created_on - now()), store_id, mode, 'charge', 'capture', id,
       '{provider_receivable,merchant_payable}', '{JPY,JPY}', array[provider_amount, -provider_amount],
       created_on
     from charges where merchant_id = $1`,
    [merchant_id],
  )
  await client.query(
    `insert into deposits (merchant_id, id, store_id, charge_id, mode, reference, amount, currency, status,
       applied_amount, created_on, updated_on)
     select merchant_id, uuidv7(created_on - now()), store_id, id, mode, gen_random_uuid(),
       provider_amount, 'JPY', 'applied', provider_amount, created_on, created_on
     from charges where merchant_id = $1 limit 100000`,
    [merchant_id],
  )
  await client.query(
    `insert into request_log (merchant_id, id, request_id, store_id, mode, token_id, is_user, method,
       operation, path, status, duration_ms, resource_id, ahead_ms)
     select $1, uuidv7(- interval '1 second' * n), 'r' || n, $2, 'test', $1, false, 'POST',
       'createCharge', '/charges', case when n % 50 = 0 then 400 else 201 end, 5, gen_random_uuid(), 0
     from generate_series(1, 300000) as n`,
    ids,
  )
  await client.query('reset synchronous_commit')
  await client.query('vacuum analyze')
}

/** Waits until the worker has counted every event. */
async function countAll(): Promise<void> {
  const began_ms = performance.now()
  const left = async () => {
    const { rows } = await client.query(
      `select count(*)::integer as count from event_feed where name in ('charge_finished',
        'refund_finished') and position > (select position from activity_position)`,
    )
    return rows[0].count
  }
  const events = await left()
  while ((await left()) > 0) await sleep(200)
  const taken_s = (performance.now() - began_ms) / 1000
  process.stderr.write(`${events} events were counted in ${taken_s.toFixed(1)} s\n`)
}

let turn = 0
async function get({ credentials }: OwnedShop, path: string): Promise<number> {
  turn += 1
  const authorization = credentials[turn % credentials.length] ?? ''
  const began_ms = performance.now()
  const response = await fetch(`http://127.0.0.1:${world.ours.port}${path}`, {
    headers: { authorization },
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
  return performance.now() - began_ms
}

async function measure(shop: OwnedShop, name: string, pathOf: () => string): Promise<void> {
  const times: number[] = []
  for (let count = 0; count < requests_each; count += 1) {
    times.push(await get(shop, pathOf()))
    await sleep(5)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0
  const note = `p50 ${at(0.5).toFixed(1)} ms, slowest ${at(1).toFixed(1)} ms`
  bars.push(atMost(`${name}, p95 ms`, at(0.95), max_p95_ms, note))
}

async function measureReads(big: OwnedShop): Promise<void> {
  const { rows } = await client.query(
    `select id, email, last_four from charges where merchant_id = $1 order by random() limit 500`,
    [big.merchant_id],
  )
  const { rows: customers } = await client.query(
    'select id from customers where merchant_id = $1 order by random() limit 100',
    [big.merchant_id],
  )
  const any = () => rows[Math.floor(Math.random() * rows.length)]
  const history = (query: string) => `/transaction_history?mode=test&${query}`
  const month = new Date(Date.now() - 30 * 86_400_000).toISOString()
  const quarter = new Date(Date.now() - 89 * 86_400_000).toISOString()
  const screens: [string, () => string][] = [
    ['payments', () => history('limit=50')],
    ['payments, a later page', () => history(`limit=50&cursor=${any().id}`)],
    ['payments, failed', () => history('limit=50&status=failed')],
    ['payments, canceled', () => history('limit=50&status=canceled')],
    ['payments, awaiting', () => history('limit=50&status=awaiting')],
    ['payments, error code', () => history('limit=50&error_code=306')],
    ['payments, amount range', () => history('limit=50&amount_from=19000&amount_to=19500')],
    ['payments, successful and brand', () => history('limit=50&status=successful&brand=visa')],
    ['search, e-mail', () => history(`search=${encodeURIComponent(any().email)}`)],
    ['search, beginning of an e-mail', () => history(`search=${any().email.slice(0, 11)}`)],
    ['search, last four', () => history(`search=${any().last_four}`)],
    ['search, id', () => history(`search=${any().id}`)],
    ['search, name', () => history('search=hanako')],
    ['search, error', () => history('search=issuer+declined')],
    ['search, nothing', () => history('search=qwertz')],
    ['home, today', () => '/activity?mode=test'],
    ['home, 30 days', () => `/activity?mode=test&from=${month}`],
    ['home, 89 days', () => `/activity?mode=test&from=${quarter}`],
    ['attention', () => '/attention?mode=test'],
    ['timeline', () => `/stores/${big.store_id}/charges/${any().id}/timeline`],
    ['customers', () => '/customers?mode=test&limit=50'],
    ['customers by e-mail', () => `/customers?mode=test&search=${any().email.slice(0, 11)}`],
    ['one customer', () => `/customers/${customers[turn % customers.length].id}`],
    ['deposits', () => '/deposits?mode=test&limit=50'],
    ['deposits, returned', () => '/deposits?mode=test&status=returned'],
    ['deliveries', () => '/deliveries?mode=test&limit=50'],
    ['deliveries, failed', () => '/deliveries?mode=test&status=failed'],
    ['ledger balances', () => '/ledger_balances?mode=test'],
    [
      'ledger entries of an account',
      () => '/ledger_entries?mode=test&account=merchant_payable&limit=50',
    ],
    ['ledger entries of a rare account', () => '/ledger_entries?mode=test&account=suspense'],
    ['requests', () => '/requests?limit=50'],
    ['requests, errors', () => '/requests?limit=50&status=error'],
  ]
  for (const [name, pathOf] of screens) await measure(big, name, pathOf)
}

/** The memory of the service while it exports every transaction of the big merchant. */
async function measureExport({ credentials }: OwnedShop): Promise<void> {
  const { ours, database } = world
  const memory = () => memoryMb(ours.pid, database.pid)
  const before_mb = memory()
  let [peak_mb, bytes, lines] = [before_mb, 0, 0]
  const watch = setInterval(() => {
    peak_mb = Math.max(peak_mb, memory())
  }, 100)
  const began_ms = performance.now()
  const authorization = credentials[0] ?? ''
  const url = `http://127.0.0.1:${ours.port}/exports/transactions.csv?mode=test`
  const response = await fetch(url, { headers: { authorization } })
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    lines += Buffer.from(chunk).toString('latin1').split('\r\n').length - 1
  }
  clearInterval(watch)
  const taken_s = (performance.now() - began_ms) / 1000
  const note = `${lines} rows, ${Math.round(bytes / 1e6)} MB in ${taken_s.toFixed(1)} s; ${before_mb} MB before`
  bars.push(atMost('memory of an export, MB more', peak_mb - before_mb, 100, note))
}

try {
  const big = await prepare()
  await storeRest(big)
  await countAll()
  await measureReads(big)
  await measureExport(big)
} finally {
  await world.close()
  printBars(bars)
  writeResults('console', { charges: wanted, bars })
}
