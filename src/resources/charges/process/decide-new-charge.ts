import type { Decided, Provider } from '../../../providers/provider.ts'
import type { Service } from '../../../service.ts'
import {
  type Answered,
  decideAuthorization,
  nothing_taken,
} from '../../operations/run-operation.ts'
import { cardDataOf } from '../../payment-methods/method-table.ts'
import type { Token } from '../../tokens/token.ts'
import type { Charge } from '../charge.ts'
import { needsAuthentication } from './authenticate-charge.ts'
import { type ChargeAttempt, references } from './charge-operations.ts'

/**
 * What the provider makes of a new charge, when that needs neither a call nor the number of the card. It
 * follows from the charge and its token alone: after a crash it is decided the same. Null: the card is
 * opened, and the provider is called as usual.
 */
export function decideNewCharge(
  service: Service,
  provider: Provider | null,
  charge: Charge,
  token: Token,
): Decided | null {
  const card = cardDataOf(token)?.card
  const is_new = charge.status === 'pending' && token.active
  if (!provider?.decideUnopened || !card || !is_new) return null
  // Purged before anything was claimed: not by this charge.
  if (token.card_number === null && charge.claims <= 1) return null
  const { mode, provider_currency: currency, email } = charge
  if (!provider.capabilities.currencies(charge).includes(currency)) return null
  if (needsAuthentication(service, charge, token)) return null
  const reference = references.authorize(charge)
  const { card_bin, last_four } = card
  return provider.decideUnopened({ mode, reference, currency, email, card_bin, last_four })
}

/** The same as an answer of the provider. */
export function answerDecided(
  service: Service,
  attempt: ChargeAttempt,
  decided: Decided,
): Answered {
  const { row: charge } = attempt
  const operation = {
    merchant_id: charge.merchant_id,
    store_id: charge.store_id,
    mode: charge.mode,
    reference: references.authorize(charge),
    charge_id: charge.id,
    amount: charge.provider_amount,
    currency: charge.provider_currency,
    credentials: null,
  }
  const call = { kind: 'authorize', operation, taken: nothing_taken } as const
  return decideAuthorization(service, attempt, call, decided)
}
