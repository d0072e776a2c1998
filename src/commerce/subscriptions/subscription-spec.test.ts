import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'

// Sentences of the specification about subscriptions that no other file covers.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const phone_number = { country_code: '81', local_number: '09012345678' }

async function subscribe(body: object = {}): Promise<ApiResponse> {
  const created = await pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring' }, { phone_number }),
    amount: 1000,
    currency: 'JPY',
    period: 'monthly',
    ...body,
  })
  await pay.work()
  return created
}

const list = () => `/stores/${shop.store_id}/subscriptions`
const chargesOf = async (id: string, query = '') =>
  (await pay.get(`${list()}/${id}/charges?${query}`)).body.items

test('a subscription in a list has merchant_id and every field; created_on is epoch ms', async () => {
  const { body } = await subscribe({ amount: 250, currency: 'USD', metadata: { plan: 'gold' } })
  const [item] = (await pay.get(list())).body.items
  expect(item).toMatchObject({
    id: body.id,
    merchant_id: shop.id,
    store_id: shop.store_id,
    amount: 250,
    currency: 'USD',
    amount_formatted: 2.5,
    period: 'monthly',
    status: 'current',
    metadata: { plan: 'gold' },
    mode: 'test',
    created_on: body.created_on,
  })
  expect(Number.isInteger(item.created_on)).toBe(true)
})

test('transaction_token_id, amount and currency are required', async () => {
  const { status, body } = await pay.post('/subscriptions', { period: 'monthly' })
  expect(status).toBe(400)
  const missing = ['transaction_token_id', 'amount', 'currency']
  expect(body.errors).toEqual(missing.map((field) => ({ field, reason: 'REQUIRED_VALUE' })))
})

test.each([
  'unverified',
  'unconfirmed',
  'canceled',
  'unpaid',
  'suspended',
  'current',
  'completed',
  'cancelled',
])('status %s is a filter of the list', async (status) => {
  expect(await pay.get(`${list()}?status=${status}`)).toMatchObject({
    status: 200,
    body: { items: [], has_more: false },
  })
})

test('installment_plan.fixed_cycles is required if plan_type is fixed_cycles', async () => {
  for (const fixed_cycles of [undefined, null]) {
    const plan = { plan_type: 'fixed_cycles', fixed_cycles }
    const { status, body } = await subscribe({ installment_plan: plan })
    expect(status).toBe(400)
    const field = 'installment_plan.fixed_cycles'
    expect(body.errors).toEqual([{ field, reason: 'REQUIRED_VALUE' }])
  }
  expect((await subscribe({ installment_plan: { plan_type: 'revolving' } })).status).toBe(201)
  const wrong = await subscribe({ installment_plan: { plan_type: 'fixed_cycle_amount' } })
  expect(wrong.status).toBe(400)
})

test('initial_amount is the first charge if different; the next ones are the amount', async () => {
  const { body } = await subscribe({ initial_amount: 300 })
  await pay.post('/test/clock', { advance: 'P1M' })
  const amounts = (await chargesOf(body.id)).map((one: ApiResponse['body']) => one.charged_amount)
  expect(amounts).toEqual([1000, 300])
})

test('charges of a subscription: parameters as for the charge list, phone is a string', async () => {
  const { id } = (await subscribe()).body
  const [charge] = await chargesOf(id)
  for (const query of [
    'phone=09012345678',
    'phone=%2B81%2090-1234-5678',
    'phone=+81%2090-1234-5678',
    'phone=%2B81%20(0)90%201234%205678',
    'phone=090-1234-5678',
    'email=customer%40example.com',
    'amount_from=999&amount_to=1001',
    'currency=JPY',
    'mode=test',
    `transaction_token_id=${charge.transaction_token_id}`,
    `from=${new Date(charge.created_on - 1).toISOString()}`,
    'card_number=4242424242424242',
  ]) {
    expect(await chargesOf(id, query), query).toEqual([charge])
  }
  for (const query of [
    'phone=%2B82%2090-1234-5678',
    'phone=09012345679',
    'amount_to=1000',
    'currency=USD',
    'mode=live',
  ]) {
    expect(await chargesOf(id, query), query).toEqual([])
  }
})

test('the charges of one subscription are not those of another', async () => {
  const [first, second] = [(await subscribe()).body.id, (await subscribe()).body.id]
  const [of_first] = await chargesOf(first)
  const [of_second] = await chargesOf(second)
  expect(of_first).toMatchObject({ subscription_id: first })
  expect(of_second).toMatchObject({ subscription_id: second })
})
