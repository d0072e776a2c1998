import type { Stripe } from 'stripe'
import { maskText } from '../../../core/cards/sensitive.ts'
import { provider_policy } from '../../../core/limits/retry-policies.ts'
import { hour_ms, second_ms } from '../../../core/time/clock.ts'
import type { Inquiry, Outcome } from '../../../providers/provider.ts'
import type { OperationKind, ThreeDsResult } from '../../../providers/provider-operations.ts'
import { codeOf } from './stripe-declines.ts'

/** When to ask again about a call whose answer was lost. */
export const ask_again_ms = 2 * second_ms

const max_text = 500

export type StripeOperation = OperationKind | 'respond_to_dispute'

/** Refusals without a reason from Stripe. */
const refused_codes: Readonly<Record<StripeOperation, number>> = {
  authenticate: 359,
  authorize: 308,
  capture: 308,
  void: 312,
  refund: 329,
  return_deposit: 329,
  declare_customs: 601,
  respond_to_dispute: 309,
}

interface Problem {
  readonly code?: string | undefined
  readonly decline_code?: string | undefined
  readonly message?: string | undefined
  readonly type?: string | undefined
}

/**
 * A refusal, with Stripe's statement about the card. Statements about requests are for Stripe's own
 * customer, the operator: only their code is passed on.
 */
function refused(code: number, problem: Problem | null): Extract<Outcome, { outcome: 'refused' }> {
  const raw_code = problem?.decline_code || problem?.code || problem?.type
  const about_card = problem?.type === 'card_error' ? problem.message : null
  const raw_message = about_card && maskText(about_card).slice(0, max_text)
  return {
    outcome: 'refused',
    code,
    detail: null,
    ...(raw_code ? { raw_code: raw_code.slice(0, 64) } : {}),
    ...(raw_message ? { raw_message } : {}),
  }
}

/** Stripe itself ends a hold that is not captured in time. */
function canceledCode(reason: string | null): number {
  return reason === 'automatic' || reason === 'expired' ? 313 : 345
}

/** An error of Stripe's that says for certain that the operation was not done. */
export function readRefusal(error: Stripe.errors.StripeError, kind: StripeOperation): Outcome {
  const { payment_intent: intent, setup_intent: setup } = error
  const is_canceled =
    error.code === 'payment_intent_unexpected_state' && intent?.status === 'canceled'
  // The payment already has the state that the void should have caused.
  if (is_canceled && kind === 'void') return { outcome: 'approved', provider_reference: intent.id }
  const by_state = is_canceled ? canceledCode(intent.cancellation_reason) : null
  const code = by_state ?? codeOf(error) ?? refused_codes[kind]
  const id = intent?.id ?? setup?.id
  const named = id === undefined ? {} : { provider_reference: id }
  const logged = error.requestId === undefined ? {} : { request_id: error.requestId }
  const { decline_code, message, rawType: type } = error
  const said = { code: error.code, decline_code, message, type }
  return { ...refused(code, said), ...named, ...logged }
}

function chargeOf({ latest_charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof latest_charge === 'object' ? latest_charge : null
}

interface Authenticated {
  readonly electronic_commerce_indicator?: string | null
  readonly transaction_id?: string | null
  readonly version?: string | null
}

function threeDsOf(found: Authenticated | null | undefined, proof: string): ThreeDsResult {
  return {
    eci: found?.electronic_commerce_indicator ?? '',
    authentication_value: proof,
    transaction_id: found?.transaction_id ?? '',
    version: found?.version ?? '',
  }
}

function waitingFor(url: string, is_card: boolean): Extract<Outcome, { outcome: 'waiting' }> {
  const form = { url, method: 'get', fields: {} } as const
  return {
    outcome: 'waiting',
    instructions: is_card ? { kind: 'three_ds', form } : { kind: 'online', form, sdk_token: null },
  }
}

/** The state of a payment, including a challenge if the call asked for one. */
export function readIntent(
  intent: Stripe.PaymentIntent,
  kind: 'authenticate' | 'authorize' = 'authorize',
): Outcome {
  const { id: provider_reference, status, next_action, last_payment_error } = intent
  const card = chargeOf(intent)?.payment_method_details?.card
  const is_card = intent.payment_method_types.includes('card')
  switch (status) {
    case 'requires_capture':
    case 'succeeded': {
      const { authorization_code, network_transaction_id } = card ?? {}
      return {
        outcome: 'approved',
        provider_reference,
        ...(authorization_code ? { authorization_code } : {}),
        ...(network_transaction_id ? { network_transaction_id } : {}),
        ...(kind === 'authenticate'
          ? { three_ds: threeDsOf(card?.three_d_secure, provider_reference) }
          : {}),
      }
    }
    case 'requires_action': {
      const url = next_action?.redirect_to_url?.url
      if (!url) return { outcome: 'unknown', ask_again_ms, provider_reference }
      return { ...waitingFor(url, is_card), provider_reference }
    }
    case 'requires_payment_method': {
      const code = codeOf(last_payment_error ?? {}) ?? (is_card ? 306 : 340)
      return { ...refused(code, last_payment_error), provider_reference }
    }
    case 'canceled': {
      return { ...refused(345, null), provider_reference }
    }
    default:
      return { outcome: 'unknown', ask_again_ms, provider_reference }
  }
}

/** The authentication of a card on its own. */
export function readSetup(setup: Stripe.SetupIntent): Outcome {
  const { id: provider_reference, status, next_action, last_setup_error, latest_attempt } = setup
  const attempt = typeof latest_attempt === 'object' ? latest_attempt : null
  switch (status) {
    case 'succeeded': {
      const found = attempt?.payment_method_details.card?.three_d_secure
      return { outcome: 'approved', provider_reference, three_ds: threeDsOf(found, '') }
    }
    case 'requires_action': {
      const url = next_action?.redirect_to_url?.url
      if (!url) return { outcome: 'unknown', ask_again_ms, provider_reference }
      return { ...waitingFor(url, true), provider_reference }
    }
    case 'requires_payment_method': {
      const code = codeOf(last_setup_error ?? {}) ?? 359
      return { ...refused(code, last_setup_error), provider_reference }
    }
    case 'canceled':
      return { ...refused(345, null), provider_reference }
    default:
      return { outcome: 'unknown', ask_again_ms, provider_reference }
  }
}

/** A refund that is pending may still fail: it is asked for until it is known. */
export function readRefund({ id, status, failure_reason }: Stripe.Refund): Outcome {
  const provider_reference = id
  if (status === 'succeeded') return { outcome: 'approved', provider_reference }
  if (status === 'failed' || status === 'canceled') {
    return { ...refused(329, { code: failure_reason ?? status }), provider_reference }
  }
  // It waits for the customer, who is to name an account.
  const ask_again_ms = status === 'requires_action' ? hour_ms : provider_policy.max_wait_ms
  return { outcome: 'unknown', ask_again_ms, provider_reference }
}

/** The outcome of a capture or void, as the payment shows it. */
export function readFollowUp(intent: Stripe.PaymentIntent, kind: 'capture' | 'void'): Inquiry {
  const { id: provider_reference, status, cancellation_reason } = intent
  const done = kind === 'capture' ? 'succeeded' : 'canceled'
  if (status === done) return { outcome: 'approved', provider_reference }
  if (status === 'canceled') {
    return { ...refused(canceledCode(cancellation_reason), null), provider_reference }
  }
  if (status === 'succeeded') return { ...refused(312, null), provider_reference }
  return { outcome: 'never_received' }
}
