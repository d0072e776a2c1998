import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  address,
  cardPayment,
  hour_ms,
  type PhpFlows,
  phone_number,
  refused,
  startPhpFlows,
  taken,
} from './php-flows.ts'
import { parse, parseList } from './php-requests.ts'

// The flows of the public PHP client with cards, other payment types and lists. Amounts are strings,
// unset fields of an object are null, an empty array represents an empty object, names of brands are in
// capitals. Its strict parser must accept the responses.
let on: PhpFlows

beforeAll(async () => {
  on = await startPhpFlows()
})
afterAll(() => on.close())

test('a card token: nulls in its data, and what the parser reads of it', async () => {
  const token = await on.createToken(cardPayment('one_time'))
  expect(token).toMatchObject({ type: 'one_time', confirmed: null, active: true })
  expect(token.data.card).toMatchObject({
    cardholder: 'PHP TEST',
    exp_month: 2,
    exp_year: 2030,
    card_type: 'credit',
    category: 'signature',
    sub_brand: 'none',
  })
  expect(token.data.billing).toMatchObject({ ...address, country: 'JP' })
  expect(token.data.billing.phone_number).toEqual({ ...phone_number, country_code: 81 })
  refused(
    await on.php.post('/tokens', cardPayment('one_time', { card_number: '4242424242424243' })),
  )
  const bare = { phone_number: null, line1: null, line2: null, state: null, city: null }
  const without = cardPayment('one_time', { ...bare, country: null, zip: null }, { metadata: {} })
  expect(await on.createToken(without)).toMatchObject({
    metadata: {},
    data: { billing: address_of_nobody },
  })
})
const address_of_nobody = {
  line1: null,
  line2: null,
  state: null,
  city: null,
  country: null,
  zip: null,
  phone_number: null,
}

test('a recurring token with CVV authorization, with its currency and without', async () => {
  for (const currency of [null, 'USD']) {
    const wanted = { cvv_authorize: currency ? { enabled: true, currency } : { enabled: true } }
    const token = await on.createToken(cardPayment('recurring', wanted))
    expect(token.data.cvv_authorize).toMatchObject({ enabled: true, status: 'pending', currency })
    const path = `${on.store}/tokens/${token.id}`
    const { data } = await on.awaitedToken(path, 'cvv_authorize')
    expect(data.cvv_authorize).toMatchObject({ status: 'current', charge_id: expect.any(String) })
  }
})

test('3-D Secure of a recurring token: when it is created, later, and no more', async () => {
  const redirect_endpoint = 'https://test.example/endpoint?foo=bar'
  const issuerToken = async (path: string) => {
    const { data } = await on.awaitedToken(path, 'three_ds')
    expect(data.three_ds).toMatchObject({ enabled: true, status: 'awaiting', redirect_endpoint })
    const issuer_token = taken(await on.php.get(`${path}/three_ds/issuer_token`))
    parse('issuer_token', issuer_token)
    expect(issuer_token).toMatchObject({ call_method: 'http_post', payment_type: 'card' })
  }
  const three_ds = { enabled: true, redirect_endpoint }
  const begun = await on.createToken(cardPayment('recurring', { three_ds }))
  expect(begun.data.three_ds).toMatchObject({ ...three_ds, status: 'pending', error: null })
  await issuerToken(`${on.store}/tokens/${begun.id}`)
  const later = await on.createToken(cardPayment('recurring'))
  const path = `${on.store}/tokens/${later.id}`
  taken(await on.php.post(`${path}/three_ds`, { redirect_endpoint }))
  await issuerToken(path)
  const off = taken(await on.php.delete(`${path}/three_ds`))
  expect(off.data.three_ds).toMatchObject({ enabled: false, redirect_endpoint: null })
})

test('tokens of other payment types, names in capitals', async () => {
  const common = { email: 'php@test.example', metadata: { customer_id: 'PHP TEST' } }
  const slip = { customer_name: 'PHP test', phone_number, convenience_store: 'seven_eleven' }
  const konbini = await on.createToken({
    ...common,
    payment_type: 'konbini',
    type: 'one_time',
    data: { ...slip, expiration_period: 'P7D', expiration_time_shift: null },
  })
  expect(konbini.data).toMatchObject({ ...slip, phone_number: { country_code: 81 } })
  expect(konbini.data.expiration_period).toBe('PT168H')
  const scanned = { payment_type: 'qr_scan', data: { scanned_qr: '9000818100000000000000' } }
  expect((await on.createToken({ ...common, ...scanned })).data).toMatchObject({ brand: 'pay_pay' })
  const shown = { payment_type: 'qr_merchant', data: { brand: 'ALIPAY_MERCHANT_QR' } }
  const qr = await on.charged({}, { ...common, ...shown })
  expect(qr.status).toBe('awaiting')
  expect(taken(await on.php.get(`${on.store}/charges/${qr.id}/qr`))).toMatchObject({ ready: true })
  const online = await on.createToken({
    ...common,
    payment_type: 'online',
    ip_address: '127.0.0.1',
    data: {
      brand: 'WE_CHAT_ONLINE',
      call_method: 'WEB',
      user_identifier: 'PHP TEST',
      os_type: 'ANDROID',
    },
  })
  const named = { brand: 'we_chat_online', call_method: 'web', os_type: 'android' }
  expect(online.data).toMatchObject(named)
  const { id } = await on.createCharge(online)
  await on.awaited(`${on.store}/charges/${id}`, 'pending')
  const issuer_token = taken(await on.php.get(`${on.store}/charges/${id}/issuerToken`))
  expect(issuer_token).toMatchObject({ issuer_token: expect.any(String), call_method: 'web' })
})

test('tokens are found by customer, changed and deleted', async () => {
  const { customer_id } = taken(
    await on.php.post(`${on.store}/create_customer_id`, { customer_id: 'c0ffee' }),
  )
  const metadata = { customer_id: 'PHP TEST', 'shop-customer-id': customer_id }
  const token = await on.createToken(cardPayment('recurring', {}, { metadata }))
  const query = {
    search: token.email,
    active: 'active',
    customer_id,
    type: 'recurring',
    mode: 'test',
  }
  const found = taken(await on.php.get('/tokens', query))
  parseList('token', withoutData(found))
  expect(found.items.map(({ id }: { id: string }) => id)).toEqual([token.id])
  const path = `${on.store}/tokens/${token.id}`
  const changes = { email: 'changed@test.example', metadata: { customer_id: 'PHP TESTER' } }
  taken(await on.php.patch(path, changes))
  expect(taken(await on.php.get(path))).toMatchObject({
    email: 'changed@test.example',
    metadata: { ...metadata, customer_id: 'PHP TESTER' },
  })
  taken(await on.php.patch(path, { email: 'again@test.example', data: { cvv: '999' } }))
  taken(await on.php.patch(path, { metadata: {} }))
  expect(taken(await on.php.delete(path), 204)).toBe(true)
  expect(taken(await on.php.get(path)).active).toBe(false)
})

/** Items of the token list have no data; the client reads the token again for it. */
function withoutData(page: { items: object[] }): { items: object[] } {
  return { ...page, items: page.items.map((item) => ({ ...item, data: null })) }
}

test('charges: captured, held and captured, canceled, changed', async () => {
  const paid = await on.charged({ capture: true })
  expect(paid).toMatchObject({ status: 'successful', charged_amount: 1000, metadata: {} })
  const path = `${on.store}/charges/${paid.id}`
  const changed = taken(await on.php.patch(path, { metadata: { testId: 12345 } }))
  expect(changed.metadata).toEqual({ testId: 12345 })
  expect(taken(await on.php.patch(path, { metadata: {} })).metadata).toEqual({ testId: 12345 })
  refused(await on.php.post(`${path}/cancels`, {}))
  expect(await on.charged({ only_direct_currency: true })).toMatchObject({
    only_direct_currency: true,
  })
  for (const [amount, captured] of [
    ['1000', 1000],
    ['500', 500],
    [null, 1000],
  ] as const) {
    const held = await on.charged({ capture: false })
    expect(held.status).toBe('authorized')
    const of_held = `${on.store}/charges/${held.id}`
    refused(await on.php.post(`${of_held}/capture`, { amount: '2000', currency: 'JPY' }))
    const payload = amount === null ? null : { amount, currency: 'JPY' }
    expect(taken(await on.php.post(`${of_held}/capture`, payload))).toBe(true)
    expect(await on.awaited(of_held, 'authorized')).toMatchObject({ charged_amount: captured })
  }
  const held = await on.charged({ capture: false })
  const of_held = `${on.store}/charges/${held.id}`
  const created = taken(await on.php.post(`${of_held}/cancels`, { metadata: { a: 'b' } }), 201)
  const cancel = await on.awaited(`${of_held}/cancels/${created.id}`, 'pending')
  parse('cancel', cancel)
  expect(cancel).toMatchObject({ status: 'successful', metadata: { a: 'b' } })
  expect(taken(await on.php.get(of_held)).status).toBe('canceled')
})

test('charges: times of capture, redirects, challenges, wrong amounts', async () => {
  const capture_at = on.at(24 * hour_ms)
  const later = await on.charged({ capture: false, capture_at })
  expect(later.status).toBe('authorized')
  expect(Date.parse(later.capture_at)).toBe(Date.parse(capture_at))
  for (const ahead_ms of [14 * 24 * hour_ms, hour_ms / 2]) {
    const { id: transaction_token_id } = await on.createToken(cardPayment('one_time'))
    const wanted = { transaction_token_id, amount: '1000', currency: 'JPY', capture: false }
    refused(await on.php.post('/charges', { ...wanted, capture_at: on.at(ahead_ms) }))
  }
  const endpoint = 'https://test.example/back'
  const redirected = await on.charged({ redirect: { endpoint } })
  expect(redirected.redirect).toEqual({ endpoint, redirect_id: expect.any(String) })
  const asked = await on.charged({ three_ds: { redirect_endpoint: endpoint, mode: 'require' } })
  expect(asked.status).toBe('awaiting')
  expect(asked.three_ds).toMatchObject({ mode: 'require', redirect_endpoint: endpoint })
  parse(
    'issuer_token',
    taken(await on.php.get(`${on.store}/charges/${asked.id}/three_ds/issuer_token`)),
  )
  const { id } = await on.createToken(cardPayment('one_time'))
  for (const amount of ['-1000', '0', '1e3', '']) {
    const wanted = { transaction_token_id: id, amount, currency: 'JPY' }
    expect(refused(await on.php.post('/charges', wanted)).code).toBe('VALIDATION_ERROR')
  }
})

test('refunds: created, awaited, changed and listed', async () => {
  const paid = await on.charged({ capture: true })
  const path = `${on.store}/charges/${paid.id}/refunds`
  const reason = { reason: 'fraud', message: 'test', metadata: { something: 'value' } }
  const created = taken(
    await on.php.post(path, { amount: '1000', currency: 'JPY', ...reason }),
    201,
  )
  const refund = await on.awaited(`${path}/${created.id}`, 'pending')
  parse('refund', refund)
  expect(refund).toMatchObject({ ...reason, status: 'successful', amount: 1000 })
  const changed = { metadata: { other: 1 }, message: 'new', reason: 'duplicate' }
  expect(taken(await on.php.patch(`${path}/${created.id}`, changed))).toMatchObject({
    message: 'new',
  })
  parseList('refund', taken(await on.php.get(path)))
  refused(await on.php.post(path, { amount: '1', currency: 'JPY' }))
})

test('lists: pages of three, in both directions, from a time with an offset', async () => {
  const from = on.at(1000)
  while (Date.parse(on.at(0)) <= Date.parse(from)) await sleep(10)
  const ids: string[] = []
  for (let created = 0; created < 6; created += 1) ids.push((await on.charged()).id)
  const page = async (query: object) => {
    const body = taken(await on.php.get('/charges', { from, limit: '3', ...query }))
    parseList('charge', body)
    return [body.items.map(({ id }: { id: string }) => id), body.has_more]
  }
  const newest = ids.toReversed()
  expect(await page({ limit: '10' })).toEqual([newest, false])
  expect(await page({})).toEqual([newest.slice(0, 3), true])
  expect(await page({ cursor: ids[1] })).toEqual([ids.slice(0, 1), false])
  expect(await page({ cursor: ids[1], cursor_direction: 'asc' })).toEqual([ids.slice(2, 5), true])
  expect(await page({ cursor_direction: 'asc' })).toEqual([ids.slice(0, 3), true])
  expect(await page({ cursor: ids[2], cursor_direction: 'asc' })).toEqual([ids.slice(3), false])
  for (const path of ['/charges', `${on.store}/charges`])
    parseList('charge', taken(await on.php.get(path)))
  parseList('subscription', taken(await on.php.get('/subscriptions')))
  parseList('transaction', taken(await on.php.get('/transaction_history')))
  const info = taken(await on.php.get('/checkout_info'))
  parse('checkout_info', info)
  for (const brand of info.supported_brands) expect(brand.supported_currencies).not.toBeNull()
})
