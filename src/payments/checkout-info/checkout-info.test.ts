import { afterEach, expect, test, vi } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { askGateway } from './ask-gateway.ts'

// Dynamic information of a gateway: the rules of the route over HTTP, and with gateways that return
// invalid responses.
const path = '/checkout_info/gateways/alipay_plus_online'
const question = { amount: 1000, currency: 'JPY', call_method: 'http_get' }
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000, domains: ['shop.example'] })
const pay = payments(world, shop)

afterEach(() => {
  vi.useRealTimers()
})

const ask = (body: object = {}) => pay.post(path, { ...question, ...body })

function expectFault(response: { status: number; body: object }, field: string, reason: string) {
  expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect(response.body).toHaveProperty('errors', [{ field, reason }])
}

test('it returns the gateway, its name and its brands', async () => {
  const { status, body } = await ask()
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['service', 'service_name', 'brands'])
  expect(body).toMatchObject({ service: 'alipay_plus_online', service_name: 'Alipay+' })
  expect(body.brands.length).toBeGreaterThan(1)
  for (const brand of body.brands) {
    expect(brand).toEqual({
      brand: expect.stringMatching(/^[a-z_]+$/),
      service_brand_name: expect.any(String),
      brand_display_name: expect.any(String),
      extras: expect.objectContaining({ logos: expect.any(Array) }),
    })
  }
})

test('the offered methods depend on the currency', async () => {
  const brandsIn = async (currency: string) =>
    (await ask({ currency })).body.brands.map(({ brand }: { brand: string }) => brand)
  expect(await brandsIn('KRW')).toEqual(['kakaopay'])
  expect(await brandsIn('krw')).toEqual(['kakaopay'])
  expect(await brandsIn('AED')).toEqual([])
})

/** Whether the call method is one of the gateway, and whether it needs an os_type. */
const methods: [call_method: string, supported: boolean, needs_os: boolean][] = [
  ['http_get', true, false],
  ['http_get_mobile', true, true],
  ['sdk', true, false],
  ['app', true, true],
  ['http_post', false, false],
  ['web', false, false],
  ['constructor', false, false],
  ['', false, false],
]

test.each(methods)(
  'call_method %j is supported: %s, needs os_type: %s',
  async (call_method, supported, needs_os) => {
    for (const os_type of ['android', 'ios', 'IOS']) {
      const response = await ask({ call_method, os_type })
      if (supported) expect(response.status, response.text).toBe(200)
      else expectFault(response, 'call_method', 'NOT_ALLOWED_VALUE')
    }
    if (!supported) return
    for (const os_type of [undefined, null]) {
      const response = await ask({ call_method, os_type })
      if (needs_os) expectFault(response, 'os_type', 'REQUIRED_VALUE')
      else expect(response.status).toBe(200)
    }
    expect((await ask({ call_method: call_method.toUpperCase(), os_type: 'ios' })).status).toBe(200)
  },
)

test.each<[field: string, body: object, reason: string]>([
  ['amount', { amount: undefined }, 'REQUIRED_VALUE'],
  ['amount', { amount: 0 }, 'NUMBER_MIN'],
  ['amount', { amount: 0.5 }, 'INVALID_FORMAT'],
  ['amount', { amount: '1000' }, 'INVALID_FORMAT'],
  ['amount', { amount: 1e12 }, 'NUMBER_MAX'],
  ['currency', { currency: undefined }, 'REQUIRED_VALUE'],
  ['currency', { currency: 'YEN' }, 'INVALID_FORMAT_CURRENCY'],
  ['call_method', { call_method: undefined }, 'REQUIRED_VALUE'],
  ['call_method', { call_method: 'x'.repeat(33) }, 'INVALID_FORMAT_LENGTH'],
  ['call_method', { call_method: 7 }, 'INVALID_FORMAT'],
  ['os_type', { os_type: 'windows' }, 'NOT_ALLOWED_VALUE'],
  ['os_type', { os_type: 'toString' }, 'NOT_ALLOWED_VALUE'],
  ['os_type', { os_type: 7 }, 'INVALID_FORMAT'],
])('a wrong %s %o is named', async (field, body, reason) => {
  expectFault(await ask(body), field, reason)
})

test('only alipay_plus_online is supported as gateway', async () => {
  for (const gateway of ['alipay_online', 'we_chat_online', '__proto__', 'x', '%2e%2e']) {
    const response = await pay.post(`/checkout_info/gateways/${gateway}`, question)
    expect(response, gateway).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  }
  const in_capitals = '/checkout_info/gateways/ALIPAY_PLUS_ONLINE'
  expect((await pay.post(in_capitals, question)).status).toBe(200)
})

test('a JWT without secret is enough, from anywhere; a token of the merchant is not', async () => {
  const askAs = async (auth: string | null, headers = {}) => {
    const { status, body } = await world.call('POST', path, { auth, headers, body: question })
    return status === 200 ? 200 : body.code
  }
  expect(await askAs(`Bearer ${shop.jwt}`)).toBe(200)
  expect(await askAs(`Bearer ${shop.jwt}`, { origin: 'https://shop.example' })).toBe(200)
  expect(await askAs(shop.as_store)).toBe(200)
  expect(await askAs(shop.as_merchant)).toBe('INVALID_PERMISSIONS')
  expect(await askAs(null)).toBe('AUTH_HEADER_MISSING')
})

/** Asks a gateway that is implemented by the function. */
function asked(checkoutInfo: () => Promise<unknown>) {
  const service = { ...world.service, providers: { ...world.service.providers, checkoutInfo } }
  return askGateway(service, 'alipay_plus_online', { ...question, os_type: null, logos_url: '' })
}

const brandsOf = async (response: unknown) => (await asked(async () => response)).brands
const good = {
  brand: 'gcash',
  service_brand_name: 'GCASH',
  brand_display_name: 'GCash',
  extras: { promotion_names: ['New Year'] },
}

/** An object nested this many times. */
function nested(levels: number): Record<string, unknown> {
  let inner: Record<string, unknown> = {}
  for (let level = 1; level < levels; level += 1) inner = { inner }
  return inner
}

function circular(): Record<string, unknown> {
  const self: Record<string, unknown> = { name: 'round' }
  self.self = self
  self.list = [self]
  return self
}

test('the gateway names itself as it likes, and says more: neither is passed on', async () => {
  const brands = [{ ...good, secret: 'x', __v: 1 }]
  const response = { service: 'evil', service_name: '<b>', debug: 'x', brands }
  expect(await asked(async () => response)).toEqual({
    service: 'alipay_plus_online',
    service_name: 'Alipay+',
    brands: [good],
  })
})

test.each<[what: string, response: unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a list', [good]],
  ['no brands', {}],
  ['brands of null', { brands: null }],
  ['brands that are a text', { brands: 'gcash' }],
  ['brands that are an object', { brands: { 0: good, length: 1 } }],
  ['a deep answer', nested(100_000)],
  ['a circular answer', circular()],
])('a gateway that answers %s offers no brands', async (_, response) => {
  expect(await brandsOf(response)).toEqual([])
})

test.each<[what: string, brand: unknown]>([
  ['null', null],
  ['a text', 'gcash'],
  ['a list', ['gcash']],
  ['without a brand', { ...good, brand: undefined }],
  ['with a number for a brand', { ...good, brand: 7 }],
  ['with null for a name', { ...good, service_brand_name: null }],
  ['with an object for a name', { ...good, brand_display_name: { en: 'GCash' } }],
  ['with a key of 65 characters', { ...good, brand: 'x'.repeat(65) }],
  ['with a key at the gateway of 65 characters', { ...good, service_brand_name: 'x'.repeat(65) }],
  ['with a name of 129 characters', { ...good, brand_display_name: 'x'.repeat(129) }],
  ['with a name of 10 MB', { ...good, brand_display_name: 'x'.repeat(10_000_000) }],
  ['that is deep', nested(100_000)],
  ['that is circular', circular()],
])('a brand %s is left out, the others stay', async (_, brand) => {
  expect(await brandsOf({ brands: [brand, good, brand] })).toEqual([good])
})

test.each<[what: string, extras: unknown]>([
  ['absent', undefined],
  ['null', null],
  ['a text', '<img src=x onerror=alert(1)>'],
  ['a list', [{ name: 'logo' }]],
  ['100,000 levels deep', nested(100_000)],
  [
    'a list of lists, 100,000 levels deep',
    { list: Array.from({ length: 100_000 }).reduce((inner) => [inner], []) },
  ],
  ['one level too deep', nested(7)],
  ['circular', circular()],
  ['one byte too large', { text: 'x'.repeat(16_384 - 10) }],
  ['too large in bytes, not in characters', { text: '店'.repeat(6000) }],
  ['10 MB', { text: 'x'.repeat(10_000_000) }],
  ['a million members', { list: Array.from({ length: 1_000_000 }, () => ({})) }],
  ['no JSON', { amount: 1n }],
])('extras that are %s are emptied, the brand stays', async (_, extras) => {
  expect(await brandsOf({ brands: [{ ...good, extras }] })).toEqual([{ ...good, extras: {} }])
})

test.each<[what: string, extras: object]>([
  ['empty', {}],
  ['as deep as allowed', nested(6)],
  ['as large as allowed', { text: 'x'.repeat(16_384 - 11) }],
  ['HTML in a text: it is data, never shown on a page', { name: '<script>alert(1)</script>' }],
  ['logos', { logos: [{ name: 'a', url: 'https://x', pattern: 'p', width: 1, height: 2 }] }],
])('extras that are %s are passed on', async (_, extras) => {
  const [brand] = await brandsOf({ brands: [{ ...good, extras }] })
  expect(brand?.extras).toEqual(extras)
})

test('names of prototypes are data and change nothing', async () => {
  const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
  const brands = [{ ...good, extras: JSON.parse(text) }, JSON.parse(`{"__proto__":${text}}`)]
  expect(await brandsOf({ brands })).toHaveLength(1)
  expect({}).not.toHaveProperty('polluted')
})

test('of ten thousand brands the first hundred are passed on', async () => {
  const brands = Array.from({ length: 10_000 }, (_, index) => ({ ...good, brand: `b${index}` }))
  const passed = await brandsOf({ brands })
  expect(passed).toHaveLength(100)
  expect(passed.at(-1)?.brand).toBe('b99')
})

const unavailable = { code: 'SERVICE_UNAVAILABLE', retry_after_s: 5 }

test.each<[what: string, checkoutInfo: () => Promise<unknown>]>([
  ['rejects', () => Promise.reject(new Error('connection reset'))],
  ['rejects with nothing', () => Promise.reject(undefined)],
  ['rejects with something circular', () => Promise.reject(circular())],
  [
    'throws',
    () => {
      throw new Error('no route')
    },
  ],
])('a gateway that %s is unavailable, and the log says so', async (_, checkoutInfo) => {
  const lines = world.log.length
  await expect(asked(checkoutInfo)).rejects.toMatchObject(unavailable)
  const noted = world.log.slice(lines).filter((line) => line.includes('a gateway did not answer'))
  expect(noted).toHaveLength(1)
})

test('a gateway that never responds is given five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let ended: unknown = null
  const asking = asked(() => new Promise(() => {})).catch((error) => {
    ended = error
  })
  await vi.advanceTimersByTimeAsync(4999)
  expect(ended).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  await asking
  expect(ended).toMatchObject(unavailable)
})

test('later responses of a gateway are ignored, and no timer is left over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let reject = (_: Error) => {}
  const late = new Promise((_, refuse) => {
    reject = refuse
  })
  const asking = expect(asked(() => late)).rejects.toMatchObject(unavailable)
  await vi.advanceTimersByTimeAsync(5000)
  await asking
  reject(new Error('too late'))
  expect(await brandsOf({ brands: [good] })).toEqual([good])
  expect(vi.getTimerCount()).toBe(0)
})
