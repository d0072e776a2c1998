import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Event, Kaikei, type KaikeiError } from '../../client/src/kaikei-client.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { useWorld } from '../support/use-world.ts'
import type { TestMerchant } from '../support/world.ts'
import { expected, runScenario } from './client-scenario.ts'

// The client against the service over HTTP. The clock of the test advances with every request, so that
// none meets a rate limit.
const world = useWorld()
let worker: ReturnType<typeof startWorker>
let shop: TestMerchant
let base_url: string

beforeAll(async () => {
  worker = startWorker(world.service)
  base_url = (await world.listen()).url
  shop = await world.merchant()
})
afterAll(async () => {
  await worker.stop()
})

const pacedFetch: typeof fetch = (...args) => {
  world.clock.advance(600)
  return fetch(...args)
}

const optionsOf = ({ jwt, secret }: TestMerchant) => ({ base_url, jwt, secret, fetch: pacedFetch })

/** A client with the token of the merchant, which is not bound to a store. */
function clientOfMerchant({ as_merchant }: TestMerchant): Kaikei {
  const [secret = '', ...jwt] = as_merchant.replace('Bearer ', '').split('.')
  return new Kaikei({ base_url, secret, jwt: jwt.join('.'), fetch: pacedFetch })
}

async function newCharge(kaikei: Kaikei, more: { capture?: boolean } = {}): Promise<string> {
  const token = await kaikei.tokens.create({
    payment_type: 'card',
    email: 'taro@example.com',
    data: {
      cardholder: 'Taro Yamada',
      card_number: '4242424242424242',
      exp_month: 12,
      exp_year: 2030,
      cvv: '123',
    },
  })
  const body = { transaction_token_id: token.id, amount: 1000, currency: 'JPY', ...more }
  return (await kaikei.charges.create(body)).id
}

/** A charge that waits until its customer pays. */
async function newOnlineCharge(kaikei: Kaikei): Promise<string> {
  const { id: transaction_token_id } = await kaikei.tokens.create({
    payment_type: 'online',
    data: { brand: 'alipay_online', call_method: 'http_get' },
  })
  const body = { transaction_token_id, amount: 1000, currency: 'JPY' }
  return (await kaikei.charges.create(body)).id
}

const failureOf = (call: Promise<unknown>): Promise<KaikeiError> =>
  call.then(
    () => expect.fail('it succeeded'),
    (failure) => failure,
  )

test('a payment from its token to its refund', async () => {
  expect(await runScenario(optionsOf(shop))).toEqual(expected)
})

test('waitUntil waits for the customer, and no longer than it may', async () => {
  const kaikei = new Kaikei(optionsOf(shop))
  const id = await newOnlineCharge(kaikei)
  const awaiting = await kaikei.charges.waitUntil(id, 'awaiting')
  const late = await failureOf(kaikei.charges.waitUntil(id, 'successful', { timeout_ms: 1500 }))
  expect([late.code, late.resource]).toEqual(['TIMED_OUT', awaiting])
  expect(late.message).toBe('The charge is still awaiting after 1500 ms.')
  const paid = kaikei.charges.waitUntil(id, 'successful')
  await kaikei.test.completeCharge(id, { outcome: 'successful' })
  expect((await paid).status).toBe('successful')
  const stop = AbortSignal.abort('enough')
  expect(await failureOf(kaikei.charges.waitUntil(id, 'failed', { signal: stop }))).toBe('enough')
})

test('waitUntil ends when the status can no longer be reached', async () => {
  const kaikei = new Kaikei(optionsOf(shop))
  const id = await newCharge(kaikei, { capture: false })
  // An authorized charge is not at its end, but it will not wait for its customer any more.
  const failure = await failureOf(kaikei.charges.waitUntil(id, ['awaiting', 'error']))
  expect(failure.message).toBe('The charge is authorized and cannot become awaiting or error.')
  const cancel = await kaikei.charges.cancel(id)
  await kaikei.cancels.waitUntil(id, cancel.id, 'successful')
  const { code } = await failureOf(kaikei.charges.waitUntil(id, 'successful'))
  expect([code, (await kaikei.charges.get(id)).status]).toEqual(['STATUS_UNREACHABLE', 'canceled'])
})

test('for await walks every page, whatever the id of an item is called', async () => {
  const kaikei = new Kaikei(optionsOf(shop))
  const of_merchant = clientOfMerchant(shop)
  const history = new Set<string>()
  for await (const item of kaikei.history.list({ limit: 10 })) history.add(item.resource_id)
  // The scenario has left 12 charges and a refund, the tests after it two charges.
  expect(history.size).toBe(15)
  await world.merchantTokens(shop, 11)
  const tokens: string[] = []
  for await (const { jti } of of_merchant.appTokens.list({ limit: 10 })) tokens.push(jti)
  expect([tokens.length, new Set(tokens).size]).toEqual([12, 12])
  for await (const { id } of kaikei.charges.list({ cursor_direction: 'asc' })) {
    expect(id).toBe([...history].sort()[0])
    break
  }
})

test('the feed delivers what happens from now on, survives an outage and ends with its signal', async () => {
  let outages = 2
  const fails: typeof fetch = (...args) =>
    outages-- > 0 ? Promise.reject(new TypeError('fetch failed')) : pacedFetch(...args)
  const kaikei = new Kaikei(optionsOf(shop))
  const reader = new Kaikei({ ...optionsOf(shop), fetch: fails, max_retries: 0 })
  const stop = new AbortController()
  const seen: Event[] = []
  const reading = (async () => {
    const following = { after: 'latest', event: 'charge_finished', signal: stop.signal }
    for await (const event of reader.events.follow(following)) seen.push(event)
  })()
  await expect.poll(() => outages).toBeLessThan(-1)
  const id = await newCharge(kaikei)
  await expect.poll(() => seen.map((event) => event.resource_id)).toEqual([id])
  stop.abort()
  await reading
  const [{ id: after = '' } = {}] = seen
  const next = await newCharge(kaikei)
  for await (const event of kaikei.events.follow({ after, event: 'charge_finished' })) {
    expect(event.resource_id).toBe(next)
    break
  }
  const wrong = kaikei.events.follow({ after: crypto.randomUUID() }).next()
  expect(await failureOf(wrong)).toMatchObject({ code: 'NOT_FOUND' })
})

test('the clock of test mode has moved when the call is over', async () => {
  const kaikei = new Kaikei(optionsOf(await world.merchant()))
  const before = Date.parse((await kaikei.test.getClock()).now)
  const { now } = await kaikei.test.advanceClock({ advance: 'P1D' })
  expect(Date.parse(now) - before).toBeGreaterThanOrEqual(86_400_000)
})

test('a merchant works with all stores, or with the one that it names', async () => {
  const of_merchant = clientOfMerchant(shop)
  const store = await of_merchant.stores.create({ name: 'Second store' })
  const url = 'http://127.0.0.1:9/hook'
  const body = { url, triggers: ['charge_finished' as const] }
  const of_store = await of_merchant.webhooks.create(body, { store_id: store.id })
  const of_all = await of_merchant.webhooks.create(body)
  expect([of_store.store_id, of_all.store_id]).toEqual([store.id, null])
  const { secret } = await of_merchant.webhooks.getSecret(of_all.id)
  expect(secret).toMatch(/^whsec_/)
  expect(await of_merchant.webhooks.delete(of_all.id)).toBeUndefined()
  const { items } = await of_merchant.webhooks.list()
  expect(items).toEqual([])
})
