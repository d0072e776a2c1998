import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { signIn } from '../../../test/support/console-calls.ts'
import { newUser } from '../../../test/support/console-users.ts'
import { checkouts } from '../../../test/support/pages/checkouts.ts'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// The responses that are compressed, and those that never are: the length would reveal a secret beside a
// text that an attacker chose.
const world = useWorld()
let shop: TestMerchant
let pay: Payments

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  for (let count = 0; count < 4; count += 1) await pay.settled()
})

const all = 'gzip, deflate, br'

async function get(url: string, headers: Record<string, string> = {}) {
  world.clock.advance(2000)
  const given = { 'accept-encoding': all, ...headers }
  const response = await world.app.inject({ method: 'GET', url, headers: given })
  const { 'content-encoding': encoding, vary } = response.headers
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[String(encoding)]
  const bytes = response.rawPayload
  const text = String(unpack ? unpack(bytes) : bytes)
  return { status: response.statusCode, encoding, vary, text, bytes: bytes.length }
}

test.each([
  ['/docs', 'br'],
  ['/docs/search.json', 'br'],
  ['/docs/operations.json', 'br'],
  ['/checkout.js', 'br'],
  ['/console', undefined],
  ['/openapi.json', 'gzip'],
])(
  '%s is sent with the encoding %s, and plain to a client that accepts none',
  async (path, wanted) => {
    const packed = await get(path)
    const plain = await get(path, { 'accept-encoding': 'identity' })
    expect([packed.status, plain.status, plain.encoding]).toEqual([200, 200, undefined])
    expect(packed.text).toBe(plain.text)
    if (!wanted) return
    // In a clone that is not built, a file has no compressed form beside it.
    if (packed.encoding === undefined && path === '/checkout.js') return
    expect(packed.encoding).toBe(wanted)
    expect(packed.vary).toContain('accept-encoding')
    expect(packed.bytes).toBeLessThan(plain.bytes / 2)
    expect((await get(path, { 'accept-encoding': 'gzip;q=1, br;q=0' })).encoding).toBe('gzip')
  },
)

test('styles and scripts of pages are compressed, also those that are joined', async () => {
  const { text } = await get('/docs')
  const [style = ''] = /\/assets\/[^"]+reference\.css/.exec(text) ?? []
  const { encoding, bytes, text: css } = await get(style)
  expect(encoding).toBe('br')
  expect(bytes).toBeLessThan(css.length / 2)
})

test('JSON above 1 kB is compressed for programs, and only there', async () => {
  const auth = { authorization: shop.as_store }
  const history = await get('/transaction_history', auth)
  expect(history).toMatchObject({ status: 200, encoding: 'gzip', vary: 'accept-encoding' })
  expect(JSON.parse(history.text).items).toHaveLength(4)
  expect((await get('/transaction_history?type=refund', auth)).encoding).toBeUndefined()
  expect((await get('/transaction_history?status=nonsense', auth)).encoding).toBeUndefined()
  const browser = await signIn(world, (await newUser(world, shop)).email)
  const headers = { cookie: browser.cookie }
  const shown = await get('/console/api/transaction_history', headers)
  expect([shown.status, shown.encoding]).toEqual([200, undefined])
  expect(shown.text.length).toBeGreaterThan(1024)
})

test('responses that can have a secret or the address of a page are never compressed', async () => {
  const session = await checkouts(world, shop).session({ metadata: { note: 'x'.repeat(2000) } })
  for (const [path, auth] of [
    ['/charges', shop.as_store],
    ['/events', shop.as_store],
    ['/checkout_sessions', shop.as_store],
    [`/stores/${shop.store_id}/checkout_sessions/${session.id}`, shop.as_store],
    ['/app_jwts', shop.as_merchant],
    [`/stores/${shop.store_id}/app_jwts`, shop.as_merchant],
  ] as const) {
    const { status, encoding } = await get(path, { authorization: auth })
    expect([path, status, encoding]).toEqual([path, 200, undefined])
  }
})

test('the page of a session is compressed, as only its customer can request it; that of a link is not', async () => {
  const { url } = await checkouts(world, shop).session()
  const session = await get(new URL(url).pathname)
  expect([session.status, session.encoding]).toEqual([200, 'br'])
  const body = { name: 'Tea', amount: 500, currency: 'JPY' }
  const sold = await world.call('POST', '/payment_links', { auth: shop.as_store, body })
  const link = await get(new URL(sold.body.url).pathname)
  expect([link.status, link.encoding]).toEqual([200, undefined])
})
