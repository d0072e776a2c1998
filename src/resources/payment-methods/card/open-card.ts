import { sensitive } from '../../../core/cards/sensitive.ts'
import type { ProviderCard } from '../../../providers/provider.ts'
import type { Service } from '../../../service.ts'
import type { CardTokenData } from '../../../store/tables/token-data.ts'
import { SealBroken, type SealContext, unseal } from '../../../vault/seal.ts'
import type { Token } from '../../tokens/token.ts'
import type { TokenWith } from '../payment-method.ts'

type SealedToken = Pick<Token, 'merchant_id' | 'id' | 'card_number'>

export function cardNumberOf({ merchant_id, id }: Pick<Token, 'merchant_id' | 'id'>): SealContext {
  return { table: 'transaction_tokens', column: 'card_number', merchant_id, row_id: id }
}

/**
 * What is sealed in a token, for one call; null when it no longer exists. What was changed or came
 * from another row is never used, and trying again would not mend it.
 */
export function openNumber(service: Service, token: SealedToken): string | null | 'broken' {
  if (!token.card_number) return null
  return orBroken(service, token, (sealed) =>
    unseal(service.keys.vault, cardNumberOf(token), sealed).toString(),
  )(token.card_number)
}

/** The card in clear. */
export function openCard(
  service: Service,
  token: TokenWith<CardTokenData>,
): ProviderCard | null | 'broken' {
  const number = openNumber(service, token)
  if (number === null || number === 'broken') return number
  const cvv = token.cvv
    ? orBroken(service, token, (sealed) => service.cvv_keys.open(token.id, sealed))(token.cvv)
    : null
  if (cvv === 'broken') return 'broken'
  const { exp_month, exp_year, cardholder, brand } = token.data.card
  return {
    kind: 'card',
    number: sensitive(number),
    cvv: cvv ? sensitive(cvv) : null,
    exp_month,
    exp_year,
    cardholder,
    brand,
  }
}

function orBroken<T>(service: Service, token: SealedToken, open: (sealed: Buffer) => T) {
  return (sealed: Buffer): T | 'broken' => {
    try {
      return open(sealed)
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      const { merchant_id, id: transaction_token_id } = token
      const who = { merchant_id, transaction_token_id }
      service.log.error(
        { security: 'seal broken', ...who, err: error },
        'a stored card was changed',
      )
      return 'broken'
    }
  }
}
