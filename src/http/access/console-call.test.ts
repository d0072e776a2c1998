import { beforeEach, expect, test } from 'vitest'
import { cookieOf, newBrowser, own_page, signIn } from '../../../test/support/console-calls.ts'
import {
  codeOf,
  enrol,
  loginToken,
  newUser,
  password,
  type TestUser,
} from '../../../test/support/console-users.ts'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { newWorld } from '../../../test/support/world.ts'
import { hour_ms, minute_ms, second_ms } from '../../core/time/clock.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 10 * minute_ms, verified: true })
let user: TestUser

beforeEach(async () => {
  user = await newUser(world, shop)
})

const refused = { status: 403, body: { code: 'INVALID_PERMISSIONS' } }
const ended = { status: 401, body: { code: 'INVALID_LOGIN_TOKEN' } }
const expired = { status: 401, body: { code: 'EXPIRED_LOGIN_TOKEN' } }
const unconfirmed = { status: 403, body: { code: 'CONFIRMATION_REQUIRED' } }
const session = '/console/session'

/** A user with an authenticator app who has just signed in. */
async function withApp(wanted: Parameters<typeof newUser>[2] = {}) {
  const { email } = await newUser(world, shop, wanted)
  const app = await enrol(world, email)
  world.clock.advance(minute_ms)
  return { email, app, browser: await signIn(world, email, { totp: app.code() }) }
}

test('signing in sets a cookie for the console that scripts cannot read', async () => {
  const body = { email: user.email, password }
  const response = await newBrowser(world).call('POST', session, { body })
  expect(response.status).toBe(200)
  const [, value = ''] = /^kaikei_console=([^;]+)/.exec(response.headers['set-cookie'] ?? '') ?? []
  expect(response.headers['set-cookie']).toBe(
    `kaikei_console=${value}; Path=/console; HttpOnly; SameSite=Strict`,
  )
  expect(response.text).not.toContain(value)
  expect(response.headers).not.toHaveProperty('authorization')
  expect(response.body).toMatchObject({
    user: { id: user.id, email: user.email },
    merchant: { id: shop.id, is_demo: false },
    role: 'owner',
    second_factor: false,
    modes: ['test'],
    confirmed_until: null,
    expires_on: new Date(world.clock.now() + 12 * hour_ms).toISOString(),
  })
  expect(response.body.rights).toContain('payments:write')
  expect(response.body.rights).not.toContain('webhooks:read')
})

test('over https the cookie is Secure and has the prefix that says so', async () => {
  const base_url = 'https://pay.example'
  const other = await newWorld({ settings: { BASE_URL: base_url } })
  other.service.address.base_url = base_url
  const { email } = await newUser(other, await other.merchant())
  const headers = { ...own_page, origin: base_url }
  const response = await other.call('POST', session, { headers, body: { email, password } })
  expect(response.headers['set-cookie']).toMatch(
    /^__Secure-kaikei_console=[\w.-]+; Path=\/console; HttpOnly; SameSite=Strict; Secure$/,
  )
  await other.close()
})

test('every operation of the API works below /console/api with the cookie', async () => {
  const { id } = await payments(world, shop).settled()
  const browser = await signIn(world, user.email)
  const { status, body } = await browser.api('GET', '/charges?limit=10')
  expect([status, body.items[0].id]).toEqual([200, id])
  expect((await browser.api('GET', session)).body.user.id).toBe(user.id)
  const refund = { body: { amount: 1, currency: 'JPY' } }
  const path = `/stores/${shop.store_id}/charges/${id}/refunds`
  expect((await browser.api('POST', path, refund)).status).toBe(201)
  expect((await browser.api('GET', '/nothing/here')).status).toBe(404)
  expect((await browser.api('PUT', '/charges')).status).toBe(405)
})

test('the cookie is no credential outside the console, neither as it is nor as a header', async () => {
  const { cookie, api } = await signIn(world, user.email)
  const outside = await world.call('GET', '/me/user', { headers: { cookie } })
  expect(outside).toMatchObject({ status: 401, body: { code: 'AUTH_HEADER_MISSING' } })
  const auth = `Bearer ${cookie.split('=')[1]}`
  expect(await world.call('GET', '/me/user', { auth })).toMatchObject(ended)
  expect((await api('GET', '/me/user')).status).toBe(200)
})

test('no other credential works in the console', async () => {
  const browser = await signIn(world, user.email)
  const auth = await loginToken(world, user.email)
  for (const given of [auth, shop.as_merchant, shop.as_store]) {
    expect(await browser.api('GET', '/me', { auth: given })).toMatchObject(refused)
    expect(await newBrowser(world).api('GET', '/me', { auth: given })).toMatchObject(refused)
  }
  const token = newBrowser(world, `kaikei_console=${auth.split(' ')[1]}`)
  expect(await token.api('GET', '/me')).toMatchObject(ended)
  expect(await newBrowser(world, 'kaikei_console=x').api('GET', '/me')).toMatchObject(ended)
  const app_token = newBrowser(world, `kaikei_console=${shop.as_store.split(' ')[1]}`)
  expect(await app_token.api('GET', '/me')).toMatchObject(ended)
})

test('of two cookies with the name none is trusted', async () => {
  const { cookie } = await signIn(world, user.email)
  const other = await newUser(world, await world.merchant())
  const tossed = (await signIn(world, other.email)).cookie
  expect(await newBrowser(world, `${tossed}; ${cookie}`).api('GET', '/me')).toMatchObject(ended)
  expect((await newBrowser(world, `other=1; ${cookie}`).api('GET', '/me')).status).toBe(200)
})

test('CSRF: a change needs the header, and the origin of the console where browsers tell it', async () => {
  const browser = await signIn(world, user.email)
  const { cookie } = browser
  const { id } = await payments(world, shop).settled()
  const path = `/console/api/stores/${shop.store_id}/charges/${id}/refunds`
  const body = { amount: 1, currency: 'JPY' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const attempts: Record<string, string>[] = [
    {},
    { origin: own_page.origin },
    { 'x-kaikei-console': '0', origin: own_page.origin },
    { ...own_page, origin: 'https://evil.example' },
    { ...own_page, origin: 'null' },
    { ...own_page, origin: 'http://127.0.0.1:8081' },
    { ...own_page, 'sec-fetch-site': 'cross-site' },
    { ...own_page, 'sec-fetch-site': 'same-site' },
    { ...form, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    form,
  ]
  for (const headers of attempts) {
    const response = await world.call('POST', path, { headers: { cookie, ...headers }, body })
    expect(response, JSON.stringify(headers)).toMatchObject(refused)
    expect(Object.keys(response.headers).filter((name) => /^access-control/.test(name))).toEqual([])
  }
  const headers = { cookie, 'x-kaikei-console': '1' }
  expect((await world.call('POST', path, { headers, body })).status).toBe(201)
  const forged = { email: user.email, password }
  for (const path of [session, '/%63onsole/session', '/console/api/console/session']) {
    expect(await world.call('POST', path, { body: forged }), path).toMatchObject(refused)
  }
})

test('the console sends no CORS header, also where the API does', async () => {
  const { cookie } = await signIn(world, user.email)
  const origin = 'https://shop.example'
  for (const [method, headers] of [
    ['OPTIONS', { origin, 'access-control-request-method': 'POST' }],
    ['GET', { origin, cookie }],
  ] as const) {
    const response = await world.call(method, '/console/api/tokens', { headers })
    expect(Object.keys(response.headers).filter((name) => /^access-control/.test(name))).toEqual([])
  }
})

test('session fixation: what the browser had before is never adopted', async () => {
  const attacker = await signIn(world, (await newUser(world, await world.merchant())).email)
  const victim = newBrowser(world, attacker.cookie)
  const body = { email: user.email, password }
  expect((await victim.call('POST', session, { body })).body.user.id).toBe(user.id)
  expect(victim.cookie).not.toBe(attacker.cookie)
  expect((await attacker.call('GET', session)).body.user.id).not.toBe(user.id)
  const again = newBrowser(world, victim.cookie)
  await again.call('POST', session, { body })
  expect(again.cookie).not.toBe(victim.cookie)
})

test('a rise of rights is a new session; the old one does not rise, and ends soon', async () => {
  const browser = await signIn(world, user.email)
  const old = newBrowser(world, browser.cookie)
  const wrong = await browser.call('POST', `${session}/confirm`, { body: { password: 'wrong' } })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } })
  const { expires_on } = (await browser.call('GET', session)).body
  const done = await browser.call('POST', `${session}/confirm`, { body: { password } })
  expect([done.status, cookieOf(done)]).toEqual([204, browser.cookie])
  expect(browser.cookie).not.toBe(old.cookie)
  const until = new Date(world.clock.now() + 5 * minute_ms).toISOString()
  const shown = { confirmed_until: until, expires_on }
  expect((await browser.call('GET', session)).body).toMatchObject(shown)
  expect((await old.call('GET', session)).body.confirmed_until).toBeNull()
  world.clock.advance(11 * second_ms)
  expect(await old.call('GET', session)).toMatchObject(ended)
  world.clock.advance(5 * minute_ms)
  expect((await browser.call('GET', session)).body.confirmed_until).toBeNull()
})

test('signing out also ends the session that was replaced', async () => {
  const browser = await signIn(world, user.email)
  const other = await signIn(world, user.email)
  const old = newBrowser(world, browser.cookie)
  expect((await browser.call('POST', `${session}/confirm`, { body: { password } })).status).toBe(
    204,
  )
  expect((await old.call('GET', session)).status).toBe(200)
  expect((await browser.call('DELETE', session)).status).toBe(204)
  expect(await old.call('GET', session)).toMatchObject(ended)
  expect(await old.api('GET', '/me')).toMatchObject(ended)
  expect((await other.call('GET', session)).status).toBe(200)
})

test('switching the authenticator app on continues in a new cookie, and shows no token', async () => {
  const browser = await signIn(world, user.email)
  const before = browser.cookie
  const { body } = await browser.api('POST', '/me/totp', { body: { password } })
  expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
  const totp = codeOf(world, body.secret)
  const done = await browser.api('POST', '/me/totp/confirm', { body: { totp } })
  expect(done).toMatchObject({ status: 200, body: { jwt: null } })
  expect(browser.cookie).not.toBe(before)
  expect((await browser.call('GET', session)).body).toMatchObject({ modes: ['test', 'live'] })
  expect(await newBrowser(world, before).call('GET', session)).toMatchObject(ended)
})

test('no route of the console shows a login token', async () => {
  const body = { email: user.email, password }
  expect(await newBrowser(world).api('POST', '/authenticate', { body })).toMatchObject(refused)
})

test('a session ends when it is not used for 15 minutes, and after 12 hours', async () => {
  const idle = await signIn(world, user.email)
  world.clock.advance(15 * minute_ms)
  expect(await idle.api('GET', '/me')).toMatchObject(expired)
  const active = await signIn(world, user.email)
  const first = active.cookie
  for (let passed = 0; passed < 12 * 60 - 10; passed += 10) {
    world.clock.advance(10 * minute_ms)
    expect((await active.api('GET', '/me')).status).toBe(200)
  }
  expect(active.cookie).not.toBe(first)
  world.clock.advance(10 * minute_ms)
  expect((await active.api('GET', '/me')).status).toBe(401)
})

test('polling does not keep a session alive', async () => {
  const browser = await signIn(world, user.email)
  const headers = { 'x-kaikei-background': '1' }
  for (let passed = 0; passed < 12; passed += 4) {
    world.clock.advance(4 * minute_ms)
    expect((await browser.api('GET', '/me', { headers })).status).toBe(200)
  }
  world.clock.advance(4 * minute_ms)
  expect(await browser.api('GET', '/me', { headers })).toMatchObject(expired)
  expect(await browser.api('GET', '/me')).toMatchObject(expired)
})

test('signing out ends the session and clears the cookie', async () => {
  const browser = await signIn(world, user.email)
  const { cookie } = browser
  const response = await browser.call('DELETE', session)
  expect(response).toMatchObject({ status: 204 })
  expect(response.headers['set-cookie']).toMatch(/^kaikei_console=; .*Max-Age=0$/)
  expect(await newBrowser(world, cookie).api('GET', '/me')).toMatchObject(ended)
})

test('the console shows one mode at a time; live mode needs a second factor', async () => {
  const pay = payments(world, shop)
  const [of_test, of_live] = [await pay.settled(), await pay.settled()]
  await world.store.pool.query(`update charges set mode = 'live' where id = $1`, [of_live.id])
  const { browser } = await withApp()
  const charges = async (headers: Record<string, string>) =>
    (await browser.api('GET', '/charges', { headers })).body.items.map(({ id }: never) => id)
  expect(await charges({})).toEqual([of_test.id])
  expect(await charges({ 'x-kaikei-mode': 'test' })).toEqual([of_test.id])
  expect(await charges({ 'x-kaikei-mode': 'live' })).toEqual([of_live.id])
  const headers = { 'x-kaikei-mode': 'live' }
  const half = await signIn(world, user.email)
  expect(await half.api('GET', '/charges', { headers })).toMatchObject(refused)
  expect((await half.call('GET', session, { headers })).status).toBe(200)
  const wrong = { headers: { 'x-kaikei-mode': 'both' } }
  expect((await browser.api('GET', '/charges', wrong)).status).toBe(400)
})

test('test mode has the time of the test clock; sessions, tokens and live mode have the real one', async () => {
  const { browser } = await withApp()
  const advance = { advance: 'P40D' }
  expect((await browser.api('POST', '/test/clock', { body: advance })).status).toBe(200)
  const { id } = await payments(world, shop).settled()
  const body = { amount: 1, currency: 'JPY' }
  const path = `/stores/${shop.store_id}/charges/${id}/refunds`
  const refund = await browser.api('POST', path, { body })
  const ahead_ms = Date.parse(refund.body.created_on) - world.clock.now()
  expect(ahead_ms).toBe(40 * 24 * hour_ms)
  expect((await browser.call('GET', session)).status).toBe(200)
})

test('large refunds, cancels and captures, keys and settings need a confirmed session', async () => {
  const { browser, app } = await withApp()
  const pay = payments(world, shop)
  const large = await pay.settled({ amount: 300_000 })
  const held = await pay.settled({ amount: 300_000, capture: false })
  const small = await pay.settled({ amount: 100_000, capture: false })
  const refunds = `/stores/${shop.store_id}/charges/${large.id}/refunds`
  const money = (amount: number) => ({ body: { amount, currency: 'JPY' } })
  expect((await browser.api('POST', refunds, money(100_000))).status).toBe(201)
  const cancel = (id: string) => `/stores/${shop.store_id}/charges/${id}/cancels`
  expect((await browser.api('POST', cancel(small.id), { body: {} })).status).toBe(201)
  const { id } = (
    await world.call('POST', '/webhooks', {
      auth: shop.as_merchant,
      body: { url: 'http://127.0.0.1:9/hook', triggers: ['charge_finished'] },
    })
  ).body
  const calls = [
    ['POST', refunds, money(100_001), 201],
    ['POST', cancel(held.id), { body: {} }, 201],
    ['POST', `/stores/${shop.store_id}/app_jwts`, { body: { mode: 'test' } }, 201],
    ['GET', `/webhooks/${id}/secret`, {}, 200],
    ['PATCH', '/me', { body: { name: 'Renamed' } }, 200],
  ] as const
  for (const [method, path, options] of calls) {
    expect(await browser.api(method, path, options), path).toMatchObject(unconfirmed)
  }
  world.clock.advance(minute_ms)
  const confirm = (body: object) => browser.call('POST', `${session}/confirm`, { body })
  expect(await confirm({ password })).toMatchObject({ body: { code: 'TOTP_REQUIRED' } })
  expect((await confirm({ totp: app.code() })).status).toBe(204)
  for (const [method, path, options, status] of calls) {
    expect((await browser.api(method, path, options)).status, path).toBe(status)
  }
})

test('refunds that are split count together within ten minutes', async () => {
  const { browser, app } = await withApp()
  const { id } = await payments(world, shop).settled({ amount: 900_000 })
  const path = `/stores/${shop.store_id}/charges/${id}/refunds`
  const refund = (amount: number) =>
    browser.api('POST', path, { body: { amount, currency: 'JPY' } })
  expect((await refund(60_000)).status).toBe(201)
  // Nothing of it counts: it was refused.
  expect(await refund(60_000)).toMatchObject(unconfirmed)
  const both = await Promise.all([refund(30_000), refund(30_000)])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 403])
  expect((await refund(10_000)).status).toBe(201)
  expect(await refund(1)).toMatchObject(unconfirmed)
  world.clock.advance(minute_ms)
  await browser.call('POST', `${session}/confirm`, { body: { totp: app.code() } })
  expect((await refund(200_000)).status).toBe(201)
  world.clock.advance(6 * minute_ms)
  // The confirmed amount does not count either.
  expect((await refund(100_000)).status).toBe(201)
  expect(await refund(1)).toMatchObject(unconfirmed)
  world.clock.advance(11 * minute_ms)
  expect((await refund(100_000)).status).toBe(201)
})

test('ten wrong codes lock the account, also when the session asks for them', async () => {
  const { browser, app } = await withApp()
  const wrong = app.code() === '000000' ? '111111' : '000000'
  for (let attempt = 0; attempt < 10; attempt += 1) {
    world.clock.advance(10 * second_ms)
    await browser.call('POST', `${session}/confirm`, { body: { totp: wrong } })
  }
  world.clock.advance(minute_ms)
  const right = await browser.call('POST', `${session}/confirm`, { body: { totp: app.code() } })
  expect(right).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } })
})
