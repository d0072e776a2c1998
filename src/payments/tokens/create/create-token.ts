import { mergeMetadata } from '../../../api/merge-metadata.ts'
import { compatibilityOf } from '../../../api/responses/compatibility.ts'
import type { Caller, Mode } from '../../../core/access/caller.ts'
import { fail, failField, readAll } from '../../../core/api/errors.ts'
import { isUuid, newUnguessableId } from '../../../core/ids.ts'
import type { PaymentType } from '../../../core/payments/payment-types.ts'
import type { Metadata } from '../../../core/text/metadata.ts'
import { searchWords } from '../../../core/text/search-words.ts'
import { readRedirectEndpoint, redirectUrl } from '../../../core/typed/redirect-endpoint.ts'
import { cardNumberOf } from '../../../methods/card/open-card.ts'
import type { ReadPayment } from '../../../methods/contract/payment-method.ts'
import { isRepeatable, method_facts } from '../../../methods/method-facts.ts'
import { cardDataOf, payerOf } from '../../../methods/method-table.ts'
import { routePayment } from '../../../open-providers.ts'
import { inTransaction, isTransacting, newRow, type Service } from '../../../service.ts'
import { violatedIndex } from '../../../store/sql/statements/database-errors.ts'
import type {
  CvvAuthorize,
  TokenAuthentication,
  TokenThreeDs,
  TokenType,
} from '../../../store/tables/payments/token-tables.ts'
import { cvv_life_ms } from '../../../vault/cvv-keys.ts'
import { keyedHash } from '../../../vault/key-ring.ts'
import { seal } from '../../../vault/seal.ts'
import type { Visitor } from '../../card-testing/card-attempts.ts'
import { type StoreRules, storeRules } from '../../store-rules/store-rules.ts'
import type { Token } from '../token.ts'
import { createdEvent, emitToken } from '../token-events.ts'
import { admitToken, whileCounted } from './admit-token.ts'
import { insertToken, insertTokenAlone } from './insert-tokens.ts'
import { first_use_ms } from './new-tokens.ts'
import { checkDetails, readPayment } from './read-payment.ts'
import { tokenEffects } from './token-effects.ts'
import type { CreateToken } from './token-input.ts'

const usage_limit_form = /^([1-9]\d{0,3}|daily|weekly|monthly|annually)$/

export async function createToken(
  service: Service,
  caller: Caller & { store_id: string },
  body: CreateToken,
  visitor: Visitor | null = null,
): Promise<Token> {
  const rules = await storeRules(service, caller.merchant_id, caller.store_id)
  const type = tokenType(body)
  const mode = caller.mode ?? 'test'
  const [usage_limit, metadata, payment, three_ds] = readAll(
    () => readUsageLimit(body, type, rules),
    () => readMetadata(body),
    () => readPayment(service, caller, body, rules),
    () => newThreeDs(body, type, mode),
    () => checkType(body, type, mode),
    () => checkEmail(body),
  )
  const token = newToken(service, caller, body, { type, usage_limit, metadata, payment, three_ds })
  const admitted = await admitToken(service, token, rules, visitor)
  return whileCounted(admitted, token, (counted) => writeToken(service, counted, rules))
}

async function writeToken(service: Service, token: Token, rules: StoreRules): Promise<Token> {
  const effects = tokenEffects(token, rules)
  if (effects.length === 0 && !isTransacting(service)) {
    await insertToken(service, { token, event: createdEvent(service, token) })
    wakeWorker(service, token)
    return token
  }
  return inTransaction(service, async (tx) => {
    for (const { before } of effects) await before?.(tx, token)
    await insertTokenAlone(tx, token).catch(refuseSecondToken)
    let created = token
    for (const { after } of effects) created = (await after?.(tx, created)) ?? created
    await emitToken(tx, 'token_created', created)
    tx.afterCommit(() => wakeWorker(tx, created))
    return created
  })
}

/** Wakes the worker that authenticates the card. */
function wakeWorker({ signals }: Service, { three_ds }: Token): void {
  if (three_ds.enabled) signals.broadcast('work', 'tokens')
}

interface TokenParts {
  readonly type: TokenType
  readonly usage_limit: string | null
  readonly metadata: Metadata
  readonly payment: ReadPayment
  readonly three_ds: TokenThreeDs
}

/** A token as its row will be. */
function newToken(
  service: Service,
  { merchant_id, store_id, mode }: Caller & { store_id: string },
  body: CreateToken,
  { type, usage_limit, metadata, payment, three_ds }: TokenParts,
): Token {
  const { id, created_on } = newRow(service)
  const sealed_for = cardNumberOf({ merchant_id, id })
  const { data, cvv } = payment
  const number = payment.number?.reveal() || null
  const wipe_on =
    number && (cvv || type !== 'recurring') ? new Date(created_on.getTime() + cvv_life_ms) : null
  const details = { payment_type: body.payment_type, data }
  const { name } = payerOf(details)
  const last_four = cardDataOf(details)?.card.last_four ?? null
  const email = body.email ?? null
  return {
    merchant_id,
    id,
    store_id,
    mode: mode ?? 'test',
    payment_type: body.payment_type,
    type,
    email,
    ip_address: body.ip_address ?? null,
    usage_limit,
    metadata,
    active: true,
    confirmed: body.use_confirmation ? false : payment.confirmed,
    data,
    cvv_authorize: newCvvAuthorize(service, body),
    cvv_authorize_check: { status: null, charge_id: null, date: null },
    three_ds,
    card_number: number === null ? null : seal(service.keys.vault, sealed_for, number),
    cvv: cvv && service.cvv_keys.seal(id, cvv.reveal()),
    card_fingerprint: payment.is_card && number ? cardFingerprint(service, number) : null,
    customer_id: readCustomerId(metadata),
    search_words:
      type === 'one_time' ? null : searchWords(merchant_id, name, email, last_four, metadata),
    uses: 0,
    expires_on: type === 'recurring' ? null : new Date(created_on.getTime() + first_use_ms),
    last_used_on: null,
    created_on,
    updated_on: created_on,
    deleted_on: null,
    page_id: three_ds.redirect_id,
    redirect_url:
      three_ds.redirect_endpoint &&
      redirectUrl(three_ds.redirect_endpoint, metadata, { svcTokenId: id }),
    wipe_on,
    three_ds_expires_on: null,
    limit_keys: null,
    authentication: three_ds.enabled
      ? authenticationOf(service, body.payment_type, mode ?? 'test', data)
      : null,
    due_on: three_ds.enabled ? created_on : wipe_on,
    claims: 0,
  }
}

/** The provider that authenticates the card is decided once; in live mode by the worker. */
function authenticationOf(
  service: Service,
  payment_type: PaymentType,
  mode: Mode,
  data: object,
): TokenAuthentication {
  if (mode === 'live') return { provider: null }
  const { brand } = payerOf({ payment_type, data })
  const provider = routePayment(service.providers, { mode, payment_type, brand })
  return { provider: provider?.name ?? null }
}

/** Finds a card again without its number being readable. */
export function cardFingerprint({ keys }: Service, number: string): Buffer {
  return keyedHash(keys.fingerprint.newest, 'card number', number)
}

/** The same by every key that was ever used: a card is found whenever it was stored. */
export function cardFingerprints({ keys }: Service, number: string): Buffer[] {
  return keys.fingerprint.all().map((key) => keyedHash(key, 'card number', number))
}

/** Rules of a token that its body alone decides. */
export function tokenRules(service: Service, body: CreateToken): (() => unknown)[] {
  return [
    () => readMetadata(body),
    () => checkDetails(service, body),
    () => checkType(body, tokenType(body), null),
    () => checkEmail(body),
  ]
}

/** The flag asks for a subscription, whatever a client sends as its usual type beside it. */
function tokenType({ type, subscription }: CreateToken): TokenType {
  const named = type ?? 'one_time'
  return subscription === true && named === 'one_time' ? 'subscription' : named
}

function checkType(
  { type, payment_type }: CreateToken,
  wanted: TokenType,
  mode: Mode | null,
): void {
  if (wanted === 'one_time' || isRepeatable(payment_type, mode)) return
  failField(type === wanted ? 'type' : 'subscription', 'ONE_TIME_ONLY_ALLOWED')
}

function checkEmail({ email, payment_type, use_confirmation }: CreateToken): void {
  if (email) return
  if (method_facts[payment_type].email === 'required') failField('email', 'REQUIRED_VALUE')
  if (use_confirmation) failField('email', 'CONFIRMATION_REQUIRES_EMAIL')
}

function readMetadata({ metadata }: CreateToken): Metadata {
  const read = mergeMetadata({}, metadata ?? {})
  readCustomerId(read)
  return read
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
      'must be a number of charges from 1 to 9999, or daily, weekly, monthly or annually',
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

function newCvvAuthorize({ config }: Service, body: CreateToken): CvvAuthorize {
  const wanted = body.payment_type === 'card' ? body.data.cvv_authorize : undefined
  const enabled = wanted?.enabled ?? false
  return {
    enabled,
    status: enabled ? 'pending' : null,
    currency:
      wanted?.currency?.toUpperCase() ?? (enabled ? compatibilityOf(config).cvv_currency : null),
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
      'can be true for a recurring token only',
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
    redirect_id: enabled ? newUnguessableId() : null,
    error: null,
    exempted: false,
  }
}

export function refuseSecondToken(error: unknown): never {
  if (violatedIndex(error) === 'transaction_tokens_of_card') fail('NON_UNIQUE_ACTIVE_TOKEN')
  throw error
}
