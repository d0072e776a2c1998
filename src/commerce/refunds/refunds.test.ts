import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { paymentFaults } from '../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { ApiResponse } from '../../../test/support/world.ts'
import { signAppToken } from '../../accounts/app-tokens/app-token.ts'
import { createAppToken } from '../../accounts/app-tokens/create-app-token.ts'
import { patchMerchant } from '../../accounts/merchants/patch-merchant.ts'

// The charge in these tests took 1000 JPY. Refunds are tried over HTTP: status and code count.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let charge: ApiResponse['body']

beforeEach(async () => {
  charge = await pay.settled()
})
afterAll(async () => expect(await paymentFaults(world)).toEqual([]))

const refunds = (charge_id = charge.id) => `${pay.chargePath(charge_id)}/refunds`
const refund = (body: object = {}, charge_id = charge.id) =>
  pay.post(refunds(charge_id), { amount: 1000, currency: 'JPY', ...body })
const eventsOf = async (id: string) =>
  (
    await world.store.pool.query(
      'select name, mode, store_id, data from events where resource_id = $1 order by sequence',
      [id],
    )
  ).rows

test('a newly created refund is pending; absent fields are null', async () => {
  const { status, body } = await refund()
  expect(status).toBe(201)
  const at = new Date(world.clock.now()).toISOString()
  expect(body).toEqual({
    id: expect.any(String),
    store_id: shop.store_id,
    charge_id: charge.id,
    status: 'pending',
    amount: 1000,
    currency: 'JPY',
    amount_formatted: 1000,
    reason: null,
    message: null,
    error: null,
    metadata: {},
    mode: 'test',
    created_on: at,
    updated_on: at,
  })
})

test('given fields are stored, and the amount is formatted in the major unit', async () => {
  const usd = await pay.settled({ amount: 500, currency: 'USD' })
  const given = { amount: 250, currency: 'usd', reason: 'fraud', message: 'Stolen card' }
  expect((await refund({ ...given, metadata: { case: 7 } }, usd.id)).body).toMatchObject({
    ...given,
    currency: 'USD',
    amount_formatted: 2.5,
    metadata: { case: 7 },
  })
})

test('a reason that is absent is null in the answer, its GET, the list and the event', async () => {
  const { body } = await refund({ message: 'Sold out' })
  const { id } = body
  const shown = { id, reason: null, message: 'Sold out' }
  expect(body).toMatchObject(shown)
  expect((await pay.get(`${refunds()}/${id}`)).body).toMatchObject(shown)
  await pay.work()
  expect((await pay.get(refunds())).body.items).toMatchObject([shown])
  expect(await eventsOf(id)).toMatchObject([{ data: shown }])
  const changed = await pay.patch(`${refunds()}/${id}`, { reason: 'fraud' })
  expect(changed.body.reason).toBe('fraud')
  // Absent in a change it stays, null removes it.
  expect((await pay.patch(`${refunds()}/${id}`, { message: 'x' })).body.reason).toBe('fraud')
  expect((await pay.patch(`${refunds()}/${id}`, { reason: null })).body.reason).toBeNull()
})

test.each(['fraud', 'duplicate', 'customer_request', null])(
  'reason %s is allowed',
  async (reason) => {
    expect((await refund({ reason })).body).toMatchObject({ status: 'pending', reason })
  },
)

test.each([
  ['reason', { reason: 'chargeback' }, 'NOT_ALLOWED_VALUE'],
  ['amount', { amount: 0 }, 'NUMBER_MIN'],
  ['amount', { amount: -1 }, 'NUMBER_MIN'],
  ['amount', { amount: 1.5 }, 'INVALID_FORMAT'],
  ['amount', { amount: undefined }, 'REQUIRED_VALUE'],
  ['currency', { currency: undefined }, 'REQUIRED_VALUE'],
  ['currency', { currency: 'ABC' }, 'INVALID_FORMAT_CURRENCY'],
])('a wrong %s %o is named', async (field, body, reason) => {
  const response = await refund(body)
  expect(response).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect(response.body.errors).toContainEqual({ field, reason })
})

test('the worker gives the money back; the charge stays successful', async () => {
  const { id } = (await refund()).body
  await pay.work()
  expect((await pay.get(`${refunds()}/${id}`)).body).toMatchObject({
    status: 'successful',
    error: null,
  })
  expect((await pay.get(pay.chargePath(charge.id))).body).toMatchObject({
    status: 'successful',
    charged_amount: 1000,
  })
})

test('refunds in parts until nothing is left; those on their way count too', async () => {
  expect((await refund({ amount: 700 })).status).toBe(201)
  expect(await refund({ amount: 301 })).toMatchObject({
    status: 400,
    body: { code: 'REFUND_EXCEEDS_CHARGE_AMOUNT' },
  })
  await pay.work()
  expect((await refund({ amount: 301 })).body.code).toBe('REFUND_EXCEEDS_CHARGE_AMOUNT')
  expect((await refund({ amount: 300 })).status).toBe(201)
  expect((await refund({ amount: 1 })).body.code).toBe('REFUND_EXCEEDS_CHARGE_AMOUNT')
})

test('of a partial capture only that part can be refunded', async () => {
  const { id } = await pay.settled({ capture: false })
  await pay.post(`${pay.chargePath(id)}/capture`, { amount: 400 })
  await pay.work()
  expect((await refund({ amount: 401 }, id)).body.code).toBe('REFUND_EXCEEDS_CHARGE_AMOUNT')
  expect((await refund({ amount: 400 }, id)).status).toBe(201)
})

test('the currency must be that of the charge; a converted charge returns what it took', async () => {
  expect(await refund({ currency: 'USD' })).toMatchObject({
    status: 400,
    body: { code: 'CURRENCY_MUST_MATCH_CHARGE' },
  })
  const converted = await pay.settled({ amount: 100_00, currency: 'AED' })
  const amount = converted.charged_amount
  expect((await refund({ amount, currency: 'AED' }, converted.id)).body.code).toBe(
    'CURRENCY_MUST_MATCH_CHARGE',
  )
  expect((await refund({ amount, currency: 'JPY' }, converted.id)).status).toBe(201)
})

test('a charge that is pending, authorized or failed cannot be refunded', async () => {
  const pending = (await pay.charge()).body
  expect((await refund({}, pending.id)).body.code).toBe('CANNOT_REFUND_UNSUCCESSFUL_CHARGE')
  const held = await pay.settled({ capture: false })
  const failed = await pay.settled({}, { data: { card_number: '4000000000000002' } })
  for (const { id } of [held, failed]) {
    expect(await refund({}, id)).toMatchObject({
      status: 400,
      body: { code: 'CANNOT_REFUND_UNSUCCESSFUL_CHARGE' },
    })
  }
})

test('refund_percent_limit is set by the merchant and holds for all refunds together', async () => {
  const auth = shop.as_merchant
  const configuration = { security_configuration: { refund_percent_limit: 33.35 } }
  const set = await world.call('PATCH', '/me', { auth, body: { configuration } })
  expect(set.status, set.text).toBe(200)
  // 33.35 % of 1000 is 333.5, half up 334.
  expect(await refund({ amount: 335 })).toMatchObject({
    status: 400,
    body: { code: 'REFUND_NOT_WITHIN_BOUNDS' },
  })
  expect((await refund({ amount: 300 })).status).toBe(201)
  expect((await refund({ amount: 35 })).body.code).toBe('REFUND_NOT_WITHIN_BOUNDS')
  expect((await refund({ amount: 34 })).status).toBe(201)
})

test('a refund that fails has error 329, and its amount is free again', async () => {
  charge = await pay.settled({}, { data: { card_number: '4000000000005126' } })
  const { id } = (await refund()).body
  expect((await refund({ amount: 1 })).body.code).toBe('REFUND_EXCEEDS_CHARGE_AMOUNT')
  await pay.work()
  expect((await pay.get(`${refunds()}/${id}`)).body).toMatchObject({
    status: 'failed',
    error: { code: 329, message: expect.any(String), detail: expect.any(String) },
  })
  expect((await refund()).status).toBe(201)
})

test('read with polling it waits for the worker', async () => {
  const { id } = (await refund()).body
  const polled = pay.get(`${refunds()}/${id}?polling=true`)
  await pay.work()
  expect((await polled).body.status).toBe('successful')
  expect((await pay.get(`${refunds()}/${id}?polling=true`)).body.status).toBe('successful')
})

test('the list: newest first, page by page, filtered by metadata', async () => {
  const ids: string[] = []
  for (let index = 0; index < 12; index += 1) {
    ids.unshift((await refund({ amount: 1, metadata: { place: `Shelf ${index}` } })).body.id)
  }
  const idsOf = (response: ApiResponse) =>
    response.body.items.map((item: { id: string }) => item.id)
  const first = await pay.get(refunds())
  expect(first.body.has_more).toBe(true)
  expect(idsOf(first)).toEqual(ids.slice(0, 10))
  const rest = await pay.get(`${refunds()}?cursor=${ids[9]}`)
  expect(rest.body.has_more).toBe(false)
  expect(idsOf(rest)).toEqual(ids.slice(10))
  expect(idsOf(await pay.get(`${refunds()}?cursor_direction=asc`))).toEqual(
    ids.toReversed().slice(0, 10),
  )
  expect(idsOf(await pay.get(`${refunds()}?metadata=shelf%2011`))).toEqual([ids[0]])
  const other = await pay.settled()
  expect((await pay.get(refunds(other.id))).body).toEqual({ items: [], has_more: false })
})

test('every path of the update does the same: keys are merged, null clears', async () => {
  const given = { metadata: { a: 1 }, reason: 'fraud', message: 'Hm' }
  const { id } = (await refund(given)).body
  const store = `/stores/${shop.store_id}`
  const first = await pay.patch(`${refunds()}/${id}`, { metadata: { b: 2 } })
  expect(first).toMatchObject({ status: 200, body: { ...given, metadata: { a: 1, b: 2 } } })
  const second = await pay.patch(`${store}/refunds/${id}`, { metadata: { c: 3 }, message: null })
  expect(second.body).toMatchObject({ metadata: { a: 1, b: 2, c: 3 }, message: null })
  const third = await pay.patch(refunds(), { id, metadata: { d: 4 }, reason: 'duplicate' })
  expect(third.body).toMatchObject({ metadata: { a: 1, b: 2, c: 3, d: 4 }, reason: 'duplicate' })
  const fourth = await pay.patch(refunds(), { refund_id: id, metadata: { a: 0 } })
  expect(fourth.body.metadata).toEqual({ a: 0, b: 2, c: 3, d: 4 })
  const only = await pay.patch(refunds(), { metadata: { e: 5 } })
  expect(only.body).toMatchObject({ id, metadata: { e: 5 } })
  expect((await pay.get(`${refunds()}/${id}`)).body).toEqual(only.body)
})

test('without an id the update needs that there is exactly one refund', async () => {
  const missing = { status: 400, body: { errors: [{ field: 'id', reason: 'REQUIRED_VALUE' }] } }
  expect(await pay.patch(refunds(), { metadata: {} })).toMatchObject(missing)
  await refund({ amount: 1 })
  await refund({ amount: 1 })
  expect(await pay.patch(refunds(), { metadata: {} })).toMatchObject(missing)
})

test('no path shows or changes a refund of another charge, store or merchant', async () => {
  const { id } = (await refund()).body
  const other = await pay.settled()
  const stranger = await world.merchant()
  const body = { metadata: { taken: true } }
  const tries: [string, string, object?][] = [
    [`${refunds(other.id)}/${id}`, shop.as_store],
    [refunds(other.id), shop.as_store, { id }],
    [`/stores/${shop.store_id}/refunds/${randomUUID()}`, shop.as_store],
    [`/stores/${stranger.store_id}/refunds/${id}`, stranger.as_store],
    [`/stores/${shop.store_id}/refunds/${id}`, stranger.as_merchant],
    [`${refunds()}/${id}`, stranger.as_merchant],
    [refunds(), stranger.as_merchant, { id }],
  ]
  for (const [path, auth, more] of tries) {
    const response = await world.call('PATCH', path, { auth, body: { ...body, ...more } })
    expect(response.status, path).toBe(404)
  }
  expect((await pay.get(`${refunds(other.id)}/${id}`)).status).toBe(404)
  expect((await pay.get(`${refunds()}/${id}`)).body.metadata).toEqual({})
})

test('refund_finished is sent once, with the refund as its GET shows it', async () => {
  const { id } = (await refund({ metadata: { a: 1 } })).body
  expect(await eventsOf(id)).toEqual([])
  await pay.work()
  await pay.work()
  const { body } = await pay.get(`${refunds()}/${id}`)
  const event = { name: 'refund_finished', mode: 'test', store_id: shop.store_id, data: body }
  expect(await eventsOf(id)).toEqual([event])
  charge = await pay.settled({}, { data: { card_number: '4000000000005126' } })
  const failed = (await refund()).body
  await pay.work()
  expect(await eventsOf(failed.id)).toMatchObject([
    { name: 'refund_finished', data: { status: 'failed', error: { code: 329 } } },
  ])
})

test('fees of the operator stand in the charge and the ledger and are not given back', async () => {
  const configuration = { percent_fee: 3.25, flat_fees: [{ amount: 10, currency: 'JPY' }] }
  await patchMerchant(world.service, shop.id, { configuration }, 'operator')
  // 3.25 % of 1010 is 32.825, rounded 33, and 10.
  charge = await pay.settled({ amount: 1010 })
  expect(charge).toMatchObject({ fee_amount: 43, fee_currency: 'JPY', fee_amount_formatted: 43 })
  const { id } = (await refund({ amount: 110 })).body
  await pay.work()
  const ledgers = await pay.get(`${pay.chargePath(charge.id)}/ledgers?cursor_direction=asc`)
  const rows = ledgers.body.items.map((item: ApiResponse['body']) => [
    item.kind,
    item.origin,
    item.amount,
    item.currency,
    item.refund_id,
  ])
  expect(rows).toEqual([
    ['capture', 'charge', 1010, 'JPY', null],
    ['fee', 'charge', -43, 'JPY', null],
    ['refund', 'refund', -110, 'JPY', id],
  ])
})

test('a converted charge has its conversion in the ledger, and both currencies sum to zero', async () => {
  charge = await pay.settled({ amount: 100_00, currency: 'AED' })
  expect(charge.charged_amount).toBe(4080)
  await refund({ amount: 4080 })
  await pay.work()
  const ledgers = await pay.get(`${pay.chargePath(charge.id)}/ledgers?cursor_direction=asc`)
  const conversion = ledgers.body.items.find((item: { kind: string }) => item.kind === 'conversion')
  expect(conversion.entries).toEqual([
    { account: 'conversion_requested', currency: 'AED', amount: 100_00 },
    { account: 'fx_clearing', currency: 'AED', amount: -100_00 },
    { account: 'fx_clearing', currency: 'JPY', amount: 4080 },
    { account: 'conversion_charged', currency: 'JPY', amount: -4080 },
  ])
  expect(ledgers.body.items.map((item: ApiResponse['body']) => [item.kind, item.amount])).toEqual([
    ['capture', 4080],
    ['conversion', 0],
    ['refund', -4080],
  ])
})

test('a live token of the same store sees and refunds no test charge', async () => {
  await patchMerchant(world.service, shop.id, { verified: true }, 'operator')
  const store = { id: shop.store_id, mode: 'live' as const, domains: [] }
  const owner = { merchant_id: shop.id, creator_id: shop.id }
  const { token, secret } = await createAppToken(world.service, { ...owner, store })
  const auth = `Bearer ${secret}.${await signAppToken(world.service, token)}`
  const body = { amount: 1, currency: 'JPY' }
  expect((await world.call('POST', refunds(), { auth, body })).status).toBe(404)
  const { id } = (await refund()).body
  const paths = [`${refunds()}/${id}`, `/stores/${shop.store_id}/refunds/${id}`]
  for (const path of paths) {
    expect((await world.call('PATCH', path, { auth, body: { metadata: {} } })).status).toBe(404)
  }
  for (const path of [refunds(), `${refunds()}/${id}`]) {
    expect((await world.call('GET', path, { auth })).status, path).toBe(404)
    // The merchant itself has both modes.
    expect((await world.call('GET', path, { auth: shop.as_merchant })).status, path).toBe(200)
  }
})
