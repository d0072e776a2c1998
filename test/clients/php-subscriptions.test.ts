import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardPayment, type PhpFlows, refused, startPhpFlows, taken } from './php-flows.ts'
import { parse, parseList } from './php-requests.ts'

// The flows of the public PHP client with subscriptions: plans, schedules, challenges and their ends.
let on: PhpFlows

beforeAll(async () => {
  on = await startPhpFlows()
})
afterAll(() => on.close())

const declined_card = '4111111111111111'

test('subscriptions: created, changed, suspended, resumed and ended', async () => {
  const running = await on.subscribed()
  expect(running).toMatchObject({ status: 'current', amount: 10_000, initial_amount: 1000 })
  parse('payment', running.next_payment)
  const path = `${on.store}/subscriptions/${running.id}`
  expect(taken(await on.php.patch(path, { status: 'suspended' })).status).toBe('suspended')
  expect(taken(await on.php.patch(path, { status: 'unpaid' })).status).toBe('unpaid')
  refused(await on.php.patch(path, { status: 'current' }))
  expect(taken(await on.php.delete(path), 204)).toBe(true)
  expect(taken(await on.php.get(path)).status).toBe('canceled')
  const held = await on.subscribed({
    first_charge_authorization_only: true,
    first_charge_capture_after: 'PT6H',
  })
  expect(held).toMatchObject({ status: 'authorized', first_charge_capture_after: 'PT6H' })
  const retried = { cyclical_period: 'P15D', period: null, schedule_settings: retry }
  expect(await on.subscribed(retried)).toMatchObject({
    period: null,
    cyclical_period: 'P15D',
    schedule_settings: { retry_interval: 'PT120H', zone_id: 'Asia/Tokyo' },
  })
  const of_recurring = await on.subscribed({}, cardPayment('recurring'))
  expect(of_recurring.status).toBe('current')
})
const retry = { start_on: null, zone_id: null, preserve_end_of_month: null, retry_interval: 'P5D' }

test('subscriptions: plans, simulations and what a failed one becomes', async () => {
  const schedule = { start_on: '2026-02-28', preserve_end_of_month: true }
  const plan = { plan_type: 'fixed_cycle_amount', fixed_cycle_amount: '1000' }
  const parts = await on.subscribed({ subscription_plan: plan })
  expect(parts.subscription_plan).toMatchObject({ ...plan, fixed_cycle_amount: 1000 })
  const installment_plan = { plan_type: 'fixed_cycles', fixed_cycles: 12 }
  const split = { period: 'monthly', initial_amount: null, installment_plan }
  const installments = await on.subscribed(split)
  expect(installments).toMatchObject({ installment_plan, payments_left: null, amount_left: 0 })
  const payments = taken(await on.php.get(`${on.store}/subscriptions/${installments.id}/payments`))
  parseList('payment', payments)
  const [payment] = payments.items
  const of_payment = `${on.store}/subscriptions/${installments.id}/payments/${payment.id}/charges`
  parseList('charge', taken(await on.php.get(of_payment)))
  const simulated = { payment_type: 'card', amount: '10000', currency: 'JPY', period: 'monthly' }
  const rows = async (more: object) => {
    const body = taken(await on.php.post('/subscriptions/simulate_plan', { ...simulated, ...more }))
    for (const row of body) parse('payment', row)
    return body.length
  }
  expect(await rows({ schedule_settings: schedule, subscription_plan: plan })).toBe(5)
  expect(await rows({ installment_plan })).toBe(1)
  const failing = cardPayment('subscription', { card_number: declined_card })
  const failed = await on.subscribed({}, failing)
  expect(failed.status).toBe('unconfirmed')
  const next = await on.createToken(cardPayment('subscription'))
  const path = `${on.store}/subscriptions/${failed.id}`
  const renewed = taken(
    await on.php.patch(path, {
      transaction_token_id: next.id,
      initial_amount: '2000',
      period: 'monthly',
      schedule_settings: { ...schedule, zone_id: 'UTC' },
      metadata: { reason: 'PHP test' },
      subscription_plan: { ...plan, fixed_cycle_amount: '2000' },
    }),
  )
  parse('subscription', renewed)
  const running = await on.awaited(path, 'unverified')
  expect(running).toMatchObject({ amount: 10_000, initial_amount: 2000, period: 'monthly' })
  expect(running.schedule_settings).toMatchObject({ ...schedule, zone_id: 'Asia/Tokyo' })
})

test('a subscription whose first charge requires a challenge, or brings its result', async () => {
  const three_ds = { redirect_endpoint: 'https://test.example/success', mode: 'require' }
  const token = await on.createToken(cardPayment('subscription'))
  const period = { period: 'biweekly', initial_amount: '1000' }
  const waiting = await on.createSubscription(token, { ...period, three_ds })
  expect(waiting).toMatchObject({ status: 'unverified', three_ds })
  const path = `${on.store}/subscriptions/${waiting.id}`
  const { id } = taken(await on.php.get(`${path}/charges/latest`))
  expect((await on.awaited(`${on.store}/charges/${id}`, 'pending')).status).toBe('awaiting')
  parse('issuer_token', taken(await on.php.get(`${on.store}/charges/${id}/three_ds/issuer_token`)))
  expect(taken(await on.php.get(path)).status).toBe('unverified')
  const result = {
    authentication_value: '1234567890123456789012345678',
    eci: '12',
    ds_transaction_id: '058e4f09-37c7-47e5-9d24-47e8ffa77442',
    server_transaction_id: '7307b449-375a-4297-94d9-81314d4371c2',
    message_version: '2.1.0',
    transaction_status: 'Y',
  }
  const { three_ds: provided } = await on.subscribed({ three_ds: result })
  expect(provided).toEqual({ mode: 'provided', redirect_endpoint: null, redirect_id: null })
  // Before each of its own tests the client deletes the tokens of the previous ones.
  const query = { active: 'active', type: 'subscription', mode: 'test' }
  for (const { id } of taken(await on.php.get('/tokens', query)).items) {
    expect(taken(await on.php.delete(`${on.store}/tokens/${id}`), 204)).toBe(true)
  }
  expect(taken(await on.php.get(path)).status).toBe('suspended')
})
