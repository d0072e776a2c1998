import type { Mode } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import type { Token } from './token.ts'
import { requireConfirmed } from './verify/confirm-token.ts'

/** Tokens that a kind of payment does not take, and the error for each. */
const unfit = {
  charge: { type: 'subscription', code: 'NON_SUBSCRIPTION_PAYMENT' },
  subscription: { type: 'one_time', code: 'NOT_SUBSCRIPTION_TOKEN' },
} as const

/**
 * The token that a payment is to be made with. One of another store or merchant is not there; one of
 * the other mode must not be mixed up.
 */
export function requireToken(
  token: Token | null | undefined,
  caller: { readonly store_id: string; readonly mode: Mode },
  payment: keyof typeof unfit,
): Token {
  if (!token?.active || token.store_id !== caller.store_id) {
    fail('NOT_FOUND', { message: 'There is no such transaction token.' })
  }
  if (token.mode !== caller.mode) fail('PROCESSING_MODE_MISMATCH')
  const { type, code } = unfit[payment]
  if (token.type === type) fail(code)
  requireConfirmed(token)
  const { enabled, status } = token.cvv_authorize
  if (enabled && status !== 'current') fail('CVV_AUTHORIZATION_NOT_COMPLETED')
  return token
}
