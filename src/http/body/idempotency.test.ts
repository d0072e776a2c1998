import { beforeEach, expect, test } from 'vitest'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant, World } from '../../../test/support/world.ts'
import { deleteExpiredResponses } from '../../api/idempotency/stored-response.ts'
import { hour_ms } from '../../core/time/clock.ts'

// Creating a webhook represents every POST; the mechanism does not depend on the route.
const world = useWorld()
let shop: TestMerchant
let made = 0

beforeEach(async () => {
  world.clock.advance(60_000)
  shop = await world.merchant()
})

function webhook(
  key: string | null,
  body: object = {},
  options: { auth?: string; world?: World } = {},
) {
  made += 1
  return (options.world ?? world).call('POST', `/stores/${shop.store_id}/webhooks`, {
    auth: options.auth ?? shop.as_store,
    headers: key === null ? {} : { 'idempotency-key': key },
    body: { url: `https://shop.example/hook/${made}`, triggers: ['charge_finished'], ...body },
  })
}

async function webhooks(): Promise<number> {
  const { rows } = await world.store.pool.query(
    'select count(*)::integer as count from webhooks where merchant_id = $1',
    [shop.id],
  )
  return rows[0].count
}

const fixed = { url: 'https://shop.example/fixed' }

test('same key, same body: byte-equal status and body, and one object', async () => {
  const first = await webhook('order-1', fixed)
  const again = await webhook('order-1', fixed)
  expect(first.status).toBe(201)
  expect(first.headers['idempotency-status']).toBe('successfully_stored')
  expect(again.status).toBe(201)
  expect(again.text).toBe(first.text)
  expect(again.headers['content-type']).toBe(first.headers['content-type'])
  expect(again.headers['idempotency-status']).toBe('retrieved_idempotent_response')
  expect(await webhooks()).toBe(1)
})

test('same key, 50 simultaneous requests over 3 nodes: exactly one execution', async () => {
  const nodes = [world, await world.another(), await world.another()]
  for (let round = 0; round < 10; round += 1) {
    world.clock.advance(60_000)
    shop = await world.merchant()
    const tokens = [shop.as_merchant, ...(await world.merchantTokens(shop, 9))]
    const body = { url: 'https://shop.example/race' }
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        webhook('race', body, {
          auth: tokens[index % 10] ?? '',
          world: nodes[index % 3] ?? world,
        }),
      ),
    )
    const texts = new Set(responses.filter(({ status }) => status === 201).map(({ text }) => text))
    expect(texts.size).toBe(1)
    expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(await webhooks()).toBe(1)
  }
})

test('same key, different body, path, method or store: 409 and nothing executed', async () => {
  await webhook('k', fixed)
  const headers = { 'idempotency-key': 'k' }
  const conflicts = [
    webhook('k', { ...fixed, active: false }),
    world.call('POST', '/stores', { auth: shop.as_merchant, headers, body: { name: 'x' } }),
  ]
  const [other_body, other_token] = await Promise.all(conflicts)
  expect(other_body).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_CONFLICT' } })
  expect(other_body?.headers['idempotency-status']).toBe('conflicting_key')
  // A merchant's token has no mode: its keys are separate from those of test and live mode.
  expect(other_token?.status).toBe(201)
  const id = (await webhook('k', fixed)).body.id
  const patch = await world.call('PATCH', `/stores/${shop.store_id}/webhooks/${id}`, {
    auth: shop.as_store,
    headers,
    body: { active: false },
  })
  expect(patch.status).toBe(409)
  const other_path = await world.call(
    'POST',
    `/merchants/${shop.id}/stores/${shop.store_id}/webhooks`,
    {
      auth: shop.as_store,
      headers,
      body: { ...fixed, triggers: ['charge_finished'] },
    },
  )
  expect(other_path.status).toBe(409)
  expect(await webhooks()).toBe(1)
})

test('same key from another merchant: independent, and nothing of the first is seen', async () => {
  const first = await webhook('shared', fixed)
  shop = await world.merchant()
  const second = await webhook('shared', fixed)
  expect(second.status).toBe(201)
  expect(second.body.id).not.toBe(first.body.id)
  expect(second.body.merchant_id).toBe(shop.id)
})

test.each([
  ['of 256 characters', 'x'.repeat(256)],
  ['that is empty', ''],
  ['with a control character', 'a\tb'],
  ['with SQL', "'; drop table webhooks; --"],
])('a key %s is 400 and stored nowhere', async (_, key) => {
  expect(await webhook(key)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
  expect(await webhooks()).toBe(0)
})

test('two keys in one request are 400', async () => {
  const { url } = await (await world.another()).listen()
  const response = await fetch(`${url}/stores/${shop.store_id}/webhooks`, {
    method: 'POST',
    headers: [
      ['authorization', shop.as_store],
      ['content-type', 'application/json'],
      ['idempotency-key', 'a'],
      ['idempotency-key', 'b'],
    ],
    body: '{}',
  })
  expect(response.status).toBe(400)
})

test('a first attempt that fails validation, authentication or a limit does not consume the key', async () => {
  expect((await webhook('k6', { ...fixed, triggers: [] })).status).toBe(400)
  expect((await webhook('k6', fixed, { auth: `${shop.as_store}x` })).status).toBe(401)
  expect((await webhook('k6', { ...fixed, triggers: ['nonsense'] })).status).toBe(400)
  const done = await webhook('k6', fixed)
  expect(done).toMatchObject({ status: 201 })
  const refused = await webhook('k7', fixed)
  expect(refused).toMatchObject({ status: 409, body: { code: 'WEBHOOK_URL_EXISTS' } })
  expect(refused.headers['idempotency-status']).toBe('not_stored')
  expect((await webhook('k7', { url: 'https://shop.example/else' })).status).toBe(201)
})

test('a first attempt that broke in the middle leaves nothing; the retry does the work', async () => {
  const { pool } = world.store
  await pool.query(`create function break_once() returns trigger language plpgsql as
    $$ begin raise exception 'broken'; end $$`)
  await pool.query(
    'create trigger break_once before insert on idempotency_records for each row execute function break_once()',
  )
  expect((await webhook('k8', fixed)).status).toBe(500)
  expect(await webhooks()).toBe(0)
  await pool.query('drop trigger break_once on idempotency_records')
  expect((await webhook('k8', fixed)).status).toBe(201)
  expect(await webhooks()).toBe(1)
})

test('a key is kept for 24 hours, then it is new again', async () => {
  const first = await webhook('k9', fixed)
  world.clock.advance(24 * hour_ms - 1000)
  expect((await webhook('k9', fixed)).text).toBe(first.text)
  await deleteExpiredResponses(world.service, 1000)
  expect((await webhook('k9', fixed)).text).toBe(first.text)
  await world.call('DELETE', `/stores/${shop.store_id}/webhooks/${first.body.id}`, {
    auth: shop.as_store,
  })
  world.clock.advance(2000)
  const second = await webhook('k9', fixed)
  expect(second.status).toBe(201)
  expect(second.body.id).not.toBe(first.body.id)
  world.clock.advance(48 * hour_ms)
  expect(await deleteExpiredResponses(world.service, 1000)).toBe(1)
})

test('PATCH is covered too', async () => {
  const { id } = (await webhook(null)).body
  const patch = () =>
    world.call('PATCH', `/stores/${shop.store_id}/webhooks/${id}`, {
      auth: shop.as_store,
      headers: { 'idempotency-key': 'p' },
      body: { active: false },
    })
  const first = await patch()
  world.clock.advance(5000)
  expect((await patch()).text).toBe(first.text)
})

test('a secret in a stored response is returned by the replay and not readable in the database', async () => {
  const create = () =>
    world.call('POST', '/app_jwts', {
      auth: shop.as_merchant,
      headers: { 'idempotency-key': 'secret-1' },
      body: {},
    })
  const first = await create()
  expect(first.status).toBe(201)
  expect((await create()).body.secret).toBe(first.body.secret)
  const { rows } = await world.store.pool.query(`select body from idempotency_records`)
  for (const { body } of rows) expect(body.includes(first.body.secret)).toBe(false)
})
