import { expect, test } from 'vitest'
import {
  card_data,
  cardNumber,
  checkouts,
  customer_email,
} from '../../../test/support/pages/checkouts.ts'
import { payments } from '../../../test/support/payments.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { card_testing_rates } from '../../core/limits/card-testing-policy.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { zeroBits } from './challenge.ts'

// A shop's JWT is public. A caller who has nothing else must not learn which of many cards are good.
// `X-Forwarded-For` stands for the addresses of the programs that try.
const world = useWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1' } })
const shop = useMerchant(world, { passed_ms: 24 * hour_ms, domains: ['localhost'] })
const pay = payments(world, shop)

const wrong_code = { card_number: '4000000000000127' }
const cvv_check = { cvv_authorize: { enabled: true } }
const three_ds = { three_ds: { enabled: true } }
const { burst: of_address } = card_testing_rates.card_address
const { burst: of_card } = card_testing_rates.card_number
const { burst: of_key } = card_testing_rates.card_credential

interface Attempt {
  readonly ip?: string
  readonly data?: object
  readonly body?: object
  readonly auth?: string
  readonly headers?: Record<string, string>
}

/** A bare call, as a program makes it that names a page of the shop as its origin. */
function tryCard({ ip = '192.0.2.1', data = {}, body = {}, auth, headers = {} }: Attempt) {
  // Less than the rate of the API.
  world.clock.advance(50)
  return world.call('POST', '/tokens', {
    auth: auth ?? `Bearer ${shop.jwt}`,
    headers: { origin: 'http://localhost', 'x-forwarded-for': ip, ...headers },
    body: {
      payment_type: 'card',
      type: 'recurring',
      email: customer_email,
      data: { ...card_data, ...data },
      ...body,
    },
  })
}

const declining = 'x+charge-failure-306@example.com'

test('a JWT alone learns of few cards by a check of the security code', async () => {
  const statuses = []
  for (let n = 0; n < of_address + 5; n += 1) {
    const data = { ...cvv_check, card_number: cardNumber(n) }
    statuses.push((await tryCard({ data, body: { email: declining } })).status)
    await pay.work()
  }
  expect(statuses).toEqual([...Array(of_address).fill(201), ...Array(5).fill(429)])
})

test('a JWT alone learns of few cards by 3-D Secure', async () => {
  const challenged = ['4000000000003220', '4000000000003063']
  const statuses = []
  for (let n = 0; n < of_address + 2; n += 1) {
    const data = { ...three_ds, card_number: challenged[n % 2] }
    statuses.push((await tryCard({ data })).status)
    await pay.work()
  }
  expect(statuses).toEqual([...Array(of_address).fill(201), 429, 429])
})

test('good cards are not told without limit either: an address has a bound for all of its checks', async () => {
  const { burst } = card_testing_rates.card_check
  const statuses = []
  for (let n = 0; n < burst + 3; n += 1) {
    const data = { ...cvv_check, card_number: cardNumber(n) }
    statuses.push((await tryCard({ data })).status)
    await pay.work()
  }
  expect(statuses).toEqual([...Array(burst).fill(201), 429, 429, 429])
})

test('the refusal says when to try again, and how to do it right', async () => {
  for (let n = 0; n < of_card; n += 1) {
    await tryCard({ ip: `192.0.2.${n}`, data: { ...cvv_check, ...wrong_code } })
    await pay.work()
  }
  const refused = await tryCard({ ip: '192.0.2.99', data: { ...cvv_check, ...wrong_code } })
  expect(refused.status).toBe(429)
  expect(refused.body).toMatchObject({ code: 'BAD_REQUEST', errors: [] })
  expect(refused.body.message).toContain('secret')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

test('good cards use up neither the declines of an address nor those of a store', async () => {
  for (let n = 0; n < of_address + 5; n += 1) {
    const created = await tryCard({ data: { ...cvv_check, card_number: cardNumber(n) } })
    expect(created.status, created.text).toBe(201)
    await pay.work()
    const stored = 'select limit_keys from transaction_tokens where id = $1'
    const { rows } = await world.store.pool.query(stored, [created.body.id])
    expect(rows, 'nothing of the attempt is kept').toEqual([{ limit_keys: null }])
  }
})

test('a token that asks the issuer for nothing is not counted', async () => {
  for (let n = 0; n < of_address + 5; n += 1) {
    const body = { type: 'one_time' }
    expect((await tryCard({ data: { card_number: cardNumber(n) }, body })).status).toBe(201)
  }
})

test('a challenge of 3-D Secure that is left open counts', async () => {
  const statuses = []
  for (let n = 0; n < of_card + 1; n += 1) {
    const data = { ...three_ds, card_number: '4000000000003220' }
    statuses.push((await tryCard({ ip: `192.0.2.${n}`, data })).status)
    await pay.work()
  }
  expect(statuses).toEqual([...Array(of_card).fill(201), 429])
})

test('a key used from many addresses is refused, and the merchant is told', async () => {
  const statuses = new Map<number, number>()
  for (let n = 0; n < of_key + 10; n += 1) {
    const data = { ...cvv_check, card_number: cardNumber(n) }
    const { status } = await tryCard({ ip: `198.51.100.${n}`, data, body: { email: declining } })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  await pay.work()
  expect(Object.fromEntries(statuses)).toEqual({ 201: of_key, 429: 10 })
  const attention = await world.call('GET', '/attention?mode=test', { auth: shop.as_merchant })
  expect(attention.body.card_testing.count).toBe(1)
  const { items } = (await pay.get('/events?event=checkout_attacked')).body
  expect(items).toMatchObject([{ data: { store_id: shop.store_id, mode: 'test' } }])
})

test('a call with the secret is never refused; the merchant is told when there are many', async () => {
  const { burst } = card_testing_rates.card_with_secret
  for (let n = 0; n < burst + 2; n += 1) {
    const body = { email: declining, metadata: {} }
    const data = { ...cvv_check, card_number: cardNumber(n) }
    const { status } = await tryCard({ auth: shop.as_store, data, body })
    expect(status).toBe(201)
  }
  const attention = await world.call('GET', '/attention?mode=test', { auth: shop.as_merchant })
  expect(attention.body.card_testing.count).toBe(1)
})

test('card fields solve a challenge where a bare call is refused, and each answer counts once', async () => {
  for (let n = 0; n < of_key; n += 1) {
    const data = { ...cvv_check, card_number: cardNumber(n) }
    await tryCard({ ip: `198.51.100.${n}`, data, body: { email: declining } })
  }
  const from_fields = {
    origin: new URL(world.service.address.base_url).origin,
    'sec-fetch-site': 'same-origin',
    'x-checkout-parent': 'http://localhost',
  }
  const attempt = { ip: '203.0.113.9', data: { ...cvv_check, card_number: cardNumber(200) } }
  const refused = await tryCard({ ...attempt, headers: from_fields })
  expect([refused.status, refused.body.code]).toEqual([403, 'CHECKOUT_CHALLENGE_REQUIRED'])
  const path = `/checkout/fields/challenge?app_token=${shop.jwt}`
  const { nonce, bits } = (await world.call('GET', path)).body
  let response = ''
  for (let n = 0; zeroBits(response) < bits || response === ''; n += 1) response = `${nonce}:${n}`
  const headers = { ...from_fields, 'x-checkout-proof': response }
  expect((await tryCard({ ...attempt, headers })).status).toBe(201)
  const again = await tryCard({ ...attempt, ip: '203.0.113.10', headers })
  expect([again.status, again.body.code]).toEqual([403, 'CHECKOUT_CHALLENGE_REQUIRED'])
})

test('which cards a shop has seen is not told without limit either', async () => {
  const body = { type: 'subscription', email: customer_email }
  expect((await tryCard({ auth: shop.as_store, body })).status).toBe(201)
  const statuses = []
  for (let n = 0; n < of_card + 2; n += 1) {
    statuses.push((await tryCard({ ip: `192.0.2.${n}`, body })).status)
  }
  expect(statuses).toEqual([...Array(of_card).fill(409), 429, 429])
})

test('3-D Secure on a checkout page counts until the cardholder has passed', async () => {
  const buy = checkouts(world, shop)
  const statuses = []
  for (let n = 0; n < of_card + 1; n += 1) {
    const { url } = await buy.session()
    const data = { ...card_data, card_number: '4000000000003220' }
    const details = { payment_type: 'card', email: customer_email, data }
    const headers = { 'x-forwarded-for': `192.0.2.${n}` }
    statuses.push((await buy.send(url, 'payments', details, headers)).status)
    await buy.work()
  }
  expect(statuses).toEqual([...Array(of_card).fill(200), 429])
})
