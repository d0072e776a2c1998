import { Failure } from '../../../core/api/errors.ts'
import type { Service, Transacting } from '../../../service.ts'
import {
  type AdmittedAttempt,
  admitCardAttempt,
  settleCardAttempt,
  uncounted,
  type Visitor,
} from '../../card-testing/card-attempts.ts'
import type { StoreRules } from '../../store-rules/store-rules.ts'
import type { Token } from '../token.ts'

type Asked = Pick<Token, 'cvv_authorize' | 'three_ds'>

const asksIssuer = ({ cvv_authorize, three_ds }: Asked) => cvv_authorize.enabled || three_ds.enabled

/** Whether a response about the new token says something of its card: that it is good, or was here before. */
function tellsOfCard(token: Token, { one_email_per_card }: StoreRules): boolean {
  if (!token.card_fingerprint) return false
  return asksIssuer(token) || token.type === 'subscription' || one_email_per_card
}

/** Counts the card of a new token, if its creation reveals something about the card. */
export async function admitToken(
  service: Service,
  token: Token,
  rules: StoreRules,
  visitor: Visitor | null,
): Promise<AdmittedAttempt> {
  if (!visitor || !token.card_fingerprint || !tellsOfCard(token, rules)) return uncounted
  return admitCardAttempt(service, token, token.card_fingerprint.toString('base64url'), visitor)
}

/**
 * Runs the creation of a counted token. It stays counted while its issuer is asked, and when a rule of the
 * shop refuses the card.
 */
export async function whileCounted(
  { limit_keys, giveBack }: AdmittedAttempt,
  token: Token,
  create: (token: Token) => Promise<Token>,
): Promise<Token> {
  try {
    if (asksIssuer(token)) return await create({ ...token, limit_keys })
    const created = await create(token)
    giveBack()
    return created
  } catch (error) {
    if (!(error instanceof Failure)) giveBack()
    throw error
  }
}

/** A step of the checks is done. With the last of them, the attempt of the token is settled, once. */
export async function settleTokenAttempt(
  tx: Transacting,
  { limit_keys, ...token }: Token,
): Promise<void> {
  const { cvv_authorize, three_ds } = token
  const has_passed =
    (!cvv_authorize.enabled || cvv_authorize.status === 'current') &&
    (!three_ds.enabled || three_ds.status === 'successful')
  const has_failed =
    cvv_authorize.status === 'failed' || ['failed', 'error'].includes(three_ds.status ?? '')
  if (!limit_keys || (!has_passed && !has_failed)) return
  await tx.db
    .updateTable('transaction_tokens')
    .set({ limit_keys: null })
    .where('merchant_id', '=', token.merchant_id)
    .where('id', '=', token.id)
    .execute()
  const result = has_passed ? 'good' : 'declined'
  tx.afterCommit((service) => settleCardAttempt(service, token, limit_keys, result))
}
