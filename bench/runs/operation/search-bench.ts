// `npm run bench -- search`: the search of the console with a million charges (BENCH_CHARGES) of one merchant,
// and the customers, refunds and deposits that go with them: p95 of each kind of text.
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { drain, openWorld, useShops } from '../../bench-world.ts'
import { atMost, type Bar, printBars, writeResults } from '../../report.ts'
import { makeShops, type OwnedShop } from '../../stored/shops.ts'
import { big_part, storeCharges } from '../../stored/stored-charges.ts'

const wanted = Number(process.env.BENCH_CHARGES ?? 1_000_000)
const max_p95_ms = 200
const requests_each = 40
const world = await openWorld()
const { client } = world.database
const bars: Bar[] = []

async function prepare(): Promise<OwnedShop> {
  const [big] = await makeShops(world.service, 1, { credentials: 20, of_merchant: true })
  const [small] = await makeShops(world.service, 1, { credentials: 8 })
  if (!big || !small) throw new Error('There are no shops.')
  await useShops(world, [small])
  const run = { port: world.ours.port, connections: 8, seconds: 20, count: 200 }
  await world.load.run({ ...run, kind: 'token' })
  await world.load.run({ ...run, kind: 'charge' })
  await drain(world)
  // The shop that is not the first has what the first leaves.
  await storeCharges(world, [small, big], Math.ceil(wanted / (1 - big_part)))
  return big
}

/** A customer for each e-mail, a refund of each tenth charge, and the sender of each hundredth. */
async function storeRest({ merchant_id }: OwnedShop): Promise<void> {
  await client.query('set synchronous_commit = off')
  await client.query(
    `insert into customers (merchant_id, id, mode, identity, email, name, created_on)
     select merchant_id, min(id::text)::uuid, mode, email, email, min(cardholder), min(created_on)
     from charges where merchant_id = $1 group by merchant_id, mode, email`,
    [merchant_id],
  )
  await client.query(
    `insert into refunds (merchant_id, id, store_id, charge_id, mode, status, amount, currency, metadata,
       search_words, created_on, updated_on)
     select merchant_id, uuidv7(created_on - now()), store_id, id, mode, 'successful', 10, 'JPY', '{}',
       search_words, created_on, created_on
     from charges where merchant_id = $1 and hashtext(id::text) % 10 = 0`,
    [merchant_id],
  )
  await client.query(
    `insert into deposits (merchant_id, id, store_id, charge_id, mode, reference, amount, currency, status,
       name, applied_amount, created_on, updated_on)
     select merchant_id, uuidv7(created_on - now()), store_id, id, mode, gen_random_uuid(),
       provider_amount, 'JPY', 'applied', cardholder, provider_amount, created_on, created_on
     from charges where merchant_id = $1 and hashtext(id::text) % 100 = 1`,
    [merchant_id],
  )
  await client.query('reset synchronous_commit')
  await client.query('vacuum analyze')
}

let turn = 0
async function find(
  { credentials }: OwnedShop,
  text: string,
): Promise<[ms: number, count: number]> {
  turn += 1
  const authorization = credentials[turn % credentials.length] ?? ''
  const began_ms = performance.now()
  const address = `http://127.0.0.1:${world.ours.port}/search?mode=test&q=${encodeURIComponent(text)}`
  const response = await fetch(address, { headers: { authorization } })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`${text}: ${response.status} ${body}`)
  return [performance.now() - began_ms, JSON.parse(body).items.length]
}

async function measure(shop: OwnedShop, name: string, texts: readonly string[]): Promise<void> {
  const times: number[] = []
  let found = 0
  for (let count = 0; count < requests_each; count += 1) {
    const [ms, results] = await find(shop, texts[count % texts.length] ?? '')
    times.push(ms)
    found += results
    await sleep(5)
  }
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0
  const note = `p50 ${at(0.5).toFixed(1)} ms, slowest ${at(1).toFixed(1)} ms, ${found} results`
  bars.push(atMost(`${name}, p95 ms`, at(0.95), max_p95_ms, note))
}

async function measureSearches(shop: OwnedShop): Promise<void> {
  const { rows } = await client.query(
    `select id::text, email, cardholder, last_four, requested_amount as amount, metadata ->> 'order' as number
     from charges where merchant_id = $1 order by random() limit ${requests_each}`,
    [shop.merchant_id],
  )
  const texts = (read: (row: (typeof rows)[number]) => string) => rows.map(read)
  await measure(
    shop,
    'an id',
    texts(({ id }) => id),
  )
  await measure(
    shop,
    'the end of an id',
    texts(({ id }) => id.slice(-6)),
  )
  await measure(
    shop,
    'an id as it is shown',
    texts(({ id }) => `${id.slice(0, 8)}…${id.slice(-4)}`),
  )
  await measure(
    shop,
    'an e-mail',
    texts(({ email }) => email),
  )
  await measure(
    shop,
    'the beginning of an e-mail',
    texts(({ email }) => email.slice(0, 9)),
  )
  await measure(
    shop,
    'a whole name',
    texts(({ cardholder }) => cardholder),
  )
  await measure(shop, 'a frequent name', ['taro', 'hanako', 'yuki'])
  await measure(
    shop,
    'last four digits',
    texts(({ last_four }) => last_four),
  )
  await measure(
    shop,
    'an amount',
    texts(({ amount }) => `¥${amount}`),
  )
  await measure(
    shop,
    'an order number',
    texts(({ number }) => number),
  )
  await measure(
    shop,
    'the beginning of an order number',
    texts(({ number }) => number.slice(0, 6)),
  )
  await measure(
    shop,
    'nothing',
    texts(({ number }) => `none${number}`),
  )
  await measure(shop, 'two letters', ['ta', 'cu', 'or', 'we', 'zz'])
}

try {
  const big = await prepare()
  await storeRest(big)
  await measureSearches(big)
} finally {
  await world.close()
  printBars(bars)
  writeResults('search', { charges: wanted, bars })
}
