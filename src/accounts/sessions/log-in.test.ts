import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  enrol,
  logIn,
  loginToken,
  newUser,
  password,
  type TestUser,
} from '../../../test/support/console-users.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { newWorld, type World } from '../../../test/support/world.ts'
import { day_ms, minute_ms } from '../../core/time/clock.ts'
import { newPasswords } from '../../vault/password-hash.ts'
import { createUser, disableUser } from '../users/create-user.ts'

const world = useWorld()
/** Its passwords cost as much as in production. */
let slow: World
const shop = useMerchant(world, { passed_ms: 10 * minute_ms })
let user: TestUser

beforeAll(async () => {
  slow = await newWorld({ has_slow_passwords: true })
})
beforeEach(async () => {
  user = await newUser(world, shop)
})
afterAll(async () => {
  await slow.close()
})

const refused = { status: 401, body: { code: 'INVALID_CREDENTIALS' } }
const wrong = { password: 'wrong-47-garden' }
const read = async (sql: string, values: unknown[]) =>
  (await world.store.pool.query(sql, values)).rows

/** Attempts slowly enough that no rate limit refuses any of them. */
async function tryWrong(count: number, more: object = wrong): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    world.clock.advance(10_000)
    expect(await logIn(world, user.email, more)).toMatchObject(refused)
  }
}

test('a user logs in with e-mail and password, however they are spelled', async () => {
  const response = await logIn(world, user.email.toUpperCase())
  expect(response).toMatchObject({ status: 200, body: { merchant_id: shop.id } })
  expect(Object.keys(response.body).sort()).toEqual(['jwt', 'merchant_id'])
  const wide = password.replace('tulip', 'ｔｕｌｉｐ')
  expect((await logIn(world, user.email, { password: wide })).status).toBe(200)
})

test('the response does not reveal why a login was refused', async () => {
  const other = await newUser(world, shop)
  await disableUser(world.service, { merchant_id: shop.id, id: other.id })
  const invited = {
    merchant_id: shop.id,
    email: `invited-${user.email}`,
    name: 'N',
    role: 'staff',
    lang: 'ja',
  } as const
  await createUser(world.service, invited)
  const responses = [
    await logIn(world, user.email, wrong),
    await logIn(world, 'nobody@console.example'),
    await logIn(world, 'not an e-mail'),
    await logIn(world, other.email),
    await logIn(world, invited.email),
    await logIn(world, invited.email, { password: '' }),
  ]
  await tryWrong(9)
  responses.push(await logIn(world, user.email))
  for (const response of responses) expect(response).toMatchObject(refused)
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
})

test('a login takes as long for an unknown e-mail', async () => {
  const owner = await slow.merchant()
  const others = [await newUser(slow, owner), await newUser(slow, owner)]
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  for (let index = 0; index < 10; index += 1) {
    slow.clock.advance(minute_ms)
    const known = others[index % 2]?.email ?? ''
    for (const [name, email] of [
      ['known', known],
      ['unknown', `nobody${index}@console.example`],
    ] as const) {
      const began = process.cpuUsage()
      expect(await logIn(slow, email, wrong)).toMatchObject(refused)
      times[name].push(process.cpuUsage(began).user)
    }
  }
  // Processor time, and the minimum of each: other load on the machine only adds. Without the hash it would
  // be a twentieth.
  const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)]
  expect(Math.abs(known - unknown)).toBeLessThan(Math.max(known, unknown) * 0.7)
})

test('the tenth wrong password locks the account for half an hour', async () => {
  await tryWrong(9)
  expect((await logIn(world, user.email)).status).toBe(200)
  await tryWrong(10)
  world.clock.advance(29 * minute_ms)
  expect(await logIn(world, user.email)).toMatchObject(refused)
  world.clock.advance(minute_ms)
  expect((await logIn(world, user.email)).status).toBe(200)
  const events = await read('select name from events where resource_id = $1', [user.id])
  expect(events.filter(({ name }) => name === 'user_locked')).toHaveLength(1)
})

test('after the lock there are ten attempts again, not one', async () => {
  await tryWrong(10)
  world.clock.advance(30 * minute_ms)
  await tryWrong(9)
  expect((await logIn(world, user.email)).status).toBe(200)
})

test('of many concurrent attempts no more than ten are checked', async () => {
  const other = await world.another()
  const nodes = [world, other]
  await tryWrong(5)
  world.clock.advance(minute_ms)
  const responses = await Promise.all(
    Array.from({ length: 16 }, (_, index) => logIn(nodes[index % 2] as World, user.email, wrong)),
  )
  for (const { status } of responses) expect([401, 429, 503]).toContain(status)
  const [row] = await read('select failures, locked_until from users where id = $1', [user.id])
  expect(row).toMatchObject({ failures: 10, locked_until: expect.any(Date) })
  world.clock.advance(minute_ms)
  expect(await logIn(world, user.email)).toMatchObject(refused)
})

test('the attempts of one e-mail and of one address are limited', async () => {
  const statuses: number[] = []
  for (let index = 0; index < 12; index += 1) {
    // Two seconds refill the rate of the route, not that of logging in.
    world.clock.advance(500)
    statuses.push((await logIn(world, 'flood@console.example')).status)
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
  expect(statuses.slice(11)).toEqual([429])
  const limited = await logIn(world, 'flood@console.example')
  expect(limited).toMatchObject({ status: 429, body: { code: 'BAD_REQUEST' } })
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  const sources: number[] = []
  for (let index = 0; index < 40; index += 1) {
    world.clock.advance(500)
    sources.push((await logIn(world, `flood${index}@console.example`)).status)
  }
  expect(sources).toContain(429)
})

test('logins beyond the hash queue get 503 with Retry-After and count against no account', async () => {
  expect((await world.call('GET', '/me', { auth: shop.as_store })).status).toBe(200)
  // Fills the queue, and adds another login whenever one completes.
  let busy = true
  const keepBusy = async () => {
    while (busy) {
      try {
        await world.service.passwords.hash('x')
      } catch {
        await sleep(1)
      }
    }
  }
  const all = Promise.all(Array.from({ length: 30 }, keepBusy))
  const response = await logIn(world, user.email, wrong)
  expect(response).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  expect(response.headers['retry-after']).toBe('2')
  // Other requests are answered while the hashes are still queued.
  expect((await world.call('GET', '/me', { auth: shop.as_store })).status).toBe(200)
  busy = false
  await all
  expect(await read('select failures from users where id = $1', [user.id])).toEqual([
    { failures: 0 },
  ])
})

test('a hash with older parameters is replaced at the next login', async () => {
  const { email, id } = await newUser(slow, await slow.merchant())
  const weak = newPasswords(slow.service.keys.fingerprint, {
    memoryCost: 8192,
    timeCost: 1,
    parallelism: 1,
  })
  await slow.store.pool.query('update users set password_hash = $2 where id = $1', [
    id,
    await weak.hash(password),
  ])
  await loginToken(slow, email)
  const { rows } = await slow.store.pool.query('select password_hash from users where id = $1', [
    id,
  ])
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  await loginToken(slow, email)
})

test('with an authenticator app a login needs a code, and each code works once', async () => {
  const app = await enrol(world, user.email)
  world.clock.advance(minute_ms)
  expect(await logIn(world, user.email)).toMatchObject({
    status: 401,
    body: { code: 'TOTP_REQUIRED' },
  })
  expect(await logIn(world, user.email, { ...wrong, totp: app.code() })).toMatchObject(refused)
  const totp = app.code()
  // One of two concurrent logins with the same code succeeds.
  const both = await Promise.all([
    logIn(world, user.email, { totp }),
    logIn(world, user.email, { totp }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  world.clock.advance(25_000)
  expect(await logIn(world, user.email, { totp })).toMatchObject(refused)
  world.clock.advance(minute_ms)
  expect((await logIn(world, user.email, { totp: app.code() })).status).toBe(200)
})

test('wrong codes count like wrong passwords, and asking for the code does not', async () => {
  const app = await enrol(world, user.email)
  for (let index = 0; index < 12; index += 1) {
    world.clock.advance(10_000)
    expect((await logIn(world, user.email)).body.code).toBe('TOTP_REQUIRED')
  }
  const not_the_code = () => (app.code() === '000000' ? '000001' : '000000')
  for (let index = 0; index < 10; index += 1) {
    world.clock.advance(10_000)
    const response = await logIn(world, user.email, { totp: not_the_code() })
    expect(response).toMatchObject(refused)
  }
  world.clock.advance(minute_ms)
  expect(await logIn(world, user.email, { totp: app.code() })).toMatchObject(refused)
  const events = await read(
    "select 1 from events where resource_id = $1 and name = 'user_locked'",
    [user.id],
  )
  expect(events).toHaveLength(1)
})

test('a recovery code works once, and is stored as a hash', async () => {
  const { recovery_codes } = await enrol(world, user.email)
  expect(recovery_codes).toHaveLength(10)
  const [first = '', second = ''] = recovery_codes
  expect(first).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  const rows = await read('select * from users where id = $1', [user.id])
  expect(JSON.stringify(rows)).not.toContain(first.replaceAll('-', ''))
  world.clock.advance(minute_ms)
  const typed = first.toUpperCase().replaceAll('-', ' ')
  expect((await logIn(world, user.email, { recovery_code: typed })).status).toBe(200)
  expect(await logIn(world, user.email, { recovery_code: first })).toMatchObject(refused)
  expect(await logIn(world, user.email, { recovery_code: '' })).toMatchObject(refused)
  expect((await logIn(world, user.email, { recovery_code: second })).status).toBe(200)
})

test('no secret is in the log or in an event', async () => {
  const app = await enrol(world, user.email)
  world.clock.advance(minute_ms)
  const totp = app.code()
  const auth = await loginToken(world, user.email, { totp })
  world.clock.advance(day_ms)
  const events = await read('select data from events where merchant_id = $1', [shop.id])
  const seen = JSON.stringify(events) + world.log.join('')
  for (const secret of [password, auth, ...app.recovery_codes, 'argon2id']) {
    expect(seen).not.toContain(secret)
  }
})
