import { createHmac } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import {
  claimsOf,
  codeOf,
  enrol,
  logIn,
  loginToken,
  newUser,
  type TestUser,
} from '../../../test/support/console-users.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { World } from '../../../test/support/world.ts'
import { hour_ms, minute_ms } from '../../core/time/clock.ts'
import { runAllDue } from '../../worker/worker.ts'
import { disableUser } from '../users/create-user.ts'
import { loginKey, sessionIdOf } from './user-session.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 10 * minute_ms })
let user: TestUser

beforeEach(async () => {
  user = await newUser(world, shop)
})

const me = (auth: string, node: World = world) => node.call('GET', '/me/user', { auth })
const ended = { status: 401, body: { code: 'INVALID_LOGIN_TOKEN' } }
const expired = { status: 401, body: { code: 'EXPIRED_LOGIN_TOKEN' } }

test('a login token has the claims of the API, in ASCII', async () => {
  const other = await newUser(world, shop, { name: '花子 é', role: 'staff', lang: 'ja' })
  const auth = await loginToken(world, other.email)
  const [, payload = ''] = auth.split('.')
  expect(Buffer.from(payload, 'base64url').every((byte) => byte < 127)).toBe(true)
  const now_s = Math.floor(world.clock.now() / 1000)
  expect(claimsOf(auth)).toEqual({
    sub: 'login_token',
    iat: now_s,
    exp: now_s + 3600,
    jti: expect.any(String),
    merchant_id: shop.id,
    name: '花子 é',
    email: other.email,
    lang: 'ja',
    ip_address: '127.0.0.1',
    aud: 'console',
    roles: ['staff'],
  })
  expect((await me(auth)).body).toMatchObject({
    id: other.id,
    email: other.email,
    name: '花子 é',
    role: 'staff',
    totp_enabled: false,
  })
})

test('each login has its own id, and the database has only a hash of it', async () => {
  const one = claimsOf(await loginToken(world, user.email))
  const other = claimsOf(await loginToken(world, user.email))
  expect(one.jti).not.toBe(other.jti)
  const { rows } = await world.store.pool.query(
    'select * from user_sessions where user_id = $1 order by created_on',
    [user.id],
  )
  expect(rows.map(({ id }) => id)).toContain(sessionIdOf(String(one.jti)))
  expect(JSON.stringify(rows)).not.toContain(String(one.jti))
})

test('a forged login token is refused, always with the same body', async () => {
  const auth = await loginToken(world, user.email)
  const claims = claimsOf(auth)
  const key = world.service.keys.signing.newest
  const secret = loginKey(key)
  const good = { typ: 'JWT', alg: 'HS256', kid: key.id }
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forge = (header: object, content: object, with_key: typeof secret | Buffer = secret) => {
    const text = `${encode(header)}.${encode(content)}`
    return `Bearer ${text}.${createHmac('sha256', with_key).update(text).digest('base64url')}`
  }
  const forged = {
    'the key of application tokens': forge(good, claims, key.bytes),
    'no algorithm': `Bearer ${encode({ ...good, alg: 'none' })}.${encode(claims)}.x`,
    'another algorithm': forge({ ...good, alg: 'HS512' }, claims),
    'an unknown key': forge({ ...good, kid: 'x' }, claims),
    'another audience': forge(good, { ...claims, aud: 'api' }),
    'no end': forge(good, { ...claims, exp: undefined }),
    'an unknown session': forge(good, { ...claims, jti: crypto.randomUUID() }),
    'another merchant': forge(good, { ...claims, merchant_id: (await world.merchant()).id }),
    'an id that is none': forge(good, { ...claims, jti: "' or 1=1" }),
  }
  const bodies = new Set<string>()
  for (const [name, credential] of Object.entries(forged)) {
    world.clock.advance(1000)
    const response = await me(credential)
    expect(response.status, name).toBe(401)
    bodies.add(response.text)
  }
  expect(bodies.size).toBe(1)
  // The negative control: without a fault it is accepted.
  expect((await me(forge(good, claims))).status).toBe(200)
})

test('an application token is never a login token, nor vice versa', async () => {
  const auth = await loginToken(world, user.email)
  const key = world.service.keys.signing.newest
  const [head, payload, signature] = auth.slice('Bearer '.length).split('.')
  const as_app = { ...claimsOf(auth), sub: 'app_token', version: 1 }
  const text = `${head}.${Buffer.from(JSON.stringify(as_app)).toString('base64url')}`
  const by_login_key = createHmac('sha256', loginKey(key)).update(text).digest('base64url')
  for (const credential of [
    `Bearer ${shop.secret}.${head}.${payload}.${signature}`,
    `Bearer ${text}.${by_login_key}`,
  ]) {
    expect(await world.call('GET', '/me', { auth: credential })).toMatchObject({
      status: 401,
      body: { code: 'INVALID_APP_TOKEN' },
    })
  }
  for (const path of ['/logout', '/me/password', '/me/totp', '/me/totp/confirm', '/me/user']) {
    const ask = path === '/me/user' ? { method: 'GET' } : { method: 'POST', body: {} }
    const response = await world.call(ask.method, path, { auth: shop.as_merchant, ...ask })
    expect(response).toMatchObject({ status: 403, body: { code: 'INVALID_PERMISSIONS' } })
  }
})

test('a session ends when it was not used for 15 minutes', async () => {
  const auth = await loginToken(world, user.email)
  for (let index = 0; index < 3; index += 1) {
    world.clock.advance(15 * minute_ms - 1)
    expect((await me(auth)).status).toBe(200)
  }
  world.clock.advance(15 * minute_ms)
  expect(await me(auth)).toMatchObject(expired)
})

test('a session that is used on another node is not idle on this one', async () => {
  const other = await world.another()
  const auth = await loginToken(world, user.email)
  expect((await me(auth)).status).toBe(200)
  world.clock.advance(10 * minute_ms)
  expect((await me(auth, other)).status).toBe(200)
  world.clock.advance(10 * minute_ms)
  expect((await me(auth)).status).toBe(200)
})

test('a login token is renewed in the second half of its hour, for twelve hours at most', async () => {
  let auth = await loginToken(world, user.email)
  const { jti } = claimsOf(auth)
  expect((await me(auth)).headers.authorization).toBeUndefined()
  let renewed = 0
  let passed_ms = 0
  for (; passed_ms < 13 * hour_ms; passed_ms += 10 * minute_ms) {
    world.clock.advance(10 * minute_ms)
    const { status, headers } = await me(auth)
    if (status !== 200) break
    if (!headers.authorization) continue
    renewed += 1
    auth = headers.authorization
    expect(claimsOf(auth)).toMatchObject({ jti, email: user.email })
  }
  expect(renewed).toBeGreaterThan(10)
  expect(Math.abs(passed_ms - 12 * hour_ms)).toBeLessThan(11 * minute_ms)
  expect((await me(auth)).status).toBe(401)
})

test('a token that was not renewed expires after its hour, in a session that continues', async () => {
  const auth = await loginToken(world, user.email)
  let newer = auth
  for (let index = 0; index < 6; index += 1) {
    world.clock.advance(10 * minute_ms)
    newer = (await me(newer)).headers.authorization ?? newer
  }
  expect(await me(auth)).toMatchObject(expired)
  expect((await me(newer)).status).toBe(200)
})

test('an application token never gets an Authorization header back', async () => {
  world.clock.advance(24 * hour_ms)
  for (const auth of [shop.as_merchant, shop.as_store, `Bearer ${shop.jwt}`]) {
    const response = await world.call('GET', '/me', { auth })
    expect(response.headers).not.toHaveProperty('authorization')
  }
})

test('logging out ends this session or all, immediately and on every node', async () => {
  const other = await world.another()
  const [one, two, three] = [
    await loginToken(world, user.email),
    await loginToken(world, user.email),
    await loginToken(world, user.email),
  ]
  for (const auth of [one, two, three]) expect((await me(auth, other)).status).toBe(200)
  const heard = (count: number) =>
    new Promise<void>((resolve) => {
      let left = count
      other.service.signals.on('revoked', () => {
        left -= 1
        if (left === 0) resolve()
      })
    })
  const first = heard(1)
  const out = (auth: string, body: object) => world.call('POST', '/logout', { auth, body })
  expect((await out(one, {})).status).toBe(204)
  expect(await me(one)).toMatchObject(ended)
  await first
  expect(await me(one, other)).toMatchObject(ended)
  expect((await me(two, other)).status).toBe(200)
  const rest = heard(2)
  expect((await out(two, { everywhere: true })).status).toBe(204)
  await rest
  for (const auth of [two, three]) {
    expect(await me(auth)).toMatchObject(ended)
    expect(await me(auth, other)).toMatchObject(ended)
  }
})

test('a node that receives no messages any more reads the row again within one second', async () => {
  const deaf = await world.another()
  const auth = await loginToken(world, user.email)
  expect((await me(auth, deaf)).status).toBe(200)
  await deaf.service.signals.close()
  expect((await world.call('POST', '/logout', { auth, body: {} })).status).toBe(204)
  world.clock.advance(1000)
  expect(await me(auth, deaf)).toMatchObject(ended)
})

test('a disabled user is logged out immediately', async () => {
  const auth = await loginToken(world, user.email)
  expect((await me(auth)).status).toBe(200)
  await disableUser(world.service, { merchant_id: shop.id, id: user.id })
  expect(await me(auth)).toMatchObject(ended)
  expect((await logIn(world, user.email)).status).toBe(401)
})

test('enabling the authenticator app starts a new session and ends the others', async () => {
  const before = await loginToken(world, user.email)
  const { auth } = await enrol(world, user.email)
  expect(await me(before)).toMatchObject(ended)
  expect((await me(auth)).body).toMatchObject({ totp_enabled: true })
})

test('the app is enabled only with the password and a code of it', async () => {
  const auth = await loginToken(world, user.email)
  const post = (path: string, body: object) => world.call('POST', path, { auth, body })
  expect((await post('/me/totp', { password: 'wrong-47-garden' })).status).toBe(401)
  expect((await post('/me/totp/confirm', { totp: '123456' })).status).toBe(404)
  const { body } = await post('/me/totp', { password: 'tulip-47-garden' })
  expect(body.otpauth_url).toContain(`secret=${body.secret}&issuer=Kaikei`)
  const { rows } = await world.store.pool.query('select * from users where id = $1', [user.id])
  expect(JSON.stringify(rows)).not.toContain(body.secret)
  expect((await post('/me/totp/confirm', { totp: '000000' })).status).toBe(400)
  expect((await me(auth)).body.totp_enabled).toBe(false)
})

test('the app is replaced only with a code of the old one, or a recovery code', async () => {
  const app = await enrol(world, user.email)
  const correct = { password: 'tulip-47-garden' }
  const start = (body: object) => world.call('POST', '/me/totp', { auth: app.auth, body })
  const unchanged = async () =>
    (await world.store.pool.query('select totp_new_secret from users where id = $1', [user.id]))
      .rows
  expect(await start(correct)).toMatchObject({ body: { code: 'TOTP_REQUIRED' } })
  world.clock.advance(minute_ms)
  const wrong = app.code() === '000000' ? '000001' : '000000'
  expect((await start({ ...correct, totp: wrong })).status).toBe(401)
  expect((await start({ ...correct, recovery_code: 'aaaa-bbbb' })).status).toBe(401)
  expect(await unchanged()).toEqual([{ totp_new_secret: null }])
  const totp = app.code()
  expect((await start({ password: 'wrong-47-garden', totp })).status).toBe(401)
  expect((await start({ ...correct, totp })).status).toBe(201)
  expect((await start({ ...correct, totp })).status).toBe(401)
  const [recovery_code] = app.recovery_codes
  const { status, body } = await start({ ...correct, recovery_code })
  expect(status).toBe(201)
  const confirm = { auth: app.auth, body: { totp: codeOf(world, body.secret) } }
  expect((await world.call('POST', '/me/totp/confirm', confirm)).status).toBe(200)
})

test('ended sessions are deleted from the database', async () => {
  await loginToken(world, user.email)
  const count = async () =>
    (await world.store.pool.query('select 1 from user_sessions where user_id = $1', [user.id])).rows
      .length
  expect(await count()).toBe(1)
  world.clock.advance(12 * hour_ms + 1)
  await runAllDue(world.service)
  expect(await count()).toBe(0)
})
