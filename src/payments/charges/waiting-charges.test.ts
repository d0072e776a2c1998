import { afterAll, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { simulatorOf } from '../../../test/support/simulators.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'

// Charges of 1000 JPY whose customer has to act: the customer's instructions, how the charge ends, and the
// possible actions meanwhile and afterwards.
const base_url = 'http://127.0.0.1:8080'
const page = expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/pay\/[\w-]{43}$/)
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000, domains: ['shop.example'] })
const pay = payments(world, shop)

afterAll(async () => expect(await paymentFaults(world)).toEqual([]))

const konbini = {
  customer_name: 'Taro Yamada',
  phone_number: { country_code: '81', local_number: '09012345678' },
  convenience_store: 'lawson',
}
const ways: [payment_type: string, data: object][] = [
  ['online', { brand: 'pay_pay_online', call_method: 'http_post' }],
  ['qr_merchant', { brand: 'we_chat_mpm' }],
  ['konbini', konbini],
  ['bank_transfer', { brand: 'aozora_bank' }],
]

const chargeNow = async (id: string) => (await pay.get(pay.chargePath(id))).body
const issuerToken = (id: string) => pay.get(`${pay.chargePath(id)}/issuer_token`)
const complete = (id: string, outcome: string) =>
  pay.post(`/test/charges/${id}/complete`, { outcome })

async function tokenOf(charge_id: string) {
  const { transaction_token_id } = await chargeNow(charge_id)
  return (await pay.get(`/stores/${shop.store_id}/tokens/${transaction_token_id}`)).body
}

function expectReason(response: { status: number; body: object }, reason: string) {
  expect(response).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', errors: [{ field: 'charge_id', reason }] },
  })
}

/** Moves the clock to exactly `at_ms` and runs everything that is due by then. */
async function statusAt(id: string, at_ms: number) {
  world.clock.advance(at_ms - world.clock.now())
  await pay.work()
  const { body } = await world.call('GET', pay.chargePath(id), { auth: shop.as_store })
  return { status: body.status, code: body.error?.code ?? null }
}

test.each(ways)(
  'a charge by %s waits for its customer, and nothing is charged yet',
  async (payment_type, data) => {
    const id = await pay.waiting(payment_type, data, { metadata: { order: 7 } })
    expect(await chargeNow(id)).toMatchObject({
      status: 'awaiting',
      charged_amount: null,
      charged_currency: null,
      charged_amount_formatted: null,
      error: null,
      metadata: { order: 7 },
      redirect: null,
      three_ds: null,
      transaction_token_type: 'one_time',
    })
    const { rows } = await world.store.pool.query(
      'select name from events where resource_id = $1 order by sequence',
      [id],
    )
    expect(rows).toEqual([{ name: 'charge_updated' }])
    expect((await tokenOf(id)).last_used_on).not.toBeNull()
  },
)

const sdk = expect.stringMatching(/^sdk_[0-9a-f]{32}$/)
const calls: [brand: string, call_method: string, answered: string, kind: string][] = [
  ['alipay_online', 'http_get', 'http_get', 'page'],
  ['alipay_online', 'sdk', 'sdk', 'sdk'],
  ['alipay_online', 'app', 'app', 'sdk'],
  ['alipay_plus_online', 'http_get', 'http_get', 'page'],
  ['alipay_plus_online', 'http_get_mobile', 'http_get', 'page'],
  ['alipay_plus_online', 'sdk', 'sdk', 'sdk'],
  ['alipay_plus_online', 'app', 'app', 'sdk'],
  ['pay_pay_online', 'http_post', 'http_post', 'form'],
  ['we_chat_online', 'http_get', 'http_get', 'page'],
  ['we_chat_online', 'sdk', 'sdk', 'sdk'],
  ['we_chat_online', 'app', 'app', 'sdk'],
  ['we_chat_online', 'web', 'web', 'sdk'],
  ['d_barai_online', 'http_post', 'http_post', 'form'],
]

test.each(calls)(
  'online: the issuer token of %s called by %s',
  async (brand, call_method, answered, kind) => {
    const data = { brand, call_method, user_identifier: 'u', os_type: 'ios' }
    const id = await pay.waiting('online', data, {}, { ip_address: '203.0.113.7' })
    const payload = {
      page: null,
      form: { resource_id: id, resource_type: 'charge' },
      sdk: { test_page_url: page },
    }[kind]
    const issuer_token = kind === 'sdk' ? sdk : page
    const { status, body } = await issuerToken(id)
    expect(status).toBe(200)
    expect(body).toEqual({ payment_type: 'online', issuer_token, call_method: answered, payload })
    expect((await pay.get(`${pay.chargePath(id)}/issuerToken`)).body).toEqual(body)
    expect((await tokenOf(id)).data).toEqual({
      ...data,
      issuer_token: body.issuer_token,
      issuer_token_payload: body.payload,
      user_identifier_source: 'provided',
    })
  },
)

test.each([
  'alipay_merchant_qr',
  'pay_pay_merchant',
  'we_chat_mpm',
  'd_barai_online',
  'd_barai_mpm',
  'd_barai_merchant',
])('qr_merchant: the QR code of %s is ready as soon as the charge waits', async (brand) => {
  const id = await pay.waiting('qr_merchant', { brand })
  const { body } = await pay.get(`${pay.chargePath(id)}/qr`)
  expect(body).toEqual({
    ready: true,
    qr_image_url: expect.stringMatching(/\/pay\/.{43}\/qr\.svg$/),
  })
  const payment_type = 'qr_merchant'
  const by_page = { payment_type, issuer_token: page, call_method: 'http_get', payload: null }
  expect((await issuerToken(id)).body).toEqual(by_page)
  expect((await tokenOf(id)).data).toEqual({ brand, qr_image_url: body.qr_image_url })
  const image = await world.call('GET', body.qr_image_url.slice(base_url.length))
  expect(image.headers['content-type']).toContain('image/svg+xml')
  await complete(id, 'successful')
  await pay.work()
  const afterwards = await pay.get(`${pay.chargePath(id)}/qr`)
  expect(afterwards.body).toEqual({ ready: false, qr_image_url: null })
})

test('konbini: the customer gets a code for the till, and the token shows what was given', async () => {
  const id = await pay.waiting('konbini', konbini)
  const { body } = await issuerToken(id)
  const expiry = (await pay.get(`${pay.chargePath(id)}/expiry/latest`)).body
  expect(body).toEqual({
    payment_type: 'konbini',
    issuer_token: page,
    call_method: 'http_get',
    payload: {
      payment_code: expect.stringMatching(/^\d{13}$/),
      confirmation_code: expect.stringMatching(/^\d{6}$/),
      barcode: expect.stringMatching(/^\d{44}$/),
      expires_on: expiry.expiration_date,
    },
  })
  expect((await tokenOf(id)).data).toMatchObject({ convenience_store: 'lawson' })
})

test('bank_transfer: the customer gets an account, and the token shows it', async () => {
  const id = await pay.waiting('bank_transfer', { brand: 'aozora_bank', match_amount: 'minimum' })
  const { body } = await issuerToken(id)
  const { payment_type, issuer_token, call_method, payload, ...account } = body
  expect({ payment_type, call_method, payload }).toEqual({
    payment_type: 'bank_transfer',
    call_method: 'http_get',
    payload: null,
  })
  expect((await world.call('GET', new URL(issuer_token).pathname)).text).toContain('0310')
  expect(account).toEqual({
    account_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    bank_code: '0310',
    bank_name: 'Aozora Bank',
    branch_code: expect.stringMatching(/^\d{3}$/),
    branch_name: expect.any(String),
    account_number: expect.stringMatching(/^\d{7}$/),
    account_holder_name: expect.any(String),
  })
  expect((await tokenOf(id)).data).toEqual({
    brand: 'aozora_bank',
    match_amount: 'minimum',
    ...account,
    expiration_period: null,
    expiration_time_shift: null,
  })
})

test('expiry/latest: every field of the latest expiry', async () => {
  for (const [payment_type, data] of ways.slice(2)) {
    const id = await pay.waiting(payment_type, data)
    const created_on = new Date((await chargeNow(id)).created_on).toISOString()
    const first = await pay.get(`${pay.chargePath(id)}/expiry/latest`)
    expect(first.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      charge_id: id,
      expiration_date: expect.stringMatching(/^2026-.*\.000Z$/),
      extension_count: 0,
      created_on,
      updated_on: created_on,
    })
    expect((await pay.get(`${pay.chargePath(id)}/expiry/latest`)).body).toEqual(first.body)
  }
})

const endings: [outcome: string, status: string, code: number | null][] = [
  ['successful', 'successful', null],
  ['failed', 'failed', 340],
  ['expired', 'failed', 327],
]

test.each(ways.flatMap((way) => endings.map((ending) => [...way, ...ending] as const)))(
  '%s %o completed with %s is %s, error %s',
  async (payment_type, data, outcome, status, code) => {
    const id = await pay.waiting(payment_type, data)
    expect(await complete(id, outcome)).toMatchObject({ status: 200, body: { id } })
    await pay.work()
    const charge = await chargeNow(id)
    expect(charge).toMatchObject({ status, charged_amount: code === null ? 1000 : null })
    expect(charge.error?.code ?? null).toBe(code)
    expectReason(await issuerToken(id), 'INVALID_CHARGE_STATUS')
    for (const again of ['successful', 'failed', 'expired']) {
      expectReason(await complete(id, again), 'INVALID_CHARGE_STATUS')
    }
    await pay.work()
    expect((await chargeNow(id)).status).toBe(status)
  },
)

test.each([
  ['online', ways[0]?.[1] ?? {}, 30 * 60_000],
  ['qr_merchant', ways[1]?.[1] ?? {}, 30 * 60_000],
  ['konbini', { ...konbini, expiration_period: 'PT45M' }, 45 * 60_000],
  ['bank_transfer', { brand: 'aozora_bank', expiration_period: 'P1D' }, 86_400_000],
])(
  '%s: nobody pays in time, and the charge fails with 327',
  async (payment_type, data, life_ms) => {
    const id = await pay.waiting(payment_type, data)
    const ends_ms = (await chargeNow(id)).created_on + life_ms
    expect(await statusAt(id, ends_ms - 1)).toEqual({ status: 'awaiting', code: null })
    expect(await statusAt(id, ends_ms)).toEqual({ status: 'failed', code: 327 })
    expectReason(await complete(id, 'successful'), 'INVALID_CHARGE_STATUS')
    expect((await chargeNow(id)).charged_amount).toBeNull()
  },
)

test.each(ways)('%s: paid in the last moment is paid', async (payment_type, data) => {
  const id = await pay.waiting(payment_type, data)
  const ends = 'select expires_on from charges where id = $1'
  const ends_ms = (await world.store.pool.query(ends, [id])).rows[0].expires_on.getTime()
  expect(await statusAt(id, ends_ms - 1001)).toMatchObject({ status: 'awaiting' })
  expect((await complete(id, 'successful')).status).toBe(200)
  // The service inquires the state of a wallet payment; deposits must be reported to it in time.
  const by_deposit = payment_type === 'konbini' || payment_type === 'bank_transfer'
  const reported_ms = by_deposit ? ends_ms - 1 : ends_ms + 1
  expect(await statusAt(id, reported_ms)).toEqual({ status: 'successful', code: null })
})

test.each(ways)(
  '%s: a waiting charge can be canceled, and cannot be paid then',
  async (payment_type, data) => {
    const id = await pay.waiting(payment_type, data)
    const canceled = await pay.post(`${pay.chargePath(id)}/cancels`)
    expect(canceled).toMatchObject({ status: 201, body: { status: 'pending' } })
    const second = await pay.post(`${pay.chargePath(id)}/cancels`)
    expect(second).toMatchObject({ status: 400, body: { code: 'CANCEL_NOT_ALLOWED' } })
    await pay.work()
    const path = `${pay.chargePath(id)}/cancels/${canceled.body.id}`
    expect((await pay.get(path)).body).toMatchObject({ status: 'successful', error: null })
    expect(await chargeNow(id)).toMatchObject({ status: 'canceled', charged_amount: null })
    expectReason(await complete(id, 'successful'), 'INVALID_CHARGE_STATUS')
    expectReason(await issuerToken(id), 'INVALID_CHARGE_STATUS')
  },
)

test.each(ways)(
  '%s: a charge that was paid cannot be canceled; a refund of it',
  async (payment_type, data) => {
    const id = await pay.waiting(payment_type, data)
    const body = { amount: 400, currency: 'JPY' }
    const early = await pay.post(`${pay.chargePath(id)}/refunds`, body)
    expect(early.body.code).toBe('CANNOT_REFUND_UNSUCCESSFUL_CHARGE')
    await complete(id, 'successful')
    await pay.work()
    const late = await pay.post(`${pay.chargePath(id)}/cancels`)
    expect(late.body.code).toBe('CANCEL_NOT_ALLOWED')
    const refund = await pay.post(`${pay.chargePath(id)}/refunds`, body)
    if (payment_type === 'konbini' || payment_type === 'bank_transfer') {
      expect(refund).toMatchObject({ status: 400, body: { code: 'REFUND_NOT_ALLOWED' } })
      return
    }
    expect(refund.status).toBe(201)
    await pay.work()
    const path = `${pay.chargePath(id)}/refunds/${refund.body.id}`
    expect((await pay.get(path)).body).toMatchObject({ status: 'successful', amount: 400 })
  },
)

test.each([
  ['issuer_token', 'INVALID_CHARGE_STATUS'],
  ['three_ds/issuer_token', 'INVALID_CHARGE_STATUS'],
  ['qr', 'NOT_QR_CHARGE'],
  ['expiry/latest', 'ISSUER_TOKEN_EMPTY'],
])('%s of a card charge that is pending or finished: %s', async (name, reason) => {
  const { id } = (await pay.charge()).body
  expectReason(await pay.get(`${pay.chargePath(id)}/${name}`), reason)
  await pay.work()
  expectReason(await pay.get(`${pay.chargePath(id)}/${name}`), reason)
  expectReason(await complete(id, 'successful'), 'INVALID_CHARGE_STATUS')
})

test.each(ways)('fields that a waiting charge by %s does not have', async (payment_type, data) => {
  const id = await pay.waiting(payment_type, data)
  const read = (name: string) => pay.get(`${pay.chargePath(id)}/${name}`)
  expectReason(await read('three_ds/issuer_token'), 'ISSUER_TOKEN_EMPTY')
  if (payment_type !== 'qr_merchant') expectReason(await read('qr'), 'NOT_QR_CHARGE')
  const by_deposit = payment_type === 'konbini' || payment_type === 'bank_transfer'
  if (!by_deposit) expectReason(await read('expiry/latest'), 'ISSUER_TOKEN_EMPTY')
})

test('a JWT alone reads what the customer needs, from the domains of its token only', async () => {
  const id = await pay.waiting('qr_merchant', { brand: 'we_chat_mpm' })
  const auth = `Bearer ${shop.jwt}`
  const read = async (name: string, origin?: string) => {
    const headers: Record<string, string> = origin ? { origin } : {}
    const { status, body } = await world.call('GET', `${pay.chargePath(id)}/${name}`, {
      auth,
      headers,
    })
    return status === 200 ? 200 : body.code
  }
  for (const name of ['issuer_token', 'issuerToken', 'qr']) {
    expect(await read(name, 'https://shop.example')).toBe(200)
    expect(await read(name, 'https://evil.example')).toBe('INVALID_DOMAIN')
    expect(await read(name, 'https://shop.example.evil.example')).toBe('INVALID_DOMAIN')
    expect(await read(name, 'null')).toBe('INVALID_DOMAIN')
    expect(await read(name)).toBe('INVALID_DOMAIN')
  }
  // The gate lets it pass: only then is it seen that there is no challenge.
  expect(await read('three_ds/issuer_token', 'https://shop.example')).toBe('VALIDATION_ERROR')
  expect(await read('three_ds/issuer_token', 'https://evil.example')).toBe('INVALID_DOMAIN')
  expect(await read('expiry/latest', 'https://shop.example')).toBe('INVALID_PERMISSIONS')
  const other = payments(world, await world.merchant())
  for (const name of ['issuer_token', 'qr', 'expiry/latest', 'three_ds/issuer_token']) {
    expect((await other.get(`${pay.chargePath(id)}/${name}`)).status).toBe(404)
  }
  expect((await other.post(`/test/charges/${id}/complete`, { outcome: 'failed' })).status).toBe(404)
})

test('a provider that is silent for a while ends nothing before the time of the customer', async () => {
  const id = await pay.waiting('konbini', konbini)
  const customer = simulatorOf(world.service, 'customer')
  const { inquire } = customer
  world.clock.advance(86_400_000)
  Object.assign(customer, { inquire: () => Promise.reject(new Error('No answer.')) })
  await pay.work()
  Object.assign(customer, { inquire })
  world.clock.advance(60_000)
  await pay.work()
  expect((await chargeNow(id)).status).toBe('awaiting')
  await complete(id, 'successful')
  await pay.work()
  expect((await chargeNow(id)).status).toBe('successful')
})

test('a process that dies while it ends charges: the next one ends them in the same way', async () => {
  const online = await pay.waiting('online', { brand: 'pay_pay_online', call_method: 'http_post' })
  const short = { ...konbini, expiration_period: 'PT30M' }
  const [left, paid] = [await pay.waiting('konbini', short), await pay.waiting('konbini', short)]
  // Paid in time; the notification of it does not arrive before the end.
  await pay.post(`/test/charges/${paid}/deposits`, { amount: 1000 })
  await world.store.pool.query('update provider_notifications set due_on = null')
  const customer = simulatorOf(world.service, 'customer')
  const end = customer.void
  const dyingVoid: typeof end = async (operation) => {
    await end(operation)
    throw new Error('The answer is lost.')
  }
  world.clock.advance(31 * 60_000)
  Object.assign(customer, { void: dyingVoid })
  await pay.work()
  Object.assign(customer, { void: end })
  world.clock.advance(60_000)
  await pay.work()
  for (const id of [online, left]) {
    expect(await chargeNow(id)).toMatchObject({ status: 'failed', error: { code: 327 } })
  }
  expect(await chargeNow(paid)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  await world.store.pool.query('update provider_notifications set due_on = created_on')
  await pay.work()
})
