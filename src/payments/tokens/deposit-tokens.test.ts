import { beforeEach, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'

// Tokens for payments at a till (konbini) and by bank transfer: the tables of the specification.
const world = useWorld()
let pay: Payments

beforeEach(async () => {
  world.clock.advance(60_000)
  pay = payments(world, await world.merchant())
})

const create = (payment_type: string, data: object) =>
  pay.post('/tokens', { payment_type, email: 'customer@example.com', data })

type Fault = [field: string, reason: string]

function expectFaults(response: { status: number; body: object }, ...faults: Fault[]) {
  expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  const errors = faults.map(([field, reason]) => ({ field: `data.${field}`, reason }))
  expect(response.body).toHaveProperty('errors', errors)
}

const phone_number = { country_code: '81', local_number: '09012345678' }
const slip = { customer_name: 'Taro Yamada', phone_number, convenience_store: 'lawson' }
const konbini = (data: object) => create('konbini', { ...slip, ...data })
const transfer = (data: object) => create('bank_transfer', { brand: 'aozora_bank', ...data })

/** Whether the chain can end a payment at a time of day. */
const chains: [name: string, to_the_minute: boolean][] = [
  ['seven_eleven', false],
  ['family_mart', true],
  ['lawson', true],
  ['mini_stop', true],
  ['seico_mart', false],
  ['pay_easy', false],
  ['circle_k', false],
  ['sunkus', false],
  ['daily_yamazaki', true],
  ['yamazaki_daily_store', true],
]

test.each(chains)(
  'konbini: %s takes a period; a time of day: %s',
  async (convenience_store, to_the_minute) => {
    const period = { convenience_store, expiration_period: 'P7D' }
    const created = await konbini(period)
    expect(created.status, created.text).toBe(201)
    expect(created.body.data).toEqual({
      customer_name: 'Taro Yamada',
      convenience_store,
      expiration_period: 'PT168H',
      expiration_time_shift: null,
      phone_number: { country_code: 81, local_number: '09012345678' },
    })
    const expiration_time_shift = '23:59:59+09:00'
    const shifted = await konbini({ ...period, expiration_time_shift })
    if (!to_the_minute) {
      return expectFaults(shifted, ['expiration_time_shift', 'FORBIDDEN_PARAMETER'])
    }
    expect(shifted.status).toBe(201)
    expect(shifted.body.data).toMatchObject({ expiration_period: 'PT168H', expiration_time_shift })
  },
)

test.each<[field: string, data: object, reason: string]>([
  ['convenience_store', { convenience_store: 'poplar' }, 'NOT_ALLOWED_VALUE'],
  ['convenience_store', { convenience_store: 'hasOwnProperty' }, 'NOT_ALLOWED_VALUE'],
  ['convenience_store', { convenience_store: undefined }, 'REQUIRED_VALUE'],
  ['customer_name', { customer_name: undefined }, 'REQUIRED_VALUE'],
  ['customer_name', { customer_name: '' }, 'INVALID_FORMAT_LENGTH'],
  ['customer_name', { customer_name: 'Taro\u001f' }, 'INVALID_FORMAT'],
  ['phone_number', { phone_number: undefined }, 'REQUIRED_VALUE'],
  ['phone_number', { phone_number: null }, 'REQUIRED_VALUE'],
  ['phone_number.country_code', { phone_number: { local_number: '1' } }, 'REQUIRED_VALUE'],
  ['phone_number.local_number', { phone_number: { country_code: '81' } }, 'REQUIRED_VALUE'],
])('konbini: a wrong %s %o is named', async (field, data, reason) => {
  expectFaults(await konbini(data), [field, reason])
})

test.each([
  ['81', '09012345678', '09012345678'],
  ['+81', '090-1234-5678', '09012345678'],
  [81, '9012345678', '9012345678'],
  ['81', '03-1234-5678', '0312345678'],
  [81, 312345678, '312345678'],
  ['81', '05012345678', '05012345678'],
])('konbini: the Japanese number %s %s is taken', async (country_code, local_number, digits) => {
  const { status, body } = await konbini({ phone_number: { country_code, local_number } })
  expect(status).toBe(201)
  expect(body.data.phone_number).toEqual({ country_code: 81, local_number: digits })
})

test.each([
  ['1', '2125550123', 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'],
  // Their digits would be a Japanese number.
  [1, 9012345678, 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'],
  ['1', '090-1234-5678', 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'],
  ['82', '1012345678', 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'],
  ['86', '13800138000', 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'],
  ['81', '0901234567', 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'],
  ['81', '090123456789', 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'],
  ['81', '110', 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'],
  ['81', '090-CALL-ME', 'INVALID_PHONE_NUMBER'],
  ['81', '٠٩٠١٢٣٤٥٦٧٨', 'INVALID_PHONE_NUMBER'],
  ['81', '', 'INVALID_PHONE_NUMBER'],
  ['999', '09012345678', 'INVALID_PHONE_NUMBER'],
  ['0081', '09012345678', 'INVALID_PHONE_NUMBER'],
])('konbini: the number %s %s is refused', async (country_code, local_number, reason) => {
  const response = await konbini({ phone_number: { country_code, local_number } })
  expectFaults(response, ['phone_number', reason])
})

test.each([
  ['PT30M', 'PT30M'],
  ['PT1800S', 'PT30M'],
  ['PT30M0.5S', 'PT30M0.5S'],
  ['PT1H', 'PT1H'],
  ['PT36H', 'PT36H'],
  ['P1D', 'PT24H'],
  ['P7D', 'PT168H'],
  ['P1W', 'PT168H'],
  ['P1DT2H3M4S', 'PT26H3M4S'],
  ['P29DT23H59M59.999S', 'PT719H59M59.999S'],
  ['P1M', 'PT720H'],
  ['P30D', 'PT720H'],
])('konbini: expiration_period %s is answered as %s', async (expiration_period, answered) => {
  const { status, body } = await konbini({ expiration_period })
  expect(status).toBe(201)
  expect(body.data.expiration_period).toBe(answered)
})

test.each([
  ['PT29M59.999S', 'INVALID_TIME_PERIOD'],
  ['PT29M', 'INVALID_TIME_PERIOD'],
  ['PT0S', 'INVALID_TIME_PERIOD'],
  ['P30DT0.001S', 'INVALID_TIME_PERIOD'],
  ['P31D', 'INVALID_TIME_PERIOD'],
  ['P1Y', 'INVALID_TIME_PERIOD'],
  ['P9999999999999999Y', 'INVALID_TIME_PERIOD'],
  ['P', 'INVALID_DURATION'],
  ['PT', 'INVALID_DURATION'],
  ['7D', 'INVALID_DURATION'],
  ['p7d', 'INVALID_DURATION'],
  ['-P7D', 'INVALID_DURATION'],
  ['P1.5D', 'INVALID_DURATION'],
  ['', 'INVALID_DURATION'],
  [' P7D', 'INVALID_DURATION'],
])('konbini: expiration_period %s is refused', async (expiration_period, reason) => {
  expectFaults(await konbini({ expiration_period }), ['expiration_period', reason])
  const shifted = { expiration_period, expiration_time_shift: '12:00+09:00' }
  expectFaults(await konbini(shifted), ['expiration_period', reason])
})

test('konbini: expiration_time_shift requires an expiration_period of at least 1 day', async () => {
  const expiration_time_shift = '12:00:00+09:00'
  for (const [expiration_period, reason] of [
    [undefined, 'REQUIRED_VALUE'],
    [null, 'REQUIRED_VALUE'],
    ['PT30M', 'INVALID_TIME_PERIOD'],
    ['PT23H59M59.999S', 'INVALID_TIME_PERIOD'],
  ] as const) {
    const response = await konbini({ expiration_period, expiration_time_shift })
    expectFaults(response, ['expiration_period', reason])
  }
  for (const expiration_period of ['P1D', 'PT24H', 'PT86400S', 'P30D']) {
    expect((await konbini({ expiration_period, expiration_time_shift })).status).toBe(201)
  }
})

const times = [
  ['23:59:59+09:00', true],
  ['00:00Z', true],
  ['12:30+09', true],
  ['12:30:15.250-03:30', true],
  ['12:30+0900', true],
  ['23:59:59', false],
  ['24:00+09:00', false],
  ['12:60Z', false],
  ['12:30+19:00', false],
  ['1:30Z', false],
  ['noon', false],
  ['', false],
  ['2026-01-15T12:30:00Z', false],
] as const

test.each(times)(
  'expiration_time_shift is a time with a zone: %s, %s',
  async (expiration_time_shift, taken) => {
    for (const make of [konbini, transfer]) {
      const response = await make({ expiration_period: 'P2D', expiration_time_shift })
      if (!taken) expectFaults(response, ['expiration_time_shift', 'INVALID_FORMAT'])
      else expect(response.body.data.expiration_time_shift).toBe(expiration_time_shift)
    }
  },
)

test('konbini: every fault is named in one response', async () => {
  const wrong = {
    convenience_store: 'seven_eleven',
    phone_number: { country_code: '1', local_number: '2125550123' },
    expiration_period: 'P31D',
    expiration_time_shift: '12:00Z',
  }
  expectFaults(
    await konbini(wrong),
    ['phone_number', 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED'],
    ['expiration_period', 'INVALID_TIME_PERIOD'],
    ['expiration_time_shift', 'FORBIDDEN_PARAMETER'],
  )
})

test.each([
  ['aozora_bank', 'aozora_bank'],
  ['AOZORA_BANK', 'aozora_bank'],
  ['bank_test_brand', 'bank_test_brand'],
])('bank_transfer takes the brand %s', async (brand, answered) => {
  const { status, body } = await transfer({ brand })
  expect(status).toBe(201)
  expect(body.data.brand).toBe(answered)
})

test.each([
  ['mizuho', 'NOT_ALLOWED_VALUE'],
  ['valueOf', 'NOT_ALLOWED_VALUE'],
  [undefined, 'REQUIRED_VALUE'],
  ['', 'INVALID_FORMAT_LENGTH'],
  [310, 'INVALID_FORMAT'],
])('bank_transfer refuses the brand %s', async (brand, reason) => {
  expectFaults(await transfer({ brand }), ['brand', reason])
})

test('bank_transfer: match_amount is one of four, or left to the store', async () => {
  for (const match_amount of ['disabled', 'exact', 'minimum', 'maximum', null]) {
    const { status, body } = await transfer({ match_amount })
    expect([status, body.data.match_amount]).toEqual([201, match_amount])
  }
  for (const match_amount of ['EXACT', 'about', '']) {
    expectFaults(await transfer({ match_amount }), ['match_amount', 'NOT_ALLOWED_VALUE'])
  }
})

test('bank_transfer: a period is answered in hours, and kept within bounds', async () => {
  for (const [expiration_period, answered] of [
    ['PT30M', 'PT30M'],
    ['P3D', 'PT72H'],
    ['P60D', 'PT1440H'],
    ['P1Y', 'PT8760H'],
  ]) {
    const { body } = await transfer({ expiration_period })
    expect(body.data).toMatchObject({ expiration_period: answered, expiration_time_shift: null })
  }
  for (const expiration_period of ['PT29M59.999S', 'PT0S', 'P1YT0.001S']) {
    const response = await transfer({ expiration_period })
    expectFaults(response, ['expiration_period', 'INVALID_TIME_PERIOD'])
  }
  const response = await transfer({ expiration_period: 'tomorrow' })
  expectFaults(response, ['expiration_period', 'INVALID_DURATION'])
})

test('bank_transfer: expiration_time_shift is valid only if expiration_period is set', async () => {
  const expiration_time_shift = '18:00:00+09:00'
  for (const expiration_period of [undefined, null]) {
    const response = await transfer({ expiration_period, expiration_time_shift })
    expectFaults(response, ['expiration_period', 'REQUIRED_VALUE'])
  }
  for (const [expiration_period, answered] of [
    ['PT1H', 'PT1H'],
    ['P2D', 'PT48H'],
  ]) {
    const { status, body } = await transfer({ expiration_period, expiration_time_shift })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ expiration_period: answered, expiration_time_shift })
  }
})
