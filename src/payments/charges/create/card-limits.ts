import { sql } from 'kysely'
import { fail, failField } from '../../../core/api/errors.ts'
import { readDuration } from '../../../core/time/durations.ts'
import { cardDataOf } from '../../../methods/method-table.ts'
import type { Service, Transacting } from '../../../service.ts'
import { cvv_life_ms } from '../../../vault/cvv-keys.ts'
import type { StoreRules } from '../../store-rules/store-rules.ts'
import type { Token } from '../../tokens/token.ts'
import { refuseUse } from './token-use.ts'

interface Wanted {
  readonly amount: number
  readonly currency: string
  readonly capture: boolean
}

/** Limits of a store's configuration on a card charge, regardless of earlier charges. */
export function checkCard(
  service: Service,
  token: Token,
  wanted: Wanted,
  { card_limits: limits }: StoreRules,
): void {
  const data = cardDataOf(token)
  if (!data) return
  const { card_type, category } = data.card
  const unheld =
    (card_type === 'debit' && limits.debit_holds === false) ||
    (category === 'prepaid' && limits.prepaid_holds === false)
  if (!wanted.capture && unheld) failField('capture', 'INVALID_CARD_TYPE_FOR_CAPTURE')
  requireCvv(service, token, wanted, limits)
}

/** How far back other charges of the same card count; 0: they do not. */
export function cardWindow({ card_limits }: StoreRules): number {
  const { charge_count, cooldown_ms, card_limit } = card_limits
  return Math.max(
    charge_count?.window_ms ?? 0,
    cooldown_ms ?? 0,
    card_limit ? (readDuration(card_limit.duration) ?? 0) : 0,
  )
}

/** Counts what the card was charged lately; nothing is asked where the store says nothing. */
export async function checkCardLimits(
  tx: Transacting,
  token: Token,
  wanted: Wanted,
  rules: StoreRules,
): Promise<void> {
  const { card_fingerprint } = token
  const data = cardDataOf(token)
  const window_ms = cardWindow(rules)
  if (window_ms === 0 || !data || !card_fingerprint) return
  const { charge_count, cooldown_ms, card_limit } = rules.card_limits
  // Two charges of one card at the same time are counted one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${token.merchant_id} card`}, 0)
    # hashtextextended(encode(${card_fingerprint}::bytea, 'hex'), 0))`.execute(tx.db)
  const since = (duration_ms: number) => new Date(tx.clock.now() - duration_ms)
  const charges = await tx.db
    .selectFrom('charges')
    .select(['requested_amount', 'requested_currency', 'status', 'created_on'])
    .where('merchant_id', '=', token.merchant_id)
    .where('last_four', '=', data.card.last_four)
    .where('store_id', '=', token.store_id)
    .where('mode', '=', token.mode)
    .where('card_fingerprint', '=', card_fingerprint)
    .where('type', '=', 'normal')
    .where('created_on', '>', since(window_ms))
    .execute()
  const within = (duration_ms: number) =>
    charges.filter(({ created_on }) => created_on > since(duration_ms))
  if (cooldown_ms && within(cooldown_ms).length > 0) refuseUse('CHARGE_TOO_QUICK')
  if (charge_count && within(charge_count.window_ms).length >= charge_count.max) {
    fail('CARD_LOCKED', { message: 'The card was charged as often as the store allows.' })
  }
  if (card_limit && card_limit.currency.toUpperCase() === wanted.currency) {
    const over = ['failed', 'error', 'canceled']
    const spent = within(readDuration(card_limit.duration) ?? 0)
      .filter((one) => one.requested_currency === wanted.currency && !over.includes(one.status))
      .reduce((sum, { requested_amount }) => sum + requested_amount, 0)
    if (spent + wanted.amount > card_limit.amount) {
      failField(
        'amount',
        'INVALID_CHARGE_AMOUNT_LIMIT',
        'exceeds what the store lets this card be charged',
      )
    }
  }
}

/** Large amounts with a stored card may need its security code again. */
function requireCvv(
  service: Service,
  { type, cvv, cvv_authorize_check: check }: Token,
  { amount, currency }: Wanted,
  { cvv_from }: StoreRules['card_limits'],
): void {
  if (type !== 'recurring' || cvv_from === null || cvv) return
  const min = cvv_from.find((one) => one.currency.toUpperCase() === currency)?.amount
  if (cvv_from.length > 0 && (min === undefined || amount < min)) return
  const checked_ms = check.date ? Date.parse(check.date) : 0
  const fresh = check.status === 'current' && service.clock.now() - checked_ms < cvv_life_ms
  if (!fresh) fail('RECURRING_USAGE_REQUIRES_CVV')
}
