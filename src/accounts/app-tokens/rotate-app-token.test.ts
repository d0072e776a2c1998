import { beforeEach, expect, test } from 'vitest'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { hour_ms, minute_ms } from '../../core/time/clock.ts'
import { runAllDue } from '../../worker/worker.ts'

// A store's token has a name, is replaced by another one, and both work for a while.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: minute_ms })
let path: string
let old: { jti: string; jwt: string; secret: string }

const call = (method: string, end: string, body?: object) =>
  world.call(method, `${path}${end}`, { auth: shop.as_merchant, ...(body ? { body } : {}) })
const bearerOf = ({ secret, jwt }: { secret: string; jwt: string }) => `Bearer ${secret}.${jwt}`
const charges = (auth: string) => world.call('GET', '/charges', { auth })

beforeEach(async () => {
  path = `/stores/${shop.store_id}/app_jwts`
  const created = await call('POST', '', { name: '受注システム', domains: ['shop.example'] })
  expect(created, created.text).toMatchObject({ status: 201, body: { name: '受注システム' } })
  expect(created.body).not.toHaveProperty('expires_on')
  old = created.body
})

test('the new token is like the old one, which works until the overlap ends', async () => {
  const rotated = await call('POST', `/${old.jti}/rotate`, { overlap: 'PT2H' })
  expect(rotated, rotated.text).toMatchObject({
    status: 201,
    body: {
      name: '受注システム',
      domains: ['shop.example'],
      mode: 'test',
      store_id: shop.store_id,
    },
  })
  expect(rotated.body.secret).not.toBe(old.secret)
  for (const auth of [old, rotated.body]) expect((await charges(bearerOf(auth))).status).toBe(200)
  const expires_on = new Date(world.clock.now() + 2 * hour_ms).toISOString()
  const { items } = (await call('GET', '')).body
  expect(items.find(({ jti }: { jti: string }) => jti === old.jti)).toMatchObject({ expires_on })
  world.clock.advance(2 * hour_ms)
  expect((await charges(bearerOf(old))).status).toBe(401)
  expect((await charges(bearerOf(rotated.body))).status).toBe(200)
  await runAllDue(world.service)
  expect(JSON.stringify((await call('GET', '')).body)).not.toContain(old.jti)
})

test('without an overlap the old token ends immediately; a longer one than a week is refused', async () => {
  expect(await call('POST', `/${old.jti}/rotate`, { overlap: 'P8D' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'overlap', reason: 'INVALID_DURATION' }] },
  })
  expect((await call('POST', `/${old.jti}/rotate`, { overlap: 'PT0S' })).status).toBe(201)
  expect((await charges(bearerOf(old))).status).toBe(401)
  expect((await call('POST', `/${old.jti}/rotate`, {})).status).toBe(404)
})

test('a token of the merchant is replaced too, and one of another merchant is not there', async () => {
  const auth = shop.as_merchant
  const { body } = await world.call('POST', '/app_jwts', { auth, body: { name: 'Reports' } })
  const rotated = await world.call('POST', `/app_jwts/${body.jti}/rotate`, { auth, body: {} })
  expect(rotated).toMatchObject({ status: 201, body: { name: 'Reports', roles: ['merchant'] } })
  const other = await world.merchant()
  const options = { auth: other.as_merchant, body: {} }
  expect((await world.call('POST', `/app_jwts/${body.jti}/rotate`, options)).status).toBe(404)
})

test('the list says when a token was last used', async () => {
  await charges(bearerOf(old))
  const used_on = new Date(world.clock.now()).toISOString()
  await expect
    .poll(async () => {
      const { items } = (await call('GET', '')).body
      return items.find(({ jti }: { jti: string }) => jti === old.jti)?.last_used_on
    })
    .toBe(used_on)
})
