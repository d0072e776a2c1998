import type { Stripe } from 'stripe'
import { isUuid } from '../../core/ids.ts'
import { type SettlementLine, settlement_kinds } from '../../core/payments/settlements.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { SettlementsQuestion } from '../../providers/provider-operations.ts'
import type { newStripeCalls } from './ask-stripe.ts'
import { ourAmount, ourMoney } from './messages/stripe-amounts.ts'
import { checkBalancePage } from './messages/stripe-objects.ts'
import { NoResponse } from './stripe-client.ts'
import { cashOf, depositName, return_mark } from './stripe-deposits.ts'

const page_size = 100

/** What has changed the balance of an account since then, page by page, the newest first. */
export async function* readSettlements(
  find: ReturnType<typeof newStripeCalls>['find'],
  { since, credentials }: SettlementsQuestion,
): AsyncGenerator<SettlementLine> {
  const created = { gte: Math.floor(since.getTime() / second_ms) }
  const asked = { credentials, reference: `since ${since.toISOString()}` }
  const cursors = new Set<string>()
  let after: string | null = null
  do {
    const params: Stripe.BalanceTransactionListParams = {
      created,
      limit: page_size,
      expand: ['data.source'],
      ...(after === null ? {} : { starting_after: after }),
    }
    const page: Stripe.ApiList<Stripe.BalanceTransaction> = await find(
      'settlements',
      asked,
      undefined,
      async (stripe) => checkBalancePage(await stripe.balanceTransactions.list(params)),
    )
    for (const transaction of page.data) {
      const transfer = transferOf(transaction)
      if (!transfer) yield* linesOf(transaction)
      else {
        const { customer, payment } = transfer
        const cash = await find('settlements', asked, undefined, (stripe) =>
          cashOf(stripe, customer, payment),
        )
        yield* transferLines(transaction, cash)
      }
    }
    after = page.has_more ? (page.data.at(-1)?.id ?? null) : null
    if (after !== null && cursors.has(after)) {
      throw new NoResponse('Stripe repeats a page of its balance transactions.')
    }
    if (after !== null) cursors.add(after)
  } while (after !== null)
}

type Transaction = Stripe.BalanceTransaction
type Reported = Pick<SettlementLine, 'kind' | 'reference'> & {
  /** In Stripe's units, with its sign. */
  readonly amount: number
  readonly currency: string
}

function idOf(named: string | { readonly id: string } | null | undefined): string | null {
  return (typeof named === 'object' ? named?.id : named) ?? null
}

/** The object that a transaction is about, where it is of this kind. */
function sourceOf<Kind extends 'charge' | 'refund' | 'dispute'>(
  { source }: Transaction,
  kind: Kind,
): Extract<Stripe.BalanceTransactionSource, { object: Kind }> | null {
  if (typeof source !== 'object' || source?.object !== kind) return null
  return source as Extract<Stripe.BalanceTransactionSource, { object: Kind }>
}

/** What is not about an operation of ours is told under Stripe's name: it is missing here. */
function tellOther({ id, amount, currency, source }: Transaction): Reported {
  return {
    kind: amount > 0 ? 'payment' : 'refund',
    reference: idOf(source) ?? id,
    amount,
    currency,
  }
}

/** A part that was captured is two transactions, of which the second takes the rest back. */
function tellPayment(transaction: Transaction): Reported {
  const charge = sourceOf(transaction, 'charge')
  const payment = idOf(charge?.payment_intent)
  if (!charge || payment === null) return tellOther(transaction)
  const is_whole = charge.amount_captured === charge.amount
  const is_same = charge.currency === transaction.currency
  const amount = is_whole && is_same ? transaction.amount : charge.amount_captured
  const of =
    charge.payment_method_details?.type === 'konbini'
      ? ({ kind: 'deposit', reference: depositName(payment) } as const)
      : ({ kind: 'payment', reference: payment } as const)
  return { ...of, amount, currency: charge.currency }
}

function tellRefund(transaction: Transaction): Reported {
  const refund = sourceOf(transaction, 'refund')
  if (!refund) return tellOther(transaction)
  const { kaikei_reference: ours = '', kaikei_kind } = refund.metadata ?? {}
  const payment = idOf(refund.payment_intent)
  const is_return = kaikei_kind === return_mark.kaikei_kind && payment !== null
  const is_same = refund.currency === transaction.currency
  return {
    ...(is_return
      ? { kind: 'return', reference: depositName(payment) }
      : { kind: 'refund', reference: isUuid(ours) ? ours : refund.id }),
    amount: is_same ? transaction.amount : -refund.amount,
    currency: refund.currency,
  }
}

function tellDispute(transaction: Transaction, kind: 'dispute' | 'dispute_reversal'): Reported {
  const dispute = sourceOf(transaction, 'dispute')
  if (!dispute) return tellOther(transaction)
  const sign = settlement_kinds[kind]
  const is_same = dispute.currency === transaction.currency
  const amount = is_same ? transaction.amount : sign * dispute.amount
  return { kind, reference: dispute.id, amount, currency: dispute.currency }
}

/** The customer and the payment of a bank transfer; null: it is none, or not of ours. */
function transferOf(transaction: Transaction) {
  const charge = sourceOf(transaction, 'charge')
  if (charge?.payment_method_details?.type !== 'customer_balance') return null
  const [customer, payment] = [idOf(charge.customer), idOf(charge.payment_intent)]
  const is_payment = transaction.reporting_category === 'charge'
  const is_ours = charge.metadata?.kaikei_charge_id !== undefined
  return is_payment && is_ours && customer !== null && payment !== null
    ? { customer, payment }
    : null
}

/** A payment by bank transfer has a line for each transfer, and one for what was too much and went back. */
function* transferLines(
  { id, amount, fee, currency, created }: Transaction,
  { arrived, returned }: Awaited<ReturnType<typeof cashOf>>,
): Generator<SettlementLine> {
  const booked_on = new Date(created * second_ms)
  const money = ourMoney(amount, currency)
  const paying = arrived.filter((one) => one.paid_on <= booked_on)
  for (const [at, { reference, ...one }] of paying.entries()) {
    const fee_amount = at === 0 ? ourAmount(fee, currency) : 0
    const of = { line_id: `${id}-${at + 1}`, kind: 'deposit', reference } as const
    yield { ...of, amount: one.amount, currency: one.currency, fee_amount, booked_on }
  }
  const surplus = paying.reduce((sum, one) => sum + one.amount, 0) - money.amount
  const last = paying.at(-1)
  if (!last || surplus <= 0 || ourMoney(returned, currency).amount < surplus) return
  const of = { line_id: `${id}-return`, kind: 'return', reference: last.reference } as const
  yield { ...of, ...money, amount: -surplus, fee_amount: 0, booked_on }
}

/** Categories of transactions that are about payments. Payouts, transfers and Stripe's own bills are not. */
const tellers: Readonly<Record<string, (transaction: Transaction) => Reported>> = {
  charge: tellPayment,
  refund: tellRefund,
  dispute: (one) => tellDispute(one, 'dispute'),
  dispute_reversal: (one) => tellDispute(one, 'dispute_reversal'),
  charge_failure: tellOther,
  refund_failure: tellOther,
  other_adjustment: tellOther,
}

function* linesOf(transaction: Transaction): Generator<SettlementLine> {
  const { id: line_id, reporting_category: category } = transaction
  const read = Object.hasOwn(tellers, category) ? tellers[category]?.(transaction) : null
  if (!read || read.amount === 0) return
  const is_sign_right = Math.sign(read.amount) === settlement_kinds[read.kind]
  const reported = is_sign_right ? read : tellOther(transaction)
  const { kind, reference } = reported
  const booked_on = new Date(transaction.created * second_ms)
  const money = ourMoney(reported.amount, reported.currency)
  // The fee is in the currency of the account.
  const is_same = transaction.currency === reported.currency
  const fee = is_same ? ourAmount(transaction.fee, reported.currency) : null
  const has_fee_line = kind === 'dispute' && fee !== null && fee > 0
  const fee_amount = has_fee_line ? 0 : fee
  yield { line_id, kind, reference, ...money, fee_amount, booked_on }
  if (!has_fee_line) return
  const of_fee = { line_id: `${line_id}-fee`, kind: 'dispute_fee', reference } as const
  yield { ...of_fee, ...money, amount: -fee, fee_amount: 0, booked_on }
}
