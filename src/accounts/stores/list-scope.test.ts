import { afterAll, beforeAll, expect, test } from 'vitest'
import { loginToken, newUser } from '../../../test/support/console-users.ts'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { newReceiver, type Receiver } from '../../../test/support/receiver/receiver.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// Lists of the merchant: deposits, ledger, deliveries, customers, views and what becomes due.
const world = useWorld()
let shop: TestMerchant
let pay: Payments
let receiver: Receiver
const paid: { id: string }[] = []

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  receiver = await newReceiver()
  const body = { url: receiver.url, triggers: ['charge_finished', 'refund_finished'] }
  await call('POST', '/webhooks', { body })
  const of_store = `/stores/${shop.store_id}/webhooks`
  await call('POST', of_store, { body: { ...body, url: `${receiver.url}/store` } })
  for (let count = 0; count < 12; count += 1) {
    paid.push(
      await pay.settled({ amount: 100 + count }, { token: { email: `c${count}@a.example` } }),
    )
  }
})
afterAll(async () => {
  await receiver.close()
})

async function call(method: string, path: string, more: { body?: object; auth?: string } = {}) {
  world.clock.advance(1000)
  const response = await world.call(method, path, { auth: shop.as_merchant, ...more })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}

/** Everything of a list, page by page. */
async function all(path: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  for (let cursor = ''; ; ) {
    const mark = path.includes('?') ? '&' : '?'
    const { items, has_more } = await call('GET', `${path}${mark}limit=10${cursor}`)
    found.push(...items)
    if (!has_more) return found
    cursor = `&cursor=${items.at(-1).id}`
  }
}

test('deposits: expected, held, applied and returned, in one list', async () => {
  const wait = () => pay.waiting('bank_transfer', { brand: 'aozora_bank' })
  const [expected, applied, late] = [await wait(), await wait(), await wait()]
  await pay.post(`/test/charges/${applied}/deposits`, { amount: 1000 })
  await pay.post(`/test/charges/${late}/deposits`, { amount: 1500 })
  await pay.work()
  const list = async (query = '') =>
    (await all(`/deposits${query}`)).map(({ charge_id, status }) => [charge_id, status])
  expect(await list('?status=expected')).toContainEqual([expected, 'expected'])
  const statuses = new Map((await list()) as [string, string][])
  expect(statuses.get(applied ?? '')).toBe('applied')
  expect(statuses.get(expected ?? '')).toBe('expected')
  expect(await list(`?charge_id=${applied}`)).toEqual([[applied, 'applied']])
  expect(await list('?payment_type=konbini')).toEqual([])
  const other = await world.merchant()
  const { items } = await call('GET', '/deposits', { auth: other.as_merchant })
  expect(items).toEqual([])
})

test('ledger: balances sum to zero, and an account opens to entries that sum to its balance', async () => {
  const { balances, trial_balance } = await call('GET', '/ledger_balances')
  expect(trial_balance).toMatchObject([{ mode: 'test', currency: 'JPY', difference: 0 }])
  for (const { account, balance } of balances) {
    const entries = await all(`/ledger_entries?account=${account}&currency=JPY`)
    expect(
      entries.reduce((sum, { amount }) => sum + Number(amount), 0),
      account,
    ).toBe(balance)
  }
  const of_charge = await all(`/ledger_entries?charge_id=${paid[0]?.id}`)
  expect(new Set(of_charge.map(({ charge_id }) => charge_id))).toEqual(new Set([paid[0]?.id]))
  const whole = await all('/ledger_entries')
  expect(new Set(whole.map(({ id, line }) => `${id} ${line}`)).size).toBe(whole.length)
})

test('deliveries to all webhooks: nothing twice, nothing lost, events stay together', async () => {
  const found = await all('/deliveries')
  expect(new Set(found.map(({ id, webhook_id }) => `${id} ${webhook_id}`)).size).toBe(found.length)
  expect(found.length).toBeGreaterThanOrEqual(24)
  expect(found.every(({ status }) => status === 'delivered')).toBe(true)
  const of_charge = await all(`/deliveries?resource_id=${paid[0]?.id}`)
  expect(of_charge).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
  expect(await all('/deliveries?status=failed')).toEqual([])
  const of_store = await all(`/deliveries?store_id=${shop.store_id}`)
  expect(of_store.every(({ url }) => String(url).endsWith('/store'))).toBe(true)
  expect(of_store.length).toBe(found.length / 2)
})

test('customers by e-mail and by id, with totals and masked tokens', async () => {
  const customer_id = crypto.randomUUID()
  const token = { type: 'recurring', metadata: { 'svc-customer-id': customer_id } }
  const transaction_token_id = await pay.tokenId({ ...token, email: 'zoe@a.example' })
  for (const amount of [200, 300]) {
    await pay.post('/charges', { transaction_token_id, amount, currency: 'JPY' })
    await pay.work()
    world.clock.advance(60_000)
  }
  const emails = async (search: string) =>
    (await all(`/customers?search=${search}`)).map(({ email }) => email)
  expect(await emails('c1')).toEqual(['c11@a.example', 'c10@a.example', 'c1@a.example'])
  const [known] = await all(`/customers?search=${customer_id}`)
  const details = await call('GET', `/customers/${known?.id}`)
  expect(details).toMatchObject({
    customer_id,
    totals: [{ currency: 'JPY', successful: 2, amount: 500 }],
    tokens: [{ id: transaction_token_id, brand: 'visa', last_four: '4242' }],
  })
  const history = await all(`/transaction_history?customer_id=${customer_id}`)
  expect(history.map(({ amount }) => amount)).toEqual([300, 200])
  const [guest] = await all('/customers?search=c3@a.example')
  const { totals } = await call('GET', `/customers/${guest?.id}`)
  expect(totals).toMatchObject([{ successful: 1, amount: 103 }])
})

test('views belong to their user, and there are at most fifty', async () => {
  const auth = await loginToken(world, (await newUser(world, shop)).email)
  const other = await loginToken(world, (await newUser(world, shop)).email)
  const body = { name: 'Failed', list: 'transaction_history', filters: { status: ['failed'] } }
  const view = await call('POST', '/me/views', { auth, body })
  expect(view).toMatchObject({ ...body, columns: [] })
  const path = `/me/views/${view.id}`
  expect(await call('PATCH', path, { auth, body: { columns: ['id'] } })).toMatchObject({
    ...body,
    columns: ['id'],
  })
  expect((await call('GET', '/me/views', { auth: other })).items).toEqual([])
  for (const method of ['PATCH', 'DELETE']) {
    const { status } = await world.call(method, path, {
      auth: other,
      ...(method === 'PATCH' ? { body } : {}),
    })
    expect(status).toBe(404)
  }
  for (let count = 1; count < 50; count += 1) await call('POST', '/me/views', { auth, body })
  const full = await world.call('POST', '/me/views', { auth, body })
  expect([full.status, full.body.code]).toEqual([400, 'RESOURCE_LIMIT_REACHED'])
  await call('DELETE', path, { auth })
  expect((await call('GET', '/me/views', { auth })).has_more).toBe(true)
})

test('upcoming work until a time: payments of a subscription, a hold, an expiry, in order', async () => {
  const held = await pay.settled({ capture: false })
  const waiting = await pay.waiting('konbini', {
    customer_name: 'Taro',
    convenience_store: 'lawson',
    phone_number: { country_code: '81', local_number: '0312345678' },
  })
  const subscription = await pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring' }),
    amount: 100,
    currency: 'JPY',
    period: 'monthly',
  })
  await pay.work()
  const until = new Date(world.clock.now() + 100 * 86_400_000).toISOString()
  const { items } = (await pay.get(`/test/clock/upcoming?until=${until}`)).body
  const times = items.map(({ on }: { on: string }) => on)
  expect(times).toEqual([...times].sort())
  const of = (id: string) =>
    items.filter((one: { resource_id: string }) => one.resource_id === id).map(kindOf)
  const kindOf = ({ kind }: { kind: string }) => kind
  expect(of(held.id)).toEqual(['authorization_expiry'])
  expect(of(waiting)).toEqual(['payment_expiry'])
  expect(of(subscription.body.id)).toEqual(Array(3).fill('subscription_payment'))
  expect((await pay.get('/test/clock/upcoming?until=2001-01-01')).status).toBe(400)
})
