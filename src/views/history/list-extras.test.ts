import { beforeAll, expect, test } from 'vitest'
import { deposits } from '../../../test/support/deposits-seen.ts'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse, TestMerchant } from '../../../test/support/world.ts'
import { withSession } from '../../store/open-store.ts'
import { max_bounded_read } from '../../store/sql/reads/bounded-list.ts'

// The extra fields of lists, and their cost.
const world = useWorld({ settings: { DATABASE_CONNECTIONS: '2' } })
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
})

const lists = ['/charges', '/tokens', '/subscriptions', '/transaction_history'] as const

async function subscribe(email: string): Promise<string> {
  const made = await pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring', email }),
    amount: 10,
    currency: 'JPY',
    period: 'monthly',
  })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

test('charges, tokens, subscriptions and history name the store and its merchant', async () => {
  const id = await subscribe('names@example.com')
  await pay.work()
  const { name: merchant_name } = (await world.call('GET', '/me', { auth: shop.as_merchant })).body
  await world.call('PATCH', `/stores/${shop.store_id}`, {
    auth: shop.as_merchant,
    body: { name: 'Tea house' },
  })
  const paths = [...lists, ...lists.map((path) => `/stores/${shop.store_id}${path}`)]
  for (const path of [...paths, `/subscriptions/${id}/charges`]) {
    const { items } = (await pay.get(path)).body
    expect(items.length, path).toBeGreaterThan(0)
    for (const item of items) {
      expect(item, path).toMatchObject({ merchant_name, store_name: 'Tea house' })
    }
  }
  // One resource is not a list.
  expect(await pay.get(`/subscriptions/${id}`)).not.toHaveProperty('body.store_name')
})

test('tokens and subscriptions show the payer', async () => {
  const user_data = { cardholder_name: 'TARO YAMADA', email: 'who@example.com', brand: 'visa' }
  await subscribe('who@example.com')
  await pay.work()
  for (const path of ['/tokens', '/subscriptions']) {
    expect((await pay.get(path)).body.items[0].user_data, path).toEqual(user_data)
  }
})

test('history shows the status of a bank transfer', async () => {
  const money = deposits(world, shop, pay)
  const standing = async (id: string) => {
    const { items } = (await pay.get(`/transaction_history?id=${id}`)).body
    const { bank_transfer_payment_status: status, bank_transfer_latest_deposit_date: latest } =
      items[0]
    return [status, latest && Date.parse(latest) <= world.clock.now()]
  }
  const partly = await money.transfer('disabled')
  expect(await standing(partly)).toEqual(['unpaid', null])
  await money.arrive(partly, 400)
  expect(await standing(partly)).toEqual(['insufficient', true])
  await money.arrive(partly, 700)
  expect(await standing(partly)).toEqual(['exceeded', true])
  const exact = await money.transfer('exact')
  await money.arrive(exact, 999)
  expect(await standing(exact)).toEqual(['unpaid', true])
  await money.arrive(exact, 1000)
  expect(await standing(exact)).toEqual(['exact', true])
  const at_the_till = await money.atTheTill()
  expect(await standing(at_the_till)).toEqual([null, null])
})

/** The statements that a request executes. */
async function statementsOf(path: string): Promise<number> {
  await world.app.request_log?.flush()
  const { pool } = world.store
  const clients = await Promise.all([pool.connect(), pool.connect()])
  let count = 0
  const note = () => {
    count += 1
  }
  const applySetting = async (setting: string) => {
    for (const client of clients) await client.query(setting)
  }
  await applySetting("load 'auto_explain'")
  await applySetting('set auto_explain.log_min_duration = 0')
  await applySetting('set client_min_messages = log')
  for (const client of clients) {
    client.on('notice', note)
    client.release()
  }
  world.clock.advance(10_000)
  const response: ApiResponse = await world.call('GET', path, { auth: shop.as_store })
  expect(response.status, response.text).toBe(200)
  for (const client of clients) client.off('notice', note)
  const again = await Promise.all([pool.connect(), pool.connect()])
  for (const client of again) await client.query('set auto_explain.log_min_duration = -1')
  for (const client of again) client.release()
  return count
}

test.each(lists)('a full page of %s takes as many statements as a short one', async (path) => {
  await subscribe('first@example.com')
  await pay.work()
  await statementsOf(`${path}?limit=10`)
  const short = await statementsOf(`${path}?limit=10`)
  for (let made = 0; made < 25; made += 1) await subscribe(`${path}${made}@example.com`.slice(1))
  await pay.work()
  const { items } = (await pay.get(`${path}?limit=30`)).body
  expect(items.length).toBeGreaterThan(25)
  expect(short).toBeGreaterThan(0)
  expect(await statementsOf(`${path}?limit=30`)).toBe(short)
})

test('a charge shows its newest refunds, and not without end', async () => {
  const { id } = await pay.settled({ amount: 1000 })
  for (let made = 0; made < 22; made += 1) {
    const path = `${pay.chargePath(id)}/refunds`
    expect((await pay.post(path, { amount: 1, currency: 'JPY' })).status).toBe(201)
  }
  const [item] = (await pay.get(`/transaction_history?id=${id}`)).body.items
  const ids = item.user_data.refunds.map(({ refund_id }: { refund_id: string }) => refund_id)
  expect(ids).toHaveLength(20)
  expect(ids).toEqual([...ids].sort().reverse())
  await pay.work()
})

test('a filter without an index examines a bounded number of rows, and says so', async () => {
  const owner = await world.merchant()
  const rare = `'${owner.id}'::uuid, ('00000001-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
    '${owner.store_id}'::uuid`
  const seed = (from: number, to: number, brand: string) => `
    insert into charges (merchant_id, id, store_id, mode, type, transaction_token_id,
      transaction_token_type, payment_type, requested_amount, requested_currency, provider_amount,
      provider_currency, only_direct_currency, capture, status, metadata, brand, created_on, updated_on)
    select ${rare}, 'test', 'normal', '${owner.id}', 'one_time', 'card', 1, 'JPY', 1, 'JPY', false,
      true, 'failed', '{}', '${brand}', now(), now() from generate_series(${from}, ${to}) as n`
  await withSession(world.store, async (client) => {
    await client.query(seed(1, 1, 'jcb'))
    await client.query(seed(2, max_bounded_read, 'visa'))
    await client.query('analyze charges')
  })
  const find = (query: string) => {
    world.clock.advance(10_000)
    const auth = owner.as_merchant
    return world.call('GET', `/transaction_history?${query}`, { auth })
  }
  expect((await find('brand=jcb')).body.errors).toEqual([
    { field: 'from', reason: 'INVALID_TIME_PERIOD' },
  ])
  expect((await find('brand=visa')).body.items).toHaveLength(10)
  expect((await find('brand=jcb&cursor_direction=asc&limit=10')).status).toBe(400)
  const { body } = await find(`brand=jcb&cursor=00000001-0000-7000-8000-000000001000`)
  expect(body).toMatchObject({ items: [{ user_data: { brand: 'jcb' } }], has_more: false })
  expect((await find('brand=jcb&type=refund')).body.items).toEqual([])
  const list = (query: string) =>
    world.call('GET', `/charges?${query}`, { auth: owner.as_merchant })
  for (const rare of ['currency=USD', 'amount_from=2', 'phone=0312345678']) {
    const found = await list(rare)
    expect([rare, found.body.errors]).toEqual([
      rare,
      [{ field: 'from', reason: 'INVALID_TIME_PERIOD' }],
    ])
  }
  expect((await list('currency=JPY')).body.items).toHaveLength(10)
  const rest = await list('currency=USD&cursor=00000001-0000-7000-8000-000000001000')
  expect(rest.body).toEqual({ items: [], has_more: false })
}, 60_000)
