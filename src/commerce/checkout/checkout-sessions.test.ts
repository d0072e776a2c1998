import { beforeEach, expect, test } from 'vitest'
import { type Checkouts, checkouts } from '../../../test/support/pages/checkouts.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { hour_ms, minute_ms } from '../../core/time/clock.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: minute_ms })
let buy: Checkouts

beforeEach(async () => {
  buy = checkouts(world, shop)
})

const money = { amount: 1000, currency: 'JPY' }
const refused = async (body: object) => {
  const { status, body: response } = await buy.post('/checkout_sessions', { ...money, ...body })
  return [
    status,
    response.code,
    ...(response.errors ?? []).map(({ field }: { field: string }) => field),
  ]
}

test('a session shows what was asked for, what can be paid with, and the address of its page', async () => {
  const asked = {
    currency: 'jpy',
    line_items: [
      { name: 'Tea', quantity: 2, amount: 300, image_url: 'https://shop.example/tea.png' },
      { name: 'Cup', quantity: 1, amount: 400 },
    ],
    customer: { email: 'taro@example.com', phone: { country_code: '81', local_number: '0901234' } },
    success_url: 'https://shop.example/done?id={CHECKOUT_SESSION_ID}',
    locale: 'ja',
    metadata: { order: 7 },
  }
  const created = await buy.session(asked)
  expect(created).toMatchObject({
    status: 'open',
    currency: 'JPY',
    mode: 'test',
    token_type: 'one_time',
    capture: true,
    attempts: 0,
    charge_id: null,
    success_url: asked.success_url,
    metadata: { order: 7 },
  })
  expect(created.payment_types).toEqual(expect.arrayContaining(['card', 'konbini', 'online']))
  expect(created.line_items[1]).toMatchObject({ name: 'Cup', description: null, image_url: null })
  expect(Date.parse(created.expires_on) - Date.parse(created.created_on)).toBe(24 * hour_ms)
  expect(new URL(created.url).pathname).toMatch(/^\/checkout\/[\w-]{43}$/)
  expect(created.url).not.toContain(created.id)
  expect(await buy.read(created.id)).toEqual(created)
})

test('addresses are stored normalised, with the place of the id in them', async () => {
  const created = await buy.session({
    success_url:
      'HTTPS://Shop.Example:443/a b/../{CHECKOUT_SESSION_ID}?s={CHECKOUT_SESSION_ID}&t=é"<',
    cancel_url: ' https://SHOP.example/<x>\\y ',
  })
  expect(created).toMatchObject({
    success_url:
      'https://shop.example/{CHECKOUT_SESSION_ID}?s={CHECKOUT_SESSION_ID}&t=%C3%A9%22%3C',
    cancel_url: 'https://shop.example/%3Cx%3E/y',
  })
})

test('no address of a shop adds a directive to the policy of its page', async () => {
  const { id, url } = await buy.session()
  const hostile = "https://x;form-action'*'.shop.example/a.png"
  const line_items = [
    { name: 'Tea', quantity: 1, amount: 1000, description: null, image_url: hostile },
  ]
  await world.store.pool.query(
    `update checkout_sessions set options = options || $2::jsonb where id = $1`,
    [id, JSON.stringify({ line_items })],
  )
  const domains = ['*.shop.example']
  await world.store.pool.query('update app_tokens set domains = $2 where store_id = $1', [
    shop.store_id,
    domains,
  ])
  const { pathname } = new URL(url)
  const policy = async (parent: string) => {
    const path = `${pathname}?parent=${encodeURIComponent(parent)}`
    return String((await world.app.inject({ url: path })).headers['content-security-policy'])
  }
  expect(await policy('https://a.shop.example')).toContain("img-src 'self'; form-action 'self';")
  expect(await policy('https://a.shop.example')).toContain(
    'frame-ancestors https://a.shop.example;',
  )
  expect(await policy("https://a;script-src'*'.shop.example")).toContain("frame-ancestors 'none'")
})

test.each([
  [
    'items that do not sum to the amount',
    { line_items: [{ name: 'Tea', quantity: 1, amount: 1 }] },
    'line_items',
  ],
  ['an expiry that is too near', { expires_on: '2026-01-15T00:02:00Z' }, 'expires_on'],
  [
    'a way to pay that cannot be authorized only',
    { capture: false, payment_types: ['konbini'] },
    'payment_types',
  ],
  [
    'a way to pay that cannot be repeated',
    { token_type: 'recurring', payment_types: ['online'] },
    'payment_types',
  ],
  ['a subscription without its terms', { token_type: 'subscription' }, 'subscription'],
  ['terms without a subscription', { subscription: { period: 'monthly' } }, 'subscription'],
  ['a plan that cannot be', { token_type: 'subscription', subscription: {} }, 'period'],
  ['a host that ends a directive', { success_url: 'https://a;b.example/' }, 'success_url'],
  ['an id as a host', { success_url: 'https://{CHECKOUT_SESSION_ID}.example/' }, 'success_url'],
  [
    'a picture from a host that ends a directive',
    {
      line_items: [
        { name: 'Tea', quantity: 1, amount: 1000, image_url: "https://a;form-action'x'.example/" },
      ],
    },
    'line_items.0.image_url',
  ],
  ['an address with a password', { success_url: 'https://a:b@shop.example/' }, 'success_url'],
  [
    'a picture that is not https',
    { line_items: [{ name: 'Tea', quantity: 1, amount: 1000, image_url: 'http://x.example/' }] },
    'line_items.0.image_url',
  ],
  [
    'a capture before the session expires',
    { capture: false, capture_at: '2026-01-15T09:00:00Z' },
    'capture_at',
  ],
])('%s is refused', async (_, body, field) => {
  expect(await refused(body)).toEqual([400, 'VALIDATION_ERROR', field])
})

test('a way to pay that the store has switched off is not offered, and refused when asked for', async () => {
  const path = `/stores/${shop.store_id}`
  const configuration = { convenience_configuration: { enabled: false } }
  const auth = shop.as_merchant
  expect((await world.call('PATCH', path, { auth, body: { configuration } })).status).toBe(200)
  expect((await buy.session()).payment_types).not.toContain('konbini')
  expect(await refused({ payment_types: ['konbini'] })).toContain('payment_types')
})

test('skipping 3-D Secure is a privilege here too', async () => {
  expect(await refused({ three_ds: { mode: 'skip' } })).toEqual([403, 'INVALID_PERMISSIONS'])
})

test('the secret is needed, and a token of the merchant has no store', async () => {
  const call = (auth: string) => world.call('POST', '/checkout_sessions', { auth, body: money })
  expect((await call(`Bearer ${shop.jwt}`)).status).toBe(403)
  expect((await call(shop.as_merchant)).status).toBe(403)
})

test('the same Idempotency-Key gives the same session', async () => {
  const call = () =>
    world.call('POST', '/checkout_sessions', {
      auth: shop.as_store,
      body: money,
      headers: { 'idempotency-key': 'order-1' },
    })
  const [first, second] = [await call(), await call()]
  expect(second.text).toBe(first.text)
})

test('sessions are listed by status, mode and time, page by page', async () => {
  const created = []
  for (let n = 0; n < 12; n += 1) created.push(await buy.session())
  const cancel = `/stores/${shop.store_id}/checkout_sessions/${created[3].id}/cancel`
  expect(await buy.post(cancel)).toMatchObject({
    status: 200,
    body: { status: 'canceled', url: null },
  })
  const list = async (query: string) => (await buy.get(`/checkout_sessions?${query}`)).body
  expect((await list('status=canceled')).items.map(({ id }: { id: string }) => id)).toEqual([
    created[3].id,
  ])
  const page = await list('limit=10&status=open')
  expect([page.items.length, page.has_more]).toEqual([10, true])
  expect((await list(`limit=10&status=open&cursor=${page.items[9].id}`)).items).toHaveLength(1)
  expect((await list(`from=${created[10].created_on}`)).items).toHaveLength(2)
  expect((await list('mode=live')).items).toEqual([])
  expect(await buy.get('/checkout_sessions?limit=0')).toMatchObject({ status: 400 })
  const others = await world.merchant()
  const of_others = await world.call('GET', '/checkout_sessions', { auth: others.as_store })
  expect(of_others.body.items).toEqual([])
})

test('a session is canceled once, and then nobody pays', async () => {
  const { id, url } = await buy.session()
  const cancel = `/stores/${shop.store_id}/checkout_sessions/${id}/cancel`
  expect((await buy.post(cancel)).status).toBe(200)
  expect(await buy.post(cancel)).toMatchObject({
    status: 409,
    body: { code: 'CHECKOUT_SESSION_ENDED' },
  })
  expect(await buy.payByCard(url)).toMatchObject({
    status: 409,
    body: { code: 'CHECKOUT_SESSION_ENDED' },
  })
  expect((await buy.state(url)).step).toBe('canceled')
})
