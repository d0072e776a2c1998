import { beforeEach, expect, test } from 'vitest'
import {
  type Checkouts,
  card_data,
  checkouts,
  customer_email,
} from '../../../test/support/pages/checkouts.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import { day_ms, minute_ms, second_ms } from '../../core/time/clock.ts'
import { type CheckoutSession, findSession } from './checkout-session.ts'
import { startPayment } from './customer/start-payment.ts'

const world = useWorld()
let shop: TestMerchant
let buy: Checkouts

beforeEach(async () => {
  // Data of a declined attempt is not stored.
  world.clock.advance(day_ms)
  shop = await world.merchant()
  buy = checkouts(world, shop)
})

const declined = { card_number: '4000000000000002' }
const phone_number = { country_code: '81', local_number: '9012345678' }
const at_lawson = {
  payment_type: 'konbini',
  email: customer_email,
  data: { convenience_store: 'lawson', customer_name: 'Taro', phone_number },
}
const by_wallet = { payment_type: 'online', data: { brand: 'pay_pay_online' } }

async function chargesOf(session: { id: string }) {
  const { rows } = await world.store.pool.query(
    'select * from charges where checkout_session_id = $1 order by id',
    [session.id],
  )
  return rows
}
async function eventsOf(session: { id: string }): Promise<string[]> {
  const { rows } = await world.store.pool.query(
    'select name from events where resource_id = $1 order by sequence',
    [session.id],
  )
  return rows.map(({ name }) => name)
}

test('a card pays: token, charge and session belong together, and the shop gets one event', async () => {
  const session = await buy.session({
    metadata: { order: 7 },
    success_url: 'https://shop.example/?s={CHECKOUT_SESSION_ID}',
  })
  expect(await buy.payByCard(session.url)).toMatchObject({ status: 200, body: { step: 'wait' } })
  expect(await buy.read(session.id)).toMatchObject({ status: 'processing', payment_type: 'card' })
  await buy.work()
  const paid = await buy.read(session.id)
  expect(paid).toMatchObject({ status: 'completed', attempts: 1, url: null, error: null })
  expect(paid.completed_on).not.toBeNull()
  const charge = (await buy.get(buy.chargePath(paid.charge_id))).body
  expect(charge).toMatchObject({
    status: 'successful',
    requested_amount: 1000,
    metadata: { order: 7 },
    transaction_token_id: paid.transaction_token_id,
  })
  expect(await buy.state(session.url)).toMatchObject({
    step: 'done',
    success_url: `https://shop.example/?s=${session.id}`,
    receipt: { number: charge.id },
  })
  expect(await eventsOf(session)).toEqual(['checkout_completed'])
  expect(await buy.payByCard(session.url)).toMatchObject({ status: 200, body: { step: 'done' } })
  expect(await chargesOf(session)).toHaveLength(1)
})

test('the browser decides neither amount nor kind of token, and gets nothing else', async () => {
  const session = await buy.session({ customer: { email: 'shop@example.com' } })
  const more = { three_ds: { enabled: true }, cvv_authorize: { enabled: true } }
  const sent = await buy.send(session.url, 'payments', {
    payment_type: 'card',
    email: 'other@example.com',
    amount: 1,
    type: 'recurring',
    metadata: { mine: 1 },
    data: { ...card_data, ...more },
  })
  expect(sent.status, sent.text).toBe(200)
  const { transaction_token_id, charge_id } = await buy.read(session.id)
  const token = (await buy.get(`/stores/${shop.store_id}/tokens/${transaction_token_id}`)).body
  expect(token).toMatchObject({ type: 'one_time', email: 'shop@example.com', metadata: {} })
  expect(token.data.three_ds.enabled).toBe(false)
  expect((await buy.get(buy.chargePath(charge_id))).body.requested_amount).toBe(1000)
  expect(sent.text).not.toContain(shop.id)
})

test('authorized is completed too', async () => {
  const session = await buy.session({ capture: false })
  await buy.payByCard(session.url)
  await buy.work()
  const { status, charge_id, payment_types } = await buy.read(session.id)
  expect([status, payment_types]).toEqual(['completed', ['card', 'apple_pay']])
  expect((await buy.get(buy.chargePath(charge_id))).body.status).toBe('authorized')
})

test('a decline is shown, and another card pays', async () => {
  const session = await buy.session()
  await buy.payByCard(session.url, declined)
  await buy.work()
  expect(await buy.read(session.id)).toMatchObject({
    status: 'open',
    error: { code: 306 },
    attempts: 1,
  })
  // Reading took a second; the first delay is one, the second two.
  await buy.payByCard(session.url, declined)
  await buy.work()
  expect((await buy.state(session.url)).step).toBe('wait')
  expect(await buy.payByCard(session.url)).toMatchObject({
    status: 409,
    body: { code: 'CHECKOUT_SESSION_PROCESSING' },
  })
  world.clock.advance(2 * second_ms)
  expect(await buy.state(session.url)).toMatchObject({ step: 'failed', error: 'declined' })
  expect((await buy.payByCard(session.url)).body.step).toBe('wait')
  await buy.work()
  expect(await buy.read(session.id)).toMatchObject({
    status: 'completed',
    attempts: 3,
    error: null,
  })
  expect((await chargesOf(session)).map(({ status }) => status)).toEqual([
    'failed',
    'failed',
    'successful',
  ])
})

test('after five declined cards the session is closed for cards, and open for the rest', async () => {
  const session = await buy.session()
  for (let n = 0; n < 5; n += 1) {
    expect((await buy.payByCard(session.url, declined)).status).toBe(200)
    await buy.work()
    world.clock.advance(minute_ms)
  }
  expect(await buy.payByCard(session.url)).toMatchObject({
    status: 403,
    body: { code: 'CHECKOUT_CARDS_CLOSED' },
  })
  const { methods } = await buy.state(session.url)
  const offered = methods.map(({ payment_type }: { payment_type: string }) => payment_type)
  expect(offered).not.toContain('card')
  expect((await buy.send(session.url, 'payments', at_lawson)).body.step).toBe('wait')
})

test('five concurrent requests create one charge', async () => {
  const session = await buy.session()
  const responses = await Promise.all(Array.from({ length: 5 }, () => buy.payByCard(session.url)))
  expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200))
  await buy.work()
  expect(await chargesOf(session)).toHaveLength(1)
  expect(await buy.read(session.id)).toMatchObject({ status: 'completed', attempts: 1 })
  expect(await eventsOf(session)).toEqual(['checkout_completed'])
  const { rows } = await world.store.pool.query(
    'select count(*)::integer as count from transaction_tokens where merchant_id = $1',
    [shop.id],
  )
  expect(rows[0].count).toBe(1)
})

test('of a concurrent cancel and payment one wins, and the charge says which', async () => {
  for (let n = 0; n < 5; n += 1) {
    const session = await buy.session()
    const [, canceled] = await Promise.all([
      buy.payByCard(session.url),
      buy.post(`/stores/${shop.store_id}/checkout_sessions/${session.id}/cancel`),
    ])
    await buy.work()
    const charges = await chargesOf(session)
    const { status } = await buy.read(session.id)
    expect([status, charges.length]).toEqual(
      canceled.status === 200 ? ['canceled', 0] : ['completed', 1],
    )
  }
})

test('a refused payment leaves nothing behind', async () => {
  const session = await buy.session()
  const wrong = await buy.payByCard(session.url, { card_number: '4242424242424241' })
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ field: 'data.card_number' }] } })
  const not_offered = await buy.session({ payment_types: ['card'] })
  expect((await buy.send(not_offered.url, 'payments', at_lawson)).status).toBe(400)
  expect(await buy.read(session.id)).toMatchObject({ status: 'open', attempts: 0 })
  const { rows } = await world.store.pool.query(
    'select 1 from transaction_tokens where merchant_id = $1',
    [shop.id],
  )
  expect(rows).toEqual([])
})

test('an open session expires with an event, and a late customer sees it', async () => {
  const session = await buy.session()
  world.clock.advance(day_ms)
  expect((await buy.payByCard(session.url)).body.code).toBe('CHECKOUT_SESSION_ENDED')
  await buy.work()
  expect(await buy.read(session.id)).toMatchObject({ status: 'expired', url: null })
  expect(await eventsOf(session)).toEqual(['checkout_expired'])
})

test('a convenience store is paid after the session would have expired: completed, and never both', async () => {
  const session = await buy.session()
  await buy.send(session.url, 'payments', at_lawson)
  await buy.work()
  expect(await buy.state(session.url)).toMatchObject({
    status: 'processing',
    step: 'instructions',
    instructions: { kind: 'konbini', payment_code: expect.stringMatching(/^\d+$/) },
  })
  world.clock.advance(2 * day_ms)
  await buy.work()
  const { status, charge_id } = await buy.read(session.id)
  expect(status).toBe('processing')
  await buy.post(`/test/charges/${charge_id}/deposits`, { amount: 1000 })
  await buy.work()
  expect((await buy.read(session.id)).status).toBe('completed')
  expect(await eventsOf(session)).toEqual(['checkout_completed'])
})

test('a convenience store that nobody pays at ends the session with its charge', async () => {
  const session = await buy.session()
  await buy.send(session.url, 'payments', at_lawson)
  await buy.work()
  for (let day = 0; day < 32; day += 1) {
    world.clock.advance(day_ms)
    await buy.work()
  }
  expect(await buy.read(session.id)).toMatchObject({ status: 'expired', error: { code: 327 } })
  expect(await eventsOf(session)).toEqual(['checkout_expired'])
})

test('an online brand sends the customer to its page and back, and a customer can turn around', async () => {
  const session = await buy.session()
  await buy.send(session.url, 'payments', by_wallet)
  await buy.work()
  const waiting = await buy.state(session.url)
  expect(waiting).toMatchObject({ step: 'redirect', url: expect.stringContaining('/pay/') })
  const [charge] = await chargesOf(session)
  expect(charge.redirect_url).toBe(session.url)
  expect((await buy.send(session.url, 'leave')).status).toBe(200)
  await buy.work()
  expect(await buy.read(session.id)).toMatchObject({ status: 'open', error: null })
  expect((await buy.payByCard(session.url)).body.step).toBe('wait')
  await buy.work()
  expect((await buy.read(session.id)).status).toBe('completed')
  expect((await chargesOf(session)).map(({ status }) => status)).toEqual(['canceled', 'successful'])
})

test('3-D Secure happens on its own page, then the session continues', async () => {
  const session = await buy.session({ three_ds: { mode: 'force' } })
  await buy.payByCard(session.url)
  await buy.work()
  expect(await buy.state(session.url)).toMatchObject({ step: 'three_ds', status: 'processing' })
  const { charge_id } = await buy.read(session.id)
  await buy.post(`/test/charges/${charge_id}/complete`, { outcome: 'successful' })
  await buy.work()
  expect((await buy.read(session.id)).status).toBe('completed')
})

const monthly = { token_type: 'subscription', subscription: { period: 'monthly' } }

test('a subscription begins with its first payment; a failed one leaves no subscription', async () => {
  const session = await buy.session(monthly)
  await buy.payByCard(session.url, { ...declined })
  await buy.work()
  const failed = await buy.read(session.id)
  expect(failed).toMatchObject({ status: 'open', error: { code: 306 } })
  world.clock.advance(minute_ms)
  await buy.payByCard(session.url)
  await buy.work()
  const { status, subscription_id } = await buy.read(session.id)
  expect([status, subscription_id === failed.subscription_id]).toEqual(['completed', false])
  const read = async (id: string) =>
    (await buy.get(`/stores/${shop.store_id}/subscriptions/${id}`)).body.status
  expect(await read(failed.subscription_id)).toBe('canceled')
  expect(await read(subscription_id)).toBe('current')
})

test('the same card can be tried again for a subscription', async () => {
  const session = await buy.session({
    ...monthly,
    customer: { email: 'x+charge-failure-330@example.com' },
  })
  await buy.payByCard(session.url)
  await buy.work()
  world.clock.advance(minute_ms)
  expect((await buy.payByCard(session.url)).status).toBe(200)
})

test('a subscription that begins later is completed with its token', async () => {
  const subscription = { period: 'monthly', schedule_settings: { start_on: '2027-03-01' } }
  const session = await buy.session({ token_type: 'subscription', subscription })
  expect((await buy.payByCard(session.url)).body.step).toBe('done')
  expect(await buy.read(session.id)).toMatchObject({ status: 'completed', charge_id: null })
})

test('a stored card is offered to its customer alone, and needs its security code', async () => {
  const customer_id = '0190b1a2-0000-7000-8000-000000000001'
  const customer = { email: customer_email, customer_id }
  const first = await buy.session({ token_type: 'recurring', customer })
  await buy.payByCard(first.url)
  await buy.work()
  world.clock.advance(minute_ms)
  const session = await buy.session({ customer })
  const { saved_cards } = await buy.state(session.url)
  expect(saved_cards).toMatchObject([{ brand: 'visa', last_four: '4242' }])
  const [{ transaction_token_id }] = saved_cards
  const stranger = await buy.session()
  expect((await buy.state(stranger.url)).saved_cards).toEqual([])
  const saved = { transaction_token_id, cvv: '123' }
  expect((await buy.send(stranger.url, 'saved_card', saved)).status).toBe(404)
  expect((await buy.send(session.url, 'saved_card', { transaction_token_id })).status).toBe(400)
  expect((await buy.send(session.url, 'saved_card', saved)).body.step).toBe('wait')
  await buy.work()
  expect(await buy.read(session.id)).toMatchObject({ status: 'completed', transaction_token_id })
})

test('a plain form comes back to the page, with what was wrong and typed, without the card', async () => {
  const session = await buy.session()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (fields: Record<string, string>) =>
    world.call('POST', `${new URL(session.url).pathname}/payments`, {
      body: new URLSearchParams(fields).toString(),
      headers: type,
    })
  const { pathname } = new URL(session.url)
  const card = { payment_type: 'card', email: customer_email, ...card_data }
  const { card_number: _number, cvv: _cvv, ...without_secrets } = card_data
  const wrong = await post({ ...card, cvv: '1' })
  expect([wrong.status, wrong.headers.location]).toEqual([
    303,
    `${pathname}?error=VALIDATION_ERROR&wrong=data.cvv`,
  ])
  const [name, kept = ''] = String(wrong.headers['set-cookie']).split(/[=;]/)
  expect([name, JSON.parse(Buffer.from(kept, 'base64url').toString())]).toEqual([
    'kaikei_typed',
    { payment_type: 'card', email: customer_email, ...without_secrets },
  ])
  const konbini = { ...at_lawson.data, 'phone_number.country_code': '81' }
  const { phone_number: _, ...flat } = { ...konbini, 'phone_number.local_number': '9012345678' }
  const right = await post({ payment_type: 'konbini', email: customer_email, ...flat })
  expect([right.status, right.headers.location]).toEqual([303, pathname])
  await buy.work()
  expect((await buy.state(session.url)).step).toBe('instructions')
})

test('a page of another site cannot act, and an unknown address reaches nothing', async () => {
  const session = await buy.session()
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const body = { payment_type: 'card', email: customer_email, data: card_data }
  expect((await buy.send(session.url, 'payments', body, foreign)).status).toBe(403)
  const unknown = `${session.url.slice(0, -3)}AAA`
  expect((await buy.payByCard(unknown)).status).toBe(404)
  expect((await world.call('GET', '/checkout/x/state')).status).toBe(404)
})

test('a failure before the commit leaves the session open, without a token or a charge', async () => {
  const session = await buy.session()
  const failing = {
    ...world.service,
    failpoint: (name: string) => {
      if (name === 'in checkout payment') throw new Error('out of order')
    },
  }
  const found = await findSession(world.service, session.url.split('/').at(-1))
  const details = { payment_type: 'card' as const, email: customer_email, data: card_data }
  const started = startPayment(
    failing,
    found as CheckoutSession,
    { kind: 'details', details },
    { ip: '', proof: null },
  )
  await expect(started).rejects.toThrow('out of order')
  expect(await chargesOf(session)).toEqual([])
  expect(await buy.read(session.id)).toMatchObject({ status: 'open', attempts: 0 })
  await buy.payByCard(session.url)
  await buy.work()
  expect((await buy.read(session.id)).status).toBe('completed')
})

test('a declined card is shown after one second, and no request is held open until then', async () => {
  const session = await buy.session()
  await buy.payByCard(session.url, declined)
  await buy.work()
  const path = `${new URL(session.url).pathname}/state?polling=true&step=wait`
  const started_ms = performance.now()
  const { body } = await world.call('GET', path)
  expect(body).toMatchObject({ step: 'wait', wait_ms: second_ms })
  expect(performance.now() - started_ms).toBeLessThan(3000)
  world.clock.advance(second_ms)
  expect((await world.call('GET', path)).body).toMatchObject({ step: 'failed', error: 'declined' })
})
