import { beforeEach, expect, test } from 'vitest'
import { signIn } from '../../../test/support/console-calls.ts'
import { newUser } from '../../../test/support/console-users.ts'
import { type Checkouts, cardNumber, checkouts } from '../../../test/support/pages/checkouts.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'
import type { Role } from '../../core/access/users.ts'
import { day_ms, hour_ms } from '../../core/time/clock.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: day_ms })
let buy: Checkouts

beforeEach(async () => {
  buy = checkouts(world, shop)
})

const declined = { card_number: '4000000000000002' }

async function newLink(body: object = {}): Promise<ApiResponse['body']> {
  const created = await buy.post('/payment_links', {
    name: 'Concert',
    amount: 3000,
    currency: 'JPY',
    ...body,
  })
  expect(created.status, created.text).toBe(201)
  return created.body
}
const pathOf = ({ id }: { id: string }) => `/stores/${shop.store_id}/payment_links/${id}`
const visit = (link: { url: string }, body: object = {}, cookie = '') =>
  world.call('POST', new URL(link.url).pathname, { body, headers: cookie ? { cookie } : {} })
/** The sessions of that many visitors. */
async function visitors(link: { url: string }, count: number): Promise<string[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => visit(link)))
  return responses.map(({ body }) => body.url)
}
const usesOf = async (link: { id: string }) => {
  const { rows } = await world.store.pool.query(
    'select uses, reserved from payment_links where id = $1',
    [link.id],
  )
  return rows[0]
}

test('a link is paid by any number of customers, each with a session of their own', async () => {
  const link = await newLink({ metadata: { event: 'x' } })
  expect(link).toMatchObject({
    amount: 3000,
    amount_choice: null,
    uses: 0,
    max_uses: null,
    active: true,
  })
  expect(new URL(link.url).pathname).toMatch(/^\/pay\/link\/[\w-]{43}$/)
  const urls = await visitors(link, 3)
  expect(new Set(urls).size).toBe(3)
  for (const url of urls) await buy.payByCard(url)
  await buy.work()
  expect((await buy.get(pathOf(link))).body.uses).toBe(3)
  const list = (await buy.get(`/checkout_sessions?payment_link_id=${link.id}`)).body
  expect(list.items).toHaveLength(3)
  expect(list.items[0]).toMatchObject({
    status: 'completed',
    payment_link_id: link.id,
    metadata: { event: 'x' },
    line_items: [{ name: 'Concert', quantity: 1, amount: 3000 }],
  })
})

test('the same visitor finds their session again, and gets a new one after paying', async () => {
  const link = await newLink()
  const first = await visit(link)
  const cookie = String(first.headers['set-cookie']).split(';')[0]
  expect(first.headers['set-cookie']).toContain('HttpOnly; SameSite=Lax')
  expect((await visit(link, {}, cookie)).body.url).toBe(first.body.url)
  await buy.payByCard(first.body.url)
  await buy.work()
  expect((await visit(link, {}, cookie)).body.url).not.toBe(first.body.url)
  const other = await newLink()
  expect((await visit(other, {}, cookie)).body.url).not.toBe(first.body.url)
})

test('customers choose the amount within its bounds, where the link lets them', async () => {
  const amount_choice = { min: 500, max: 5000, suggested: 1000 }
  const link = await newLink({ amount: null, amount_choice })
  expect(link).toMatchObject({ amount: null, amount_choice })
  const codes = []
  for (const amount of [499, 5001]) codes.push((await visit(link, { amount })).status)
  codes.push((await visit(link)).status)
  expect(codes).toEqual([400, 400, 400])
  const { body } = await visit(link, { amount: 700 })
  expect(await buy.state(body.url)).toMatchObject({ amount: 700, step: 'choose' })
  const fixed = await newLink()
  const chosen = await visit(fixed, { amount: 1 })
  expect((await buy.state(chosen.body.url)).amount).toBe(3000)
})

test('a plain form is sent on to the page of the session', async () => {
  const link = await newLink({ amount: null, amount_choice: { min: 1, max: 10 } })
  const response = await world.call('POST', new URL(link.url).pathname, {
    body: 'amount=5',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect([response.status, response.headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/checkout\//),
  ])
})

test('the last uses are sold once, however many pay at the same time', async () => {
  const link = await newLink({ max_uses: 3 })
  const urls = await visitors(link, 8)
  const responses = await Promise.all(
    urls.map((url, n) => buy.payByCard(url, { card_number: cardNumber(n) })),
  )
  const codes = responses.map(({ status, body }) => body.code ?? status)
  expect(codes.filter((code) => code === 200)).toHaveLength(3)
  expect(codes.filter((code) => code === 'PAYMENT_LINK_CLOSED')).toHaveLength(5)
  await buy.work()
  expect(await usesOf(link)).toEqual({ uses: 3, reserved: 0 })
  expect((await visit(link)).body.code).toBe('PAYMENT_LINK_CLOSED')
  const { rows } = await world.store.pool.query(
    'select count(*)::integer as count from charges where merchant_id = $1',
    [shop.id],
  )
  expect(rows[0].count).toBe(3)
})

test('a failed payment gives its use back', async () => {
  const link = await newLink({ max_uses: 1 })
  const [one = '', other = ''] = await visitors(link, 2)
  await buy.payByCard(one, declined)
  expect(await usesOf(link)).toEqual({ uses: 0, reserved: 1 })
  expect((await buy.payByCard(other)).body.code).toBe('PAYMENT_LINK_CLOSED')
  await buy.work()
  expect(await usesOf(link)).toEqual({ uses: 0, reserved: 0 })
  expect((await buy.payByCard(other)).status).toBe(200)
  await buy.work()
  expect(await usesOf(link)).toEqual({ uses: 1, reserved: 0 })
})

test('a link that is switched off or has expired takes no payment, not even of those who had it open', async () => {
  const link = await newLink({ expires_on: new Date(world.clock.now() + hour_ms).toISOString() })
  const [url = ''] = await visitors(link, 1)
  expect((await buy.patch(pathOf(link), { active: false })).body.active).toBe(false)
  expect((await buy.payByCard(url)).body.code).toBe('PAYMENT_LINK_CLOSED')
  expect((await visit(link)).body.code).toBe('PAYMENT_LINK_CLOSED')
  await buy.patch(pathOf(link), { active: true, name: 'Matinee' })
  const state = (await world.call('GET', `${new URL(link.url).pathname}/state`)).body
  expect(state).toMatchObject({ name: 'Matinee', is_open: true, amount: 3000 })
  world.clock.advance(hour_ms)
  expect((await visit(link)).body.code).toBe('PAYMENT_LINK_CLOSED')
})

test('visits that nobody paid at disappear without an event; tried ones expire', async () => {
  const link = await newLink()
  const [left = '', tried = ''] = await visitors(link, 2)
  await buy.payByCard(tried, declined)
  await buy.work()
  world.clock.advance(3 * hour_ms)
  await buy.work()
  expect((await world.call('GET', `${new URL(left).pathname}/state`)).status).toBe(404)
  const { items } = (await buy.get(`/checkout_sessions?payment_link_id=${link.id}`)).body
  expect(items.map(({ status }: { status: string }) => status)).toEqual(['expired'])
})

test('the QR code is a picture of the address', async () => {
  const link = await newLink()
  const response = await buy.get(`${pathOf(link)}/qr_code`)
  expect(response.headers['content-type']).toContain('image/svg+xml')
  expect(response.text).toMatch(/^<svg .*<\/svg>$/)
  expect(link.qr_code_svg_url).toContain(`${pathOf(link)}/qr_code`)
})

test('links are listed, and another merchant sees none', async () => {
  const link = await newLink()
  await newLink({ active: false })
  const ids = async (query: string, auth = shop.as_store) =>
    (await world.call('GET', `/payment_links${query}`, { auth })).body.items.length
  expect([await ids(''), await ids('?active=true'), await ids('', shop.as_merchant)]).toEqual([
    2, 1, 2,
  ])
  const { as_store } = await world.merchant()
  expect(await ids('', as_store)).toBe(0)
  expect((await world.call('GET', pathOf(link), { auth: as_store })).status).toBe(404)
})

test('a user makes a link of a store in the mode that the console shows', async () => {
  const path = `/stores/${shop.store_id}/payment_links`
  const body = { name: 'Concert', amount: 3000, currency: 'JPY' }
  const makeAs = async (role: Role) =>
    (await signIn(world, (await newUser(world, shop, { role })).email)).api('POST', path, { body })
  const created = await makeAs('staff')
  expect(created, created.text).toMatchObject({
    status: 201,
    body: { store_id: shop.store_id, mode: 'test' },
  })
  expect((await makeAs('viewer')).status).toBe(403)
  expect((await buy.post(path, body)).status).toBe(201)
  // A token of the merchant has no mode.
  const both = await world.call('POST', path, { auth: shop.as_merchant, body })
  expect(both.body.code).toBe('INVALID_PERMISSIONS')
})

test.each([
  ['no amount', { amount: null }, 'amount'],
  ['an amount and a choice', { amount_choice: { min: 1, max: 2 } }, 'amount_choice'],
  [
    'bounds the wrong way round',
    { amount: null, amount_choice: { min: 3, max: 2 } },
    'amount_choice.max',
  ],
  [
    'a suggestion out of bounds',
    { amount: null, amount_choice: { min: 1, max: 2, suggested: 3 } },
    'amount_choice.suggested',
  ],
  ['an expiry in the past', { expires_on: '2020-01-01T00:00:00Z' }, 'expires_on'],
])('a link with %s is refused', async (_, body, field) => {
  const link = { name: 'X', amount: 100, currency: 'JPY', ...body }
  const { body: response } = await buy.post('/payment_links', link)
  expect(response.errors?.[0]?.field).toBe(field)
})
