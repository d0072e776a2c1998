import { beforeEach, expect, test, vi } from 'vitest'
import { payment_rules } from '../../src/doctor/money-rules/payment-rules.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { runDue } from '../../src/worker/worker.ts'
import { payments } from '../support/payments.ts'
import {
  faults,
  type Kind,
  type Line,
  newLine,
  unanswered,
} from '../support/receiver/broken-line.ts'
import { paymentFaults } from '../support/rules/payment-checks.ts'
import { simulatorOf, withProviders } from '../support/simulators.ts'
import { useMerchant, useWorld } from '../support/use-world.ts'
import type { ApiResponse } from '../support/world.ts'

// The connection to the provider breaks in every possible way. The provider behind it
// is the simulator with its own operations log, which agrees with the ledger in the end.
const world = useWorld()
const shop = useMerchant(world, { passed_ms: 60_000 })
const pay = payments(world, shop)
let line: Line

beforeEach(async () => {
  line = newLine(simulatorOf(world.service, 'card'))
})

/** Processes what is due, over the broken connection; failures leave it due, as in the worker. */
async function workOver(provider: Provider): Promise<void> {
  const service = withProviders(world.service, provider)
  await runDue(service)
}

async function minutes(count: number, provider = line.provider): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) {
    world.clock.advance(60_000)
    await workOver(provider)
  }
}

const chargeNow = async (id: string): Promise<ApiResponse['body']> =>
  (await pay.get(pay.chargePath(id))).body

/** The money of a charge that the provider took and did not return, and its current hold. */
async function simulatorTotals(charge_id: string): Promise<{ taken: number; held: number }> {
  const { rows } = await world.store.pool.query(
    `select kind, capture, amount from simulator_operations
     where charge_id = $1 and outcome ->> 'outcome' = 'approved'`,
    [charge_id],
  )
  const sum = (is: (row: { kind: string; capture: boolean | null }) => boolean) =>
    rows.filter(is).reduce((total, { amount }) => total + amount, 0)
  const ended = rows.some(({ kind }) => kind === 'capture' || kind === 'void')
  return {
    taken:
      sum((row) => row.kind === 'capture' || row.capture === true) -
      sum(({ kind }) => kind === 'refund'),
    held: ended ? 0 : sum((row) => row.kind === 'authorize' && row.capture === false),
  }
}

const noFaults = async () => expect(await paymentFaults(world)).toEqual([])
const post = (id: string, what: string, body = {}) =>
  pay.post(`${pay.chargePath(id)}/${what}`, body)

/** How each kind of call is caused; the last element is the resulting status. */
const flows: Record<
  Kind,
  { begin(): Promise<string>; during: string; after: string; left: object }
> = {
  authorize: {
    begin: async () => (await pay.charge()).body.id,
    during: 'pending',
    after: 'successful',
    left: { taken: 1000, held: 0 },
  },
  capture: {
    begin: async () => {
      const { id } = await pay.settled({ capture: false })
      await post(id, 'capture', { amount: 400 })
      return id
    },
    during: 'authorized',
    after: 'successful',
    left: { taken: 400, held: 0 },
  },
  void: {
    begin: async () => {
      const { id } = await pay.settled({ capture: false })
      await post(id, 'cancels')
      return id
    },
    during: 'authorized',
    after: 'canceled',
    left: { taken: 0, held: 0 },
  },
  refund: {
    begin: async () => {
      const { id } = await pay.settled()
      await post(id, 'refunds', { amount: 300, currency: 'JPY' })
      return id
    },
    during: 'successful',
    after: 'successful',
    left: { taken: 700, held: 0 },
  },
}
const kinds = Object.keys(flows) as Kind[]
const cases = kinds.flatMap((kind) => faults.map((fault) => [kind, fault] as const))

test.each(cases)('%s, %s effect: found by inquiry, done once', async (kind, fault) => {
  const { begin, during, after, left } = flows[kind]
  const id = await begin()
  line.next.set(kind, fault)
  await workOver(line.provider)
  expect((await chargeNow(id)).status).toBe(during)
  await minutes(2)
  expect((await chargeNow(id)).status).toBe(after)
  expect(await simulatorTotals(id)).toEqual(left)
  const references = line.sent.filter((call) => call.kind === kind).map((call) => call.reference)
  expect(references).toHaveLength(fault.endsWith('before') ? 2 : 1)
  expect(new Set(references).size).toBe(1)
  await noFaults()
})

test.each(kinds)(
  '%s: a connection that is silent for five minutes, and then responds',
  async (kind) => {
    const { begin, during, after, left } = flows[kind]
    const id = await begin()
    line.next.set(kind, 'lost after')
    line.inquiries = 'silent'
    await workOver(line.provider)
    await minutes(5)
    expect((await chargeNow(id)).status).toBe(during)
    line.inquiries = null
    await minutes(2)
    expect((await chargeNow(id)).status).toBe(after)
    expect(await simulatorTotals(id)).toEqual(left)
    await noFaults()
  },
)

test.each([
  ['before its effect', 2000],
  ['before its effect', 31_000],
  ['after its effect', 31_000],
])('a call that hangs %s for %i ms while another process takes over', async (when, ms) => {
  const id = (await pay.charge()).body.id
  const gate = newGate()
  if (when === 'before its effect') line.held.set('authorize', gate.opened)
  const slow: Provider = {
    ...line.provider,
    authorize: async (operation) => {
      const outcome = await line.provider.authorize(operation)
      await gate.opened
      return outcome
    },
  }
  const first = workOver(slow)
  await isSent(when === 'before its effect' ? null : id)
  world.clock.advance(ms)
  await pay.work()
  expect((await chargeNow(id)).status).toBe(ms > 30_000 ? 'successful' : 'pending')
  gate.open()
  await first
  expect(await chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  expect(await simulatorTotals(id)).toEqual({ taken: 1000, held: 0 })
  await noFaults()
})

const unknowns = [true, false].flatMap((capture) =>
  faults.flatMap((fault) =>
    (['silent', 'reset'] as const).map((inquiries) => [capture, fault, inquiries] as const),
  ),
)

test.each(unknowns)(
  'capture %s, %s, inquiries %s: undone after ten minutes, error 502, nothing taken or held',
  async (capture, fault, inquiries) => {
    const id = (await pay.charge({ capture })).body.id
    line.next.set('authorize', fault)
    line.inquiries = inquiries
    await workOver(line.provider)
    await minutes(8)
    expect((await chargeNow(id)).status).toBe('pending')
    await minutes(4)
    expect(await chargeNow(id)).toMatchObject({
      status: 'error',
      error: { code: 502 },
      charged_amount: null,
    })
    expect(await simulatorTotals(id)).toEqual({ taken: 0, held: 0 })
    line.inquiries = null
    await minutes(2)
    expect((await chargeNow(id)).status).toBe('error')
    await noFaults()
  },
)

test('the reversal is retried when its own response is lost, and made once', async () => {
  const id = (await pay.charge()).body.id
  line.next.set('authorize', 'lost after')
  line.inquiries = 'silent'
  await workOver(line.provider)
  await minutes(9)
  line.next.set('refund', 'lost after')
  await minutes(1)
  expect((await chargeNow(id)).status).toBe('pending')
  await minutes(2)
  expect(await chargeNow(id)).toMatchObject({ status: 'error', error: { code: 502 } })
  expect(await simulatorTotals(id)).toEqual({ taken: 0, held: 0 })
  const refunds = line.sent.filter(({ kind }) => kind === 'refund')
  expect(refunds).toHaveLength(2)
  expect(refunds[0]).toEqual(refunds[1])
  await noFaults()
})

test('a partial capture whose outcome stays unknown is returned in that part', async () => {
  const id = await flows.capture.begin()
  line.next.set('capture', 'lost after')
  await workOver(line.provider)
  expect(await simulatorTotals(id)).toEqual({ taken: 400, held: 0 })
  line.inquiries = 'silent'
  await minutes(8)
  expect((await chargeNow(id)).status).toBe('authorized')
  await minutes(4)
  expect(await chargeNow(id)).toMatchObject({ status: 'failed', error: { code: 502 } })
  expect(await simulatorTotals(id)).toEqual({ taken: 0, held: 0 })
  await noFaults()
})

test('the ten minutes of a planned capture begin when it is sent', async () => {
  const capture_at = new Date(world.clock.now() + 86_400_000).toISOString()
  const { id } = await pay.settled({ capture: false, capture_at })
  world.clock.advance(86_400_000)
  line.next.set('capture', 'lost after')
  await workOver(line.provider)
  expect(await simulatorTotals(id)).toEqual({ taken: 1000, held: 0 })
  line.inquiries = 'silent'
  await minutes(5)
  expect((await chargeNow(id)).status).toBe('authorized')
  line.inquiries = null
  await minutes(2)
  expect(await chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  await noFaults()
})

test('the end of a hold is unknown: inquired again, then the charge ends all the same', async () => {
  const { id } = await pay.settled({ capture: false })
  world.clock.advance(7 * 86_400_000)
  line.next.set('void', 'lost after')
  await workOver(line.provider)
  line.inquiries = 'silent'
  await minutes(5)
  line.inquiries = null
  await minutes(2)
  expect(await chargeNow(id)).toMatchObject({ status: 'failed', error: { code: 313 } })
  expect(await simulatorTotals(id)).toEqual({ taken: 0, held: 0 })
  await noFaults()
})

test('changing the metadata of a charge does not postpone its end', async () => {
  const id = (await pay.charge()).body.id
  line.next.set('authorize', 'lost after')
  line.inquiries = 'silent'
  await workOver(line.provider)
  for (let round = 0; round < 12; round += 1) {
    await pay.patch(pay.chargePath(id), { metadata: { round } })
    await minutes(1)
  }
  expect((await chargeNow(id)).status).toBe('error')
  await noFaults()
})

test('a refund whose outcome stays unknown keeps its part, and ends when the provider responds', async () => {
  const id = await flows.refund.begin()
  line.next.set('refund', 'lost after')
  await workOver(line.provider)
  line.inquiries = 'silent'
  await minutes(30)
  const { items } = (await pay.get(`${pay.chargePath(id)}/refunds`)).body
  expect(items).toMatchObject([{ status: 'pending' }])
  const too_much = await post(id, 'refunds', { amount: 701, currency: 'JPY' })
  expect(too_much.body.code).toBe('REFUND_EXCEEDS_CHARGE_AMOUNT')
  line.inquiries = null
  await minutes(2)
  const after = (await pay.get(`${pay.chargePath(id)}/refunds`)).body.items
  expect(after).toMatchObject([{ status: 'successful' }])
  expect(line.sent.filter(({ kind }) => kind === 'refund')).toHaveLength(1)
  await noFaults()
})

test('the authorization arrives after it was given up: it is reversed', async () => {
  const id = (await pay.charge()).body.id
  const gate = newGate()
  line.held.set('authorize', gate.opened)
  const late = workOver(line.provider)
  await isSent(null)
  const silent = newLine(simulatorOf(world.service, 'card'))
  silent.inquiries = 'silent'
  await minutes(12, silent.provider)
  expect(await chargeNow(id)).toMatchObject({ status: 'error', error: { code: 502 } })
  gate.open()
  await late
  expect(await chargeNow(id)).toMatchObject({ status: 'error', charged_amount: null })
  expect(await simulatorTotals(id)).toEqual({ taken: 0, held: 0 })
  await noFaults()
})

test('a late response says approved after the reversal: reversed once, and stays so', async () => {
  const id = (await pay.charge()).body.id
  const gate = newGate()
  const slow: Provider = {
    ...line.provider,
    authorize: async (operation) => {
      const outcome = await line.provider.authorize(operation)
      await gate.opened
      return outcome
    },
  }
  const late = workOver(slow)
  await isSent(id)
  const silent = newLine(simulatorOf(world.service, 'card'))
  silent.inquiries = 'silent'
  await minutes(12, silent.provider)
  gate.open()
  await late
  expect(await chargeNow(id)).toMatchObject({ status: 'error', error: { code: 502 } })
  expect(await simulatorTotals(id)).toEqual({ taken: 0, held: 0 })
  await noFaults()
})

test('a response that contradicts the previous one changes nothing', async () => {
  const id = (await pay.charge()).body.id
  await pay.work()
  const before = await chargeNow(id)
  const lying: Provider = {
    ...line.provider,
    inquire: async () => ({ outcome: 'refused', code: 306, detail: 'Contradiction' }),
  }
  await minutes(3, lying)
  expect(await chargeNow(id)).toEqual(before)
  await noFaults()
})

// This test leaves wrong data in the database: it is the last one.
test('a late approval that cannot be undone is found by doctor', async () => {
  const id = (await pay.charge()).body.id
  const gate = newGate()
  line.held.set('authorize', gate.opened)
  const down: Provider = {
    ...line.provider,
    void: async () => unanswered,
    refund: async () => unanswered,
  }
  const late = workOver(down)
  await isSent(null)
  const silent = newLine(simulatorOf(world.service, 'card'))
  silent.inquiries = 'silent'
  await minutes(12, silent.provider)
  gate.open()
  await late
  expect(await simulatorTotals(id)).toMatchObject({ taken: 1000 })
  const found = await Promise.all(payment_rules.map(({ rule }) => rule(world.service.db)))
  expect(found.flat()).toContainEqual(expect.objectContaining({ charge_id: id, kind: 'refund' }))
})

/** Waits until a call is in progress; with an id, until it has had its effect. */
async function isSent(id: string | null): Promise<void> {
  await vi.waitFor(async () => {
    expect(line.sent).toHaveLength(1)
    if (id !== null) expect((await simulatorTotals(id)).taken).toBe(1000)
  })
}

function newGate(): { opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
