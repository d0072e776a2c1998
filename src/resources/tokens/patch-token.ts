import { sql } from 'kysely'
import type { Caller } from '../../core/caller.ts'
import type { CardBrand } from '../../core/card-number.ts'
import { type FieldError, fail, failField } from '../../core/errors.ts'
import type { Metadata } from '../../core/metadata.ts'
import { searchText } from '../../core/search-text.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { claimDue } from '../../store/due-work.ts'
import type { CvvAuthorize } from '../../store/tables.ts'
import { cvv_life_ms } from '../../vault/cvv-keys.ts'
import { mergeMetadata } from '../merge-metadata.ts'
import { readCustomerId, refuseSecondToken } from './create-token.ts'
import { authorizeCvv, checkCvv } from './cvv-authorization.ts'
import { readBilling, readCardExpiry, readCvv } from './read-card.ts'
import { getToken, type PatchToken, type Token, viewToken } from './token.ts'

/** Locks the token's row: changes of one token run one after the other. */
async function lockToken(
  tx: Transacting,
  caller: Caller,
  store_id: string,
  id: string,
): Promise<Token> {
  await tx.db
    .selectFrom('transaction_tokens')
    .select('id')
    .where('merchant_id', '=', caller.merchant_id)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  const token = await getToken(tx, caller, store_id, id)
  if (!token.active) fail('NOT_FOUND')
  return token
}

export async function patchToken(
  service: Service,
  caller: Caller,
  store_id: string,
  id: string,
  patch: PatchToken,
): Promise<Token> {
  return inTransaction(service, async (tx) => {
    const before = await lockToken(tx, caller, store_id, id)
    const { card, billing, cvv } = changedCard(tx, before, patch)
    const metadata = mergeMetadata(before.metadata, patch.metadata as Metadata | undefined)
    const email = patch.email ?? before.email
    const token = await tx.db
      .updateTable('transaction_tokens')
      .set({
        email,
        metadata: JSON.stringify(metadata),
        data: JSON.stringify({ card, billing }),
        cvv_authorize: JSON.stringify(changedCvvAuthorize(before, patch)),
        customer_id: readCustomerId(metadata),
        search_text: searchText(card.cardholder, email, card.last_four, metadata),
        updated_on: now(tx),
        // A new security code is kept for one authorization, like the first one.
        ...(cvv === null
          ? {}
          : { cvv: tx.cvv_keys.seal(id, cvv), due_on: new Date(tx.clock.now() + cvv_life_ms) }),
      })
      .where('merchant_id', '=', caller.merchant_id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseSecondToken)
      .then((changed) => startChecks(tx, before, changed, cvv !== null))
    await emitToken(tx, 'token_updated', token)
    return token
  })
}

/** A security code that was sent is checked with the issuer; what was switched on now begins. */
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

function changedCard(tx: Transacting, before: Token, { data = {} }: PatchToken) {
  const errors: FieldError[] = []
  const old = before.data
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

/** The token stays readable and can no longer be used; its card data is destroyed. */
export async function deleteToken(
  service: Service,
  caller: Caller,
  store_id: string,
  id: string,
): Promise<void> {
  return inTransaction(service, async (tx) => {
    await lockToken(tx, caller, store_id, id)
    const deleted_on = now(tx)
    const token = await tx.db
      .updateTable('transaction_tokens')
      .set({
        active: false,
        deleted_on,
        updated_on: deleted_on,
        card_number: null,
        cvv: null,
        due_on: null,
      })
      .where('merchant_id', '=', caller.merchant_id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (token.type === 'recurring') await emitToken(tx, 'recurring_token_deleted', token)
  })
}

async function emitToken(
  tx: Transacting,
  name: 'token_updated' | 'recurring_token_deleted',
  token: Token,
): Promise<void> {
  const { merchant_id, store_id, mode, id } = token
  const data = viewToken(token)
  await emit(tx, name, { merchant_id, store_id, mode, resource_id: id, data })
}

const lease_ms = 30_000

/**
 * Wipes security codes whose time is over, the keys that could still open old copies of them, and
 * the card numbers of tokens that nobody used in time.
 */
export async function wipeCvvs(service: Service, most: number): Promise<number> {
  service.cvv_keys.destroyOld()
  const due = await claimDue(service.db, 'transaction_tokens', {
    now: now(service),
    lease_ms,
    most,
  })
  for (const { merchant_id, id } of due) {
    await service.db
      .updateTable('transaction_tokens')
      .set({
        cvv: null,
        due_on: null,
        card_number: sql`case when type <> 'recurring' and uses = 0 then null else card_number end`,
      })
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .execute()
  }
  return due.length
}
