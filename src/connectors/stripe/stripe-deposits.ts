import type { Stripe } from 'stripe'
import { derivedId } from '../../core/ids.ts'
import { hour_ms, second_ms } from '../../core/time/clock.ts'
import type { ArrivedDeposit, Outcome } from '../../providers/provider.ts'
import type {
  Authorization,
  ChargeOfDeposits,
  FollowUp,
} from '../../providers/provider-operations.ts'
import { depositDataOf } from './messages/read-deposits.ts'
import { readRefund } from './messages/read-intents.ts'
import { ourMoney } from './messages/stripe-amounts.ts'
import {
  checkCashTransaction,
  checkCustomer,
  checkIntent,
  checkRefund,
} from './messages/stripe-objects.ts'
import { writeCustomer, writeTransfer, writeVoucher } from './messages/write-deposits.ts'
import { metadataOf } from './messages/write-intents.ts'
import { NoResponse } from './stripe-client.ts'

/** The parameters of a payment by deposit; a bank transfer has a customer of its own. */
export async function newDepositPayment(
  stripe: Stripe,
  operation: Authorization,
  amount: number,
): Promise<Stripe.PaymentIntentCreateParams> {
  if (operation.instrument.kind === 'konbini') return writeVoucher(operation, amount)
  const options = { idempotencyKey: `${operation.reference}-customer` }
  const built = checkCustomer(await stripe.customers.create(writeCustomer(operation), options))
  return writeTransfer(operation, amount, built.id)
}

/** The name of the deposit of a payment, or of the first of several. It follows from that of the payment. */
export function depositName(payment_intent: string): string {
  return derivedId(payment_intent, 'deposit')
}

/** Marks refunds that return a deposit. */
export const return_mark = { kaikei_kind: 'return' } as const

interface CashOfCustomer {
  /** The oldest first; that one has the name of the payment. */
  readonly arrived: readonly ArrivedDeposit[]
  /** The amount returned to the customer, in Stripe's units. */
  readonly returned: number
}

/** The money that arrived on a customer's account, and the money that left it. */
export async function cashOf(
  stripe: Stripe,
  customer: string,
  payment_intent: string,
): Promise<CashOfCustomer> {
  const funded: Stripe.CustomerCashBalanceTransaction[] = []
  let returned = 0
  for await (const one of stripe.customers.listCashBalanceTransactions(customer, { limit: 100 })) {
    const { type, net_amount } = checkCashTransaction(one)
    if (type === 'funded') funded.push(one)
    if (type === 'return_initiated' || type === 'return_canceled') returned -= net_amount
  }
  const arrived = funded.toReversed().map((one, at) => ({
    reference: at === 0 ? depositName(payment_intent) : derivedId(payment_intent, one.id),
    ...ourMoney(one.net_amount, one.currency),
    paid_on: new Date(one.created * second_ms),
    name: one.funded?.bank_transfer.jp_bank_transfer?.sender_name?.slice(0, 255) ?? null,
  }))
  return { arrived, returned }
}

/** Money that has arrived for a payment. */
export async function depositsAt(
  stripe: Stripe,
  { provider_reference: id, provider_data }: ChargeOfDeposits,
): Promise<ArrivedDeposit[]> {
  const data = depositDataOf(provider_data)
  if (!data || !id?.startsWith('pi_')) return []
  if (data.customer) return [...(await cashOf(stripe, data.customer, id)).arrived]
  const intent = checkIntent(await stripe.paymentIntents.retrieve(id))
  if (intent.id !== id) throw new NoResponse('The answer is about another payment.')
  if (intent.status !== 'succeeded') return []
  // No store takes money after the end of a voucher, but Stripe may hear of it later.
  const paid_on = new Date(intent.created * second_ms)
  const money = ourMoney(intent.amount_received, intent.currency)
  return [{ reference: depositName(id), ...money, paid_on, name: null }]
}

/** Sends a deposit back, or a part of it. */
export async function returnAt(
  stripe: Stripe,
  operation: FollowUp,
  amount: number,
  now_ms: number,
): Promise<Outcome> {
  const { provider_reference: id, provider_data, reference } = operation
  const data = depositDataOf(provider_data)
  if (!data || !id) return { outcome: 'refused', code: 329, detail: 'The charge has no deposits.' }
  const expand = { expand: ['payment_method'] }
  const intent = checkIntent(await stripe.paymentIntents.retrieve(id, expand))
  const is_open = intent.status === 'requires_action' || intent.status === 'processing'
  // Money that has arrived is part of the payment until that is paid or has ended.
  if (is_open) return { outcome: 'unknown', ask_again_ms: hour_ms }
  const before = data.customer
    ? await findNoted(stripe, operation, data.customer, now_ms)
    : await findReturn(stripe, { payment_intent: id }, reference)
  if (before) return readRefund(before)
  const metadata = { ...metadataOf(operation), ...return_mark }
  const from = data.customer
    ? ({ origin: 'customer_balance', customer: data.customer, currency: intent.currency } as const)
    : { payment_intent: id, instructions_email: emailOf(intent) }
  const params = { ...from, amount, metadata }
  const built = checkRefund(await stripe.refunds.create(params, { idempotencyKey: reference }))
  if (built.amount !== amount) throw new NoResponse('The answer is about another refund.', built)
  return readRefund(built)
}

/** A return that may have been sent before; null: Stripe has none. */
export async function lookForReturn(
  stripe: Stripe,
  { provider_reference, provider_data, reference }: FollowUp,
  now_ms: number,
): Promise<Outcome | null> {
  const since_s = Math.floor(now_ms / second_ms) - 25 * hour_s
  const by_customer = Boolean(depositDataOf(provider_data)?.customer)
  const params = by_customer
    ? { created: { gte: since_s } }
    : { payment_intent: provider_reference ?? '' }
  const found = await findReturn(stripe, params, reference)
  return found && readRefund(found)
}

/** Cash cannot go back the way it came: Stripe asks the customer for an account, by e-mail. */
function emailOf({ payment_method: method }: Stripe.PaymentIntent): string {
  const email = typeof method === 'object' ? method?.billing_details.email : null
  if (!email) throw new NoResponse('The payment has no e-mail address.')
  return email
}

async function findReturn(
  stripe: Stripe,
  params: Stripe.RefundListParams,
  reference: string,
): Promise<Stripe.Refund | null> {
  for await (const refund of stripe.refunds.list({ ...params, limit: 100 })) {
    if (checkRefund(refund).metadata?.kaikei_reference === reference) return refund
  }
  return null
}

/** A key of Stripe's is valid for 24 hours at least. */
const remembered_ms = 12 * hour_ms

/**
 * Refunds of a customer's balance cannot be listed by customer. So the time of the first sending is noted on
 * the customer: when the key may be forgotten, refunds of that time are looked through.
 */
async function findNoted(
  stripe: Stripe,
  { reference }: FollowUp,
  customer: string,
  now_ms: number,
): Promise<Stripe.Refund | null> {
  const { metadata = {} } = checkCustomer(await stripe.customers.retrieve(customer))
  const noted_s = Number(metadata[reference] ?? Number.NaN)
  const now_s = Math.floor(now_ms / second_ms)
  const is_remembered = now_s - noted_s < remembered_ms / second_ms
  if (is_remembered) return null
  const created = { gte: noted_s - hour_s, lte: noted_s + 25 * hour_s }
  const found = Number.isNaN(noted_s) ? null : await findReturn(stripe, { created }, reference)
  if (found) return found
  const options = { idempotencyKey: `${reference}-at-${now_s}` }
  await stripe.customers.update(customer, { metadata: { [reference]: String(now_s) } }, options)
  return null
}

const hour_s = hour_ms / second_ms
