import type { Stripe } from 'stripe'
import { derivedId, isUuid } from '../../core/ids.ts'
import { type SettlementLine, settlement_kinds } from '../../core/settlements.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { SettlementsQuestion } from '../../providers/provider-operations.ts'
import type { newStripeCalls } from './ask-stripe.ts'
import { ourMoney } from './stripe-amounts.ts'
import { NoAnswer } from './stripe-client.ts'
import { checkBalancePage } from './stripe-objects.ts'

const page_size = 100

/** What has changed the balance of an account since then, page by page, the newest first. */
export async function* readSettlements(
  find: ReturnType<typeof newStripeCalls>['find'],
  { since, credentials }: SettlementsQuestion,
): AsyncGenerator<SettlementLine> {
  const created = { gte: Math.floor(since.getTime() / second_ms) }
  const asked = { credentials, reference: `since ${since.toISOString()}` }
  const told = new Set<string>()
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
    for (const { id } of page.data) {
      if (told.has(id)) throw new NoAnswer('Stripe repeats a page of its balance transactions.')
      told.add(id)
    }
    for (const transaction of page.data) yield* linesOf(transaction)
    after = page.has_more ? (page.data.at(-1)?.id ?? null) : null
  } while (after !== null)
}

/** The name that a deposit has here, which follows from the payment at Stripe. */
export function depositName(payment_intent: string): string {
  return derivedId(payment_intent, 'deposit')
}

/** Marks refunds that return a deposit. */
export const return_mark = { kaikei_kind: 'return' } as const

const deposit_types: readonly string[] = ['konbini', 'customer_balance']

type Transaction = Stripe.BalanceTransaction
type Told = Pick<SettlementLine, 'kind' | 'reference'> & {
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
function tellOther({ id, amount, currency, source }: Transaction): Told {
  return {
    kind: amount > 0 ? 'payment' : 'refund',
    reference: idOf(source) ?? id,
    amount,
    currency,
  }
}

/** A part that was captured is two transactions, of which the second takes the rest back. */
function tellPayment(transaction: Transaction): Told {
  const charge = sourceOf(transaction, 'charge')
  const payment = idOf(charge?.payment_intent)
  if (!charge || payment === null) return tellOther(transaction)
  const is_whole = charge.amount_captured === charge.amount
  const is_same = charge.currency === transaction.currency
  const amount = is_whole && is_same ? transaction.amount : charge.amount_captured
  const is_deposit = deposit_types.includes(charge.payment_method_details?.type ?? '')
  const of = is_deposit
    ? ({ kind: 'deposit', reference: depositName(payment) } as const)
    : ({ kind: 'payment', reference: payment } as const)
  return { ...of, amount, currency: charge.currency }
}

function tellRefund(transaction: Transaction): Told {
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

function tellDispute(transaction: Transaction, kind: 'dispute' | 'dispute_reversal'): Told {
  const dispute = sourceOf(transaction, 'dispute')
  if (!dispute) return tellOther(transaction)
  const sign = settlement_kinds[kind]
  const is_same = dispute.currency === transaction.currency
  const amount = is_same ? transaction.amount : sign * dispute.amount
  return { kind, reference: dispute.id, amount, currency: dispute.currency }
}

/** Categories of transactions that are about payments. Payouts, transfers and Stripe's own bills are not. */
const tellers: Readonly<Record<string, (transaction: Transaction) => Told>> = {
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
  const told = Object.hasOwn(tellers, category) ? tellers[category]?.(transaction) : null
  if (!told || told.amount === 0) return
  const { kind, reference } = told
  const booked_on = new Date(transaction.created * second_ms)
  const money = ourMoney(told.amount, told.currency)
  if (Math.sign(money.amount) !== settlement_kinds[kind]) {
    throw new NoAnswer(`The amount of ${line_id} has the wrong sign for ${kind}.`)
  }
  // The fee is in the currency of the account.
  const is_same = transaction.currency === told.currency
  const fee = is_same ? ourMoney(transaction.fee, told.currency).amount : null
  const has_fee_line = kind === 'dispute' && fee !== null && fee > 0
  const fee_amount = has_fee_line ? 0 : fee
  yield { line_id, kind, reference, ...money, fee_amount, booked_on }
  if (!has_fee_line) return
  const of_fee = { line_id: `${line_id}-fee`, kind: 'dispute_fee', reference } as const
  yield { ...of_fee, ...money, amount: -fee, fee_amount: 0, booked_on }
}
