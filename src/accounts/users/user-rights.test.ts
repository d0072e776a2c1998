import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { signIn } from '../../../test/support/console-calls.ts'
import { enrol, loginToken, newUser, password } from '../../../test/support/console-users.ts'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { page } from '../../api/routes/operation.ts'
import { type Role, roles } from '../../core/access/users.ts'
import { minute_ms, second_ms } from '../../core/time/clock.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 10 * minute_ms, verified: true })

const refused = { status: 403, body: { code: 'INVALID_PERMISSIONS' } }
const webhook = { url: 'http://127.0.0.1:9/hook', triggers: ['charge_finished'] }
const account = {
  holder_name: 'A',
  bank_name: 'B',
  country: 'JP',
  currency: 'JPY',
  account_number: '1234567',
}

/** Every role with and without an authenticator app. */
async function people() {
  const [owner, staff] = [await newUser(world, shop), await newUser(world, shop, { role: 'staff' })]
  const half_owner = await loginToken(world, owner.email)
  const half_staff = await loginToken(world, staff.email)
  const full = [await newUser(world, shop), await newUser(world, shop, { role: 'staff' })] as const
  return {
    half_owner,
    half_staff,
    owner: (await enrol(world, full[0].email)).auth,
    staff: (await enrol(world, full[1].email)).auth,
  }
}

test('a user may call what a merchant token may, and nothing that needs a store', async () => {
  const { owner } = await people()
  for (const [method, path, status] of [
    ['GET', '/me', 200],
    ['GET', '/stores', 200],
    ['GET', `/stores/${shop.store_id}`, 200],
    ['GET', '/charges', 200],
    ['GET', '/events', 200],
    ['GET', '/webhooks', 200],
    ['GET', '/bank_accounts', 200],
    ['POST', '/tokens', 403],
    ['POST', '/charges', 403],
    ['POST', '/subscriptions', 403],
    ['GET', `/stores/${(await world.merchant()).store_id}`, 404],
  ] as const) {
    const response = await world.call(method, path, {
      auth: owner,
      ...(method === 'POST' ? { body: {} } : {}),
    })
    expect(response.status, `${method} ${path}`).toBe(status)
  }
})

test('staff cannot grant access and change neither webhooks nor bank accounts', async () => {
  const { owner, staff } = await people()
  for (const [path, body] of [
    ['/app_jwts', {}],
    [`/stores/${shop.store_id}/app_jwts`, { mode: 'test' }],
    ['/webhooks', webhook],
    [`/stores/${shop.store_id}/webhooks`, webhook],
    ['/bank_accounts', account],
    ['/stores', { name: 'Another' }],
  ] as const) {
    expect(await world.call('POST', path, { auth: staff, body }), path).toMatchObject(refused)
    expect((await world.call('POST', path, { auth: owner, body })).status, path).toBe(201)
  }
  const { items } = (await world.call('GET', '/app_jwts', { auth: owner })).body
  const path = `/app_jwts/${items[0].jti}`
  expect(await world.call('DELETE', path, { auth: staff })).toMatchObject(refused)
  expect((await world.call('DELETE', path, { auth: owner })).status).toBe(204)
  expect((await world.call('GET', '/bank_accounts', { auth: staff })).status).toBe(200)
  expect(await world.call('GET', '/webhooks', { auth: staff })).toMatchObject(refused)
})

test('the creator of an application token is the user', async () => {
  const { owner } = await people()
  const { id } = (await world.call('GET', '/me/user', { auth: owner })).body
  const created = await world.call('POST', '/app_jwts', { auth: owner, body: {} })
  expect(created).toMatchObject({ status: 201, body: { creator_id: id, merchant_id: shop.id } })
})

test('without an authenticator app an owner has no access to live mode', async () => {
  const { half_owner: auth } = await people()
  const create = (path: string, body: object) => world.call('POST', path, { auth, body })
  const tokens = `/stores/${shop.store_id}/app_jwts`
  expect((await create(tokens, { mode: 'test' })).status).toBe(201)
  expect(await create(tokens, { mode: 'live' })).toMatchObject(refused)
  expect(await create('/app_jwts', {})).toMatchObject(refused)
  expect(await create('/webhooks', webhook)).toMatchObject(refused)
  expect(await create('/bank_accounts', account)).toMatchObject(refused)
  expect(await world.call('GET', '/bank_accounts', { auth })).toMatchObject(refused)
  expect(await world.call('PATCH', '/me', { auth, body: {} })).toMatchObject(refused)
  await world.call('POST', tokens, { auth: shop.as_merchant, body: { mode: 'live' } })
  const seen = (await world.call('GET', tokens, { auth })).body.items
  expect(new Set(seen.map(({ mode }: { mode: string }) => mode))).toEqual(new Set(['test']))
})

test('a user sees live payments only with an authenticator app', async () => {
  const pay = payments(world, shop)
  const [test_charge, live_charge] = [await pay.settled(), await pay.settled()]
  await world.store.pool.query(`update charges set mode = 'live' where id = $1`, [live_charge.id])
  const { half_owner, half_staff, owner, staff } = await people()
  for (const [auth, ids] of [
    [half_owner, [test_charge.id]],
    [half_staff, [test_charge.id]],
    [owner, [live_charge.id, test_charge.id]],
    [staff, [live_charge.id, test_charge.id]],
  ] as const) {
    const { items } = (await world.call('GET', '/charges', { auth })).body
    expect(items.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort())
    const one = await world.call('GET', pay.chargePath(live_charge.id), { auth })
    expect(one.status).toBe(ids.length === 2 ? 200 : 404)
  }
  const refund = await world.call('POST', `${pay.chargePath(test_charge.id)}/refunds`, {
    auth: half_staff,
    body: { amount: 1, currency: 'JPY' },
  })
  expect(refund.status).toBe(201)
})

test('users have real time: a moved test clock neither ends nor prolongs their sessions', async () => {
  const { half_owner: auth } = await people()
  const moved = await world.call('POST', '/test/clock', { auth, body: { advance: 'P400D' } })
  expect(moved.status, moved.text).toBe(200)
  expect((await world.call('GET', '/me/user', { auth })).status).toBe(200)
  const started = await world.call('POST', '/me/totp', { auth, body: { password } })
  expect(started.status).toBe(201)
})

/** What each role may change, and may not even read, by the paths of the API. */
const expected: Record<Role, { changes: RegExp; hidden: RegExp }> = {
  owner: { changes: /^/, hidden: /^\/operator\// },
  developer: {
    changes: /webhooks|app_jwts|app_tokens|^\/test\/|simulate_plan|calculate$/,
    hidden: /^\/(operator|users|audit_log|bank_accounts|verification)/,
  },
  staff: {
    changes:
      /\/(charges|refunds|subscriptions|tokens|checkout_sessions|payment_links|disputes)(\/|$)|create_customer_id|^\/test\/|calculate$/,
    hidden: /webhooks|deliveries|app_jwts|app_tokens|^\/(operator|users|audit_log|requests)/,
  },
  viewer: {
    changes: /simulate_plan|calculate$/,
    hidden: /webhooks|deliveries|app_jwts|app_tokens|^\/(operator|users|audit_log|requests)/,
  },
}

test.each(roles)('every route, as a user with the role %s', async (role) => {
  const { email } = await newUser(world, shop, { role })
  const { auth } = await enrol(world, email)
  const { changes, hidden } = expected[role]
  const about_oneself = /^\/(logout|me\/|console\/)/
  let called = 0
  for (const [path, item] of Object.entries(world.app.describeRoutes().paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { level } = operation['x-access'] ?? {}
      if (level === 'public' || level === 'store' || about_oneself.test(path)) continue
      const own: Record<string, string> = { store_id: shop.store_id, merchant_id: shop.id }
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => own[name] ?? randomUUID())
      if (method === 'delete' && !url.includes('-', url.indexOf(shop.store_id) + 36)) continue
      world.clock.advance(second_ms)
      const reads = method === 'get'
      const may = !hidden.test(path) && (reads || changes.test(path))
      const options = { auth, ...(/post|patch/.test(method) ? { body: {} } : {}) }
      const response = await world.call(method.toUpperCase(), url, options)
      expect([path, method, response.status !== 403]).toEqual([path, method, may])
      called += 1
    }
  }
  expect(called).toBeGreaterThan(100)
})

test('a developer changes payments in test mode only', async () => {
  const { email } = await newUser(world, shop, { role: 'developer' })
  const browser = await signIn(world, email)
  const { id } = await payments(world, shop).settled()
  const path = `/stores/${shop.store_id}/charges/${id}/refunds`
  const body = { amount: 1, currency: 'JPY' }
  expect((await browser.api('POST', path, { body })).status).toBe(201)
  const { auth } = await enrol(world, (await newUser(world, shop, { role: 'developer' })).email)
  const refused_here = await world.call('POST', path, { auth, body })
  expect(refused_here.body.message).toContain('in test mode only')
})

test.each([
  ['PATCH', '/me', 'settings', false, true, 'always'],
  ['DELETE', '/stores/:store_id', 'settings', false, true, 'always'],
  ['POST', '/merchants/:merchant_id/webhooks', 'webhooks', false, true, null],
  ['GET', '/stores/:store_id/webhooks/:webhook_id/secret', 'webhooks', true, true, 'always'],
  ['DELETE', '/stores/:store_id/app_jwts/:app_token_id', 'app_tokens', false, true, 'always'],
  ['POST', '/stores/:store_id/app_jwts', 'app_tokens', false, false, 'always'],
  ['GET', '/bank_accounts/:bank_account_id', 'bank_accounts', true, true, null],
  ['GET', '/stores/:store_id', 'settings', true, false, null],
  ['POST', '/stores/:store_id/charges/:charge_id/refunds', 'payments', false, false, 'amount'],
  ['DELETE', '/stores/:store_id/tokens/:token_id', 'payments', false, false, null],
  ['POST', '/subscriptions/simulate_plan', 'payments', true, false, null],
  ['POST', '/test/clock', 'test', false, false, null],
  ['PATCH', '/users/:user_id', 'users', false, true, 'always'],
  ['DELETE', '/me/sessions/:session_id', 'own', false, false, null],
])('%s %s belongs to %s', (method, pattern, area, reads, needs_second_factor, confirm) => {
  const route = world.app.operations.find((one) => one.method === method && one.url === pattern)
  expect(route?.config.right).toEqual({ area, reads, needs_second_factor, confirm })
})

test('a route that belongs to no right is refused by the compiler', () => {
  const something = { at: 'GET /something/new', handle: () => ({}) } as const
  // @ts-expect-error It says neither which right it needs nor that it is public.
  const refused_here = () => page(something)
  expect(refused_here).toBeTypeOf('function')
  expect(page({ ...something, right: 'own' }).config.right?.area).toBe('own')
  expect(page({ ...something, right: 'public' }).config.access).toEqual({ level: 'public' })
})

test('every route names a right, or is public', () => {
  const { operations } = world.app
  expect(operations.length).toBeGreaterThan(250)
  const without = operations.filter(
    ({ config }) => !config.right && config.access?.level !== 'public',
  )
  expect(without).toEqual([])
})
