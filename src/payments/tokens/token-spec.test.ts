import { beforeEach, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'

// Sentences of the specification about tokens that no other file shows.
const world = useWorld()
let pay: Payments

beforeEach(async () => {
  world.clock.advance(60_000)
  pay = payments(world, await world.merchant())
})

test('apple_pay: line1, line2, state, city, country, zip and phone_number as for card', async () => {
  const billing = {
    line1: '1-2-3 Ginza',
    line2: 'Room 4',
    state: 'Tokyo',
    city: 'Chuo',
    country: 'JP',
    zip: '104-0061',
  }
  const phone_number = { country_code: '81', local_number: '09012345678' }
  const data = { applepay_token: 'x', cardholder: 'Taro Yamada', ...billing, phone_number }
  const body = { payment_type: 'apple_pay', email: 'customer@example.com', data }
  const created = await pay.post('/tokens', body)
  expect(created.status, created.text).toBe(201)
  expect(created.body.data.billing).toEqual({
    ...billing,
    phone_number: { country_code: 81, local_number: '09012345678' },
  })
  const wrong = await pay.post('/tokens', { ...body, data: { ...data, country: 'XX' } })
  expect(wrong.body.errors).toEqual([{ field: 'data.country', reason: 'INVALID_FORMAT_COUNTRY' }])
})

test('keys svc-link-id, svc-phone-number and svc-product-names occur in metadata and are kept', async () => {
  const metadata = {
    'svc-customer-id': '0190a000-0000-7000-8000-000000000001',
    'svc-link-id': 'L-1',
    'svc-phone-number': '+819012345678',
    'svc-product-names': 'Tea, cake',
  }
  expect((await pay.token({ metadata })).body.metadata).toEqual(metadata)
})

test('three_ds.enabled false may trigger 3DS later at charge creation', async () => {
  const data = { card_number: '4000000000003220', three_ds: { enabled: false } }
  const charge = await pay.settled({}, { token: { type: 'recurring' }, data })
  expect(charge).toMatchObject({ status: 'awaiting', three_ds: { mode: 'normal' } })
})

test('cvv_authorize.enabled is false by default; its currency is the base currency by default', async () => {
  const { body: plain } = await pay.token({ type: 'recurring' })
  expect(plain.data.cvv_authorize).toMatchObject({ enabled: false, currency: null })
  const data = { card_number: '4000020000000000', cvv_authorize: { enabled: true } }
  const { body: checked } = await pay.token({ type: 'recurring' }, data)
  expect(checked.data.cvv_authorize).toMatchObject({ enabled: true, currency: 'JPY' })
  const { charge_id } = checked.data.cvv_authorize
  expect((await pay.get(pay.chargePath(charge_id))).body.requested_currency).toBe('JPY')
})
