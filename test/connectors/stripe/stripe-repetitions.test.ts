import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setCredentials } from '../../../src/accounts/provider-credentials/provider-credentials.ts'
import { stripe_connector } from '../../../src/connectors/stripe/stripe-connector.ts'
import { minute_ms } from '../../../src/core/time/clock.ts'
import { useAcquirer } from '../../support/acquirer/acquirer-world.ts'
import {
  type StripeDouble,
  secret_key,
  startStripeDouble,
  webhook_secret,
} from './double/stripe-double.ts'
import { live_declined, type RouteName } from './double/stripe-double-rules.ts'

// Live payments of 1000 JPY whose answers at our double of Stripe are lost, odd, or contradict each other. A
// repetition has the body of the first request, and only the payment itself says how an operation ended.
const on = useAcquirer()
let double: StripeDouble

beforeAll(async () => {
  double = await startStripeDouble(() => on.world.clock.now())
})
afterAll(() => double.close())
beforeEach(async () => {
  const { service } = on.world
  double.faults.clear()
  double.requests.length = 0
  const parts = { log: service.log, now: () => on.world.clock.now() }
  on.useProviders(stripe_connector.open('stripe', parts))
  const settings = { secret_key, webhook_secret, api_url: double.url }
  await setCredentials(service, 'stripe', { merchant_id: on.shop.id, store_id: null }, settings)
})

const paymentsOf = (id: string) =>
  [...double.intents.values()].filter(({ metadata }) => metadata.kaikei_charge_id === id)
const sent = (route: RouteName) => double.requests.filter((one) => one.route === route)
const changed = (change: object) => (said: { status: number; body: string }) => ({
  ...said,
  body: JSON.stringify({ ...JSON.parse(said.body), ...change }),
})
const refusal = (status: number, error: object) => () => ({
  status,
  body: JSON.stringify({ error: { type: 'invalid_request_error', ...error } }),
})

async function later(ms: number): Promise<void> {
  on.world.clock.advance(ms)
  await on.pay.work()
}

test.each([
  ['another amount', { amount: 999 }],
  ['no status', { status: undefined }],
  ['no metadata', { metadata: undefined }],
])('an answer with %s keeps the payment that it names, which is asked for', async (_, change) => {
  double.interfere('create_intent', changed(change))
  const { id, status } = await on.settled()
  expect(status).toBe('pending')
  const [payment] = paymentsOf(id)
  expect(await on.storedCharge(id)).toMatchObject({ provider_reference: payment?.id })
  await later(minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  expect(sent('create_intent')).toHaveLength(1)
})

test('an answer about the payment of another charge is not kept', async () => {
  const metadata = { kaikei_charge_id: crypto.randomUUID() }
  double.interfere('create_intent', changed({ metadata }))
  const { id } = await on.settled()
  expect(await on.storedCharge(id)).toMatchObject({ status: 'pending', provider_reference: null })
})

test('a part of the amount is no approval, also when the payment is asked for', async () => {
  double.faults.add('takes_part')
  const { id } = await on.settled()
  expect(await on.storedCharge(id)).toMatchObject({ provider_reference: paymentsOf(id)[0]?.id })
  await later(minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'pending' })
})

test('a refund whose answer has an odd shape keeps its name, and is asked for', async () => {
  const { id } = await on.settled()
  double.interfere('create_refund', changed({ amount: 'many' }))
  const created = await on.pay.post(`${on.pay.chargePath(id)}/refunds`, {
    amount: 300,
    currency: 'JPY',
  })
  await on.pay.work()
  await later(minute_ms)
  const path = `${on.pay.chargePath(id)}/refunds/${created.body.id}`
  expect((await on.pay.get(path)).body).toMatchObject({ status: 'successful' })
  expect(sent('create_refund')).toHaveLength(1)
})

test('without its security code a payment is not sent again: it is searched for', async () => {
  double.faults.add('search_lags')
  double.interfere('create_intent', 'lost')
  const { id } = await on.settled()
  expect(sent('create_method')).toMatchObject([{ params: { 'card[cvc]': '123' } }])
  await later(6 * minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'pending' })
  double.faults.clear()
  await later(minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful' })
  expect([sent('create_method').length, sent('create_intent').length]).toEqual([1, 1])
})

test('a payment that never arrived ends without a charge when its security code is gone', async () => {
  double.interfere('create_method', 'lost')
  const { id } = await on.settled()
  await later(6 * minute_ms)
  await later(5 * minute_ms)
  await later(minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'error', error: { code: 502 } })
  expect(paymentsOf(id)).toEqual([])
  expect(sent('create_method')).toHaveLength(1)
})

test('while the security code is there, a repetition has the same body and no second effect', async () => {
  double.interfere('create_intent', 'lost')
  const { id } = await on.settled()
  await later(minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful' })
  expect(paymentsOf(id)).toHaveLength(1)
})

test.each([
  [400, { code: 'parameter_invalid_integer', message: 'Invalid integer' }],
  [402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }],
  [404, { code: 'resource_missing', message: 'No such payment_method' }],
])('a payment that is refused with %s after a lost answer is not over', async (status, error) => {
  double.faults.add('search_lags')
  double.interfere('create_intent', 'lost')
  const { id } = await on.settled()
  double.interfere('create_intent', refusal(status, error))
  await later(minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'pending' })
  double.faults.clear()
  await later(minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful' })
  expect(paymentsOf(id)).toHaveLength(1)
})

test('a decline that the repetition proves with its payment is final', async () => {
  double.interfere('create_intent', 'lost')
  const { id } = await on.settled({}, { card_number: live_declined })
  await later(minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'failed', error: { code: 330 } })
})

test('a capture, a refund and a cancel that are refused after a lost answer had their effect', async () => {
  const { id } = await on.settled({ capture: false })
  const missing = refusal(404, { code: 'resource_missing', message: 'No such payment_intent' })
  double.interfere('capture_intent', 'lost')
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 600, currency: 'JPY' })
  await on.pay.work()
  double.interfere('capture_intent', missing)
  await later(minute_ms)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 600 })

  double.interfere('create_refund', 'lost')
  const created = await on.pay.post(`${on.pay.chargePath(id)}/refunds`, {
    amount: 200,
    currency: 'JPY',
  })
  await on.pay.work()
  const again = {
    code: 'charge_already_refunded',
    message: 'Charge ch_1 has already been refunded.',
  }
  double.interfere('create_refund', refusal(400, again))
  await later(minute_ms)
  const path = `${on.pay.chargePath(id)}/refunds/${created.body.id}`
  expect((await on.pay.get(path)).body).toMatchObject({ status: 'successful' })

  const held = await on.settled({ capture: false })
  double.interfere('cancel_intent', 'lost')
  await on.pay.post(`${on.pay.chargePath(held.id)}/cancels`)
  await on.pay.work()
  double.interfere('cancel_intent', missing)
  await later(minute_ms)
  expect(await on.chargeNow(held.id)).toMatchObject({ status: 'canceled' })
})

test('a refund that is refused at once is over', async () => {
  const { id } = await on.settled()
  const error = { code: 'charge_disputed', message: 'Charge ch_1 is disputed.' }
  double.interfere('create_refund', refusal(400, error))
  const created = await on.pay.post(`${on.pay.chargePath(id)}/refunds`, {
    amount: 200,
    currency: 'JPY',
  })
  await on.pay.work()
  const path = `${on.pay.chargePath(id)}/refunds/${created.body.id}`
  expect((await on.pay.get(path)).body).toMatchObject({ status: 'failed', error: { code: 351 } })
})

test('what Stripe says to its own customer reaches the log, and not the merchant', async () => {
  const message =
    'Sending credit card numbers directly to the Stripe API is generally unsafe. acct_42'
  double.interfere('create_method', refusal(402, { message }))
  const { id, status, error } = await on.settled()
  expect([status, error.code]).toEqual(['failed', 308])
  const { body } = await on.pay.get(`${on.pay.chargePath(id)}/timeline`)
  const rows = await on.rows('select * from provider_operations where charge_id = $1', id)
  expect(JSON.stringify([error, body, rows])).not.toContain('Stripe API')
  expect(rows).toMatchObject([{ outcome: 'refused', raw_code: 'invalid_request_error' }])
  expect(on.world.log.join('')).toContain('generally unsafe')
})
