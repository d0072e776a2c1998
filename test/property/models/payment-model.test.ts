import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Payments, payments } from '../../support/payments.ts'
import { paymentFaults } from '../../support/rules/payment-checks.ts'
import { useWorld } from '../../support/use-world.ts'
import type { TestMerchant } from '../../support/world.ts'
import {
  beginCancel,
  beginCapture,
  beginRefund,
  type Expected,
  inProviderMoney,
  type ModelCharge,
  refundedOrAboutTo,
  type Scenario,
  slow_ms,
  work,
} from './payment-model.ts'

// Random orders of everything a merchant, a customer's bank and time can do, compared with
// the model after every step; I1 to I4, I6 and I7 hold after every step too.
const world = useWorld()
let shop: TestMerchant
let pay: Payments
let charges: ModelCharge[]
const edges = new Set<string>()

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms
const slow_email = `x+delay-${slow_ms / 1000}@example.com`

const options: Record<Scenario, { token?: object; data?: object }> = {
  good: {},
  declined: { data: { card_number: '4000000000000002' } },
  broken: { token: { email: 'x+charge-failure-501@example.com' } },
  lost: { token: { email: 'x+timeout@example.com' } },
  slow: { token: { email: slow_email } },
  refund_fails: { data: { card_number: '4000000000005126' } },
  void_fails: { data: { card_number: '4000000000007726' } },
}

type Command =
  | {
      do: 'charge'
      scenario: Scenario
      capture: boolean
      plan: boolean
      amount: number
      currency: string
    }
  | { do: 'capture'; of: number; percent: number }
  | { do: 'cancel'; of: number }
  | { do: 'refund'; of: number; percent: number }
  | { do: 'work' }
  | { do: 'wait'; ms: number }

const of = fc.nat({ max: 20 })
const percent = fc.constantFrom(1, 20, 50, 100, 100, 110)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      scenario: fc.constantFrom(...(['good', ...Object.keys(options)] as Scenario[])),
      capture: fc.boolean(),
      plan: fc.boolean(),
      amount: fc.integer({ min: 2, max: 5000 }),
      currency: fc.constantFrom('JPY', 'USD', 'AED'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('capture' as const), of, percent }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), of }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('refund' as const), of, percent }) },
  { weight: 7, arbitrary: fc.constant({ do: 'work' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1000, 31_000, 11 * 60_000, day_ms, 7 * day_ms),
    }),
  },
)

async function create(wanted: Extract<Command, { do: 'charge' }>): Promise<void> {
  const { scenario, capture, amount, currency } = wanted
  const planned = !capture && wanted.plan
  // The token and the charge are two requests, and each lets a second pass.
  const capture_at_ms = planned ? world.clock.now() + 2000 + 6 * hour_ms : null
  const capture_at = capture_at_ms === null ? null : new Date(capture_at_ms).toISOString()
  const { status, body, text } = await pay.charge(
    { amount, currency, capture, ...(capture_at ? { capture_at } : {}) },
    options[scenario],
  )
  expect(status, text).toBe(201)
  charges.push({
    id: body.id,
    scenario,
    capture,
    capture_at_ms,
    requested: amount,
    currency,
    created_ms: world.clock.now(),
    status: 'pending',
    error: null,
    charged: null,
    refunded: 0,
    refunds: [],
    begun: null,
    capture_amount: 0,
    authorized_ms: 0,
    asked_ms: null,
  })
}

async function ask(id: string, what: string, body: object, expected: Expected): Promise<void> {
  const response = await pay.post(`${pay.chargePath(id)}/${what}`, body)
  const { status } = response
  expect(status < 300 ? `${status}` : `${status} ${response.body.code}`, what).toBe(expected)
}

/** Applies one action to the service and to the model. */
async function step(one: Command): Promise<void> {
  if (one.do === 'charge') return create(one)
  if (one.do === 'wait') return world.clock.advance(one.ms)
  if (one.do === 'work') {
    await pay.work()
    for (const charge of charges) move(charge, () => work(charge, world.clock.now()))
    return
  }
  const charge = charges[one.of % Math.max(charges.length, 1)]
  if (!charge) return
  if (one.do === 'cancel') return ask(charge.id, 'cancels', {}, beginCancel(charge))
  if (one.do === 'capture') {
    const amount = Math.max(1, Math.floor((charge.requested * one.percent) / 100))
    return ask(charge.id, 'capture', { amount }, beginCapture(charge, amount))
  }
  const currency = charge.currency === 'AED' ? 'JPY' : charge.currency
  const amount = Math.max(1, Math.floor(((charge.charged ?? 1) * one.percent) / 100))
  await ask(charge.id, 'refunds', { amount, currency }, beginRefund(charge, amount))
}

function move(charge: ModelCharge, change: () => void): void {
  const before = charge.status
  change()
  if (charge.status !== before) edges.add(`${before} -> ${charge.status}`)
}

async function compare(): Promise<void> {
  const { rows } = await world.store.pool.query(
    `select id, status, charged_amount as charged, refunded_amount as refunded,
       (error ->> 'code')::integer as error from charges where merchant_id = $1 order by id`,
    [shop.id],
  )
  expect(rows).toEqual(
    charges.map((charge) => ({
      id: charge.id,
      status: charge.status,
      charged: charge.charged,
      refunded: refundedOrAboutTo(charge),
      error: charge.error,
    })),
  )
  expect(await paymentFaults(world)).toEqual([])
}

async function newRun(): Promise<void> {
  shop = await world.merchant()
  pay = payments(world, shop)
  charges = []
}

test('the service does what the model says, in any order of events', async () => {
  let steps = 0
  const runs = fc.asyncProperty(
    fc.array(command, { minLength: 12, maxLength: 18 }),
    async (commands) => {
      await newRun()
      for (const one of commands) {
        await step(one)
        await compare()
        steps += 1
      }
      // I9: after the time of a hold, everything has ended.
      for (const ms of [0, 60_000, 8 * day_ms]) {
        world.clock.advance(ms)
        await step({ do: 'work' })
      }
      await compare()
      const open = ['pending', 'authorized', 'awaiting']
      expect(charges.filter(({ status }) => open.includes(status))).toEqual([])
    },
  )
  await fc.assert(runs, { numRuns: 10 })
  expect(steps).toBeGreaterThan(120)
  // Every path of a card occurred at least once, otherwise the runs above prove less than they seem to.
  expect([...edges].toSorted()).toEqual([
    'authorized -> canceled',
    'authorized -> failed',
    'authorized -> successful',
    'pending -> authorized',
    'pending -> error',
    'pending -> failed',
    'pending -> successful',
  ])
}, 600_000)

test('the comparison can fail: a model that forgets a refund is detected', async () => {
  await newRun()
  const good = { do: 'charge', scenario: 'good', capture: true, plan: false } as const
  for (const one of [
    { ...good, amount: 1000, currency: 'AED' },
    { do: 'work' },
    { do: 'refund', of: 0, percent: 50 },
    { do: 'work' },
  ] satisfies Command[]) {
    await step(one)
  }
  await compare()
  const [charge] = charges
  expect(charge).toMatchObject({ charged: inProviderMoney(1000, 'AED'), refunded: 204 })
  if (charge) charge.refunded = 0
  await expect(compare()).rejects.toThrow()
})
