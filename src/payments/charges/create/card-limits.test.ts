import { expect, test } from 'vitest'
import { payments } from '../../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../../test/support/use-world.ts'

// Limits of a store's configuration on one card. Everything is tried over HTTP.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

async function configure(configuration: object): Promise<void> {
  const auth = shop.as_merchant
  const path = `/stores/${shop.store_id}`
  const { status, text } = await world.call('PATCH', path, { auth, body: { configuration } })
  expect(status, text).toBe(200)
}

const other_card = { card_number: '4000020000000000' }

test('card_limit: a maximum amount for a card within the time, failed charges not counted', async () => {
  await configure({
    card_configuration: { card_limit: { amount: 2500, currency: 'JPY', duration: 'P1D' } },
  })
  await pay.settled({ amount: 1500 })
  await pay.settled({ amount: 900 }, { token: { email: 'x+charge-failure-306@example.com' } })
  const over = await pay.charge({ amount: 1001 })
  expect(over.body.errors).toEqual([{ field: 'amount', reason: 'INVALID_CHARGE_AMOUNT_LIMIT' }])
  expect((await pay.charge({ amount: 1000 })).status).toBe(201)
  expect((await pay.charge({ amount: 2500 }, { data: other_card })).status).toBe(201)
  expect((await pay.charge({ amount: 9999, currency: 'USD' })).status).toBe(201)
  world.clock.advance(86_400_000)
  expect((await pay.charge({ amount: 2500 })).status).toBe(201)
})

test('limit_charge_by_card_configuration: a maximum number of charges of a card, also concurrently', async () => {
  await configure({
    security_configuration: {
      limit_charge_by_card_configuration: { quantity_of_charges: 3, duration_window: 'PT1H' },
    },
  })
  const tokens = await Promise.all(Array.from({ length: 8 }, () => pay.tokenId()))
  const responses = await Promise.all(
    tokens.map((transaction_token_id) =>
      pay.post('/charges', { transaction_token_id, amount: 5, currency: 'JPY' }),
    ),
  )
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(responses.filter(({ body }) => body.code === 'CARD_LOCKED')).toHaveLength(5)
  expect((await pay.charge({}, { data: other_card })).status).toBe(201)
  world.clock.advance(3_600_000)
  expect((await pay.charge()).status).toBe(201)
})

test('card_charge_cooldown and charge_wait_period keep charges apart', async () => {
  await configure({ security_configuration: { card_charge_cooldown: 'PT10M' } })
  await pay.settled()
  expect((await pay.charge()).body.code).toBe('CHARGE_TOO_QUICK')
  world.clock.advance(600_000)
  expect((await pay.charge()).status).toBe(201)
  await configure({
    security_configuration: { card_charge_cooldown: null },
    recurring_token_configuration: { charge_wait_period: 'PT5M' },
  })
  const transaction_token_id = await pay.tokenId({ type: 'recurring' }, other_card)
  const again = () => pay.post('/charges', { transaction_token_id, amount: 5, currency: 'JPY' })
  expect((await again()).status).toBe(201)
  world.clock.advance(60_000)
  expect((await again()).body.code).toBe('CHARGE_TOO_QUICK')
  world.clock.advance(240_000)
  expect((await again()).status).toBe(201)
})

test('card_charge_cvv_confirmation: large amounts of a stored card need its security code', async () => {
  const threshold = [{ amount: 10_000, currency: 'JPY' }]
  await configure({
    recurring_token_configuration: { card_charge_cvv_confirmation: { enabled: true, threshold } },
  })
  const id = await pay.tokenId({ type: 'recurring' })
  world.clock.advance(360_000)
  await pay.work()
  const charge = (amount: number) =>
    pay.post('/charges', { transaction_token_id: id, amount, currency: 'JPY' })
  expect((await charge(9999)).status).toBe(201)
  world.clock.advance(31_000)
  expect((await charge(10_000)).body.code).toBe('RECURRING_USAGE_REQUIRES_CVV')
  await pay.patch(`/stores/${shop.store_id}/tokens/${id}`, { data: { cvv: '123' } })
  await pay.work()
  expect((await charge(10_000)).status).toBe(201)
})

test('a security code that was checked counts for five minutes, one that was wrong does not', async () => {
  await configure({
    recurring_token_configuration: { card_charge_cvv_confirmation: { enabled: true } },
  })
  const checked = async (data: object) => {
    const id = await pay.tokenId({ type: 'recurring' }, data)
    world.clock.advance(360_000)
    await pay.work()
    await pay.patch(`/stores/${shop.store_id}/tokens/${id}`, { data: { cvv: '123' } })
    await pay.work()
    return id
  }
  const charge = (transaction_token_id: string) =>
    pay.post('/charges', { transaction_token_id, amount: 10_000, currency: 'JPY' })
  const good = await checked({})
  expect((await charge(good)).status).toBe(201)
  world.clock.advance(300_000)
  expect((await charge(good)).body.code).toBe('RECURRING_USAGE_REQUIRES_CVV')
  const wrong = await checked({ card_number: '4000000000000127' })
  expect((await charge(wrong)).body.code).toBe('RECURRING_USAGE_REQUIRES_CVV')
})

test('min_refund_threshold: less than that is not refunded', async () => {
  await configure({
    security_configuration: { min_refund_threshold: { amount: 100, currency: 'JPY' } },
  })
  const { id } = await pay.settled()
  const refund = (amount: number) =>
    pay.post(`${pay.chargePath(id)}/refunds`, { amount, currency: 'JPY' })
  expect((await refund(99)).body.code).toBe('REFUND_NOT_WITHIN_BOUNDS')
  expect((await refund(100)).status).toBe(201)
})

test('min_refund_threshold holds in its own currency only', async () => {
  await configure({
    security_configuration: { min_refund_threshold: { amount: 500, currency: 'USD' } },
  })
  const refund = async (currency: string, amount: number) => {
    const { id } = await pay.settled({ currency })
    return pay.post(`${pay.chargePath(id)}/refunds`, { amount, currency })
  }
  expect((await refund('JPY', 1)).status).toBe(201)
  expect((await refund('USD', 499)).body.code).toBe('REFUND_NOT_WITHIN_BOUNDS')
  expect((await refund('USD', 500)).status).toBe(201)
})

test('fail_on_new_email: a card that paid under one address is refused under another', async () => {
  await configure({ card_configuration: { fail_on_new_email: true } })
  await pay.settled()
  const other = await pay.token({ email: 'somebody.else@example.com' })
  expect(other.body.errors).toEqual([{ field: 'email', reason: 'NOT_ALLOWED_VALUE' }])
  expect((await pay.token({ email: 'Customer@Example.com' })).status).toBe(201)
})

test('three_ds_address_required and three_ds_phone_number_required are asked for', async () => {
  await configure({
    card_configuration: { three_ds_address_required: true, three_ds_phone_number_required: true },
  })
  expect((await pay.token()).body.errors).toEqual([
    { field: 'data.line1', reason: 'REQUIRED_VALUE' },
    { field: 'data.phone_number', reason: 'REQUIRED_VALUE' },
  ])
  const phone_number = { country_code: '81', local_number: '9012345678' }
  expect((await pay.token({}, { line1: '1-1', phone_number })).status).toBe(201)
})

test('debit_authorization_enabled false: a debit card is charged, but not held', async () => {
  const debit_card = { data: { card_number: '4000056655665556' } }
  expect((await pay.charge({ capture: false }, debit_card)).status).toBe(201)
  await configure({ card_configuration: { debit_authorization_enabled: false } })
  expect((await pay.charge({ capture: false })).status).toBe(201)
  const debit = await pay.token({}, { card_number: '4000056655665556' })
  expect(debit.body.data.card.card_type).toBe('debit')
  const body = { transaction_token_id: debit.body.id, amount: 5, currency: 'JPY' }
  const held = await pay.post('/charges', { ...body, capture: false })
  expect(held.body.errors).toEqual([{ field: 'capture', reason: 'INVALID_CARD_TYPE_FOR_CAPTURE' }])
  expect((await pay.post('/charges', body)).status).toBe(201)
})
