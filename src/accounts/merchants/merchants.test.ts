import { expect, test } from 'vitest'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { effectiveConfiguration } from '../configuration/configuration.ts'
import { patchMerchant } from './patch-merchant.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })

test('GET /me: id, name, email, verified, created_on (ISO-8601) and configuration', async () => {
  for (const auth of [shop.as_store, shop.as_merchant]) {
    const { status, body } = await world.call('GET', '/me', { auth })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: shop.id,
      name: expect.any(String),
      email: expect.stringContaining('@'),
      verified: false,
      created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/),
      configuration: { transfer_schedule: { wait_period: null, period: null } },
    })
    for (const group of [
      'user_transactions',
      'card',
      'qr_scan',
      'convenience',
      'paidy',
      'recurring_token',
      'security',
      'installments',
    ]) {
      expect(body.configuration[`${group}_configuration`], group).toBeTypeOf('object')
    }
  }
})

test('the merchant changes its own settings; the operator those that cost money', async () => {
  const patch = (configuration: object) =>
    world.call('PATCH', '/me', {
      auth: shop.as_merchant,
      body: { configuration, name: 'New name' },
    })
  const { body } = await patch({ language: 'ja', display_time_zone: 'Asia/Tokyo' })
  expect(body).toMatchObject({
    name: 'New name',
    configuration: { language: 'ja', display_time_zone: 'Asia/Tokyo' },
  })
  expect((await patch({ display_time_zone: 'Mars/Olympus' })).status).toBe(400)
  expect((await patch({ percent_fee: 0 })).status).toBe(400)
  expect(
    (await patch({ recurring_token_configuration: { recurring_type: 'infinite' } })).status,
  ).toBe(400)
  const set = await patchMerchant(
    world.service,
    shop.id,
    { configuration: { percent_fee: 3.5 } },
    'operator',
  )
  expect(set.configuration.percent_fee).toBe(3.5)
  expect((await world.call('PATCH', '/me', { auth: shop.as_store, body: {} })).status).toBe(403)
})

test('of 50 concurrent changes of different settings, none is lost', async () => {
  const tokens = await world.merchantTokens(shop, 5)
  const groups = ['qr_scan', 'qr_merchant', 'paidy', 'online', 'convenience']
  await Promise.all(
    groups.map((group, index) =>
      world.call('PATCH', '/me', {
        auth: tokens[index] ?? '',
        body: { configuration: { [`${group}_configuration`]: { enabled: true } } },
      }),
    ),
  )
  const { configuration } = (await world.call('GET', '/me', { auth: shop.as_store })).body
  for (const group of groups) expect(configuration[`${group}_configuration`].enabled).toBe(true)
})

test('GET /me/defaults: the values that apply where nothing is set', async () => {
  expect((await world.call('GET', '/me/defaults')).status).toBe(401)
  const { status, body } = await world.call('GET', '/me/defaults', { auth: shop.as_merchant })
  expect([status, body.card_configuration.enabled, body.percent_fee]).toEqual([200, true, null])
})

test("a store's null inherits from its merchant", () => {
  const merchant = {
    country: 'JP',
    percent_fee: 3,
    card_configuration: { debit_enabled: false, forbidden_card_brands: ['jcb'] },
    min_transfer_payout: { amount: 1, currency: 'JPY' },
  }
  const store = { percent_fee: 2, card_configuration: { debit_enabled: true } }
  expect(effectiveConfiguration(merchant, store)).toMatchObject({
    country: 'JP',
    percent_fee: 2,
    card_configuration: { debit_enabled: true, forbidden_card_brands: ['jcb'], enabled: null },
    min_transfer_payout: { amount: 1, currency: 'JPY' },
  })
})
