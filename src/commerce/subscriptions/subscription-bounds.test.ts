import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'

// The limits of a subscription, tested with the last allowed and the first refused value. It is 15
// January 2026, nine in the morning in Tokyo; on Hawaii it is still the 14th.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const subscribe = async (body: object): Promise<ApiResponse> =>
  pay.post('/subscriptions', {
    transaction_token_id: await pay.tokenId({ type: 'recurring' }),
    amount: 1000,
    currency: 'JPY',
    period: 'monthly',
    ...body,
  })
const outcomeOf = ({ status, body }: ApiResponse): string =>
  status === 201 ? 'created' : (body.errors?.[0]?.reason ?? body.code)
const start = (start_on: string, zone_id = 'Asia/Tokyo') => ({
  schedule_settings: { start_on, zone_id },
})
const hold = (first_charge_capture_after: string) => ({
  first_charge_authorization_only: true,
  first_charge_capture_after,
})
const cycles = (fixed_cycles: number) => ({
  subscription_plan: { plan_type: 'fixed_cycles', fixed_cycles },
})
const parts = (fixed_cycle_amount: number) => ({
  subscription_plan: { plan_type: 'fixed_cycle_amount', fixed_cycle_amount },
})

test.each([
  ['a start today', start('2026-01-15'), 'created'],
  ['a start yesterday', start('2026-01-14'), 'MUST_BE_FUTURE_OR_TODAY'],
  ['a start today where it is still yesterday', start('2026-01-14', 'Pacific/Honolulu'), 'created'],
  ['a start 1830 days ahead', start('2031-01-19'), 'created'],
  ['a start 1831 days ahead', start('2031-01-20'), 'START_ON_EXCEEDS_LIMIT'],
  ['a hold of a millisecond less than an hour', hold('PT59M59.999S'), 'INVALID_TIME_PERIOD'],
  ['a hold of an hour', hold('PT1H'), 'created'],
  ['a hold of seven days', hold('P7D'), 'created'],
  ['a hold of a millisecond more', hold('P7DT0.001S'), 'INVALID_TIME_PERIOD'],
  ['two cycles', cycles(2), 'created'],
  ['one cycle', cycles(1), 'NEED_AT_LEAST_TWO_CYCLES'],
  ['parts of all but one', parts(999), 'created'],
  ['parts of all', parts(1000), 'NEED_AT_LEAST_TWO_CYCLES'],
  ['as many cycles as yen', { amount: 3, ...cycles(3) }, 'created'],
  ['more cycles than yen', { amount: 3, ...cycles(4) }, 'NUMBER_MAX'],
  [
    'an initial amount that leaves one yen for each',
    { amount: 10, initial_amount: 8, ...cycles(3) },
    'created',
  ],
  [
    'an initial amount that leaves less',
    { amount: 10, initial_amount: 9, ...cycles(3) },
    'NUMBER_MAX',
  ],
  [
    'an initial amount of one less than the total',
    { initial_amount: 999, ...cycles(2) },
    'created',
  ],
  [
    'an initial amount of the total',
    { initial_amount: 1000, ...cycles(2) },
    'MUST_BE_LOWER_THAN_FULL_AMOUNT',
  ],
  ['without a plan, an initial amount of more', { initial_amount: 2000 }, 'created'],
])('%s', async (_, body, outcome) => {
  expect(outcomeOf(await subscribe(body))).toBe(outcome)
})

const installments = (fixed_cycles: number) => ({
  installment_plan: { plan_type: 'fixed_cycles', fixed_cycles },
})

async function configure(configuration: object): Promise<void> {
  const path = `/stores/${shop.store_id}`
  const set = await world.call('PATCH', path, { auth: shop.as_merchant, body: { configuration } })
  expect(set.status, set.text).toBe(200)
}

const jpy = (amount: number) => ({ amount, currency: 'JPY' })

test.each([
  ['installments_configuration', installments(3), installments(5)],
  ['subscription_plan_configuration', cycles(3), cycles(4)],
  ['subscription_plan_configuration', parts(400), parts(300)],
])('%s: the smallest total and the longest time of %o', async (name, in_time, too_long) => {
  await configure({ [name]: { min_charge_amount: jpy(1000), max_payout_period: 'P90D' } })
  expect(outcomeOf(await subscribe(in_time))).toBe('created')
  expect(outcomeOf(await subscribe({ ...in_time, amount: 999 }))).toBe('NUMBER_MIN')
  expect(outcomeOf(await subscribe(too_long))).toBe('INSTALLMENT_MAX_PAYOUT_PERIOD_EXCEEDED')
  await configure({ [name]: { min_charge_amount: null, max_payout_period: 'P89D' } })
  expect(outcomeOf(await subscribe(in_time))).toBe('INSTALLMENT_MAX_PAYOUT_PERIOD_EXCEEDED')
  await configure({ [name]: { max_payout_period: null, enabled: false } })
  expect(outcomeOf(await subscribe(in_time))).toBe('INSTALLMENTS_NOT_ENABLED')
  // A subscription without end is no plan.
  expect(outcomeOf(await subscribe({}))).toBe('created')
})

test('subscription_configuration.enabled false: no subscription is created', async () => {
  await configure({ subscription_configuration: { enabled: false } })
  expect(outcomeOf(await subscribe({}))).toBe('SUBSCRIPTIONS_NOT_ENABLED')
})

test('a subscription token must be used for a subscription within five minutes, and for one only', async () => {
  const subscribeWith = (transaction_token_id: string) =>
    world.call('POST', '/subscriptions', {
      auth: shop.as_store,
      body: { transaction_token_id, amount: 5, currency: 'JPY', period: 'daily' },
    })
  const card = { card_number: '4000020000000000' }
  const late = await pay.tokenId({ type: 'subscription' })
  world.clock.advance(300_000)
  expect(outcomeOf(await subscribeWith(late))).toBe('TRANSACTION_TOKEN_EXPIRED')
  const in_time = await pay.tokenId({ type: 'subscription' }, card)
  world.clock.advance(299_999)
  expect(outcomeOf(await subscribeWith(in_time))).toBe('created')
  expect(outcomeOf(await subscribeWith(in_time))).toBe('TRANSACTION_ALREADY_PROCESSED')
})
