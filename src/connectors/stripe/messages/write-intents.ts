import type { Stripe } from 'stripe'
import type {
  Authentication,
  Authorization,
  Operation,
  ProviderCard,
  ThreeDsResult,
} from '../../../providers/provider-operations.ts'

/** Our names of a payment at Stripe: notifications and searches find it by them. */
export function metadataOf({ merchant_id, charge_id, reference }: Operation) {
  return {
    kaikei_merchant_id: merchant_id,
    kaikei_charge_id: charge_id,
    kaikei_reference: reference,
  }
}

/** Secrets are revealed here only. */
export function writeCard(
  { number, cvv, exp_month, exp_year, cardholder }: ProviderCard,
  { email, billing }: Pick<Authorization, 'email' | 'billing'>,
): Stripe.PaymentMethodCreateParams {
  const cvc = cvv ? { cvc: cvv.reveal() } : {}
  return {
    type: 'card',
    card: { number: number.reveal(), exp_month, exp_year, ...cvc },
    billing_details: {
      ...(cardholder === '' ? {} : { name: cardholder }),
      ...(email === null ? {} : { email }),
      ...billingOf(billing),
    },
  }
}

function billingOf(billing: Authorization['billing']) {
  if (!billing) return {}
  const { line1, line2, city, state, country, zip: postal_code, phone_number } = billing
  const known = Object.entries({ line1, line2, city, state, country, postal_code }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
  )
  const phone = phone_number && `+${phone_number.country_code}${phone_number.local_number}`
  return {
    ...(known.length > 0 ? { address: Object.fromEntries(known) } : {}),
    ...(phone ? { phone } : {}),
  }
}

/**
 * Stripe asks the cardholder while it authorizes, so `authenticate` has nothing to ask. What it answers
 * goes with the authorization, in the place of the proof of an authentication: that the cardholder is to be
 * asked, or the payment in which they were.
 */
const ask_cardholder = { any: 'stripe: ask', challenge: 'stripe: challenge' } as const

export function askLater(force: boolean): ThreeDsResult {
  const authentication_value = ask_cardholder[force ? 'challenge' : 'any']
  return { eci: '', authentication_value, transaction_id: '', version: '' }
}

/** The payment in which the cardholder was asked; null: there is none yet. */
export function authenticatedPayment(three_ds: ThreeDsResult | null): string | null {
  const { authentication_value = '' } = three_ds ?? {}
  return authentication_value.startsWith('pi_') ? authentication_value : null
}

/** How 3-D Secure goes along; an authentication elsewhere comes with its proof. */
function threeDsOptions(three_ds: ThreeDsResult | null) {
  const { authentication_value: value = '' } = three_ds ?? {}
  // An authentication of the card on its own at Stripe has no proof, and needs none there.
  if (!three_ds || value === '') return {}
  if (value === ask_cardholder.any) return { request_three_d_secure: 'any' as const }
  if (value === ask_cardholder.challenge) return { request_three_d_secure: 'challenge' as const }
  const { eci, transaction_id, version } = three_ds
  const indicator = eci === '' ? {} : { electronic_commerce_indicator: eci }
  return { three_d_secure: { cryptogram: value, transaction_id, version, ...indicator } }
}

/** A payment of a card, or of PayPay, which is confirmed at once. */
export function writeIntent(
  operation: Authorization,
  amount: number,
  payment_method: string | null,
): Stripe.PaymentIntentCreateParams {
  const { currency, capture, descriptor, initiated_by } = operation
  const card = threeDsOptions(operation.three_ds)
  const params: Stripe.PaymentIntentCreateParams = {
    amount,
    currency: currency.toLowerCase(),
    confirm: true,
    capture_method: capture ? 'automatic' : 'manual',
    allowed_payment_method_types: [payment_method ? 'card' : 'paypay'],
    metadata: metadataOf(operation),
    expand: ['latest_charge'],
  }
  if (payment_method) params.payment_method = payment_method
  else params.payment_method_data = { type: 'paypay' }
  if (Object.keys(card).length > 0) params.payment_method_options = { card }
  if (initiated_by === 'merchant') params.off_session = true
  else params.return_url = operation.returnUrl()
  if (descriptor) params.statement_descriptor_suffix = descriptor
  return params
}

/** The authentication of a card on its own: nothing is charged. */
export function writeSetup(
  operation: Authentication,
  payment_method: string,
): Stripe.SetupIntentCreateParams {
  const request_three_d_secure = operation.force ? 'challenge' : 'any'
  return {
    confirm: true,
    payment_method,
    allowed_payment_method_types: ['card'],
    payment_method_options: { card: { request_three_d_secure } },
    return_url: operation.returnUrl(),
    metadata: metadataOf(operation),
    expand: ['latest_attempt'],
  }
}
