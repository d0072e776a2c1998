import { addressSubject } from '../../core/address-subject.ts'
import { fail } from '../../core/errors.ts'
import { noteHit, noteHits } from '../../core/limits/limit-hits.ts'
import type { CountKey } from '../../core/limits/request-counts.ts'
import { payment_methods } from '../../core/payment-methods.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import type { Charge } from '../charges/charge.ts'
import { cardFingerprint } from '../tokens/create/create-token.ts'
import { countAttempt } from './attempt-counts.ts'
import { proof_of_work } from './challenge.ts'
import { noteAttack } from './checkout-attack.ts'
import type { CheckoutSession } from './checkout-session.ts'
import type { PaidWith } from './payment-details.ts'

/** Who acts on the page, and the answer to a challenge if there is one. */
export interface Visitor {
  readonly ip: string
  readonly proof: string | null
}

type LimitKeys = NonNullable<CheckoutSession['limit_keys']>

/** By whom and with what a card is tried, as hashes that say neither. Null: no card is tried. */
function limitKeys(service: Service, paid_with: PaidWith, { ip }: Visitor): LimitKeys | null {
  const address = hashOf(service, 'checkout address', addressSubject(ip))
  if (paid_with.kind === 'saved_card') {
    return { address, card: hashOf(service, 'stored card', paid_with.card.transaction_token_id) }
  }
  const { payment_type, data } = paid_with.details
  if (!payment_methods[payment_type].holds) return null
  const number = String(data.card_number ?? data.applepay_token ?? '').replaceAll(/[\s-]/g, '')
  return { address, card: cardFingerprint(service, number).toString('base64url') }
}

function hashOf({ keys }: Service, purpose: string, text: string): string {
  return keyedHash(keys.fingerprint.newest, purpose, text).toString('base64url')
}

const visitorKeys = ({ address, card }: LimitKeys): CountKey[] => [
  ['checkout_address', address],
  ['checkout_card', card],
]
const storeKey = ({ store_id, mode }: CheckoutSession): CountKey => [
  'checkout_store',
  `${store_id} ${mode}`,
]
const attackedKey = ({ address }: LimitKeys): CountKey => ['checkout_attacked', address]

/** What an attempt is counted by: one that met a challenge does not use up the store's attempts without. */
const countedKeys = (session: CheckoutSession, limit_keys: LimitKeys): CountKey[] => [
  ...visitorKeys(limit_keys),
  limit_keys.met_challenge ? attackedKey(limit_keys) : storeKey(session),
]

/** An attempt that may begin. */
export interface AdmittedAttempt {
  readonly limit_keys: LimitKeys | null
  /** It did not begin after all. */
  giveBack(): void
}

const uncounted: AdmittedAttempt = { limit_keys: null, giveBack: () => {} }

/**
 * Counts a card that is tried, before anything is read or written for it. Too many of one address, or of one
 * card, are refused; after too many of one store, every attempt there needs the answer to a challenge, and
 * an address gets only one.
 */
export async function admitAttempt(
  service: Service,
  session: CheckoutSession,
  paid_with: PaidWith,
  visitor: Visitor,
): Promise<AdmittedAttempt> {
  const limit_keys = limitKeys(service, paid_with, visitor)
  if (!limit_keys || session.status !== 'open') return uncounted
  const of_visitor = visitorKeys(limit_keys)
  await take(service, of_visitor)
  const { allowed } = await service.counts.take([storeKey(session)])
  const counted = { ...limit_keys, met_challenge: !allowed }
  if (!allowed) {
    try {
      await requireProof(service, session, visitor)
      await take(service, [attackedKey(limit_keys)])
    } catch (error) {
      service.counts.giveBack(of_visitor)
      throw error
    }
  }
  countAttempt('admitted')
  const keys = countedKeys(session, counted)
  return { limit_keys: counted, giveBack: () => service.counts.giveBack(keys) }
}

async function take({ counts }: Service, keys: readonly CountKey[]): Promise<void> {
  const counted = await counts.take(keys)
  if (counted.allowed) return
  countAttempt('limited')
  noteHits(keys, counted)
  const message = 'Too many cards were declined; try again later, or pay in another way.'
  fail('BAD_REQUEST', { message, retry_after_s: Math.ceil(counted.wait_ms / second_ms) })
}

async function requireProof(
  service: Service,
  session: CheckoutSession,
  { proof }: Visitor,
): Promise<void> {
  if (proof && proof_of_work.verify(service, session, proof)) return
  countAttempt('challenged')
  await noteAttack(service, session)
  fail('CHECKOUT_CHALLENGE_REQUIRED')
}

/**
 * The issuer has decided: only a decline counts. A cardholder who is asked to authenticate has not been
 * declined yet, so their attempt is given back, and counted again if it fails then.
 */
export function settleAttempt(service: Service, session: CheckoutSession, charge: Charge): void {
  if (!session.limit_keys) return
  const keys = countedKeys(session, session.limit_keys)
  const was_asked = charge.page_id !== null
  const is_declined = charge.status === 'failed'
  if (is_declined) countAttempt('declined')
  if (charge.status === 'awaiting' || (!is_declined && !was_asked)) service.counts.giveBack(keys)
  else if (is_declined && was_asked) void service.counts.take(keys)
}

/** Bounds how many sessions an address gets from payment links. */
export async function admitVisit(service: Service, ip: string): Promise<void> {
  const key = hashOf(service, 'checkout address', addressSubject(ip))
  const { allowed, wait_ms } = await service.counts.take([['checkout_visit', key]])
  if (allowed) return
  noteHit('checkout_visit')
  fail('BAD_REQUEST', { retry_after_s: Math.ceil(wait_ms / second_ms) })
}
