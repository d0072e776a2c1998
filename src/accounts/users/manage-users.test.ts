import { beforeEach, expect, test } from 'vitest'
import { signIn } from '../../../test/support/console-calls.ts'
import {
  enrol,
  loginToken,
  newUser,
  password,
  type TestUser,
} from '../../../test/support/console-users.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { minute_ms } from '../../core/time/clock.ts'
import { runAllDue } from '../../worker/worker.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 10 * minute_ms })
let owner: TestUser
let auth: string

beforeEach(async () => {
  owner = await newUser(world, shop)
  auth = (await enrol(world, owner.email)).auth
})

const refused = { status: 403, body: { code: 'INVALID_PERMISSIONS' } }
const taro = { email: 'Taro@shop.example', name: 'Taro', role: 'staff', lang: 'ja' }
let made = 0
const invite = (more: object = {}) => {
  made += 1
  const body = { ...taro, email: `taro${made}@shop.example`, ...more }
  return world.call('POST', '/users', { auth, body })
}
const patch = (id: string, body: object, by = auth) =>
  world.call('PATCH', `/users/${id}`, { auth: by, body })

test('an owner invites a user, and the mailed link sets the password', async () => {
  const { status, body } = await invite()
  expect(status).toBe(201)
  expect(body).toMatchObject({ role: 'staff', has_password: false, disabled_on: null })
  const again = await invite({ email: body.email.toUpperCase() })
  expect(again).toMatchObject({ status: 409, body: { code: 'USER_EMAIL_EXISTS' } })
  const sent: string[] = []
  const mailer = {
    ...world.service.mailer,
    send: async (mail: { text: string }) => {
      sent.push(mail.text)
    },
  }
  await runAllDue({ ...world.service, mailer })
  const [, link = ''] = /account\/password\/(\w+)/.exec(sent.at(-1) ?? '') ?? []
  const chosen = await world.call('POST', `/password_resets/${link}`, { body: { password } })
  expect(chosen.status).toBe(204)
  await loginToken(world, body.email)
  const read = await world.call('GET', `/users/${body.id}`, { auth })
  expect(read.body).toMatchObject({ has_password: true, totp_enabled: false })
})

test('lists users, and disabled ones apart; another merchant sees none of them', async () => {
  const { id } = (await invite()).body
  const list = async (query: Record<string, string> = {}) =>
    (await world.call('GET', '/users', { auth, query })).body.items.map(({ id: one }: never) => one)
  expect(await list()).toEqual([id, owner.id])
  expect((await world.call('DELETE', `/users/${id}`, { auth })).status).toBe(204)
  expect(await list()).toEqual([owner.id])
  expect(await list({ disabled: 'true' })).toEqual([id])
  const stranger = (await enrol(world, (await newUser(world, await world.merchant())).email)).auth
  for (const [method, body] of [['GET'], ['PATCH', { role: 'owner' }], ['DELETE']] as const) {
    const options = { auth: stranger, ...(body ? { body } : {}) }
    expect((await world.call(method, `/users/${id}`, options)).status).toBe(404)
  }
})

test('a changed role ends the sessions, and the next one has it', async () => {
  const { id, email } = await newUser(world, shop, { role: 'viewer' })
  const before = await loginToken(world, email)
  const changed = await patch(id, { role: 'staff', name: 'Renamed', lang: 'ja' })
  expect(changed.body).toMatchObject({ role: 'staff', name: 'Renamed', lang: 'ja' })
  expect((await world.call('GET', '/me/user', { auth: before })).status).toBe(401)
  const after = await loginToken(world, email)
  expect((await world.call('GET', '/me/user', { auth: after })).body.role).toBe('staff')
})

test('a user cannot raise their own role, directly or through another user', async () => {
  const body = { role: 'owner', is_operator: true, merchant_id: shop.id }
  for (const role of ['developer', 'staff', 'viewer'] as const) {
    const { id, email } = await newUser(world, shop, { role })
    const by = (await enrol(world, email)).auth
    expect(await patch(id, body, by)).toMatchObject(refused)
    expect(await patch(owner.id, { role: 'viewer' }, by)).toMatchObject(refused)
    expect(await world.call('POST', '/users', { auth: by, body: taro })).toMatchObject(refused)
    const own = await world.call('PATCH', '/me/user', { auth: by, body: { ...body, name: 'N' } })
    expect(own).toMatchObject({ status: 200, body: { role, name: 'N' } })
    const { rows } = await world.store.pool.query('select * from users where id = $1', [id])
    expect(rows[0]).toMatchObject({ role, is_operator: false })
  }
  const invited = await invite({ is_operator: true })
  expect(invited.body.is_operator).toBe(false)
  expect((await patch(invited.body.id, body)).body).toMatchObject({ is_operator: false })
})

test('the last owner stays one', async () => {
  const last = { status: 400, body: { errors: [{ field: 'role', reason: 'CHANGE_PROHIBITED' }] } }
  await invite({ role: 'owner' })
  expect(await patch(owner.id, { role: 'staff' })).toMatchObject(last)
  expect(await patch(owner.id, { disabled: true })).toMatchObject(last)
  const path = `/users/${owner.id}`
  expect(await world.call('DELETE', path, { auth })).toMatchObject(last)
  const other = await newUser(world, shop)
  const by = (await enrol(world, other.email)).auth
  const [one, two] = await Promise.all([
    patch(owner.id, { role: 'staff' }),
    patch(other.id, { role: 'staff' }, by),
  ])
  expect([one?.status, two?.status].sort()).not.toEqual([200, 200])
  const { rows } = await world.store.pool.query(
    `select from users where merchant_id = $1 and role = 'owner' and password_hash is not null`,
    [shop.id],
  )
  expect(rows.length).toBe(1)
})

test('a disabled user is restored with a new password', async () => {
  const { id, email } = await newUser(world, shop, { role: 'staff' })
  expect((await patch(id, { disabled: true })).body).toMatchObject({ has_password: false })
  const body = { email, password }
  expect((await world.call('POST', '/authenticate', { body })).status).toBe(401)
  expect((await patch(id, { disabled: false })).body).toMatchObject({ disabled_on: null })
  const mails = await world.store.pool.query('select from mails where recipient = $1', [email])
  expect(mails.rows.length).toBe(2)
})

test('users see their sessions, and end one', async () => {
  const headers = { 'user-agent': 'Phone' }
  await world.call('POST', '/authenticate', { headers, body: { email: owner.email, password } })
  const { email } = await newUser(world, shop, { role: 'viewer' })
  const browser = await signIn(world, email)
  const program = await loginToken(world, email)
  const { items } = (await browser.api('GET', '/me/sessions')).body
  expect(items.length).toBe(2)
  const [here, there] = [true, false].map((is) =>
    items.find((one: { is_current: boolean }) => one.is_current === is),
  )
  expect([here.via, there.via]).toEqual(['cookie', 'token'])
  const end = (id: string) => browser.api('DELETE', `/me/sessions/${id}`)
  expect((await end(there.id)).status).toBe(204)
  expect((await end(there.id)).status).toBe(404)
  expect((await world.call('GET', '/me/user', { auth: program })).status).toBe(401)
  const other = (await world.call('GET', '/me/sessions', { auth })).body.items[0].id
  expect((await end(other)).status).toBe(404)
  expect((await world.call('GET', '/me/user', { auth })).status).toBe(200)
})
