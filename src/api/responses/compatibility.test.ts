import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/support/world.ts'

// What differs with the setting, except dates, pages, amounts and deliveries, which have their own
// tests. The card of these tests has an issuer that approves without a challenge.
const quiet_card = '4000020000000000'

describe.each(['spec', 'clients'] as const)('COMPATIBILITY=%s', (setting) => {
  const by_the_letter = setting === 'spec'
  let world: World
  let shop: TestMerchant
  let pay: Payments

  beforeAll(async () => {
    world = await newWorld({ settings: { COMPATIBILITY: setting } })
  })
  beforeEach(async () => {
    world.clock.advance(60_000)
    shop = await world.merchant()
    pay = payments(world, shop)
  })
  afterAll(async () => {
    const faults = await paymentFaults(world)
    await world.close()
    expect(faults).toEqual([])
  })

  const tokenPath = (id: string) => `/stores/${shop.store_id}/tokens/${id}`
  const subscriptionPath = (id: string) => `/stores/${shop.store_id}/subscriptions/${id}`
  const data = { card_number: quiet_card }
  const remove = (path: string) => {
    world.clock.advance(1000)
    return world.call('DELETE', path, { auth: shop.as_store })
  }
  const challengeOf = async (path: string) =>
    (await pay.get(`${path}/three_ds/issuer_token`)).body.call_method

  test.each([
    [{ three_ds: { mode: 'require' } }, 'awaiting'],
    [{ three_ds_mode: 'require' }, 'awaiting'],
    [{ three_ds: { mode: 'normal' } }, 'successful'],
    [{}, 'successful'],
  ])('3-D Secure of a charge: %o', async (body, for_clients) => {
    const charge = await pay.settled(body, { data })
    expect(charge.status).toBe(by_the_letter ? 'successful' : for_clients)
    if (charge.status === 'successful') return
    expect(await challengeOf(pay.chargePath(charge.id))).toBe('http_post')
    await pay.post(`/test/charges/${charge.id}/complete`, { outcome: 'successful' })
    await pay.work()
    const done = (await pay.get(pay.chargePath(charge.id))).body
    expect(done).toMatchObject({ status: 'successful', charged_amount: 1000 })
  })

  test('3-D Secure that is asked for at a recurring token, when it is created or later', async () => {
    const at_once = await pay.tokenId(
      { type: 'recurring' },
      { ...data, three_ds: { enabled: true } },
    )
    const later = await pay.tokenId({ type: 'recurring' }, data)
    await pay.post(`${tokenPath(later)}/three_ds`)
    await pay.work()
    for (const id of [at_once, later]) {
      const { three_ds } = (await pay.get(tokenPath(id))).body.data
      expect(three_ds.status).toBe(by_the_letter ? 'successful' : 'awaiting')
      if (!by_the_letter) expect(await challengeOf(tokenPath(id))).toBe('http_post')
    }
  })

  test('3-D Secure that the first charge of a subscription requires', async () => {
    const made = await pay.post('/subscriptions', {
      transaction_token_id: await pay.tokenId({ type: 'subscription' }, data),
      amount: 500,
      currency: 'JPY',
      period: 'monthly',
      three_ds: { mode: 'require', redirect_endpoint: 'https://shop.example/done' },
    })
    const path = subscriptionPath(made.body.id)
    await pay.work()
    const latest = (await pay.get(`${path}/charges/latest`)).body
    const { status } = (await pay.get(path)).body
    if (by_the_letter) return expect([status, latest.status]).toEqual(['current', 'successful'])
    expect([status, latest.status]).toEqual(['unverified', 'awaiting'])
    expect(await challengeOf(pay.chargePath(latest.id))).toBe('http_post')
    await pay.post(`/test/charges/${latest.id}/complete`, { outcome: 'successful' })
    await pay.work()
    expect((await pay.get(path)).body.status).toBe('current')
  })

  test('redirect on a card charge', async () => {
    const endpoint = 'https://shop.example/back'
    const redirect = { endpoint }
    const made = await pay.charge({ redirect, metadata: { order: 7 } }, { data })
    if (by_the_letter) {
      const errors = [{ field: 'redirect.endpoint', reason: 'FORBIDDEN_PARAMETER' }]
      return expect(made).toMatchObject({ status: 400, body: { errors } })
    }
    const stored = { endpoint, redirect_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }
    expect(made).toMatchObject({ status: 201, body: { redirect: stored } })
    const path = pay.chargePath(made.body.id)
    expect((await pay.get(path)).body.redirect).toEqual(made.body.redirect)
    const bad = await pay.charge({ redirect: { endpoint: 'https://a:b@shop.example/' } }, { data })
    expect(bad.status).toBe(400)
  })

  test('the customer of a card charge goes to its redirect after the challenge', async () => {
    if (by_the_letter) return
    const challenge = { data: { card_number: '4000000000003220' } }
    const endpoint = 'https://shop.example/back'
    const addressAfter = async (body: object) => {
      const { id } = await pay.settled(body, challenge)
      const query = 'select redirect_url from charges where id = $1'
      const { rows } = await world.store.pool.query(query, [id])
      return new URL(rows[0].redirect_url).pathname
    }
    expect(await addressAfter({ redirect: { endpoint } })).toBe('/back')
    const redirect_endpoint = 'https://shop.example/after-challenge'
    const both = { redirect: { endpoint }, three_ds: { redirect_endpoint } }
    expect(await addressAfter(both)).toBe('/after-challenge')
  })

  const konbini = {
    payment_type: 'konbini',
    email: 'customer@example.com',
    data: {
      customer_name: 'Taro',
      convenience_store: 'lawson',
      phone_number: { country_code: '81', local_number: '09012345678' },
    },
  }

  test('a konbini token without a period shows the default, which holds for its charge', async () => {
    const made = await pay.post('/tokens', konbini)
    expect(made.body.data).toMatchObject({
      expiration_period: 'PT720H',
      expiration_time_shift: null,
    })
    const path = `/stores/${shop.store_id}`
    const shift = { enabled: true, value: '23:59:59+09:00' }
    const convenience_configuration = { expiration: 'P3D', expiration_time_shift: shift }
    const changed = {
      auth: shop.as_merchant,
      body: { configuration: { convenience_configuration } },
    }
    expect((await world.call('PATCH', path, changed)).status).toBe(200)
    world.clock.advance(2000)
    const other = await pay.post('/tokens', konbini)
    const shown = { expiration_period: 'PT72H', expiration_time_shift: shift.value }
    expect(other.body.data).toMatchObject(shown)
  })

  test('the type of the payer in the transaction history', async () => {
    const charge = await pay.settled({}, { data })
    await pay.post(`${pay.chargePath(charge.id)}/refunds`, { amount: 100, currency: 'JPY' })
    await pay.work()
    const { items } = (await pay.get('/transaction_history')).body
    expect(items.map((one: { user_data: { type: string } }) => one.user_data.type)).toEqual(
      by_the_letter ? ['card', 'card'] : ['refund', 'charge'],
    )
  })

  test('total_hits: of stores and refunds always, of other lists where one page shows all', async () => {
    for (let count = 0; count < 3; count += 1) await pay.settled({}, { data })
    const charge = await pay.settled({}, { data })
    const refunds = `${pay.chargePath(charge.id)}/refunds`
    for (let count = 0; count < 12; count += 1) {
      await pay.post(refunds, { amount: 1, currency: 'JPY' })
      await pay.work()
    }
    const total = async (path: string) => (await pay.get(path)).body.total_hits
    const stores = await world.call('GET', '/stores', { auth: shop.as_merchant })
    expect(stores.body.items[0]).toMatchObject({
      merchant_name: expect.stringMatching(/^Merchant/),
    })
    const shown = [
      stores.body.total_hits,
      await total(`${refunds}?limit=10`),
      await total('/charges'),
    ]
    expect(shown).toEqual(by_the_letter ? [undefined, undefined, undefined] : [1, 12, 4])
    if (by_the_letter) return
    expect(await total('/charges?limit=2')).toBeUndefined()
    expect(await total(`/charges?cursor=${charge.id}`)).toBeUndefined()
    expect(await total('/tokens')).toBe(0)
  })

  test('a card token without 3-D Secure, and the currency of a CVV authorization', async () => {
    const three_ds = by_the_letter ? null : 'pending'
    const made = await pay.token(
      { type: 'recurring' },
      { ...data, cvv_authorize: { enabled: true } },
    )
    expect(made.body.data.three_ds).toMatchObject({ enabled: false, status: three_ds })
    expect(made.body.data.cvv_authorize.currency).toBe(by_the_letter ? 'JPY' : null)
    await pay.work()
    const read = (await pay.get(tokenPath(made.body.id))).body.data
    expect(read.three_ds.status).toBe(three_ds)
    expect(read.cvv_authorize).toMatchObject({ currency: by_the_letter ? 'JPY' : null })
    const given = { enabled: true, currency: 'usd' }
    const in_usd = await pay.token({ type: 'recurring' }, { ...data, cvv_authorize: given })
    expect(in_usd.body.data.cvv_authorize.currency).toBe('USD')
    const without = await pay.token({}, data)
    expect(without.body.data.cvv_authorize).toMatchObject({ enabled: false, currency: null })
    const { items } = (await pay.get('/events')).body
    const event = items.find((one: { resource_id: string }) => one.resource_id === made.body.id)
    expect(event.data.data.three_ds.status).toBe(three_ds)
  })

  test('nulls of configuration and checkout information', async () => {
    const me = (await world.call('GET', '/me', { auth: shop.as_merchant })).body.configuration
    const path = `/stores/${shop.store_id}`
    const store = (await world.call('GET', path, { auth: shop.as_merchant })).body.configuration
    for (const { flat_fees, minimum_charge_amounts, min_transfer_payout, percent_fee } of [
      me,
      store,
    ]) {
      expect([flat_fees, minimum_charge_amounts, min_transfer_payout, percent_fee]).toEqual(
        by_the_letter ? [null, null, null, null] : [[], [], { amount: 0, currency: 'JPY' }, null],
      )
    }
    const info = (await pay.get('/checkout_info')).body
    const { card_configuration, bank_transfer_configuration, installments_configuration } = info
    expect(card_configuration.allowed_countries_by_ip).toBeNull()
    const [visa] = info.supported_brands
    if (by_the_letter) {
      expect(bank_transfer_configuration.virtual_bank_accounts_threshold).toBeNull()
      expect(installments_configuration.supported_payment_types).toBeNull()
      return expect(visa).toMatchObject({ card_brand: 'visa', qr_brand: null, online_brand: null })
    }
    expect(bank_transfer_configuration).not.toHaveProperty('virtual_bank_accounts_threshold')
    expect(installments_configuration.supported_payment_types).toEqual(['card'])
    expect(info.subscription_plan_configuration.supported_payment_types).toContain('card')
    expect(visa).toMatchObject({ card_brand: 'visa', countries_allowed: null })
    expect(visa).not.toHaveProperty('qr_brand')
  })

  const not_japanese = 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'
  test.each<[string | number, string, string | null, string | null]>([
    ['81', '09012345678', null, null],
    [81, '12910298309128', not_japanese, null],
    ['+81', '123456789012345', 'INVALID_PHONE_NUMBER', null],
    ['81', '1', not_japanese, null],
    ['81', '1234567890123456', 'INVALID_PHONE_NUMBER', 'INVALID_PHONE_NUMBER'],
    ['81', '0901234567x', 'INVALID_PHONE_NUMBER', 'INVALID_PHONE_NUMBER'],
    ['1', '9012345678', not_japanese, not_japanese],
  ])('konbini: the number %s %s', async (country_code, local_number, by_letter, for_clients) => {
    const response = await pay.post('/tokens', {
      payment_type: 'konbini',
      email: 'customer@example.com',
      data: {
        customer_name: 'Taro',
        convenience_store: 'seven_eleven',
        phone_number: { country_code, local_number },
      },
    })
    const reason = by_the_letter ? by_letter : for_clients
    if (reason) {
      const errors = [{ field: 'data.phone_number', reason }]
      return expect(response).toMatchObject({ status: 400, body: { errors } })
    }
    expect(response.status, response.text).toBe(201)
    expect(response.body.data.phone_number).toEqual({ country_code: 81, local_number })
  })

  async function subscribed(
    type: string,
    body: object = {},
    card: object = data,
  ): Promise<[token: string, subscription: string]> {
    const email = `${crypto.randomUUID()}@example.com`
    const token = await pay.tokenId({ type, email }, card)
    const money = { amount: 500, currency: 'JPY', period: 'monthly' }
    const made = await pay.post('/subscriptions', {
      transaction_token_id: token,
      ...money,
      ...body,
    })
    expect(made.status, made.text).toBe(201)
    return [token, made.body.id]
  }
  const statusOf = async (id: string) => (await pay.get(subscriptionPath(id))).body.status
  const eventsOf = async (id: string): Promise<string[]> => {
    const query = 'select name from events where resource_id = $1 order by sequence'
    return (await world.store.pool.query(query, [id])).rows.map(({ name }) => name)
  }

  test.each(['subscription', 'recurring'])(
    'a %s token with a running subscription is deleted in test mode',
    async (type) => {
      const [token, id] = await subscribed(type)
      const [, other] = await subscribed(type)
      await pay.work()
      const deleted = await remove(tokenPath(token))
      if (by_the_letter) {
        const reason = 'ONGOING_SUBSCRIPTIONS_EXIST_FOR_TOKEN'
        const errors = [{ field: 'token_id', reason }]
        expect(deleted).toMatchObject({ status: 400, body: { errors } })
        expect(await statusOf(id)).toBe('current')
        return expect((await pay.get(tokenPath(token))).body.active).toBe(true)
      }
      expect(deleted).toMatchObject({ status: 204, text: '' })
      expect((await pay.get(tokenPath(token))).body.active).toBe(false)
      expect(await statusOf(id)).toBe('suspended')
      expect((await eventsOf(id)).at(-1)).toBe('subscription_suspended')
      expect(await statusOf(other)).toBe('current')
      await pay.post('/test/clock', { advance: 'P2M' })
      expect(await statusOf(id)).toBe('suspended')
      const { items } = (await pay.get(`${subscriptionPath(id)}/charges`)).body
      expect(items).toHaveLength(1)
      const next = await pay.tokenId({ type: 'recurring' }, data)
      await pay.patch(`${subscriptionPath(id)}/token`, { transaction_token_id: next })
      expect((await pay.patch(`${subscriptionPath(id)}/unsuspend`)).body.status).toBe('unpaid')
      await pay.work()
      expect(await statusOf(id)).toBe('current')
    },
  )

  test('tokens that are deleted while their subscriptions are billed', async () => {
    if (by_the_letter) return
    const made: [string, string][] = []
    for (let count = 0; count < 8; count += 1) {
      made.push(await subscribed(count % 2 === 0 ? 'subscription' : 'recurring'))
    }
    await pay.work()
    world.clock.advance(32 * 86_400_000)
    const [, ...deleted] = await Promise.all([
      pay.work(),
      ...made.map(([token]) => remove(tokenPath(token))),
    ])
    expect(deleted.map(({ status }) => status)).toEqual(made.map(() => 204))
    await pay.work()
    for (const [, id] of made) {
      expect(await statusOf(id)).toBe('suspended')
      const { items } = (await pay.get(`${subscriptionPath(id)}/charges`)).body
      expect(items.length).toBeLessThanOrEqual(2)
    }
  })

  test('subscriptions of a deleted token that do not run yet', async () => {
    if (by_the_letter) return
    const waits = { three_ds: { mode: 'require' } }
    const [asked, unverified] = await subscribed('subscription', waits)
    const held = { first_charge_authorization_only: true }
    const [on_hold, authorized] = await subscribed('subscription', held)
    await pay.work()
    expect(await statusOf(authorized)).toBe('authorized')
    for (const token of [asked, on_hold]) expect((await remove(tokenPath(token))).status).toBe(204)
    expect(await statusOf(unverified)).toBe('suspended')
    expect(await statusOf(authorized)).toBe('authorized')
    expect((await remove(tokenPath(asked))).status).toBe(404)
  })

  test('a live token with a running subscription is not deleted', async () => {
    const live = await world.merchant({ mode: 'live', verified: true })
    shop = live
    pay = payments(world, live)
    const real = { card_number: '4539578763621486' }
    const start_on = new Date(world.clock.now() + 86_400_000 * 30).toISOString().slice(0, 10)
    const [token, id] = await subscribed('recurring', { schedule_settings: { start_on } }, real)
    expect((await remove(tokenPath(token))).status).toBe(400)
    expect(await statusOf(id)).not.toBe('suspended')
  })
})
