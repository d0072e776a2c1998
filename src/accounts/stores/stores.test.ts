import { expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// Stores are created and changed with a merchant's token; a store's token only reads its own.
const world = useWorld()
let shop: TestMerchant

async function freshMerchant(): Promise<void> {
  shop = await world.merchant()
}

test('a store is created, read, changed and deleted', async () => {
  await freshMerchant()
  const auth = shop.as_merchant
  const created = await world.call('POST', '/stores', {
    auth,
    body: { name: 'Second', metadata: { city: 'Kyoto' } },
  })
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'Second', merchant_id: shop.id, metadata: { city: 'Kyoto' } },
  })
  const path = `/stores/${created.body.id}`
  expect((await world.call('GET', path, { auth })).body).toEqual(created.body)
  const changed = await world.call('PATCH', path, { auth, body: { name: 'Renamed' } })
  expect(changed).toMatchObject({ status: 200, body: { name: 'Renamed', id: created.body.id } })
  expect((await world.call('DELETE', path, { auth })).status).toBe(204)
  expect((await world.call('GET', path, { auth })).status).toBe(404)
})

test('Store: id, name, created_on (ISO-8601) and configuration with every key, null where unset', async () => {
  await freshMerchant()
  const { body } = await world.call('GET', `/stores/${shop.store_id}`, { auth: shop.as_store })
  expect(body.created_on).toBe('2026-01-15T00:00:00.000Z')
  expect(body.configuration).toMatchObject({
    percent_fee: null,
    flat_fees: null,
    logo_url: null,
    country: null,
    language: null,
    display_time_zone: null,
    min_transfer_payout: null,
    maximum_charge_amounts: null,
    user_transactions_configuration: { enabled: null, notify_customer: null },
    card_configuration: {
      enabled: null,
      debit_enabled: null,
      prepaid_enabled: null,
      forbidden_card_brands: null,
      allowed_countries_by_ip: null,
      foreign_cards_allowed: null,
      fail_on_new_email: null,
      card_limit: null,
      allow_empty_cvv: null,
    },
    qr_scan_configuration: { enabled: null, forbidden_qr_scan_gateways: null },
    convenience_configuration: { enabled: null },
    recurring_token_configuration: {
      recurring_type: null,
      charge_wait_period: null,
      card_charge_cvv_confirmation: { enabled: null, threshold: null },
    },
    security_configuration: {
      inspect_suspicious_login_after: null,
      refund_percent_limit: null,
      limit_charge_by_card_configuration: { quantity_of_charges: null, duration_window: null },
    },
    installments_configuration: {
      enabled: null,
      min_charge_amount: null,
      max_payout_period: null,
      failed_cycles_to_cancel: null,
    },
    card_brand_percent_fees: { visa: null, union_pay: null },
  })
  expect(body.configuration).not.toHaveProperty('transfer_schedule')
})

test('configuration is changed key by key and its types are checked', async () => {
  await freshMerchant()
  const auth = shop.as_merchant
  const path = `/stores/${shop.store_id}`
  const patch = (configuration: object) =>
    world.call('PATCH', path, { auth, body: { configuration } })
  await patch({ country: 'JP', card_configuration: { forbidden_card_brands: ['jcb'] } })
  const after = await patch({ card_configuration: { debit_enabled: false } })
  expect(after.body.configuration).toMatchObject({
    country: 'JP',
    card_configuration: { forbidden_card_brands: ['jcb'], debit_enabled: false },
  })
  expect((await patch({ country: null })).body.configuration.country).toBeNull()
  expect(
    (await patch({ card_configuration: null })).body.configuration.card_configuration,
  ).toMatchObject({ forbidden_card_brands: null, debit_enabled: null })
  const wrong = await patch({
    card_configuration: { enabled: 'yes', card_limit: { amount: -1 } },
    logo_url: 'javascript:alert(1)',
    convenience_configuration: { expiration: '3 days' },
  })
  expect(wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect(wrong.body.errors).toEqual(
    expect.arrayContaining([
      { field: 'configuration.card_configuration.enabled', reason: 'INVALID_FORMAT' },
      { field: 'configuration.card_configuration.card_limit.currency', reason: 'REQUIRED_VALUE' },
      { field: 'configuration.card_configuration.card_limit.amount', reason: 'NUMBER_MIN' },
      { field: 'configuration.logo_url', reason: 'INVALID_FORMAT_URL' },
      { field: 'configuration.convenience_configuration.expiration', reason: 'INVALID_DURATION' },
    ]),
  )
})

test("fees and privileges are the operator's: sent back unchanged they pass, changed they do not", async () => {
  await freshMerchant()
  const auth = shop.as_merchant
  const path = `/stores/${shop.store_id}`
  const { configuration } = (await world.call('GET', path, { auth })).body
  expect((await world.call('PATCH', path, { auth, body: { configuration } })).status).toBe(200)
  const greedy = await world.call('PATCH', path, {
    auth,
    body: {
      configuration: {
        percent_fee: 0,
        card_brand_percent_fees: { visa: 0 },
        card_configuration: { three_ds_skip_enabled: true },
      },
    },
  })
  expect(greedy.status).toBe(400)
  expect(greedy.body.errors).toEqual([
    { field: 'configuration.percent_fee', reason: 'CHANGE_PROHIBITED' },
    {
      field: 'configuration.card_configuration.three_ds_skip_enabled',
      reason: 'CHANGE_PROHIBITED',
    },
    { field: 'configuration.card_brand_percent_fees.visa', reason: 'CHANGE_PROHIBITED' },
  ])
})

test('deleting a store ends its tokens immediately', async () => {
  await freshMerchant()
  const path = `/stores/${shop.store_id}`
  expect((await world.call('GET', path, { auth: shop.as_store })).status).toBe(200)
  expect((await world.call('DELETE', path, { auth: shop.as_merchant })).status).toBe(204)
  const refused = await world.call('GET', path, { auth: shop.as_store })
  expect(refused).toMatchObject({ status: 401, body: { code: 'INVALID_APP_TOKEN' } })
})

test('two stores of one merchant cannot have the same name', async () => {
  await freshMerchant()
  const again = await world.call('POST', '/stores', {
    auth: shop.as_merchant,
    body: { name: 'Shop' },
  })
  expect(again).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'name', reason: 'STORE_EXISTS' }] },
  })
})

test('Metadata PATCH with 50 distinct keys: all 50 keys present', async () => {
  await freshMerchant()
  const path = `/stores/${shop.store_id}`
  const keys = Array.from({ length: 50 }, (_, index) => `key_${index}`)
  const tokens = await world.merchantTokens(shop, 10)
  const responses = await Promise.all(
    keys.map((key, index) =>
      world.call('PATCH', path, {
        auth: tokens[index % 10] ?? '',
        body: { metadata: { [key]: index } },
      }),
    ),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
  const { metadata } = (await world.call('GET', path, { auth: shop.as_store })).body
  expect(metadata).toEqual(Object.fromEntries(keys.map((key, index) => [key, index])))
})

test('metadata keeps types, replaces keys, and its limits hold for the merged result', async () => {
  await freshMerchant()
  const auth = shop.as_merchant
  const path = `/stores/${shop.store_id}`
  const patch = (metadata: object) => world.call('PATCH', path, { auth, body: { metadata } })
  const given = { n: 1, text: '1', flag: true, none: null, list: [1, 'a'], deep: { a: { b: 1 } } }
  expect((await patch(given)).body.metadata).toEqual(given)
  expect((await patch({ n: null })).body.metadata).toEqual({ ...given, n: null })
  const many = Object.fromEntries(Array.from({ length: 95 }, (_, index) => [`m${index}`, 0]))
  expect(await patch(many)).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'metadata', reason: 'INVALID_FORMAT_OBJECT' }] },
  })
  expect((await patch({ big: 'x'.repeat(17_000) })).status).toBe(400)
  expect((await patch({ deep: { a: { b: { c: { d: 1 } } } } })).status).toBe(400)
  expect((await patch({ [`k${'y'.repeat(128)}`]: 1 })).status).toBe(400)
})

test('constructor, prototype and toString as metadata keys are plain data; __proto__ is refused', async () => {
  await freshMerchant()
  const auth = shop.as_merchant
  const path = `/stores/${shop.store_id}`
  const metadata = { constructor: { prototype: { polluted: 1 } }, toString: 'x', prototype: 1 }
  const { body } = await world.call('PATCH', path, { auth, body: { metadata } })
  expect(body.metadata).toEqual(metadata)
  const bad = await world.call('PATCH', path, {
    auth,
    body: '{"metadata":{"__proto__":{"polluted":1}}}',
  })
  expect(bad.status).toBe(400)
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
  expect((await world.call('GET', path, { auth })).body.metadata).toEqual(metadata)
})
