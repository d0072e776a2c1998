import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  enrol,
  logIn,
  loginToken,
  newUser,
  password,
  type TestUser,
} from '../../../test/support/console-users.ts'
import {
  type MailServer,
  startMailServer,
  textOf,
} from '../../../test/support/receiver/mail-server.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/support/world.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/time/clock.ts'
import { runAllDue } from '../../worker/worker.ts'
import { createUser, disableUser } from './create-user.ts'

let world: World
let server: MailServer
let shop: TestMerchant
let user: TestUser

beforeAll(async () => {
  server = await startMailServer()
  world = await newWorld({
    settings: {
      SMTP_URL: server.url,
      MAIL_FROM: 'Shop Console <console@kaikei.example>',
      BASE_URL: 'https://pay.kaikei.example',
    },
  })
})
beforeEach(async () => {
  world.clock.advance(day_ms)
  await runAllDue(world.service)
  shop = await world.merchant()
  user = await newUser(world, shop)
  await runAllDue(world.service)
  server.mails.length = 0
})
afterAll(async () => {
  await world.close()
  await server.close()
})

const ask = async (email: string, headers: Record<string, string> = {}) => {
  world.clock.advance(3000)
  return world.call('POST', '/password_resets', { body: { email }, headers })
}
const choose = (token: string, chosen: string) =>
  world.call('POST', `/password_resets/${token}`, { body: { password: chosen } })
const next = 'harbour 12 lantern'
const used_up = { status: 400, body: { code: 'INVALID_PASSWORD_LINK' } }

/** Sends due mails and takes the token from the link in the newest one. */
async function tokenSent(): Promise<string> {
  await runAllDue(world.service)
  const link = /https:\/\/\S+/.exec(textOf(server.mails.at(-1) ?? ''))?.[0] ?? ''
  expect(link).toMatch(/^https:\/\/pay\.kaikei\.example\/account\/password\/[A-Za-z0-9]{27}$/)
  return link.split('/').at(-1) ?? ''
}

test('a user who forgot the password chooses a new one with the link of a mail', async () => {
  const before = await loginToken(world, user.email)
  expect((await ask(user.email.toUpperCase())).status).toBe(202)
  const token = await tokenSent()
  expect(server.mails[0]).toContain(`To: ${user.email}`)
  expect(server.mails[0]).toContain('From: Shop Console <console@kaikei.example>')
  expect(server.mails[0]).toContain('Subject: Choose a new password')
  expect((await choose(token, next)).status).toBe(204)
  expect((await logIn(world, user.email)).status).toBe(401)
  expect((await logIn(world, user.email, { password: next })).status).toBe(200)
  // All sessions of the old password have ended, and the user gets a mail.
  expect((await world.call('GET', '/me/user', { auth: before })).status).toBe(401)
  await runAllDue(world.service)
  expect(server.mails[1]).toContain('Subject: Your password was changed')
  const { rows } = await world.store.pool.query(
    'select name from events where resource_id = $1 order by sequence',
    [user.id],
  )
  expect(rows.map(({ name }) => name)).toEqual([
    'user_created',
    'password_changed',
    'password_changed',
  ])
})

test('mails are in the language of the user', async () => {
  const other = await newUser(world, shop, { lang: 'ja' })
  await ask(other.email)
  await runAllDue(world.service)
  const mail = server.mails.find((one) => textOf(one).includes('/account/password/')) ?? ''
  expect(textOf(mail)).toContain('1時間以内に次のリンク')
})

test('the response is the same whether or not there is such a user', async () => {
  const disabled = await newUser(world, shop)
  await disableUser(world.service, { merchant_id: shop.id, id: disabled.id })
  const responses = [
    await ask(user.email),
    await ask('nobody@console.example'),
    await ask(disabled.email),
  ]
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(responses[0]?.status).toBe(202)
  // The request itself does the same for all: the user is looked up afterwards.
  await runAllDue(world.service)
  const to = server.mails.filter((mail) => textOf(mail).includes('/account/password/'))
  expect(to).toHaveLength(1)
})

test('the sixth request of a day is refused, for users and others alike', async () => {
  for (const email of [user.email, 'unknown@console.example']) {
    for (let index = 0; index < 5; index += 1) expect((await ask(email)).status).toBe(202)
    expect(await ask(email)).toMatchObject({
      status: 400,
      body: { code: 'RESOURCE_LIMIT_REACHED', name: 'ResourceLimitReached' },
    })
  }
  world.clock.advance(day_ms)
  expect((await ask(user.email)).status).toBe(202)
})

test('many concurrent requests are no more than five', async () => {
  const nodes = [world, await world.another()]
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      nodes[index % 2]?.call('POST', '/password_resets', { body: { email: user.email } }),
    ),
  )
  const statuses = responses.map((response) => response?.status)
  expect(statuses.filter((status) => status === 202)).toHaveLength(5)
  await runAllDue(world.service)
  expect(server.mails).toHaveLength(5)
})

test('a merchant gets five links a day, and its users cannot be distinguished from others', async () => {
  const users = [user, await newUser(world, shop), await newUser(world, shop)]
  await runAllDue(world.service)
  server.mails.length = 0
  const responses: string[] = []
  for (const { email } of [...users, ...users, ...users]) responses.push((await ask(email)).text)
  await runAllDue(world.service)
  expect(new Set(responses).size).toBe(1)
  expect(server.mails).toHaveLength(5)
  const elsewhere = await newUser(world, await world.merchant())
  await ask(elsewhere.email)
  await tokenSent()
})

test('a link works once, also when it is used twice at the same time', async () => {
  await ask(user.email)
  const token = await tokenSent()
  const both = await Promise.all([choose(token, next), choose(token, 'another 12 lantern')])
  expect(both.map(({ status }) => status).sort()).toEqual([204, 400])
  expect(await choose(token, next)).toMatchObject(used_up)
})

test('a link works for one hour, and not after another one was used', async () => {
  await ask(user.email)
  const first = await tokenSent()
  await ask(user.email)
  const second = await tokenSent()
  expect((await choose(second, next)).status).toBe(204)
  expect(await choose(first, next)).toMatchObject(used_up)
  await ask(user.email)
  const third = await tokenSent()
  world.clock.advance(hour_ms)
  expect(await choose(third, next)).toMatchObject(used_up)
  expect(await choose('A'.repeat(27), next)).toMatchObject(used_up)
})

test('the host of the link is the configured one, whatever the request says', async () => {
  await ask(user.email, {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
  })
  await tokenSent()
  expect(server.mails.join('')).not.toContain('evil.example')
})

test('neither the token nor the text of a mail can be read in the database', async () => {
  await ask(user.email)
  const token = await tokenSent()
  const { rows: links } = await world.store.pool.query('select * from password_links')
  const { rows: mails } = await world.store.pool.query('select * from mails')
  expect(JSON.stringify([links, mails])).not.toContain(token)
  expect(mails.every(({ body }) => body === null)).toBe(true)
  expect(world.log.join('')).not.toContain(token)
})

test('a refused password leaves the link unchanged', async () => {
  await ask(user.email)
  const token = await tokenSent()
  for (const bad of ['short', 'password1234', user.email]) {
    expect(await choose(token, bad)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', errors: [{ field: 'password' }] },
    })
  }
  expect((await choose(token, next)).status).toBe(204)
})

test('a new password unlocks a locked account; the second factor stays', async () => {
  const app = await enrol(world, user.email)
  for (let index = 0; index < 10; index += 1) {
    world.clock.advance(10_000)
    await logIn(world, user.email, { password: 'wrong-47-garden' })
  }
  await ask(user.email)
  expect((await choose(await tokenSent(), next)).status).toBe(204)
  world.clock.advance(minute_ms)
  const mine = { password: next }
  expect((await logIn(world, user.email, mine)).body.code).toBe('TOTP_REQUIRED')
  expect((await logIn(world, user.email, { ...mine, totp: app.code() })).status).toBe(200)
})

test('a logged-in user changes the password with the old one, and is logged out', async () => {
  const auth = await loginToken(world, user.email)
  const change = (body: object) => world.call('POST', '/me/password', { auth, body })
  expect((await change({ password: 'wrong', new_password: next })).status).toBe(401)
  expect((await change({ new_password: next })).status).toBe(401)
  expect(await change({ password, new_password: 'short' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'new_password' }] },
  })
  expect((await change({ password, new_password: next })).status).toBe(204)
  expect((await world.call('GET', '/me/user', { auth })).status).toBe(401)
  expect((await logIn(world, user.email, { password: next })).status).toBe(200)
})

test('a mail that the server refuses is retried later, and given up after an hour', async () => {
  server.refuse('451 not now')
  await ask(user.email)
  await runAllDue(world.service)
  expect(server.mails).toHaveLength(0)
  server.refuse(null)
  world.clock.advance(10_000)
  await tokenSent()
  expect(server.mails).toHaveLength(1)
  server.refuse('550 never')
  await ask(user.email)
  for (let index = 0; index < 20; index += 1) {
    world.clock.advance(10 * minute_ms)
    await runAllDue(world.service)
  }
  server.refuse(null)
  world.clock.advance(hour_ms)
  await runAllDue(world.service)
  expect(server.mails).toHaveLength(1)
  expect(world.log.join('')).toContain('a mail was given up')
  const { rows } = await world.store.pool.query('select 1 from mails where due_on is not null')
  expect(rows).toEqual([])
})

test('an e-mail belongs to one user, until that user is disabled', async () => {
  const { merchant_id, email } = user
  const wanted = { merchant_id, email: email.toUpperCase(), name: 'N', role: 'staff', lang: 'ja' }
  const create = () => createUser(world.service, wanted as Parameters<typeof createUser>[1])
  await expect(create()).rejects.toMatchObject({ code: 'USER_EMAIL_EXISTS' })
  await disableUser(world.service, { merchant_id, id: user.id })
  expect((await create()).user.email).toBe(email)
})

test('the page of a link shows a form, says what is wrong, and sets the password', async () => {
  await ask(user.email)
  const path = `/account/password/${await tokenSent()}`
  const submit = (chosen: string, repeat = chosen) =>
    world.call('POST', path, {
      body: new URLSearchParams({ password: chosen, repeat }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  for (let index = 0; index < 3; index += 1) {
    const shown = await world.call('GET', path, { headers: { 'accept-language': 'ja' } })
    expect(shown).toMatchObject({ status: 200 })
    expect(shown.text).toContain('パスワードの設定')
    expect(shown.headers['referrer-policy']).toBe('no-referrer')
    expect(shown.headers['cache-control']).toBe('no-store')
  }
  const refused = await submit('password1234')
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.text).toContain('too easy to guess')
  const differs = await submit(next, `${next}?`)
  expect([differs.status, differs.text]).toEqual([400, expect.stringContaining('do not match')])
  expect((await submit(next)).text).toContain('Your password is set')
  expect((await submit(next, '')).status).toBe(404)
  expect((await submit(next)).status).toBe(404)
  expect((await world.call('GET', path)).text).toContain('This link no longer works')
  expect((await logIn(world, user.email, { password: next })).status).toBe(200)
})
