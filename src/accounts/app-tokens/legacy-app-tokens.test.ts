import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// The older form of application tokens: other names for the same rows.
const world = useWorld()
let shop: TestMerchant

beforeAll(async () => {
  shop = await world.merchant({ verified: true })
})

const call = (method: string, path = '', body?: object, auth = shop.as_merchant) => {
  world.clock.advance(1000)
  const options = body ? { auth, body } : { auth }
  return world.call(method, `/stores/${shop.store_id}/app_tokens${path}`, options)
}

test('a token is created with its secret, works, is listed by mode and deleted', async () => {
  const made = await call('POST', '', { mode: 'live', domains: ['a.example'] })
  expect(made.status).toBe(201)
  const { id, token, secret } = made.body
  const shown = { id, store_id: shop.store_id, domains: ['a.example'], mode: 'live' }
  expect(made.body).toMatchObject({ ...shown, created_on: expect.stringMatching(/Z$/) })
  const me = () => world.call('GET', '/me', { auth: `Bearer ${secret}.${token}` })
  expect((await me()).status).toBe(200)

  const { items } = (await call('GET', '?mode=live')).body
  expect(items).toEqual([{ ...made.body, secret: null }])
  expect(
    (await call('GET', '?mode=test')).body.items.map((item: { id: string }) => item.id),
  ).toEqual([shop.token_id])
  const twin = await world.call('GET', `/stores/${shop.store_id}/app_jwts`, {
    auth: shop.as_merchant,
  })
  expect(twin.body.items).toContainEqual(expect.objectContaining({ jti: id, jwt: token }))

  expect((await call('DELETE', `/${id}`)).status).toBe(204)
  expect((await me()).status).toBe(401)
  expect((await call('DELETE', `/${id}`)).status).toBe(404)
  expect((await call('PATCH', `/${id}`, { domains: [] })).status).toBe(404)
})

test('changed domains apply immediately, in every process, to the unchanged JWT', async () => {
  const { id, token } = (await call('POST', '', { domains: ['old.example'] })).body
  const other = await world.another()
  const from = (origin: string, of = world) =>
    of.call('POST', '/tokens', {
      auth: `Bearer ${token}`,
      headers: { origin: `https://${origin}` },
      body: {},
    })
  for (const of of [world, other]) {
    expect((await from('old.example', of)).status).toBe(400)
    expect((await from('new.example', of)).status).toBe(401)
  }
  // At the same instant, so that no cache entry expires by age.
  const path = `/stores/${shop.store_id}/app_tokens/${id}`
  const body = { domains: ['new.example'] }
  const changed = await world.call('PATCH', path, { auth: shop.as_merchant, body })
  expect(changed).toMatchObject({ status: 200, body: { id, domains: ['new.example'] } })
  for (const of of [world, other]) {
    await expect.poll(async () => (await from('new.example', of)).status).toBe(400)
    expect((await from('old.example', of)).status).toBe(401)
  }
  const { rows } = await world.store.pool.query(
    "select data from events where resource_id = $1 and name = 'app_token_updated'",
    [id],
  )
  expect(rows).toMatchObject([{ data: { domains: ['new.example'] } }])
})

test('limits and rules are those of the newer form', async () => {
  expect((await call('POST', '', {}, shop.as_store)).status).toBe(403)
  expect((await call('GET', '', undefined, shop.as_store)).status).toBe(403)
  expect((await call('POST', '', { domains: ['not a domain'] })).status).toBe(400)
  expect((await call('PATCH', `/${shop.token_id}`, {})).status).toBe(400)
  const unverified = await world.merchant()
  const response = await world.call('POST', `/stores/${unverified.store_id}/app_tokens`, {
    auth: unverified.as_merchant,
    body: { mode: 'live' },
  })
  expect(response.body.code).toBe('LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED')
})
