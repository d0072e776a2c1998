import { addressSubject } from '../../core/access/address-subject.ts'
import { fail } from '../../core/api/errors.ts'
import { noteHits } from '../../core/limits/limit-hits.ts'
import type { CountKey } from '../../core/limits/request-counts.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'
import type { LimitKeys } from '../../store/tables/payments/limit-keys.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { countAttempt } from './attempt-counts.ts'
import { noteAttack, type TestedShop } from './card-attack.ts'
import { type Challenged, proof_of_work } from './challenge.ts'

/** The request that tries a card. */
export interface Visitor {
  readonly ip: string
  /** The application token that it came with; null on the page of a session. */
  readonly credential: string | null
  readonly with_secret: boolean
  /** Whose challenge it can solve, and the answer if there is one. Null: a bare call, which is refused. */
  readonly challenge: { readonly of: Challenged; readonly response: string | null } | null
}

/** An attempt that may begin. */
export interface AdmittedAttempt {
  /** Stored until its result is known. */
  readonly limit_keys: LimitKeys | null
  /** It did not begin after all. */
  giveBack(): void
}

export const uncounted: AdmittedAttempt = { limit_keys: null, giveBack: () => {} }

function hashOf({ keys }: Service, purpose: string, text: string): string {
  return keyedHash(keys.fingerprint.newest, purpose, text).toString('base64url')
}

/** A subject for counts, which does not show the address. */
export const hashedAddress = (service: Service, ip: string) =>
  hashOf(service, 'checkout address', addressSubject(ip))

/** A card that was stored before, as a subject for counts. */
export const hashedStoredCard = (service: Service, token_id: string) =>
  hashOf(service, 'stored card', token_id)

const visitorKeys = ({ address, card }: LimitKeys): CountKey[] => [
  ['card_address', address],
  ['card_number', card],
]
const storeOf = ({ store_id, mode }: TestedShop) => `${store_id} ${mode}`
const shopKeys = (shop: TestedShop, { credential }: LimitKeys): CountKey[] => [
  ['card_store', storeOf(shop)],
  ...(credential ? [['card_credential', credential] as const] : []),
]
const challengedKey = ({ address }: LimitKeys): CountKey => ['card_challenged', address]

/**
 * The counters of an attempt: one that met a challenge does not use up the store's attempts without a
 * challenge.
 */
function countedKeys(shop: TestedShop, keys: LimitKeys): CountKey[] {
  if (keys.with_secret) return [['card_with_secret', storeOf(shop)]]
  return [
    ...visitorKeys(keys),
    ...(keys.met_challenge ? [challengedKey(keys)] : shopKeys(shop, keys)),
  ]
}

/**
 * Every operation that reveals whether a card is good calls this first: checkout, links, card fields,
 * tokens that ask the issuer. Too many attempts of one address or one card are refused. After too many of a
 * store or key, our pages solve a challenge, of which an address gets only one, and bare calls are refused.
 */
export async function admitCardAttempt(
  service: Service,
  shop: TestedShop,
  card: string,
  visitor: Visitor,
): Promise<AdmittedAttempt> {
  const { ip, credential, with_secret } = visitor
  const keys: LimitKeys = { address: hashedAddress(service, ip), card }
  const given = credential && !with_secret ? { ...keys, credential } : keys
  if (with_secret) return countWithSecret(service, shop, given)
  const checks: CountKey[] = credential ? [['card_check', given.address]] : []
  const of_visitor = [...visitorKeys(given), ...checks]
  await take(service, shop, visitor, of_visitor)
  const met_challenge = await meetChallenge(service, shop, visitor, given).catch((error) => {
    service.counts.giveBack(of_visitor)
    throw error
  })
  countAttempt('admitted')
  return admitted(service, shop, { ...given, met_challenge })
}

function admitted(service: Service, shop: TestedShop, limit_keys: LimitKeys): AdmittedAttempt {
  const giveBack = () => service.counts.giveBack(countedKeys(shop, limit_keys))
  return { limit_keys, giveBack }
}

/** The shop answers for these itself: it is notified when there are many. */
async function countWithSecret(
  service: Service,
  shop: TestedShop,
  given: LimitKeys,
): Promise<AdmittedAttempt> {
  countAttempt('with_secret')
  const keys = { ...given, with_secret: true }
  const { allowed } = await service.counts.take(countedKeys(shop, keys))
  if (allowed) return admitted(service, shop, keys)
  await noteAttack(service, shop)
  return uncounted
}

/** Whether a challenge was needed, and met. */
async function meetChallenge(
  service: Service,
  shop: TestedShop,
  visitor: Visitor,
  keys: LimitKeys,
): Promise<boolean> {
  const of_shop = shopKeys(shop, keys)
  const counted = await service.counts.take(of_shop)
  if (counted.allowed) return false
  if (!visitor.challenge) await refuse(service, shop, visitor, of_shop, counted)
  else if (!(await isAnswered(service, visitor.challenge))) {
    countAttempt('challenged')
    await noteAttack(service, shop)
    fail('CHECKOUT_CHALLENGE_REQUIRED')
  }
  await take(service, shop, visitor, [challengedKey(keys)])
  return true
}

async function isAnswered(
  service: Service,
  { of, response }: NonNullable<Visitor['challenge']>,
): Promise<boolean> {
  if (!response || !proof_of_work.verify(service, of, response)) return false
  const [nonce = ''] = response.split(':')
  return (await service.counts.take([['card_proof', nonce]])).allowed
}

type Counted = Awaited<ReturnType<Service['counts']['take']>>

async function take(
  service: Service,
  shop: TestedShop,
  visitor: Visitor,
  keys: readonly CountKey[],
): Promise<void> {
  const counted = await service.counts.take(keys)
  if (!counted.allowed) await refuse(service, shop, visitor, keys, counted)
}

async function refuse(
  service: Service,
  shop: TestedShop,
  { challenge }: Visitor,
  keys: readonly CountKey[],
  counted: Counted,
): Promise<never> {
  countAttempt('limited')
  noteHits(keys, counted)
  await noteAttack(service, shop)
  const message = challenge
    ? 'Too many cards were declined. Try again later, or choose another payment method.'
    : 'Too many cards were tried without the secret of the application token. Try again later, or ' +
      'create the token from your server with the secret.'
  fail('BAD_REQUEST', { message, retry_after_s: Math.ceil(counted.wait_ms / second_ms) })
}

/** The result of an attempt is known: one whose card is good does not count. */
export function settleCardAttempt(
  service: Service,
  shop: TestedShop,
  limit_keys: LimitKeys | null,
  result: 'good' | 'declined' | 'not_asked',
): void {
  if (!limit_keys) return
  if (result === 'declined') countAttempt('declined')
  else service.counts.giveBack(countedKeys(shop, limit_keys))
}
