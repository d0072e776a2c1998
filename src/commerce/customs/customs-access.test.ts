import { beforeEach, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { signAppToken } from '../../accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../accounts/app-tokens/create-app-token.ts'
import { patchMerchant } from '../../accounts/merchants/patch-merchant.ts'
import { newKeyText, readKeys } from '../../vault/key-ring.ts'
import { countSealedWith, resealAll } from '../../vault/rotate.ts'

// The callers that may declare and read; no other caller learns who the customer is.
const old_key = newKeyText()
const world = useWorld({ settings: { VAULT_KEYS: old_key } })
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let path: string

beforeEach(async () => {
  path = `${pay.chargePath(await pay.paidOnline())}/customs`
})

const number = '330821198809085211'
const name = 'Zhang Canary'
const given = {
  customs: 'SHANGHAI_ZS',
  merchant_customs_no: '3302A',
  certificate_id: number,
  certificate_name: name,
}
const declare = (auth: string, headers: Record<string, string> = {}, declaration: object = given) =>
  world.call('POST', path, { auth, headers, body: { declaration } })

test('a token of the merchant declares, changes and reads too', async () => {
  const auth = shop.as_merchant
  const { status, body } = await declare(auth)
  expect(status).toBe(201)
  await pay.work()
  const one = `${path}/${body.id}`
  const change = { declaration: { merchant_customs_no: '7' } }
  expect((await world.call('PATCH', one, { auth, body: change })).status).toBe(200)
  await pay.work()
  for (const read of [path, one, `${one}/attempts`]) {
    expect((await world.call('GET', read, { auth })).status, read).toBe(200)
  }
})

test('the JWT alone is 403 on every route', async () => {
  const { id } = (await declare(shop.as_store)).body
  await pay.work()
  const one = `${path}/${id}`
  const auth = `Bearer ${shop.jwt}`
  for (const [method, route] of [
    ['POST', path],
    ['GET', path],
    ['GET', one],
    ['PATCH', one],
    ['GET', `${one}/attempts`],
  ] as const) {
    const body = method === 'GET' ? {} : { body: { declaration: given } }
    const response = await world.call(method, route, { auth, ...body })
    expect(response, `${method} ${route}`).toMatchObject({ status: 403 })
  }
})

test('for other stores, merchants and modes it is not there', async () => {
  const { id } = (await declare(shop.as_store)).body
  await pay.work()
  await patchMerchant(world.service, shop.id, { verified: true }, 'operator')
  const store = { id: shop.store_id, mode: 'live' as const, domains: [] }
  const owner = { merchant_id: shop.id, creator_id: shop.id }
  const { token, secret } = await createAppToken(world.service, { ...owner, store })
  const live = `Bearer ${secret}.${await signAppToken(world.service, token)}`
  const stranger = await world.merchant()
  const other_charge = await pay.paidOnline()
  const elsewhere = [
    `${pay.chargePath(other_charge)}/customs/${id}`,
    `${path}/${crypto.randomUUID()}`,
  ]
  const tries: [string, string][] = [
    ...[live, stranger.as_store, stranger.as_merchant].map((auth): [string, string] => [
      `${path}/${id}`,
      auth,
    ]),
    ...elsewhere.map((one): [string, string] => [one, shop.as_store]),
  ]
  for (const [one, auth] of tries) {
    const body = { declaration: { certificate_name: 'Thief' } }
    expect((await world.call('GET', one, { auth })).status, one).toBe(404)
    expect((await world.call('GET', `${one}/attempts`, { auth })).status, one).toBe(404)
    expect((await world.call('PATCH', one, { auth, body })).status, one).toBe(404)
  }
  for (const auth of [live, stranger.as_store, stranger.as_merchant]) {
    expect((await declare(auth)).status).toBe(404)
    expect((await world.call('GET', path, { auth })).status).toBe(404)
  }
  expect((await pay.get(`${path}/${id}`)).body.declaration).toEqual(given)
})

test('an Idempotency-Key makes a declaration and an update safe to repeat', async () => {
  const key = { 'idempotency-key': 'declare-1' }
  const first = await declare(shop.as_store, key)
  const again = await declare(shop.as_store, key)
  expect([again.status, again.text]).toEqual([201, first.text])
  const other = await declare(shop.as_store, key, { ...given, customs: 'NINGBO' })
  expect(other.body.code).toBe('IDEMPOTENCY_KEY_CONFLICT')
  await pay.work()
  const update = () =>
    world.call('PATCH', `${path}/${first.body.id}`, {
      auth: shop.as_store,
      headers: { 'idempotency-key': 'update-1' },
      body: { declaration: { merchant_customs_no: '9' } },
    })
  const updated = await update()
  expect(updated).toMatchObject({ status: 200, body: { status: 'pending' } })
  await pay.work()
  expect((await update()).text).toBe(updated.text)
  const { items } = (await pay.get(`${path}/${first.body.id}/attempts`)).body
  expect(items).toHaveLength(2)
})

/** Everything that is stored, as text and, where it is bytes, as these. */
async function stored(): Promise<string> {
  const { rows: tables } = await world.store.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  )
  const texts = tables.map(async ({ name: table }) => {
    const { rows } = await world.store.pool.query(`select * from ${table}`)
    return JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    )
  })
  return (await Promise.all(texts)).join('\n')
}

test('customer data is in the responses, and nowhere in the database or the log', async () => {
  const { id, declaration } = (await declare(shop.as_store, { 'idempotency-key': 'a' })).body
  expect(declaration).toEqual(given)
  await pay.work()
  await pay.patch(`${path}/${id}`, { declaration: { certificate_id: `FAIL${number}` } })
  await pay.work()
  await declare(shop.as_store, {}, { ...given, customs: 'NOWHERE' })
  world.service.log.error({ declaration: given, ...given }, 'a careless line')
  expect((await pay.get(`${path}/${id}`)).body.declaration).toEqual({
    ...given,
    certificate_id: `FAIL${number}`,
  })
  const everything = await stored()
  expect(everything).toContain(given.merchant_customs_no)
  expect(world.log.join('')).toContain('a careless line')
  for (const secret of [number, name]) {
    expect(everything).not.toContain(secret)
    expect(world.log.join('')).not.toContain(secret)
  }
})

test('a rotation of the vault keys reseals declarations', async () => {
  const { id } = (await declare(shop.as_store)).body
  const { config, db } = world.service
  const keys = readKeys({ ...config, vault_keys: `${newKeyText()},${old_key}` })
  const old_id = world.service.keys.vault.newest.id
  const before = await countSealedWith(db, old_id)
  expect(await resealAll(db, keys.vault)).toBeGreaterThanOrEqual(2)
  expect(await countSealedWith(db, old_id)).toBeLessThan(before)
  const { rows } = await world.store.pool.query(
    'select certificate_id, certificate_name from customs_declarations where id = $1',
    [id],
  )
  for (const value of Object.values<Buffer>(rows[0])) {
    expect(value.includes(keys.vault.newest.id)).toBe(true)
  }
})
