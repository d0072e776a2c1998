import type { Stripe } from 'stripe'
import { instantOf } from '../../core/ids.ts'
import { hour_ms } from '../../core/time/clock.ts'
import type { ConnectorKind, ConnectorParts, ConnectorTest } from '../../providers/connector.ts'
import type { Capabilities, Inquiry, Outcome, Provider } from '../../providers/provider.ts'
import type {
  Authorization,
  Credentials,
  FollowUp,
  Operation,
} from '../../providers/provider-operations.ts'
import { type Look, newStripeCalls } from './ask-stripe.ts'
import { konbini_stores } from './messages/read-deposits.ts'
import { ask_again_ms } from './messages/read-intents.ts'
import { readStripeEvent } from './messages/read-stripe-event.ts'
import { currenciesOf, stripeAmount } from './messages/stripe-amounts.ts'
import { askLater } from './messages/write-intents.ts'
import { openCall } from './stripe-client.ts'
import { depositsAt, lookForReturn, returnAt } from './stripe-deposits.ts'
import { findDisputes, lookForResponse, refusedResponse, respondAt } from './stripe-disputes.ts'
import {
  authenticateAt,
  authorizeAt,
  captureAt,
  inquireAt,
  lookForFollowUp,
  lookForPayment,
  refundAt,
  voidAt,
} from './stripe-payments.ts'
import { readSettings, StripeSettings } from './stripe-settings.ts'
import { readSettlements } from './stripe-settlements.ts'

const online_brand = 'pay_pay_online'
const bank_brand = 'aozora_bank'
const chains = Object.keys(konbini_stores)
const brands = 'visa mastercard american_express diners_club discover jcb unionpay'.split(' ')

/** Only what is built: docs/connectors.md names what is left out, and why. */
const capabilities: Capabilities = {
  modes: ['live'],
  payment_types: ['card', 'online', 'konbini', 'bank_transfer'],
  brands: [...brands, online_brand, ...chains, bank_brand],
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

/** The limits of a voucher, in yen. */
const voucher_amounts = { min: 120, max: 300_000 }

/** Why an instrument cannot be used at Stripe; null: it can. */
function whyNotUsable({ instrument, amount, email, match_amount }: Authorization): string | null {
  switch (instrument.kind) {
    case 'card':
      return null
    case 'konbini': {
      const { min, max } = voucher_amounts
      if (!chains.includes(instrument.convenience_store)) {
        return `Stripe has no vouchers of ${instrument.convenience_store}.`
      }
      if (email === null) return 'Stripe needs an e-mail address for a voucher.'
      const is_within = amount >= min && amount <= max
      return is_within ? null : `A voucher is of ${min} to ${max} JPY.`
    }
    case 'bank_transfer':
      if (instrument.brand !== bank_brand) return `Stripe has no accounts of ${instrument.brand}.`
      // Stripe adds up what arrives until it is enough: it has no other rule.
      return match_amount === 'disabled' ? null : 'Stripe takes transfers of any amount only.'
    default: {
      const brand = 'brand' in instrument ? instrument.brand : null
      return brand === online_brand ? null : `Stripe does not take ${brand ?? instrument.kind}.`
    }
  }
}

/** Why a payment cannot go to Stripe; null: it can. */
function whyNotTaken(operation: Authorization): string | null {
  const { instrument, amount, currency } = operation
  const reason = whyNotUsable(operation)
  if (reason !== null) return reason
  if (!currenciesOf(instrument.kind).includes(currency)) return `Stripe does not take ${currency}.`
  return stripeAmount(amount, currency) === null ? inexact(currency) : null
}

type WithAmount = (
  stripe: Stripe,
  operation: FollowUp,
  amount: number,
  is_old: boolean,
) => Promise<Outcome>
type LookFor = (stripe: Stripe, operation: FollowUp) => Promise<Outcome | null>

/** The authentication of a card on its own moves nothing, and Stripe has no search for it. */
const stillUnknown: Look = async () => ({
  outcome: 'unknown',
  ask_again_ms,
  reason: 'Stripe refused the repetition of a request whose answer was lost.',
})

type Perform = ReturnType<typeof newStripeCalls>['perform']

/** A follow-up of a payment. If it may have been sent before, a refusal is compared with the payment. */
function followUps(
  perform: Perform,
  { now }: ConnectorParts,
  isOld: (operation: Operation) => boolean,
): Pick<Provider, 'capture' | 'void' | 'refund' | 'returnDeposit'> {
  const withAmount =
    (
      kind: 'capture' | 'refund' | 'return_deposit',
      run: WithAmount,
      lookFor: LookFor,
    ): Provider['capture'] =>
    async (operation, limit) => {
      const amount = stripeAmount(operation.amount, operation.currency)
      if (amount === null) {
        return { outcome: 'refused', code: 308, detail: inexact(operation.currency) }
      }
      return perform(
        kind,
        operation,
        limit,
        (stripe) => run(stripe, operation, amount, isOld(operation)),
        (stripe) => lookFor(stripe, operation),
      )
    }

  return {
    capture: withAmount('capture', captureAt, (stripe, operation) =>
      lookForFollowUp(stripe, 'capture', operation),
    ),
    void: (operation, limit) =>
      perform(
        'void',
        operation,
        limit,
        (stripe) => voidAt(stripe, operation),
        (stripe) => lookForFollowUp(stripe, 'void', operation),
      ),
    refund: withAmount('refund', refundAt, (stripe, operation) =>
      lookForFollowUp(stripe, 'refund', operation),
    ),
    returnDeposit: withAmount(
      'return_deposit',
      (stripe, operation, amount) => returnAt(stripe, operation, amount, now()),
      (stripe, operation) => lookForReturn(stripe, operation, now()),
    ),
  }
}

function openStripe(name: string, parts: ConnectorParts): Provider {
  const { perform, ask, find } = newStripeCalls(name, parts)

  /** Stripe forgets references after a day: search before sending an old operation again. */
  const isOld = ({ charge_id }: Operation) => parts.now() - instantOf(charge_id) > remembered_ms

  return {
    name,
    callback_name: name,
    capabilities,
    authenticate: async (operation, limit) => {
      // A payment asks its cardholder itself; only a card on its own is authenticated on its own.
      if (operation.amount > 0) {
        return { outcome: 'approved', three_ds: askLater(operation.force), is_uncalled: true }
      }
      const run = (stripe: Stripe) => authenticateAt(stripe, operation)
      return perform('authenticate', operation, limit, run, stillUnknown, operation.card)
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
      const look: Look = (stripe) => lookForPayment(stripe, operation)
      return perform('authorize', operation, limit, run, look, card)
    },
    ...followUps(perform, parts, isOld),
    declareCustoms: async () => ({
      outcome: 'refused',
      code: 601,
      detail: 'Stripe declares nothing to customs.',
    }),
    deposits: (charge, limit) =>
      find('deposits', { ...charge, reference: charge.charge_id }, limit, (stripe) =>
        depositsAt(stripe, charge),
      ),
    // There is no `continue`: the parameters a customer brings back from Stripe cannot be relied on.
    inquire: (operation, limit): Promise<Inquiry> =>
      ask(operation, limit, (stripe) => inquireAt(stripe, operation)),
    disputes: (charge, limit) =>
      find('disputes', { ...charge, reference: charge.charge_id }, limit, (stripe) =>
        findDisputes(stripe, charge),
      ),
    respondToDispute: async (response, limit) => {
      const run = (stripe: Stripe) => respondAt(stripe, response)
      const look: Look = (stripe) => lookForResponse(stripe, response)
      const refused = refusedResponse(response)
      return refused ?? perform('respond_to_dispute', response, limit, run, look)
    },
    settlements: (question) => readSettlements(find, question),
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
    return { is_ok: false, problem: call.problem() || (said ?? 'Stripe sent no valid response.') }
  }
}

export const stripe_connector: ConnectorKind = {
  kind: 'stripe',
  title: 'Stripe: cards, PayPay, konbini and bank transfers, through its official library.',
  settings: StripeSettings,
  open: openStripe,
  test: testStripe,
}
