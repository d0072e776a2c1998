import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setCredentials } from '../../../src/accounts/provider-credentials/provider-credentials.ts'
import { connectorSource } from '../../../src/commerce/reconciliation/connector-source.ts'
import { readReport, reconcile } from '../../../src/commerce/reconciliation/reconcile.ts'
import { stripe_connector } from '../../../src/connectors/stripe/stripe-connector.ts'
import { hour_ms } from '../../../src/core/time/clock.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { useAcquirer } from '../../support/acquirer/acquirer-world.ts'
import {
  type StripeDouble,
  secret_key,
  startStripeDouble,
  webhook_secret,
} from './double/stripe-double.ts'
import { live_challenged } from './double/stripe-double-rules.ts'

// Live payments of 1000 JPY through the whole service and the `stripe` connector, at our double.
const on = useAcquirer()
let double: StripeDouble
let provider: Provider

beforeAll(async () => {
  double = await startStripeDouble(() => on.world.clock.now())
})
afterAll(() => double.close())
beforeEach(async () => {
  const { service } = on.world
  const parts = { log: service.log, now: () => on.world.clock.now() }
  provider = stripe_connector.open('stripe', parts)
  on.useProviders(provider)
  const settings = { secret_key, webhook_secret, api_url: double.url }
  await setCredentials(service, 'stripe', { merchant_id: on.shop.id, store_id: null }, settings)
})

const paymentsOf = (id: string) =>
  [...double.intents.values()].filter(({ metadata }) => metadata.kaikei_charge_id === id)

/** Stripe sends an event, and the worker looks. */
async function notify(id: string): Promise<void> {
  const message = double.event(id, on.world.service.wall_clock.now())
  const taken = await on.world.call('POST', `/callbacks/stripe/${on.shop.id}`, message)
  expect(taken.status).toBe(204)
  await on.pay.work()
}

test('a charge is authorized, captured in part and refunded; both records agree', async () => {
  const { id, status } = await on.settled({ capture: false })
  expect(status).toBe('authorized')
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 600, currency: 'JPY' })
  await on.pay.work()
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 200, currency: 'JPY' })
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 600 })
  expect(paymentsOf(id)).toMatchObject([{ amount: 1000, received: 600, refunded: 200 }])
})

test.each([
  [true, 'successful'],
  [false, 'authorized'],
])(
  'with capture %s, a cardholder who passes the challenge has a charge that is %s',
  async (capture, status) => {
    const { id } = await on.settled({ capture }, { card_number: live_challenged })
    expect(await on.chargeNow(id)).toMatchObject({ status: 'awaiting' })
    const [payment] = paymentsOf(id)
    double.act(payment?.id ?? '', true)
    await notify(payment?.id ?? '')
    expect(await on.chargeNow(id)).toMatchObject({ status })
    expect(paymentsOf(id)).toMatchObject([{ amount: 1000, received: capture ? 1000 : 0 }])
    const rows = await on.rows(
      'select * from provider_operations where merchant_id = $1',
      on.shop.id,
    )
    expect(JSON.stringify(rows) + on.world.log.join('')).not.toContain(live_challenged)
  },
)

const slip = {
  customer_name: 'Taro Yamada',
  phone_number: { country_code: '81', local_number: '9012345678' },
  convenience_store: 'family_mart',
}

test('a voucher is shown with its numbers and without a barcode, and its deposit pays the charge', async () => {
  const id = await on.pay.waiting('konbini', slip)
  const { body } = await on.pay.get(`${on.pay.chargePath(id)}/issuer_token`)
  const { expires_on: _, ...codes } = body.payload
  expect(codes).toEqual({ payment_code: '12345678901', confirmation_code: '09012345678' })
  const page = await on.world.call('GET', new URL(body.issuer_token).pathname)
  expect(page.status).toBe(200)
  expect(page.text).toContain('First number (payment code)')
  expect(page.text).toContain('09012345678')
  expect(page.text).not.toContain('bar code')
  const [payment] = paymentsOf(id)
  double.deposit(payment?.id ?? '', 1000)
  await notify(payment?.id ?? '')
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
})

test('a voucher that is paid while its charge ends counts; one that is not paid expires', async () => {
  const paid = await on.pay.waiting('konbini', { ...slip, expiration_period: 'PT2H' })
  const unpaid = await on.pay.waiting('konbini', { ...slip, expiration_period: 'PT2H' })
  // The event is lost.
  double.deposit(paymentsOf(paid)[0]?.id ?? '', 1000)
  on.world.clock.advance(2 * hour_ms + 1000)
  await on.pay.work()
  expect(await on.chargeNow(paid)).toMatchObject({ status: 'successful' })
  expect(await on.chargeNow(unpaid)).toMatchObject({ status: 'failed', error: { code: 327 } })
  expect(paymentsOf(unpaid)).toMatchObject([{ status: 'canceled' }])
})

test('cash for a charge that was canceled goes back, when the customer has named an account', async () => {
  const id = await on.pay.waiting('konbini', slip)
  const [payment] = paymentsOf(id)
  double.deposit(payment?.id ?? '', 1000)
  expect((await on.pay.post(`${on.pay.chargePath(id)}/cancels`)).status).toBe(201)
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'canceled' })
  await notify(payment?.id ?? '')
  await on.pay.work()
  const [refund] = [...double.refunds.values()].filter((one) => one.payment_intent === payment?.id)
  expect(refund).toMatchObject({ amount: 1000, status: 'requires_action' })
  const deposit = async () => (await on.rows('select * from deposits where charge_id = $1', id))[0]
  const { status, due_on } = await deposit()
  expect(status).toBe('returning')
  expect(due_on.getTime() - on.world.clock.now()).toBeGreaterThan(hour_ms / 2)
  if (refund) refund.status = 'succeeded'
  on.world.clock.advance(hour_ms)
  await on.pay.work()
  expect(await deposit()).toMatchObject({ status: 'returned', return_amount: 1000 })
})

const account = { brand: 'aozora_bank', match_amount: 'disabled' }

test('transfers are added up, and what is too much or too late goes back', async () => {
  const id = await on.pay.waiting('bank_transfer', account)
  const { body } = await on.pay.get(`${on.pay.chargePath(id)}/issuer_token`)
  expect(body).toMatchObject({ bank_code: '0009', branch_code: '904', account_number: '1234567' })
  const [payment] = paymentsOf(id)
  const customer = payment?.customer ?? ''
  const cash = () =>
    double.deposits.customers.get(customer)?.cash.map(({ net_amount }) => net_amount)
  double.deposit(payment?.id ?? '', 300)
  await notify(customer)
  expect(await on.chargeNow(id)).toMatchObject({ status: 'awaiting' })
  double.deposit(payment?.id ?? '', 900)
  await notify(customer)
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'successful', charged_amount: 1000 })
  expect(cash()).toEqual([-200, 900, 300])
  double.deposit(payment?.id ?? '', 50)
  await notify(customer)
  await on.pay.work()
  expect(cash()).toEqual([-50, 50, -200, 900, 300])
})

test('a transfer for a charge that ends unpaid goes back; another rule than adding up is not taken', async () => {
  const id = await on.pay.waiting('bank_transfer', { ...account, expiration_period: 'PT2H' })
  const { customer } = paymentsOf(id)[0] ?? {}
  double.deposit(paymentsOf(id)[0]?.id ?? '', 300)
  await notify(customer ?? '')
  on.world.clock.advance(2 * hour_ms + 1000)
  await on.pay.work()
  await on.pay.work()
  expect(await on.chargeNow(id)).toMatchObject({ status: 'failed', error: { code: 327 } })
  const cash = double.deposits.customers.get(customer ?? '')?.cash
  expect(cash).toMatchObject([{ net_amount: -300 }, { net_amount: 300 }])
  const exact = {
    payment_type: 'bank_transfer',
    email: 'x@example.com',
    data: { brand: 'aozora_bank' },
  }
  const token = await on.pay.post('/tokens', exact)
  const money = { amount: 1000, currency: 'JPY' }
  const created = await on.pay.post('/charges', { transaction_token_id: token.body.id, ...money })
  await on.pay.work()
  expect(await on.chargeNow(created.body.id)).toMatchObject({
    status: 'error',
    error: { code: 504 },
  })
})

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('picture')])

test('a dispute is opened by an event, answered with texts and a file, and won', async () => {
  const { id } = await on.settled()
  const [payment] = paymentsOf(id)
  const du = double.disputes.open(payment?.id ?? '', 700)
  await notify(du)
  const { body } = await on.pay.get(`/disputes?charge_id=${id}`)
  expect(body.items).toMatchObject([
    { status: 'needs_response', amount: 700, fee_amount: 1500, reason: 'product_not_received' },
  ])
  const path = `/stores/${body.items[0].store_id}/disputes/${body.items[0].id}`
  const file = { name: 'parcel.png', content_type: 'image/png', content: png.toString('base64') }
  expect((await on.pay.post(`${path}/files`, file)).status).toBe(201)
  const evidence = { explanation: 'It was delivered.', delivery: 'On Monday.', product: 'Flowers.' }
  await on.pay.patch(path, { evidence, submit: true })
  await on.pay.work()
  expect((await on.pay.get(path)).body).toMatchObject({ status: 'under_review', error: null })
  const sent = double.disputes.disputes.get(du)
  expect(sent).toMatchObject({
    submissions: 1,
    evidence: {
      uncategorized_text: 'It was delivered.\n\nDelivery: On Monday.',
      product_description: 'Flowers.',
    },
  })
  const uploaded = double.disputes.files.get(sent?.evidence.uncategorized_file ?? '')
  expect(uploaded).toEqual({ name: 'parcel.png', type: 'image/png', bytes: png.length })
  double.disputes.end(du, true)
  await notify(du)
  expect((await on.pay.get(path)).body.status).toBe('won')
  const { items } = (await on.pay.get(`${on.pay.chargePath(id)}/ledgers`)).body
  const own = items.filter(({ kind }: { kind: string }) => kind === 'adjustment')
  expect(own.map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([-1500, -700, 700])
})

test('the balance transactions agree with the ledger: payments, refunds, disputes and their fees', async () => {
  const { service } = on.world
  const settle = async () =>
    readReport(service, await reconcile(service, await connectorSource(service, provider)))
  // What other tests have left is settled too.
  await settle()
  const { id } = await on.settled({ capture: false })
  await on.pay.post(`${on.pay.chargePath(id)}/capture`, { amount: 600, currency: 'JPY' })
  await on.pay.work()
  await on.pay.post(`${on.pay.chargePath(id)}/refunds`, { amount: 200, currency: 'JPY' })
  await on.pay.work()
  for (let more = 0; more < 4; more += 1) await on.settled()
  const disputed = await on.settled()
  const du = double.disputes.open(paymentsOf(disputed.id)[0]?.id ?? '', 700)
  await notify(du)
  double.disputes.end(du, true)
  await notify(du)
  const voucher = await on.pay.waiting('konbini', slip)
  const transfer = await on.pay.waiting('bank_transfer', account)
  const parts: [string, number[]][] = [
    [voucher, [1000]],
    [transfer, [300, 900]],
  ]
  for (const [waiting, amounts] of parts) {
    const [payment] = paymentsOf(waiting)
    for (const amount of amounts) double.deposit(payment?.id ?? '', amount)
    await notify(payment?.id ?? '')
    await on.pay.work()
    expect(await on.chargeNow(waiting)).toMatchObject({ status: 'successful' })
  }
  double.balance.bookPayout(100)
  const { matched, counts, fees, findings } = await settle()
  expect({ matched, counts, fees, findings }).toEqual({
    // Six payments, a refund, of the dispute the withdrawal, the fee and the reversal; the voucher; of the
    // transfers two deposits and what was too much.
    matched: 14,
    counts: { amount_differs: 0, missing_here: 0, missing_there: 0 },
    fees: [{ currency: 'JPY', amount: 8 * 36 }],
    findings: [],
  })
  expect((await settle()).matched).toBe(0)
})
