import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'

// The deadline of a payment at a till or by bank transfer. It is the morning of 15 January 2026
// in Tokyo, 00:01 UTC and a little later; the tests before the last one never move past noon.
const minute = 60_000
const day = 86_400_000
const world = useWorld()
const shop = useMerchant(world, { passed_ms: minute })
const pay = payments(world, shop)

const slip = {
  customer_name: 'Taro Yamada',
  phone_number: { country_code: '81', local_number: '09012345678' },
  convenience_store: 'lawson',
}
type Method = 'konbini' | 'bank_transfer'
const dataOf = { konbini: slip, bank_transfer: { brand: 'aozora_bank' } }

const expiryOf = async (id: string): Promise<string> =>
  (await pay.get(`${pay.chargePath(id)}/expiry/latest`)).body.expiration_date
const expiry = async (method: Method, data: object = {}, body: object = {}) =>
  expiryOf(await pay.waiting(method, { ...dataOf[method], ...data }, body))

/** How long after its creation a charge ends. */
async function lifeOf(method: Method, data: object = {}): Promise<number> {
  const id = await pay.waiting(method, { ...dataOf[method], ...data })
  const { created_on } = (await pay.get(pay.chargePath(id))).body
  return Date.parse(await expiryOf(id)) - created_on
}

async function configure(configuration: object, path = `/stores/${shop.store_id}`) {
  const set = await world.call('PATCH', path, { auth: shop.as_merchant, body: { configuration } })
  expect(set.status, set.text).toBe(200)
}

test('without any setting konbini ends after 30 days, a bank transfer after 7', async () => {
  expect(await lifeOf('konbini')).toBe(30 * day)
  expect(await lifeOf('bank_transfer')).toBe(7 * day)
})

test.each<[method: Method, expiration_period: string, life_ms: number]>([
  ['konbini', 'PT30M', 30 * minute],
  ['konbini', 'P7D', 7 * day],
  ['konbini', 'P30D', 30 * day],
  ['bank_transfer', 'PT30M', 30 * minute],
  ['bank_transfer', 'P3DT12H', 3.5 * day],
  ['bank_transfer', 'P60D', 60 * day],
])('%s with expiration_period %s ends after %i ms', async (method, expiration_period, life_ms) => {
  expect(await lifeOf(method, { expiration_period })).toBe(life_ms)
})

test.each([
  ['seven_eleven', '2026-01-20T14:59:59.999Z'],
  ['family_mart', '2026-01-20T01:30:15.250Z'],
  ['lawson', '2026-01-20T01:30:15.250Z'],
  ['mini_stop', '2026-01-20T01:30:15.250Z'],
  ['seico_mart', '2026-01-20T14:59:59.999Z'],
  ['pay_easy', '2026-01-20T14:59:59.999Z'],
  ['circle_k', '2026-01-20T14:59:59.999Z'],
  ['sunkus', '2026-01-20T14:59:59.999Z'],
  ['daily_yamazaki', '2026-01-20T01:30:15.250Z'],
  ['yamazaki_daily_store', '2026-01-20T01:30:15.250Z'],
])('capture_at is the exact expiry, or its day in Tokyo at %s', async (convenience_store, ends) => {
  const capture_at = '2026-01-20T10:30:15.250+09:00'
  const id = await pay.waiting('konbini', { ...slip, convenience_store }, { capture_at })
  expect(await expiryOf(id)).toBe(ends)
  const { body } = await pay.get(pay.chargePath(id))
  expect(body.capture_at).toBe('2026-01-20T01:30:15.250Z')
})

test.each([
  ['2026-01-20T14:59:59.999Z', '2026-01-20T14:59:59.999Z'],
  ['2026-01-20T15:00:00Z', '2026-01-21T14:59:59.999Z'],
  ['2026-01-20T20:00:00-08:00', '2026-01-21T14:59:59.999Z'],
  ['2026-01-20T23:59:59+09:00', '2026-01-20T14:59:59.999Z'],
  ['2026-01-21T00:00:00+09:00', '2026-01-21T14:59:59.999Z'],
  ['2026-01-20', '2026-01-20T14:59:59.999Z'],
])('the day of %s in Tokyo ends at %s', async (capture_at, ends) => {
  expect(await expiry('konbini', { convenience_store: 'seven_eleven' }, { capture_at })).toBe(ends)
})

test('capture_at of a bank transfer is its exact expiry, and wins over the period', async () => {
  const capture_at = '2026-02-01T12:34:56.789Z'
  expect(await expiry('bank_transfer', {}, { capture_at })).toBe(capture_at)
  const period = { expiration_period: 'P2D', expiration_time_shift: '23:59:59+09:00' }
  for (const method of ['konbini', 'bank_transfer'] as const) {
    expect(await expiry(method, period, { capture_at })).toBe(capture_at)
  }
})

test.each<[method: Method, ahead_ms: number, taken: boolean]>([
  ['konbini', 30 * minute - 1, false],
  ['konbini', 30 * minute, true],
  ['konbini', 30 * day, true],
  ['konbini', 30 * day + 1, false],
  ['konbini', -minute, false],
  ['konbini', 0, false],
  ['bank_transfer', 30 * minute - 1, false],
  ['bank_transfer', 30 * minute, true],
  ['bank_transfer', 60 * day, true],
  ['bank_transfer', -day, false],
])('%s: capture_at %i ms ahead, taken: %s', async (payment_type, ahead_ms, taken) => {
  const email = 'customer@example.com'
  const token = await pay.post('/tokens', { payment_type, email, data: dataOf[payment_type] })
  // A call takes a second here.
  const capture_at = new Date(world.clock.now() + 1000 + ahead_ms).toISOString()
  const money = { amount: 1000, currency: 'JPY' }
  const asked = { transaction_token_id: token.body.id, ...money, capture_at }
  const response = await pay.post('/charges', asked)
  if (taken) return expect(response).toMatchObject({ status: 201, body: { capture_at } })
  const errors = [{ field: 'capture_at', reason: 'EXPIRATION_DATE_OUT_OF_BOUNDS' }]
  expect(response).toMatchObject({ status: 400, body: { errors } })
})

test.each([
  ['online', { brand: 'pay_pay_online', call_method: 'http_post' }],
  ['qr_merchant', { brand: 'we_chat_mpm' }],
  ['qr_scan', { scanned_qr: '90008181123' }],
  ['paidy', { paidy_token: 'tok_1' }],
])('capture_at means nothing for %s and is refused', async (payment_type, data) => {
  const body = { payment_type, email: 'customer@example.com', data }
  const { id } = (await pay.post('/tokens', body)).body
  const capture_at = '2026-01-16T12:00:00Z'
  const asked = { transaction_token_id: id, amount: 1000, currency: 'JPY', capture_at }
  const errors = [{ field: 'capture_at', reason: 'FORBIDDEN_PARAMETER' }]
  expect(await pay.post('/charges', asked)).toMatchObject({ status: 400, body: { errors } })
})

/** The period is applied, then the time of day on that day in the zone of the shift, which is shown. */
const shifts: [method: Method, period: string, shift: string, ends: string][] = [
  ['konbini', 'P1D', '23:59:59+09:00', '2026-01-16T23:59:59.000+09:00'],
  ['konbini', 'P2D', '23:59:59+09:00', '2026-01-17T23:59:59.000+09:00'],
  ['konbini', 'P2D', '06:00+09:00', '2026-01-17T06:00:00.000+09:00'],
  ['konbini', 'P2D', '06:00:00.500Z', '2026-01-17T06:00:00.500Z'],
  ['konbini', 'P2D', '06:00-05:00', '2026-01-16T06:00:00.000-05:00'],
  ['konbini', 'P30D', '23:59:59+09:00', '2026-02-14T23:59:59.000+09:00'],
  ['bank_transfer', 'P2D', '18:00+09:00', '2026-01-17T18:00:00.000+09:00'],
  ['bank_transfer', 'P2D', '18:00+05:30', '2026-01-17T18:00:00.000+05:30'],
  ['bank_transfer', 'P2D', '18:00-08:00', '2026-01-16T18:00:00.000-08:00'],
  ['bank_transfer', 'P3DT10H', '00:00+09:00', '2026-01-18T00:00:00.000+09:00'],
  ['bank_transfer', 'PT30M', '23:00+09:00', '2026-01-15T23:00:00.000+09:00'],
  // It would be over before it began, so it waits for the next day.
  ['bank_transfer', 'PT1H', '00:00+09:00', '2026-01-16T00:00:00.000+09:00'],
]

test.each(shifts)(
  '%s: period %s and shift %s end at %s',
  async (method, expiration_period, expiration_time_shift, ends) => {
    expect(await expiry(method, { expiration_period, expiration_time_shift })).toBe(ends)
  },
)

const groups = { konbini: 'convenience', bank_transfer: 'bank_transfer' }
const methods: Method[] = ['konbini', 'bank_transfer']

test.each(methods)(
  '%s: the configuration of the store decides what the token does not',
  async (method) => {
    const group = `${groups[method]}_configuration`
    await configure({ [group]: { expiration: 'P3D' } })
    expect(await lifeOf(method)).toBe(3 * day)
    expect(await lifeOf(method, { expiration_period: 'P1D' })).toBe(day)
    const value = '18:00:00+09:00'
    await configure({ [group]: { expiration_time_shift: { enabled: false, value } } })
    expect(await lifeOf(method)).toBe(3 * day)
    await configure({ [group]: { expiration_time_shift: { enabled: true } } })
    expect(await expiry(method)).toBe('2026-01-18T18:00:00.000+09:00')
    expect(await lifeOf(method, { expiration_period: 'P1D' })).toBe(day)
    const own = { expiration_period: 'P1D', expiration_time_shift: '12:00+09:00' }
    expect(await expiry(method, own)).toBe('2026-01-16T12:00:00.000+09:00')
  },
)

test.each(methods)('%s: a store without a setting has that of its merchant', async (method) => {
  const group = `${groups[method]}_configuration`
  await configure({ [group]: { expiration: 'P5D' } }, '/me')
  expect(await lifeOf(method)).toBe(5 * day)
  await configure({ [group]: { expiration: 'P2D' } })
  expect(await lifeOf(method)).toBe(2 * day)
  await configure({ [group]: { expiration: null } })
  expect(await lifeOf(method)).toBe(5 * day)
})

test('a time of day in the configuration is not for the tills that know only the day', async () => {
  const expiration_time_shift = { enabled: true, value: '18:00+09:00' }
  await configure({ convenience_configuration: { expiration: 'P3D', expiration_time_shift } })
  for (const convenience_store of [
    'seven_eleven',
    'seico_mart',
    'pay_easy',
    'circle_k',
    'sunkus',
  ]) {
    expect(await lifeOf('konbini', { convenience_store })).toBe(3 * day)
  }
})

test('an expiry that another shift decided is shown in UTC', async () => {
  const shift = (value: string) => ({ expiration_time_shift: { enabled: true, value } })
  const period = { expiration: 'P3D', ...shift('18:00+09:00') }
  await configure({ bank_transfer_configuration: period, convenience_configuration: period })
  const id = await pay.waiting('bank_transfer', dataOf.bank_transfer)
  // A konbini token keeps the shift that the store had.
  const stored = await pay.waiting('konbini', slip)
  expect(await expiryOf(id)).toBe('2026-01-18T18:00:00.000+09:00')
  const change = (value: string) =>
    configure({
      bank_transfer_configuration: shift(value),
      convenience_configuration: shift(value),
    })
  await change('19:00+10:00')
  expect(await expiryOf(id)).toBe('2026-01-18T19:00:00.000+10:00')
  await change('20:00+09:00')
  expect(await expiryOf(id)).toBe('2026-01-18T09:00:00.000Z')
  expect(await expiryOf(stored)).toBe('2026-01-18T18:00:00.000+09:00')
})

test('the expiry of a charge is fixed when it is made: later settings do not move it', async () => {
  const id = await pay.waiting('bank_transfer', dataOf.bank_transfer)
  const before = await expiryOf(id)
  await configure({ bank_transfer_configuration: { expiration: 'P1D' } })
  await pay.patch(pay.chargePath(id), { metadata: { a: 1 } })
  await pay.work()
  expect(await expiryOf(id)).toBe(before)
})

test('a till that knows only the day takes the money until the day is over in Tokyo', async () => {
  const capture_at = '2026-01-20T10:00:00+09:00'
  const data = { ...slip, convenience_store: 'seven_eleven' }
  const [paid, left] = [
    await pay.waiting('konbini', data, { capture_at }),
    await pay.waiting('konbini', data, { capture_at }),
  ]
  const status = async (id: string) => {
    const { body } = await world.call('GET', pay.chargePath(id), { auth: shop.as_store })
    return body.status === 'failed' ? body.error.code : body.status
  }
  world.clock.advance(Date.parse('2026-01-20T14:59:58Z') - world.clock.now())
  await pay.work()
  await pay.post(`/test/charges/${paid}/complete`, { outcome: 'successful' })
  await pay.work()
  expect([await status(paid), await status(left)]).toEqual(['successful', 'awaiting'])
  world.clock.advance(998)
  await pay.work()
  expect(await status(left)).toBe('awaiting')
  world.clock.advance(1)
  await pay.work()
  expect(await status(left)).toBe(327)
})
