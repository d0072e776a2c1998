import { beforeAll, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { newId } from '../../core/ids.ts'
import { countActivity } from '../activity/count-activity.ts'

// One person paid three times: without an id, and with two ids of the merchant, always with one e-mail.
const world = useWorld()
let shop: TestMerchant
let pay: Payments
const ids = [newId(1), newId(2)]
const paid: { id: string }[] = []
let subscription_id: string
let dispute_id: string

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  const email = 'Hanako@Example.com'
  const data = { cardholder: 'Hanako Sato' }
  paid.push(await pay.settled({ amount: 1000 }, { token: { email }, data }))
  for (const [place, id] of ids.entries()) {
    const token = { email: email.toLowerCase(), metadata: { 'svc-customer-id': id } }
    paid.push(await pay.settled({ amount: 2000 + place }, { token, data }))
  }
  await pay.settled({ amount: 50 }, { token: { email: 'other@example.com' } })
  const token = await pay.tokenId({
    type: 'subscription',
    email,
    metadata: { 'svc-customer-id': ids[0] },
  })
  const plan = { transaction_token_id: token, amount: 980, currency: 'JPY', period: 'monthly' }
  subscription_id = (await pay.post('/subscriptions', plan)).body.id
  const path = pay.chargePath(paid[1]?.id ?? '')
  await pay.post(`${path}/refunds`, { amount: 500, currency: 'JPY' })
  dispute_id = (await pay.post(`/test/charges/${paid[0]?.id}/disputes`)).body.id
  await pay.work()
  await countActivity(world.service, 1000)
})

async function get(path: string, query: Record<string, string> = {}, auth = shop.as_merchant) {
  world.clock.advance(1000)
  const { status, body, text } = await world.call('GET', path, { auth, query })
  expect(status, text).toBe(200)
  return body
}

async function hanako() {
  const { items } = await get('/customers', { search: 'hanako@', mode: 'test' })
  expect(items).toHaveLength(1)
  return items[0]
}

test('everybody with one e-mail is one customer in the list, with the first id', async () => {
  const { items } = await get('/customers', { mode: 'test' })
  const emails = items.map(({ email }: { email: string }) => email)
  expect(emails.sort()).toEqual(['hanako@example.com', 'other@example.com'])
  expect(await hanako()).toMatchObject({ customer_id: ids[0], name: 'HANAKO SATO' })
  const by_id = await get('/customers', { search: ids[1] ?? '', mode: 'test' })
  expect(by_id.items).toMatchObject([{ id: (await hanako()).id }])
})

test('the customer has all payments, cards, subscriptions, refunds and disputes', async () => {
  const { id } = await hanako()
  const customer = await get(`/customers/${id}`)
  expect(customer.customer_ids).toEqual(ids)
  expect(customer.totals).toMatchObject([
    { currency: 'JPY', successful: 4, amount: 5981, refunded_amount: 500 },
  ])
  const [{ first_on, last_on }] = customer.totals
  expect(Date.parse(first_on)).toBeLessThan(Date.parse(last_on))
  expect(customer.subscriptions).toMatchObject([{ id: subscription_id, amount: 980 }])
  expect(customer.disputes).toMatchObject([{ id: dispute_id, charge_id: paid[0]?.id }])
  expect(customer.tokens).toHaveLength(1)
  const charges = await get('/transaction_history', { customer_key: id, type: 'charge' })
  expect(charges.items).toHaveLength(4)
  const refunds = await get('/transaction_history', { customer_key: id, type: 'refund' })
  expect(refunds.items).toMatchObject([{ amount: 500 }])
})

test('a payment and a subscription name their customer, and how it is going', async () => {
  const { id } = await hanako()
  const charge = await get(`${pay.chargePath(paid[2]?.id ?? '')}/connections`)
  expect(charge).toMatchObject({ customer: { id, name: 'HANAKO SATO' }, transfer: null })
  const path = `/stores/${shop.store_id}/subscriptions/${subscription_id}/connections`
  const subscription = await get(path)
  expect(subscription).toMatchObject({
    ...{ customer: { id }, last_four: '4242', currency: 'JPY' },
    ...{ paid_count: 1, failed_count: 0, paid_amount: 980, refunded_amount: 0 },
  })
  expect(subscription.attempts).toMatchObject([{ status: 'successful', amount: 980, error: null }])
})

test('a store lists customers who have paid there; other merchants see nobody', async () => {
  const store = await world.call('POST', '/stores', {
    auth: shop.as_merchant,
    body: { name: 'Second' },
  })
  const in_first = await get('/customers', { store_id: shop.store_id, mode: 'test' })
  expect(in_first.items).toHaveLength(2)
  const in_second = await get('/customers', { store_id: store.body.id, mode: 'test' })
  expect(in_second.items).toEqual([])
  const other = await world.merchant()
  const { id } = await hanako()
  const of_other = { auth: other.as_merchant }
  expect((await world.call('GET', `/customers/${id}`, of_other)).status).toBe(404)
  const seen = await get('/transaction_history', { customer_key: id }, other.as_merchant)
  expect(seen.items).toEqual([])
})
