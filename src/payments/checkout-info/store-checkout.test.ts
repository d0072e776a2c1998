import { expect, test } from 'vitest'
import { useHooks } from '../../../test/support/receiver/hooks.ts'
import { newWorld } from '../../../test/support/world.ts'
import { default_configuration } from '../../accounts/configuration/configuration-defaults.ts'
import { readDuration } from '../../core/time/durations.ts'
import { method_facts } from '../../methods/method-facts.ts'
import { rulesOf } from '../store-rules/store-rules.ts'
import { CheckoutInfo } from './checkout-info.ts'

const on = useHooks()

const info = async () => on.world.call('GET', '/checkout_info', { auth: `Bearer ${on.shop.jwt}` })

test('the JWT alone suffices, and the response has every key of the API', async () => {
  const { status, body } = await info()
  expect(status).toBe(200)
  expect(body).toMatchObject({
    mode: 'test',
    recurring_token_privilege: 'infinite',
    name: expect.any(String),
    card_configuration: expect.any(Object),
    qr_scan_configuration: expect.any(Object),
    convenience_configuration: expect.any(Object),
    online_configuration: expect.any(Object),
    paidy_configuration: expect.any(Object),
    subscription_configuration: expect.any(Object),
    theme: { colors: { main_color: expect.stringMatching(/^#/) } },
    recurring_card_charge_cvv_confirmation: { enabled: false, threshold: [] },
  })
  for (const brand of body.supported_brands) {
    expect(brand.supported_currencies.length).toBeGreaterThan(0)
  }
  const types = new Set(
    body.supported_brands.map((one: Record<string, string>) => one.payment_type),
  )
  expect(types.size).toBe(8)
  const origin = await on.world.call('GET', '/checkout_info?origin=https%3A%2F%2Fshop.example', {
    auth: `Bearer ${on.shop.jwt}`,
  })
  expect(origin.status).toBe(200)
})

const set = async (path: string, configuration: object) => {
  const body = { configuration }
  const response = await on.world.call('PATCH', path, { auth: on.shop.as_merchant, body })
  expect(response.status, response.text).toBe(200)
}

/** The paths of a schema that hold a boolean. */
function switches(schema: object, path: string[] = []): string[][] {
  const { type, properties } = schema as { type?: unknown; properties?: Record<string, object> }
  if ([type].flat().includes('boolean')) return [path]
  const inner = Object.entries(properties ?? {})
  return inner.flatMap(([name, part]) => switches(part, [...path, name]))
}

test('no switch is null, whatever is set', async () => {
  const paths = switches(CheckoutInfo)
  const notifications = paths.filter(([, name]) => name?.endsWith('_notification_enabled'))
  expect(paths.length).toBeGreaterThan(40)
  expect(notifications).toHaveLength(8)
  const read = ({ body }: { body: object }, path: string[]) =>
    path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], body)
  const first = await info()
  for (const path of paths) expect(read(first, path), path.join('.')).toBeTypeOf('boolean')
})

test("values are the store's, else the merchant's, else the default", async () => {
  const shown = async () => {
    const { card_configuration: card, bank_transfer_configuration: bank } = (await info()).body
    return [card.debit_enabled, card.allow_empty_cvv, bank.remind_notification_enabled]
  }
  const seen = async () => {
    const { convenience_configuration: konbini, subscription_configuration } = (await info()).body
    return [konbini.expiration, subscription_configuration.failed_charges_to_cancel]
  }
  expect(await shown()).toEqual([true, false, false])
  expect(await seen()).toEqual(['PT720H', 5])
  const of_merchant = { debit_enabled: false, allow_empty_cvv: true }
  const reminding = { remind_notification_enabled: true }
  await set('/me', {
    card_configuration: of_merchant,
    bank_transfer_configuration: reminding,
    convenience_configuration: { expiration: 'P3D' },
    subscription_configuration: { failed_charges_to_cancel: 2 },
  })
  expect(await shown()).toEqual([false, true, true])
  expect(await seen()).toEqual(['P3D', 2])
  const store = `/stores/${on.shop.store_id}`
  await set(store, { card_configuration: { debit_enabled: true, allow_empty_cvv: false } })
  expect(await shown()).toEqual([true, false, true])
  await set(store, { card_configuration: { debit_enabled: null, allow_empty_cvv: null } })
  expect(await shown()).toEqual([false, true, true])
})

test('the defaults that are shown are those of the rules', () => {
  const plain = rulesOf({}, {})
  const { configuration: _, expiration, ...shown } = rulesOf(default_configuration, {})
  const { debit_holds, prepaid_holds, ...limits } = plain.card_limits
  expect(shown).toEqual({
    ...plain,
    configuration: undefined,
    expiration: undefined,
    // Disabled only by an explicit false.
    direct_card_tokens: plain.direct_card_tokens ?? true,
    debit_enabled: plain.debit_enabled ?? true,
    prepaid_enabled: plain.prepaid_enabled ?? true,
    foreign_cards_allowed: plain.foreign_cards_allowed ?? true,
    card_limits: {
      ...limits,
      debit_holds: debit_holds ?? true,
      prepaid_holds: prepaid_holds ?? true,
    },
  })
  for (const way of ['konbini', 'bank_transfer'] as const) {
    const { period = null, time_shift } = expiration[way] ?? {}
    expect(readDuration(period ?? '')).toBe(method_facts[way].deposit?.default_ms)
    expect(time_shift).toBeNull()
  }
})

test('brands follow the configuration of the store', async () => {
  await on.world.call('PATCH', `/stores/${on.shop.store_id}`, {
    auth: on.shop.as_merchant,
    body: {
      configuration: {
        card_configuration: { forbidden_card_brands: ['jcb'] },
        online_configuration: { enabled: false },
      },
    },
  })
  const { body } = await info()
  const named = (type: string) =>
    body.supported_brands
      .filter((one: Record<string, string>) => one.payment_type === type)
      .map((one: Record<string, string>) => one.brand)
  expect(named('card')).toContain('visa')
  expect(named('card')).not.toContain('jcb')
  expect(named('online')).toEqual([])
})

test('a merchant token has no store and is refused; no credential is 401', async () => {
  const as_merchant = await on.world.call('GET', '/checkout_info', { auth: on.shop.as_merchant })
  expect(as_merchant.status).toBe(403)
  expect((await on.world.call('GET', '/checkout_info')).status).toBe(401)
})

test('logos are served by the service itself, to anybody, and only those of known brands', async () => {
  const { body } = await on.pay.post('/checkout_info/gateways/alipay_plus_online', {
    amount: 1000,
    currency: 'JPY',
    call_method: 'http_get',
  })
  const urls = body.brands.map(
    (brand: { extras: { logos: { url: string }[] } }) => brand.extras.logos[0]?.url,
  )
  const { base_url } = on.world.service.address
  for (const url of urls) {
    const response = await on.world.call('GET', url.replace(base_url, ''))
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toContain('image/svg+xml')
    expect(response.text).toMatch(/^<svg /)
  }
  expect((await on.world.call('GET', '/logos/nobody.svg')).status).toBe(404)
  expect((await on.world.call('GET', '/logos/%3Cscript%3E.svg')).status).toBe(404)
})

test('amounts are converted by the dated table, exactly', async () => {
  const convert = (body: object) => on.pay.post('/exchange_rates/calculate', body)
  const usd = await convert({ amount: 1000, currency: 'usd', to: 'JPY' })
  expect(usd).toMatchObject({ status: 200, body: { amount: 1500, currency: 'JPY' } })
  const same = await convert({ amount: 5, currency: 'JPY', to: 'jpy' })
  expect(same.body).toEqual({ amount: 5, currency: 'JPY' })
  const unknown = await convert({ amount: 5, currency: 'JPY', to: 'XAF' })
  expect(unknown.body.errors).toEqual([{ field: 'to', reason: 'NOT_ALLOWED_VALUE' }])
  const nothing = await convert({ amount: 1, currency: 'VND', to: 'KWD' })
  expect(nothing.status).toBe(400)
  const missing = await convert({})
  expect(missing.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'amount',
    'currency',
    'to',
  ])
})

test('in live mode nothing is offered, because no connector is configured', async () => {
  const world = await newWorld()
  const shop = await world.merchant({ mode: 'live', verified: true })
  const { body } = await world.call('GET', '/checkout_info', { auth: `Bearer ${shop.jwt}` })
  expect(body).toMatchObject({ mode: 'live', supported_brands: [] })
  await world.close()
})
