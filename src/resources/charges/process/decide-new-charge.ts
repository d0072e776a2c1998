import type { Service } from '../../../service.ts'
import {
  type Answered,
  decideAuthorization,
  nothing_taken,
} from '../../operations/run-operation.ts'
import { cardDataOf } from '../../payment-methods/method-table.ts'
import type { Token } from '../../tokens/token.ts'
import { needsAuthentication } from './authenticate-charge.ts'
import { type ChargeAttempt, references } from './charge-operations.ts'

/**
 * What the provider makes of a charge that was created just now, when it needs neither a call nor the number
 * of the card. Null: the card is opened, and the provider is called as usual.
 */
export function decideNewCharge(
  service: Service,
  attempt: ChargeAttempt,
  token: Token,
): Answered | null {
  const { provider, row: charge } = attempt
  const card = cardDataOf(token)?.card
  if (!provider.decideUnopened || !card || token.card_number === null) return null
  if (charge.status !== 'pending' || charge.claims > 1) return null
  const { merchant_id, store_id, mode, provider_currency: currency, email } = charge
  if (!provider.capabilities.currencies(charge).includes(currency)) return null
  if (needsAuthentication(service, charge, token)) return null
  const reference = references.authorize(charge)
  const { card_bin, last_four } = card
  const decided = provider.decideUnopened({ mode, reference, currency, email, card_bin, last_four })
  if (!decided) return null
  const money = { amount: charge.provider_amount, currency, credentials: null }
  const operation = { merchant_id, store_id, mode, reference, charge_id: charge.id, ...money }
  const call = { kind: 'authorize', operation, taken: nothing_taken } as const
  return decideAuthorization(service, attempt, call, decided)
}
