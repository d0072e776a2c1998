import { beforeAll, describe, expect, test } from 'vitest'
import { checkouts } from '../../../test/support/pages/checkouts.ts'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// Digits as a Japanese keyboard types them, wherever the API takes a string of digits.
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
})

const phone_number = { country_code: '８１', local_number: '０９０ー１２３４－５６７８' }

describe('full-width digits', () => {
  test('of a card: number, expiry, security code, postal code and phone number', async () => {
    const created = await pay.token(
      { type: 'recurring' },
      {
        card_number: '４２４２　４２４２－４２４２−４２４２',
        exp_month: '０３',
        exp_year: '２０３０',
        cvv: '１２３',
        zip: '１０３−０００１',
        phone_number,
      },
    )
    expect(created.status, created.text).toBe(201)
    expect(created.body.data.card).toMatchObject({
      card_bin: '424242',
      last_four: '4242',
      brand: 'visa',
      exp_month: 3,
      exp_year: 2030,
    })
    expect(created.body.data.billing).toMatchObject({
      zip: '103-0001',
      phone_number: { country_code: 81, local_number: '09012345678' },
    })
    const path = `/stores/${shop.store_id}/tokens/${created.body.id}`
    const changed = await pay.patch(path, {
      data: { exp_month: '１２', exp_year: '３１', cvv: '９８７' },
    })
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body.data.card).toMatchObject({ exp_month: 12, exp_year: 2031 })
  })

  test('a number is the same card in any width', async () => {
    const half = await pay.settled({}, { data: { card_number: '4000000000000002' } })
    const wide = `４${'０'.repeat(14)}２`
    const full = await pay.settled({}, { data: { card_number: wide } })
    expect([half.error.code, full.error.code]).toEqual([306, 306])
  })

  test('of a convenience store payment', async () => {
    const data = { customer_name: '山田太郎', convenience_store: 'lawson', phone_number }
    const created = await pay.post('/tokens', {
      payment_type: 'konbini',
      email: 'taro@example.com',
      data,
    })
    expect(created.status, created.text).toBe(201)
    expect(created.body.data.phone_number).toEqual({
      country_code: 81,
      local_number: '09012345678',
    })
  })

  test('of the code in a wallet, also in groups', async () => {
    for (const scanned_qr of [
      '１３４５６７８９０１２３４５６７８９',
      '1345 6789 0123 4567 89',
      '１３４５　６７８９',
    ]) {
      const created = await pay.post('/tokens', {
        payment_type: 'qr_scan',
        email: 'taro@example.com',
        data: { scanned_qr },
      })
      expect(created.status, created.text).toBe(201)
      expect(created.body.data.brand).toBe('we_chat')
    }
  })

  test('of a stored card on a page, and of the amount of a link', async () => {
    const buy = checkouts(world, shop)
    const customer = { email: 'taro@example.com', customer_id: crypto.randomUUID() }
    const transaction_token_id = await pay.tokenId({
      type: 'recurring',
      metadata: { 'svc-customer-id': customer.customer_id },
    })
    const session = await buy.session({ customer })
    const paid = await buy.send(session.url, 'saved_card', { transaction_token_id, cvv: '１２３' })
    expect(paid.status, paid.text).toBe(200)

    const amount_choice = { min: 100, max: 10_000 }
    const link = await pay.post('/payment_links', { name: 'Tea', currency: 'JPY', amount_choice })
    const { pathname } = new URL(link.body.url)
    const opened = await world.call('POST', pathname, { body: { amount: '１，２００' } })
    expect(opened.status, opened.text).toBe(200)
    const state = await world.call('GET', `${new URL(opened.body.url).pathname}/state`)
    expect(state.body.amount).toBe(1200)
  })

  test('of filters in a URL', async () => {
    const query = { last_four: '４２４２', name: 'TARO YAMADA', exp_month: '12', exp_year: '2030' }
    const found = await world.call('GET', '/charges', { auth: shop.as_store, query })
    expect(found.status, found.text).toBe(200)
  })

  test('amounts of the API stay JSON integers', async () => {
    const created = await pay.charge({ amount: '１０００' })
    expect(created.status).toBe(400)
    expect(created.body.errors[0]).toMatchObject({ field: 'amount', reason: 'INVALID_FORMAT' })
  })
})

describe('the year of a card', () => {
  const yearAhead = (years: number) => new Date(world.clock.now()).getUTCFullYear() + years

  test('20 years ahead is accepted, 21 is refused, with two digits and with four', async () => {
    expect((await pay.token({}, { exp_year: yearAhead(20) })).status).toBe(201)
    for (const exp_year of [yearAhead(21), String(yearAhead(21)).slice(2), '2083', 2099]) {
      const refused = await pay.token({}, { exp_year })
      expect(refused.status, String(exp_year)).toBe(400)
      expect(refused.body.errors).toMatchObject([
        { field: 'data.exp_month', reason: 'INVALID_CARD_EXPIRATION' },
        { field: 'data.exp_year', reason: 'INVALID_CARD_EXPIRATION' },
      ])
    }
  })

  test('a stored card cannot be moved further ahead either', async () => {
    const id = await pay.tokenId({ type: 'recurring' })
    const path = `/stores/${shop.store_id}/tokens/${id}`
    const refused = await pay.patch(path, { data: { exp_year: '2083' } })
    expect(refused.status, refused.text).toBe(400)
  })
})
