import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse, TestMerchant } from '../../../test/support/world.ts'

// One shop with four charges, one of them refunded in two parts; each test queries them.
const world = useWorld()
let shop: TestMerchant
let pay: Payments
const named: Record<string, string> = {}
const at: Record<string, number> = {}

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  const remember = (name: string, id: string) => {
    named[name] = id
    at[name] = world.clock.now()
    world.clock.advance(60_000)
  }
  const hanako = {
    token: { email: 'Hanako@Example.com' },
    data: {
      cardholder: 'Hanako Suzuki',
      card_number: '5555555555554444',
      exp_month: '3',
      exp_year: '2031',
    },
  }
  const first = (await pay.charge({ metadata: { order: 'Blue-7' } })).body
  remember('first', first.id)
  const usd = (await pay.charge({ amount: 250, currency: 'USD' }, hanako)).body
  remember('usd', usd.id)
  const declined = { data: { card_number: '4000000000000002' } }
  const failed = (await pay.charge({ metadata: { order: 'Red-8' } }, declined)).body
  remember('failed', failed.id)
  await pay.work()
  const body = { amount: 300, currency: 'JPY', reason: 'fraud', metadata: { case: 'Green-9' } }
  const path = `${pay.chargePath(first.id)}/refunds`
  remember('done', (await pay.post(path, body)).body.id)
  await pay.work()
  remember('held', (await pay.charge({ capture: false })).body.id)
  await pay.work()
  remember('waiting', (await pay.post(path, { amount: 100, currency: 'JPY' })).body.id)
})

const everything = ['waiting', 'held', 'done', 'failed', 'usd', 'first']

async function list(query = '', path = '/transaction_history'): Promise<ApiResponse['body']> {
  world.clock.advance(1000)
  const response = await world.call('GET', `${path}?${query}`, { auth: shop.as_store })
  expect(response.status, response.text).toBe(200)
  return response.body
}

async function names(query: string): Promise<string[]> {
  const { items } = await list(query)
  return items.map(({ resource_id }: { resource_id: string }) =>
    Object.keys(named).find((name) => named[name] === resource_id),
  )
}

const iso = (name: string, later_ms = 0) => new Date((at[name] ?? 0) + later_ms).toISOString()

test('a charge and a refund as items, every field there, null when absent', async () => {
  const { items, has_more } = await list()
  expect(has_more).toBe(false)
  const user_data = {
    cardholder_name: 'TARO YAMADA',
    cardholder_email_address: 'customer@example.com',
    brand: 'visa',
    type: 'card',
    gateway: 'card_simulator',
    service_provider: 'card_simulator',
  }
  const common = {
    merchant_name: expect.stringMatching(/^Merchant \d+$/),
    store_name: 'Shop',
    bank_transfer_payment_status: null,
    bank_transfer_latest_deposit_date: null,
    store_id: shop.store_id,
    charge_id: named.first,
    currency: 'JPY',
    status: 'successful',
    mode: 'test',
    payment_type: 'card',
    charge_type: 'normal',
    last_four: '4242',
    error: null,
  }
  const part = (amount: number, status = 'successful') => ({
    refund_id: amount === 300 ? named.done : named.waiting,
    amount,
    currency: 'JPY',
    amount_formatted: amount,
    status,
    reason: amount === 300 ? 'fraud' : null,
  })
  expect(items.at(-1)).toEqual({
    ...common,
    resource_id: named.first,
    amount: 1000,
    amount_formatted: 1000,
    type: 'charge',
    metadata: { order: 'Blue-7' },
    created_on: iso('first'),
    refunded_amount: 400,
    refunded_currency: 'JPY',
    user_data: { ...user_data, refunds: [part(100, 'pending'), part(300)], reason: null },
  })
  expect(items[2]).toEqual({
    ...common,
    resource_id: named.done,
    amount: 300,
    amount_formatted: 300,
    type: 'refund',
    metadata: { case: 'Green-9' },
    created_on: iso('done'),
    refunded_amount: null,
    refunded_currency: null,
    user_data: { ...user_data, refunds: [], reason: 'fraud' },
  })
  expect(items.find((item: ApiResponse['body']) => item.currency === 'USD')).toMatchObject({
    amount: 250,
    amount_formatted: 2.5,
  })
})

test('charges and refunds together, latest first; asc turns it round', async () => {
  expect(await names('')).toEqual(everything)
  expect(await names('cursor_direction=asc')).toEqual(everything.toReversed())
})

test.each<[string, () => string, string[]]>([
  ['type charge', () => 'type=charge', ['held', 'failed', 'usd', 'first']],
  ['type refund', () => 'type=refund', ['waiting', 'done']],
  ['status successful', () => 'status=successful', ['done', 'usd', 'first']],
  ['status pending', () => 'status=pending', ['waiting']],
  ['status authorized', () => 'status=authorized', ['held']],
  ['status failed', () => 'status=failed', ['failed']],
  ['status canceled', () => 'status=canceled', []],
  ['mode test', () => 'mode=test', everything],
  ['mode live', () => 'mode=live', []],
  ['from, itself included', () => `from=${iso('held')}`, ['waiting', 'held']],
  ['from a moment later', () => `from=${iso('held', 1)}`, ['waiting']],
  ['to, itself not', () => `to=${iso('usd')}`, ['first']],
  ['from and to', () => `from=${iso('usd')}&to=${iso('done')}`, ['failed', 'usd']],
  ['from in epoch ms', () => `from=${at.held}`, ['waiting', 'held']],
  ['to in epoch ms', () => `to=${at.usd}`, ['first']],
  [
    'from with another offset',
    () => `from=${encodeURIComponent(offset('held'))}`,
    ['waiting', 'held'],
  ],
  ['search: id of a charge', () => `search=${named.usd}`, ['usd']],
  ['search: id of a refund', () => `search=${named.done}`, ['done']],
  ['search: an id in capitals', () => `search=${named.done?.toUpperCase()}`, ['done']],
  ['search: metadata of a charge', () => 'search=blue-7', ['first']],
  ['search: metadata of a refund', () => 'search=GREEN', ['done']],
  ['search: cardholder', () => 'search=suzuki', ['usd']],
  ['search: e-mail', () => 'search=hanako%40example.com', ['usd']],
  ['search: last four', () => 'search=4444', ['usd']],
  ['search: of the refund by the card', () => 'search=yamada&type=refund', ['waiting', 'done']],
  ['search: error code', () => 'search=306', ['failed']],
  ['search: words of an error', () => 'search=issuer+declined', ['failed']],
  ['search: nothing', () => 'search=nobody', []],
  ['error_code', () => 'error_code=306', ['failed']],
  ['error_code of none', () => 'error_code=330', []],
  ['statuses without money', () => 'status[]=failed&status[]=canceled', ['failed']],
  ['open statuses', () => 'status[]=authorized&status[]=awaiting&type=charge', ['held']],
  ['statuses of all kinds', () => 'status[]=failed&status[]=authorized', ['held', 'failed']],
  ['amount', () => 'amount_from=250&amount_to=301', ['done', 'usd']],
  ['amount and error', () => 'amount_from=2000&error_code=306', []],
  ['subscription_id', () => `subscription_id=${named.usd}`, []],
  ['customer_id', () => `customer_id=${named.usd}`, []],
  ['search: signs of a pattern', () => 'search=%25', []],
  ['search: signs of a pattern', () => 'search=blue_7', []],
  ['id', () => `id=${named.done}`, ['done']],
  ['email', () => 'email=HANAKO%40example.com', ['usd']],
  ['metadata', () => 'metadata=red', ['failed']],
  ['card_last_four', () => 'card_last_four=4444', ['usd']],
  ['cardholder', () => 'cardholder=hanako', ['usd']],
  ['card_exp', () => 'card_exp=2031-03', ['usd']],
  ['currency', () => 'currency=usd', ['usd']],
  ['payment_type', () => 'payment_type=card', everything],
  ['payment_type', () => 'payment_type=konbini', []],
  ['short_id', () => `short_id=${named.usd?.slice(-6)}`, ['usd']],
  ['short_id in capitals', () => `short_id=${named.done?.slice(-6).toUpperCase()}`, ['done']],
  ['short_id: signs of a pattern', () => 'short_id=%25%25%25%25%25%25', []],
  ['gateway_transaction_id', () => `gateway_transaction_id=${named.held}`, ['held']],
  ['gateway_transaction_id', () => 'gateway_transaction_id=none', []],
  ['brand', () => 'brand=mastercard', ['usd']],
  ['brand in capitals', () => 'brand=MASTERCARD', ['usd']],
  ['brands', () => 'brand[]=mastercard&brand[]=jcb', ['usd']],
  ['brands', () => 'brand[]=mastercard&brand[]=visa', everything],
  ['brand of nobody', () => 'brand=maestro', []],
  ['service_provider', () => 'service_provider=card_simulator', everything],
  [
    'service_providers',
    () => 'service_providers[]=nobody&service_providers[]=card_simulator',
    everything,
  ],
  ['service_provider', () => 'service_provider=customer_simulator', []],
  ['brand and others', () => 'brand=visa&type=refund&status=pending', ['waiting']],
  ['two of them', () => 'type=charge&status=successful&search=visa', []],
  ['three of them', () => 'type=charge&status=successful&card_last_four=4242', ['first']],
])('filter: %s', async (_, query, expected) => {
  expect(await names(query())).toEqual(expected)
})

function offset(name: string): string {
  const local = new Date((at[name] ?? 0) + 9 * 3_600_000).toISOString()
  return local.replace('Z', '+09:00')
}

test.each([
  ['from=yesterday', 'from', 'INVALID_FORMAT_DATE'],
  ['to=12', 'to', 'INVALID_FORMAT_DATE'],
  ['from=', 'from', 'INVALID_FORMAT_DATE'],
  ['to=', 'to', 'INVALID_FORMAT_DATE'],
  ['type=cancel', 'type', 'NOT_ALLOWED_VALUE'],
  ['status=paid', 'status', 'NOT_ALLOWED_VALUE'],
  ['status[]=failed&status[]=paid', 'status.1', 'NOT_ALLOWED_VALUE'],
  ['mode=both', 'mode', 'NOT_ALLOWED_VALUE'],
  ['short_id=12345', 'short_id', 'INVALID_FORMAT_LENGTH'],
])('a wrong filter %s is named', async (query, field, reason) => {
  const response = await pay.get(`/transaction_history?${query}`)
  expect(response.status).toBe(400)
  expect(response.body.errors).toContainEqual({ field, reason })
})

test('metadata written by a PATCH is found, of charge and refund', async () => {
  const { id } = await pay.settled({ amount: 5 })
  const path = `${pay.chargePath(id)}/refunds`
  const refund = (await pay.post(path, { amount: 1, currency: 'JPY' })).body
  await pay.patch(pay.chargePath(id), { metadata: { later: 'violet charge' } })
  await pay.patch(`${path}/${refund.id}`, { metadata: { later: 'violet refund' } })
  await pay.work()
  const found = (await list('search=violet')).items
  expect(found.map(({ resource_id }: { resource_id: string }) => resource_id)).toEqual([
    refund.id,
    id,
  ])
})

test("a store's list has that store only; a merchant's list has all of its stores", async () => {
  const other = await world.call('POST', '/stores', {
    auth: shop.as_merchant,
    body: { name: 'Second' },
  })
  const path = `/stores/${shop.store_id}/transaction_history`
  const own = await list('', path)
  expect(own.items.length).toBeGreaterThanOrEqual(6)
  const auth = shop.as_merchant
  const get = (of: string) => world.call('GET', of, { auth })
  expect((await get('/transaction_history')).body.items).toEqual(own.items)
  expect((await get(`/stores/${other.body.id}/transaction_history`)).body.items).toEqual([])
  const stranger = await world.merchant()
  const strange = await world.call('GET', '/transaction_history', { auth: stranger.as_merchant })
  expect(strange.body).toEqual({ items: [], has_more: false, next_cursor: null })
  expect((await world.call('GET', path, { auth: stranger.as_merchant })).status).toBe(404)
})

test('paging goes over both kinds without a gap or a double, in both directions', async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  const ids: string[] = []
  for (let index = 0; index < 9; index += 1) {
    const { id } = await pay.settled({ amount: 10 })
    ids.unshift(id)
    for (let part = 0; part < index % 4; part += 1) {
      const body = { amount: 1, currency: 'JPY' }
      ids.unshift((await pay.post(`${pay.chargePath(id)}/refunds`, body)).body.id)
    }
  }
  expect(ids).toHaveLength(21)
  for (const direction of ['desc', 'asc']) {
    const seen: string[] = []
    for (let more = true; more; ) {
      const cursor = seen.length > 0 ? `&cursor=${seen.at(-1)}` : ''
      const page = await list(`limit=10&cursor_direction=${direction}${cursor}`)
      expect(page.items.length).toBeLessThanOrEqual(10)
      expect(page.next_cursor).toBe(page.has_more ? page.items.at(-1).resource_id : null)
      seen.push(...page.items.map((item: { resource_id: string }) => item.resource_id))
      more = page.has_more
    }
    expect(seen).toEqual(direction === 'desc' ? ids : ids.toReversed())
  }
  const exact = await list(`limit=10&cursor=${ids[10]}`)
  expect(exact).toMatchObject({ has_more: false, items: { length: 10 } })
})

test('the sums of a list are those of all rows that its filters leave', async () => {
  const own = await world.merchant()
  const till = payments(world, own)
  const first = await till.settled({ amount: 1000 })
  await till.settled({ amount: 250, currency: 'USD' })
  await till.settled({ amount: 700 }, { data: { card_number: '4000000000000002' } })
  await till.post(`${till.chargePath(first.id)}/refunds`, { amount: 300, currency: 'JPY' })
  await till.work()
  const totals = async (query: Record<string, string> = {}) => {
    world.clock.advance(1000)
    const more = { auth: own.as_merchant, query }
    const { status, body, text } = await world.call('GET', '/transaction_history/totals', more)
    expect(status, text).toBe(200)
    return body
  }
  expect(await totals()).toMatchObject({ count: 4, is_complete: true })
  expect((await totals({ type: 'charge' })).items).toEqual([
    { currency: 'JPY', count: 2, successful: 1, amount: 1000, refunded_amount: 300 },
    { currency: 'USD', count: 1, successful: 1, amount: 250, refunded_amount: 0 },
  ])
  expect((await totals({ type: 'refund' })).items).toMatchObject([
    { count: 1, refunded_amount: 300 },
  ])
  expect(await totals({ error_code: '306', type: 'charge' })).toMatchObject({ count: 1 })
  expect(await totals({ amount_from: '900' })).toMatchObject({ count: 1 })
  expect(await totals({ search: 'nobody' })).toEqual({ count: 0, is_complete: true, items: [] })
  const wrong = { auth: own.as_merchant, query: { status: 'unknown' } }
  expect((await world.call('GET', '/transaction_history/totals', wrong)).status).toBe(400)
  const of_store = `/stores/${own.store_id}/transaction_history/totals`
  expect((await world.call('GET', of_store, { auth: shop.as_merchant })).status).toBe(404)
  expect((await world.call('GET', of_store, { auth: own.as_merchant })).body.count).toBe(4)
})
