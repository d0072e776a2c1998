import { beforeEach, expect, test } from 'vitest'
import { good_card, type Payments, payments } from '../../../test/support/payments.ts'
import { simulatorOf, withProviders } from '../../../test/support/simulators.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { patchMerchant } from '../../accounts/merchants/patch-merchant.ts'
import { runAllDue } from '../../worker/worker.ts'

// The callers that may create and read tokens, the tokens that a store's configuration accepts, and how
// long tokens live.
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeEach(async () => {
  world.clock.advance(60_000)
  shop = await world.merchant({ domains: ['shop.example'] })
  pay = payments(world, shop)
})

const tokenPath = (id: string) => `/stores/${shop.store_id}/tokens/${id}`

const new_token = {
  payment_type: 'card',
  email: 'customer@example.com',
  ip_address: '203.0.113.7',
  metadata: { order: 7 },
  data: {
    cardholder: 'Taro',
    card_number: good_card,
    exp_month: '12',
    exp_year: '2030',
    cvv: '123',
  },
}
const apple_pay = {
  payment_type: 'apple_pay',
  email: 'customer@example.com',
  data: { applepay_token: 'x', cardholder: 'Taro' },
}

async function configure(configuration: object, of: 'merchant' | 'store' = 'store') {
  if (of === 'merchant') {
    await patchMerchant(world.service, shop.id, { configuration }, 'operator')
    return
  }
  const path = `/stores/${shop.store_id}`
  const set = await world.call('PATCH', path, { auth: shop.as_merchant, body: { configuration } })
  expect(set.status, set.text).toBe(200)
}

const card = (card_configuration: object) => ({ card_configuration })
const recurring = (recurring_type: string) => ({
  recurring_token_configuration: { recurring_type },
})

test.each<[object, string, string, object]>([
  [{ enabled: false }, 'CARD_PROCESSING_DISABLED', good_card, {}],
  [{ forbidden_card_brands: ['visa'] }, 'CARD_BRAND_NOT_SUPPORTED', good_card, {}],
  [{ forbidden_card_brands: ['union_pay'] }, 'CARD_BRAND_NOT_SUPPORTED', '6200000000000005', {}],
  [{ forbidden_card_brands: ['unionpay'] }, 'CARD_BRAND_NOT_SUPPORTED', '6200000000000005', {}],
  [{ debit_enabled: false }, 'CARD_BRAND_NOT_SUPPORTED', '4000056655665556', {}],
  [{ prepaid_enabled: false }, 'CARD_BRAND_NOT_SUPPORTED', '4000090000000003', {}],
  [{ foreign_cards_allowed: false }, 'CARD_COUNTRY_NOT_SUPPORTED', '4000080000000004', {}],
  [{ allow_empty_cvv: false }, 'CVV_REQUIRED', good_card, { cvv: undefined }],
  [{ allow_direct_token_creation: false }, 'DIRECT_CARD_TOKEN_CREATION_DISABLED', good_card, {}],
])('a store with %o answers %s to the card %s', async (configuration, code, card_number, data) => {
  const wanted = { card_number, ...data }
  const before = await pay.token({}, wanted)
  expect(before.status).toBe(code === 'CVV_REQUIRED' ? 400 : 201)
  for (const of of ['store', 'merchant'] as const) {
    await configure(card({ ...configuration }), of)
    expect((await pay.token({}, wanted)).body.code, of).toBe(code)
    await configure({ card_configuration: null }, of)
  }
})

test('a setting of the store that refuses one kind of card takes the others', async () => {
  await configure(
    card({
      forbidden_card_brands: ['jcb'],
      debit_enabled: false,
      prepaid_enabled: false,
      foreign_cards_allowed: false,
    }),
  )
  for (const card_number of [good_card, '5555555555554444', '6759649826438453']) {
    expect((await pay.token({}, { card_number })).status).toBe(201)
  }
})

test('foreign is another country than that of the store', async () => {
  await configure({ country: 'US', ...card({ foreign_cards_allowed: false }) })
  expect((await pay.token({}, { card_number: '4000080000000004' })).status).toBe(201)
  expect((await pay.token()).body.code).toBe('CARD_COUNTRY_NOT_SUPPORTED')
})

test('the cards of a wallet meet the same rules', async () => {
  expect((await pay.post('/tokens', apple_pay)).status).toBe(201)
  await configure(card({ forbidden_card_brands: ['visa'] }))
  expect((await pay.post('/tokens', apple_pay)).body.code).toBe('CARD_BRAND_NOT_SUPPORTED')
  await configure(card({ enabled: false }))
  expect((await pay.post('/tokens', apple_pay)).body.code).toBe('CARD_PROCESSING_DISABLED')
})

test('cvv is required; allow_empty_cvv lets it be left out, and a given one is still checked', async () => {
  for (const cvv of [undefined, null, '']) {
    const refused = await pay.token({}, { cvv })
    expect(refused).toMatchObject({ status: 400, body: { code: 'CVV_REQUIRED' } })
  }
  await configure(card({ allow_empty_cvv: true }))
  for (const cvv of [undefined, null, '', '123']) {
    expect((await pay.token({}, { cvv })).status).toBe(201)
  }
  expect((await pay.token({}, { cvv: '12' })).body.errors[0].field).toBe('data.cvv')
})

test('a card without a cvv is stored without one and charged without one', async () => {
  await configure(card({ allow_empty_cvv: true }))
  const card_provider = simulatorOf(world.service, 'card')
  const seen: (string | null)[] = []
  const authorize: typeof card_provider.authorize = (operation) => {
    const { instrument } = operation
    if (instrument.kind === 'card') seen.push(instrument.cvv?.reveal() ?? null)
    return card_provider.authorize(operation)
  }
  const watched = withProviders(world.service, { ...card_provider, authorize })
  for (const type of ['one_time', 'recurring']) {
    for (const cvv of [undefined, null, '', '123']) {
      const transaction_token_id = await pay.tokenId({ type }, { cvv })
      const query = 'select cvv, wipe_on from transaction_tokens where id = $1'
      const { rows } = await world.store.pool.query(query, [transaction_token_id])
      expect([type, cvv, rows[0].cvv !== null]).toEqual([type, cvv, cvv === '123'])
      // A number that can be charged again is kept; a cvv never is.
      expect(rows[0].wipe_on === null).toBe(type === 'recurring' && cvv !== '123')
      const money = { amount: 100, currency: 'JPY' }
      const { body } = await pay.post('/charges', { transaction_token_id, ...money })
      await runAllDue(watched)
      expect((await pay.get(pay.chargePath(body.id))).body.status).toBe('successful')
      expect(seen.at(-1)).toBe(cvv === '123' ? '123' : null)
      world.clock.advance(60_000)
    }
  }
  expect(seen).toHaveLength(8)
})

test('recurring_type none, bounded (usage_limit obligatory), infinite', async () => {
  const type = 'recurring'
  await configure(recurring('none'), 'merchant')
  expect((await pay.token({ type })).body.code).toBe('RECURRING_TOKEN_DISABLED')
  expect((await pay.token({ type: 'subscription' })).status).toBe(201)
  await configure(recurring('bounded'), 'merchant')
  for (const usage_limit of [undefined, '', null]) {
    const refused = await pay.token({ type, usage_limit })
    expect(refused).toMatchObject({ status: 400, body: { code: 'RECURRING_USAGE_LIMIT_REQUIRED' } })
  }
  expect((await pay.token({ type, usage_limit: '3' })).status).toBe(201)
  await configure(recurring('infinite'), 'merchant')
  expect((await pay.token({ type })).status).toBe(201)
})

test('live tokens refuse test cards and simulated wallets; the mode is that of the credential', async () => {
  shop = await world.merchant({ mode: 'live', verified: true })
  pay = payments(world, shop)
  for (const card_number of [good_card, '4000050000000007', '4916741415383284']) {
    const refused = await pay.token({}, { card_number })
    expect(refused).toMatchObject({ status: 400, body: { code: 'NO_TEST_CARD_IN_LIVE_MODE' } })
  }
  expect((await pay.post('/tokens', apple_pay)).body.errors).toMatchObject([
    { field: 'data.applepay_token' },
  ])
  const created = await pay.token({}, { card_number: '4532015112830366' })
  expect(created).toMatchObject({ status: 201, body: { mode: 'live' } })
  const in_live = { three_ds: { enabled: true, redirect_endpoint: 'http://shop.example/' } }
  const plain = await pay.token(
    { type: 'recurring' },
    { card_number: '4532015112830366', ...in_live },
  )
  expect(plain.body.errors).toEqual([
    { field: 'data.three_ds.redirect_endpoint', reason: 'INVALID_FORMAT_URL' },
  ])
})

test('one active subscription token per card and customer; deleting it frees the place', async () => {
  const type = 'subscription'
  const first = await pay.tokenId({ type })
  const second = await pay.token({ type })
  expect(second).toMatchObject({ status: 409, body: { code: 'NON_UNIQUE_ACTIVE_TOKEN' } })
  expect((await pay.token({ type }, { card_number: '5555555555554444' })).status).toBe(201)
  expect((await pay.token({ type, email: 'other@example.com' })).status).toBe(201)
  const customer = { 'svc-customer-id': '0190a000-0000-7000-8000-000000000001' }
  expect((await pay.token({ type, metadata: customer })).status).toBe(201)
  const same_customer = await pay.token({ type, metadata: customer, email: 'third@example.com' })
  expect(same_customer.status).toBe(409)
  for (const other of ['recurring', 'one_time']) {
    expect((await pay.token({ type: other })).status).toBe(201)
  }
  await world.call('DELETE', tokenPath(first), { auth: shop.as_store })
  expect((await pay.token({ type })).status).toBe(201)
})

test('a subscription token that was not used in five minutes frees the place, too', async () => {
  const type = 'subscription'
  const first = await pay.tokenId({ type })
  world.clock.advance(4 * 60_000)
  expect((await pay.token({ type })).status).toBe(409)
  world.clock.advance(60_000)
  expect((await pay.token({ type })).status).toBe(201)
  expect((await pay.get(tokenPath(first))).body.active).toBe(false)
})

test('of ten concurrent subscription tokens for one card and customer one is created', async () => {
  const body = { ...new_token, type: 'subscription' }
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => world.call('POST', '/tokens', { auth: shop.as_store, body })),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
})

test('merchant tokens create no tokens, and read those of all stores', async () => {
  const auth = shop.as_merchant
  const refused = await world.call('POST', '/tokens', { auth, body: new_token })
  expect(refused).toMatchObject({ status: 403, body: { code: 'INVALID_PERMISSIONS' } })
  const id = await pay.tokenId()
  expect((await world.call('GET', tokenPath(id), { auth })).status).toBe(200)
})

test('something of another store or merchant is 404', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  const other = await world.merchant()
  for (const method of ['GET', 'DELETE']) {
    for (const [auth, path] of [
      [other.as_store, tokenPath(id)],
      [other.as_store, `/stores/${other.store_id}/tokens/${id}`],
      [other.as_merchant, tokenPath(id)],
      [other.as_merchant, `/stores/${other.store_id}/tokens/${id}`],
    ] as const) {
      expect(await world.call(method, path, { auth })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      })
    }
  }
  const { body } = await world.call('GET', '/tokens', { auth: other.as_merchant })
  expect(body.items).toEqual([])
})

const origin = 'https://shop.example'

test('JWT without secret, from the domains: create and read, without email, ip address and metadata', async () => {
  const auth = `Bearer ${shop.jwt}`
  const headers = { origin }
  const created = await world.call('POST', '/tokens', { auth, headers, body: new_token })
  expect(created.status, created.text).toBe(201)
  const read = await world.call('GET', tokenPath(created.body.id), { auth, headers })
  expect(read.status).toBe(200)
  for (const { body, text } of [created, read]) {
    expect(body).toMatchObject({ email: null, ip_address: null, metadata: {} })
    expect(body.data.card.last_four).toBe('4242')
    expect(text).not.toMatch(/customer@example\.com|203\.0\.113\.7|order/)
  }
  expect((await pay.get(tokenPath(created.body.id))).body).toMatchObject({
    email: 'customer@example.com',
    ip_address: '203.0.113.7',
    metadata: { order: 7 },
  })
})

test('a store that takes card numbers from browsers only takes them from there', async () => {
  await configure(card({ allow_direct_token_creation: false }))
  const auth = `Bearer ${shop.jwt}`
  const created = await world.call('POST', '/tokens', {
    auth,
    headers: { origin },
    body: new_token,
  })
  expect(created.status).toBe(201)
})

test.each([undefined, 'https://evil.example', 'https://shop.example.evil.example', 'null'])(
  'JWT without secret from %s: refused',
  async (from) => {
    const auth = `Bearer ${shop.jwt}`
    const headers: Record<string, string> = from ? { origin: from } : {}
    const created = await world.call('POST', '/tokens', { auth, headers, body: new_token })
    expect(created).toMatchObject({ status: 401, body: { code: 'INVALID_DOMAIN' } })
    const path = tokenPath(await pay.tokenId())
    const read = await world.call('GET', path, { auth, headers })
    expect(read).toMatchObject({ status: 401, body: { code: 'INVALID_DOMAIN' } })
  },
)

test('JWT without secret lists, changes and deletes nothing', async () => {
  const auth = `Bearer ${shop.jwt}`
  const id = await pay.tokenId({ type: 'recurring' })
  for (const [method, path] of [
    ['GET', '/tokens'],
    ['GET', `/stores/${shop.store_id}/tokens`],
    ['PATCH', tokenPath(id)],
    ['DELETE', tokenPath(id)],
    ['POST', `/stores/${shop.store_id}/create_customer_id`],
  ] as const) {
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: { customer_id: 'x' } }
    const refused = await world.call(method, path, { auth, headers: { origin }, ...body })
    expect(refused, `${method} ${path}`).toMatchObject({ status: 403 })
  }
})

test('create_customer_id: the same input of one store gives the same UUID', async () => {
  const path = `/stores/${shop.store_id}/create_customer_id`
  const first = await pay.post(path, { customer_id: 'Customer 7' })
  expect(first.status).toBe(200)
  expect(first.body.customer_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/)
  expect((await pay.post(path, { customer_id: 'Customer 7' })).body).toEqual(first.body)
  expect((await pay.post(path, { customer_id: 'Customer 8' })).body).not.toEqual(first.body)
  const metadata = { 'svc-customer-id': first.body.customer_id }
  expect((await pay.token({ metadata })).status).toBe(201)
  const other = await world.merchant()
  const of_other = await payments(world, other).post(
    `/stores/${other.store_id}/create_customer_id`,
    { customer_id: 'Customer 7' },
  )
  expect(of_other.body).not.toEqual(first.body)
  for (const customer_id of ['', 'x'.repeat(65), 7, undefined]) {
    expect((await pay.post(path, { customer_id })).status).toBe(400)
  }
})
