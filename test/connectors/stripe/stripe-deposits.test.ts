import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  authorizationOf,
  followUpOf,
  inquiryOf,
  limit,
} from '../../../scripts/connector-check/check-calls.ts'
import type { CheckWorld } from '../../../scripts/connector-check/check-subject.ts'
import { stripe_connector } from '../../../src/connectors/stripe/stripe-connector.ts'
import { newId } from '../../../src/core/ids.ts'
import { hour_ms } from '../../../src/core/time/clock.ts'
import type { Authorization } from '../../../src/providers/provider-operations.ts'
import {
  type StripeDouble,
  secret_key,
  startStripeDouble,
  webhook_secret,
} from './double/stripe-double.ts'

// Vouchers and transfers of the `stripe` connector, at our double. Payments are of 1000 JPY.
let double: StripeDouble
let world: CheckWorld
let now_ms = Date.now()
const provider = stripe_connector.open('checked', {
  log: pino({ level: 'silent' }),
  now: () => now_ms,
})

beforeAll(async () => {
  double = await startStripeDouble(() => now_ms)
  const credentials = { secret_key, webhook_secret, api_url: double.url }
  world = { credentials, subject: { cards: { approved: '' } } } as unknown as CheckWorld
})
afterAll(() => double.close())

const voucher: Partial<Authorization> = {
  instrument: { kind: 'konbini', convenience_store: 'lawson', customer_name: 'Taro Yamada' },
  match_amount: 'exact',
}
const transfer: Partial<Authorization> = {
  instrument: { kind: 'bank_transfer', brand: 'aozora_bank' },
  match_amount: 'disabled',
}

async function wait(changes: Partial<Authorization>) {
  const id = newId(now_ms)
  const expires_on = new Date(now_ms + 48 * hour_ms)
  const named = { charge_id: id, reference: id, capture: true, expires_on }
  const operation = authorizationOf(world, { ...named, ...changes })
  const outcome = await provider.authorize(operation, limit())
  const question = inquiryOf('authorize', operation, outcome)
  return {
    operation,
    outcome,
    question,
    pi: outcome.provider_reference ?? '',
    deposits: () => provider.deposits(question, limit()),
    end: () => provider.void(followUpOf(operation, outcome), limit()),
    back: (amount: number) => followUpOf(operation, outcome, amount),
  }
}

test.each([
  [
    'a chain without vouchers',
    { instrument: { ...voucher.instrument, convenience_store: 'seven_eleven' } },
  ],
  ['less than 120 yen', { amount: 119 }],
  ['more than 300,000 yen', { amount: 300_001 }],
  ['no e-mail address', { email: null }],
  ['dollars', { currency: 'USD' }],
  ['a transfer of an exact amount', { ...transfer, match_amount: 'exact' }],
  [
    'a transfer to another bank',
    { ...transfer, instrument: { kind: 'bank_transfer', brand: 'x' } },
  ],
] as [string, Partial<Authorization>][])('%s is not sent', async (_, changes) => {
  const { outcome } = await wait({ ...voucher, ...changes })
  expect(outcome).toMatchObject({ outcome: 'not_taken', is_in_order: true })
})

test('a voucher ends with its charge, but not sooner than Stripe allows', async () => {
  const ends = () => double.requests.at(-1)?.params['payment_method_options[konbini][expires_at]']
  const { operation } = await wait(voucher)
  const asked_ms = operation.expires_on?.getTime() ?? 0
  expect(Number(ends())).toBe(Math.ceil(asked_ms / 1000))
  await wait({ ...voucher, expires_on: new Date(now_ms + hour_ms / 2) })
  expect(Number(ends())).toBe(Math.ceil((now_ms + hour_ms) / 1000))
})

test('a voucher that expired at Stripe is refused; what is paid has ended, and is a deposit', async () => {
  const expired = await wait(voucher)
  double.expire(expired.pi)
  const found = await provider.inquire(expired.question, limit())
  expect(found).toMatchObject({ outcome: 'refused', code: 327 })
  const paid = await wait(voucher)
  double.deposit(paid.pi, 1000)
  expect(await provider.inquire(paid.question, limit())).toMatchObject({ outcome: 'waiting' })
  expect(await paid.end()).toMatchObject({ outcome: 'approved', provider_reference: paid.pi })
  expect(await paid.deposits()).toMatchObject([{ amount: 1000, currency: 'JPY' }])
})

test('cash goes back when the customer has named an account, and only once', async () => {
  const { pi, back } = await wait(voucher)
  double.deposit(pi, 1000)
  const operation = back(1000)
  const sent = await provider.returnDeposit(operation, limit())
  expect(sent).toMatchObject({ outcome: 'unknown', ask_again_ms: hour_ms })
  double.forgetKeys()
  expect(await provider.returnDeposit(operation, limit())).toEqual(sent)
  const refund = double.refunds.get(sent.provider_reference ?? '')
  expect(
    double.requests.filter(({ route }) => route === 'create_refund').at(-1)?.params,
  ).toMatchObject({
    instructions_email: 'customer@example.com',
    'metadata[kaikei_kind]': 'return',
  })
  if (refund) refund.status = 'succeeded'
  const inquiry = {
    ...inquiryOf('return_deposit', operation, sent),
    operation_reference: sent.provider_reference ?? null,
  }
  expect(await provider.inquire(inquiry, limit())).toMatchObject({ outcome: 'approved' })
})

test('a transfer goes back after the end of its payment, once, also days after a lost answer', async () => {
  const { operation, pi, deposits, end, back } = await wait(transfer)
  double.deposit(pi, 300)
  double.deposit(pi, 300)
  const [first, second] = await deposits()
  expect(first).toMatchObject({ amount: 300, name: 'ヤマダ タロウ' })
  expect(second?.reference).not.toBe(first?.reference)
  const one = back(300)
  // Until then the money is part of the payment.
  expect(await provider.returnDeposit(one, limit())).toMatchObject({ ask_again_ms: hour_ms })
  expect(await end()).toMatchObject({ outcome: 'approved' })
  const sent = await provider.returnDeposit(one, limit())
  expect(sent.outcome).toBe('approved')
  double.forgetKeys()
  now_ms += 30 * hour_ms
  expect(await provider.returnDeposit(one, limit())).toEqual(sent)
  const customer = double.intents.get(pi)?.customer ?? ''
  const cash = () => double.deposits.customers.get(customer)?.cash.map((each) => each.net_amount)
  expect(cash()).toEqual([-300, 300, 300])
  expect((await provider.returnDeposit(back(300), limit())).outcome).toBe('approved')
  expect(await provider.returnDeposit(back(1), limit())).toMatchObject({ outcome: 'refused' })
  expect(cash()).toEqual([-300, -300, 300, 300])
  // One customer for each charge: the account is of this charge alone.
  expect(double.deposits.customers.get(customer)?.metadata).toMatchObject({
    kaikei_charge_id: operation.charge_id,
  })
})
