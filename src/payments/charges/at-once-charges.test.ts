import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// Charges of payment types other than cards that need no page: scanned codes and wallets. And what
// holds for every type: currencies, live mode, and the test scenarios of the e-mail address.
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeEach(async () => {
  world.clock.advance(60_000)
  shop = await world.merchant()
  pay = payments(world, shop)
})
afterAll(async () => expect(await paymentFaults(world)).toEqual([]))

const konbini = {
  customer_name: 'Taro Yamada',
  phone_number: { country_code: '81', local_number: '09012345678' },
  convenience_store: 'lawson',
}
const ways: [payment_type: string, data: object][] = [
  ['qr_scan', { scanned_qr: '9000818100000000000000' }],
  ['paidy', { paidy_token: 'tok_1' }],
  ['online', { brand: 'we_chat_online', call_method: 'app' }],
  ['qr_merchant', { brand: 'alipay_merchant_qr' }],
  ['konbini', konbini],
  ['bank_transfer', { brand: 'aozora_bank' }],
]

const chargeNow = async (id: string) => (await pay.get(pay.chargePath(id))).body

/** A charge that has been through the worker once, whatever became of it. */
async function settled(payment_type: string, data: object, body: object = {}, token: object = {}) {
  const wanted = { payment_type, email: 'customer@example.com', ...token, data }
  const created = await pay.post('/tokens', wanted)
  expect(created.status, created.text).toBe(201)
  const money = { amount: 1000, currency: 'JPY' }
  const asked = { transaction_token_id: created.body.id, ...money, ...body }
  const charge = await pay.post('/charges', asked)
  expect(charge.status, charge.text).toBe(201)
  await pay.work()
  return chargeNow(charge.body.id)
}

async function completed(charge: { id: string; status: string }) {
  expect(charge).toMatchObject({ status: 'awaiting' })
  await pay.post(`/test/charges/${charge.id}/complete`, { outcome: 'successful' })
  await pay.work()
  return chargeNow(charge.id)
}

test.each([
  ['9000818100000000000000', 'successful', null],
  ['100000000000000001', 'successful', null],
  ['a wallet of tomorrow', 'successful', null],
  ['90008181-declined', 'failed', 340],
  ['90008182-insufficient', 'failed', 330],
  ['25-EXPIRED', 'failed', 323],
  ['30-used', 'failed', 324],
])('qr_scan: the code %s makes the charge %s, error %s', async (scanned_qr, status, code) => {
  const charge = await settled('qr_scan', { scanned_qr })
  expect(charge).toMatchObject({ status, charged_amount: code === null ? 1000 : null })
  expect(charge.error?.code ?? null).toBe(code)
})

test.each(ways.slice(0, 2))(
  '%s is charged at once, has no issuer token, and can be refunded',
  async (payment_type, data) => {
    const charge = await settled(payment_type, data)
    expect(charge).toMatchObject({ status: 'successful', charged_amount: 1000, error: null })
    const path = pay.chargePath(charge.id)
    const errors = [{ field: 'charge_id', reason: 'INVALID_CHARGE_STATUS' }]
    expect((await pay.get(`${path}/issuer_token`)).body.errors).toEqual(errors)
    expect((await pay.post(`${path}/cancels`)).body.code).toBe('CANCEL_NOT_ALLOWED')
    const refund = await pay.post(`${path}/refunds`, { amount: 1000, currency: 'JPY' })
    expect(refund.status).toBe(201)
    await pay.work()
    expect((await pay.get(`${path}/refunds/${refund.body.id}`)).body.status).toBe('successful')
  },
)

test('a scanned code that nobody used is gone after five minutes', async () => {
  const body = { payment_type: 'qr_scan', email: 'customer@example.com' }
  const token = await pay.post('/tokens', { ...body, data: { scanned_qr: '90008181123' } })
  const sealed = async () => {
    const query = 'select card_number from transaction_tokens where id = $1'
    return (await world.store.pool.query(query, [token.body.id])).rows[0].card_number
  }
  world.clock.advance(5 * 60_000 - 1)
  await pay.work()
  expect(await sealed()).not.toBeNull()
  world.clock.advance(1)
  await pay.work()
  expect(await sealed()).toBeNull()
})

test.each(['konbini', 'paidy'])(
  'a recurring token of type %s is charged more than once',
  async (payment_type) => {
    const data = Object.fromEntries(ways)[payment_type] ?? {}
    const body = { payment_type, email: 'customer@example.com', type: 'recurring', data }
    const { id } = (await pay.post('/tokens', body)).body
    const asked = { transaction_token_id: id, amount: 1000, currency: 'JPY' }
    const charges = []
    for (let count = 0; count < 2; count += 1) {
      world.clock.advance(30_000)
      charges.push((await pay.post('/charges', asked)).body)
      await pay.work()
    }
    const quick = await pay.post('/charges', asked)
    expect(quick.body).toMatchObject({ code: 'CHARGE_TOO_QUICK', error: { code: 311 } })
    for (const charge of charges) {
      const now = await chargeNow(charge.id)
      expect(now.transaction_token_type).toBe('recurring')
      expect((payment_type === 'konbini' ? await completed(now) : now).status).toBe('successful')
    }
  },
)

test.each<[payment_type: string, data: object, body: object, charged: object]>([
  ['konbini', konbini, { amount: 1000, currency: 'USD' }, { amount: 1500, currency: 'JPY' }],
  ['konbini', konbini, { amount: 1001, currency: 'usd' }, { amount: 1502, currency: 'JPY' }],
  [
    'bank_transfer',
    { brand: 'aozora_bank' },
    { amount: 100, currency: 'EUR' },
    { amount: 173, currency: 'JPY' },
  ],
  [
    'online',
    { brand: 'pay_pay_online', call_method: 'http_post' },
    { amount: 200, currency: 'USD' },
    { amount: 300, currency: 'JPY' },
  ],
  [
    'online',
    { brand: 'we_chat_online', call_method: 'app' },
    { amount: 200, currency: 'CNY' },
    { amount: 200, currency: 'CNY' },
  ],
  [
    'qr_merchant',
    { brand: 'alipay_merchant_qr' },
    { amount: 200, currency: 'HKD' },
    { amount: 200, currency: 'HKD' },
  ],
  [
    'qr_merchant',
    { brand: 'd_barai_online' },
    { amount: 100, currency: 'GBP' },
    { amount: 199, currency: 'JPY' },
  ],
])('%s %o of %o is charged as %o', async (payment_type, data, body, charged) => {
  const charge = await completed(await settled(payment_type, data, body))
  const { charged_amount: amount, charged_currency: currency } = charge
  expect({ amount, currency }).toEqual(charged)
  expect(charge).toMatchObject({
    status: 'successful',
    requested_amount: (body as { amount: number }).amount,
    requested_currency: (body as { currency: string }).currency.toUpperCase(),
  })
})

test.each(ways)(
  '%s: only_direct_currency ends in error 504 when no provider is suitable',
  async (payment_type, data) => {
    const body = { amount: 1000, currency: 'AED', only_direct_currency: true }
    expect(await settled(payment_type, data, body)).toMatchObject({
      status: 'error',
      only_direct_currency: true,
      charged_amount: null,
      error: { code: 504 },
    })
    const direct = await settled(payment_type, data, { only_direct_currency: true })
    expect(['awaiting', 'successful']).toContain(direct.status)
  },
)

test.each(ways)(
  '%s in live mode ends in error 504, and no test action changes it',
  async (payment_type, data) => {
    shop = await world.merchant({ mode: 'live', verified: true })
    pay = payments(world, shop)
    const charge = await settled(payment_type, data)
    expect(charge).toMatchObject({ status: 'error', mode: 'live', error: { code: 504 } })
    const { rows } = await world.store.pool.query(
      'select from simulator_operations where charge_id = $1',
      [charge.id],
    )
    expect(rows).toEqual([])
    for (const action of ['complete', 'deposits']) {
      const body = action === 'complete' ? { outcome: 'successful' } : { amount: 1000 }
      expect((await pay.post(`/test/charges/${charge.id}/${action}`, body)).status).toBe(404)
    }
  },
)

test.each(ways)(
  '%s: the scenarios of the e-mail address work with every payment method',
  async (payment_type, data) => {
    const with_email = (email: string) => settled(payment_type, data, {}, { email })
    expect(await with_email('x+charge-failure-322@example.com')).toMatchObject({
      status: 'failed',
      error: { code: 322 },
    })
    expect(await with_email('x+charge-failure-503@example.com')).toMatchObject({
      status: 'error',
      error: { code: 503 },
    })
    for (const email of ['x+timeout@example.com', 'x+delay-5@example.com']) {
      const { id, status } = await with_email(email)
      expect(status).toBe('pending')
      world.clock.advance(10_000)
      await pay.work()
      expect(['awaiting', 'successful']).toContain((await chargeNow(id)).status)
    }
  },
)
