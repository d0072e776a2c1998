import { fail } from '../../core/api/errors.ts'
import type { checkout_rates } from '../../core/limits/checkout-policy.ts'
import { noteHit } from '../../core/limits/limit-hits.ts'
import { second_ms } from '../../core/time/clock.ts'
import { method_facts } from '../../methods/method-facts.ts'
import {
  type AdmittedAttempt,
  admitCardAttempt,
  hashedAddress,
  hashedStoredCard,
  settleCardAttempt,
  uncounted,
} from '../../payments/card-testing/card-attempts.ts'
import type { Charge } from '../../payments/charges/charge.ts'
import { cardFingerprint } from '../../payments/tokens/create/create-token.ts'
import type { Service } from '../../service.ts'
import type { CheckoutSession } from './checkout-session.ts'
import type { PaidWith } from './customer/payment-details.ts'

/** The visitor of the page, and the solution of a challenge if there is one. */
export interface PageVisitor {
  readonly ip: string
  readonly proof: string | null
}

/** The card that is tried, as a subject for counts. Null: no card is tried. */
function triedCard(service: Service, paid_with: PaidWith): string | null {
  if (paid_with.kind === 'saved_card') {
    return hashedStoredCard(service, paid_with.card.transaction_token_id)
  }
  const { payment_type, data } = paid_with.details
  if (!method_facts[payment_type].holds) return null
  const number = String(data.card_number ?? data.applepay_token ?? '').replaceAll(/[\s-]/g, '')
  return cardFingerprint(service, number).toString('base64url')
}

/** Counts a card that is tried, before anything is read or written for it. */
export async function admitAttempt(
  service: Service,
  session: CheckoutSession,
  paid_with: PaidWith,
  { ip, proof }: PageVisitor,
): Promise<AdmittedAttempt> {
  const card = triedCard(service, paid_with)
  if (card === null || session.status !== 'open') return uncounted
  const challenge = { of: session, response: proof }
  const visitor = { ip, credential: null, with_secret: false, challenge }
  return admitCardAttempt(service, session, card, visitor)
}

/**
 * The issuer has decided. A cardholder who is asked to authenticate has not passed yet: their attempt counts
 * until they have. A technical fault says nothing about a card.
 */
export function settleAttempt(service: Service, session: CheckoutSession, charge: Charge): void {
  const { status, page_id } = charge
  if (status === 'awaiting') return
  const is_good = status === 'authorized' || status === 'successful'
  const is_fault = status === 'error' && page_id === null
  const result = is_good ? 'good' : is_fault ? 'not_asked' : 'declined'
  settleCardAttempt(service, session, session.limit_keys, result)
}

/** Bounds how often an address does what costs more than a page. */
export async function admitVisit(
  service: Service,
  ip: string,
  limit: keyof typeof checkout_rates,
): Promise<void> {
  const key = hashedAddress(service, ip)
  const { allowed, wait_ms } = await service.counts.take([[limit, key]])
  if (allowed) return
  noteHit(limit)
  fail('BAD_REQUEST', { retry_after_s: Math.ceil(wait_ms / second_ms) })
}
