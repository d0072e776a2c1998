import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ApiResponse, TestMerchant, World } from '../support/world.ts'

// A payment method that one module adds is a method like any other. Schemas are made from the tables when
// their modules are loaded, so everything is loaded again after it, and once more for the files after this.
let world: World
let shop: TestMerchant

const email = 'customer@example.com'
const money = { amount: 1000, currency: 'JPY' }
const payment_type = 'gift_card'

beforeAll(async () => {
  vi.resetModules()
  await import('../support/gift-card.ts')
  const { newWorld } = await import('../support/world.ts')
  world = await newWorld()
  shop = await world.merchant()
})
afterAll(async () => {
  await world.close()
  vi.resetModules()
})

function post(path: string, body: object, at = shop): Promise<ApiResponse> {
  world.clock.advance(1000)
  return world.call('POST', path, { auth: at.as_store, body })
}

const newToken = (gift_code: string, at = shop) =>
  post('/tokens', { payment_type, email, data: { gift_code } }, at)

async function settledCharge(gift_code: string, at = shop) {
  const token = await newToken(gift_code, at)
  expect(token.status, token.text).toBe(201)
  expect(token.body.data).toMatchObject({ last_letters: gift_code.slice(-4) })
  expect(token.text).not.toContain(gift_code)
  const charge = await post('/charges', { transaction_token_id: token.body.id, ...money }, at)
  expect(charge.status, charge.text).toBe(201)
  await work()
  const path = `/stores/${at.store_id}/charges/${charge.body.id}`
  return (await world.call('GET', path, { auth: at.as_store })).body
}

async function work(): Promise<void> {
  const { runAllDue } = await import('../../src/worker/worker.ts')
  await runAllDue(world.service)
}

async function configure(configuration: object): Promise<void> {
  const path = `/stores/${shop.store_id}`
  const set = await world.call('PATCH', path, { auth: shop.as_merchant, body: { configuration } })
  expect(set.status, set.text).toBe(200)
  expect(set.body.configuration).toMatchObject(configuration)
}

test('the API takes it, and its own rule of test mode decides', async () => {
  expect(await settledCharge('GIFT0001')).toMatchObject({ status: 'successful' })
  const empty = await settledCharge('EMPTY001')
  expect(empty).toMatchObject({ status: 'failed', error: { code: 322 } })
  expect((await newToken('')).body.errors).toMatchObject([{ field: 'data.gift_code' }])
  const stated = await world.call('GET', '/test/scenarios', { auth: shop.as_store })
  expect(stated.text).toContain('code that begins with `EMPTY`')
})

test('a customer pays with it on the page of a checkout, without scripts', async () => {
  const created = await post('/checkout_sessions', money)
  expect(created.status, created.text).toBe(201)
  expect(created.body.payment_types).toContain(payment_type)
  const { pathname } = new URL(created.body.url)
  const page = (language: string) =>
    world.call('GET', pathname, { query: { language }, headers: { accept: 'text/html' } })
  const send = async (gift_code: string) => {
    const text = new URLSearchParams({ payment_type, email, gift_code }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    const sent = await world.call('POST', `${pathname}/payments`, { body: text, headers })
    expect(sent.status, sent.text).toBe(303)
    await work()
    world.clock.advance(60_000)
  }
  const { text } = await page('en')
  expect(text).toContain('Gift card of the shop')
  expect(text).toContain('name="gift_code"')
  expect((await page('ja')).text).toContain('カードのコード')
  // What the page says of the code stands at its field.
  await send('EMPTY002')
  const { text: again } = await page('en')
  expect(again).toMatch(/id="gift_code"[^>]*aria-invalid="true"/)
  await send('GIFT0002')
  const path = `/stores/${shop.store_id}/checkout_sessions/${created.body.id}`
  const { body } = await world.call('GET', path, { auth: shop.as_store })
  expect(body).toMatchObject({ status: 'completed', payment_type })
  expect((await page('en')).text).toContain('Gift card of the shop')
})

test('a store turns it off in its settings, and then it is refused and not offered', async () => {
  const info = () => world.call('GET', '/checkout_info', { auth: shop.as_store })
  const offered = async () =>
    (await info()).body.supported_brands.some(
      (one: { brand: string }) => one.brand === payment_type,
    )
  expect(await offered()).toBe(true)
  await configure({ gift_card_configuration: { enabled: false } })
  expect(await newToken('GIFT0003')).toMatchObject({
    status: 400,
    body: { code: 'PAIDY_PROCESSING_DISABLED' },
  })
  expect(await offered()).toBe(false)
  expect((await info()).body.gift_card_configuration).toEqual({ enabled: false })
  await configure({ gift_card_configuration: { enabled: null } })
  expect(await offered()).toBe(true)
  const platform = await world.call('GET', '/platform')
  expect(platform.body.configuration.payment_defaults).toMatchObject({ gift_card_enabled: true })
})

test('a rule by its payment type routes a live payment', async () => {
  const { newBookAcquirer } = await import('../support/acquirer/book-acquirer.ts')
  const { any_payment } = await import('../support/acquirer/acquirer-world.ts')
  const { connector_kinds, findKind } = await import('../../src/connectors/connectors.ts')
  const { addConnector } = await import('../../src/accounts/connectors/connectors-store.ts')
  const { setRule } = await import('../../src/payments/routing/routing-rules.ts')
  const book = findKind('book')
  if (!book) expect.unreachable('The acquirer of the tests is there.')
  type Kind = (typeof connector_kinds)[number]
  const gift_kind: Kind = {
    ...book,
    kind: 'gift',
    open: (name, parts) => {
      const provider = book.open(name, parts)
      const payment_types = [payment_type] as never
      return { ...provider, capabilities: { ...provider.capabilities, payment_types } }
    },
  }
  ;(connector_kinds as Kind[]).push(gift_kind)
  const acquirers = [await newBookAcquirer(), await newBookAcquirer()] as const
  for (const [at, name] of ['first', 'second'].entries()) {
    const settings = { url: acquirers[at]?.url ?? '', account: 'installation' }
    await addConnector(world.service, { name, kind: 'gift', owner: null, settings })
  }
  const live = await world.merchant({ mode: 'live', verified: true })
  const rule = { ...any_payment, position: 1, connector: 'second' }
  await setRule(world.service, live.id, { ...rule, payment_type: payment_type as never })
  expect(await settledCharge('GIFT0004', live)).toMatchObject({ status: 'successful' })
  expect(acquirers.map(({ book: entries }) => entries.length)).toEqual([0, 1])
  await Promise.all(acquirers.map((one) => one.die()))
})

test('the console and the documents name it from data', async () => {
  const { methodNames } = await import('../../web/console/words/method-names.ts')
  const { brands_of } = await import('../../web/console/screens/connectors/routing/brands-of.ts')
  const settings = await import('../../web/console/screens/settings/store-settings.ts')
  const { paymentName } = await import('../../src/methods/payment-names.ts')
  expect(methodNames('en')).toMatchObject({ gift_card: 'Gift card' })
  expect(methodNames('ja')).toMatchObject({ gift_card: 'ギフトカード' })
  expect(brands_of).toMatchObject({ gift_card: ['gift_card'] })
  const path = 'gift_card_configuration.enabled'
  expect(settings.store_settings.methods).toMatchObject({ [path]: 'switch' })
  expect(settings.method_settings.get(path)).toMatchObject({ en: 'Accept gift cards' })
  expect(paymentName('gift_card', 'ja')).toBe('ギフトカード')
  const logo = await world.call('GET', '/logos/gift_card.svg')
  expect(logo).toMatchObject({ status: 200, text: expect.stringContaining('Gift Card') })
  const described = await world.call('GET', '/openapi.json')
  expect(described.text).toContain('CreateGiftCardToken')
})
