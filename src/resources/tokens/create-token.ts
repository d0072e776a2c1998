import type { Caller, Mode } from '../../core/caller.ts'
import { bins } from '../../core/card-bins.ts'
import { minute_ms } from '../../core/clock.ts'
import { fail, failField } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import type { Metadata } from '../../core/metadata.ts'
import { readRedirectEndpoint } from '../../core/redirect-endpoint.ts'
import { searchText } from '../../core/search-text.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, newRow, type Service, type Transacting } from '../../service.ts'
import { violatedIndex } from '../../store/open-store.ts'
import type { CvvAuthorize, TokenThreeDs, TokenType } from '../../store/tables.ts'
import { cvv_life_ms } from '../../vault/cvv-keys.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { type SealContext, seal } from '../../vault/seal.ts'
import { mergeMetadata } from '../merge-metadata.ts'
import { type StoreRules, storeRules } from '../stores/store-rules.ts'
import { authorizeCvv } from './cvv-authorization.ts'
import { type ReadCard, readApplePay, readCard } from './read-card.ts'
import { type CreateToken, type Token, viewToken } from './token.ts'

/** One-time and subscription tokens must be used for the first time within this time. */
const first_use_ms = 5 * minute_ms
const usage_limit_form = /^([1-9]\d{0,3}|daily|weekly|monthly|annually)$/

export async function createToken(
  service: Service,
  caller: Caller & { store_id: string },
  body: CreateToken,
): Promise<Token> {
  const rules = await storeRules(service, caller.merchant_id, caller.store_id)
  const type = tokenType(body)
  const usage_limit = readUsageLimit(body, type, rules)
  if (!body.email) failField('email', 'REQUIRED_VALUE')
  const metadata = mergeMetadata({}, (body.metadata ?? {}) as Metadata)
  const customer_id = readCustomerId(metadata)
  const card = readPayment(service, caller, body, rules)
  const three_ds = newThreeDs(body, type, caller.mode ?? 'test')
  return inTransaction(service, async (tx) => {
    const { id, created_on } = newRow(tx)
    const expires_on = type === 'recurring' ? null : new Date(created_on.getTime() + first_use_ms)
    const row = { merchant_id: caller.merchant_id, id }
    const fingerprint = cardFingerprint(tx, card.number.reveal())
    if (type === 'subscription') await releaseUnused(tx, caller, fingerprint)
    const token = await tx.db
      .insertInto('transaction_tokens')
      .values({
        ...row,
        store_id: caller.store_id,
        mode: caller.mode ?? 'test',
        payment_type: body.payment_type,
        type,
        email: body.email ?? null,
        ip_address: body.ip_address ?? null,
        usage_limit,
        metadata: JSON.stringify(metadata),
        active: true,
        confirmed: null,
        data: JSON.stringify({ card: card.card, billing: card.billing }),
        cvv_authorize: JSON.stringify(newCvvAuthorize(body)),
        cvv_authorize_check: JSON.stringify({ status: null, charge_id: null, date: null }),
        three_ds: JSON.stringify(three_ds),
        card_number: seal(tx.keys.vault, cardNumberOf(row), card.number.reveal()),
        cvv: card.cvv && tx.cvv_keys.seal(id, card.cvv.reveal()),
        card_fingerprint: fingerprint,
        customer_id,
        search_text: searchText(card.card.cardholder, body.email, card.card.last_four, metadata),
        expires_on,
        last_used_on: null,
        created_on,
        updated_on: created_on,
        deleted_on: null,
        due_on:
          card.cvv || type !== 'recurring' ? new Date(created_on.getTime() + cvv_life_ms) : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseSecondToken)
      .then((made) => (made.cvv_authorize.enabled ? authorizeCvv(tx, made) : made))
    await emit(tx, 'token_created', {
      merchant_id: caller.merchant_id,
      store_id: caller.store_id,
      mode: token.mode,
      resource_id: id,
      data: viewToken(token),
    })
    return token
  })
}

export function cardNumberOf(row: { merchant_id: string; id: string }): SealContext {
  const { merchant_id, id } = row
  return { table: 'transaction_tokens', column: 'card_number', merchant_id, row_id: id }
}

/** Finds a card again without its number being readable. */
export function cardFingerprint({ keys }: Service, number: string): Buffer {
  return keyedHash(keys.fingerprint.newest, 'card number', number)
}

function tokenType({ type, subscription }: CreateToken): TokenType {
  return type ?? (subscription ? 'subscription' : 'one_time')
}

function readUsageLimit(body: CreateToken, type: TokenType, rules: StoreRules): string | null {
  const limit = body.usage_limit || null
  if (type !== 'recurring') {
    if (limit) fail('USAGE_LIMIT_NOT_APPLICABLE')
    return null
  }
  if (rules.recurring_type === 'none') fail('RECURRING_TOKEN_DISABLED')
  if (limit === null && rules.recurring_type === 'bounded') fail('RECURRING_USAGE_LIMIT_REQUIRED')
  if (limit !== null && !usage_limit_form.test(limit)) {
    failField(
      'usage_limit',
      'NOT_ALLOWED_VALUE',
      'A usage_limit is a number of charges, or daily, weekly, monthly or annually.',
    )
  }
  return limit
}

/** Other programs use a prefix of their own; theirs counts when it holds a UUID. */
const customer_key = 'svc-customer-id'
const isCustomerKey = (name: string) => name.endsWith('-customer-id')

export function readCustomerId(metadata: Metadata): string | null {
  const names = Object.keys(metadata)
  const key = names.find((name) => name === customer_key) ?? names.find(isCustomerKey)
  if (key === undefined) return null
  const id = metadata[key]
  if (typeof id === 'string' && isUuid(id)) return id
  if (key === customer_key) failField(`metadata.${key}`, 'INVALID_UUID')
  return null
}

/** The card, if it is a valid one and the store takes it. */
function readPayment(
  service: Service,
  caller: Caller,
  body: CreateToken,
  rules: StoreRules,
): ReadCard {
  if (rules.card_enabled === false) fail('CARD_PROCESSING_DISABLED')
  const now_ms = service.clock.now()
  if (body.payment_type === 'apple_pay') {
    if (caller.mode === 'live') fail('NOT_SUPPORTED_BY_PROCESSOR')
    const wallet = readApplePay(body.data, now_ms)
    checkCard(wallet, caller, rules)
    return wallet
  }
  if (rules.direct_card_tokens === false && caller.with_secret) {
    fail('DIRECT_CARD_TOKEN_CREATION_DISABLED')
  }
  const read = readCard(body.data, now_ms)
  if (!read.cvv && !rules.allow_empty_cvv) fail('CVV_REQUIRED')
  checkCard(read, caller, rules)
  return read
}

function checkCard({ card }: ReadCard, caller: Caller, rules: StoreRules): void {
  if (caller.mode === 'live' && card.card_bin in bins) fail('NO_TEST_CARD_IN_LIVE_MODE')
  const { forbidden_card_brands, debit_enabled, prepaid_enabled, foreign_cards_allowed } = rules
  const refused =
    forbidden_card_brands.some((brand) => plainName(brand) === plainName(card.brand)) ||
    (debit_enabled === false && card.card_type === 'debit') ||
    (prepaid_enabled === false && card.category === 'prepaid')
  if (refused) fail('CARD_BRAND_NOT_SUPPORTED')
  if (foreign_cards_allowed === false && card.country !== null && card.country !== rules.country) {
    fail('CARD_COUNTRY_NOT_SUPPORTED')
  }
}

/** The specification writes `union_pay` in configurations; cards have the brand `unionpay`. */
function plainName(brand: string): string {
  return brand.toLowerCase().replaceAll('_', '')
}

function newCvvAuthorize(body: CreateToken): CvvAuthorize {
  const wanted = body.payment_type === 'card' ? body.data.cvv_authorize : undefined
  const enabled = wanted?.enabled ?? false
  return {
    enabled,
    status: enabled ? 'pending' : null,
    currency: wanted?.currency?.toUpperCase() ?? null,
    charge_id: null,
    credentials_id: null,
  }
}

function newThreeDs(body: CreateToken, type: TokenType, mode: Mode): TokenThreeDs {
  const wanted = body.payment_type === 'card' ? body.data.three_ds : undefined
  const enabled = wanted?.enabled ?? false
  if (enabled && type !== 'recurring') {
    failField(
      'data.three_ds.enabled',
      'NOT_ALLOWED_VALUE',
      'Only a recurring token can be authenticated when it is created.',
    )
  }
  const endpoint = wanted?.redirect_endpoint ?? null
  const redirect_endpoint = endpoint && readRedirectEndpoint(endpoint, mode)
  if (endpoint && !redirect_endpoint) {
    failField('data.three_ds.redirect_endpoint', 'INVALID_FORMAT_URL')
  }
  return {
    enabled,
    status: enabled ? 'pending' : null,
    redirect_endpoint,
    redirect_id: null,
    error: null,
    exempted: null,
  }
}

/** A subscription token that was never used in time gives its card and customer free again. */
async function releaseUnused(
  tx: Transacting,
  { merchant_id, store_id }: Caller,
  fingerprint: Buffer,
): Promise<void> {
  await tx.db
    .updateTable('transaction_tokens')
    .set({ active: false })
    .where('merchant_id', '=', merchant_id)
    .where('store_id', '=', store_id ?? '')
    .where('card_fingerprint', '=', fingerprint)
    .where('type', '=', 'subscription')
    .where('active', '=', true)
    .where('uses', '=', 0)
    .where('expires_on', '<=', new Date(tx.clock.now()))
    .execute()
}

export function refuseSecondToken(error: unknown): never {
  if (violatedIndex(error) === 'transaction_tokens_of_card') fail('NON_UNIQUE_ACTIVE_TOKEN')
  throw error
}
