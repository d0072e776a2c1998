import { sensitive } from '../../core/cards/sensitive.ts'
import type { Instrument, ProviderCard } from '../../providers/provider-operations.ts'
import type { Service } from '../../service.ts'
import type { CardTokenData } from '../../store/tables/payments/token-data.ts'
import type { Token } from '../../store/tables/rows.ts'
import { cvv_life_ms } from '../../vault/cvv-keys.ts'
import { SealBroken, type SealContext, unseal } from '../../vault/seal.ts'
import type { TokenWith } from '../contract/payment-method.ts'
import { noteUnopened } from './unopened-codes.ts'

type SealedToken = Pick<Token, 'merchant_id' | 'id' | 'card_number'>

export function cardNumberOf({ merchant_id, id }: Pick<Token, 'merchant_id' | 'id'>): SealContext {
  return { table: 'transaction_tokens', column: 'card_number', merchant_id, row_id: id }
}

/**
 * Opens the sealed data of a token, for one call; null when it no longer exists. A sealed value that was
 * changed or copied from another row is never used, and a retry would not help.
 */
export function openNumber(service: Service, token: SealedToken): string | null | 'broken' {
  if (!token.card_number) return null
  return orBroken(service, token, (sealed) =>
    unseal(service.keys.vault, cardNumberOf(token), sealed).toString(),
  )(token.card_number)
}

/** `cvv_elsewhere`: another machine has the key of the security code. */
type OpenedCard = ProviderCard | null | 'broken' | 'cvv_elsewhere'

/** The card in clear; a promise where the key of its security code has to be fetched. */
export function openCard(
  service: Service,
  token: TokenWith<CardTokenData>,
): OpenedCard | Promise<OpenedCard> {
  const number = openNumber(service, token)
  if (number === null || number === 'broken') return number
  const { cvv: sealed } = token
  if (!sealed) return cardOf(token, number, null)
  const finish = (cvv: string | null | 'broken') => {
    if (cvv === 'broken') return cvv
    if (cvv === null && !service.cvv_keys.isOver(sealed)) return 'cvv_elsewhere'
    if (cvv === null) noteUnopened(service, token, 'expired')
    return cardOf(token, number, cvv)
  }
  const open = orBroken(service, token, (one) => service.cvv_keys.open(token.id, one))
  const cvv = open(sealed)
  if (!(cvv instanceof Promise)) return finish(cvv)
  return cvv.catch((error) => brokenBy(service, token, error)).then(finish)
}

/**
 * Whether the security code of a card is already purged. A call that began in time may have sent it;
 * later calls cannot know.
 */
export function isCodeGone(
  service: Service,
  began_on: Date,
  token: Pick<Token, 'cvv' | 'created_on'>,
  instrument: Instrument,
): boolean {
  if (instrument.kind !== 'card' || instrument.cvv !== null) return false
  if (token.cvv !== null) return true
  const over_ms = token.created_on.getTime() + cvv_life_ms
  return began_on.getTime() < over_ms && service.clock.now() >= over_ms
}

function cardOf(token: TokenWith<CardTokenData>, number: string, cvv: string | null): ProviderCard {
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
      return brokenBy(service, token, error)
    }
  }
}

function brokenBy(service: Service, token: SealedToken, error: unknown): 'broken' {
  if (!(error instanceof SealBroken)) throw error
  const { merchant_id, id: transaction_token_id } = token
  const who = { merchant_id, transaction_token_id }
  service.log.error(
    { security: 'seal broken', ...who, err: error },
    'a stored card fails its integrity check: its row was changed outside the service',
  )
  return 'broken'
}
