import { base_currency } from '../../../core/money/currencies.ts'
import { convertCurrency } from '../../../core/money/exchange-rates.ts'
import type { MatchAmount } from '../../../core/payments/match-amounts.ts'
import type { Metadata } from '../../../core/text/metadata.ts'
import { searchWords } from '../../../core/text/search-words.ts'
import { redirectUrl } from '../../../core/typed/redirect-endpoint.ts'
import { cardDataOf, dataOf, methodOf, payerOf } from '../../../methods/method-table.ts'
import { newRow, type Service } from '../../../service.ts'
import type { ChargeThreeDs } from '../../../store/tables/tables.ts'
import type { RoutedCharge } from '../../routing/route-charge.ts'
import type { Token } from '../../tokens/token.ts'
import type { Charge } from '../charge.ts'

export interface NewCharge {
  type: 'normal' | 'cvv_auth'
  amount: number
  currency: string
  capture: boolean
  capture_at: Date | null
  only_direct_currency: boolean
  descriptor: string | null
  descriptor_phone_number: string | null
  merchant_transaction_id: string | null
  metadata: Metadata
  redirect: { endpoint: string; redirect_id: string } | null
  three_ds: ChargeThreeDs | null
  external_three_ds: Record<string, string> | null
  /** The deadline for the customer, where they have to act. */
  expires_on: Date | null
  match_amount: MatchAmount | null
  /** The payment and the attempt that a subscription's charge belongs to. */
  subscription_id: string | null
  payment_id: string | null
  payment_attempt: number | null
  /** The session of a charge from a checkout page. */
  checkout: CheckoutOrigin | null
}

/** The session, and where customers who act on another page come back to. */
export interface CheckoutOrigin {
  readonly session_id: string
  readonly return_url: string
}

/** The fields of a charge that only checks a card. */
export const plain_charge = {
  capture: true,
  capture_at: null,
  only_direct_currency: false,
  descriptor: null,
  descriptor_phone_number: null,
  merchant_transaction_id: null,
  metadata: {},
  redirect: null,
  three_ds: null,
  external_three_ds: null,
  expires_on: null,
  match_amount: null,
  subscription_id: null,
  payment_id: null,
  payment_attempt: null,
  checkout: null,
} as const

/** A pending charge of a token, as its row will be: due immediately, or claimed for a while. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one line for each column
export function newCharge(
  service: Service,
  token: Token,
  wanted: NewCharge,
  { provider, account, route, currencies }: RoutedCharge,
  lease_ms = 0,
): Charge {
  const { metadata, redirect, three_ds } = wanted
  const { id, created_on } = newRow(service)
  const { name, brand } = payerOf(token)
  const card = cardDataOf(token)?.card
  // The page of a card is that of its challenge, which may have an endpoint of its own.
  const endpoint = three_ds?.redirect_endpoint ?? redirect?.endpoint ?? null
  const { payment_type, mode } = token
  const asked = providerAmount(currencies, wanted)
  // Every column by its name: copying some of them from another object costs ten times as much.
  return {
    merchant_id: token.merchant_id,
    id,
    type: wanted.type,
    capture: wanted.capture,
    capture_at: wanted.capture_at,
    only_direct_currency: wanted.only_direct_currency,
    descriptor: wanted.descriptor,
    descriptor_phone_number: wanted.descriptor_phone_number,
    merchant_transaction_id: wanted.merchant_transaction_id,
    metadata,
    redirect,
    three_ds,
    external_three_ds: wanted.external_three_ds,
    expires_on: wanted.expires_on,
    match_amount: wanted.match_amount,
    subscription_id: wanted.subscription_id,
    payment_id: wanted.payment_id,
    payment_attempt: wanted.payment_attempt,
    checkout_session_id: wanted.checkout?.session_id ?? null,
    store_id: token.store_id,
    mode,
    transaction_token_id: token.id,
    transaction_token_type: token.type,
    payment_type,
    requested_amount: wanted.amount,
    requested_currency: wanted.currency,
    provider_amount: asked.amount,
    provider_currency: asked.currency,
    charged_amount: null,
    charged_currency: null,
    fee_amount: null,
    status: 'pending',
    error: null,
    redirect_url:
      wanted.checkout?.return_url ??
      (endpoint && redirectUrl(endpoint, metadata, { svcChargeId: id, svcTokenId: token.id })),
    three_ds_passed_on: null,
    three_ds_result: null,
    page_id: null,
    instructions: null,
    call_method: dataOf(token, 'online')?.call_method ?? null,
    pending_action: null,
    capture_amount: null,
    refunded_amount: 0,
    email: token.email?.toLowerCase() ?? null,
    cardholder: card?.cardholder ?? null,
    phone: phoneOf(token),
    brand,
    last_four: card?.last_four ?? null,
    exp_month: card?.exp_month ?? null,
    exp_year: card?.exp_year ?? null,
    card_fingerprint: token.card_fingerprint,
    search_words: searchWords(
      token.merchant_id,
      name,
      token.email,
      card?.last_four ?? null,
      metadata,
    ),
    provider: provider?.name ?? null,
    route,
    provider_reference: null,
    authorization_code: null,
    network_transaction_id: null,
    provider_data: null,
    returned_with: null,
    provider_credentials_id: account,
    created_on,
    updated_on: created_on,
    authorized_on: null,
    due_on: new Date(created_on.getTime() + lease_ms),
    claims: lease_ms > 0 ? 1 : 0,
  }
}

/** Dialled at home only. (Italy keeps it; there the number is found by the digits after it.) */
const trunk_zero = /^0/

function phoneOf({ payment_type, data }: Token): string | null {
  const phone = methodOf(payment_type).phone(data)
  return phone && `${phone.country_code}${phone.local_number.replace(trunk_zero, '')}`
}

/** The amount for the provider: the requested amount, or its conversion where one is needed. */
function providerAmount(
  currencies: readonly string[],
  { amount, currency, only_direct_currency }: NewCharge,
): { amount: number; currency: string } {
  if (only_direct_currency || currencies.includes(currency)) return { amount, currency }
  const converted = convertCurrency(amount, currency, base_currency)
  return converted === null ? { amount, currency } : { amount: converted, currency: base_currency }
}
