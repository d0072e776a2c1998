import { afterAll, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'

// The lifecycle of subscriptions, with the test clock. It begins on 15 January 2026 in Tokyo, at nine.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

afterAll(async () => {
  expect(await paymentFaults(world)).toEqual([])
})

const bad_card = { card_number: '4000000000000002' }
const pathOf = (id: string) => `/stores/${shop.store_id}/subscriptions/${id}`

async function subscribe(body: object = {}, data: object = {}): Promise<string> {
  const created = await pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring' }, data),
    amount: 1000,
    currency: 'JPY',
    period: 'monthly',
    ...body,
  })
  expect(created.status, created.text).toBe(201)
  await pay.work()
  return created.body.id
}

const read = async (id: string): Promise<ApiResponse['body']> => (await pay.get(pathOf(id))).body
const patch = (id: string, body: object, more = '') => pay.patch(`${pathOf(id)}${more}`, body)
const pass = async (advance: string) =>
  expect((await pay.post('/test/clock', { advance })).status).toBe(200)

async function charges(id: string): Promise<[day: string, status: string, code: number | null][]> {
  const { items } = (await pay.get(`${pathOf(id)}/charges?limit=100&cursor_direction=asc`)).body
  return items.map((one: ApiResponse['body']) => [
    new Date(one.created_on).toISOString().slice(0, 10),
    one.status,
    one.error?.code ?? null,
  ])
}

async function events(id: string): Promise<string[]> {
  const { rows } = await world.store.pool.query(
    'select name from events where resource_id = $1 order by sequence',
    [id],
  )
  return rows.map(({ name }) => name.replace('subscription_', ''))
}

test('a year with a failing card in month 3 and a new card in month 4', async () => {
  const id = await subscribe()
  await pass('P1M')
  const failing = await pay.tokenId({ type: 'recurring' }, bad_card)
  expect((await patch(id, { transaction_token_id: failing }, '/token')).status).toBe(200)
  await pass('P1M')
  expect(await read(id)).toMatchObject({
    status: 'unpaid',
    next_payment: { due_date: '2026-03-15', retry_date: '2026-03-21', is_paid: false },
  })
  await pass('P14D')
  const working = await pay.tokenId({ type: 'recurring' })
  await patch(id, { transaction_token_id: working })
  await pay.work()
  expect(await read(id)).toMatchObject({ status: 'current', next_payment_date: '2026-04-15' })
  await pass('P10M')
  expect(await charges(id)).toEqual([
    ['2026-01-15', 'successful', null],
    ['2026-02-15', 'successful', null],
    ['2026-03-15', 'failed', 306],
    ['2026-03-21', 'failed', 306],
    ['2026-03-27', 'failed', 306],
    ['2026-03-29', 'successful', null],
    ...['04', '05', '06', '07', '08', '09', '10', '11', '12'].map((month) => [
      `2026-${month}-15`,
      'successful',
      null,
    ]),
    ['2027-01-15', 'successful', null],
  ])
  const { items } = (await pay.get(`${pathOf(id)}/payments?limit=100`)).body
  expect(items.filter((one: ApiResponse['body']) => one.is_paid)).toHaveLength(13)
  expect(items.at(-3)).toMatchObject({
    due_date: '2026-03-15',
    successful_payment_date: '2026-03-29',
  })
  const tried = await pay.get(`${pathOf(id)}/payments/${items.at(-3).id}/charges`)
  expect(tried.body.items).toHaveLength(4)
  const reported = await events(id)
  expect(reported.filter((name) => name === 'payment')).toHaveLength(13)
  expect(reported.filter((name) => name === 'failure')).toHaveLength(3)
  expect(reported[0]).toBe('created')
})

test('a first charge that fails leaves it unconfirmed; a new card restarts it', async () => {
  const id = await subscribe({}, bad_card)
  expect((await read(id)).status).toBe('unconfirmed')
  const token = await pay.tokenId({ type: 'recurring' })
  expect((await patch(id, { transaction_token_id: token })).body.status).toBe('unverified')
  await pay.work()
  expect((await read(id)).status).toBe('current')
  expect(await charges(id)).toMatchObject([
    [expect.anything(), 'failed', 306],
    [expect.anything(), 'successful', null],
  ])
  expect(await events(id)).toEqual(['created', 'failure', 'payment'])
})

test('all attempts used up: suspended, or canceled; resuming charges immediately and counts from zero', async () => {
  const id = await subscribe()
  const bad = await pay.tokenId({ type: 'recurring' }, bad_card)
  await patch(id, { transaction_token_id: bad })
  await pass('P2M')
  expect((await read(id)).status).toBe('suspended')
  expect((await charges(id)).filter(([, status]) => status === 'failed')).toHaveLength(5)
  await pass('P1M')
  expect(await charges(id)).toHaveLength(6)
  await patch(id, { transaction_token_id: await pay.tokenId({ type: 'recurring' }) })
  const resumed = await pay.patch(`/subscriptions/${id}/unsuspend`)
  expect(resumed.body.status).toBe('unpaid')
  await pay.work()
  expect(await read(id)).toMatchObject({ status: 'current', next_payment_date: '2026-03-15' })
  // Missed payments are made one by one, not in a burst.
  await pass('PT3H')
  expect((await charges(id)).slice(6)).toHaveLength(3)
  expect((await read(id)).next_payment_date).toBe('2026-05-15')
})

test('canceled instead when the store says so, after as many attempts as it says', async () => {
  await world.call('PATCH', `/stores/${shop.store_id}`, {
    auth: shop.as_merchant,
    body: {
      configuration: {
        subscription_configuration: { failed_charges_to_cancel: 2, suspend_on_cancel: false },
      },
    },
  })
  const id = await subscribe({ schedule_settings: { retry_interval: 'P3D' } })
  await patch(id, { transaction_token_id: await pay.tokenId({ type: 'recurring' }, bad_card) })
  await pass('P2M')
  expect((await read(id)).status).toBe('canceled')
  expect((await charges(id)).slice(1)).toEqual([
    ['2026-02-15', 'failed', 306],
    ['2026-02-18', 'failed', 306],
  ])
  expect((await events(id)).slice(-2)).toEqual(['failure', 'canceled'])
  expect((await patch(id, { amount: 5 })).body.code).toBe('SUBSCRIPTION_ALREADY_ENDED')
})

test('immediate stops now, on_next_payment right before the next payment', async () => {
  const now = await subscribe()
  expect((await patch(now, { status: 'suspended' })).body.status).toBe('suspended')
  const later = await subscribe({ schedule_settings: { termination_mode: 'on_next_payment' } })
  const response = await world.call('DELETE', pathOf(later), { auth: shop.as_store })
  expect(response.status).toBe(204)
  expect(await read(later)).toMatchObject({
    status: 'current',
    next_payment: { terminate_with_status: 'canceled' },
  })
  const stored = await subscribe()
  await patch(stored, { termination_mode: 'on_next_payment' }, '/suspend')
  await patch(stored, { next_payment: { terminate_with_status: null } })
  await pass('P30D')
  expect((await read(later)).status).toBe('current')
  await pass('P2D')
  expect((await read(later)).status).toBe('canceled')
  expect(await charges(later)).toHaveLength(1)
  expect(await charges(now)).toHaveLength(1)
  expect(await charges(stored)).toHaveLength(2)
})

test('start_on: nothing before it; with an initial amount that is paid immediately', async () => {
  const settings = { schedule_settings: { start_on: '2026-02-01', zone_id: 'America/New_York' } }
  const plain = await subscribe(settings)
  const initial = await subscribe({ ...settings, initial_amount: 300 })
  expect(await read(plain)).toMatchObject({ status: 'current', next_payment_date: '2026-02-01' })
  expect(await read(initial)).toMatchObject({ status: 'current', next_payment_date: '2026-02-01' })
  await pass('P1M')
  expect(await charges(plain)).toEqual([['2026-02-01', 'successful', null]])
  const { items } = (await pay.get(`${pathOf(initial)}/charges`)).body
  expect(items.map((one: ApiResponse['body']) => one.charged_amount)).toEqual([1000, 300])
  expect(new Date(items[0].created_on).toISOString()).toBe('2026-02-01T14:00:00.000Z')
})

test('a plan is completed with its last payment, and its parts are exactly the total', async () => {
  const id = await subscribe({
    amount: 1000,
    subscription_plan: { plan_type: 'fixed_cycles', fixed_cycles: 3 },
  })
  expect(await read(id)).toMatchObject({ cycles_left: 2, payments_left: 2, amount_left: 667 })
  await pass('P1Y')
  expect(await read(id)).toMatchObject({
    status: 'completed',
    next_payment: null,
    cycles_left: 0,
    amount_left: 0,
  })
  const { items } = (await pay.get(`${pathOf(id)}/charges`)).body
  expect(items.map((one: ApiResponse['body']) => one.charged_amount)).toEqual([334, 333, 333])
  expect((await events(id)).slice(-2)).toEqual(['payment', 'completed'])
})

test('installments are one charge of the total, and completed with it', async () => {
  const id = await subscribe({ installment_plan: { plan_type: 'fixed_cycles', fixed_cycles: 12 } })
  expect(await read(id)).toMatchObject({ status: 'completed', payments_left: null, amount_left: 0 })
  const { items } = (await pay.get(`${pathOf(id)}/payments`)).body
  expect(items).toMatchObject([{ amount: 1000, is_paid: true, is_last_payment: true }])
})

test('a first charge that is only held: authorized, then current when it is captured', async () => {
  const id = await subscribe({
    first_charge_authorization_only: true,
    first_charge_capture_after: 'PT6H',
  })
  expect((await read(id)).status).toBe('authorized')
  await pass('PT7H')
  expect((await read(id)).status).toBe('current')
})

test('canceled while the first charge is held: the hold is released', async () => {
  const id = await subscribe({
    first_charge_authorization_only: true,
    first_charge_capture_after: 'P2D',
  })
  await world.call('DELETE', pathOf(id), { auth: shop.as_store })
  await pay.work()
  expect(await charges(id)).toMatchObject([[expect.anything(), 'canceled', null]])
  await pass('P3D')
  expect((await read(id)).status).toBe('canceled')
})

test('3-D Secure on the first charge: unverified until the cardholder has answered', async () => {
  const id = await subscribe({ three_ds: { mode: 'force' } })
  expect((await read(id)).status).toBe('unverified')
  const { body } = await pay.get(`${pathOf(id)}/charges/latest`)
  expect(body.status).toBe('awaiting')
  await pay.post(`/test/charges/${body.id}/complete`, { outcome: 'successful' })
  await pay.work()
  expect((await read(id)).status).toBe('current')
  await pass('P1M')
  expect((await charges(id)).map(([, status]) => status)).toEqual(['successful', 'successful'])
})

test('a subscription token serves one subscription, and ends with it', async () => {
  const token = await pay.tokenId({ type: 'subscription' })
  const body = { transaction_token_id: token, amount: 5, currency: 'JPY', period: 'daily' }
  const created = await pay.post('/subscriptions', body)
  expect(created.status).toBe(201)
  expect((await pay.post('/subscriptions', body)).body.code).toBe('TRANSACTION_ALREADY_PROCESSED')
  await pass('P3D')
  expect(await charges(created.body.id)).toHaveLength(4)
  const remove = () =>
    world.call('DELETE', `/stores/${shop.store_id}/tokens/${token}`, { auth: shop.as_store })
  expect((await remove()).body.errors[0].reason).toBe('ONGOING_SUBSCRIPTIONS_EXIST_FOR_TOKEN')
  await world.call('DELETE', pathOf(created.body.id), { auth: shop.as_store })
  const { rows } = await world.store.pool.query(
    'select active, card_number from transaction_tokens where id = $1',
    [token],
  )
  expect(rows).toEqual([{ active: false, card_number: null }])
})

test('a duplicate that a schedule makes within 30 seconds fails with 311 and is made a minute later', async () => {
  const token = await pay.tokenId({ type: 'recurring' })
  const body = { transaction_token_id: token, amount: 5, currency: 'JPY', period: 'monthly' }
  const first = await pay.post('/subscriptions', body)
  world.clock.advance(31_000)
  const second = await pay.post('/subscriptions', body)
  expect(second.status).toBe(201)
  await pay.work()
  await pass('P1M')
  const both = [...(await charges(first.body.id)), ...(await charges(second.body.id))]
  expect(both.filter(([, , code]) => code === 311)).toHaveLength(1)
  expect(both.filter(([, status]) => status === 'successful')).toHaveLength(4)
  expect((await read(first.body.id)).status).toBe('current')
  expect((await read(second.body.id)).status).toBe('current')
})

test('a payment can be moved, and marked as paid', async () => {
  const id = await subscribe()
  const { next_payment } = await read(id)
  const moved = await patch(id, { due_date: '2026-02-20' }, `/payments/${next_payment.id}`)
  expect(moved.body).toMatchObject({ due_date: '2026-02-20' })
  await pass('P32D')
  expect(await charges(id)).toHaveLength(1)
  const paid = await patch(id, { is_paid: true }, `/payments/${next_payment.id}`)
  expect(paid.body).toMatchObject({ is_paid: true, successful_payment_date: '2026-02-16' })
  await pass('P1M')
  expect((await charges(id)).map(([day]) => day)).toEqual(['2026-01-15', '2026-03-15'])
  expect((await patch(id, { due_date: '2026-01-01' }, `/payments/${next_payment.id}`)).status).toBe(
    400,
  )
})

test('the test clock moves one merchant only, and never back', async () => {
  const other = payments(world, await world.merchant())
  await pass('P1D')
  const mine = (await pay.get('/test/clock')).body
  const theirs = (await other.get('/test/clock')).body
  expect(mine.ahead_ms).toBe(86_400_000)
  expect(theirs.ahead_ms).toBe(0)
  expect((await pay.post('/test/clock', { now: theirs.now })).body.errors[0].reason).toBe(
    'MUST_BE_FUTURE_TIME',
  )
  expect((await pay.post('/test/clock', {})).status).toBe(400)
  expect((await pay.post('/test/clock', { advance: 'PT0S' })).status).toBe(400)
  const live = await world.merchant({ mode: 'live', verified: true })
  expect((await world.call('GET', '/test/clock', { auth: live.as_store })).status).toBe(403)
})
