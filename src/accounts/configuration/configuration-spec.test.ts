import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// Merchant, store and their configuration object, in the words of the specification.
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant({ verified: true })
})

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/
const none = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]))

/** Every key of the reference, where every value is null. */
const keys = {
  ...none('percent_fee', 'flat_fees', 'logo_url', 'country', 'language', 'display_time_zone'),
  ...none('min_transfer_payout', 'maximum_charge_amounts'),
  user_transactions_configuration: none('enabled', 'notify_customer'),
  card_configuration: none(
    'enabled',
    'debit_enabled',
    'prepaid_enabled',
    'forbidden_card_brands',
    'allowed_countries_by_ip',
    'foreign_cards_allowed',
    'fail_on_new_email',
    'card_limit',
    'allow_empty_cvv',
  ),
  qr_scan_configuration: none('enabled', 'forbidden_qr_scan_gateways'),
  convenience_configuration: none('enabled'),
  recurring_token_configuration: {
    ...none('recurring_type', 'charge_wait_period'),
    card_charge_cvv_confirmation: none('enabled', 'threshold'),
  },
  security_configuration: {
    ...none('inspect_suspicious_login_after', 'refund_percent_limit'),
    limit_charge_by_card_configuration: expect.any(Object),
  },
  installments_configuration: none(
    'enabled',
    'min_charge_amount',
    'max_payout_period',
    'failed_cycles_to_cancel',
  ),
  card_brand_percent_fees: none(
    'visa',
    'american_express',
    'mastercard',
    'maestro',
    'discover',
    'jcb',
    'diners_club',
    'union_pay',
  ),
}

test('GET /me answers 200 with the merchant: id, name, email, verified, created_on, configuration', async () => {
  const { status, body } = await world.call('GET', '/me', { auth: shop.as_store })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: shop.id,
    name: expect.stringMatching(/^Merchant \d+$/),
    email: expect.stringMatching(/@example\.com$/),
    verified: true,
    created_on: expect.stringMatching(iso),
    configuration: expect.any(Object),
  })
})

test('GET /stores/{storeId} answers 200 with the store: id, name, created_on, configuration', async () => {
  for (const auth of [shop.as_store, shop.as_merchant]) {
    const { status, body } = await world.call('GET', `/stores/${shop.store_id}`, { auth })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: shop.store_id,
      name: 'Shop',
      created_on: expect.stringMatching(iso),
      configuration: expect.any(Object),
    })
  }
})

test('the configuration object of merchant and store has every key, null where nothing is set', async () => {
  const auth = shop.as_store
  for (const path of ['/me', `/stores/${shop.store_id}`]) {
    const { configuration } = (await world.call('GET', path, { auth })).body
    expect(configuration, path).toMatchObject(keys)
  }
})

test('transfer_schedule is a key of the merchant only', async () => {
  const auth = shop.as_store
  const of_merchant = (await world.call('GET', '/me', { auth })).body.configuration
  expect(of_merchant).toHaveProperty('transfer_schedule')
  const of_store = (await world.call('GET', `/stores/${shop.store_id}`, { auth })).body
  expect(of_store.configuration).not.toHaveProperty('transfer_schedule')
})
