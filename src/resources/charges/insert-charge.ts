import { convertCurrency } from '../../core/exchange-rates.ts'
import type { Metadata } from '../../core/metadata.ts'
import { searchText } from '../../core/search-text.ts'
import { newRow, type Service, type Transacting } from '../../service.ts'
import type { ChargeThreeDs } from '../../store/tables.ts'
import type { Token } from '../tokens/token.ts'
import type { Charge } from './charge.ts'

/** What amounts are converted to when a provider does not take their currency. */
export const base_currency = 'JPY'

export interface NewCharge {
  type: 'normal' | 'cvv_auth'
  amount: number
  currency: string
  capture: boolean
  capture_at: Date | null
  only_direct_currency: boolean
  descriptor: string | null
  descriptor_phone_number: string | null
  metadata: Metadata
  three_ds: ChargeThreeDs | null
}

/** Writes a pending charge of a token; it is due at once, and the worker is told. */
export async function insertCharge(
  tx: Transacting,
  token: Token,
  wanted: NewCharge,
): Promise<Charge> {
  const { amount, currency, metadata, three_ds, ...rest } = wanted
  const { id, created_on } = newRow(tx)
  const { card, billing } = token.data
  const phone = billing.phone_number
  const asked = providerAmount(tx, amount, currency, wanted.only_direct_currency)
  tx.afterCommit(() => tx.signals.spread('work', 'charges'))
  return tx.db
    .insertInto('charges')
    .values({
      ...rest,
      merchant_id: token.merchant_id,
      id,
      store_id: token.store_id,
      mode: token.mode,
      transaction_token_id: token.id,
      transaction_token_type: token.type,
      payment_type: token.payment_type,
      subscription_id: null,
      merchant_transaction_id: null,
      requested_amount: amount,
      requested_currency: currency,
      provider_amount: asked.amount,
      provider_currency: asked.currency,
      charged_amount: null,
      charged_currency: null,
      fee_amount: null,
      status: 'pending',
      error: null,
      metadata: JSON.stringify(metadata),
      redirect: null,
      three_ds: three_ds && JSON.stringify(three_ds),
      pending_action: null,
      capture_amount: null,
      email: token.email?.toLowerCase() ?? null,
      cardholder: card.cardholder,
      phone: phone ? `${phone.country_code}${phone.local_number}` : null,
      brand: card.brand,
      last_four: card.last_four,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      card_fingerprint: token.card_fingerprint,
      search_text: searchText(card.cardholder, token.email, card.last_four, metadata),
      created_on,
      updated_on: created_on,
      authorized_on: null,
      due_on: created_on,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What the provider is asked for: the amount itself, or its conversion where it must be one. */
function providerAmount(
  { providers }: Service,
  amount: number,
  currency: string,
  only_direct_currency: boolean,
): { amount: number; currency: string } {
  if (only_direct_currency || providers.card.currencies.includes(currency)) {
    return { amount, currency }
  }
  const converted = convertCurrency(amount, currency, base_currency)
  return converted === null ? { amount, currency } : { amount: converted, currency: base_currency }
}
