import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { type ApiResponse, newWorld } from '../../../test/support/world.ts'
import { signAppToken } from '../../accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../accounts/app-tokens/create-app-token.ts'
import { patchMerchant } from '../../accounts/merchants/patch-merchant.ts'

// The charge in these tests holds 1000 JPY and has taken nothing.
const void_fails = { data: { card_number: '4000000000007726' } }
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let charge: ApiResponse['body']

beforeEach(async () => {
  charge = await pay.settled({ capture: false })
})
afterAll(async () => expect(await paymentFaults(world)).toEqual([]))

const cancels = (charge_id = charge.id) => `${pay.chargePath(charge_id)}/cancels`
const cancel = (body: object = {}, charge_id = charge.id) => pay.post(cancels(charge_id), body)
const chargeNow = async () => (await pay.get(pay.chargePath(charge.id))).body
const eventsOf = async (id: string) =>
  (
    await world.store.pool.query(
      'select name, data from events where resource_id = $1 order by sequence',
      [id],
    )
  ).rows

test('a newly created cancel is pending; absent fields are null', async () => {
  const { status, body } = await cancel()
  expect(status).toBe(201)
  const at = new Date(world.clock.now()).toISOString()
  expect(body).toEqual({
    id: expect.any(String),
    charge_id: charge.id,
    store_id: shop.store_id,
    status: 'pending',
    error: null,
    metadata: {},
    mode: 'test',
    created_on: at,
    updated_on: at,
  })
  expect(await chargeNow()).toMatchObject({ status: 'authorized' })
})

test('when it succeeds the charge becomes canceled', async () => {
  const { id } = (await cancel({ metadata: { why: 'sold out' } })).body
  await pay.work()
  expect((await pay.get(`${cancels()}/${id}`)).body).toMatchObject({
    status: 'successful',
    error: null,
    metadata: { why: 'sold out' },
  })
  expect(await chargeNow()).toMatchObject({
    status: 'canceled',
    charged_amount: null,
    charged_currency: null,
    error: null,
  })
})

test('a charge that is pending, successful, failed or canceled cannot be canceled', async () => {
  const pending = (await pay.charge({ capture: false })).body
  expect((await cancel({}, pending.id)).body.code).toBe('CANCEL_NOT_ALLOWED')
  await pay.work()
  const taken = await pay.settled()
  const failed = await pay.settled({}, { data: { card_number: '4000000000000002' } })
  await cancel()
  await pay.work()
  for (const { id } of [taken, failed, charge]) {
    expect(await cancel({}, id)).toMatchObject({
      status: 400,
      body: { code: 'CANCEL_NOT_ALLOWED' },
    })
  }
})

test('one thing at a time: no second cancel, no capture after it, no cancel after a capture', async () => {
  expect((await cancel()).status).toBe(201)
  expect((await cancel()).body.code).toBe('CANCEL_NOT_ALLOWED')
  expect(await pay.post(`${pay.chargePath(charge.id)}/capture`)).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'status', reason: 'INVALID_CHARGE_STATUS' }] },
  })
  const other = await pay.settled({ capture: false })
  expect((await pay.post(`${pay.chargePath(other.id)}/capture`)).status).toBe(200)
  expect((await cancel({}, other.id)).body.code).toBe('CANCEL_NOT_ALLOWED')
})

test('a cancel that fails has error 312; the charge stays authorized and can be captured', async () => {
  charge = await pay.settled({ capture: false }, void_fails)
  const { id } = (await cancel()).body
  await pay.work()
  expect((await pay.get(`${cancels()}/${id}`)).body).toMatchObject({
    status: 'failed',
    error: { code: 312, message: expect.any(String), detail: expect.any(String) },
  })
  expect(await chargeNow()).toMatchObject({ status: 'authorized', error: null })
  expect((await cancel()).status).toBe(201)
  await pay.work()
  expect((await pay.post(`${pay.chargePath(charge.id)}/capture`)).status).toBe(200)
  await pay.work()
  expect(await chargeNow()).toMatchObject({ status: 'successful', charged_amount: 1000 })
})

test('after a failed cancel a planned capture still happens, and a hold still runs out', async () => {
  const capture_at = new Date(world.clock.now() + 86_400_000).toISOString()
  const planned = await pay.settled({ capture: false, capture_at }, void_fails)
  charge = await pay.settled({ capture: false }, void_fails)
  await cancel()
  await cancel({}, planned.id)
  await pay.work()
  world.clock.advance(86_400_000)
  await pay.work()
  expect((await pay.get(pay.chargePath(planned.id))).body.status).toBe('successful')
  expect(await chargeNow()).toMatchObject({ status: 'authorized' })
  world.clock.advance(6 * 86_400_000)
  await pay.work()
  expect(await chargeNow()).toMatchObject({ status: 'failed', error: { code: 313 } })
})

test('a canceled charge is not captured by plan', async () => {
  const capture_at = new Date(world.clock.now() + 86_400_000).toISOString()
  charge = await pay.settled({ capture: false, capture_at })
  await cancel()
  world.clock.advance(2 * 86_400_000)
  await pay.work()
  expect(await chargeNow()).toMatchObject({ status: 'canceled', charged_amount: null })
})

test('read with polling it waits for the worker', async () => {
  const { id } = (await cancel()).body
  const polled = pay.get(`${cancels()}/${id}?polling=true`)
  await pay.work()
  expect((await polled).body.status).toBe('successful')
})

test('the list has every try, newest first', async () => {
  charge = await pay.settled({ capture: false }, void_fails)
  const ids: string[] = []
  for (let index = 0; index < 11; index += 1) {
    ids.unshift((await cancel()).body.id)
    await pay.work()
  }
  const { body } = await pay.get(cancels())
  expect(body.items.map((item: { id: string }) => item.id)).toEqual(ids.slice(0, 10))
  expect(body.has_more).toBe(true)
  const rest = (await pay.get(`${cancels()}?cursor=${ids[9]}`)).body
  expect(rest).toMatchObject({ has_more: false, items: [{ id: ids[10], status: 'failed' }] })
})

test('PATCH merges metadata', async () => {
  const { id } = (await cancel({ metadata: { a: 1 } })).body
  const patched = await pay.patch(`${cancels()}/${id}`, { metadata: { b: '2' } })
  expect(patched).toMatchObject({ status: 200, body: { metadata: { a: 1, b: '2' } } })
  expect((await pay.get(`${cancels()}/${id}`)).body).toEqual(patched.body)
})

test('a cancel of another charge or merchant is not there', async () => {
  const { id } = (await cancel()).body
  const other = await pay.settled({ capture: false })
  const stranger = await world.merchant()
  for (const path of [`${cancels(other.id)}/${id}`, `${cancels()}/${randomUUID()}`]) {
    expect((await pay.get(path)).status).toBe(404)
    expect((await pay.patch(path, { metadata: {} })).status).toBe(404)
  }
  const auth = stranger.as_merchant
  for (const method of ['GET', 'PATCH']) {
    const body = method === 'PATCH' ? { body: { metadata: {} } } : {}
    const response = await world.call(method, `${cancels()}/${id}`, { auth, ...body })
    expect(response.status).toBe(404)
  }
  expect((await world.call('POST', cancels(), { auth, body: {} })).status).toBe(404)
})

test('a live token of the same store sees, makes and changes no cancel of a test charge', async () => {
  const { id } = (await cancel()).body
  await patchMerchant(world.service, shop.id, { verified: true }, 'operator')
  const store = { id: shop.store_id, mode: 'live' as const, domains: [] }
  const owner = { merchant_id: shop.id, creator_id: shop.id }
  const { token, secret } = await createAppToken(world.service, { ...owner, store })
  const auth = `Bearer ${secret}.${await signAppToken(world.service, token)}`
  const path = `${cancels()}/${id}`
  const tries = [
    await world.call('GET', path, { auth }),
    await world.call('GET', cancels(), { auth }),
    await world.call('PATCH', path, { auth, body: { metadata: { a: 1 } } }),
    await world.call('POST', cancels(), { auth, body: {} }),
  ]
  expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  const read = await world.call('GET', path, { auth: shop.as_merchant })
  expect(read).toMatchObject({ status: 200, body: { metadata: {} } })
})

test('an empty body may be missing', async () => {
  const response = await world.call('POST', cancels(), { auth: shop.as_store })
  expect(response).toMatchObject({ status: 201, body: { metadata: {} } })
})

test('with COMPATIBILITY=clients an empty list as the body is an empty object', async () => {
  const compatible = await newWorld({ settings: { COMPATIBILITY: 'clients' } })
  const merchant = await compatible.merchant()
  const of_clients = payments(compatible, merchant)
  const card = { data: { card_number: '4000020000000000' } }
  const { id } = await of_clients.settled({ capture: false }, card)
  const path = `${of_clients.chargePath(id)}/cancels`
  const auth = merchant.as_store
  const response = await compatible.call('POST', path, { auth, body: [] })
  await compatible.close()
  expect(response).toMatchObject({ status: 201, body: { status: 'pending', metadata: {} } })
})

test('cancel_finished and charge_finished are sent once, each as its GET shows it', async () => {
  const held = (await pay.get(pay.chargePath(charge.id))).body
  const { id } = (await cancel()).body
  await pay.work()
  await pay.work()
  expect(await eventsOf(id)).toEqual([
    { name: 'cancel_finished', data: (await pay.get(`${cancels()}/${id}`)).body },
  ])
  expect(await eventsOf(charge.id)).toEqual([
    { name: 'charge_updated', data: held },
    { name: 'charge_finished', data: await chargeNow() },
  ])
})

test('a failed cancel sends cancel_finished and nothing about the charge', async () => {
  charge = await pay.settled({ capture: false }, void_fails)
  const { id } = (await cancel()).body
  await pay.work()
  expect(await eventsOf(id)).toMatchObject([
    { name: 'cancel_finished', data: { status: 'failed' } },
  ])
  expect((await eventsOf(charge.id)).map(({ name }) => name)).toEqual(['charge_updated'])
})

test('the ledger: held, then released by the cancel; nothing is owed', async () => {
  await cancel()
  await pay.work()
  const { body } = await pay.get(`${pay.chargePath(charge.id)}/ledgers?cursor_direction=asc`)
  const rows = body.items.map((item: ApiResponse['body']) => [item.kind, item.origin, item.amount])
  expect(rows).toEqual([
    ['authorization', 'charge', 0],
    ['release', 'cancel', 0],
  ])
  expect(body.items[1].entries).toEqual([
    { account: 'authorized_by_customer', currency: 'JPY', amount: 1000 },
    { account: 'authorization_hold', currency: 'JPY', amount: -1000 },
  ])
})

test('the ledger: held, released by the capture, and the captured part is a sale', async () => {
  await pay.post(`${pay.chargePath(charge.id)}/capture`, { amount: 300 })
  await pay.work()
  const { body } = await pay.get(`${pay.chargePath(charge.id)}/ledgers?cursor_direction=asc`)
  const rows = body.items.map((item: ApiResponse['body']) => [item.kind, item.origin, item.amount])
  expect(rows).toEqual([
    ['authorization', 'charge', 0],
    ['release', 'charge', 0],
    ['capture', 'charge', 300],
  ])
})
