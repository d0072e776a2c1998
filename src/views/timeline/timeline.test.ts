import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkouts } from '../../../test/support/pages/checkouts.ts'
import { type Payments, payments } from '../../../test/support/payments.ts'
import { newReceiver, type Receiver } from '../../../test/support/receiver/receiver.ts'
import { useWorld } from '../../../test/support/use-world.ts'
import type { TestMerchant } from '../../../test/support/world.ts'

// The why timeline of a charge: requests, rules, provider calls, status changes, ledger, events, deliveries.
const world = useWorld()
let shop: TestMerchant
let pay: Payments
let receiver: Receiver

beforeAll(async () => {
  shop = await world.merchant()
  pay = payments(world, shop)
  receiver = await newReceiver()
  const body = { url: receiver.url, triggers: ['charge_finished'] }
  await world.call('POST', '/webhooks', { auth: shop.as_merchant, body })
})
afterAll(async () => {
  await receiver.close()
})

interface Item {
  on: string
  kind: string
  actor: string
  title: string
  details: Record<string, unknown>
}

async function timelineOf(charge_id: string): Promise<Item[]> {
  await world.app.request_log?.flush()
  const { status, body, text } = await pay.get(`${pay.chargePath(charge_id)}/timeline`)
  expect(status, text).toBe(200)
  expect(text).not.toMatch(/4242424242424242|"123"/)
  return body.items
}

test('a payment from its token to the refused refund, in order', async () => {
  const { id } = await pay.settled({ amount: 1000 })
  const refunds = `${pay.chargePath(id)}/refunds`
  await pay.post(refunds, { amount: 400, currency: 'JPY' })
  await pay.work()
  world.clock.advance(1000)
  // A token of the merchant has no mode.
  const body = { amount: 5000, currency: 'JPY' }
  const refused = await world.call('POST', refunds, { auth: shop.as_merchant, body })
  expect(refused.body.code).toBe('REFUND_EXCEEDS_CHARGE_AMOUNT')
  const items = await timelineOf(id)
  expect(items.map(({ on }) => on)).toEqual(items.map(({ on }) => on).sort())
  const of = (kind: string) => items.filter((item) => item.kind === kind).map((one) => one.details)
  expect(of('request').map(({ operation, status }) => [operation, status])).toEqual([
    ['createToken', 201],
    ['createCharge', 201],
    ['createRefund', 201],
    ['createRefund', 400],
  ])
  expect(of('created').map(({ resource_type }) => resource_type)).toEqual([
    'transaction_token',
    'charge',
    'refund',
  ])
  expect(of('provider_call')).toMatchObject([
    { operation: 'authorize', outcome: 'approved', attempt: 1, is_inquiry: false },
    { operation: 'refund', outcome: 'approved', resource_type: 'refund' },
  ])
  expect(of('status_change')).toMatchObject([
    { resource_type: 'charge', from: 'pending', to: 'successful' },
    { resource_type: 'refund', from: 'pending', to: 'successful' },
  ])
  expect(of('rule')).toMatchObject([{ error_code: 'REFUND_EXCEEDS_CHARGE_AMOUNT' }])
  expect(of('ledger').map(({ ledger_kind }) => ledger_kind)).toEqual(
    expect.arrayContaining(['capture', 'refund']),
  )
  expect(of('event').map(({ event }) => event)).toEqual(
    expect.arrayContaining(['charge_finished', 'refund_finished']),
  )
  expect(of('delivery')).toMatchObject([{ event: 'charge_finished', attempt: 1, status: 200 }])
})

test('a refusal of the provider has its code, and no rule', async () => {
  const { id } = await pay.settled({}, { data: { card_number: '4000000000000002' } })
  const items = await timelineOf(id)
  const details = (kind: string) =>
    items.filter((one) => one.kind === kind).map((one) => one.details)
  expect(details('provider_call')).toMatchObject([{ outcome: 'refused', code: 306 }])
  expect(details('status_change')).toMatchObject([{ to: 'failed', code: 306 }])
  expect(details('rule')).toEqual([])
})

test('money that arrives at a bank is in the timeline', async () => {
  const id = await pay.waiting('bank_transfer', { brand: 'aozora_bank' })
  await pay.post(`/test/charges/${id}/deposits`, { amount: 1000 })
  await pay.work()
  const kinds = (await timelineOf(id)).map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['deposit', 'status_change', 'ledger']))
})

test('a dispute, its states, its ledger transactions and events are in the timeline of the payment', async () => {
  const { id } = await pay.settled({ amount: 1000 })
  const { body: dispute } = await pay.post(`/test/charges/${id}/disputes`)
  await pay.work()
  await pay.patch(`/stores/${shop.store_id}/disputes/${dispute.id}`, {
    evidence: { explanation: 'winning_evidence' },
    submit: true,
  })
  await pay.work()
  world.clock.advance(2000)
  await pay.work()
  const items = await timelineOf(id)
  const of = (kind: string) =>
    items.filter((one) => one.kind === kind && one.details.resource_id === dispute.id)
  expect(of('created')).toMatchObject([
    { actor: 'customer', details: { resource_type: 'dispute', amount: 1000, currency: 'JPY' } },
  ])
  const states = of('status_change').map(({ details: { from, to } }) => [from, to])
  expect(states[0]).toEqual([null, 'needs_response'])
  expect(states.at(-1)?.[1]).toBe('won')
  const events = of('event').map(({ details }) => details.event)
  expect(events).toEqual(expect.arrayContaining(['dispute_created', 'dispute_closed']))
  const steps = items.flatMap(({ details }) => details.dispute_step ?? [])
  expect(steps).toEqual(['withdrawal', 'fee', 'reversal'])
  expect(items.some(({ details }) => details.operation === 'updateDispute')).toBe(true)
})

test('a payment on the page of a link names the session and the link', async () => {
  const buy = checkouts(world, shop)
  const link = await buy.post('/payment_links', { name: 'Tea', amount: 500, currency: 'JPY' })
  const visit = await world.call('POST', new URL(link.body.url).pathname, { body: {} })
  await buy.payByCard(visit.body.url)
  await buy.work()
  const { items } = (await buy.get(`/checkout_sessions?payment_link_id=${link.body.id}`)).body
  const [{ id: checkout_session_id, charge_id }] = items
  expect((await timelineOf(charge_id)).find(({ kind }) => kind === 'checkout')).toMatchObject({
    actor: 'customer',
    details: { checkout_session_id, payment_link_id: link.body.id },
  })
})

test("another merchant's charge has no timeline", async () => {
  const { id } = await pay.settled()
  const other = await world.merchant()
  const path = `/stores/${other.store_id}/charges/${id}/timeline`
  expect((await world.call('GET', path, { auth: other.as_merchant })).status).toBe(404)
  const foreign = `${pay.chargePath(id)}/timeline`
  expect((await world.call('GET', foreign, { auth: other.as_merchant })).status).toBe(404)
})
