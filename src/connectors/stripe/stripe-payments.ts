import type { Stripe } from 'stripe'
import type { Inquiry, Outcome } from '../../providers/provider.ts'
import type {
  Authentication,
  Authorization,
  FollowUp,
  InquiryOperation,
  Operation,
} from '../../providers/provider-operations.ts'
import {
  depositDataOf,
  isByDeposit,
  readNewDeposit,
  readWaitingDeposit,
} from './messages/read-deposits.ts'
import {
  ask_again_ms,
  readFollowUp,
  readIntent,
  readRefund,
  readSetup,
} from './messages/read-intents.ts'
import { stripeAmount } from './messages/stripe-amounts.ts'
import { checkIntent, checkMethod, checkRefund, checkSetup } from './messages/stripe-objects.ts'
import {
  authenticatedPayment,
  metadataOf,
  writeCard,
  writeIntent,
  writeSetup,
} from './messages/write-intents.ts'
import { NoResponse } from './stripe-client.ts'
import { newDepositPayment } from './stripe-deposits.ts'

/** The answer must be about this payment, and about the whole amount: a part of it is no approval. */
function readWhole(
  intent: Stripe.PaymentIntent,
  operation: Pick<Operation, 'reference' | 'amount' | 'currency'>,
  read: (own: Stripe.PaymentIntent) => Outcome,
): Outcome {
  const { reference, currency } = operation
  const amount = stripeAmount(operation.amount, currency)
  const is_own =
    checkIntent(intent).metadata.kaikei_reference === reference &&
    intent.amount === amount &&
    intent.currency === currency.toLowerCase()
  if (!is_own) throw new NoResponse('The answer is about another payment.', intent)
  const outcome = read(intent)
  if (outcome.outcome !== 'approved') return outcome
  const { status, amount_capturable, amount_received } = intent
  const taken = status === 'requires_capture' ? amount_capturable : amount_received
  if (taken !== amount) throw new NoResponse('The approval is not about the whole amount.', intent)
  return outcome
}

function readOwn(intent: Stripe.PaymentIntent, operation: Authorization): Outcome {
  return readWhole(intent, operation, (own) =>
    isByDeposit(own) ? readNewDeposit(own, operation.instrument) : readIntent(own),
  )
}

export async function authorizeAt(
  stripe: Stripe,
  operation: Authorization,
  is_old: boolean,
): Promise<Outcome> {
  const { reference, three_ds } = operation
  const before =
    authenticatedPayment(three_ds) ?? (is_old ? await findPayment(stripe, operation) : null)
  if (before) {
    const expand = { expand: ['latest_charge'] }
    return readOwn(await stripe.paymentIntents.retrieve(before, expand), operation)
  }
  const amount = stripeAmount(operation.amount, operation.currency) ?? 0
  const params = await newPayment(stripe, operation, amount)
  return readOwn(
    await stripe.paymentIntents.create(params, { idempotencyKey: reference }),
    operation,
  )
}

function newPayment(
  stripe: Stripe,
  operation: Authorization,
  amount: number,
): Promise<Stripe.PaymentIntentCreateParams> {
  const { instrument } = operation
  const is_deposit = instrument.kind === 'konbini' || instrument.kind === 'bank_transfer'
  return is_deposit
    ? newDepositPayment(stripe, operation, amount)
    : newDirectPayment(stripe, operation, amount)
}

async function newDirectPayment(stripe: Stripe, operation: Authorization, amount: number) {
  const { instrument, reference } = operation
  const method =
    instrument.kind === 'card'
      ? await createMethod(stripe, writeCard(instrument, operation), reference)
      : null
  return writeIntent(operation, amount, method)
}

/** The card is stored first: payments take raw card numbers in no other way. */
async function createMethod(
  stripe: Stripe,
  params: Stripe.PaymentMethodCreateParams,
  reference: string,
): Promise<string> {
  const idempotencyKey = `${reference}-card`
  return checkMethod(await stripe.paymentMethods.create(params, { idempotencyKey })).id
}

export async function authenticateAt(stripe: Stripe, operation: Authentication): Promise<Outcome> {
  const { card, reference } = operation
  const params = writeCard(card, { email: null, billing: null })
  const method = await createMethod(stripe, params, reference)
  const options = { idempotencyKey: reference }
  return readSetup(
    checkSetup(await stripe.setupIntents.create(writeSetup(operation, method), options)),
  )
}

/**
 * A refused request may still have been carried out: the search finds its payment minutes later, or never.
 */
export async function lookForPayment(stripe: Stripe, operation: Authorization): Promise<Outcome> {
  const id = await findPayment(stripe, operation)
  if (id === null) return not_found_yet
  const expand = { expand: ['latest_charge'] }
  return readOwn(await stripe.paymentIntents.retrieve(id, expand), operation)
}

const not_found_yet = {
  outcome: 'unknown',
  ask_again_ms,
  reason: 'Stripe does not find the payment, which may have been created a moment ago.',
} as const

/** The payment of a charge, by our name. The search of Stripe knows a payment minutes after it was made. */
async function findPayment(
  stripe: Stripe,
  { charge_id }: Pick<Operation, 'charge_id'>,
): Promise<string | null> {
  const query = `metadata['kaikei_charge_id']:'${charge_id}'`
  const [first] = (await stripe.paymentIntents.search({ query, limit: 1 })).data ?? []
  return first ? checkIntent(first).id : null
}

/** After a lost answer the name of the payment is not known: the service undoes it minutes later. */
async function paymentOf(stripe: Stripe, operation: FollowUp): Promise<string | null> {
  return operation.provider_reference ?? findPayment(stripe, operation)
}

const not_found = {
  outcome: 'refused',
  code: 338,
  detail: 'Stripe has no payment of this charge.',
} as const

export async function captureAt(
  stripe: Stripe,
  operation: FollowUp,
  amount: number,
): Promise<Outcome> {
  const id = await paymentOf(stripe, operation)
  if (id === null) return not_found
  const params = { amount_to_capture: amount }
  const options = { idempotencyKey: operation.reference }
  const intent = checkIntent(
    await stripe.paymentIntents.capture(id, params, options).catch(capturedBefore),
  )
  if (intent.id !== id || intent.status !== 'succeeded' || intent.amount_received !== amount) {
    throw new NoResponse('The payment was not captured with this amount.', intent)
  }
  return { outcome: 'approved', provider_reference: id }
}

/** A charge is captured once: a payment that is captured already was captured by this operation. */
function capturedBefore(error: Partial<Stripe.errors.StripeError>): Stripe.PaymentIntent {
  const { code, payment_intent: intent } = error
  if (code === 'payment_intent_unexpected_state' && intent?.status === 'succeeded') return intent
  throw error
}

export async function voidAt(stripe: Stripe, operation: FollowUp): Promise<Outcome> {
  const id = await paymentOf(stripe, operation)
  if (id === null) return not_found
  const options = { idempotencyKey: operation.reference }
  const ended = id.startsWith('seti_')
    ? checkSetup(await stripe.setupIntents.cancel(id, {}, options))
    : checkIntent(await stripe.paymentIntents.cancel(id, {}, options).catch(paidBefore(operation)))
  const is_over = ended.status === 'canceled' || isPaidByDeposit(operation, ended)
  if (ended.id !== id || !is_over) {
    throw new NoResponse('The payment was not canceled.')
  }
  return { outcome: 'approved', provider_reference: id }
}

/** A payment by deposit that is paid has ended: its deposits say what was paid. */
function isPaidByDeposit({ provider_data }: FollowUp, { status }: { status: string }): boolean {
  return status === 'succeeded' && depositDataOf(provider_data) !== null
}

function paidBefore(operation: FollowUp) {
  return (error: Partial<Stripe.errors.StripeError>): Stripe.PaymentIntent => {
    const { code, payment_intent: intent } = error
    const is_state = code === 'payment_intent_unexpected_state'
    if (is_state && intent && isPaidByDeposit(operation, intent)) return intent
    throw error
  }
}

export async function refundAt(
  stripe: Stripe,
  operation: FollowUp,
  amount: number,
  is_old: boolean,
): Promise<Outcome> {
  const id = await paymentOf(stripe, operation)
  if (id === null) return not_found
  const before = is_old ? await findRefund(stripe, id, operation.reference) : null
  if (before) return readRefund(before)
  const params = { payment_intent: id, amount, metadata: metadataOf(operation) }
  const options = { idempotencyKey: operation.reference }
  const refund = checkRefund(await stripe.refunds.create(params, options))
  const is_own = refund.amount === amount && refund.payment_intent === id
  if (!is_own) throw new NoResponse('The answer is about another refund.', refund)
  return readRefund(refund)
}

async function findRefund(
  stripe: Stripe,
  payment_intent: string,
  reference: string,
): Promise<Stripe.Refund | null> {
  for await (const refund of stripe.refunds.list({ payment_intent, limit: 100 })) {
    if (checkRefund(refund).metadata?.kaikei_reference === reference) return refund
  }
  return null
}

/** The outcome of a possibly sent capture, void or refund, read from the payment. */
export async function lookForFollowUp(
  stripe: Stripe,
  kind: 'capture' | 'void' | 'refund',
  operation: FollowUp,
): Promise<Outcome | null> {
  const id = await paymentOf(stripe, operation)
  if (id === null) return null
  if (kind === 'refund') {
    const found = await findRefund(stripe, id, operation.reference)
    return found && readRefund(found)
  }
  const asked = { ...operation, kind, provider_reference: id, operation_reference: null }
  const found = await inquireAt(stripe, asked)
  return found.outcome === 'never_received' ? null : found
}

async function inquireRefund(
  stripe: Stripe,
  { operation_reference, reference, amount, currency }: InquiryOperation,
): Promise<Inquiry> {
  // Without its name a refund is sent again, which has no second effect.
  if (!/^(re|pyr)_/.test(operation_reference ?? '')) return { outcome: 'never_received' }
  const refund = checkRefund(await stripe.refunds.retrieve(operation_reference ?? ''))
  const named = refund.metadata?.kaikei_reference ?? reference
  const is_own = refund.amount === stripeAmount(amount, currency) && named === reference
  if (!is_own) throw new NoResponse('The answer is about another refund.', refund)
  return readRefund(refund)
}

export async function inquireAt(stripe: Stripe, operation: InquiryOperation): Promise<Inquiry> {
  const { kind, operation_reference, provider_reference } = operation
  if (kind === 'refund' || kind === 'return_deposit') return inquireRefund(stripe, operation)
  const named = provider_reference ?? operation_reference
  // A payment whose name is not known is asked for when it cannot be sent again.
  const id = named ?? (kind === 'authorize' ? await findPayment(stripe, operation) : null)
  if (id === null) return kind === 'authorize' ? not_found_yet : { outcome: 'never_received' }
  if (id.startsWith('seti_')) {
    const expand = { expand: ['latest_attempt'] }
    const setup = checkSetup(await stripe.setupIntents.retrieve(id, expand))
    if (kind !== 'void') return readSetup(setup)
    const is_ended = setup.status === 'canceled'
    return is_ended
      ? { outcome: 'approved', provider_reference: id }
      : { outcome: 'never_received' }
  }
  const expand = { expand: ['latest_charge'] }
  const intent = checkIntent(await stripe.paymentIntents.retrieve(id, expand))
  const data = depositDataOf(operation.provider_data)
  if (kind === 'authorize' && data) return readWaitingDeposit(intent, data)
  if (kind === 'authorize') return readWhole(intent, operation, (own) => readIntent(own))
  if (kind === 'authenticate') return readIntent(intent, kind)
  const is_paid = data !== null && intent.status === 'succeeded'
  if (kind === 'void' && is_paid) return { outcome: 'approved', provider_reference: id }
  return kind === 'capture' || kind === 'void'
    ? readFollowUp(intent, kind)
    : { outcome: 'never_received' }
}
