import { pino } from 'pino'
import type { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorizationOf, followUpOf, limit } from '../../../scripts/connector-check/check-calls.ts'
import type { CheckWorld } from '../../../scripts/connector-check/check-subject.ts'
import { ourMoney } from '../../../src/connectors/stripe/messages/stripe-amounts.ts'
import { stripe_connector } from '../../../src/connectors/stripe/stripe-connector.ts'
import { readDispute } from '../../../src/connectors/stripe/stripe-disputes.ts'
import { sensitive } from '../../../src/core/cards/sensitive.ts'
import type { FileType } from '../../../src/core/payments/disputes.ts'
import type { SettlementLine } from '../../../src/core/payments/settlements.ts'
import type { DisputeResponse } from '../../../src/providers/provider-operations.ts'
import {
  type StripeDouble,
  secret_key,
  startStripeDouble,
  webhook_secret,
} from './double/stripe-double.ts'
import { cards } from './double/stripe-double-rules.ts'

// Disputes and balance transactions of the `stripe` connector, at our double. Payments are of 1000 JPY.
let double: StripeDouble
let world: CheckWorld
const provider = stripe_connector.open('checked', {
  log: pino({ level: 'silent' }),
  now: () => Date.now(),
})

beforeAll(async () => {
  double = await startStripeDouble()
  const credentials = { secret_key, webhook_secret, api_url: double.url }
  world = { credentials, subject: { cards } } as unknown as CheckWorld
})
afterAll(() => double.close())

async function paid(amount = 1000) {
  const operation = authorizationOf(world, { capture: true, amount })
  const outcome = await provider.authorize(operation, limit())
  const id = outcome.provider_reference ?? ''
  const respond = (changes: Partial<DisputeResponse>) =>
    provider.respondToDispute?.(
      {
        ...followUpOf(operation, outcome, amount),
        dispute_reference: '',
        response: 'evidence',
        evidence: sensitive({ explanation: 'It was delivered.' }),
        files: [],
        ...changes,
      },
      limit(),
    )
  const disputes = async () => {
    const { reference: _, ...asked } = followUpOf(operation, outcome)
    return (await provider.disputes?.(asked, limit())) ?? []
  }
  return { operation, outcome, id, respond, disputes }
}

test('a warning takes no money and is no dispute; when it takes money it is one', async () => {
  const { id, disputes } = await paid()
  const du = double.disputes.open(id, 700, 'warning_needs_response')
  expect(await disputes()).toEqual([])
  double.disputes.withdraw(du)
  expect(await disputes()).toMatchObject([
    { reference: du, status: 'needs_response', amount: 700, fee_amount: 1500, currency: 'JPY' },
  ])
})

const file = (content_type: FileType, name = 'a') => ({
  name,
  content_type,
  content: sensitive(Buffer.from('%PDF-')),
})

test('files go to fields of their own; one that Stripe does not take stops the response', async () => {
  const { id, respond } = await paid()
  const dispute_reference = double.disputes.open(id, 700)
  const text = await respond({ dispute_reference, files: [file('text/plain', 'mail.txt')] })
  expect(text).toMatchObject({ outcome: 'refused', code: 309 })
  expect(text).toMatchObject({ detail: expect.stringContaining('mail.txt is text/plain') })
  const reference = crypto.randomUUID()
  const files = Array.from({ length: 5 }, () => file('application/pdf'))
  const sent = { dispute_reference, reference, files }
  expect(await respond(sent)).toMatchObject({ outcome: 'approved' })
  const { evidence = {} } = double.disputes.disputes.get(dispute_reference) ?? {}
  const ids = Object.values(evidence).filter((one) => one.startsWith('file_'))
  expect(new Set(ids).size).toBe(5)
  // The answer was lost: files are uploaded again only if the dispute still waits.
  double.forgetKeys()
  const uploaded = double.disputes.files.size
  expect(await respond(sent)).toMatchObject({ outcome: 'approved' })
  expect(double.disputes.files.size).toBe(uploaded)
})

test('an accepted dispute is lost at Stripe, also when the answer was lost', async () => {
  const { id, respond, disputes } = await paid()
  const dispute_reference = double.disputes.open(id, 700)
  const accepted = { dispute_reference, response: 'acceptance' } as const
  expect(await respond(accepted)).toMatchObject({ outcome: 'approved' })
  double.forgetKeys()
  expect(await respond(accepted)).toMatchObject({ outcome: 'approved' })
  expect(await respond({ dispute_reference })).toMatchObject({
    outcome: 'refused',
    raw_code: 'lost',
  })
  expect(await disputes()).toMatchObject([{ status: 'lost' }])
})

test('a dispute of another payment is not answered', async () => {
  const [own, other] = [await paid(), await paid()]
  const dispute_reference = double.disputes.open(other.id, 700)
  expect(await own.respond({ dispute_reference })).toMatchObject({ outcome: 'unknown' })
  expect(double.disputes.disputes.get(dispute_reference)?.status).toBe('needs_response')
})

/** A dispute of 10.00 USD as Stripe shows it. */
function dispute(changes: object, taken: object = {}): Stripe.Dispute {
  const of_time = { created: 1_800_000_000, type: 'adjustment', reporting_category: 'dispute' }
  const withdrawal = { amount: -1000, fee: 1500, currency: 'usd', ...of_time, ...taken }
  return {
    ...{ id: 'du_1', object: 'dispute', amount: 1000, currency: 'usd', created: 1_800_000_000 },
    ...{ status: 'needs_response', reason: 'fraudulent', metadata: {}, payment_intent: 'pi_1' },
    balance_transactions: [{ id: 'txn_1', object: 'balance_transaction', ...withdrawal }],
    evidence_details: { due_by: 1_800_600_000 },
    ...changes,
  } as unknown as Stripe.Dispute
}

test('states, reasons, dates and amounts of disputes are ours', () => {
  const states = Object.entries({
    needs_response: 'needs_response',
    under_review: 'under_review',
    appeal_needs_response: 'under_review',
    appeal_under_review: 'under_review',
    won: 'won',
    prevented: 'won',
    lost: 'lost',
  })
  for (const [status, ours] of states) expect(readDispute(dispute({ status }))?.status).toBe(ours)
  expect(() => readDispute(dispute({ status: 'thinking' }))).toThrow('not known')
  expect(readDispute(dispute({ reason: 'check_returned' }))?.reason).toBe('general')
  expect(readDispute(dispute({}))?.respond_by).toEqual(new Date(1_800_600_000_000))
  const no_response = { evidence_details: { due_by: 0 } }
  expect(readDispute(dispute(no_response))?.respond_by).toEqual(new Date(1_800_000_000_000))
  // The account is in yen: the fee is not known in dollars.
  const in_yen = readDispute(dispute({}, { amount: -150_000, fee: 1500, currency: 'jpy' }))
  expect(in_yen).toMatchObject({ amount: 1000, fee_amount: 0, currency: 'USD' })
  expect(ourMoney(50_000, 'isk')).toEqual({ amount: 500, currency: 'ISK' })
  expect(() => ourMoney(50_001, 'isk')).toThrow('not exact')
})

async function lines(): Promise<SettlementLine[]> {
  const since = new Date(Date.now() - 60_000)
  const credentials = sensitive(world.credentials)
  const told: SettlementLine[] = []
  for await (const line of provider.settlements?.({ since, credentials }) ?? []) told.push(line)
  return told
}

test("converted amounts are reported in the currency of the payment, and others under Stripe's names", async () => {
  const before = (await lines()).length
  const source = {
    ...{ id: 'ch_1', object: 'charge', amount: 1000, amount_captured: 1000, currency: 'usd' },
    ...{ payment_intent: 'pi_1', payment_method_details: { type: 'card' } },
  }
  const entry = { fee: 5, currency: 'jpy', type: 'charge' }
  double.balance.book({ ...entry, amount: 1500, source, category: 'charge' })
  const failed = { id: 're_9', object: 'refund' }
  double.balance.book({ ...entry, amount: 300, source: failed, category: 'refund_failure' })
  double.balance.book({ ...entry, amount: -5, source: failed, category: 'fee' })
  // One entry of another program with the same account, and one in the opposite direction.
  const foreign = {
    ...source,
    currency: 'jpy',
    payment_method_details: { type: 'customer_balance' },
  }
  const of_customer = { ...foreign, customer: 'cus_1', metadata: {} }
  double.balance.book({ ...entry, amount: 1000, source: of_customer, category: 'charge' })
  double.balance.book({ ...entry, amount: -70, source: failed, category: 'dispute_reversal' })
  const told = await lines()
  expect(told.slice(0, told.length - before)).toMatchObject([
    { kind: 'refund', reference: 're_9', amount: -70, currency: 'JPY' },
    { kind: 'payment', reference: 'pi_1', amount: 1000, fee_amount: 5, currency: 'JPY' },
    { kind: 'payment', reference: 're_9', amount: 300, fee_amount: 5, currency: 'JPY' },
    { kind: 'payment', reference: 'pi_1', amount: 1000, fee_amount: null, currency: 'USD' },
  ])
})

test("a dispute's event is named by its payment; an event that cannot be named yet is sent again", async () => {
  const { id, operation } = await paid()
  const du = double.disputes.open(id, 700)
  const read = (credentials: Record<string, string>) => {
    const { body, headers } = double.event(du)
    const raw = { body: Buffer.from(body), headers, now_ms: Date.now() }
    return provider.readNotification({ ...raw, credentials: sensitive(credentials) })
  }
  expect(await read(world.credentials)).toEqual([
    {
      merchant_id: operation.merchant_id,
      resource_type: 'charge',
      resource_id: operation.charge_id,
    },
  ])
  const unreachable = { ...world.credentials, api_url: 'http://127.0.0.1:1' }
  await expect(read(unreachable)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  double.intents.delete(id)
  expect(await read(world.credentials)).toEqual([])
})
