import { afterAll, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'
import { day_ms } from '../../core/time/clock.ts'
import { runKind } from '../../worker/worker.ts'

// Effects of changes on a subscription, above all while one of its charges is in progress.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let customers = 0

afterAll(async () => {
  expect(await paymentFaults(world)).toEqual([])
})

const bad_card = { card_number: '4000000000000002' }
const pathOf = (id: string) => `/stores/${shop.store_id}/subscriptions/${id}`
const read = async (id: string): Promise<ApiResponse['body']> => (await pay.get(pathOf(id))).body
const patch = (id: string, body: object, more = '') => pay.patch(`${pathOf(id)}${more}`, body)
const cancel = (id: string) => world.call('DELETE', pathOf(id), { auth: shop.as_store })
const pass = (days: number) => world.clock.advance(days * day_ms)
const dayIn = (days: number) =>
  new Date(world.clock.now() + days * day_ms).toISOString().slice(0, 10)

function tokenOf(type: string, data: object = {}): Promise<string> {
  customers += 1
  return pay.tokenId({ type, email: `c${customers}@example.com` }, data)
}

/** A subscription whose first charge was only created. */
async function begin(body: object = {}, data: object = {}, type = 'recurring'): Promise<string> {
  const created = await pay.post('/subscriptions', {
    transaction_token_id: await tokenOf(type, data),
    amount: 1000,
    currency: 'JPY',
    period: 'monthly',
    ...body,
  })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}

async function subscribe(
  body: object = {},
  data: object = {},
  type = 'recurring',
): Promise<string> {
  const id = await begin(body, data, type)
  await pay.work()
  return id
}

/** Creates the due charges and leaves them in progress. */
async function bill(): Promise<void> {
  while ((await runKind(world.service, 'subscriptions')) > 0);
}

async function amounts(id: string): Promise<number[]> {
  const { rows } = await world.store.pool.query(
    'select requested_amount from charges where subscription_id = $1 order by id',
    [id],
  )
  return rows.map((row) => row.requested_amount)
}

async function payment(id: string): Promise<string> {
  return `/payments/${(await read(id)).next_payment.id}`
}

test('suspended and resumed while its charge is under way: the cycle is charged once', async () => {
  const id = await subscribe({}, {}, 'subscription')
  pass(32)
  await bill()
  await patch(id, { status: 'suspended' })
  expect((await patch(id, { is_paid: true }, await payment(id))).status).toBe(400)
  expect((await patch(id, { status: 'unpaid' })).body.status).toBe('unpaid')
  await bill()
  expect((await patch(id, { is_paid: true }, await payment(id))).status).toBe(400)
  await pay.work()
  expect(await amounts(id)).toEqual([1000, 1000])
  expect(await read(id)).toMatchObject({ status: 'current', next_payment: { is_paid: false } })
})

test('the same with a charge that fails: it is retried', async () => {
  const id = await subscribe()
  await patch(id, { transaction_token_id: await tokenOf('recurring', bad_card) })
  pass(32)
  await bill()
  await patch(id, { status: 'suspended' })
  await patch(id, { status: 'unpaid' })
  await pay.work()
  expect(await amounts(id)).toEqual([1000, 1000])
  expect(await read(id)).toMatchObject({ status: 'unpaid', next_payment: { is_paid: false } })
  expect((await read(id)).next_payment.retry_date).not.toBeNull()
})

test.each(['suspended', 'canceled'] as const)(
  '%s on the next payment, asked for while a charge is under way: there is no other',
  async (end) => {
    const id = await subscribe({ schedule_settings: { termination_mode: 'on_next_payment' } })
    pass(32)
    await bill()
    const response = end === 'canceled' ? await cancel(id) : await patch(id, { status: end })
    expect(response.status).toBeLessThan(300)
    await pay.work()
    expect(await read(id)).toMatchObject({
      status: 'current',
      next_payment: { is_paid: false, terminate_with_status: end },
    })
    pass(32)
    await pay.work()
    expect((await read(id)).status).toBe(end)
    expect(await amounts(id)).toEqual([1000, 1000])
  },
)

test('resuming drops a scheduled suspension, but not a scheduled cancellation', async () => {
  for (const end of ['suspended', 'canceled']) {
    const id = await subscribe()
    await patch(id, { next_payment: { terminate_with_status: end } })
    await patch(id, { termination_mode: 'immediate' }, '/suspend')
    await patch(id, {}, '/unsuspend')
    pass(32)
    await pay.work()
    expect((await read(id)).status).toBe(end === 'suspended' ? 'current' : 'canceled')
  }
})

test('an amount that is changed while a charge is under way is that of the next charge', async () => {
  const id = await subscribe()
  pass(32)
  await bill()
  expect((await patch(id, { amount: 5000 })).status).toBe(200)
  await pay.work()
  const { items } = (await pay.get(`${pathOf(id)}/payments`)).body
  const paid = items.map((one: ApiResponse['body']) => [one.is_paid, one.amount])
  expect(paid).toEqual([
    [false, 5000],
    [true, 1000],
    [true, 1000],
  ])
})

test('an amount changed during the first charge applies when the first charge is repeated', async () => {
  const id = await begin({}, bad_card)
  expect((await patch(id, { amount: 500 })).status).toBe(200)
  await pay.work()
  await patch(id, { transaction_token_id: await tokenOf('recurring') })
  await pay.work()
  expect(await amounts(id)).toEqual([1000, 500])
})

test('a total cannot be changed while a part of it is being charged', async () => {
  const id = await begin({ amount: 10_000 })
  const subscription_plan = { plan_type: 'fixed_cycles', fixed_cycles: 4 }
  expect((await patch(id, { subscription_plan })).body.errors[0].reason).toBe('CHANGE_PROHIBITED')
  // The first of these four parts is being charged.
  expect((await patch(id, { subscription_plan, amount: 40_000 })).status).toBe(200)
  await pay.work()
  expect(await read(id)).toMatchObject({ cycles_left: 3, amount_left: 30_000 })
})

test('an amount and a day of the next payment can be changed together', async () => {
  const id = await subscribe()
  const due_date = dayIn(50)
  const { body } = await patch(id, { amount: 2000, next_payment: { due_date } })
  expect(body.next_payment).toMatchObject({ amount: 2000, due_date })
})

test('a start in the future for what failed: nothing is charged before', async () => {
  const id = await subscribe({}, bad_card)
  const start_on = dayIn(40)
  const transaction_token_id = await tokenOf('recurring')
  await patch(id, { schedule_settings: { start_on }, transaction_token_id })
  await pay.work()
  expect(await read(id)).toMatchObject({ status: 'current', next_payment_date: start_on })
  expect(await amounts(id)).toHaveLength(1)
})

test('a failed payment is not retried because of a scheduled cancellation, or of another day', async () => {
  const id = await subscribe({}, bad_card)
  world.clock.advance(60_000)
  await patch(id, { next_payment: { terminate_with_status: 'canceled' }, metadata: { a: 'b' } })
  expect((await patch(id, { next_payment: { due_date: dayIn(9) } })).status).toBe(400)
  expect((await patch(id, { is_paid: true }, await payment(id))).status).toBe(400)
  expect(await read(id)).toMatchObject({ status: 'unconfirmed' })
  expect(await amounts(id)).toHaveLength(1)
})

test('the plan of what failed can be changed: the payment is the last one of it', async () => {
  const id = await subscribe({}, bad_card)
  const transaction_token_id = await tokenOf('recurring')
  await patch(id, { installment_plan: { plan_type: 'revolving' }, transaction_token_id })
  await pay.work()
  const { items } = (await pay.get(`${pathOf(id)}/payments`)).body
  expect(items).toMatchObject([{ is_last_payment: true, is_paid: true, amount: 1000 }])
  expect((await read(id)).status).toBe('completed')
})

test('a part of a plan cannot be changed alone: the total would not be paid', async () => {
  const id = await subscribe({ subscription_plan: { plan_type: 'fixed_cycles', fixed_cycles: 3 } })
  const { body } = await patch(id, { next_payment: { amount: 1 } })
  expect(body.errors).toEqual([{ field: 'next_payment.amount', reason: 'CHANGE_PROHIBITED' }])
})

test('limits of the store hold for every amount that is charged', async () => {
  const configure = async (configuration: object) => {
    const path = `/stores/${shop.store_id}`
    const response = await world.call('PATCH', path, {
      auth: shop.as_merchant,
      body: { configuration },
    })
    expect(response.status, response.text).toBe(200)
  }
  await configure({ maximum_charge_amounts: [{ amount: 2000, currency: 'JPY' }] })
  const created = await pay.post('/subscriptions', {
    transaction_token_id: await tokenOf('recurring'),
    amount: 50_000,
    initial_amount: 100,
    currency: 'JPY',
    period: 'monthly',
  })
  expect(created.body.code).toBe('CHARGE_AMOUNT_TOO_HIGH')
  const plan = { plan_type: 'fixed_cycles', fixed_cycles: 3 }
  await subscribe({ amount: 6000, subscription_plan: plan })
  const id = await subscribe()
  expect((await patch(id, { amount: 2001 })).body.code).toBe('CHARGE_AMOUNT_TOO_HIGH')
  const more = await patch(id, { next_payment: { amount: 2001 } })
  expect(more.body.code).toBe('CHARGE_AMOUNT_TOO_HIGH')
  await configure({ subscription_configuration: { allow_merchant_amount_patch: false } })
  expect((await patch(id, { next_payment: { amount: 10 } })).status).toBe(400)
})

test('changes during a catch-up make no burst', async () => {
  const id = await subscribe({ period: 'daily' }, {}, 'subscription')
  pass(5)
  await pay.work()
  expect((await patch(id, { amount: 1001 })).status).toBe(200)
  await pay.work()
  const settings = { termination_mode: 'on_next_payment', retry_interval: null }
  expect((await patch(id, { schedule_settings: settings })).status).toBe(200)
  await patch(id, { terminate_with_status: null, retry_interval: null }, await payment(id))
  await pay.work()
  expect(await amounts(id)).toHaveLength(2)
  world.clock.advance(3_600_000)
  await pay.work()
  expect(await amounts(id)).toEqual([1000, 1000, 1001])
})

test('the month-end rule, switched on later, also moves the payment that comes next', async () => {
  const start_on = '2026-11-30'
  const id = await subscribe({ schedule_settings: { start_on } })
  pass((Date.parse('2026-12-01') - world.clock.now()) / day_ms)
  await pay.work()
  expect((await read(id)).next_payment_date).toBe('2026-12-30')
  await patch(id, { schedule_settings: { preserve_end_of_month: true } })
  expect((await read(id)).next_payment_date).toBe('2026-12-31')
  pass(30)
  await pay.work()
  expect(await amounts(id)).toEqual([1000, 1000])
  expect((await read(id)).next_payment_date).toBe('2027-01-31')
})

test('a change of its payment does not keep a subscription with a start_on unverified', async () => {
  const id = await begin({ schedule_settings: { start_on: dayIn(40) } })
  await patch(id, { due_date: dayIn(50) }, await payment(id))
  await pay.work()
  expect(await read(id)).toMatchObject({ status: 'current', next_payment_date: dayIn(50) })
})

test('metadata that was changed is found', async () => {
  const id = await subscribe({ metadata: { plan: 'gold' } })
  await patch(id, { metadata: { plan: 'platinum' } })
  const found = async (search: string) =>
    (await pay.get(`/stores/${shop.store_id}/subscriptions?search=${search}`)).body.items.length
  expect([await found('platinum'), await found('gold')]).toEqual([1, 0])
})

test('charges of a payment by card number', async () => {
  const id = await subscribe()
  const { items } = (await pay.get(`${pathOf(id)}/payments?cursor_direction=asc`)).body
  const charges = async (number: string) =>
    (await pay.get(`${pathOf(id)}/payments/${items[0].id}/charges?card_number=${number}`)).body
      .items
  expect(await charges('4242424242424242')).toHaveLength(1)
  expect(await charges('4000020000000000')).toHaveLength(0)
})

test('the card of a subscription token is not kept when it got another, or ended', async () => {
  const id = await subscribe({}, {}, 'subscription')
  const first = (await read(id)).transaction_token_id
  const second = await tokenOf('subscription')
  expect((await patch(id, { transaction_token_id: second }, '/token')).status).toBe(200)
  pass(32)
  await bill()
  await cancel(id)
  await pay.work()
  expect(await amounts(id)).toEqual([1000, 1000])
  const { rows } = await world.store.pool.query(
    'select active, card_number from transaction_tokens where id = any($1::uuid[])',
    [[first, second]],
  )
  const gone = { active: false, card_number: null }
  expect(rows).toEqual([gone, gone])
})

test('a token of another store, or that cannot do it, is refused', async () => {
  const id = await subscribe({ installment_plan: { plan_type: 'revolving' } }, bad_card)
  const konbini = await pay.post('/tokens', {
    payment_type: 'konbini',
    type: 'recurring',
    email: 'customer@example.com',
    data: {
      customer_name: 'Taro',
      convenience_store: 'seven_eleven',
      phone_number: { country_code: 81, local_number: '9012345678' },
    },
  })
  const refused = await patch(id, { transaction_token_id: konbini.body.id })
  expect(refused.body.errors[0].reason).toBe('ONLY_FOR_CARD_PAYMENT')
  const other = payments(world, await world.merchant())
  const foreign = await other.tokenId({ type: 'recurring' })
  expect((await patch(id, { transaction_token_id: foreign })).status).toBe(404)
})

test('the test clock passes a month quickly with much pending, and of two moves the later target wins', async () => {
  const data = {
    customer_name: 'Taro',
    convenience_store: 'seven_eleven',
    phone_number: { country_code: 81, local_number: '9012345678' },
  }
  const waiting = await pay.waiting('konbini', data)
  const move = (advance: string) =>
    world.call('POST', '/test/clock', { auth: shop.as_store, body: { advance } })
  const responses = await Promise.all([move('P40D'), move('P20D')])
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  expect(responses[0].body.ahead_ms).toBe(40 * day_ms)
  expect(responses[1].body.ahead_ms).toBeGreaterThanOrEqual(20 * day_ms)
  expect((await pay.get(pay.chargePath(waiting))).body).toMatchObject({ status: 'failed' })
})
