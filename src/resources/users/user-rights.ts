import type { UserCaller } from '../../core/caller.ts'
import { fail } from '../../core/errors.ts'

type Right = 'anybody' | 'owner' | 'confirmed' | 'confirmed_owner'

/** Payments and what is computed for them, and test scenarios. */
const everyday =
  /\/(charges|refunds|cancels|subscriptions|tokens|exchange_rates)(\/|$)|\/create_customer_id$|^\/test\//

/**
 * The right that a call needs. Resources with a mode are separated by the caller's mode; those without
 * one affect live mode too, so a password alone does not suffice. A change that is not listed here is
 * for owners.
 */
export function rightFor(method: string, pattern: string): Right {
  const reads = method === 'GET' || method === 'HEAD'
  // A webhook shows credentials of the merchant's own server, and what was sent in both modes.
  if (/\/webhooks(\/|$)/.test(pattern)) return 'confirmed_owner'
  if (/^\/(bank_accounts|verification)/.test(pattern))
    return reads ? 'confirmed' : 'confirmed_owner'
  if (reads) return 'anybody'
  // The mode of the token is in the body: the route checks it.
  if (method === 'POST' && pattern === '/stores/:store_id/app_jwts') return 'owner'
  return everyday.test(pattern) ? 'anybody' : 'confirmed_owner'
}

export function requireUserRight(
  { role, second_factor }: UserCaller,
  method: string,
  pattern: string,
): void {
  const right = rightFor(method, pattern)
  if (right.endsWith('owner') && role !== 'owner') {
    fail('INVALID_PERMISSIONS', { message: 'Only an owner may do that.' })
  }
  if (right.startsWith('confirmed') && !second_factor) requireSecondFactor()
}

/** Live mode, and what affects it, needs more than a password. */
export function requireSecondFactor(): never {
  fail('INVALID_PERMISSIONS', {
    message: 'This needs an authenticator app: switch it on with POST /me/totp.',
  })
}
