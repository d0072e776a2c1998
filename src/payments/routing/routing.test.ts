import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { any_payment, card_number } from '../../../test/support/acquirer/acquirer-world.ts'
import { type BookAcquirer, newBookAcquirer } from '../../../test/support/acquirer/book-acquirer.ts'
import { payments } from '../../../test/support/payments.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'
import {
  addConnector,
  setDisabled,
  testConnector,
} from '../../accounts/connectors/connectors-store.ts'
import { card_brands } from '../../core/cards/card-number.ts'
import { circuit_policy } from '../../core/limits/retry-policies.ts'
import { dataFindings } from '../../doctor/data-findings.ts'
import { newMetrics } from '../../http/observation/metrics.ts'
import { resealAll } from '../../vault/rotate.ts'
import { explainCharge } from '../charges/explain-charge.ts'
import { routeText } from './route-text.ts'
import { listRules, removeRule, setRule } from './routing-rules.ts'

// Live payments of 1000 JPY at two acquirers, each with a book of its own. Connectors are never removed, so
// both exist from the start: `a` before `b`.
const world = useWorld()
let shop: TestMerchant
let a: BookAcquirer
let b: BookAcquirer

const settings = (at: BookAcquirer, account = 'installation') => ({ url: at.url, account })
const add = (name: string, at: BookAcquirer) =>
  addConnector(world.service, { name, kind: 'book', owner: null, settings: settings(at) })

beforeAll(async () => {
  a = await newBookAcquirer()
  b = await newBookAcquirer()
  await add('a', a)
  await add('b', b)
})
afterAll(async () => {
  await Promise.all([a.die(), b.die()])
})

beforeEach(async () => {
  world.clock.advance(60_000)
  for (const at of [a, b]) {
    at.behaviour = 'approves'
    at.book.length = 0
    at.seen.length = 0
  }
  for (const { position } of await listRules(world.service, null)) {
    await removeRule(world.service, null, position)
  }
  shop = await world.merchant({ mode: 'live', verified: true })
})

const rule = (position: number, connector: string, conditions: object = {}, merchant = shop.id) =>
  setRule(world.service, merchant, { position, connector, ...any_payment, ...conditions })

const at_card = { data: { card_number } }
const settled = (body: object = {}, options: object = at_card) =>
  payments(world, shop).settled(body, options)

// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
async function stored(id: string): Promise<any> {
  return (await world.store.pool.query('select * from charges where id = $1', [id])).rows[0]
}

async function operations(id: string): Promise<string[]> {
  const explained = await explainCharge(world.service, shop.id, id)
  const sent = (explained?.operations ?? []).filter(({ kind }) => kind === 'authorize')
  return sent.map(({ provider, outcome }) => `${provider} ${outcome}`)
}

async function minutes(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) {
    world.clock.advance(60_000)
    await payments(world, shop).work()
  }
}

test('without rules, connectors are used in the order of their creation; test mode never uses them', async () => {
  const { id, status } = await settled()
  expect(status).toBe('successful')
  expect(await stored(id)).toMatchObject({
    provider: 'a',
    route: { rules: null, candidates: [{ connector: 'a' }, { connector: 'b' }] },
  })
  expect(a.taken(id)).toBe(1)
  const tester = await world.merchant()
  const tested = await payments(world, tester).settled()
  expect(await stored(tested.id)).toMatchObject({ provider: 'card_simulator', route: null })
  expect(b.seen).toEqual([])
})

const visa = card_number
const mastercard = '5425233430109903'
type Case = [conditions: object, body: object, card: string, goes_to: string | null]
const billing = (country: string) => ({ country, line1: '1 Road', city: 'X', state: 'Y', zip: '1' })

test.each<Case>([
  [{ payment_type: 'card' }, {}, visa, 'b'],
  [{ payment_type: 'konbini' }, {}, visa, 'a'],
  [{ brand: 'mastercard' }, {}, mastercard, 'b'],
  [{ brand: 'mastercard' }, {}, visa, 'a'],
  [{ currency: 'USD' }, { currency: 'USD' }, visa, 'b'],
  [{ currency: 'USD' }, {}, visa, 'a'],
  [{ currency: 'JPY', min_amount: 1000 }, {}, visa, 'b'],
  [{ currency: 'JPY', min_amount: 1001 }, {}, visa, 'a'],
  [{ currency: 'JPY', max_amount: 1000 }, {}, visa, 'b'],
  [{ currency: 'JPY', max_amount: 999 }, {}, visa, 'a'],
  [{ country: 'FR' }, {}, visa, 'b'],
  [{ country: 'JP' }, {}, visa, 'a'],
])('a rule %j decides', async (conditions, body, number, goes_to) => {
  await rule(1, 'b', conditions)
  await rule(2, 'a')
  const data = { card_number: number, ...billing('FR') }
  const { id } = await settled(body, { data })
  expect((await stored(id)).provider).toBe(goes_to)
})

test("a merchant's own rules replace those of the installation; without a match a payment ends with 504", async () => {
  await setRule(world.service, null, { position: 1, connector: 'b', ...any_payment })
  expect(await stored((await settled()).id)).toMatchObject({
    provider: 'b',
    route: { rules: 'installation', candidates: [{ connector: 'b', position: 1 }] },
  })
  await rule(5, 'a', { currency: 'USD' })
  const refused = await settled()
  expect(refused).toMatchObject({ status: 'error', error: { code: 504 } })
  expect(await stored(refused.id)).toMatchObject({ provider: null, route: { candidates: [] } })
})

test('the settings of a store win over those of its merchant, and these over the installation', async () => {
  const account = async () => {
    const { id } = await settled()
    await payments(world, shop).post(`/stores/${shop.store_id}/charges/${id}/refunds`, {
      amount: 10,
      currency: 'JPY',
    })
    await payments(world, shop).work()
    return a.book.filter((one) => one.charge_id === id).map((one) => `${one.kind} ${one.account}`)
  }
  const own = (store_id: string | null, name: string) =>
    addConnector(world.service, {
      name: 'a',
      kind: 'book',
      owner: { merchant_id: shop.id, store_id },
      settings: settings(a, name),
    })
  expect(await account()).toEqual(['authorize installation', 'refund installation'])
  const first = await settled()
  await own(null, 'merchant')
  expect(await account()).toEqual(['authorize merchant', 'refund merchant'])
  await own(shop.store_id, 'store')
  expect(await account()).toEqual(['authorize store', 'refund store'])
  // A payment keeps the account that it was sent with.
  await payments(world, shop).post(`/stores/${shop.store_id}/charges/${first.id}/refunds`, {
    amount: 10,
    currency: 'JPY',
  })
  await payments(world, shop).work()
  expect(a.book.at(-1)).toMatchObject({ kind: 'refund', account: 'installation' })
  const owner = { merchant_id: shop.id, store_id: shop.store_id }
  const tested = await testConnector(world.service, 'a', owner)
  expect(tested).toEqual({ is_ok: true, seen: 'The account store is open.' })
})

test('replaced settings are used by the next call, though the previous ones were cached', async () => {
  const own = (name: string) =>
    addConnector(world.service, {
      name: 'a',
      kind: 'book',
      owner: { merchant_id: shop.id, store_id: null },
      settings: settings(a, name),
    })
  const pay = payments(world, shop)
  await own('first')
  const { id } = (await pay.charge({}, at_card)).body
  await pay.work()
  await own('second')
  await pay.post(`${pay.chargePath(id)}/refunds`, { amount: 10, currency: 'JPY' })
  await pay.work()
  expect(a.book.map(({ account }) => account)).toEqual(['first', 'second'])
})

test('a disabled connector takes no new payments, and refunds of its payments continue; other machines notice', async () => {
  const { id } = await settled()
  const other = await world.another()
  const order = () => other.service.providers.connectors.get('a')?.is_disabled
  expect(order()).toBe(false)
  await setDisabled(world.service, 'a', true)
  try {
    await vi.waitFor(() => expect(order()).toBe(true), { timeout: 60_000 })
    expect((await stored((await payments(other, shop).charge({}, at_card)).body.id)).provider).toBe(
      'b',
    )
    const pay = payments(world, shop)
    await pay.post(`${pay.chargePath(id)}/refunds`, { amount: 1000, currency: 'JPY' })
    await pay.work()
    expect(a.book.map(({ kind }) => kind)).toEqual(['authorize', 'refund'])
    await rule(1, 'a')
    const findings = await dataFindings(world.service.db, world.service.config)
    const named = findings.find(({ check }) => check.startsWith('routing rules name'))
    expect(named?.faults).toContainEqual(expect.stringContaining('"connector":"a"'))
  } finally {
    await setDisabled(world.service, 'a', false)
  }
  await vi.waitFor(() => expect(order()).toBe(false), { timeout: 60_000 })
  await rule(1, 'b')
  await vi.waitFor(
    async () => {
      const { body } = await payments(other, shop).charge({}, at_card)
      expect((await stored(body.id)).provider).toBe('b')
    },
    { timeout: 60_000 },
  )
  await payments(world, shop).work()
})

test('a payment that its connector certainly did not get goes to the next one, under another reference', async () => {
  await a.die()
  try {
    const { id, status } = await settled()
    expect(status).toBe('successful')
    expect(await operations(id)).toEqual(['a not_taken', 'b approved'])
    const { provider, route } = await stored(id)
    expect(provider).toBe('b')
    expect(routeText(route)).toBe('a, then b; no rules, order of creation')
    expect(b.taken(id)).toBe(1)
    expect(b.book.some(({ reference }) => reference === id)).toBe(false)
    const pay = payments(world, shop)
    const timeline = await pay.get(`${pay.chargePath(id)}/timeline`)
    const titles = timeline.body.items.map(({ title }: { title: string }) => title)
    expect(titles).toContain('The payment was routed: a, then b; no rules, order of creation.')
    expect(titles).toContain('a was asked to authorize: not taken.')
    await b.die()
    const nowhere = await settled().finally(() => b.comeBack())
    expect(nowhere).toMatchObject({ status: 'error', error: { code: 504 } })
    expect(await operations(nowhere.id)).toEqual(['a not_taken', 'b not_taken'])
  } finally {
    await a.comeBack()
  }
})

test.each([
  ['refused', { outcome: 'refused', code: 306, detail: null }, 'failed'],
  ['unknown', { outcome: 'unknown', ask_again_ms: 1000 }, 'pending'],
  ['a lost response', 'lost', 'pending'],
  ['nonsense', 'nonsense', 'pending'],
] as const)('after %s nothing is sent to another connector', async (_, behaviour, status) => {
  a.behaviour = behaviour
  const charge = await settled()
  expect(charge.status).toBe(status)
  a.behaviour = 'approves'
  await minutes(2)
  expect(b.seen).toEqual([])
  if (status === 'pending') expect(a.taken(charge.id)).toBe(1)
})

test('a time-out is no proof: the payment stays where it is', async () => {
  a.behaviour = 'hangs'
  const { body } = await payments(world, shop).charge({}, at_card)
  const working = payments(world, shop).work()
  await vi.waitFor(() => expect(a.seen).toContain('authorize'), { timeout: 60_000 })
  await a.die()
  await working
  await a.comeBack()
  // Nor is what happens to a later attempt: the first may still be on its way.
  a.behaviour = { outcome: 'not_taken', reason: 'closed for today' }
  await minutes(1)
  expect(await operations(body.id)).toContain('a not_taken')
  expect(await stored(body.id)).toMatchObject({ status: 'pending', provider: 'a' })
  a.behaviour = 'approves'
  await minutes(2)
  expect((await stored(body.id)).status).toBe('successful')
  expect([a.taken(body.id), b.taken(body.id)]).toEqual([1, 0])
})

test('a connector that does not respond is skipped immediately, until it responds to a probe', async () => {
  a.behaviour = { outcome: 'not_taken', reason: 'closed for today' }
  for (let sent = 0; sent < circuit_policy.max_failures; sent += 1) await settled()
  const asked = a.seen.length
  const passed = await settled()
  expect(a.seen).toHaveLength(asked)
  const { route } = await stored(passed.id)
  expect(routeText(route)).toBe('b, then a (circuit open); no rules, order of creation')
  expect(await operations(passed.id)).toEqual(['b approved'])
  const { circuits } = world.service.providers
  const metrics = await newMetrics(world.store.pool, { circuits, backlog: false }).measured()
  const value = (name: string) => metrics.find((one) => one.name === name)?.values
  expect(value('kaikei_connector_open_circuits')).toMatchObject([
    { value: 1, labels: { connector: 'a' } },
  ])
  expect(value('kaikei_connector_fallbacks_total')).toContainEqual(
    expect.objectContaining({ labels: { from: 'a', to: 'b' } }),
  )
  a.behaviour = 'approves'
  world.clock.advance(circuit_policy.open_ms)
  expect((await stored((await settled()).id)).provider).toBe('a')
  expect(circuits.open().size).toBe(0)
})

test('payments that a connector does not take continue elsewhere, and do not open its circuit', async () => {
  a.behaviour = { outcome: 'not_taken', reason: 'no such cards', is_in_order: true }
  for (let sent = 0; sent < circuit_policy.max_failures; sent += 1) await settled()
  expect(world.service.providers.circuits.open().size).toBe(0)
  expect(await operations((await settled()).id)).toEqual(['a not_taken', 'b approved'])
})

test('error 504 says whether connectors were reached', async () => {
  a.behaviour = { outcome: 'not_taken', reason: 'no such cards', is_in_order: true }
  b.behaviour = { outcome: 'not_taken', reason: 'no such cards', is_in_order: true }
  const message = 'No gateway is available for this payment.'
  const refused = {
    code: 504,
    message,
    detail: 'No connector takes this payment; nothing was charged.',
  }
  expect((await settled()).error).toEqual(refused)
  b.behaviour = { outcome: 'not_taken', reason: 'The connection failed.' }
  const detail = 'No connector could be reached; nothing was charged.'
  expect((await settled()).error).toEqual({ ...refused, detail })
})

test('live mode offers the brands that a connector of the merchant would get, and no others', async () => {
  const offered = async () => {
    const { body } = await world.call('GET', '/checkout_info', { auth: `Bearer ${shop.jwt}` })
    return body.supported_brands as { brand: string; supported_currencies: string[] }[]
  }
  const brands = async () => (await offered()).map(({ brand }) => brand)
  const follows = (wanted: unknown) =>
    vi.waitFor(async () => expect(await brands()).toEqual(wanted), { timeout: 60_000 })
  expect(await brands()).toEqual([...card_brands])
  await rule(1, 'a', { brand: 'jcb', currency: 'USD' })
  await rule(2, 'b', { brand: 'visa', currency: 'JPY', min_amount: 1000 })
  await rule(3, 'a', { payment_type: 'konbini' })
  await follows(['visa', 'jcb'])
  expect(await offered()).toMatchObject([
    { brand: 'visa', supported_currencies: ['JPY'] },
    { brand: 'jcb', supported_currencies: ['USD'] },
  ])
  const pay = payments(world, shop)
  const session = async (amount: number, currency: string) => {
    const { status, body } = await pay.post('/checkout_sessions', { amount, currency })
    if (status !== 201) return body.errors
    const { pathname } = new URL(body.url)
    const { body: page } = await world.call('GET', `${pathname}/state`)
    return page.methods.map((method: { brands: string[] }) => method.brands)
  }
  expect(await session(1000, 'JPY')).toEqual([['visa']])
  expect(await session(1000, 'USD')).toEqual([['jcb']])
  expect(await session(999, 'JPY')).toMatchObject([{ field: 'payment_types' }])
  await setDisabled(world.service, 'a', true)
  await follows(['visa']).finally(() => setDisabled(world.service, 'a', false))
})

test('settings are sealed, tried before they are stored, and resealed with a new key', async () => {
  const { service } = world
  const adding = (given: unknown) =>
    addConnector(service, { name: 'c', kind: 'book', owner: null, settings: given })
  await expect(adding({ url: a.url, account: 'wrong' })).rejects.toThrow(
    'The test call failed: the acquirer does not know the account',
  )
  await expect(adding({ url: 1, other: 'secret text' })).rejects.toThrow(
    /url must be string.*account|account.*url must be string/,
  )
  await expect(adding({ url: 1, other: 'secret text' })).rejects.not.toThrow('secret text')
  const { rows } = await world.store.pool.query("select settings from connectors where name = 'a'")
  expect(rows[0].settings.includes(a.url)).toBe(false)
  expect(service.providers.connectors.has('c')).toBe(false)
  expect(await resealAll(service.db, service.keys.vault)).toBe(0)
})
