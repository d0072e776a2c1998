import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { payments } from '../../../test/support/payments.ts'
import { simulatorOf, withProviders } from '../../../test/support/simulators.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import type { Provider } from '../../providers/provider.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { runAllDue } from '../../worker/worker.ts'

const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

test('a newly created charge is pending; the charged fields are null', async () => {
  const { status, body } = await pay.charge({ metadata: { order: 7 } })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    store_id: shop.store_id,
    requested_amount: 1000,
    requested_currency: 'JPY',
    requested_amount_formatted: 1000,
    charged_amount: null,
    charged_currency: null,
    charged_amount_formatted: null,
    status: 'pending',
    error: null,
    metadata: { order: 7 },
    mode: 'test',
    transaction_token_type: 'one_time',
    redirect: null,
  })
  expect(body.created_on).toBe(world.clock.now())
})

test('the worker authorizes and captures it', async () => {
  expect(await pay.settled({ amount: 250, currency: 'usd' })).toMatchObject({
    status: 'successful',
    requested_currency: 'USD',
    requested_amount_formatted: 2.5,
    charged_amount: 250,
    charged_currency: 'USD',
    charged_amount_formatted: 2.5,
    error: null,
  })
})

test.each([
  ['4000000000000002', 306],
  ['4000000000009995', 330],
  ['4000000000000069', 304],
  ['4000000000000127', 305],
  ['4000000000000119', 309],
])('a declined card %s fails the charge with %i', async (card_number, code) => {
  const charge = await pay.settled({}, { data: { card_number } })
  expect(charge).toMatchObject({
    status: 'failed',
    charged_amount: null,
    error: { code, message: expect.any(String), detail: expect.any(String) },
  })
})

test('capture false authorizes only; captured in part it is successful with that part', async () => {
  const charge = await pay.settled({ capture: false })
  expect(charge).toMatchObject({ status: 'authorized', charged_amount: null })
  const path = `${pay.chargePath(charge.id)}/capture`
  expect(await pay.post(path, { amount: 1001 })).toMatchObject({
    body: { code: 'CAPTURE_AMOUNT_TOO_LARGE' },
  })
  expect(await pay.post(path, { amount: 400, currency: 'USD' })).toMatchObject({
    body: { code: 'CURRENCY_MUST_MATCH_CHARGE' },
  })
  const captured = await pay.post(path, { amount: 400, currency: 'JPY' })
  expect(captured).toMatchObject({ status: 200, text: '' })
  expect(captured.headers['content-type']).toBeUndefined()
  expect((await pay.post(path)).body.code).toBe('ALREADY_CAPTURED')
  await pay.work()
  expect((await pay.get(pay.chargePath(charge.id))).body).toMatchObject({
    status: 'successful',
    charged_amount: 400,
    requested_amount: 1000,
  })
  expect((await pay.post(path)).body.code).toBe('ALREADY_CAPTURED')
})

test('a scheduled capture happens at its time; an authorization runs out after 7 days', async () => {
  const at = new Date(world.clock.now() + 86_400_000).toISOString()
  const planned = await pay.settled({ capture: false, capture_at: at })
  expect(planned).toMatchObject({ status: 'authorized', capture_at: at })
  const left = await pay.settled({ capture: false })
  world.clock.advance(86_400_000)
  await pay.work()
  expect((await pay.get(pay.chargePath(planned.id))).body.status).toBe('successful')
  world.clock.advance(6 * 86_400_000)
  await pay.work()
  expect((await pay.get(pay.chargePath(left.id))).body).toMatchObject({
    status: 'failed',
    error: { code: 313 },
  })
})

test.each([
  ['30 minutes ahead', 30 * 60_000, 'INVALID_SCHEDULED_CAPTURE_DATE'],
  ['14 days ahead', 14 * 86_400_000, 'INVALID_SCHEDULED_CAPTURE_DATE'],
])('capture_at %s is refused', async (_, ahead_ms, reason) => {
  const capture_at = new Date(world.clock.now() + ahead_ms).toISOString()
  expect(await pay.charge({ capture: false, capture_at })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'capture_at', reason }] },
  })
})

test('a one-time token makes one charge within five minutes', async () => {
  const transaction_token_id = await pay.tokenId()
  const body = { transaction_token_id, amount: 1, currency: 'JPY' }
  expect((await pay.post('/charges', body)).status).toBe(201)
  expect((await pay.post('/charges', body)).body.code).toBe('TRANSACTION_ALREADY_PROCESSED')
  const late = await pay.tokenId()
  world.clock.advance(5 * 60_000)
  const response = await pay.post('/charges', { ...body, transaction_token_id: late })
  expect(response).toMatchObject({ status: 400, body: { code: 'TRANSACTION_TOKEN_EXPIRED' } })
})

test('a recurring token billed again within 30 seconds is a duplicate (311)', async () => {
  const transaction_token_id = await pay.tokenId({ type: 'recurring' })
  const body = { transaction_token_id, amount: 1, currency: 'JPY' }
  expect((await pay.post('/charges', body)).status).toBe(201)
  expect(await pay.post('/charges', body)).toMatchObject({
    status: 400,
    body: { code: 'CHARGE_TOO_QUICK', error: { code: 311 } },
  })
  world.clock.advance(30_000)
  expect((await pay.post('/charges', body)).status).toBe(201)
})

test.each([
  ['2', [0, 60_000], 2 * 86_400_000 * 400],
  ['daily', [0], 86_400_000],
  ['weekly', [0], 7 * 86_400_000],
])('usage_limit %s is kept', async (usage_limit, gaps, later_ms) => {
  const transaction_token_id = await pay.tokenId({ type: 'recurring', usage_limit })
  const body = { transaction_token_id, amount: 1, currency: 'JPY' }
  for (const gap of gaps) {
    world.clock.advance(gap)
    expect((await pay.post('/charges', body)).status).toBe(201)
  }
  world.clock.advance(60_000)
  expect((await pay.post('/charges', body)).body.code).toBe('USAGE_LIMIT_REACHED')
  world.clock.advance(later_ms)
  const again = await pay.post('/charges', body)
  expect(again.status).toBe(usage_limit === '2' ? 400 : 201)
})

test('a currency no provider takes is converted, both amounts are kept; or it fails', async () => {
  const converted = await pay.settled({ amount: 100_00, currency: 'AED' })
  expect(converted).toMatchObject({
    status: 'successful',
    requested_amount: 100_00,
    requested_currency: 'AED',
    charged_currency: 'JPY',
  })
  expect(converted.charged_amount).toBeGreaterThan(0)
  const refused = await pay.settled({ amount: 100_00, currency: 'AED', only_direct_currency: true })
  expect(refused).toMatchObject({ status: 'error', error: { code: 504 } })
})

test.each([
  ['amount', { amount: 0 }, 'NUMBER_MIN'],
  ['amount', { amount: -1 }, 'NUMBER_MIN'],
  ['amount', { amount: 0.5 }, 'INVALID_FORMAT'],
  ['amount', { amount: '100' }, 'INVALID_FORMAT'],
  ['amount', { amount: 1e12 }, 'NUMBER_MAX'],
  ['currency', { currency: 'XAU' }, 'INVALID_FORMAT_CURRENCY'],
  ['currency', { currency: 'ABC' }, 'INVALID_FORMAT_CURRENCY'],
  ['merchant_transaction_id', { merchant_transaction_id: 'A1' }, 'FORBIDDEN_PARAMETER'],
  ['redirect.endpoint', { redirect: { endpoint: 'https://shop.example/' } }, 'FORBIDDEN_PARAMETER'],
  ['three_ds_mode', { three_ds_mode: 'always' }, 'NOT_ALLOWED_VALUE'],
  ['three_ds.eci', { three_ds: { authentication_value: 'x' } }, 'REQUIRED_VALUE'],
])('a wrong %s %o is named', async (field, body, reason) => {
  const response = await pay.charge(body)
  expect(response.status).toBe(400)
  expect(response.body.errors).toContainEqual({ field, reason })
})

test('three_ds_mode skip needs enablement; the other modes are kept', async () => {
  expect((await pay.charge({ three_ds_mode: 'skip' })).status).toBe(403)
  const charge = await pay.charge({
    three_ds_mode: 'require',
    redirect_three_ds: { endpoint: 'https://shop.example/back?x=1' },
  })
  expect(charge.body.three_ds).toEqual({
    mode: 'require',
    redirect_endpoint: 'https://shop.example/back?x=1',
    redirect_id: expect.any(String),
  })
})

test('metadata is merged by PATCH; read with polling it waits for the worker', async () => {
  const { id } = (await pay.charge({ metadata: { a: 1 } })).body
  const patched = await pay.patch(pay.chargePath(id), { metadata: { b: '2' } })
  expect(patched).toMatchObject({ status: 200, body: { metadata: { a: 1, b: '2' } } })
  const polled = pay.get(`${pay.chargePath(id)}?polling=true`)
  await pay.work()
  expect((await polled).body.status).toBe('successful')
})

test('x+timeout@: the lost answer is found by asking again, and the card is charged once', async () => {
  const { id } = (await pay.charge({}, { token: { email: 'x+timeout@example.com' } })).body
  await pay.work()
  expect((await pay.get(pay.chargePath(id))).body.status).toBe('pending')
  world.clock.advance(2000)
  await pay.work()
  expect((await pay.get(pay.chargePath(id))).body.status).toBe('successful')
  const { rows } = await world.store.pool.query(
    'select received from simulator_operations where charge_id = $1',
    [id],
  )
  expect(rows).toHaveLength(1)
})

test('every filter of the list narrows it, alone and together', async () => {
  const usd = await pay.settled({ amount: 500, currency: 'USD', metadata: { order: 'Blue-7' } })
  const jpy = await pay.settled({ amount: 2000 }, { token: { email: 'Other@example.com' } })
  const ids = async (query: string) =>
    (await pay.get(`/charges?${query}`)).body.items.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual([jpy.id, usd.id])
  expect(await ids('currency=usd')).toEqual([usd.id])
  expect(await ids('amount_from=2000')).toEqual([jpy.id])
  expect(await ids('amount_to=2000')).toEqual([usd.id])
  expect(await ids('email=OTHER@example.com')).toEqual([jpy.id])
  expect(await ids('metadata=blue')).toEqual([usd.id])
  expect(await ids(`transaction_token_id=${usd.transaction_token_id}`)).toEqual([usd.id])
  expect(await ids(`from=${new Date(jpy.created_on).toISOString()}`)).toEqual([jpy.id])
  expect(await ids(`to=${new Date(jpy.created_on).toISOString()}`)).toEqual([usd.id])
  expect(await ids('last_four=4242&name=taro%20yamada&exp_month=12&exp_year=2030')).toHaveLength(2)
  expect(await ids('mode=live')).toEqual([])
  const alone = await pay.get('/charges?last_four=4242')
  expect(alone).toMatchObject({
    status: 400,
    body: {
      errors: ['name', 'exp_month', 'exp_year'].map((field) => ({
        field,
        reason: 'REQUIRED_VALUE',
      })),
    },
  })
})

test('deleting a store ends no charge that was begun: it is captured and can be refunded', async () => {
  const held = await pay.settled({ capture: false })
  const auth = shop.as_merchant
  const path = pay.chargePath(held.id)
  expect((await world.call('POST', `${path}/capture`, { auth, body: {} })).status).toBe(200)
  expect((await world.call('DELETE', `/stores/${shop.store_id}`, { auth })).status).toBe(204)
  await pay.work()
  expect((await world.call('GET', path, { auth })).body.status).toBe('successful')
  const body = { amount: 100, currency: 'JPY' }
  const refund = await world.call('POST', `${path}/refunds`, { auth, body })
  expect(refund.status).toBe(201)
  await pay.work()
  const read = await world.call('GET', `${path}/refunds/${refund.body.id}`, { auth })
  expect(read.body.status).toBe('successful')
})

test('the number of a card that can be charged once is gone after the charge, or when time is over', async () => {
  const numbers = async () => {
    const { rows } = await world.store.pool.query(
      'select card_number, cvv from transaction_tokens where merchant_id = $1',
      [shop.id],
    )
    return rows.map((row) => [row.card_number, row.cvv])
  }
  await pay.settled()
  expect(await numbers()).toEqual([[null, null]])
  await pay.tokenId()
  await pay.tokenId({ type: 'recurring' })
  world.clock.advance(5 * 60_000)
  await pay.work()
  const left = await numbers()
  expect(left.filter(([number]) => number !== null)).toHaveLength(1)
  expect(left.every(([, cvv]) => cvv === null)).toBe(true)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://good.example@evil.example/',
  'https://user:pass@shop.example/',
  '//shop.example/',
  '/back',
  'https://',
  'ftp://shop.example/',
])('%s is no address to send a customer to', async (endpoint) => {
  const response = await pay.charge({ redirect_three_ds: { endpoint } })
  expect(response).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'redirect_three_ds.endpoint', reason: 'INVALID_FORMAT_URL' }] },
  })
})

test('an address is stored as it was parsed: nothing in it can end a header line', async () => {
  const endpoint = 'HTTPS://Shop.Example:443/a b\r\nX: y?q=1#f'
  const { body } = await pay.charge({ redirect_three_ds: { endpoint } })
  expect(body.three_ds.redirect_endpoint).toBe('https://shop.example/a%20bX:%20y?q=1#f')
})

test('digits are text: a leading zero in last_four is kept, a number of charges has one form', async () => {
  const wanted = { card_number: '4000000000000069', exp_month: '01', exp_year: '30' }
  const charge = await pay.settled({}, { data: wanted })
  const query = 'last_four=0069&name=Taro%20Yamada&exp_month=01&exp_year=2030'
  const { items } = (await pay.get(`/charges?${query}`)).body
  expect(items.map(({ id }: { id: string }) => id)).toEqual([charge.id])
  for (const usage_limit of ['0', '01', '1.0', '1e2', '-1', ' 3', '٣', '10000', 'hourly']) {
    const response = await pay.token({ type: 'recurring', usage_limit })
    expect(response.body.errors, usage_limit).toEqual([
      { field: 'usage_limit', reason: 'NOT_ALLOWED_VALUE' },
    ])
  }
})

test('a merchant_transaction_id is letters and digits, and unique by rule of the database', async () => {
  for (const id of ['a b', 'ａ１', 'x'.repeat(33), 'a-b', '']) {
    const response = await pay.charge({ merchant_transaction_id: id })
    expect(response.body.errors[0].field, id).toBe('merchant_transaction_id')
  }
  const created = await Promise.all(Array.from({ length: 10 }, () => pay.charge()))
  const named = await Promise.allSettled(
    created.map(({ body }) =>
      world.store.pool.query('update charges set merchant_transaction_id = $1 where id = $2', [
        'ORDER7',
        body.id,
      ]),
    ),
  )
  expect(named.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('at most the BIN and the last four digits of a card are ever shown', async () => {
  const { id, transaction_token_id } = await pay.settled()
  const tokens = `/stores/${shop.store_id}/tokens/${transaction_token_id}`
  for (const path of [tokens, pay.chargePath(id), '/charges', '/transaction_history']) {
    const { text } = await pay.get(path)
    expect(text.replaceAll(/"created_on":\d+/g, '')).not.toMatch(/\d{13,19}/)
  }
})

test('the fingerprint of a card needs a key of its own', async () => {
  const { rows } = await world.store.pool.query('select card_fingerprint from transaction_tokens')
  const number = '4242424242424242'
  const guesses = [
    createHash('sha256').update(number).digest(),
    ...[world.service.keys.vault, world.service.keys.signing].map((ring) =>
      keyedHash(ring.newest, 'card number', number),
    ),
  ]
  const found = rows.map((row) => row.card_fingerprint.toString('hex'))
  for (const guess of guesses) expect(found).not.toContain(guess.toString('hex'))
  const right = keyedHash(world.service.keys.fingerprint.newest, 'card number', number)
  expect(found).toContain(right.toString('hex'))
})

test('the event of a capture shows metadata that was changed while the provider was asked', async () => {
  const { id } = await pay.settled({ capture: false, metadata: { order: 'old' } })
  await pay.post(`${pay.chargePath(id)}/capture`, {})
  const inner = simulatorOf(world.service, 'card')
  const card: Provider = {
    ...inner,
    capture: async (operation) => {
      const { status } = await pay.patch(pay.chargePath(id), { metadata: { order: 'new' } })
      expect(status).toBe(200)
      return inner.capture(operation)
    },
  }
  await runAllDue(withProviders(world.service, card))
  const { rows } = await world.store.pool.query(
    'select data from events where resource_id = $1 order by sequence desc limit 1',
    [id],
  )
  expect(rows[0].data).toMatchObject({ status: 'successful', metadata: { order: 'new' } })
})
