import { beforeEach, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'

// Online brands: the call methods that each supports, and the fields that each needs. The tables repeat the
// sentences of the specification and do not read the code.
const world = useWorld()
let pay: Payments

beforeEach(async () => {
  world.clock.advance(60_000)
  pay = payments(world, await world.merchant())
})

const methods = ['http_get', 'http_get_mobile', 'http_post', 'sdk', 'web', 'app']

/** Call methods supported per brand. */
const supported: Record<string, string[]> = {
  alipay_online: ['http_get', 'sdk', 'app'],
  alipay_plus_online: ['http_get', 'http_get_mobile', 'sdk', 'app'],
  pay_pay_online: ['http_post'],
  we_chat_online: ['http_get', 'sdk', 'app', 'web'],
  d_barai_online: ['http_post'],
}
const brands = Object.keys(supported)
const every_pair = brands.flatMap((brand) => methods.map((method) => [brand, method] as const))
const supported_pairs = every_pair.filter(([brand, method]) => supported[brand]?.includes(method))

/** Required by the specification only. */
const required: [brand: string, call_method: string, field: string][] = [
  ['we_chat_online', 'sdk', 'data.user_identifier'],
  ['we_chat_online', 'web', 'data.user_identifier'],
  ['alipay_plus_online', 'http_get_mobile', 'data.os_type'],
  ['alipay_plus_online', 'app', 'data.os_type'],
  ['we_chat_online', 'web', 'ip_address'],
  ['we_chat_online', 'http_get', 'ip_address'],
]

interface Wanted {
  brand: string
  call_method: string
  user_identifier?: string | null
  os_type?: string | null
  ip_address?: string | null
}

const everything = { user_identifier: 'oUpF8uMuAJO', os_type: 'ios', ip_address: '203.0.113.7' }

function create({ ip_address, ...data }: Wanted) {
  const body = { payment_type: 'online', data }
  return pay.post('/tokens', ip_address === undefined ? body : { ...body, ip_address })
}

test('there are thirteen pairs of brand and call method, of thirty', () => {
  expect([every_pair.length, supported_pairs.length]).toEqual([30, 13])
})

test.each(every_pair)('brand %s with call method %s', async (brand, call_method) => {
  const response = await create({ brand, call_method, ...everything })
  if (!supported[brand]?.includes(call_method)) {
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([
      { field: 'data.call_method', reason: 'NOT_ALLOWED_VALUE' },
    ])
    return
  }
  expect(response.status, response.text).toBe(201)
  expect(response.body).toMatchObject({ email: null, ip_address: '203.0.113.7' })
  expect(response.body.data).toEqual({
    brand,
    call_method,
    issuer_token: null,
    issuer_token_payload: null,
    os_type: 'ios',
    user_identifier: 'oUpF8uMuAJO',
    user_identifier_source: 'provided',
  })
})

test.each(supported_pairs)('required fields of %s with %s', async (brand, call_method) => {
  const needed = required
    .filter(([of_brand, of_method]) => of_brand === brand && of_method === call_method)
    .map(([, , field]) => field)
  for (const absent of [undefined, null]) {
    const nothing = { user_identifier: absent, os_type: absent, ip_address: absent } as object
    const response = await create({ brand, call_method, ...nothing })
    const faults = needed.map((field) => ({ field, reason: 'REQUIRED_VALUE' }))
    if (needed.length === 0) expect(response.status, response.text).toBe(201)
    else expect(response).toMatchObject({ status: 400, body: { errors: faults } })
  }
  for (const field of Object.keys(everything)) {
    const response = await create({ brand, call_method, ...everything, [field]: null })
    const name = field === 'ip_address' ? field : `data.${field}`
    const errors = [{ field: name, reason: 'REQUIRED_VALUE' }]
    if (needed.includes(name)) expect(response).toMatchObject({ status: 400, body: { errors } })
    else expect(response.status, response.text).toBe(201)
  }
})

test.each(supported_pairs)(
  '%s with %s in capitals is answered in small letters',
  async (brand, call_method) => {
    const capitals = {
      brand: brand.toUpperCase(),
      call_method: call_method.toUpperCase(),
      os_type: 'ANDROID',
    }
    const { status, body } = await create({ ...everything, ...capitals })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ brand, call_method, os_type: 'android' })
  },
)

const fine = { brand: 'alipay_plus_online', call_method: 'app', os_type: 'ios' }

test.each<[field: string, data: object, reason: string]>([
  ['data.brand', { brand: undefined }, 'REQUIRED_VALUE'],
  ['data.brand', { brand: 'we_chat_mpm' }, 'NOT_ALLOWED_VALUE'],
  ['data.brand', { brand: 'constructor' }, 'NOT_ALLOWED_VALUE'],
  ['data.brand', { brand: '' }, 'INVALID_FORMAT_LENGTH'],
  ['data.call_method', { call_method: undefined }, 'REQUIRED_VALUE'],
  ['data.call_method', { call_method: 'http_put' }, 'NOT_ALLOWED_VALUE'],
  ['data.call_method', { call_method: 7 }, 'INVALID_FORMAT'],
  ['data.os_type', { os_type: 'windows' }, 'NOT_ALLOWED_VALUE'],
  ['data.os_type', { os_type: '' }, 'INVALID_FORMAT_LENGTH'],
  ['data.user_identifier', { user_identifier: '' }, 'INVALID_FORMAT_LENGTH'],
  ['data.user_identifier', { user_identifier: 'x'.repeat(256) }, 'INVALID_FORMAT_LENGTH'],
  ['ip_address', { ip_address: '::1' }, 'INVALID_FORMAT'],
  ['ip_address', { ip_address: '1.2.3' }, 'INVALID_FORMAT'],
  ['ip_address', { ip_address: '256.1.1.1' }, 'INVALID_FORMAT'],
])('a wrong %s %o is named', async (field, data, reason) => {
  const response = await create({ ...fine, ...data })
  expect(response.status).toBe(400)
  expect(response.body.errors).toEqual([{ field, reason }])
})

test('every fault of a request is named in one response', async () => {
  const response = await create({ brand: 'we_chat_online', call_method: 'web', os_type: 'beos' })
  expect(response.body.errors).toEqual([
    { field: 'data.os_type', reason: 'NOT_ALLOWED_VALUE' },
    { field: 'data.user_identifier', reason: 'REQUIRED_VALUE' },
    { field: 'ip_address', reason: 'REQUIRED_VALUE' },
  ])
  const both = await create({ brand: 'visa', call_method: 'fax' })
  expect(both.body.errors).toHaveLength(2)
})
