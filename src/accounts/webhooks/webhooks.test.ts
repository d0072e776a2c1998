import { expect, test } from 'vitest'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { newWorld } from '../../../test/support/world.ts'
import { triggersOf } from '../../events/event-names.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })

const triggers = ['charge_finished', 'charge_updated']
const wanted = { url: 'https://shop.example/hook', triggers, auth_token: 'Bearer hook-Zq7-secret' }

function places(): [name: string, path: string, store_id: string | null][] {
  return [
    ['/stores/{storeId}', `/stores/${shop.store_id}/webhooks`, shop.store_id],
    [
      '/merchants/{merchantId}/stores/{storeId}',
      `/merchants/${shop.id}/stores/${shop.store_id}/webhooks`,
      shop.store_id,
    ],
    ['the merchant', '/webhooks', null],
    ['/merchants/{merchantId}', `/merchants/${shop.id}/webhooks`, null],
  ]
}

test.each([0, 1, 2, 3])(
  'webhooks are created, read, listed, changed and deleted (path form %i)',
  async (form) => {
    const [, path, store_id] = places()[form] ?? ['', '', '']
    const auth = shop.as_merchant
    const created = await world.call('POST', path, { auth, body: wanted })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(String),
      merchant_id: shop.id,
      store_id,
      triggers,
      url: 'https://shop.example/hook',
      auth_token: 'Bearer hook-Zq7-secret',
      active: true,
      is_integration: false,
      disabled_reason: null,
      disabled_on: null,
      created_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d+Z$/),
      updated_on: expect.any(String),
    })
    const one = `${path}/${created.body.id}`
    expect((await world.call('GET', one, { auth })).body).toEqual(created.body)
    expect((await world.call('GET', path, { auth })).body).toEqual({
      items: [created.body],
      has_more: false,
    })
    const changed = await world.call('PATCH', one, {
      auth,
      body: { active: false, auth_token: null },
    })
    expect(changed.body).toMatchObject({ active: false, auth_token: null, url: created.body.url })
    const filtered = (active: boolean) => world.call('GET', `${path}?active=${active}`, { auth })
    expect((await filtered(true)).body.items).toHaveLength(0)
    expect((await filtered(false)).body.items).toHaveLength(1)
    expect((await world.call('DELETE', one, { auth })).status).toBe(204)
    expect((await world.call('GET', one, { auth })).status).toBe(404)
  },
)

test('lists filter by creation time', async () => {
  const path = `/stores/${shop.store_id}/webhooks`
  const auth = shop.as_store
  const { created_on } = (await world.call('POST', path, { auth, body: wanted })).body
  const list = async (query: Record<string, string>) =>
    (await world.call('GET', path, { auth, query })).body.items.length
  expect(await list({ 'created_on.from': created_on })).toBe(1)
  expect(await list({ 'created_on.to': created_on })).toBe(0)
})

test("a store's token has the webhooks of its store, not the merchant's", async () => {
  const own = await world.call('POST', `/stores/${shop.store_id}/webhooks`, {
    auth: shop.as_store,
    body: wanted,
  })
  expect(own.status).toBe(201)
  expect(
    (await world.call('POST', '/webhooks', { auth: shop.as_store, body: wanted })).status,
  ).toBe(403)
})

test('trigger names are checked for their level', async () => {
  const post = (path: string, names: string[]) =>
    world.call('POST', path, { auth: shop.as_merchant, body: { ...wanted, triggers: names } })
  expect(
    await post(`/stores/${shop.store_id}/webhooks`, ['charge_finished', 'transfer_created', 'x']),
  ).toMatchObject({
    status: 400,
    body: {
      errors: [
        { field: 'triggers.1', reason: 'INVALID_EVENT_FOR_STORE' },
        { field: 'triggers.2', reason: 'INVALID_EVENT_FOR_STORE' },
      ],
    },
  })
  expect(await post('/webhooks', ['store_created'])).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'triggers.0', reason: 'INVALID_EVENT_FOR_MERCHANT' }] },
  })
  expect((await post('/webhooks', triggersOf('merchant'))).status).toBe(201)
  const all = await post(`/stores/${shop.store_id}/webhooks`, triggersOf('store'))
  expect(all.body.triggers).toContain('token_three_d_s_updated')
})

test('the same URL twice in one store is 409, in another place it is fine', async () => {
  const [store_level, , merchant_level] = places()
  const post = (path = '') => world.call('POST', path, { auth: shop.as_merchant, body: wanted })
  expect((await post(store_level?.[1])).status).toBe(201)
  expect(await post(store_level?.[1])).toMatchObject({
    status: 409,
    body: { code: 'WEBHOOK_URL_EXISTS' },
  })
  expect((await post(merchant_level?.[1])).status).toBe(201)
})

test('the auth_token is returned as stored and sealed in the database', async () => {
  const { id } = (
    await world.call('POST', `/stores/${shop.store_id}/webhooks`, {
      auth: shop.as_store,
      body: wanted,
    })
  ).body
  const { rows } = await world.store.pool.query('select auth_token from webhooks where id = $1', [
    id,
  ])
  expect(rows[0].auth_token.includes('hook-Zq7')).toBe(false)
  const { rows: events } = await world.store.pool.query(
    'select data from events where resource_id = $1',
    [id],
  )
  expect(JSON.stringify(events)).not.toContain('hook-Zq7')
  expect(world.log.join()).not.toContain('Bearer hook-Zq7-secret')
})

test.each([
  ['CRLF in auth_token', { auth_token: 'a\r\nX: y' }],
  ['user and password', { url: 'https://user:pass@shop.example/' }],
  ['another scheme', { url: 'ftp://shop.example/' }],
  ['javascript', { url: 'javascript:alert(1)' }],
  ['a fragment', { url: 'https://shop.example/#x' }],
])('%s is refused', async (_, change) => {
  const body = { ...wanted, ...change }
  const response = await world.call('POST', `/stores/${shop.store_id}/webhooks`, {
    auth: shop.as_store,
    body,
  })
  expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})

test('with WEBHOOK_TARGETS=public only public https addresses are saved', async () => {
  const open = await newWorld({ settings: { WEBHOOK_TARGETS: 'public' } })
  try {
    const merchant = await open.merchant()
    const path = `/stores/${merchant.store_id}/webhooks`
    const save = async (url: string) => {
      open.clock.advance(5000)
      const body = { ...wanted, url }
      return (await open.call('POST', path, { auth: merchant.as_store, body })).status
    }
    const hosts = [
      '127.0.0.1',
      '0.0.0.0',
      '127.1',
      '0x7f.1',
      '2130706433',
      '0177.0.0.1',
      '①②⑦.0.0.1',
      '[::]',
      '[::1]',
      '[::ffff:7f00:1]',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '[fd00::1]',
      '[fe80::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      'localhost',
      'localhost.',
      'a.localhost',
      '224.0.0.1',
      '[ff02::1]',
      'intranet',
      'db.internal',
    ]
    for (const host of hosts) expect(await save(`https://${host}/hook`), host).toBe(400)
    expect(await save('http://shop.example/hook')).toBe(400)
    expect(await save('https://shop.example:22/hook')).toBe(400)
    expect(await save('https://shop.example/hook')).toBe(201)
    expect(await save('https://93.184.216.34/hook')).toBe(201)
  } finally {
    await open.close()
  }
})

test("on loopback a developer's own machine may be the target", async () => {
  const body = { ...wanted, url: 'http://localhost:3000/hook' }
  const response = await world.call('POST', `/stores/${shop.store_id}/webhooks`, {
    auth: shop.as_store,
    body,
  })
  expect(response).toMatchObject({ status: 201, body: { url: 'http://localhost:3000/hook' } })
})

test('every change writes one event, numbered within the webhook', async () => {
  const path = `/stores/${shop.store_id}/webhooks`
  const auth = shop.as_store
  const { id } = (await world.call('POST', path, { auth, body: wanted })).body
  await world.call('PATCH', `${path}/${id}`, { auth, body: { active: false } })
  await world.call('DELETE', `${path}/${id}`, { auth })
  const { rows } = await world.store.pool.query(
    'select name, sequence, store_id from events where resource_id = $1 order by sequence',
    [id],
  )
  expect(rows).toEqual(
    ['webhook_created', 'webhook_updated', 'webhook_deleted'].map((name, index) => ({
      name,
      sequence: index + 1,
      store_id: shop.store_id,
    })),
  )
  const change = world.store.pool.query(`update events set name = 'x' where resource_id = $1`, [id])
  await expect(change).rejects.toThrow('never changed')
})
