import type { Stripe } from 'stripe'
import { instantOf } from '../../core/ids.ts'
import { hour_ms } from '../../core/time/clock.ts'
import type { Capabilities, Inquiry, Outcome, Provider } from '../../providers/provider.ts'
import type {
  Authentication,
  Authorization,
  Credentials,
  FollowUp,
  InquiryOperation,
  Operation,
} from '../../providers/provider-operations.ts'
import type { ConnectorKind, ConnectorParts, ConnectorTest } from '../connector.ts'
import { newStripeCalls } from './ask-stripe.ts'
import { readFollowUp, readIntent, readRefund, readSetup } from './read-intents.ts'
import { readStripeEvent } from './read-stripe-event.ts'
import { currenciesOf, stripeAmount } from './stripe-amounts.ts'
import { NoAnswer, openCall } from './stripe-client.ts'
import { checkIntent, checkMethod, checkRefund, checkSetup } from './stripe-objects.ts'
import { readSettings, StripeSettings } from './stripe-settings.ts'
import {
  askLater,
  authenticatedPayment,
  metadataOf,
  writeCard,
  writeIntent,
  writeSetup,
} from './write-intents.ts'

const online_brand = 'pay_pay_online'
const brands = 'visa mastercard american_express diners_club discover jcb unionpay'.split(' ')

/** Only what is built: docs/connectors.md names what is left out, and why. */
const capabilities: Capabilities = {
  modes: ['live'],
  payment_types: ['card', 'online'],
  brands: [...brands, online_brand],
  currencies: ({ payment_type }) => currenciesOf(payment_type),
  partial_capture: true,
  multiple_captures: false,
  partial_refund: true,
  refund_window_ms: null,
  void_after_capture: false,
  repeatable: true,
  inquires_by: 'provider_reference',
  notifications: true,
  network_transaction_ids: true,
  credentials: true,
}

/** A key of Stripe's is valid for 24 hours at least. */
const remembered_ms = 12 * hour_ms

const inexact = (currency: string) => `Stripe cannot take this amount of ${currency} exactly.`

/** Why a payment cannot go to Stripe; null: it can. */
function whyNotTaken({ instrument, amount, currency }: Authorization): string | null {
  const is_taken =
    instrument.kind === 'card' ||
    (instrument.kind === 'online' && instrument.brand === online_brand)
  if (!is_taken) return `This connector takes cards and ${online_brand} only.`
  if (!currenciesOf(instrument.kind).includes(currency)) return `Stripe does not take ${currency}.`
  return stripeAmount(amount, currency) === null ? inexact(currency) : null
}

/** The answer must be about this payment, and about the whole amount: a part of it is no approval. */
function readOwn(intent: Stripe.PaymentIntent, operation: Authorization): Outcome {
  const { reference, currency, capture } = operation
  const amount = stripeAmount(operation.amount, currency)
  const is_own =
    checkIntent(intent).metadata.kaikei_reference === reference &&
    intent.amount === amount &&
    intent.currency === currency.toLowerCase()
  if (!is_own) throw new NoAnswer('The answer is about another payment.')
  const outcome = readIntent(intent)
  if (outcome.outcome !== 'approved') return outcome
  const taken = capture ? intent.amount_received : intent.amount_capturable
  if (taken !== amount) throw new NoAnswer('The approval is not about the whole amount.')
  return outcome
}

async function authorizeAt(
  stripe: Stripe,
  operation: Authorization,
  is_old: boolean,
): Promise<Outcome> {
  const { instrument, reference, three_ds } = operation
  const before =
    authenticatedPayment(three_ds) ?? (is_old ? await findPayment(stripe, operation) : null)
  if (before) {
    const expand = { expand: ['latest_charge'] }
    return readOwn(await stripe.paymentIntents.retrieve(before, expand), operation)
  }
  const amount = stripeAmount(operation.amount, operation.currency) ?? 0
  const method =
    instrument.kind === 'card'
      ? await createMethod(stripe, writeCard(instrument, operation), reference)
      : null
  const params = writeIntent(operation, amount, method)
  return readOwn(
    await stripe.paymentIntents.create(params, { idempotencyKey: reference }),
    operation,
  )
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

async function authenticateAt(stripe: Stripe, operation: Authentication): Promise<Outcome> {
  const { card, reference } = operation
  const params = writeCard(card, { email: null, billing: null })
  const method = await createMethod(stripe, params, reference)
  const options = { idempotencyKey: reference }
  return readSetup(
    checkSetup(await stripe.setupIntents.create(writeSetup(operation, method), options)),
  )
}

/** The payment of a charge, by our name. The search of Stripe knows a payment minutes after it was made. */
async function findPayment(stripe: Stripe, { charge_id }: Operation): Promise<string | null> {
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

async function captureAt(stripe: Stripe, operation: FollowUp, amount: number): Promise<Outcome> {
  const id = await paymentOf(stripe, operation)
  if (id === null) return not_found
  const params = { amount_to_capture: amount }
  const options = { idempotencyKey: operation.reference }
  const intent = checkIntent(
    await stripe.paymentIntents.capture(id, params, options).catch(capturedBefore),
  )
  if (intent.id !== id || intent.status !== 'succeeded' || intent.amount_received !== amount) {
    throw new NoAnswer('The payment was not captured with this amount.')
  }
  return { outcome: 'approved', provider_reference: id }
}

/** A charge is captured once: a payment that is captured already was captured by this operation. */
function capturedBefore(error: Partial<Stripe.errors.StripeError>): Stripe.PaymentIntent {
  const { code, payment_intent: intent } = error
  if (code === 'payment_intent_unexpected_state' && intent?.status === 'succeeded') return intent
  throw error
}

async function voidAt(stripe: Stripe, operation: FollowUp): Promise<Outcome> {
  const id = await paymentOf(stripe, operation)
  if (id === null) return not_found
  const options = { idempotencyKey: operation.reference }
  const ended = id.startsWith('seti_')
    ? checkSetup(await stripe.setupIntents.cancel(id, {}, options))
    : checkIntent(await stripe.paymentIntents.cancel(id, {}, options))
  if (ended.id !== id || ended.status !== 'canceled') {
    throw new NoAnswer('The payment was not canceled.')
  }
  return { outcome: 'approved', provider_reference: id }
}

async function refundAt(
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
  if (!is_own) throw new NoAnswer('The answer is about another refund.')
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

async function inquireAt(stripe: Stripe, operation: InquiryOperation): Promise<Inquiry> {
  const { kind, operation_reference, provider_reference } = operation
  if (kind === 'refund') {
    // Without its name a refund is sent again, which has no second effect.
    if (!/^(re|pyr)_/.test(operation_reference ?? '')) return { outcome: 'never_received' }
    return readRefund(checkRefund(await stripe.refunds.retrieve(operation_reference ?? '')))
  }
  const id = provider_reference ?? operation_reference
  if (id === null) return { outcome: 'never_received' }
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
  if (kind === 'authenticate' || kind === 'authorize') return readIntent(intent, kind)
  return kind === 'capture' || kind === 'void'
    ? readFollowUp(intent, kind)
    : { outcome: 'never_received' }
}

function openStripe(name: string, parts: ConnectorParts): Provider {
  const { perform, ask } = newStripeCalls(name, parts)

  /** Stripe forgets references after a day: what may have been sent long ago is looked for first. */
  const isOld = ({ charge_id }: Operation) => parts.now() - instantOf(charge_id) > remembered_ms

  const withAmount =
    (kind: 'capture' | 'refund', run: typeof refundAt): Provider['capture'] =>
    async (operation, limit) => {
      const amount = stripeAmount(operation.amount, operation.currency)
      if (amount === null) {
        return { outcome: 'refused', code: 308, detail: inexact(operation.currency) }
      }
      return perform(kind, operation, limit, (stripe) =>
        run(stripe, operation, amount, isOld(operation)),
      )
    }

  return {
    name,
    callback_name: name,
    capabilities,
    authenticate: async (operation, limit) => {
      // A payment asks its cardholder itself; only a card on its own is authenticated on its own.
      if (operation.amount > 0) return { outcome: 'approved', three_ds: askLater(operation.force) }
      const run = (stripe: Stripe) => authenticateAt(stripe, operation)
      return perform('authenticate', operation, limit, run, operation.card)
    },
    authorize: async (operation, limit) => {
      const reason = whyNotTaken(operation)
      if (reason !== null) return { outcome: 'not_taken', reason, is_in_order: true }
      if (operation.descriptor_phone_number !== null) {
        const detail = 'Stripe takes no phone number for the statement of the cardholder.'
        return { outcome: 'refused', code: 321, detail }
      }
      const { instrument } = operation
      const card = instrument.kind === 'card' ? instrument : null
      const run = (stripe: Stripe) => authorizeAt(stripe, operation, isOld(operation))
      return perform('authorize', operation, limit, run, card)
    },
    capture: withAmount('capture', captureAt),
    void: (operation, limit) =>
      perform('void', operation, limit, (stripe) => voidAt(stripe, operation)),
    refund: withAmount('refund', refundAt),
    returnDeposit: async () => ({
      outcome: 'refused',
      code: 329,
      detail: 'This connector takes no deposits.',
    }),
    declareCustoms: async () => ({
      outcome: 'refused',
      code: 601,
      detail: 'Stripe declares nothing to customs.',
    }),
    deposits: async () => [],
    // There is no `continue`: what a customer brings back from Stripe says nothing that may be relied on.
    inquire: (operation, limit): Promise<Inquiry> =>
      ask(operation, limit, (stripe) => inquireAt(stripe, operation)),
    readNotification: readStripeEvent,
  }
}

async function testStripe(credentials: Credentials, signal: AbortSignal): Promise<ConnectorTest> {
  const account = readSettings(credentials)
  if (typeof account === 'string') return { is_ok: false, problem: account }
  const call = await openCall(account, [], { signal })
  try {
    const { livemode, available } = await call.stripe.balance.retrieve()
    const held = available.map(({ currency }) => currency.toUpperCase()).join(', ')
    const keys = livemode ? 'Live keys' : 'Test keys: no money moves'
    return { is_ok: true, seen: `${keys}. The account has a balance in ${held}.` }
  } catch (error) {
    const known = error instanceof call.Library.errors.StripeError ? error : null
    if (known?.statusCode === 401) return { is_ok: false, problem: 'Stripe refused the key.' }
    const said = known?.statusCode ? `Stripe answered with status ${known.statusCode}.` : null
    return { is_ok: false, problem: call.problem() || (said ?? 'Stripe gave no valid answer.') }
  }
}

export const stripe_connector: ConnectorKind = {
  kind: 'stripe',
  title: 'Stripe: cards and PayPay, through its official library.',
  settings: StripeSettings,
  open: openStripe,
  test: testStripe,
}
