import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Payments, payments } from '../../../test/support/payments.ts'
import {
  type MailServer,
  startMailServer,
  textOf,
} from '../../../test/support/receiver/mail-server.ts'
import { newWorld, type TestMerchant, type World } from '../../../test/support/world.ts'
import { day_ms, minute_ms } from '../../core/time/clock.ts'
import { runKind } from '../../worker/worker.ts'

// The customer shows with a code from a mail that the address is theirs; before, nothing is billed.
let world: World
let server: MailServer
let shop: TestMerchant
let pay: Payments
let address: string

beforeAll(async () => {
  server = await startMailServer()
  world = await newWorld({ settings: { SMTP_URL: server.url, MAIL_FROM: 'a@kaikei.example' } })
})
beforeEach(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  server.mails.length = 0
  address = `customer-${randomUUID()}@example.com`
})
afterAll(async () => {
  await world.close()
  await server.close()
})

async function newToken(body: object = {}): Promise<string> {
  return pay.tokenId({ type: 'recurring', email: address, use_confirmation: true, ...body })
}

/** Sends what is due and takes the code from the newest mail. */
async function codeSent(): Promise<string> {
  await runKind(world.service, 'mails')
  const mail = server.mails.findLast((one) => one.includes(`To: ${address}`)) ?? ''
  expect(mail).not.toBe('')
  return /^\d{6}$/m.exec(textOf(mail))?.[0] ?? ''
}

const pathOf = (id: string) => `/stores/${shop.store_id}/tokens/${id}`
const confirm = (id: string, confirmation_code: string) =>
  pay.post(`${pathOf(id)}/confirm`, { confirmation_code })
const charge = (transaction_token_id: string) =>
  pay.post('/charges', { transaction_token_id, amount: 100, currency: 'JPY' })
const other = (code: string) => (code === '000000' ? '000001' : '000000')
const wrong = {
  status: 400,
  body: { errors: [{ field: 'confirmation_code', reason: 'WRONG_CONFIRMATION_CODE' }] },
}
const unconfirmed = {
  status: 400,
  body: { errors: [{ field: 'transaction_token_id', reason: 'TOKEN_MUST_BE_CONFIRMED' }] },
}

test('a token is charged and subscribed to only after its customer has confirmed it', async () => {
  const id = await newToken()
  expect((await pay.get(pathOf(id))).body.confirmed).toBe(false)
  const subscription = { transaction_token_id: id, amount: 1, currency: 'JPY', period: 'monthly' }
  expect(await charge(id)).toMatchObject(unconfirmed)
  expect(await pay.post('/subscriptions', subscription)).toMatchObject(unconfirmed)
  expect(await pay.post(`${pathOf(id)}/renew`)).toMatchObject(unconfirmed)

  const code = await codeSent()
  expect(await confirm(id, code)).toMatchObject({ status: 200, body: { id, confirmed: true } })
  expect((await charge(id)).status).toBe(201)
  const { rows } = await world.store.pool.query(
    `select data -> 'confirmed' as confirmed from events
     where resource_id = $1 and name = 'token_updated'`,
    [id],
  )
  expect(rows).toEqual([{ confirmed: true }])
  // The code is gone: it confirms nothing again.
  expect(await confirm(id, code)).toMatchObject(wrong)
})

test('the mail speaks the language of the store, Japanese when it has none', async () => {
  await newToken()
  await codeSent()
  expect(textOf(server.mails[0] ?? '')).toContain('確認コード')
  await world.call('PATCH', `/stores/${shop.store_id}`, {
    auth: shop.as_merchant,
    body: { configuration: { language: 'en' } },
  })
  await newToken()
  await codeSent()
  expect(textOf(server.mails[1] ?? '')).toContain('Enter this code to confirm your email address')
})

test('after five tries the right code is wrong too, also for who repeats with a key', async () => {
  const id = await newToken()
  const code = await codeSent()
  for (let tries = 1; tries <= 5; tries += 1) {
    const response = await world.call('POST', `${pathOf(id)}/confirm`, {
      auth: shop.as_store,
      body: { confirmation_code: other(code) },
      headers: { 'idempotency-key': randomUUID() },
    })
    expect(response).toMatchObject(wrong)
  }
  expect(await confirm(id, code)).toMatchObject(wrong)
  expect(await charge(id)).toMatchObject(unconfirmed)
})

test('the fifth try may be the right one, and is answered again to who repeats it', async () => {
  const id = await newToken()
  const code = await codeSent()
  for (let tries = 1; tries <= 4; tries += 1)
    expect(await confirm(id, other(code))).toMatchObject(wrong)
  const options = {
    auth: shop.as_store,
    body: { confirmation_code: code },
    headers: { 'idempotency-key': randomUUID() },
  }
  for (let repeated = 0; repeated < 2; repeated += 1) {
    const response = await world.call('POST', `${pathOf(id)}/confirm`, options)
    expect(response).toMatchObject({ status: 200, body: { confirmed: true } })
  }
})

test('of many concurrent guesses no more than five are checked', async () => {
  const id = await newToken()
  const code = await codeSent()
  const guesses = Array.from({ length: 25 }, () => confirm(id, other(code)))
  for (const response of await Promise.all(guesses)) expect([400, 429]).toContain(response.status)
  world.clock.advance(minute_ms)
  expect(await confirm(id, code)).toMatchObject(wrong)
})

test('a code ends after thirty minutes; a PATCH with the e-mail mails another', async () => {
  const id = await newToken()
  const first = await codeSent()
  world.clock.advance(30 * minute_ms)
  expect(await confirm(id, first)).toMatchObject(wrong)
  expect((await pay.patch(pathOf(id), { metadata: { a: 1 } })).status).toBe(200)
  address = `moved-${address}`
  expect((await pay.patch(pathOf(id), { email: address })).status).toBe(200)
  const second = await codeSent()
  expect(server.mails).toHaveLength(2)
  expect(await confirm(id, second)).toMatchObject({ status: 200, body: { email: address } })
  expect((await pay.patch(pathOf(id), { email: address })).body.confirmed).toBe(true)
  await runKind(world.service, 'mails')
  expect(server.mails).toHaveLength(2)
})

test('one address gets five codes, however they are asked for', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      pay.token({ type: 'recurring', email: address.toUpperCase(), use_confirmation: true }),
    ),
  )
  const codes = made.map(({ status, body }) => (status === 201 ? 'made' : body.code))
  expect(codes.toSorted()).toEqual([
    ...Array(3).fill('RESOURCE_LIMIT_REACHED'),
    ...Array(5).fill('made'),
  ])
  const { id } = made.find(({ status }) => status === 201)?.body ?? {}
  expect((await pay.patch(pathOf(id), { email: address })).status).toBe(400)
  world.clock.advance(30 * minute_ms)
  expect((await pay.patch(pathOf(id), { email: address })).status).toBe(200)
})

test('the code is stored as a keyed hash only, and removed when its time is over', async () => {
  const id = await newToken()
  const code = await codeSent()
  const stored = async () =>
    (await world.store.pool.query('select * from token_confirmations where id = $1', [id])).rows
  const [row] = await stored()
  expect(JSON.stringify({ ...row, id: 0, merchant_id: 0, recipient: 0 })).not.toContain(code)
  expect(row.code_hash).toHaveLength(32)
  world.clock.advance(30 * minute_ms)
  await runKind(world.service, 'expired_token_rows')
  expect(await stored()).toEqual([])
})

test('mails are sent immediately where test mode is ahead', async () => {
  const auth = shop.as_merchant
  const target = new Date(world.clock.now() + day_ms).toISOString()
  const moved = await world.call('POST', '/test/clock', { auth, body: { now: target } })
  expect(moved.status, moved.text).toBe(200)
  const id = await newToken()
  expect(await confirm(id, await codeSent())).toMatchObject({ status: 200 })
})

test('without use_confirmation nothing is to be confirmed; with it there must be an address', async () => {
  const id = await pay.tokenId({ type: 'recurring' })
  expect((await pay.get(pathOf(id))).body.confirmed).toBe(null)
  expect(await confirm(id, '123456')).toMatchObject(wrong)
  const online = { payment_type: 'online', use_confirmation: true }
  const data = { brand: 'alipay_online', call_method: 'http_get' }
  const made = await world.call('POST', '/tokens', {
    auth: shop.as_store,
    body: { ...online, data },
  })
  expect(made).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'email', reason: 'CONFIRMATION_REQUIRES_EMAIL' }] },
  })
  const stranger = await world.merchant()
  const path = `/stores/${stranger.store_id}/tokens/${id}/confirm`
  const body = { confirmation_code: '123456' }
  expect((await world.call('POST', path, { auth: stranger.as_store, body })).status).toBe(404)
})
