import { failField } from '../../../core/api/errors.ts'
import { cardDataOf } from '../../../methods/method-table.ts'
import type { Transacting } from '../../../service.ts'
import type { StoreRules } from '../../store-rules/store-rules.ts'
import type { Token } from '../token.ts'
import { sendConfirmation } from '../verify/confirm-token.ts'
import { authorizeCvv } from '../verify/cvv-authorization.ts'

/** The effects of a token's creation besides its row and its event: it needs a transaction. */
interface TokenEffect {
  applies(token: Token, rules: StoreRules): boolean
  /** Before the row is written. */
  before?(tx: Transacting, token: Token): Promise<void>
  /** The token afterwards, if it has changed. */
  after?(tx: Transacting, token: Token): Promise<Token | undefined>
}

const token_effects = {
  one_subscription_token_of_a_card: {
    applies: ({ type }) => type === 'subscription',
    before: releaseUnused,
  },
  one_email_of_a_card: {
    applies: (_, { one_email_per_card }) => one_email_per_card,
    before: refuseNewEmail,
  },
  cvv_authorization: {
    applies: ({ cvv_authorize }) => cvv_authorize.enabled,
    after: authorizeCvv,
  },
  confirmation: {
    applies: ({ confirmed }) => confirmed === false,
    after: async (tx, token) => {
      await sendConfirmation(tx, token)
      return undefined
    },
  },
} as const satisfies Record<string, TokenEffect>

export function tokenEffects(token: Token, rules: StoreRules): readonly TokenEffect[] {
  const all: readonly TokenEffect[] = Object.values(token_effects)
  return all.filter(({ applies }) => applies(token, rules))
}

/** A card that paid under one address is refused under another. */
async function refuseNewEmail(tx: Transacting, token: Token): Promise<void> {
  const { merchant_id, store_id, mode, card_fingerprint, email } = token
  const data = cardDataOf(token)
  if (!card_fingerprint || !data) return
  const others = await tx.db
    .selectFrom('charges')
    .select('email')
    .where('merchant_id', '=', merchant_id)
    .where('last_four', '=', data.card.last_four)
    .where('store_id', '=', store_id)
    .where('mode', '=', mode)
    .where('card_fingerprint', '=', card_fingerprint)
    .where('status', '=', 'successful')
    .where('email', '<>', (email ?? '').toLowerCase())
    .limit(1)
    .executeTakeFirst()
  if (others)
    failField(
      'email',
      'NOT_ALLOWED_VALUE',
      'is not the address that this card was used with before',
    )
}

/** A subscription token that was never used in time gives its card and customer free again. */
async function releaseUnused(
  tx: Transacting,
  { merchant_id, store_id, card_fingerprint }: Token,
): Promise<void> {
  if (!card_fingerprint) return
  await tx.db
    .updateTable('transaction_tokens')
    .set({ active: false })
    .where('merchant_id', '=', merchant_id)
    .where('store_id', '=', store_id)
    .where('card_fingerprint', '=', card_fingerprint)
    .where('type', '=', 'subscription')
    .where('active', '=', true)
    .where('uses', '=', 0)
    .where('expires_on', '<=', new Date(tx.clock.now()))
    .execute()
}
