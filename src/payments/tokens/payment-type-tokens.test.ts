import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'

// Tokens of wallets and brands: the tables of the specification, row by row. Convenience stores and
// transfers have a file of their own. The expected values are not read from the tables of the code.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const email = 'customer@example.com'
const tokenPath = (id: string) => `/stores/${shop.store_id}/tokens/${id}`
const create = (payment_type: string, data: object, more: object = {}) =>
  pay.post('/tokens', { payment_type, email, ...more, data })

function expectFault(response: { status: number; body: object }, field: string, reason: string) {
  expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect(response.body).toHaveProperty('errors', [{ field, reason }])
}

async function configure(configuration: object) {
  const path = `/stores/${shop.store_id}`
  const set = await world.call('PATCH', path, { auth: shop.as_merchant, body: { configuration } })
  expect(set.status, set.text).toBe(200)
}

const phone_number = { country_code: 81, local_number: '09012345678' }
const konbini = { customer_name: 'Taro', convenience_store: 'lawson', phone_number }
const online = { brand: 'pay_pay_online', call_method: 'http_post' }

/** A payment type, what it needs at least, and everything its data has in an answer. */
const types: [payment_type: string, data: object, answered: object][] = [
  ['qr_scan', { scanned_qr: '9000818100000000000000' }, { brand: 'pay_pay', gateway: 'pay_pay' }],
  ['qr_merchant', { brand: 'we_chat_mpm' }, { brand: 'we_chat_mpm', qr_image_url: null }],
  ['konbini', konbini, { ...konbini, expiration_period: 'PT720H', expiration_time_shift: null }],
  [
    'online',
    online,
    {
      ...online,
      issuer_token: null,
      issuer_token_payload: null,
      os_type: null,
      user_identifier: null,
      user_identifier_source: null,
    },
  ],
  [
    'bank_transfer',
    { brand: 'aozora_bank' },
    {
      brand: 'aozora_bank',
      match_amount: null,
      bank_code: null,
      bank_name: null,
      branch_code: null,
      branch_name: null,
      account_number: null,
      account_holder_name: null,
      account_id: null,
      expiration_period: null,
      expiration_time_shift: null,
    },
  ],
  [
    'paidy',
    { paidy_token: 'tok_1' },
    { paidy_token: 'tok_1', phone_number: null, shipping_address: null },
  ],
]

test.each(types)(
  'a token of type %s is answered with every field',
  async (payment_type, data, answered) => {
    const created = await create(payment_type, data)
    expect(created.status, created.text).toBe(201)
    const at = world.clock.now()
    const expected = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_id: shop.id,
      store_id: shop.store_id,
      email,
      payment_type,
      active: true,
      mode: 'test',
      type: 'one_time',
      usage_limit: null,
      confirmed: payment_type === 'paidy' ? true : null,
      metadata: {},
      ip_address: null,
      created_on: at,
      updated_on: new Date(at).toISOString(),
      last_used_on: null,
      data: answered,
    }
    expect(created.body).toEqual(expected)
    const created_on = new Date(at).toISOString()
    expect((await pay.get(tokenPath(created.body.id))).body).toEqual({ ...expected, created_on })
  },
)

test.each(types)('e-mail of a token of type %s', async (payment_type, data) => {
  const without = await create(payment_type, data, { email: null })
  if (payment_type !== 'online') return expectFault(without, 'email', 'REQUIRED_VALUE')
  expect(without).toMatchObject({ status: 201, body: { email: null } })
})

const repeatable = ['konbini', 'paidy']

test.each(types)('%s as a recurring token or for a subscription', async (payment_type, data) => {
  const wanted = [{ type: 'recurring' }, { type: 'subscription' }, { subscription: true }]
  for (const more of wanted) {
    const response = await create(payment_type, data, more)
    if (repeatable.includes(payment_type)) expect(response.status, response.text).toBe(201)
    else expectFault(response, Object.keys(more)[0] ?? '', 'ONE_TIME_ONLY_ALLOWED')
  }
  expect((await create(payment_type, data, { type: 'one_time' })).body.type).toBe('one_time')
})

test.each([
  ['qr_scan', 'qr_scan_configuration', 'QR_PROCESSING_DISABLED'],
  ['qr_merchant', 'qr_merchant_configuration', 'QR_PROCESSING_DISABLED'],
  ['konbini', 'convenience_configuration', 'CONVENIENCE_PROCESSING_DISABLED'],
  ['online', 'online_configuration', 'ONLINE_PROCESSING_DISABLED'],
  ['bank_transfer', 'bank_transfer_configuration', 'BANK_TRANSFER_PROCESSING_DISABLED'],
  ['paidy', 'paidy_configuration', 'PAIDY_PROCESSING_DISABLED'],
])('%s is switched off by %s, and nothing else is', async (off, group, code) => {
  await configure({ [group]: { enabled: false } })
  for (const [payment_type, data] of types) {
    const { status, body } = await create(payment_type, data)
    if (payment_type === off) expect({ status, code: body.code }).toEqual({ status: 400, code })
    else expect(status).toBe(201)
  }
  await configure({ [group]: { enabled: true } })
  for (const [payment_type, data] of types) {
    expect((await create(payment_type, data)).status).toBe(201)
  }
})

test('an unknown payment type is refused, and so is data that is missing', async () => {
  expectFault(await create('cash', {}), 'payment_type', 'NOT_ALLOWED_VALUE')
  for (const [payment_type] of types) {
    const response = await pay.post('/tokens', { payment_type, email })
    expectFault(response, 'data', 'REQUIRED_VALUE')
  }
})

test.each([
  ['9000818100000000000000', 'pay_pay'],
  ['90008182123', 'd_barai'],
  ['90008183123', 'au_pay'],
  ['90008184123', 'merpay'],
  ['90008185123', 'rakuten_pay'],
  ['90008186123', 'line_pay'],
  ['90008187123', 'aeon_pay'],
  ['100000000000000001', 'we_chat'],
  ['120000000000000001', 'we_chat'],
  ['159999999999999999', 'we_chat'],
  ['250000000000000001', 'alipay'],
  ['289999999999999999', 'alipay'],
  ['290000000000000001', 'alipay_hk'],
  ['300000000000000001', 'kakaopay'],
  ['90008188123', null],
  ['160000000000000001', null],
  ['a wallet of tomorrow', null],
])('qr_scan: the code %s is of the wallet %s', async (scanned_qr, brand) => {
  const { status, body } = await create('qr_scan', { scanned_qr })
  expect(status).toBe(201)
  expect(body.data).toEqual({ brand, gateway: brand })
})

test.each([
  ['nothing', undefined, 'REQUIRED_VALUE'],
  ['an empty text', '', 'INVALID_FORMAT_LENGTH'],
  ['a text of 513 characters', '1'.repeat(513), 'INVALID_FORMAT_LENGTH'],
  ['a number', 9000818100000000, 'INVALID_FORMAT'],
  ['a text with a line end', '90008181\n0', 'INVALID_FORMAT'],
])('qr_scan: scanned_qr is required; %s is refused', async (_, scanned_qr, reason) => {
  expectFault(await create('qr_scan', { scanned_qr }), 'data.scanned_qr', reason)
})

test('forbidden_qr_scan_gateways refuses the codes of those wallets only', async () => {
  await configure({ qr_scan_configuration: { forbidden_qr_scan_gateways: ['pay_pay', 'alipay'] } })
  const responses = ['90008181123', '25123', '29123', '90008182123', 'unheard of'].map(
    (scanned_qr) => create('qr_scan', { scanned_qr }),
  )
  const codes = (await Promise.all(responses)).map(({ status, body }) => body.code ?? status)
  const refused = 'INVALID_QR_SCAN_GATEWAY'
  expect(codes).toEqual([refused, refused, 201, 201, 201])
})

test('a scanned code is in clear in no table, in no answer and in no line of the log', async () => {
  const scanned_qr = '9000818177665544332211'
  const created = await create('qr_scan', { scanned_qr }, { metadata: { order: 1 } })
  const { id } = created.body
  const sealed = 'select card_number from transaction_tokens where id = $1'
  expect((await world.store.pool.query(sealed, [id])).rows[0].card_number).toBeInstanceOf(Buffer)
  const paid = { transaction_token_id: id, amount: 1000, currency: 'JPY' }
  const charge = await pay.post('/charges', paid)
  await pay.work()
  const responses = [
    created,
    charge,
    await pay.get(tokenPath(id)),
    await pay.get('/transaction_history'),
  ]
  responses.push(await pay.get(pay.chargePath(charge.body.id)))
  expect(responses.at(-1)?.body.status).toBe('successful')
  expect((await world.store.pool.query(sealed, [id])).rows[0].card_number).toBeNull()
  const hex = Buffer.from(scanned_qr).toString('hex')
  const places = [...responses.map(({ text }) => text), ...world.log, ...(await everyRow())].join(
    '\n',
  )
  for (const form of [scanned_qr, scanned_qr.slice(8), hex]) expect(places).not.toContain(form)
  expect(places).toContain(id)
})

async function everyRow(): Promise<string[]> {
  const tables = await world.store.pool.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await world.store.pool.query(`select t::text as text from ${name} t`)
    texts.push(...rows.map(({ text }) => text as string))
  }
  return texts
}

test.each([
  'alipay_merchant_qr',
  'pay_pay_merchant',
  'we_chat_mpm',
  'd_barai_online',
  'd_barai_mpm',
  'd_barai_merchant',
])('qr_merchant takes the brand %s, in capitals too', async (brand) => {
  for (const written of [brand, brand.toUpperCase()]) {
    const { status, body } = await create('qr_merchant', { brand: written })
    expect(status).toBe(201)
    expect(body.data).toEqual({ brand, qr_image_url: null })
  }
})

test.each([
  ['pay_pay_online', 'NOT_ALLOWED_VALUE'],
  ['we_chat', 'NOT_ALLOWED_VALUE'],
  ['toString', 'NOT_ALLOWED_VALUE'],
  ['', 'INVALID_FORMAT_LENGTH'],
  [undefined, 'REQUIRED_VALUE'],
  [null, 'REQUIRED_VALUE'],
])('qr_merchant refuses the brand %s', async (brand, reason) => {
  expectFault(await create('qr_merchant', { brand }), 'data.brand', reason)
})

test('paidy keeps what was given, null where nothing was', async () => {
  const given = {
    paidy_token: 'tok_1',
    phone_number: { country_code: '81', local_number: '090-1234-5678' },
    shipping_address: { line1: 'Chiyoda 1-1', city: 'Tokyo', zip: '100-0001' },
  }
  expect((await create('paidy', given)).body.data).toEqual({
    paidy_token: 'tok_1',
    phone_number,
    shipping_address: { ...given.shipping_address, line2: null, state: null },
  })
  expectFault(await create('paidy', {}), 'data.paidy_token', 'REQUIRED_VALUE')
  const wrong = { ...given, phone_number: { country_code: '999', local_number: '1' } }
  expectFault(await create('paidy', wrong), 'data.phone_number', 'INVALID_PHONE_NUMBER')
})

test.each(types)(
  'PATCH of a token of type %s changes e-mail and metadata, no data',
  async (payment_type, data) => {
    const created = await create(payment_type, data, { metadata: { a: 1 } })
    const path = tokenPath(created.body.id)
    const change = { email: 'other@example.com', metadata: { b: '2' } }
    const patched = await pay.patch(path, change)
    expect(patched).toMatchObject({ status: 200, body: { ...change, metadata: { a: 1, b: '2' } } })
    expect(patched.body.data).toEqual(created.body.data)
    const fields = { cvv: '123', cardholder: 'TARO', line1: 'Chiyoda', ...data }
    const refused = await pay.patch(path, { email, data: fields })
    expect(refused.status).toBe(400)
    const reason = 'ONLY_FOR_CARD_PAYMENT'
    const faults = Object.keys(fields).map((name) => ({ field: `data.${name}`, reason }))
    expect(refused.body.errors).toEqual(expect.arrayContaining(faults))
    const { body } = await pay.get(path)
    expect(body).toMatchObject({ email: change.email, metadata: { a: 1, b: '2' } })
    expect(body.data).toEqual(created.body.data)
    expect((await pay.patch(path, { data: {} })).status).toBe(200)
  },
)
