import { beforeEach, expect, test } from 'vitest'
import { type Payments, payments } from '../../../../test/support/payments.ts'
import { useWorld } from '../../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../../test/support/world.ts'
import { signAppToken } from '../../../accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../../accounts/app-tokens/create-app-token.ts'

// The fields of a new charge that apply to each payment type and brand. Other fields are refused by name,
// so that no client relies on them.
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeEach(async () => {
  world.clock.advance(60_000)
  shop = await world.merchant()
  pay = payments(world, shop)
})

const online = (brand: string, call_method: string) => [brand, 'online', { brand, call_method }]
const displayed = (brand: string) => [brand, 'qr_merchant', { brand }]
const scanned = (brand: string, scanned_qr: string) => [brand, 'qr_scan', { scanned_qr }]
type Kind = [brand: string, payment_type: string, data: object]

const konbini = {
  customer_name: 'Taro Yamada',
  phone_number: { country_code: '81', local_number: '09012345678' },
  convenience_store: 'lawson',
}
const ways = [
  online('alipay_online', 'http_get'),
  online('alipay_plus_online', 'http_get'),
  online('pay_pay_online', 'http_post'),
  online('we_chat_online', 'app'),
  online('d_barai_online', 'http_post'),
  displayed('alipay_merchant_qr'),
  displayed('pay_pay_merchant'),
  displayed('we_chat_mpm'),
  displayed('d_barai_mpm'),
  scanned('pay_pay', '90008181123'),
  scanned('we_chat', '100000000000000001'),
  scanned('alipay', '250000000000000001'),
  ['lawson', 'konbini', konbini],
  ['aozora_bank', 'bank_transfer', { brand: 'aozora_bank' }],
  ['paidy', 'paidy', { paidy_token: 'tok_1' }],
] as Kind[]
const we_chat = ways.filter(([brand]) => brand.startsWith('we_chat'))

async function newToken([, payment_type, data]: Kind, of: Payments = pay): Promise<string> {
  const created = await of.post('/tokens', { payment_type, email: 'customer@example.com', data })
  expect(created.status, created.text).toBe(201)
  return created.body.id
}

const money = { amount: 1000, currency: 'JPY' }

async function charge(way: Kind, body: object, of: Payments = pay) {
  return of.post('/charges', { transaction_token_id: await newToken(way, of), ...money, ...body })
}

async function expectFault(way: Kind, body: object, field: string, reason: string) {
  const response = await charge(way, body)
  expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect(response.body.errors).toEqual([{ field, reason }])
}

test.each(ways)('%s: charges are captured immediately only', async (...way) => {
  await expectFault(way, { capture: false }, 'capture', 'CAPTURE_ONLY_FOR_CARD_PAYMENT')
  expect((await charge(way, { capture: true })).status).toBe(201)
})

test.each(ways)(
  '%s: a descriptor is refused, or left out when that is asked for',
  async (...way) => {
    const descriptor = 'SHOP'
    await expectFault(way, { descriptor }, 'descriptor', 'NOT_SUPPORTED_BY_PROCESSOR')
    const created = await charge(way, { descriptor, ignore_descriptor_on_error: true })
    expect(created).toMatchObject({ status: 201, body: { descriptor: null } })
  },
)

const six = {
  authentication_value: 'AAECAwQFBgcICQoLDA0ODw==',
  eci: '05',
  ds_transaction_id: 'd65e93c3-35ab-41ba-b307-767bfc19eae3',
  server_transaction_id: 'a2d2b0b1-9d5f-4c6c-8f6a-5e6a4c3b2a10',
  message_version: '2.2.0',
  transaction_status: 'Y',
}

test.each(ways)('%s: 3-D Secure is for cards only', async (...way) => {
  const reason = 'ONLY_FOR_CARD_PAYMENT'
  for (const mode of ['require', 'force', 'skip', 'if_available', 'provided']) {
    await expectFault(way, { three_ds_mode: mode }, 'three_ds_mode', reason)
    await expectFault(way, { three_ds: { mode } }, 'three_ds.mode', reason)
  }
  const endpoint = 'https://shop.example/'
  await expectFault(way, { redirect_three_ds: { endpoint } }, 'redirect_three_ds.endpoint', reason)
  const redirect = { redirect_endpoint: endpoint }
  await expectFault(way, { three_ds: redirect }, 'three_ds.redirect_endpoint', reason)
  const external = await charge(way, { three_ds: six })
  expect(external.body.errors).toEqual(
    Object.keys(six).map((name) => ({ field: `three_ds.${name}`, reason })),
  )
  for (const body of [{ three_ds_mode: 'normal' }, { three_ds: { mode: 'normal' } }]) {
    expect(await charge(way, body)).toMatchObject({ status: 201, body: { three_ds: null } })
  }
})

const redirecting = ['alipay_online', 'alipay_plus_online', 'pay_pay_online']

test.each(ways)('%s: redirect.endpoint is for three online brands only', async (...way) => {
  const endpoint = 'https://shop.example/back?x=1'
  if (!redirecting.includes(way[0])) {
    await expectFault(way, { redirect: { endpoint } }, 'redirect.endpoint', 'FORBIDDEN_PARAMETER')
    return
  }
  const { status, body } = await charge(way, { redirect: { endpoint }, metadata: { order: 7 } })
  expect(status).toBe(201)
  expect(body.redirect).toEqual({ endpoint, redirect_id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  await pay.work()
  expect((await pay.get(pay.chargePath(body.id))).body.redirect).toEqual(body.redirect)
  await pay.patch(pay.chargePath(body.id), { metadata: { order: 8, later: 1 } })
  const query = 'select redirect_url from charges where id = $1'
  const { rows } = await world.store.pool.query(query, [body.id])
  const ids = `svcChargeId=${body.id}&svcTokenId=${body.transaction_token_id}`
  expect(rows).toEqual([{ redirect_url: `${endpoint}&order=7&${ids}` }])
  for (const wrong of ['javascript:alert(1)', 'https://a@evil.example/', '/back', '//x']) {
    const body = { redirect: { endpoint: wrong } }
    await expectFault(way, body, 'redirect.endpoint', 'INVALID_FORMAT_URL')
  }
})

test('http is an address to go back to in test mode only', async () => {
  const way = ways[2] as Kind
  const redirect = { endpoint: 'http://shop.example/' }
  expect((await charge(way, { redirect })).status).toBe(201)
  pay = payments(world, await world.merchant({ mode: 'live', verified: true }))
  await expectFault(way, { redirect }, 'redirect.endpoint', 'INVALID_FORMAT_URL')
  expect((await charge(way, { redirect: { endpoint: 'https://shop.example/' } })).status).toBe(201)
})

test('every wrong field of a charge is named in one response', async () => {
  const response = await charge(ways[13] as Kind, {
    capture: false,
    capture_at: '2020-01-01',
    merchant_transaction_id: 'A1',
    redirect: { endpoint: 'https://shop.example/' },
    three_ds_mode: 'force',
    descriptor: 'SHOP',
  })
  expect(response.body.errors).toEqual([
    { field: 'capture', reason: 'CAPTURE_ONLY_FOR_CARD_PAYMENT' },
    { field: 'capture_at', reason: 'EXPIRATION_DATE_OUT_OF_BOUNDS' },
    { field: 'merchant_transaction_id', reason: 'FORBIDDEN_PARAMETER' },
    { field: 'redirect.endpoint', reason: 'FORBIDDEN_PARAMETER' },
    { field: 'three_ds_mode', reason: 'ONLY_FOR_CARD_PAYMENT' },
    { field: 'descriptor', reason: 'NOT_SUPPORTED_BY_PROCESSOR' },
  ])
})

test.each(ways)('%s: merchant_transaction_id is for three brands only', async (...way) => {
  const merchant_transaction_id = 'Order7'
  if (!way[0].startsWith('we_chat')) {
    const field = 'merchant_transaction_id'
    await expectFault(way, { merchant_transaction_id }, field, 'FORBIDDEN_PARAMETER')
    return
  }
  const created = await charge(way, { merchant_transaction_id })
  expect(created).toMatchObject({ status: 201, body: { merchant_transaction_id } })
  const read = await pay.get(pay.chargePath(created.body.id))
  expect(read.body.merchant_transaction_id).toBe(merchant_transaction_id)
  expect((await charge(way, {})).body.merchant_transaction_id).toBeNull()
})

test.each(we_chat)('%s: it has at most 32 letters and digits of ASCII', async (...way) => {
  for (const id of ['a', '7', 'A'.repeat(32), `${'9'.repeat(31)}z`]) {
    expect((await charge(way, { merchant_transaction_id: id })).status, id).toBe(201)
  }
  const field = 'merchant_transaction_id'
  const wrong = [
    '',
    'A'.repeat(33),
    'a b',
    'a-b',
    'a_b',
    'ａ１',
    'é',
    '注文7',
    'a\n',
    '\u0430bc',
    '٣',
  ]
  for (const id of wrong) {
    await expectFault(way, { merchant_transaction_id: id }, field, 'INVALID_FORMAT')
  }
  await expectFault(way, { merchant_transaction_id: 7 }, field, 'INVALID_FORMAT')
})

/** Another way into a store: of its live mode, or of a second store. */
async function another(mode: 'test' | 'live', store_id = shop.store_id): Promise<Payments> {
  const { token, secret } = await createAppToken(world.service, {
    merchant_id: shop.id,
    creator_id: shop.id,
    store: { id: store_id, mode, domains: [] },
  })
  const as_store = `Bearer ${secret}.${await signAppToken(world.service, token)}`
  return payments(world, { ...shop, store_id, as_store })
}

test('it is unique per store and mode, whatever became of the first charge', async () => {
  shop = await world.merchant({ verified: true })
  pay = payments(world, shop)
  const body = { merchant_transaction_id: 'Order7' }
  const [web, code, phone] = we_chat as [Kind, Kind, Kind]
  const first = await charge(web, body)
  expect(first.status).toBe(201)
  const second_token = await newToken(code)
  const again = { transaction_token_id: second_token, ...money }
  const refused = await pay.post('/charges', { ...again, ...body })
  expect(refused).toMatchObject({ status: 409, body: { code: 'MERCHANT_TRANSACTION_ID_EXISTS' } })
  // The refused charge has not used its token.
  expect((await pay.post('/charges', again)).status).toBe(201)
  await pay.work()
  await pay.post(`/test/charges/${first.body.id}/complete`, { outcome: 'failed' })
  await pay.work()
  expect((await pay.get(pay.chargePath(first.body.id))).body.status).toBe('failed')
  expect((await charge(phone, body)).status).toBe(409)

  const auth = shop.as_merchant
  const store = await world.call('POST', '/stores', { auth, body: { name: 'Second shop' } })
  expect((await charge(web, body, await another('test', store.body.id))).status).toBe(201)
  expect((await charge(web, body, await another('live'))).status).toBe(201)
  expect((await charge(web, body, await another('live'))).status).toBe(409)
  const stranger = payments(world, await world.merchant())
  expect((await charge(web, body, stranger)).status).toBe(201)
})

test('of fifty concurrent charges with the same merchant_transaction_id exactly one is created', async () => {
  const tokens: string[] = []
  for (let count = 0; count < 50; count += 1) tokens.push(await newToken(we_chat[0] as Kind))
  const responses = await Promise.all(
    tokens.map((transaction_token_id) =>
      world.call('POST', '/charges', {
        auth: shop.as_store,
        body: { transaction_token_id, ...money, merchant_transaction_id: 'ORDER7' },
      }),
    ),
  )
  const created = responses.filter(({ status }) => status === 201)
  expect(created).toHaveLength(1)
  const refused = responses.filter(({ body }) => body.code === 'MERCHANT_TRANSACTION_ID_EXISTS')
  expect(refused).toHaveLength(49)
  const { rows } = await world.store.pool.query(
    'select id from charges where merchant_id = $1 and store_id = $2',
    [shop.id, shop.store_id],
  )
  expect(rows).toEqual([{ id: created[0]?.body.id }])
  const unused = await world.store.pool.query(
    'select from transaction_tokens where merchant_id = $1 and uses = 0',
    [shop.id],
  )
  expect(unused.rows).toHaveLength(49)
})
