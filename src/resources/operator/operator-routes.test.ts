import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enrol, loginToken, newUser } from '../../../test/console-users.ts'
import { payments } from '../../../test/payments.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/world.ts'
import { minute_ms } from '../../core/time/clock.ts'
import { setOperator } from '../users/manage-users.ts'

let world: World
let shop: TestMerchant
let auth: string

beforeAll(async () => {
  world = await newWorld()
  const { id, email } = await newUser(world, await world.merchant())
  await world.store.pool.query('update users set is_operator = true where id = $1', [id])
  auth = (await enrol(world, email)).auth
  shop = await world.merchant({ name: 'Flower_shop', email: 'flowers@shop.example' })
})
beforeEach(() => world.clock.advance(minute_ms))
afterAll(() => world.close())

const get = async (path: string) => (await world.call('GET', path, { auth })).body
const change = (method: string, path: string, body: object = {}) =>
  world.call(method, path, { auth, body })

test('only operators with a second factor, whatever their role', async () => {
  const refused = { status: 403, body: { code: 'INVALID_PERMISSIONS' } }
  const owner = (await enrol(world, (await newUser(world, shop)).email)).auth
  const { id, email } = await newUser(world, shop)
  await world.store.pool.query('update users set is_operator = true where id = $1', [id])
  for (const other of [owner, await loginToken(world, email), shop.as_merchant]) {
    for (const [path, item] of Object.entries(world.app.describeRoutes().paths)) {
      if (!path.startsWith('/operator/')) continue
      const url = path.replace(/\{merchant_id\}/, shop.id).replace(/\{transfer_id\}/, shop.id)
      for (const method of Object.keys(item)) {
        world.clock.advance(1000)
        const options = { auth: other, ...(method === 'get' ? {} : { body: {} }) }
        const answer = await world.call(method.toUpperCase(), url, options)
        expect(answer, `${method} ${path}`).toMatchObject(refused)
      }
    }
  }
})

test('an existing user becomes an operator, and is none any more; each time the sessions end', async () => {
  const user = await newUser(world, shop)
  const path = { merchant_id: user.merchant_id, id: user.id }
  const app = await enrol(world, user.email)
  const health = (as: string) => world.call('GET', '/operator/health', { auth: as })
  await setOperator(world.service, path, true)
  expect((await health(app.auth)).status).toBe(401)
  world.clock.advance(minute_ms)
  const again = await loginToken(world, user.email, { totp: app.code() })
  expect((await health(again)).status).toBe(200)
  await setOperator(world.service, path, false)
  expect((await health(again)).status).toBe(401)
})

test('merchants are found by name, e-mail and id, read and verified', async () => {
  for (const search of ['flower_', 'FLOWERS@', shop.id]) {
    const { items } = await get(`/operator/merchants?search=${search}`)
    expect(items.map(({ id }: { id: string }) => id)).toEqual([shop.id])
  }
  expect((await get('/operator/merchants?search=%25')).items).toEqual([])
  expect((await get('/operator/merchants')).items.length).toBe(2)
  const path = `/operator/merchants/${shop.id}`
  expect(await get(path)).toMatchObject({ id: shop.id, verified: false })
  const verified = await change('PATCH', `${path}/verification`, { verified: true })
  expect(verified).toMatchObject({ status: 200, body: { id: shop.id, verified: true } })
  const not = await change('PATCH', `${path}/verification`, { verified: false })
  expect(not.status).toBe(400)
  expect(
    (await world.call('GET', `/operator/merchants/${crypto.randomUUID()}`, { auth })).status,
  ).toBe(404)
})

test('payouts are created and moved, step by step', async () => {
  await payments(world, shop).settled({ amount: 5000 })
  const made = await change('POST', '/operator/transfers', { merchant_id: shop.id, mode: 'test' })
  expect([made.status, made.body.transfers.length]).toEqual([201, 1])
  const [{ id }] = made.body.transfers
  expect((await get(`/operator/transfers?merchant_id=${shop.id}`)).items[0].id).toBe(id)
  const move = (action: string) => change('PATCH', `/operator/transfers/${id}`, { action })
  const too_soon = await move('pay')
  expect(too_soon).toMatchObject({ status: 400, body: { errors: [{ field: 'action' }] } })
  for (const [action, status] of [
    ['approve', 'approved'],
    ['process', 'processing'],
    ['pay', 'paid'],
  ] as const) {
    expect((await move(action)).body.status).toBe(status)
  }
  expect((await get('/operator/transfers?status=paid')).items[0].id).toBe(id)
  const nowhere = `/operator/transfers/${crypto.randomUUID()}`
  expect((await change('PATCH', nowhere, { action: 'pay' })).status).toBe(404)
  const due = await change('POST', '/operator/due_transfers')
  expect(due).toMatchObject({ status: 201, body: { transfers: [] } })
})

test('health names what is due, and how providers answer', async () => {
  const pay = payments(world, shop)
  await pay.settled()
  const before = await get('/operator/health')
  expect(before.queues.map(({ name }: { name: string }) => name)).toContain('charges')
  expect(before.providers[0].calls).toBeGreaterThan(0)
  const token = await pay.tokenId()
  await pay.post('/charges', { transaction_token_id: token, amount: 1, currency: 'JPY' })
  const { queues } = await get('/operator/health')
  const charges = queues.find(({ name }: { name: string }) => name === 'charges')
  expect(charges).toMatchObject({ due: 1, oldest_on: expect.stringMatching(/^2026-01-15T/) })
})

test('doctor runs after the response, and its findings are read later', async () => {
  expect(await get('/operator/doctor')).toMatchObject({ id: null, findings: [] })
  const started = await change('POST', '/operator/doctor')
  expect(started).toMatchObject({ status: 202, body: { status: 'running' } })
  await expect
    .poll(async () => {
      world.clock.advance(1000)
      return (await get('/operator/doctor')).status
    })
    .toBe('finished')
  const { findings } = await get('/operator/doctor')
  const audit = findings.find(({ check }: { check: string }) => check.startsWith('the audit log'))
  expect(audit).toEqual({ check: 'the audit log is complete and unchanged', faults: [] })
})

test('what an operator does is in the audit log', async () => {
  await change('PATCH', `/operator/merchants/${shop.id}/verification`, { verified: true })
  const [ended, begun] = (await get('/audit_log')).items
  expect(begun).toMatchObject({ action: 'updateOperatorVerification', resource_id: shop.id })
  expect(begun.before.id).toBe(shop.id)
  expect(ended).toMatchObject({ status: 200, after: { id: shop.id } })
})
