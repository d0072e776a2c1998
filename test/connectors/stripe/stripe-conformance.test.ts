import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  authorizationOf,
  followUpOf,
  inquiryOf,
  limit,
} from '../../../scripts/connector-check/check-calls.ts'
import type { CheckSubject, CheckWorld } from '../../../scripts/connector-check/check-subject.ts'
import { runChecks } from '../../../scripts/connector-check/run-checks.ts'
import { openStripeSubject } from '../../../scripts/connector-check/stripe-subject.ts'
import { stripeAmount } from '../../../src/connectors/stripe/messages/stripe-amounts.ts'
import { stripe_connector } from '../../../src/connectors/stripe/stripe-connector.ts'
import { sensitive } from '../../../src/core/cards/sensitive.ts'
import { newId } from '../../../src/core/ids.ts'
import { hour_ms } from '../../../src/core/time/clock.ts'
import type { Outcome } from '../../../src/providers/provider.ts'
import type { Authorization } from '../../../src/providers/provider-operations.ts'
import { type StripeDouble, startStripeDouble } from './double/stripe-double.ts'
import type { Fault } from './double/stripe-double-parts.ts'
import { cards } from './double/stripe-double-rules.ts'

// The `stripe` connector and our double of Stripe. Payments are of 1000 JPY.
let double: StripeDouble
let subject: CheckSubject
let world: CheckWorld
const provider = stripe_connector.open('checked', {
  log: pino({ level: 'silent' }),
  now: () => Date.now(),
})

beforeAll(async () => {
  double = await startStripeDouble()
  subject = await openStripeSubject(double)
  world = { credentials: subject.settings(null), subject } as unknown as CheckWorld
})
afterAll(() => double.close())
afterEach(() => double.faults.clear())

const send = (changes: Partial<Authorization> = {}) => {
  const id = newId(Date.now())
  const operation = authorizationOf(world, { charge_id: id, reference: id, ...changes })
  return { operation, outcome: provider.authorize(operation, limit()) }
}

test('the stripe connector agrees with the double in every shape', async () => {
  const results = await runChecks(subject)
  expect(results.filter(({ status }) => status === 'failed')).toEqual([])
  const not_run = results.filter(({ status }) => status === 'not run')
  expect(not_run.map(({ capability }) => capability)).toEqual([
    'lost answers',
    'signed requests',
    'signed requests',
    'waiting payments',
    'customs',
  ])
  expect(results.length - not_run.length).toBeGreaterThan(25)
})

test('the kit can fail: references that are not recognised, and captures of more than is held', async () => {
  double.faults.add('repeats').add('over_capture')
  const failed = (await runChecks(subject)).filter(({ status }) => status === 'failed')
  expect(failed.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      'a capture of more than is held is refused',
      'authorize, three times with one reference: one effect',
      'refund, three times with one reference: one effect',
    ]),
  )
})

test('a request whose connection breaks is sent once: the library does not repeat it', async () => {
  let connections = 0
  const breaking = createServer((socket) => {
    connections += 1
    socket.once('data', () => socket.resetAndDestroy())
  })
  await new Promise<void>((resolve) => breaking.listen(0, '127.0.0.1', resolve))
  const { port } = breaking.address() as AddressInfo
  const credentials = sensitive(subject.settings(`http://127.0.0.1:${port}`))
  expect(await send({ credentials }).outcome).toMatchObject({ outcome: 'unknown' })
  expect(connections).toBe(1)
  breaking.close()
})

/** A fault of the double, and what the connector must make of it. */
const faults: [Fault, () => Promise<Outcome>, Outcome['outcome']][] = [
  ['takes_part', () => send({ capture: true }).outcome, 'unknown'],
  [
    'pending_refund',
    async () => {
      const { operation, outcome } = send({ capture: true })
      return provider.refund(followUpOf(operation, await outcome, 400), limit())
    },
    'unknown',
  ],
]
test.each(faults)('with the fault %s nothing is approved', async (fault, act, expected) => {
  double.faults.add(fault)
  expect(await act()).toMatchObject({ outcome: expected })
})

test('a wrong key has no effect, and the test call names it', async () => {
  const tested = await stripe_connector.test(subject.wrong_secret, limit().signal)
  expect(tested).toEqual({ is_ok: false, problem: 'Stripe refused the key.' })
  const before = double.intents.size
  const { outcome } = send({ credentials: sensitive(subject.wrong_secret) })
  expect(await outcome).toMatchObject({ outcome: 'unknown' })
  expect(double.intents.size).toBe(before)
})

test('a pending refund is asked for by its own name until it is known', async () => {
  double.faults.add('pending_refund')
  const { operation, outcome } = send({ capture: true })
  const following = followUpOf(operation, await outcome, 400)
  const first = await provider.refund(following, limit())
  const inquiry = {
    ...inquiryOf('refund', following, await outcome),
    operation_reference: first.provider_reference ?? null,
  }
  expect(await provider.inquire(inquiry, limit())).toMatchObject({ outcome: 'unknown' })
  const refund = double.refunds.get(first.provider_reference ?? '')
  if (refund) refund.status = 'succeeded'
  expect(await provider.inquire(inquiry, limit())).toMatchObject({ outcome: 'approved' })
})

test('a payment without a known name is found by ours and undone', async () => {
  const { operation, outcome } = send()
  const { provider_reference: id = '' } = await outcome
  const unnamed = { ...followUpOf(operation, await outcome), provider_reference: null }
  const ended = await provider.void(unnamed, limit())
  expect(ended).toEqual({ outcome: 'approved', provider_reference: id })
  expect(double.intents.get(id)?.status).toBe('canceled')
  const charge_id = randomUUID()
  const none = await provider.void({ ...unnamed, charge_id, reference: charge_id }, limit())
  expect(none).toMatchObject({ outcome: 'refused', code: 338 })
})

test('what Stripe has forgotten after a day is not done a second time', async () => {
  const id = newId(Date.now() - 25 * hour_ms)
  const { operation, outcome } = send({ charge_id: id, reference: id })
  const taken = await outcome
  const capture = followUpOf(operation, taken)
  const refund = followUpOf(operation, taken, 400)
  const twice = async (act: () => Promise<Outcome>) => {
    const first = await act()
    double.forgetKeys()
    expect(await act()).toEqual(first)
    expect(first.outcome).toBe('approved')
  }
  double.forgetKeys()
  expect(await provider.authorize(operation, limit())).toEqual(taken)
  await twice(() => provider.capture(capture, limit()))
  await twice(() => provider.refund(refund, limit()))
  const own = [...double.intents.values()].filter((one) => one.metadata.kaikei_charge_id === id)
  expect(own).toMatchObject([{ received: 1000, refunded: 400 }])
})

test('a payment with the proof of another payment is not approved', async () => {
  const { outcome } = send()
  const { provider_reference: authentication_value = '' } = await outcome
  const three_ds = { eci: '05', authentication_value, transaction_id: 'x', version: '2.2.0' }
  expect(await send({ three_ds }).outcome).toMatchObject({ outcome: 'unknown' })
})

test('a merchant-initiated payment is off session, an authentication elsewhere comes with its proof', async () => {
  const number = sensitive(cards.challenged)
  const { instrument } = authorizationOf(world)
  const challenged = { ...instrument, number } as Authorization['instrument']
  const { outcome } = send({ instrument: challenged, initiated_by: 'merchant' })
  expect(await outcome).toMatchObject({ outcome: 'refused', code: 358 })
  const three_ds = {
    eci: '05',
    authentication_value: 'AAAB',
    transaction_id: 'ds',
    version: '2.2.0',
  }
  expect(await send({ three_ds, descriptor: 'SHOP' }).outcome).toMatchObject({
    outcome: 'approved',
    authorization_code: '123456',
    network_transaction_id: expect.stringMatching(/^npi_/),
  })
  expect(double.requests.at(-1)?.params).toMatchObject({
    'payment_method_options[card][three_d_secure][cryptogram]': 'AAAB',
    statement_descriptor_suffix: 'SHOP',
  })
})

test('amounts that Stripe counts in other units are exact, or are not sent', async () => {
  const written = [
    [1000, 'JPY', 1000],
    [1234, 'USD', 1234],
    [1230, 'KWD', 1230],
    [1234, 'KWD', null],
    [500, 'ISK', 50_000],
    [500, 'UGX', 50_000],
    [50_000, 'MGA', 500],
    [50_001, 'MGA', null],
  ] as const
  for (const [amount, currency, expected] of written) {
    expect(stripeAmount(amount, currency), currency).toBe(expected)
  }
  const inexact = await send({ amount: 1234, currency: 'KWD' }).outcome
  expect(inexact).toMatchObject({ outcome: 'not_taken', is_in_order: true })
})

test('a card on its own is authenticated by a SetupIntent; nothing is charged', async () => {
  const of = (number: string) => {
    const { instrument, ...operation } = authorizationOf(world, { amount: 0 })
    const card = { ...instrument, number: sensitive(number) }
    return { ...operation, card, force: true } as unknown as Parameters<
      typeof provider.authenticate
    >[0]
  }
  const found = await provider.authenticate(of(cards.approved), limit())
  const three_ds = { eci: '05', authentication_value: '', version: '2.2.0' }
  expect(found).toMatchObject({ outcome: 'approved', three_ds })
  const asked = of(cards.challenged)
  const waiting = await provider.authenticate(asked, limit())
  expect(waiting).toMatchObject({ outcome: 'waiting', instructions: { kind: 'three_ds' } })
  const message = double.event(waiting.provider_reference ?? '')
  const credentials = sensitive(world.credentials)
  const raw = { body: Buffer.from(message.body), headers: message.headers, now_ms: Date.now() }
  expect(await provider.readNotification({ ...raw, credentials })).toMatchObject([
    { resource_type: 'transaction_token', resource_id: asked.charge_id },
  ])
  double.act(waiting.provider_reference ?? '', false)
  const inquiry = inquiryOf('authenticate', asked, waiting)
  expect(await provider.inquire(inquiry, limit())).toMatchObject({ outcome: 'refused', code: 359 })
})
