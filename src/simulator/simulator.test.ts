import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { useWorld } from '../../test/support/use-world.ts'
import type { Config } from '../config.ts'
import { passesLuhn } from '../core/cards/card-number.ts'
import { sensitive } from '../core/cards/sensitive.ts'
import type { PaymentType } from '../core/payments/payment-types.ts'
import { newProviders, routePayment } from '../open-providers.ts'
import type { Outcome, Provider } from '../providers/provider.ts'
import type {
  Authorization,
  FollowUp,
  InquiryOperation,
  Operation,
} from '../providers/provider-operations.ts'
import { needsChallenge } from './decisions/card-scenarios.ts'
import { newSimulators, type SimulatorParts } from './simulator.ts'
import { test_scenarios } from './test-scenarios.ts'

// The simulator keeps its log in the real database. Charges here are of 1000 JPY.
type Compatibility = Config['compatibility']

const card_payment = { payment_type: 'card', brand: 'visa' } as const
const plain_card = '4000020000000000'
const merchant_id = randomUUID()
const approved = { outcome: 'approved' }
const refused = (code: number) => ({ outcome: 'refused', code, detail: expect.any(String) })

const world = useWorld()
let simulators: Record<Compatibility, Provider>

beforeAll(async () => {
  const { service } = world
  const simulator = (compatibility: Compatibility) =>
    cardSimulator({ ...service, config: { ...service.config, compatibility } })
  simulators = { spec: simulator('spec'), clients: simulator('clients') }
})

function cardSimulator(parts: SimulatorParts): Provider {
  const [card] = newSimulators(parts)
  return card ?? expect.fail('There is no simulator.')
}

type Wanted = Partial<Authorization> & { number?: string }

function authorization({ number = plain_card, ...wanted }: Wanted = {}): Authorization {
  return {
    merchant_id,
    store_id: merchant_id,
    mode: 'test',
    reference: randomUUID(),
    charge_id: randomUUID(),
    amount: 1000,
    currency: 'JPY',
    credentials: null,
    instrument: {
      kind: 'card',
      number: sensitive(number),
      cvv: sensitive('123'),
      exp_month: 12,
      exp_year: 2030,
      cardholder: 'TARO YAMADA',
      brand: 'visa',
    },
    email: null,
    capture: true,
    expires_on: null,
    ip_address: null,
    billing: null,
    descriptor: null,
    descriptor_phone_number: null,
    merchant_transaction_id: null,
    match_amount: null,
    metadata: {},
    initiated_by: 'customer',
    first_network_transaction_id: null,
    three_ds: null,
    returnUrl: () => 'https://pay.example/return',
    ...wanted,
  }
}

/** A later operation on the charge, under a reference of its own. */
function later({ charge_id }: Operation, change: Partial<Operation> = {}): FollowUp {
  const reference = randomUUID()
  return {
    merchant_id,
    store_id: merchant_id,
    mode: 'test',
    reference,
    charge_id,
    amount: 1000,
    currency: 'JPY',
    credentials: null,
    ...nothing_taken,
    ...change,
  }
}

const nothing_taken = {
  provider_reference: null,
  authorization_code: null,
  network_transaction_id: null,
  provider_data: null,
}

function inquiryOf(operation: Operation): InquiryOperation {
  return { ...operation, ...nothing_taken, kind: 'authorize', operation_reference: null }
}

async function authorized(wanted: Wanted = {}): Promise<Authorization> {
  const operation = authorization(wanted)
  expect(await simulators.spec.authorize(operation)).toMatchObject(approved)
  return operation
}

async function receivedCount(reference: string): Promise<number[]> {
  const { rows } = await world.store.pool.query(
    'select received from simulator_operations where reference = $1',
    [reference],
  )
  return rows.map(({ received }) => received)
}

function count(outcomes: Outcome[], wanted: Outcome['outcome']): number {
  return outcomes.filter(({ outcome }) => outcome === wanted).length
}

/** What becomes of a captured charge, its refund, and the cancel of an authorized one. */
async function lifeOf(provider: Provider, wanted: Wanted): Promise<Outcome[]> {
  const charge = authorization(wanted)
  const held = authorization({ ...wanted, capture: false })
  const charged = await provider.authorize(charge)
  await provider.authorize(held)
  return [charged, await provider.refund(later(charge)), await provider.void(later(held))]
}

const works = [approved, approved, approved]
const no_refund = [approved, refused(329), approved]
const no_cancel = [approved, approved, refused(312)]
const fails = (code: number) => [refused(code), refused(308), refused(312)]

const cards: [number: string, spec: unknown[], clients: unknown[]][] = [
  [plain_card, works, works],
  ['4916741415383284', works, works],
  ['4000000000000002', fails(306), fails(306)],
  ['4000000000009995', fails(330), fails(330)],
  ['4000000000000069', fails(304), fails(304)],
  ['4000000000000127', fails(305), fails(305)],
  ['4000000000000119', fails(309), fails(309)],
  ['4000000000003220', works, works],
  ['4000000000003063', works, works],
  ['4000000000005126', no_refund, no_refund],
  ['4000000000007726', no_cancel, no_cancel],
  ['4111111111111111', works, fails(301)],
  ['4242424242424242', works, no_refund],
  ['4012888888881881', works, no_cancel],
]

test.each(cards)('card %s: charge, refund and cancel', async (number, spec, clients) => {
  expect(passesLuhn(number)).toBe(true)
  expect(await lifeOf(simulators.spec, { number })).toMatchObject(spec)
  expect(await lifeOf(simulators.clients, { number })).toMatchObject(clients)
})

test('only the two challenge cards need a challenge', () => {
  expect(cards.map(([number]) => number).filter(needsChallenge)).toEqual([
    '4000000000003220',
    '4000000000003063',
  ])
})

test.each<[email: string, outcome: unknown]>([
  ['a+charge-failure-306@shop.example', refused(306)],
  ['a+charge-failure-399@shop.example', refused(399)],
  ['a+charge-failure-502@shop.example', refused(502)],
  ['a+Charge-Failure-330@shop.example', refused(330)],
  ['a+news+charge-failure-330@shop.example', refused(330)],
  ['a+charge-failure-400@shop.example', approved],
  ['a+charge-failure-601@shop.example', approved],
  ['a+charge-failure-30@shop.example', approved],
  ['a+charge-failure-3060@shop.example', approved],
  ['charge-failure-306@shop.example', approved],
  ['a@shop+charge-failure-306.example', approved],
  ['+charge-failure-306', approved],
  ['a+delay-0@shop.example', approved],
  ['a+delay-61@shop.example', approved],
  ['a+delay-100@shop.example', approved],
  ['a+timeouts@shop.example', approved],
])('e-mail %s', async (email, outcome) => {
  for (const provider of [simulators.spec, simulators.clients]) {
    expect(await provider.authorize(authorization({ email }))).toMatchObject(outcome as object)
  }
})

test('the e-mail decides where card and e-mail disagree', async () => {
  const email = 'a+charge-failure-319@shop.example'
  const charge = authorization({ number: '4000000000000002', email })
  expect(await simulators.spec.authorize(charge)).toMatchObject(refused(319))
})

test('a delayed outcome is unknown until its time, for calls and inquiries alike', async () => {
  const { spec } = simulators
  const charge = authorization({ email: 'a+delay-60@shop.example' })
  expect(await spec.authorize(charge)).toEqual({ outcome: 'unknown', ask_again_ms: 60_000 })
  world.clock.advance(59_999)
  expect(await spec.authorize(charge)).toEqual({ outcome: 'unknown', ask_again_ms: 1 })
  expect(await spec.inquire(inquiryOf(charge))).toEqual({ outcome: 'unknown', ask_again_ms: 1 })
  world.clock.advance(1)
  expect(await spec.inquire(inquiryOf(charge))).toMatchObject(approved)
  expect(await spec.authorize(charge)).toMatchObject(approved)
  expect(await receivedCount(charge.reference)).toEqual([3])
})

test.each([
  ['asking', (charge: Authorization) => simulators.spec.inquire(inquiryOf(charge))],
  ['calling again', (charge: Authorization) => simulators.spec.authorize(charge)],
])('a lost answer is found out by %s; the effect was there already', async (_, again) => {
  const charge = authorization({ email: 'a+timeout@shop.example' })
  expect(await simulators.spec.authorize(charge)).toEqual({
    outcome: 'unknown',
    ask_again_ms: 1000,
  })
  expect(await again(charge)).toMatchObject(approved)
  expect(await simulators.spec.refund(later(charge))).toMatchObject(approved)
})

test('a delayed answer that is lost too, and is a refusal in the end', async () => {
  const { spec } = simulators
  const charge = authorization({ email: 'a+delay-5+timeout+charge-failure-306@shop.example' })
  expect(await spec.authorize(charge)).toEqual({ outcome: 'unknown', ask_again_ms: 5000 })
  world.clock.advance(5000)
  expect(await spec.inquire(inquiryOf(charge))).toMatchObject(refused(306))
})

test('an operation that never arrived is known as such, also to another merchant', async () => {
  const charge = await authorized()
  const { spec } = simulators
  expect(await spec.inquire(inquiryOf(charge))).toMatchObject(approved)
  expect(await spec.inquire({ ...inquiryOf(charge), merchant_id: randomUUID() })).toEqual({
    outcome: 'never_received',
  })
  expect(await spec.inquire({ ...inquiryOf(charge), reference: randomUUID() })).toEqual({
    outcome: 'never_received',
  })
})

test('fifty equal authorizations at once have one effect and one outcome', async () => {
  const charge = authorization()
  const calls = Array.from({ length: 50 }, () => simulators.spec.authorize(charge))
  expect(count(await Promise.all(calls), 'approved')).toBe(50)
  expect(await receivedCount(charge.reference)).toEqual([50])
})

test('a repeated operation gets its first outcome, whatever happened since', async () => {
  const { spec } = simulators
  const charge = await authorized({ capture: false })
  const capture = later(charge, { amount: 600 })
  const refund = later(charge, { amount: 600 })
  for (let call = 0; call < 3; call += 1) {
    expect(await spec.capture(capture)).toMatchObject(approved)
    expect(await spec.refund(refund)).toMatchObject(approved)
  }
  expect(await receivedCount(refund.reference)).toEqual([3])
  const early = later(authorization())
  expect(await spec.capture(early)).toMatchObject(refused(308))
  await authorized({ charge_id: early.charge_id, capture: false })
  expect(await spec.capture(early)).toMatchObject(refused(308))
})

test('a reference that is used for something else is refused', async () => {
  const { spec } = simulators
  const charge = await authorized()
  expect(await spec.authorize({ ...charge, amount: 999 })).toMatchObject(refused(339))
  expect(await spec.authorize({ ...charge, capture: false })).toMatchObject(refused(339))
  expect(await spec.authorize({ ...charge, charge_id: randomUUID() })).toMatchObject(refused(339))
  expect(await spec.authorize({ ...charge, currency: 'USD' })).toMatchObject(refused(339))
  expect(await spec.refund({ ...charge, ...nothing_taken })).toMatchObject(refused(339))
  expect(await spec.refund(later(charge))).toMatchObject(approved)
})

test('only what is authorized, not released and not yet taken can be captured', async () => {
  const { spec } = simulators
  const capture = async (charge: Operation, change = {}) => spec.capture(later(charge, change))
  expect(await capture(authorization())).toMatchObject(refused(308))
  const declined = authorization({ number: '4000000000000002', capture: false })
  await spec.authorize(declined)
  expect(await capture(declined)).toMatchObject(refused(308))
  const released = await authorized({ capture: false })
  expect(await spec.void(later(released))).toMatchObject(approved)
  expect(await capture(released)).toMatchObject(refused(308))
  expect(await spec.void(later(released))).toMatchObject(refused(345))
  expect(await capture(await authorized())).toMatchObject(refused(308))
  const held = await authorized({ capture: false })
  expect(await capture(held, { amount: 1001 })).toMatchObject(refused(308))
  expect(await capture(held, { currency: 'USD' })).toMatchObject(refused(308))
  expect(await capture(held, { merchant_id: randomUUID() })).toMatchObject(refused(308))
  expect(await capture(held, { amount: 1 })).toMatchObject(approved)
  expect(await capture(held, { amount: 1 })).toMatchObject(refused(308))
})

test('what was captured is not released, and what was not captured is not refunded', async () => {
  const { spec } = simulators
  expect(await spec.void(later(await authorized()))).toMatchObject(refused(312))
  expect(await spec.void(later(authorization()))).toMatchObject(refused(312))
  const held = await authorized({ capture: false })
  expect(await spec.refund(later(held))).toMatchObject(refused(308))
  await spec.capture(later(held, { amount: 400 }))
  expect(await spec.void(later(held))).toMatchObject(refused(312))
  expect(await spec.refund(later(held, { amount: 401 }))).toMatchObject(refused(308))
  expect(await spec.refund(later(held, { amount: 400, currency: 'USD' }))).toMatchObject(
    refused(308),
  )
  expect(await spec.refund(later(held, { amount: 400 }))).toMatchObject(approved)
})

test('a capture and a release at the same moment: exactly one is approved', async () => {
  for (let round = 0; round < 25; round += 1) {
    const held = await authorized({ capture: false })
    const outcomes = await Promise.all([
      simulators.spec.capture(later(held)),
      simulators.spec.void(later(held)),
      simulators.spec.void(later(held)),
      simulators.spec.capture(later(held)),
    ])
    expect(count(outcomes, 'approved')).toBe(1)
    expect(count(outcomes, 'refused')).toBe(3)
  }
})

test('fifty refunds at once never give back more than was captured', async () => {
  const held = await authorized({ capture: false })
  await simulators.spec.capture(later(held, { amount: 950 }))
  const calls = Array.from({ length: 50 }, () =>
    simulators.spec.refund(later(held, { amount: 100 })),
  )
  expect(count(await Promise.all(calls), 'approved')).toBe(9)
  expect(await simulators.spec.refund(later(held, { amount: 51 }))).toMatchObject(refused(308))
  expect(await simulators.spec.refund(later(held, { amount: 50 }))).toMatchObject(approved)
})

test('it takes exactly the currencies it lists', async () => {
  const { spec } = simulators
  for (const currency of spec.capabilities.currencies(card_payment)) {
    expect(await spec.authorize(authorization({ currency }))).toMatchObject(approved)
  }
  expect(await spec.authorize(authorization({ currency: 'AED' }))).toMatchObject(refused(308))
})

test('it refuses to be called inside a transaction', async () => {
  const charge = authorization()
  await world.service.db.transaction().execute(async (db) => {
    const inside = cardSimulator({ ...world.service, db })
    const words = 'never called inside a transaction'
    await expect(inside.authorize(charge)).rejects.toThrow(words)
    await expect(inside.capture({ ...charge, ...nothing_taken })).rejects.toThrow(words)
    await expect(inside.void({ ...charge, ...nothing_taken })).rejects.toThrow(words)
    await expect(inside.refund({ ...charge, ...nothing_taken })).rejects.toThrow(words)
    await expect(inside.inquire(inquiryOf(charge))).rejects.toThrow(words)
  })
  expect(await receivedCount(charge.reference)).toEqual([])
})

test('live payments are neither routed to it nor taken by it', async () => {
  const providers = newProviders(world.service)
  const route = (mode: 'test' | 'live', payment_type: PaymentType) =>
    routePayment(providers, { mode, payment_type, brand: null })?.name
  expect(route('test', 'card')).toBe('card_simulator')
  expect(route('test', 'apple_pay')).toBe('card_simulator')
  expect(route('test', 'konbini')).toBe('customer_simulator')
  expect(route('live', 'card')).toBeUndefined()
  const charge = authorization({ mode: 'live' })
  const { spec } = simulators
  await expect(spec.authorize(charge)).rejects.toThrow('never takes live payments')
  await expect(spec.refund({ ...charge, ...nothing_taken })).rejects.toThrow(
    'never takes live payments',
  )
  expect(await receivedCount(charge.reference)).toEqual([])
})

test('its log holds no card number, security code, name or e-mail address', async () => {
  await simulators.spec.authorize(authorization({ email: 'taro+delay-1@shop.example' }))
  const { rows } = await world.store.pool.query('select * from simulator_operations')
  expect(rows.length).toBeGreaterThan(100)
  const told = ['amount', 'currency', 'kind', 'capture', 'outcome', 'traits', 'received']
  const text = JSON.stringify(
    rows.map((row) => Object.fromEntries(told.map((name) => [name, row[name]]))),
  )
  expect(Object.keys(rows[0]).sort()).toEqual(
    [...told, 'merchant_id', 'reference', 'charge_id', 'ready_on', 'created_on'].sort(),
  )
  expect(text).not.toMatch(/\d{5}|@|TARO|shop|"123"/i)
})

test('the page about test mode has exactly the scenarios of the table', () => {
  const page = readFileSync(new URL('../../docs/test-mode.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('|'))
  const groups = [...new Set(test_scenarios.map(({ group }) => group))]
  const tables = groups.flatMap((group) => {
    const heading = group.charAt(0).toUpperCase() + group.slice(1)
    const own = test_scenarios.filter((one) => one.group === group)
    const shown = own.map(({ lever, effect }) => `| ${lever} | ${effect} |`)
    return [`| ${heading} | Effect |`, '|---|---|', ...shown]
  })
  expect(rows).toEqual(tables)
  for (const currency of simulators.spec.capabilities.currencies(card_payment))
    expect(page).toContain(currency)
})
