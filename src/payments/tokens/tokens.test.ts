import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { newWorld } from '../../../test/support/world.ts'

// The fields that a card or wallet token shows, how its input is normalised, and which input is refused.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const tokenPath = (id: string) => `/stores/${shop.store_id}/tokens/${id}`
const nothing_billed = {
  line1: null,
  line2: null,
  state: null,
  city: null,
  country: null,
  zip: null,
  phone_number: null,
}
const nothing_checked = {
  cvv_authorize: {
    enabled: false,
    status: null,
    currency: null,
    charge_id: null,
    credentials_id: null,
  },
  cvv_authorize_check: { status: null, charge_id: null, date: null },
  three_ds: {
    enabled: false,
    status: null,
    redirect_endpoint: null,
    redirect_id: null,
    error: null,
    exempted: false,
  },
}

function plainToken(card: object) {
  return {
    id: uuid,
    merchant_id: shop.id,
    store_id: shop.store_id,
    email: 'customer@example.com',
    payment_type: 'card',
    active: true,
    mode: 'test',
    type: 'one_time',
    usage_limit: null,
    confirmed: null,
    metadata: {},
    ip_address: null,
    created_on: world.clock.now(),
    updated_on: new Date(world.clock.now()).toISOString(),
    last_used_on: null,
    data: { card, billing: nothing_billed, ...nothing_checked },
  }
}

const gold_card = {
  cardholder: 'TARO YAMADA',
  exp_month: 12,
  exp_year: 2030,
  card_bin: '424242',
  last_four: '4242',
  brand: 'visa',
  card_type: 'credit',
  country: 'JP',
  category: 'gold',
  issuer: 'Test Bank 1',
  sub_brand: 'none',
}

test('when a value is absent, the field is present with null; created_on is an integer of epoch milliseconds', async () => {
  const made = await pay.token()
  expect(made.status).toBe(201)
  expect(made.body).toEqual(plainToken(gold_card))
})

test('token get: created_on, updated_on and last_used_on are ISO-8601 strings with fractional seconds', async () => {
  const { body: made } = await pay.token()
  const created_on = new Date(made.created_on).toISOString()
  const read = await pay.get(tokenPath(made.id))
  expect(read).toMatchObject({ status: 200 })
  expect(read.body).toEqual({ ...made, created_on })
  const charge = { transaction_token_id: made.id, amount: 1, currency: 'JPY' }
  expect((await pay.post('/charges', charge)).status).toBe(201)
  const used = await pay.get(tokenPath(made.id))
  expect(used.body.last_used_on).toMatch(/^2026-01-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(used.body.last_used_on > created_on).toBe(true)
})

test('COMPATIBILITY=clients: created_on of a new token is an ISO-8601 string', async () => {
  const other = await newWorld({ settings: { COMPATIBILITY: 'clients' } })
  try {
    const { status, body } = await payments(other, await other.merchant()).token()
    expect(status).toBe(201)
    expect(body.created_on).toBe(new Date(other.clock.now()).toISOString())
  } finally {
    await other.close()
  }
})

test('everything that can be given is shown, normalised', async () => {
  const customer = '0190A000-0000-7000-8000-00000000ABCD'
  const made = await pay.token(
    {
      type: 'recurring',
      usage_limit: 'monthly',
      ip_address: '203.0.113.7',
      metadata: { 'svc-customer-id': customer, order: 7, flag: true, none: null },
    },
    {
      cardholder: 'jiro o’hara',
      card_number: '4000 0200-0000 0000',
      line1: '1-2-3 Ginza',
      line2: 'Room 4',
      state: 'Tokyo',
      city: 'Chuo',
      country: 'jp',
      zip: '104-0061',
      phone_number: { country_code: '81', local_number: '090-1234-5678' },
      three_ds: { enabled: true, redirect_endpoint: 'https://SHOP.example/back?x=1' },
    },
  )
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({
    type: 'recurring',
    usage_limit: 'monthly',
    ip_address: '203.0.113.7',
    metadata: { 'svc-customer-id': customer, order: 7, flag: true, none: null },
    data: {
      card: { cardholder: 'JIRO O’HARA', card_bin: '400002', last_four: '0000' },
      billing: {
        line1: '1-2-3 Ginza',
        line2: 'Room 4',
        state: 'Tokyo',
        city: 'Chuo',
        country: 'JP',
        zip: '104-0061',
        phone_number: { country_code: 81, local_number: '09012345678' },
      },
      three_ds: {
        enabled: true,
        status: expect.any(String),
        redirect_endpoint: 'https://shop.example/back?x=1',
      },
    },
  })
})

test.each([
  [{ exp_month: '2', exp_year: '2030' }],
  [{ exp_month: '02', exp_year: '30' }],
  [{ exp_month: 2, exp_year: 2030 }],
  [{ exp_month: 2, exp_year: 30 }],
])('exp_month "2", "02", 2; exp_year two or four digits, string or number: %o', async (given) => {
  const { body } = await pay.token({}, given)
  expect(body.data.card).toMatchObject({ exp_month: 2, exp_year: 2030 })
})

test('cvv and country_code string or number; a local_number of up to 14 digits', async () => {
  const phone_number = { country_code: 44, local_number: '12345678901234' }
  const { status, body } = await pay.token({}, { cvv: 123, phone_number })
  expect(status).toBe(201)
  expect(body.data.billing.phone_number).toEqual(phone_number)
})

test.each([
  [
    'visa',
    '4916741415383284',
    { card_type: 'credit', category: 'signature', sub_brand: 'none', country: 'BR' },
    'BANCO SANTANDER S.A.',
  ],
  ['mastercard', '5555555555554444', { card_type: 'credit' }, 'Test Bank 4'],
  ['jcb', '3530111333300000', { card_type: 'credit' }, 'Test Bank 5'],
  ['diners_club', '30569309025904', { card_type: 'charge_card' }, 'Test Bank 7'],
  ['maestro', '6759649826438453', { card_type: null, category: null, country: null }, null],
])('the first digits tell about a %s: %s', async (brand, card_number, told, issuer) => {
  const { body } = await pay.token({}, { card_number })
  expect(body.data.card).toMatchObject({
    brand,
    ...told,
    issuer,
    card_bin: card_number.slice(0, 6),
    last_four: card_number.slice(-4),
  })
})

test('american_express has a security code of 4 digits', async () => {
  const card_number = '378282246310005'
  expect((await pay.token({}, { card_number, cvv: '1234' })).status).toBe(201)
  const refused = await pay.token({}, { card_number, cvv: '123' })
  expect(refused.body.errors).toEqual([{ field: 'data.cvv', reason: 'INVALID_CVV' }])
})

test('apple_pay: applepay_token and cardholder, optional billing; same shape as a card', async () => {
  const data = { applepay_token: '{"data":"x"}', cardholder: 'Taro Yamada', country: 'jp' }
  const body = { payment_type: 'apple_pay', email: 'customer@example.com', data }
  const made = await pay.post('/tokens', body)
  expect(made.status, made.text).toBe(201)
  const card = {
    ...gold_card,
    exp_year: 2029,
    card_bin: '400002',
    last_four: '0000',
    category: 'classic',
  }
  const expected = plainToken(card)
  expect(made.body).toEqual({
    ...expected,
    payment_type: 'apple_pay',
    data: { ...expected.data, billing: { ...nothing_billed, country: 'JP' } },
  })
  expect(made.text).not.toContain('applepay_token')
  for (const missing of ['applepay_token', 'cardholder']) {
    const refused = await pay.post('/tokens', { ...body, data: { ...data, [missing]: undefined } })
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ field: `data.${missing}`, reason: 'REQUIRED_VALUE' }] },
    })
  }
})

test('an apple_pay token is charged; one that contains declined is declined', async () => {
  for (const [applepay_token, status] of [
    ['good', 'successful'],
    ['x-declined-x', 'failed'],
  ]) {
    const data = { applepay_token, cardholder: 'Taro' }
    const charge = await pay.settled({}, { token: { payment_type: 'apple_pay' }, data })
    expect(charge.status).toBe(status)
  }
})

/** The digits and the one that makes them a card number. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const expiry_faults = ['data.exp_month', 'data.exp_year'].map((field) => ({
  field,
  reason: 'INVALID_CARD_EXPIRATION',
}))

test.each<[string, string, object]>([
  ['data.card_number', 'INVALID_CARD_NUMBER', { card_number: '4242424242424243' }],
  ['data.card_number', 'INVALID_CARD_NUMBER', { card_number: withCheckDigit('42424242424242') }],
  ['data.card_number', 'INVALID_CARD_NUMBER', { card_number: withCheckDigit('4242424242') }],
  ['data.card_number', 'INVALID_CARD_NUMBER', { card_number: '424242424242424x' }],
  ['data.card_number', 'INVALID_CARD_NUMBER', { card_number: '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢' }],
  ['data.card_number', 'INVALID_FORMAT', { card_number: 4242424242424242 }],
  ['data.card_number', 'REQUIRED_VALUE', { card_number: undefined }],
  ['data.cardholder', 'REQUIRED_VALUE', { cardholder: undefined }],
  ['data.cardholder', 'INVALID_FORMAT_LENGTH', { cardholder: '' }],
  ['data.exp_month', 'REQUIRED_VALUE', { exp_month: undefined }],
  ['data.exp_year', 'REQUIRED_VALUE', { exp_year: undefined }],
  ['data.cvv', 'INVALID_CVV', { cvv: '12' }],
  ['data.cvv', 'INVALID_CVV', { cvv: '1234' }],
  ['data.cvv', 'INVALID_CVV', { cvv: '12a' }],
  ['data.country', 'INVALID_FORMAT_COUNTRY', { country: 'XX' }],
  ['data.country', 'INVALID_FORMAT_COUNTRY', { country: 'JPN' }],
  ['data.phone_number', 'INVALID_PHONE_NUMBER', phone('999', '901234567')],
  ['data.phone_number', 'INVALID_PHONE_NUMBER', phone('81', '123456789012345')],
  ['data.phone_number', 'INVALID_PHONE_NUMBER', phone('81', 'none')],
  ['data.phone_number.local_number', 'REQUIRED_VALUE', { phone_number: { country_code: '81' } }],
  ['data.three_ds.enabled', 'NOT_ALLOWED_VALUE', { three_ds: { enabled: true } }],
  ['data.three_ds.redirect_endpoint', 'INVALID_FORMAT_URL', redirect('javascript:alert(1)')],
  ['data.three_ds.redirect_endpoint', 'INVALID_FORMAT_URL', redirect('https://a:b@shop.example/')],
  ['data.cvv_authorize.currency', 'INVALID_FORMAT_CURRENCY', { cvv_authorize: { currency: 'X' } }],
])('a wrong %s is named: %s, %o', async (field, reason, data) => {
  expect(await pay.token({}, data)).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', errors: [{ field, reason }] },
  })
})

function phone(country_code: string, local_number: string) {
  return { phone_number: { country_code, local_number } }
}

function redirect(redirect_endpoint: string) {
  return { three_ds: { redirect_endpoint } }
}

test.each([
  ['12', '2025'],
  ['13', '2030'],
  ['0', '2030'],
  ['12', '203'],
  ['12', '1930'],
])('a card of %s/%s cannot be used', async (exp_month, exp_year) => {
  const { status, body } = await pay.token({}, { exp_month, exp_year })
  expect(status).toBe(400)
  expect(body.errors).toEqual(expiry_faults)
})

test('a card is good to the end of its month', async () => {
  expect((await pay.token({}, { exp_month: 1, exp_year: 2026 })).status).toBe(201)
})

test.each<[string, string, object]>([
  ['email', 'REQUIRED_VALUE', { email: undefined }],
  ['email', 'REQUIRED_VALUE', { email: null }],
  ['email', 'INVALID_FORMAT_EMAIL', { email: 'nobody' }],
  ['payment_type', 'NOT_ALLOWED_VALUE', { payment_type: 'cash' }],
  ['payment_type', 'REQUIRED_VALUE', { payment_type: undefined }],
  ['type', 'NOT_ALLOWED_VALUE', { type: 'forever' }],
  ['ip_address', 'INVALID_FORMAT', { ip_address: '::1' }],
  ['metadata', 'INVALID_FORMAT_OBJECT', { metadata: ['a'] }],
  ['metadata.svc-customer-id', 'INVALID_UUID', { metadata: { 'svc-customer-id': 'C-7' } }],
  ['metadata.svc-customer-id', 'INVALID_UUID', { metadata: { 'svc-customer-id': 7 } }],
  ['usage_limit', 'NOT_ALLOWED_VALUE', { type: 'recurring', usage_limit: 'hourly' }],
  ['usage_limit', 'NOT_ALLOWED_VALUE', { type: 'recurring', usage_limit: '0' }],
  ['usage_limit', 'NOT_ALLOWED_VALUE', { type: 'recurring', usage_limit: '-1' }],
  ['usage_limit', 'NOT_ALLOWED_VALUE', { type: 'recurring', usage_limit: '1.5' }],
  ['usage_limit', 'NOT_ALLOWED_VALUE', { type: 'recurring', usage_limit: '١٢' }],
  ['usage_limit', 'INVALID_FORMAT', { type: 'recurring', usage_limit: 3 }],
])('a wrong %s of any token is named: %s, %o', async (field, reason, body) => {
  expect(await pay.token(body)).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR', errors: [{ field, reason }] },
  })
})

test('several wrong fields are named in one response', async () => {
  const wrong = { card_number: '4242424242424243', exp_month: '13', cvv: '1', ...phone('999', '1') }
  expect((await pay.token({}, wrong)).body.errors).toEqual([
    { field: 'data.card_number', reason: 'INVALID_CARD_NUMBER' },
    ...expiry_faults,
    { field: 'data.cvv', reason: 'INVALID_CVV' },
    { field: 'data.phone_number', reason: 'INVALID_PHONE_NUMBER' },
  ])
  const ill_typed = { cardholder: undefined, exp_month: true, country: 'XX' }
  const { errors } = (await pay.token({ email: 'nobody', ip_address: 'here' }, ill_typed)).body
  expect(errors).toHaveLength(5)
  for (const field of ['email', 'ip_address', 'data.cardholder', 'data.exp_month', 'data.country'])
    expect(errors).toContainEqual({ field, reason: expect.any(String) })
})

test.each(['1', '12', '9999', 'daily', 'weekly', 'monthly', 'annually'])(
  'a recurring token may have the usage_limit %s',
  async (usage_limit) => {
    const { body } = await pay.token({ type: 'recurring', usage_limit })
    expect(body).toMatchObject({ type: 'recurring', usage_limit })
  },
)

test('usage_limit may be blank when the account may create unlimited tokens; others have none', async () => {
  for (const usage_limit of ['', null, undefined]) {
    const { body } = await pay.token({ type: 'recurring', usage_limit })
    expect(body.usage_limit).toBeNull()
  }
  for (const type of ['one_time', 'subscription', undefined]) {
    const refused = await pay.token({ type, usage_limit: 'daily' })
    expect(refused).toMatchObject({ status: 400, body: { code: 'USAGE_LIMIT_NOT_APPLICABLE' } })
  }
})

test.each([
  [{}, 'one_time'],
  [{ type: null }, 'one_time'],
  [{ subscription: false }, 'one_time'],
  [{ subscription: true }, 'subscription'],
  [{ subscription: true, type: 'one_time' }, 'subscription'],
  [{ subscription: true, type: null }, 'subscription'],
  [{ subscription: false, type: 'one_time' }, 'one_time'],
  [{ subscription: true, type: 'recurring' }, 'recurring'],
  [{ type: 'subscription' }, 'subscription'],
])(
  'type absent is one_time, or subscription when the flag is true, which wins over one_time: %o',
  async (body, type) => {
    expect((await pay.token(body)).body.type).toBe(type)
  },
)
