import { afterAll, expect, test } from 'vitest'
import { payments } from '../../../../test/support/payments.ts'
import { paymentFaults } from '../../../../test/support/rules/payment-checks.ts'
import { useMerchant, useWorld } from '../../../../test/support/use-world.ts'
import { newWorld } from '../../../../test/support/world.ts'
import { batch_rules } from '../../../doctor/money-rules/batch-rules.ts'
import { runAllDue, runKind } from '../../../worker/worker.ts'

// Several subscriptions with one request: each is created once, by the rules of POST /subscriptions.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)

afterAll(async () => {
  const faults = await paymentFaults(world)
  const broken = await Promise.all(batch_rules.map(({ rule }) => rule(world.service.db)))
  expect([faults, broken.flat()]).toEqual([[], []])
})

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const money = { amount: 500, currency: 'JPY', period: 'monthly' }
let customers = 0

async function item(more: object = {}): Promise<{ transaction_token_id: string }> {
  customers += 1
  const email = `c${customers}@example.com`
  return {
    transaction_token_id: await pay.tokenId({ type: 'recurring', email }),
    ...money,
    ...more,
  }
}
const itemsOf = async (count: number, more: object = {}) => {
  const items: object[] = []
  for (let made = 0; made < count; made += 1) items.push(await item(more))
  return items
}
const startsLater = () => {
  const start_on = new Date(world.clock.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  return { schedule_settings: { start_on } }
}
const post = (subscriptions: unknown, more: object = {}) =>
  pay.post('/subscriptions/batches', { subscriptions, ...more })
const get = (id: string) => pay.get(`/subscriptions/batches/${id}`)
const rows = async (query: string, ...values: unknown[]) =>
  (await world.store.pool.query(query, values)).rows
const created = async () =>
  (
    await rows(
      'select count(*)::integer as count from subscriptions where merchant_id = $1',
      shop.id,
    )
  )[0].count

test('a batch is accepted immediately, and the worker creates its subscriptions', async () => {
  const { status, body } = await post(await itemsOf(3))
  const nothing = { status: 'awaiting', subscription_id: null, charge_id: null, error: null }
  const accepted = {
    id: uuid,
    batch_id: body.id,
    merchant_id: shop.id,
    store_id: shop.store_id,
    mode: 'test',
    status: 'awaiting',
    subscription_ids: [],
    charge_id: null,
    initial_charge_metadata: null,
    results: [nothing, nothing, nothing],
    created_on: expect.stringMatching(/^2026-.*Z$/),
    updated_on: body.created_on,
  }
  expect([status, body]).toEqual([201, accepted])
  expect(await created()).toBe(0)
  await pay.work()
  const { body: done } = await get(body.id)
  expect(done).toMatchObject({ status: 'successful', charge_id: null })
  expect(done.subscription_ids).toHaveLength(3)
  expect(new Set(done.subscription_ids).size).toBe(3)
  for (const [number, id] of done.subscription_ids.entries()) {
    const subscription = (await pay.get(`/subscriptions/${id}`)).body
    expect(subscription).toMatchObject({ status: 'current', amount: 500, period: 'monthly' })
    const charge = (await pay.get(`/subscriptions/${id}/charges/latest`)).body
    expect(done.results[number]).toEqual({
      status: 'successful',
      subscription_id: id,
      charge_id: charge.id,
      error: null,
    })
    const events = await rows(
      'select name from events where resource_id = $1 order by sequence',
      id,
    )
    expect(events.map(({ name }) => name)).toEqual(['subscription_created', 'subscription_payment'])
  }
  // The request is no longer needed.
  const stored = await rows(
    'select request from subscription_batch_items where batch_id = $1',
    body.id,
  )
  expect(stored).toEqual([{ request: null }, { request: null }, { request: null }])
})

test('the one charge of a batch is named; a subscription that starts later has none', async () => {
  const later = await item(startsLater())
  const { body } = await post([later, await item()])
  await pay.work()
  const done = (await get(body.id)).body
  expect(done.charge_id).toBe(done.results[1].charge_id)
  expect(done).toMatchObject({ charge_id: uuid, results: [{ charge_id: null }, {}] })
})

test('a poll is answered when the batch is done', async () => {
  const { body } = await post(await itemsOf(1))
  const polled = get(`${body.id}?polling=true`)
  await pay.work()
  expect((await polled).body.status).toBe('successful')
})

test('each subscription has its own result; one that is refused fails the batch and no other', async () => {
  const once = { transaction_token_id: await pay.tokenId(), ...money }
  const unknown = { transaction_token_id: crypto.randomUUID(), ...money }
  const twice = await item()
  const { body } = await post([once, await item(), unknown, twice, twice])
  await pay.work()
  const { status, results, subscription_ids } = (await get(body.id)).body
  expect(status).toBe('failed')
  expect(subscription_ids).toHaveLength(2)
  expect(results.map((one: { error: { code: string } | null }) => one.error?.code ?? null)).toEqual(
    ['NOT_SUBSCRIPTION_TOKEN', null, 'NOT_FOUND', null, 'CHARGE_TOO_QUICK'],
  )
  expect(results[0]).toMatchObject({
    status: 'failed',
    subscription_id: null,
    error: { message: expect.any(String), errors: [] },
  })
  expect(await created()).toBe(2)
})

test('an invalid request is refused as a whole, and every fault is named', async () => {
  const good = await item()
  const faultsOf = async (subscriptions: unknown, more: object = {}) => {
    const { status, body } = await post(subscriptions, more)
    expect(status).toBe(400)
    return body.errors
  }
  expect(await faultsOf([])).toEqual([
    { field: 'subscriptions', reason: 'MUST_HAVE_AT_LEAST_ONE_ELEMENT' },
  ])
  expect(await faultsOf(undefined)).toEqual([{ field: 'subscriptions', reason: 'REQUIRED_VALUE' }])
  expect(await faultsOf(Array.from({ length: 101 }, () => good))).toEqual([
    { field: 'subscriptions', reason: 'INVALID_FORMAT_LENGTH' },
  ])
  expect(await faultsOf([good, { ...good, amount: 0 }])).toEqual([
    { field: 'subscriptions.1.amount', reason: 'NUMBER_MIN' },
  ])
  const both = { ...good, cyclical_period: 'P15D' }
  const none = { ...good, period: null }
  expect(await faultsOf([good, both, none])).toEqual([
    { field: 'subscriptions.1.cyclical_period', reason: 'FORBIDDEN_PARAMETER' },
    { field: 'subscriptions.2.period', reason: 'REQUIRED_VALUE' },
  ])
  const deep = { a: { b: { c: { d: { e: 1 } } } } }
  expect(await faultsOf([{ ...good, metadata: deep }])).toEqual([
    { field: 'subscriptions.0.metadata', reason: 'INVALID_FORMAT_OBJECT' },
  ])
  expect(await faultsOf([good], { initial_charge_metadata: deep })).toEqual([
    { field: 'initial_charge_metadata', reason: 'INVALID_FORMAT_OBJECT' },
  ])
  expect(await faultsOf([good], { charges: [{ amount: 1 }] })).toEqual([
    { field: 'charges', reason: 'FORBIDDEN_PARAMETER' },
  ])
  expect((await post([good], { charges: [], initial_charge_metadata: null })).status).toBe(201)
})

test('initial_charge_metadata is that of the first charges, and of nothing else', async () => {
  const start = await item({ metadata: { order: 1, by: 'subscription' } })
  const { body } = await post([start], { initial_charge_metadata: { by: 'batch', first: true } })
  expect(body.initial_charge_metadata).toEqual({ by: 'batch', first: true })
  await pay.work()
  const [id] = (await get(body.id)).body.subscription_ids
  await pay.post('/test/clock', { advance: 'P1M' })
  const { items } = (await pay.get(`/subscriptions/${id}/charges`)).body
  expect(items.map(({ metadata }: { metadata: object }) => metadata)).toEqual([
    { order: 1, by: 'subscription' },
    { order: 1, by: 'batch', first: true },
  ])
  const { metadata } = (await pay.get(`/subscriptions/${id}`)).body
  expect(metadata).toEqual({ order: 1, by: 'subscription' })
})

test('a large batch is done in several turns', async () => {
  const { body } = await post(await itemsOf(45))
  expect(await runKind(world.service, 'subscription_batches')).toBe(1)
  const { status, subscription_ids } = (await get(body.id)).body
  expect([status, subscription_ids.length]).toEqual(['awaiting', 20])
  await pay.work()
  expect((await get(body.id)).body).toMatchObject({ status: 'successful' })
  expect(await created()).toBe(45)
})

test('workers with expired leases, all on the same batch, create each subscription once', async () => {
  // Nothing is charged yet, so no token rule prevents a second subscription.
  const { body } = await post(await itemsOf(15, startsLater()))
  const others = [await world.another(), await world.another()]
  const working = [world, ...others].map(async ({ service }) => {
    // The lease of the worker that claimed it before has expired.
    await rows('update subscription_batches set due_on = $2 where id = $1', body.id, new Date(0))
    return runKind(service, 'subscription_batches')
  })
  await Promise.all(working)
  await runAllDue(world.service)
  const done = (await get(body.id)).body
  expect(done.status).toBe('successful')
  expect(new Set(done.subscription_ids).size).toBe(15)
  expect(await created()).toBe(15)
  const query = `select count(*)::integer as count from events
    where merchant_id = $1 and name = 'subscription_created'`
  expect(await rows(query, shop.id)).toEqual([{ count: 15 }])
})

test('a merchant has a bounded number of open batches; other merchants are not affected', async () => {
  const body = { subscriptions: [await item()] }
  const create = (auth: string) => world.call('POST', '/subscriptions/batches', { auth, body })
  const token = await world.call('POST', `/stores/${shop.store_id}/app_jwts`, {
    auth: shop.as_merchant,
    body: { mode: 'test' },
  })
  // Each token may send ten in a burst.
  const auths = [shop.as_store, `Bearer ${token.body.secret}.${token.body.jwt}`]
  const sent = Array.from({ length: 14 }, (_, count) => create(auths[count % 2] ?? ''))
  const responses = (await Promise.all(sent)).map(
    ({ status, body }) => `${status} ${body.code ?? ''}`,
  )
  expect(responses.filter((response) => response === '201 ')).toHaveLength(10)
  expect(responses.filter((response) => response === '400 RESOURCE_LIMIT_REACHED')).toHaveLength(4)
  expect((await create((await world.merchant()).as_store)).status).toBe(201)
  await pay.work()
  world.clock.advance(60_000)
  expect((await create(shop.as_store)).status).toBe(201)
})

test('it counts as one request of the standard rate', async () => {
  const response = await post(await itemsOf(5))
  expect(response.headers).toMatchObject({
    'x-requests-per-minute-route': '1200',
    'x-remaining-requests-route': '29',
  })
})

test('the same Idempotency-Key gives the same batch, and creates nothing again', async () => {
  const body = { subscriptions: [await item()] }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const send = () =>
    world.call('POST', '/subscriptions/batches', { auth: shop.as_store, body, headers })
  const first = await send()
  await pay.work()
  expect((await send()).body).toEqual(first.body)
  await pay.work()
  expect(await created()).toBe(1)
})

test('only a store creates one, with its secret; only its store and its merchant see it', async () => {
  const body = { subscriptions: [await item()] }
  const create = (auth: string) => world.call('POST', '/subscriptions/batches', { auth, body })
  expect((await create(shop.as_merchant)).status).toBe(403)
  expect((await create(`Bearer ${shop.jwt}`)).status).toBe(403)
  const { id } = (await create(shop.as_store)).body
  const read = async (auth: string) =>
    (await world.call('GET', `/subscriptions/batches/${id}`, { auth })).status
  const stranger = await world.merchant()
  expect(await read(shop.as_store)).toBe(200)
  expect(await read(shop.as_merchant)).toBe(200)
  expect(await read(`Bearer ${shop.jwt}`)).toBe(403)
  for (const auth of [stranger.as_store, stranger.as_merchant]) expect(await read(auth)).toBe(404)
  expect((await get(crypto.randomUUID())).status).toBe(404)
})

test('COMPATIBILITY=clients: amounts of a batch may be numeric strings', async () => {
  const clients = await newWorld({ settings: { COMPATIBILITY: 'clients' } })
  try {
    const merchant = await clients.merchant()
    const as_client = payments(clients, merchant)
    const transaction_token_id = await as_client.tokenId({ type: 'recurring' })
    const wanted = { transaction_token_id, ...money, amount: '500', initial_amount: '100' }
    const made = await as_client.post('/subscriptions/batches', { subscriptions: [wanted] })
    expect(made.status, made.text).toBe(201)
    await as_client.work()
    const batch = (await as_client.get(`/subscriptions/batches/${made.body.id}`)).body
    const { body } = await as_client.get(`/subscriptions/${batch.subscription_ids[0]}`)
    expect(body).toMatchObject({ amount: 500, initial_amount: 100 })
  } finally {
    await clients.close()
  }
})

test('the data check finds a batch whose outcome differs from its items', async () => {
  const { body } = await post(await itemsOf(2))
  await pay.work()
  const [rule] = batch_rules
  const found = async () => rule?.rule(world.service.db)
  const set = (status: string) =>
    rows('update subscription_batches set status = $2 where id = $1', body.id, status)
  expect(await found()).toEqual([])
  await set('failed')
  expect(await found()).toMatchObject([{ batch_id: body.id, status: 'failed' }])
  await set('awaiting')
  expect(await found()).toMatchObject([{ batch_id: body.id, due_on: null }])
  await set('successful')
})
