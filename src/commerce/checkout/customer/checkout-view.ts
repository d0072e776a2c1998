import { session_attempts } from '../../../core/limits/checkout-policy.ts'
import type { PaymentType } from '../../../core/payments/payment-types.ts'
import { factsOfBrand, method_facts } from '../../../methods/method-facts.ts'
import { cardDataOf, methods, payerOf, wholeCardOf } from '../../../methods/method-table.ts'
import type { Charge } from '../../../payments/charges/charge.ts'
import { supportedBrands } from '../../../payments/checkout-info/checkout-info.ts'
import { offerOf } from '../../../payments/routing/live-offer.ts'
import { type StoreRules, storeRules } from '../../../payments/store-rules/store-rules.ts'
import type { Service } from '../../../service.ts'
import { findRow } from '../../../store/sql/reads/find-row.ts'
import { session_placeholder } from '../checkout-options.ts'
import { type CheckoutSession, isEnded } from '../checkout-session.ts'
import { applePayRequest } from './apple-pay-session.ts'
import { nextStep } from './next-step.ts'
import { maskedAddress, sendsReceipts } from './send-receipt.ts'
import { usualMethods } from './usual-methods.ts'
import { viewShop } from './view-shop.ts'

/** Everything that the page of a session may know: nothing else of the shop reaches a browser. */
export async function checkoutView(service: Service, session: CheckoutSession) {
  const { merchant_id, store_id, options } = session
  const [rules, store, charge, chosen, usual] = await Promise.all([
    storeRules(service, merchant_id, store_id, true),
    viewShop(service, session),
    chargeOf(service, session),
    chosenOf(service, session),
    usualMethods(service, session),
  ])
  const ended = isEnded(session)
  const step = nextStep(service, session, charge)
  const ends_on = 'expires_on' in step ? step.expires_on : null
  return {
    status: session.status,
    ...step,
    test_mode: session.mode === 'test',
    locale: options.locale,
    store,
    amount: session.amount,
    currency: session.currency,
    line_items: options.line_items,
    subscription: options.subscription,
    token_type: options.token_type,
    capture: options.capture,
    payment_type: session.payment_type,
    chosen,
    methods: ended ? [] : await methodsOf(service, session, rules),
    /** `payment_type/brand`, most used first; empty where the shop has an order of its own. */
    usual: ended || options.is_ordered ? [] : usual,
    saved_cards: ended ? [] : await savedCards(service, session),
    /** The initial values of forms; the e-mail field is shown if the shop sent none. */
    customer: {
      has_email: Boolean(options.customer?.email),
      name: options.customer?.name ?? null,
      phone: options.customer?.phone ?? null,
    },
    apple_pay: ended ? null : applePayRequest(session, rules, store.name),
    receipt: session.status === 'completed' ? receiptOf(service, session, chosen) : null,
    /** A payment that waits for the customer has its own end. */
    expires_on: ends_on ?? session.expires_on.toISOString(),
    success_url: addressOf(options.success_url, session),
    cancel_url: addressOf(options.cancel_url, session),
  }
}
export type CheckoutView = Awaited<ReturnType<typeof checkoutView>>

function addressOf(address: string | null, { id }: CheckoutSession): string | null {
  return address && new URL(address.replaceAll(session_placeholder, id)).href
}

async function chargeOf(service: Service, session: CheckoutSession): Promise<Charge | null> {
  if (!session.charge_id || session.status !== 'processing') return null
  return findRow(service, 'charges', { merchant_id: session.merchant_id, id: session.charge_id })
}

/** How the customer paid or tried to pay last: the method, its brand, and the stored card if it was one. */
type Chosen = NonNullable<Awaited<ReturnType<typeof chosenOf>>>

async function chosenOf(service: Service, session: CheckoutSession) {
  const { id, merchant_id, transaction_token_id } = session
  if (!transaction_token_id) return null
  const token = await service.db
    .selectFrom('transaction_tokens')
    .select(['payment_type', 'data', 'email'])
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', transaction_token_id)
    .executeTakeFirst()
  if (!token) return null
  return {
    payment_type: token.payment_type,
    brand: payerOf(token).brand,
    last_four: cardDataOf(token)?.card?.last_four ?? null,
    mailed_to: token.email && maskedAddress(token.email),
    // Ids sort by creation: a token that is older than the session was stored before.
    saved_card: transaction_token_id < id ? transaction_token_id : null,
  }
}

/** The customer's reference: the number by which the shop finds the payment. */
async function methodsOf(service: Service, session: CheckoutSession, rules: StoreRules) {
  const { options, mode, declines, currency } = session
  // Cycles and parts of a plan have amounts of their own.
  const amount = options.token_type === 'one_time' ? session.amount : null
  const cards_closed = declines >= session_attempts.max_declines
  const only_direct_currency = options.only_direct_currency ?? rules.only_direct_currency
  const planned = { amount, currency, only_direct_currency }
  const offer = await offerOf(service, session, mode, planned)
  const offered = supportedBrands(service, rules, offer)
  return options.payment_types.flatMap((payment_type: PaymentType) => {
    const brands = offered.filter(
      ({ brand, payment_type: type }) =>
        type === payment_type && !factsOfBrand(payment_type, brand)?.closed,
    )
    const { holds, email } = method_facts[payment_type]
    if (brands.length === 0 || (holds && cards_closed)) return []
    return {
      payment_type,
      brands: brands.map(({ brand }) => brand),
      fields: methods[payment_type].customer_fields,
      needs_email: email === 'required' && !options.customer?.email,
      needs_cvv: brands.some(({ requires_cvv }) => requires_cvv),
    }
  })
}

const max_saved_cards = 20

/** Cards that the named customer stored at this store, as far as they may be recognised. */
async function savedCards(service: Service, session: CheckoutSession) {
  const { options, merchant_id, store_id, mode, declines } = session
  const customer_id = options.customer?.customer_id
  const by_card = options.payment_types.includes('card')
  if (!customer_id || !by_card || declines >= session_attempts.max_declines) return []
  const tokens = await service.db
    .selectFrom('transaction_tokens')
    .select(['id', 'payment_type', 'data'])
    .where('merchant_id', '=', merchant_id)
    .where('store_id', '=', store_id)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
    .where('type', '=', 'recurring')
    .where('payment_type', '=', 'card')
    .where('active', '=', true)
    .orderBy('id', 'desc')
    .limit(max_saved_cards)
    .execute()
  return tokens.flatMap((token) => {
    const card = wholeCardOf(token)?.card
    if (!card) return []
    const { brand, last_four, exp_month, exp_year } = card
    return { transaction_token_id: token.id, brand, last_four, exp_month, exp_year }
  })
}

/** The customer's reference: the number by which the shop finds the payment. */
function receiptOf(service: Service, session: CheckoutSession, chosen: Chosen | null) {
  const { id, charge_id, subscription_id, completed_on } = session
  return {
    number: charge_id ?? subscription_id ?? id,
    completed_on: completed_on?.toISOString() ?? null,
    is_mailed: sendsReceipts(service, session),
    mailed_to: chosen?.mailed_to ?? null,
  }
}
