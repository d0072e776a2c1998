import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { newId } from '../../core/ids.ts'
import { countActivity } from '../activity/count-activity.ts'

// One search over everything of a merchant: what is typed finds the payment, and what belongs to it.
const world = useWorld()
let shop: TestMerchant
let pay: Payments
let paid: { id: string }
let refund_id: string
let subscription_id: string
let dispute_id: string
let link_id: string
let session_id: string
const customer_id = newId(1)

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  paid = await pay.settled(
    { amount: 12_800, metadata: { order_id: 'A-2026/0007', nested: { orderNo: 'zx81' } } },
    {
      token: { email: 'Hanako@Example.com', metadata: { 'svc-customer-id': customer_id } },
      data: { cardholder: 'HANAKO SATO', card_number: '5555555555554444' },
    },
  )
  await pay.settled({ amount: 700 })
  const back = await pay.post(`${pay.chargePath(paid.id)}/refunds`, {
    amount: 333,
    currency: 'JPY',
  })
  refund_id = back.body.id
  const token = await pay.tokenId({ type: 'subscription', email: 'hanako@example.com' })
  const plan = { transaction_token_id: token, amount: 980, currency: 'JPY', period: 'monthly' }
  subscription_id = (await pay.post('/subscriptions', plan)).body.id
  dispute_id = (await pay.post(`/test/charges/${paid.id}/disputes`)).body.id
  const sold = { name: '京都の抹茶', amount: 4321, currency: 'JPY' }
  link_id = (await pay.post('/payment_links', sold)).body.id
  const line_items = [{ name: 'Tea', quantity: 1, amount: 500 }]
  session_id = (await pay.post('/checkout_sessions', { amount: 500, currency: 'JPY', line_items }))
    .body.id
  const transfer = await pay.waiting('bank_transfer', { brand: 'aozora_bank' })
  await pay.post(`/test/charges/${transfer}/deposits`, { amount: 1000 })
  await pay.work()
  await world.store.pool.query(`update deposits set name = 'ﾔﾏﾀﾞ ﾊﾅｺ'`)
  await countActivity(world.service, 100)
})

async function find(q: string, query: Record<string, string> = {}, auth = shop.as_merchant) {
  world.clock.advance(1000)
  const { status, body, text } = await world.call('GET', '/search', {
    auth,
    query: { q, ...query },
  })
  expect(status, text).toBe(200)
  return body.items as { type: string; id: string; name: string; charge_id: string | null }[]
}
const typesOf = async (q: string) => [
  ...new Set((await find(q, { mode: 'test' })).map(({ type }) => type)),
]
const idsOf = async (q: string) => (await find(q, { mode: 'test' })).map(({ id }) => id)

test('a payment is found by everything that people know of it', async () => {
  const { id } = paid
  const shown = `${id.slice(0, 8)}…${id.slice(-4)}`
  const texts = [id, shown, id.slice(0, 20), id.slice(-6), id.slice(-12), `…${id.slice(-4)}`]
  const facts = ['hanako@ex', 'HANAKO sato', '4444', '¥12,800', '12800', '１２，８００', '12,800円']
  const orders = ['A-2026/0007', 'a-2026', '0007', 'zx81']
  for (const text of [...texts, ...facts, ...orders]) expect(await idsOf(text), text).toContain(id)
  expect(await idsOf('$12,800')).toEqual([])
  expect(await idsOf('nobody')).toEqual([])
})

test('a payment is found with everything that belongs to it, in groups', async () => {
  expect(await typesOf('hanako')).toEqual([
    'charge',
    'customer',
    'subscription',
    'refund',
    'dispute',
  ])
  expect(await idsOf('hanako')).toEqual(
    expect.arrayContaining([paid.id, subscription_id, dispute_id]),
  )
  expect(await idsOf('333')).toEqual([refund_id])
  expect(await idsOf(refund_id.slice(-7))).toContain(refund_id)
  expect(await idsOf('980')).toContain(subscription_id)
  expect(await idsOf('抹茶')).toEqual([link_id])
  expect(await idsOf('¥4,321')).toEqual([link_id])
  expect(await idsOf(session_id)).toEqual([session_id])
  expect(await idsOf(dispute_id.slice(-8))).toEqual([dispute_id])
})

test('the name of a sender is found in full-width and half-width characters', async () => {
  expect(await typesOf('ヤマダ')).toEqual(['deposit'])
  expect(await typesOf('ﾔﾏﾀﾞ ﾊﾅ')).toEqual(['deposit'])
})

test('a customer with and without an id is one result', async () => {
  const found = await find('hanako@example.com', { mode: 'test' })
  expect(found.filter(({ type }) => type === 'customer')).toMatchObject([{ name: 'HANAKO SATO' }])
  const by_id = await find(customer_id, { mode: 'test' })
  expect(by_id.map(({ type }) => type)).toContain('customer')
})

test('one mode, one store and one merchant are searched', async () => {
  expect(await find('hanako', { mode: 'live' })).toEqual([])
  expect(await find('hanako', { mode: 'test', store_id: shop.store_id })).not.toEqual([])
  const other = await world.merchant()
  expect(await find(paid.id, { mode: 'test' }, other.as_merchant)).toEqual([])
  const of_other = await world.call('GET', '/search', {
    auth: shop.as_merchant,
    query: { q: 'hanako', store_id: other.store_id },
  })
  expect(of_other.status).toBe(404)
  const { status } = await world.call('GET', '/search', {
    auth: shop.as_merchant,
    query: { q: '' },
  })
  expect(status).toBe(400)
  const of_store = await world.call('GET', '/search', {
    auth: shop.as_store,
    query: { q: 'hanako' },
  })
  expect(of_store.status).toBe(403)
})

test.each(["'", '\\', '%', ')(', '&|!:*', '…', '\u0000', '😀', 'a'.repeat(255)])(
  'any text is a search: %j',
  async (text) => {
    world.clock.advance(1000)
    const { status } = await world.call('GET', '/search', {
      auth: shop.as_merchant,
      query: { q: text, mode: 'test' },
    })
    expect([200, 400]).toContain(status)
  },
)
