import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { World } from '../../../test/support/world.ts'
import { page } from '../../api/routes/operation.ts'
import { day_ms } from '../../core/time/clock.ts'
import { route_modules } from '../../http/route-modules.ts'
import { runAllDue } from '../../worker/worker.ts'
import { parseCredential } from '../credentials/credential.ts'
import { createAppToken } from './create-app-token.ts'

// `/open` represents routes where the JWT alone suffices, `/from-domains` those where it does from the
// token's domains.
const probe = { right: 'payments', handle: () => ({}) } as const
const probes = [
  page({ at: 'GET /open', access: { without_secret: 'anywhere' }, ...probe }),
  page({ at: 'GET /from-domains', access: { without_secret: 'from_domains' }, ...probe }),
  page({ at: 'GET /store-only', access: { level: 'store' }, ...probe }),
]

const world = useWorld({ modules: [...route_modules, probes] })
const shop = useMerchant(world, {
  passed_ms: 60_000,
  domains: ['shop.example', '*.wild.example', 'localhost:3000'],
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function forge(header: object, claims: object, key: Buffer | string = ''): string {
  const body = `${encode(header)}.${encode(claims)}`
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`
}

function claimsOf(jwt: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
}

test('a token of a store is created with its secret, listed without, and deleted', async () => {
  const path = `/stores/${shop.store_id}/app_jwts`
  const auth = shop.as_merchant
  const created = await world.call('POST', path, {
    auth,
    body: { mode: 'test', domains: ['a.example'] },
  })
  expect(created).toMatchObject({
    status: 201,
    body: { merchant_id: shop.id, store_id: shop.store_id, mode: 'test', domains: ['a.example'] },
  })
  expect(created.body.secret).toMatch(/^[A-Za-z0-9]{27}$/)
  expect(claimsOf(created.body.jwt)).toMatchObject({
    sub: 'app_token',
    merchant_id: shop.id,
    store_id: shop.store_id,
    mode: 'test',
    domains: ['a.example'],
    version: 1,
    jti: created.body.jti,
    iat: expect.any(Number),
    creator_id: expect.any(String),
  })
  const mine = `Bearer ${created.body.secret}.${created.body.jwt}`
  expect((await world.call('GET', '/me', { auth: mine })).status).toBe(200)
  const { items } = (await world.call('GET', path, { auth })).body
  expect(items).toHaveLength(2)
  expect(items[0]).toMatchObject({ jti: created.body.jti, jwt: created.body.jwt })
  expect(items[0]).not.toHaveProperty('secret')
  expect((await world.call('DELETE', `${path}/${created.body.jti}`, { auth })).status).toBe(204)
  expect(await world.call('GET', '/me', { auth: mine })).toMatchObject({
    status: 401,
    body: { code: 'INVALID_APP_TOKEN' },
  })
  expect((await world.call('DELETE', `${path}/${created.body.jti}`, { auth })).status).toBe(404)
})

test('a token of the merchant has no store, mode or domains in its claims and sees all stores', async () => {
  const created = await world.call('POST', '/app_jwts', { auth: shop.as_merchant })
  const claims = claimsOf(created.body.jwt)
  expect(claims).toMatchObject({ merchant_id: shop.id, roles: ['merchant'] })
  for (const name of ['store_id', 'mode', 'domains']) expect(claims).not.toHaveProperty(name)
  const auth = `Bearer ${created.body.secret}.${created.body.jwt}`
  const other = await world.call('POST', '/stores', { auth, body: { name: 'Other' } })
  expect((await world.call('GET', `/stores/${other.body.id}`, { auth })).status).toBe(200)
  const foreign = await world.call('GET', `/stores/${other.body.id}`, { auth: shop.as_store })
  expect(foreign.status).toBe(404)
})

test("a store's token manages no tokens: it could make itself a live one", async () => {
  for (const [method, path] of [
    ['GET', '/app_jwts'],
    ['POST', '/app_jwts'],
    ['POST', `/stores/${shop.store_id}/app_jwts`],
    ['DELETE', `/stores/${shop.store_id}/app_jwts/${shop.token_id}`],
  ] as const) {
    const response = await world.call(method, path, { auth: shop.as_store })
    expect(response).toMatchObject({ status: 403, body: { code: 'INVALID_PERMISSIONS' } })
  }
})

test('live mode needs a verified merchant', async () => {
  const create = (auth: string, store_id: string) =>
    world.call('POST', `/stores/${store_id}/app_jwts`, { auth, body: { mode: 'live' } })
  expect(await create(shop.as_merchant, shop.store_id)).toMatchObject({
    status: 400,
    body: { code: 'LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED' },
  })
  const verified = await world.merchant({ verified: true })
  const live = await create(verified.as_merchant, verified.store_id)
  expect(live).toMatchObject({ status: 201, body: { mode: 'live' } })
})

test.each([
  ['no header', null, 'AUTH_HEADER_MISSING'],
  ['another scheme', 'Basic YTpi', 'INVALID_APP_TOKEN'],
  ['two segments', 'Bearer a.b', 'INVALID_APP_TOKEN'],
  ['five segments', 'Bearer a.b.c.d.e', 'INVALID_APP_TOKEN'],
  ['an empty last segment', 'Bearer a.b.c.', 'INVALID_APP_TOKEN'],
  ['an empty first segment', 'Bearer .a.b.c', 'INVALID_APP_TOKEN'],
  ['garbage', 'Bearer !!!', 'INVALID_APP_TOKEN'],
  ['an oversized one', `Bearer ${'a'.repeat(5000)}.b.c`, 'INVALID_APP_TOKEN'],
])('%s is 401', async (_, auth, code) => {
  expect(await world.call('GET', '/me', { auth })).toMatchObject({ status: 401, body: { code } })
})

test('a JWT that is not ours is refused, always with the same body', async () => {
  const claims = claimsOf(shop.jwt)
  const key = world.service.keys.signing.newest
  const good = { typ: 'JWT', alg: 'HS256', kid: key.id }
  const none = `${encode({ typ: 'JWT', alg: 'none' })}.${encode(claims)}`
  const forged: [string, string][] = [
    ['no signature', `${none}.x`],
    ['alg None', `${encode({ ...good, alg: 'None' })}.${encode(claims)}.x`],
    ['alg nOnE', `${encode({ ...good, alg: 'nOnE' })}.${encode(claims)}.x`],
    ['wrong key', forge(good, claims, 'wrong')],
    ['RS256', forge({ ...good, alg: 'RS256' }, claims, key.bytes)],
    ['HS512', forge({ ...good, alg: 'HS512' }, claims, key.bytes)],
    ['unknown kid', forge({ ...good, kid: 'nobody' }, claims, key.bytes)],
    ['no kid', forge({ typ: 'JWT', alg: 'HS256' }, claims, key.bytes)],
    ['kid traversal', forge({ ...good, kid: '../../dev/null' }, claims, '')],
    ['kid SQL', forge({ ...good, kid: "x' or '1'='1" }, claims, '')],
    ['embedded jwk', forge({ ...good, jwk: { kty: 'oct', k: 'AAAA' } }, claims, Buffer.alloc(3))],
    ['jku', forge({ ...good, jku: 'https://evil.example/keys' }, claims, 'x')],
    ['crit', forge({ ...good, crit: ['x'], x: 1 }, claims, key.bytes)],
    ['future nbf', forge(good, { ...claims, nbf: 4_000_000_000 }, key.bytes)],
    ['expired', forge(good, { ...claims, exp: 1 }, key.bytes)],
    ['another subject', forge(good, { ...claims, sub: 'login_token' }, key.bytes)],
    ['jti that is no id', forge(good, { ...claims, jti: "' or 1=1" }, key.bytes)],
    ['another typ', forge({ ...good, typ: 'at+jwt' }, claims, key.bytes)],
    ['unknown jti', forge(good, { ...claims, jti: crypto.randomUUID() }, key.bytes)],
    ['another merchant', forge(good, { ...claims, merchant_id: crypto.randomUUID() }, key.bytes)],
  ]
  const bodies = new Set<string>()
  for (const [name, jwt] of forged) {
    world.clock.advance(1000)
    const response = await world.call('GET', '/me', { auth: `Bearer ${shop.secret}.${jwt}` })
    expect(response.status, name).toBe(401)
    bodies.add(response.text)
  }
  expect(bodies.size).toBe(1)
  // The negative control: the same construction without a fault is accepted.
  const fine = forge(good, claims, key.bytes)
  expect((await world.call('GET', '/me', { auth: `Bearer ${shop.secret}.${fine}` })).status).toBe(
    200,
  )
})

test('an old form of the claims is 403 OUTDATED_APP_TOKEN', async () => {
  const key = world.service.keys.signing.newest
  const jwt = forge(
    { typ: 'JWT', alg: 'HS256', kid: key.id },
    { ...claimsOf(shop.jwt), version: 0 },
    key.bytes,
  )
  const response = await world.call('GET', '/me', { auth: `Bearer ${shop.secret}.${jwt}` })
  expect(response).toMatchObject({ status: 403, body: { code: 'OUTDATED_APP_TOKEN' } })
})

test('the claims do not decide: a changed mode or store in a signed JWT changes nothing', async () => {
  const key = world.service.keys.signing.newest
  const other = await world.merchant()
  const claims = { ...claimsOf(shop.jwt), mode: 'live', store_id: other.store_id, domains: ['*'] }
  const jwt = forge({ typ: 'JWT', alg: 'HS256', kid: key.id }, claims, key.bytes)
  const auth = `Bearer ${shop.secret}.${jwt}`
  expect((await world.call('GET', `/stores/${other.store_id}`, { auth })).status).toBe(404)
  expect((await world.call('GET', `/stores/${shop.store_id}`, { auth })).status).toBe(200)
})

test('a deleted token is immediately refused on every node', async () => {
  const other = await world.another()
  const get = (node: World) => node.call('GET', '/me', { auth: shop.as_store })
  expect([(await get(world)).status, (await get(other)).status]).toEqual([200, 200])
  const path = `/stores/${shop.store_id}/app_jwts/${shop.token_id}`
  const heard = new Promise<void>((resolve) => other.service.signals.on('revoked', () => resolve()))
  expect((await world.call('DELETE', path, { auth: shop.as_merchant })).status).toBe(204)
  expect((await get(world)).status).toBe(401)
  await heard
  expect((await get(other)).status).toBe(401)
})

test('a node that receives no messages any more reads the row again within one second', async () => {
  const deaf = await world.another()
  await deaf.service.signals.close()
  const get = async () => (await deaf.call('GET', '/me', { auth: shop.as_store })).status
  expect(await get()).toBe(200)
  await world.store.pool.query('update app_tokens set deleted_on = now() where id = $1', [
    shop.token_id,
  ])
  world.clock.advance(999)
  expect(await get()).toBe(200)
  world.clock.advance(1)
  expect(await get()).toBe(401)
})

test('the JWT alone is refused wherever the secret is needed', async () => {
  const auth = `Bearer ${shop.jwt}`
  for (const [method, path] of [
    ['GET', '/me'],
    ['GET', `/stores/${shop.store_id}`],
    ['GET', `/stores/${shop.store_id}/webhooks`],
    ['POST', `/stores/${shop.store_id}/webhooks`],
  ] as const) {
    const response = await world.call(method, path, { auth })
    expect(response).toMatchObject({ status: 403, body: { code: 'INVALID_PERMISSIONS' } })
  }
  expect((await world.call('GET', '/open', { auth })).status).toBe(200)
})

test('the secret of one token with the JWT of another is 401', async () => {
  const other = await world.merchant()
  const response = await world.call('GET', '/me', { auth: `Bearer ${other.secret}.${shop.jwt}` })
  expect(response).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } })
})

test('the database holds only a keyed hash of the secret', async () => {
  const { rows } = await world.store.pool.query('select * from app_tokens where id = $1', [
    shop.token_id,
  ])
  expect(JSON.stringify(rows)).not.toContain(shop.secret)
  const plain = createHmac('sha256', '').update(shop.secret).digest()
  expect(rows[0].secret_hash.equals(plain)).toBe(false)
  expect(rows[0].secret_hash).toHaveLength(32)
  const { rows: events } = await world.store.pool.query(
    'select data from events where resource_id = $1',
    [shop.token_id],
  )
  expect(JSON.stringify(events)).not.toMatch(new RegExp(`${shop.secret}|eyJ`))
})

test('a token with an expiry ends at that time, and the worker frees its slot', async () => {
  const expires_on = new Date(world.clock.now() + day_ms)
  const { token, secret } = await createAppToken(world.service, {
    merchant_id: shop.id,
    creator_id: shop.id,
    store: { id: shop.store_id, mode: 'test', domains: [] },
    expires_on,
  })
  const list = await world.call('GET', `/stores/${shop.store_id}/app_jwts`, {
    auth: shop.as_merchant,
  })
  const { jwt } = list.body.items.find(({ jti }: { jti: string }) => jti === token.id)
  const auth = `Bearer ${secret}.${jwt}`
  expect((await world.call('GET', '/me', { auth })).status).toBe(200)
  world.clock.advance(day_ms)
  expect((await world.call('GET', '/me', { auth })).status).toBe(401)
  await runAllDue(world.service)
  const { rows } = await world.store.pool.query(
    'select name, sequence from events where resource_id = $1 order by sequence',
    [token.id],
  )
  expect(rows).toEqual([
    { name: 'app_token_created', sequence: 1 },
    { name: 'app_token_deleted', sequence: 2 },
  ])
})

test.each([
  ['https://shop.example', true],
  ['https://shop.example:8443', true],
  ['https://a.wild.example', true],
  ['http://localhost:3000', true],
  ['http://localhost:4000', false],
  ['https://evil.example', false],
  ['https://shop.example.evil.example', false],
  ['https://evilshop.example', false],
  ['https://wild.example', false],
  ['null', false],
  ['file://shop.example', false],
])('a page at %s may call with the JWT alone: %s', async (origin, allowed) => {
  const response = await world.call('GET', '/from-domains', {
    auth: `Bearer ${shop.jwt}`,
    headers: { origin },
  })
  expect(response.status).toBe(allowed ? 200 : 401)
  expect(response.headers['access-control-allow-origin']).toBe(allowed ? origin : undefined)
  expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
  if (!allowed) expect(response.body.code).toBe('INVALID_DOMAIN')
})

test('preflights are answered only where the JWT alone may call', async () => {
  const ask = (path: string, origin: string) =>
    world.call('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': 'GET' },
    })
  const yes = await ask('/from-domains', 'https://shop.example')
  expect(yes.status).toBe(204)
  expect(yes.headers).toMatchObject({
    'access-control-allow-origin': 'https://shop.example',
    'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, Accept',
    vary: 'origin',
  })
  expect((await ask('/from-domains', 'null')).headers).not.toHaveProperty(
    'access-control-allow-origin',
  )
  const no = await ask('/me', 'https://shop.example')
  expect(no.status).toBe(405)
  expect(no.headers).not.toHaveProperty('access-control-allow-origin')
  const plain = await world.call('GET', '/me', {
    auth: shop.as_store,
    headers: { origin: 'https://shop.example' },
  })
  expect(plain.headers).not.toHaveProperty('access-control-allow-origin')
})

test('a merchant token is refused where a store is needed', async () => {
  expect((await world.call('GET', '/store-only', { auth: shop.as_merchant })).status).toBe(403)
  expect((await world.call('GET', '/store-only', { auth: shop.as_store })).status).toBe(200)
})

test('a header is split from the right into three or four parts', () => {
  expect(parseCredential('Bearer a.b.c')).toEqual({ secret: null, jwt: 'a.b.c' })
  expect(parseCredential('bearer s.a.b.c')).toEqual({ secret: 's', jwt: 'a.b.c' })
  expect(parseCredential('Bearer a.b')).toBeNull()
})
