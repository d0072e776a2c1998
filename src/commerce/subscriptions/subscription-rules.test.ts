import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'

// Rules of POST /subscriptions and the shape of its responses. It is 15 January 2026, nine in the morning
// in Tokyo.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const monthly = { amount: 1000, currency: 'JPY', period: 'monthly' }
const subscribe = async (body: object = {}, token: object = { type: 'recurring' }) =>
  pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId(token),
    ...monthly,
    ...body,
  })
const pathOf = (id: string) => `/stores/${shop.store_id}/subscriptions/${id}`

test('a newly created subscription has status unverified and every field', async () => {
  const created = await subscribe({ metadata: { plan: 'gold' } })
  expect(created.status, created.text).toBe(201)
  expect(created.body).toMatchObject({
    store_id: shop.store_id,
    amount: 1000,
    currency: 'JPY',
    amount_formatted: 1000,
    initial_amount: null,
    initial_amount_formatted: null,
    period: 'monthly',
    cyclical_period: null,
    status: 'unverified',
    metadata: { plan: 'gold' },
    mode: 'test',
    created_on: world.clock.now(),
    schedule_settings: {
      start_on: null,
      zone_id: 'Asia/Tokyo',
      preserve_end_of_month: null,
      retry_interval: null,
      termination_mode: 'immediate',
    },
    cycles_left: null,
    payments_left: null,
    amount_left: null,
    installment_plan: null,
    subscription_plan: null,
    first_charge_authorization_only: false,
    first_charge_capture_after: null,
    only_direct_currency: false,
    descriptor: null,
    three_ds: { mode: 'normal', redirect_endpoint: null, redirect_id: null },
  })
  expect(created.body.next_payment).toMatchObject({
    due_date: '2026-01-15',
    is_paid: false,
    amount: 1000,
  })
  await pay.work()
  const found = (await pay.get(pathOf(created.body.id))).body
  expect(found).toMatchObject({ status: 'current', next_payment_date: '2026-02-15' })
})

test.each([
  ['recurring', { type: 'recurring' }, 201, undefined],
  ['subscription', { type: 'subscription' }, 201, undefined],
  ['with the subscription flag true', { subscription: true }, 201, undefined],
  ['one-time', {}, 400, 'NOT_SUBSCRIPTION_TOKEN'],
])('a token that is %s', async (_, token, status, code) => {
  const created = await subscribe({}, token)
  expect(created.status, created.text).toBe(status)
  expect(created.body.code).toBe(code)
})

const plan = (subscription_plan: object) => ({ subscription_plan })
const settings = (schedule_settings: object) => ({ schedule_settings })

test.each([
  [
    'both period and cyclical_period',
    { cyclical_period: 'P15D' },
    'cyclical_period',
    'FORBIDDEN_PARAMETER',
  ],
  ['neither of them', { period: null }, 'period', 'REQUIRED_VALUE'],
  [
    'a cycle of 12 hours',
    { period: null, cyclical_period: 'PT12H' },
    'cyclical_period',
    'INVALID_TIME_PERIOD',
  ],
  ['an unknown period', { period: 'hourly' }, 'period', 'NOT_ALLOWED_VALUE'],
  ['amount 0', { amount: 0 }, 'amount', 'NUMBER_MIN'],
  ['initial_amount 0', { initial_amount: 0 }, 'initial_amount', 'NUMBER_MIN'],
  [
    'fixed_cycles missing',
    plan({ plan_type: 'fixed_cycles' }),
    'subscription_plan.fixed_cycles',
    'REQUIRED_VALUE',
  ],
  [
    'fixed_cycle_amount missing',
    plan({ plan_type: 'fixed_cycle_amount' }),
    'subscription_plan.fixed_cycle_amount',
    'REQUIRED_VALUE',
  ],
  [
    'one cycle',
    plan({ plan_type: 'fixed_cycles', fixed_cycles: 1 }),
    'subscription_plan.fixed_cycles',
    'NEED_AT_LEAST_TWO_CYCLES',
  ],
  [
    'one payment of all',
    plan({ plan_type: 'fixed_cycle_amount', fixed_cycle_amount: 1000 }),
    'subscription_plan.fixed_cycle_amount',
    'NEED_AT_LEAST_TWO_CYCLES',
  ],
  [
    'initial_amount as large as the total',
    { ...plan({ plan_type: 'fixed_cycles', fixed_cycles: 3 }), initial_amount: 1000 },
    'initial_amount',
    'MUST_BE_LOWER_THAN_FULL_AMOUNT',
  ],
  [
    'a start yesterday',
    settings({ start_on: '2026-01-14' }),
    'schedule_settings.start_on',
    'MUST_BE_FUTURE_OR_TODAY',
  ],
  [
    'a start in ten years',
    settings({ start_on: '2036-01-14' }),
    'schedule_settings.start_on',
    'START_ON_EXCEEDS_LIMIT',
  ],
  [
    'no date',
    settings({ start_on: '2026-02-30' }),
    'schedule_settings.start_on',
    'INVALID_FORMAT_DATE',
  ],
  ['no zone', settings({ zone_id: 'Mars/Olympus' }), 'schedule_settings.zone_id', 'INVALID_FORMAT'],
  [
    'an unknown end',
    settings({ termination_mode: 'later' }),
    'schedule_settings.termination_mode',
    'NOT_ALLOWED_VALUE',
  ],
  [
    'retries after 23 hours',
    settings({ retry_interval: 'PT23H' }),
    'schedule_settings.retry_interval',
    'INVALID_TIME_PERIOD',
  ],
  [
    'retries after a millisecond less than a day',
    settings({ retry_interval: 'PT23H59M59.999S' }),
    'schedule_settings.retry_interval',
    'INVALID_TIME_PERIOD',
  ],
  [
    'retries after the cycle',
    settings({ retry_interval: 'P28D' }),
    'schedule_settings.retry_interval',
    'INVALID_TIME_PERIOD',
  ],
  [
    'month ends of weeks',
    { period: 'weekly', ...settings({ preserve_end_of_month: true }) },
    'schedule_settings.preserve_end_of_month',
    'MUST_BE_MONTH_BASED_TO_SET',
  ],
  [
    '4 installments',
    { installment_plan: { plan_type: 'fixed_cycles', fixed_cycles: 4 } },
    'installment_plan.fixed_cycles',
    'NOT_ALLOWED_VALUE',
  ],
  [
    'weekly installments',
    { period: 'weekly', installment_plan: { plan_type: 'revolving' } },
    'period',
    'NOT_ALLOWED_VALUE',
  ],
  [
    'revolving with an initial amount',
    { initial_amount: 10, installment_plan: { plan_type: 'revolving' } },
    'initial_amount',
    'INSTALLMENT_REVOLVING_PLAN_CANNOT_SET_INITIAL_AMOUNT',
  ],
  [
    'both plans',
    {
      installment_plan: { plan_type: 'revolving' },
      ...plan({ plan_type: 'fixed_cycles', fixed_cycles: 3 }),
    },
    'installment_plan',
    'FORBIDDEN_PARAMETER',
  ],
  [
    'capture later without a hold',
    { first_charge_capture_after: 'P1D' },
    'first_charge_authorization_only',
    'REQUIRED_VALUE',
  ],
  [
    'a hold of eight days',
    { first_charge_authorization_only: true, first_charge_capture_after: 'P8D' },
    'first_charge_capture_after',
    'INVALID_TIME_PERIOD',
  ],
])('%s is refused and named', async (_, body, field, reason) => {
  const created = await subscribe(body)
  expect(created.status, created.text).toBe(400)
  expect(created.body.errors).toContainEqual({ field, reason })
  expect((await pay.get(`/stores/${shop.store_id}/subscriptions`)).body.items).toEqual([])
})

test.each([
  'daily',
  'weekly',
  'biweekly',
  'monthly',
  'bimonthly',
  'quarterly',
  'semiannually',
  'annually',
])('period %s', async (period) => {
  const next = {
    daily: '2026-01-16',
    weekly: '2026-01-22',
    biweekly: '2026-01-29',
    monthly: '2026-02-15',
    bimonthly: '2026-03-15',
    quarterly: '2026-04-15',
    semiannually: '2026-07-15',
    annually: '2027-01-15',
  }[period]
  const created = await subscribe({ period })
  await pay.work()
  expect((await pay.get(pathOf(created.body.id))).body).toMatchObject({
    period,
    status: 'current',
    next_payment_date: next,
  })
})

test('P15D stays P15D, and P5D between attempts is returned as PT120H', async () => {
  const created = await subscribe({
    period: null,
    cyclical_period: 'P15D',
    schedule_settings: { retry_interval: 'P5D', zone_id: 'Europe/Berlin' },
  })
  expect(created.body).toMatchObject({
    cyclical_period: 'P15D',
    period: null,
    schedule_settings: { retry_interval: 'PT120H', zone_id: 'Europe/Berlin' },
  })
})

test.each([
  ['exactly a day', 'P1D', 'PT24H'],
  ['a millisecond less than the shortest month', 'P27DT23H59M59.999S', 'PT671H59M59.999S'],
])('retries after %s are allowed', async (_, retry_interval, shown) => {
  const created = await subscribe({ schedule_settings: { retry_interval } })
  expect(created.status, created.text).toBe(201)
  expect(created.body.schedule_settings.retry_interval).toBe(shown)
})

test('simulate_plan shows five payments, or the one of an installment plan, and creates nothing', async () => {
  const shown = await pay.post('/subscriptions/simulate_plan', {
    payment_type: 'card',
    amount: 10_000,
    currency: 'JPY',
    initial_amount: 100,
    period: 'monthly',
    subscription_plan: { plan_type: 'fixed_cycle_amount', fixed_cycle_amount: 1000 },
  })
  expect(shown.status).toBe(200)
  expect(shown.body).toHaveLength(5)
  expect(shown.body.map((one: { amount: number }) => one.amount)).toEqual([
    100, 1000, 1000, 1000, 1000,
  ])
  expect(shown.body[1]).toMatchObject({
    due_date: '2026-02-15',
    is_paid: false,
    is_last_payment: false,
  })
  const once = await pay.post(`/stores/${shop.store_id}/subscriptions/simulate_plan`, {
    ...monthly,
    installment_plan: { plan_type: 'fixed_cycles', fixed_cycles: 12 },
  })
  expect(once.body).toMatchObject([{ amount: 1000, is_last_payment: true }])
  expect((await pay.get('/subscriptions')).body.items).toEqual([])
})

test('lists can be filtered by status in both spellings, by metadata, by id and by mode', async () => {
  const gold = await subscribe({ metadata: { plan: 'gold ring' } })
  const over = await subscribe()
  await pay.work()
  await world.call('DELETE', pathOf(over.body.id), { auth: shop.as_store })
  const ids = async (query: string) => {
    const { body } = await pay.get(`/stores/${shop.store_id}/subscriptions?${query}`)
    return body.items.map((one: { id: string }) => one.id)
  }
  expect(await ids('status=current')).toEqual([gold.body.id])
  expect(await ids('status=canceled')).toEqual([over.body.id])
  expect(await ids('status=cancelled')).toEqual([over.body.id])
  expect(await ids('search=gold%20ring')).toEqual([gold.body.id])
  expect(await ids(`search=${over.body.id}`)).toEqual([over.body.id])
  expect(await ids('mode=live')).toEqual([])
  expect(await ids('')).toEqual([over.body.id, gold.body.id])
  expect((await pay.get('/subscriptions?status=running')).status).toBe(400)
})

test('charges of a subscription by card number: found by fingerprint, and nowhere in the log', async () => {
  const created = await subscribe()
  await pay.work()
  const charges = async (query: string) =>
    (await pay.get(`${pathOf(created.body.id)}/charges?${query}`)).body.items
  expect(await charges('card_number=4242424242424242')).toHaveLength(1)
  expect(await charges('card_number=4000020000000000')).toHaveLength(0)
  expect(
    await charges(
      'email=customer@example.com&last_four=4242&name=taro%20yamada&exp_month=12&exp_year=2030',
    ),
  ).toHaveLength(1)
  expect((await pay.get(`${pathOf(created.body.id)}/charges?last_four=4242`)).status).toBe(400)
  expect((await pay.get(`${pathOf(created.body.id)}/charges?card_number=abc`)).status).toBe(400)
  expect(world.log.filter((line) => /4242424242424242|4000020000000000/.test(line))).toEqual([])
  const latest = await pay.get(`${pathOf(created.body.id)}/charges/latest`)
  expect(latest.body).toMatchObject({ subscription_id: created.body.id, status: 'successful' })
})
