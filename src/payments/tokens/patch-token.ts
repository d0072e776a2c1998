import { mergeMetadata } from '../../api/merge-metadata.ts'
import { type FieldError, fail, failField } from '../../core/api/errors.ts'
import type { CardBrand } from '../../core/cards/card-number.ts'
import { searchWords } from '../../core/text/search-words.ts'
import { readBilling, readCardExpiry, readCvv } from '../../methods/card/read-card.ts'
import { cardDataOf, payerOf, wholeCardOf } from '../../methods/method-table.ts'
import { atTimeOf, inTransaction, now, type Service, type Transacting } from '../../service.ts'
import type { CardTokenData } from '../../store/tables/payments/token-data.ts'
import type { CvvAuthorize } from '../../store/tables/payments/token-tables.ts'
import { cvv_life_ms } from '../../vault/cvv-keys.ts'
import { readCustomerId, refuseSecondToken } from './create/create-token.ts'
import { keepCreationMetadata } from './create/creation-metadata.ts'
import type { PatchToken } from './create/token-input.ts'
import { getToken, type Token, type TokenReader } from './token.ts'
import { emitToken } from './token-events.ts'
import { sendConfirmation } from './verify/confirm-token.ts'
import { authorizeCvv, checkCvv } from './verify/cvv-authorization.ts'

/** Locks the token's row: changes of one token run one after the other. */
export async function lockToken(
  tx: Transacting,
  caller: TokenReader,
  store_id: string | null,
  id: string,
): Promise<Token> {
  const token = await getToken(tx, caller, store_id, id, true)
  if (!token.active) fail('NOT_FOUND')
  return token
}

export async function patchToken(
  service: Service,
  caller: TokenReader,
  store_id: string,
  id: string,
  patch: PatchToken,
): Promise<Token> {
  return inTransaction(service, async (base) => {
    const before = await lockToken(base, caller, store_id, id)
    const tx = atTimeOf(base, before)
    const { data, cvv } = changedData(tx, before, patch)
    const metadata = mergeMetadata(before.metadata, patch.metadata)
    const email = patch.email ?? before.email
    const { merchant_id, payment_type } = before
    const { name } = payerOf({ payment_type, data })
    const last_four = cardDataOf({ payment_type, data })?.card.last_four ?? null
    if (patch.metadata) await keepCreationMetadata(tx, before)
    const token = await tx.db
      .updateTable('transaction_tokens')
      .set({
        email,
        metadata: JSON.stringify(metadata),
        data: JSON.stringify(data),
        cvv_authorize: JSON.stringify(changedCvvAuthorize(before, patch)),
        customer_id: readCustomerId(metadata),
        search_words:
          before.type === 'one_time'
            ? null
            : searchWords(merchant_id, name, email, last_four, metadata),
        updated_on: now(tx),
        // A new security code is kept for one authorization, like the first one.
        ...(cvv === null
          ? {}
          : purgeAfter(before, tx.cvv_keys.seal(id, cvv), tx.clock.now() + cvv_life_ms)),
      })
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseSecondToken)
      .then((changed) => startChecks(tx, before, changed, cvv !== null))
    // A new address gets a new code.
    if (token.confirmed === false && patch.email) await sendConfirmation(tx, token)
    await emitToken(tx, 'token_updated', token)
    return token
  })
}

/** A security code for the next charge of a stored card: the issuer checks it with that charge. */
export async function addCvv(tx: Transacting, token: Token, given: string): Promise<Token> {
  const errors: FieldError[] = []
  const brand = wholeCardOf(token)?.card.brand as CardBrand
  const cvv = readCvv(given, brand, errors)
  if (errors.length > 0 || cvv === null) fail('VALIDATION_ERROR', { errors })
  const sealed = tx.cvv_keys.seal(token.id, cvv)
  return tx.db
    .updateTable('transaction_tokens')
    .set({ updated_on: now(tx), ...purgeAfter(token, sealed, tx.clock.now() + cvv_life_ms) })
    .where('merchant_id', '=', token.merchant_id)
    .where('id', '=', token.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A received security code is checked with the issuer; options that were turned on start now. */
async function startChecks(
  tx: Transacting,
  before: Token,
  token: Token,
  has_cvv: boolean,
): Promise<Token> {
  const switched_on = token.cvv_authorize.enabled && !before.cvv_authorize.enabled
  if (switched_on) return authorizeCvv(tx, token)
  return has_cvv && token.type === 'recurring' ? checkCvv(tx, token) : token
}

/** The row is due for the earliest of its reasons; one that is gone does no harm. */
function purgeAfter({ due_on }: Token, cvv: Buffer, at_ms: number) {
  const wipe_on = new Date(at_ms)
  return { cvv, wipe_on, due_on: due_on && due_on < wipe_on ? due_on : wipe_on }
}

/** Only card data can be changed; of anything else a new token is made. */
function changedData(
  tx: Transacting,
  before: Token,
  patch: PatchToken,
): { data: object; cvv: string | null } {
  const of_card = wholeCardOf(before)
  if (of_card) {
    const { card, billing, cvv } = changedCard(tx, of_card, patch)
    return { data: { card, billing }, cvv }
  }
  const names = Object.keys(patch.data ?? {})
  if (names.length > 0) {
    const reason = 'ONLY_FOR_CARD_PAYMENT'
    fail('VALIDATION_ERROR', { errors: names.map((name) => ({ field: `data.${name}`, reason })) })
  }
  return { data: before.data, cvv: null }
}

function changedCard(tx: Transacting, old: CardTokenData, { data = {} }: PatchToken) {
  const errors: FieldError[] = []
  const { exp_month = old.card.exp_month, exp_year = old.card.exp_year } = data
  const expiry = readCardExpiry({ exp_month, exp_year }, tx.clock.now(), errors)
  const cvv = readCvv(data.cvv, old.card.brand as CardBrand, errors)
  const billing = readBilling({ ...old.billing, ...data }, errors)
  const unchanged = data.exp_month === undefined && data.exp_year === undefined
  const wrong = unchanged ? errors.filter(({ field }) => !field.startsWith('data.exp_')) : errors
  if (wrong.length > 0) fail('VALIDATION_ERROR', { errors: wrong })
  const cardholder = data.cardholder?.toUpperCase() ?? old.card.cardholder
  const card = { ...old.card, cardholder, ...(unchanged ? {} : expiry) }
  return { card, billing, cvv }
}

function changedCvvAuthorize(before: Token, { data }: PatchToken): CvvAuthorize {
  const { cvv_authorize } = before
  const wanted = data?.cvv_authorize
  if (wanted?.enabled === undefined || wanted.enabled === cvv_authorize.enabled) {
    return cvv_authorize
  }
  const currency = wanted.currency?.toUpperCase() ?? cvv_authorize.currency
  if (wanted.enabled && !data?.cvv) failField('data.cvv', 'REQUIRED_VALUE')
  const status = wanted.enabled ? 'pending' : 'inactive'
  return { ...cvv_authorize, enabled: wanted.enabled, currency, status }
}

/** It can no longer be used, and nothing of the card is left. */
export async function retireToken(tx: Transacting, { merchant_id, id }: Token): Promise<Token> {
  const deleted_on = now(tx)
  return tx.db
    .updateTable('transaction_tokens')
    .set({
      active: false,
      deleted_on,
      updated_on: deleted_on,
      card_number: null,
      cvv: null,
      wipe_on: null,
      due_on: null,
    })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
