import type { Caller } from '../../core/caller.ts'
import { fail } from '../../core/errors.ts'
import { readInstant } from '../../core/formats.ts'
import { newUnguessableId } from '../../core/ids.ts'
import type { Metadata } from '../../core/metadata.ts'
import { type MatchAmount, type PaymentType, payment_methods } from '../../core/payment-methods.ts'
import { readRedirectEndpoint } from '../../core/redirect-endpoint.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { mergeMetadata } from '../merge-metadata.ts'
import { type StoreRules, storeRules } from '../stores/store-rules.ts'
import type { Token } from '../tokens/token.ts'
import { checkCardLimits } from './card-limits.ts'
import type { Charge, CreateCharge } from './charge.ts'
import { checkFields, expiryOfCharge, readThreeDs } from './charge-fields.ts'
import { insertCharge, nothing_special } from './insert-charge.ts'
import { refuseUse, tokenFault, too_quick_ms, useTestCharge, useToken } from './token-use.ts'

export type StoreCaller = Caller & { store_id: string; mode: NonNullable<Caller['mode']> }

/** Accepts a charge. It is `pending` until the worker has asked the provider. */
export async function createCharge(
  service: Service,
  caller: StoreCaller,
  body: CreateCharge,
): Promise<Charge> {
  const rules = await storeRules(service, caller.merchant_id, caller.store_id)
  const currency = body.currency.toUpperCase()
  checkAmount(body.amount, currency, rules)
  const metadata = mergeMetadata({}, (body.metadata ?? {}) as Metadata)
  return inTransaction(service, async (tx) => {
    const token = await findToken(tx, caller, body.transaction_token_id)
    checkFields(tx, body, token, caller)
    const of_card = payment_methods[token.payment_type as PaymentType].holds
    const three_ds = of_card ? readThreeDs(body, caller, rules) : null
    await checkCardLimits(tx, token, { ...body, currency, capture: body.capture ?? true }, rules)
    const wait_ms = Math.max(too_quick_ms, rules.charge_wait_ms)
    if (!(await useToken(tx, token, wait_ms))) refuseUse(await tokenFault(tx, token, wait_ms))
    // After the token, as everywhere: two that lock in another order would wait for each other.
    if (caller.mode === 'test' && !(await useTestCharge(tx, caller.merchant_id))) {
      refuseUse('RESOURCE_LIMIT_REACHED')
    }
    const endpoint = body.redirect?.endpoint
      ? readRedirectEndpoint(body.redirect.endpoint, caller.mode)
      : null
    return insertCharge(tx, token, {
      ...nothing_special,
      type: 'normal',
      amount: body.amount,
      currency,
      capture: body.capture ?? true,
      capture_at: body.capture_at ? readInstant(body.capture_at) : null,
      only_direct_currency: body.only_direct_currency ?? rules.only_direct_currency,
      descriptor: of_card ? (body.descriptor ?? null) : null,
      descriptor_phone_number: of_card ? (body.descriptor_phone_number ?? null) : null,
      merchant_transaction_id: body.merchant_transaction_id ?? null,
      metadata,
      redirect: endpoint ? { endpoint, redirect_id: newUnguessableId() } : null,
      three_ds: three_ds?.three_ds ?? null,
      external_three_ds: three_ds?.external_three_ds ?? null,
      expires_on: expiryOfCharge(now(tx), body, token, rules),
      match_amount: matchAmountOf(token, rules),
    })
  })
}

/** A till takes what stands on the slip; an account takes what its token or store says. */
export function matchAmountOf(
  { payment_type, data }: Token,
  rules: StoreRules,
): MatchAmount | null {
  if (payment_type === 'konbini') return 'exact'
  return 'match_amount' in data ? (data.match_amount ?? rules.match_amount) : null
}

export function checkAmount(amount: number, currency: string, rules: StoreRules): void {
  const limitOf = (limits: StoreRules['minimum_charge_amounts']) =>
    limits.find((limit) => limit.currency.toUpperCase() === currency)?.amount
  const least = limitOf(rules.minimum_charge_amounts)
  const most = limitOf(rules.maximum_charge_amounts)
  if (least !== undefined && amount < least) fail('CHARGE_AMOUNT_TOO_LOW')
  if (most !== undefined && amount > most) fail('CHARGE_AMOUNT_TOO_HIGH')
}

/** Of another store or merchant it is not there; of the other mode it must not be mixed up. */
async function findToken(tx: Transacting, caller: StoreCaller, id: string): Promise<Token> {
  const token = await tx.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('merchant_id', '=', caller.merchant_id)
    .where('store_id', '=', caller.store_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!token?.active) fail('NOT_FOUND', { message: 'There is no such transaction token.' })
  if (token.mode !== caller.mode) fail('PROCESSING_MODE_MISMATCH')
  if (token.type === 'subscription') fail('NON_SUBSCRIPTION_PAYMENT')
  const { enabled, status } = token.cvv_authorize
  if (enabled && status !== 'current') fail('CVV_AUTHORIZATION_NOT_COMPLETED')
  return token
}
