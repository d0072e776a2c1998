import { beforeEach, expect, test } from 'vitest'
import {
  type Checkouts,
  card_data,
  cardNumber,
  checkouts,
  customer_email,
} from '../../../test/support/pages/checkouts.ts'
import { useMerchant, useWorld } from '../../../test/support/use-world.ts'
import { hour_ms, minute_ms } from '../../core/time/clock.ts'
import { proof_of_work, zeroBits } from '../../payments/card-testing/challenge.ts'
import { findSession } from './checkout-session.ts'

// Card testing: programs try stolen numbers on pages of shops. `X-Forwarded-For` stands for their addresses.
const world = useWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1' } })
const shop = useMerchant(world, { passed_ms: 24 * hour_ms })
let buy: Checkouts

beforeEach(async () => {
  buy = checkouts(world, shop)
})

const declined = '4000000000000002'
/** The simulator declines by this e-mail, whatever the card. */
const bad_email = 'x+charge-failure-306@example.com'

const tryCard = (url: string, ip: string, card_number: string, proof = '', email = bad_email) =>
  buy.send(
    url,
    'payments',
    { payment_type: 'card', email, data: { ...card_data, card_number } },
    { 'x-forwarded-for': ip, ...(proof ? { 'x-checkout-proof': proof } : {}) },
  )

/** The behaviour of the page's script. */
async function solve(url: string): Promise<string> {
  const { nonce, bits } = (await world.call('GET', `${new URL(url).pathname}/challenge`)).body
  for (let n = 0; ; n += 1) if (zeroBits(`${nonce}:${n}`) >= bits) return `${nonce}:${n}`
}

async function chargeCount(): Promise<number> {
  const { rows } = await world.store.pool.query(
    'select count(*)::integer as count from charges where merchant_id = $1',
    [shop.id],
  )
  return rows[0].count
}

test('an address whose cards are declined is refused after ten, and other addresses are not', async () => {
  const statuses = []
  for (let n = 0; n < 12; n += 1) {
    const { url } = await buy.session()
    statuses.push((await tryCard(url, '192.0.2.1', cardNumber(n))).status)
    await buy.work()
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  const { url } = await buy.session()
  expect((await tryCard(url, '192.0.2.2', cardNumber(20), '', customer_email)).status).toBe(200)
})

test('a card is tried five times, from any number of addresses', async () => {
  const statuses = []
  for (let n = 0; n < 6; n += 1) {
    const { url } = await buy.session()
    statuses.push((await tryCard(url, `192.0.2.${n + 10}`, declined)).status)
    await buy.work()
  }
  expect(statuses).toEqual([...Array(5).fill(200), 429])
})

test('payments that succeed use nothing up', async () => {
  for (let n = 0; n < 15; n += 1) {
    const { url } = await buy.session()
    const paid = await tryCard(url, '192.0.2.31', card_data.card_number, '', customer_email)
    expect(paid.status, paid.text).toBe(200)
    await buy.work()
  }
})

/** `CARD_TESTING_ATTEMPTS=10000` is an attack of ten minutes from a hundred addresses. */
const attempts = Number(process.env.CARD_TESTING_ATTEMPTS ?? 150)
const addresses = 100
const pause_ms = 60
const timeout = 180_000 + 50 * attempts

test(
  'a store that is attacked asks for a challenge: few attempts pass, and an honest customer pays',
  async () => {
    const link = (await buy.post('/payment_links', { name: 'Tea', amount: 500, currency: 'JPY' }))
      .body
    const responses = new Map<number, number>()
    const sessions = new Map<string, string>()
    for (let n = 0; n < attempts; n += 1) {
      world.clock.advance(pause_ms)
      const ip = `198.51.100.${n % addresses}`
      const headers = { 'x-forwarded-for': ip }
      const opened = await world.call('POST', new URL(link.url).pathname, { body: {}, headers })
      if (opened.status === 200) sessions.set(ip, opened.body.url)
      const { status } = await tryCard(sessions.get(ip) ?? '', ip, cardNumber(1000 + n))
      responses.set(status, (responses.get(status) ?? 0) + 1)
      if (n % 50 === 0) await buy.work()
    }
    await buy.work()
    const told = JSON.stringify(Object.fromEntries(responses))
    if (process.env.CARD_TESTING_ATTEMPTS) process.stdout.write(`answers by status: ${told}\n`)
    const reached = await chargeCount()
    expect(reached).toBeGreaterThan(0)
    expect(reached, told).toBeLessThanOrEqual(61 + (attempts * pause_ms) / minute_ms)
    // Once a minute, an attempt passes without a challenge: that one is used up.
    const last = await buy.session()
    await tryCard(last.url, '198.51.100.200', cardNumber(1))
    const honest = await buy.session()
    const refused = await tryCard(
      honest.url,
      '203.0.113.9',
      card_data.card_number,
      '',
      customer_email,
    )
    expect([refused.status, refused.body.code]).toEqual([403, 'CHECKOUT_CHALLENGE_REQUIRED'])
    const proof = await solve(honest.url)
    const paid = await tryCard(
      honest.url,
      '203.0.113.9',
      card_data.card_number,
      proof,
      customer_email,
    )
    expect(paid.status, paid.text).toBe(200)
    await buy.work()
    expect((await buy.read(honest.id)).status).toBe('completed')
    const solved = []
    for (let n = 0; n < 6; n += 1) {
      const { url } = await buy.session()
      const tried = await tryCard(url, `203.0.113.${20 + (n % 3)}`, cardNumber(n), await solve(url))
      solved.push(tried.status)
      await buy.work()
    }
    expect(solved, 'a program that meets challenges: one card an address').toEqual([
      ...[200, 200, 200],
      ...[429, 429, 429],
    ])
    const { items } = (await buy.get('/events?event=checkout_attacked')).body
    expect(items).toMatchObject([{ data: { store_id: shop.store_id, mode: 'test' } }])
    const attention = (await world.call('GET', '/attention?mode=test', { auth: shop.as_merchant }))
      .body
    expect(attention.card_testing.count).toBe(1)
  },
  timeout,
)

test('the answer to a challenge is for one attempt of one session, in time', async () => {
  const [one, other] = [await buy.session(), await buy.session()]
  const read = async (url: string) => {
    const found = await findSession(world.service, url.split('/').at(-1) ?? '')
    if (!found) throw new Error('There is no such session.')
    return found
  }
  const proof = await solve(one.url)
  const isRight = async (url: string, response: string) =>
    proof_of_work.verify(world.service, await read(url), response)
  expect(await isRight(one.url, proof)).toBe(true)
  expect(await isRight(other.url, proof)).toBe(false)
  expect(await isRight(one.url, `${proof.split(':')[0]}:x`)).toBe(false)
  const easier = proof.replace(/\.(\d+)\./, '.1.')
  expect(await isRight(one.url, easier)).toBe(false)
  await tryCard(one.url, '192.0.2.99', declined)
  await buy.work()
  expect(await isRight(one.url, proof)).toBe(false)
  const later = await solve(other.url)
  world.clock.advance(11 * minute_ms)
  expect(await isRight(other.url, later)).toBe(false)
})
