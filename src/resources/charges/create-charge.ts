import { sql } from 'kysely'
import type { Caller } from '../../core/caller.ts'
import { day_ms, hour_ms, second_ms } from '../../core/clock.ts'
import { type FieldError, fail, failField } from '../../core/errors.ts'
import { readInstant } from '../../core/formats.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { most_test_charges } from '../../core/limits.ts'
import type { Metadata } from '../../core/metadata.ts'
import { readRedirectEndpoint } from '../../core/redirect-endpoint.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import type { ChargeThreeDs } from '../../store/tables.ts'
import { mergeMetadata } from '../merge-metadata.ts'
import { type StoreRules, storeRules } from '../stores/store-rules.ts'
import type { Token } from '../tokens/token.ts'
import { type Charge, type CreateCharge, external_three_ds } from './charge.ts'
import { insertCharge } from './insert-charge.ts'

/** Billing the same card and recurring token again within this time is a duplicate. */
export const too_quick_ms = 30 * second_ms
/** An authorization that is not captured ends after this time. */
export const authorization_life_ms = 7 * day_ms
const earliest_capture_ms = hour_ms

type StoreCaller = Caller & { store_id: string; mode: NonNullable<Caller['mode']> }

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
    checkFields(tx, body, caller)
    const three_ds = readThreeDs(body, caller, rules)
    if (caller.mode === 'test') await useTestCharge(tx, caller.merchant_id)
    await useToken(tx, token)
    return insertCharge(tx, token, {
      type: 'normal',
      amount: body.amount,
      currency,
      capture: body.capture ?? true,
      capture_at: body.capture_at ? readInstant(body.capture_at) : null,
      only_direct_currency: body.only_direct_currency ?? rules.only_direct_currency,
      descriptor: body.descriptor ?? null,
      descriptor_phone_number: body.descriptor_phone_number ?? null,
      metadata,
      three_ds,
    })
  })
}

function checkAmount(amount: number, currency: string, rules: StoreRules): void {
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

/** Fields that belong to other payment types, and times that are out of bounds. */
function checkFields(tx: Transacting, body: CreateCharge, { mode }: StoreCaller): void {
  const errors: FieldError[] = []
  if (body.capture_at) {
    const ahead_ms = (readInstant(body.capture_at)?.getTime() ?? 0) - tx.clock.now()
    const in_bounds = ahead_ms >= earliest_capture_ms && ahead_ms <= authorization_life_ms
    if (body.capture !== false) errors.push({ field: 'capture_at', reason: 'FORBIDDEN_PARAMETER' })
    else if (!in_bounds) {
      errors.push({ field: 'capture_at', reason: 'INVALID_SCHEDULED_CAPTURE_DATE' })
    }
  }
  if (body.merchant_transaction_id) {
    errors.push({ field: 'merchant_transaction_id', reason: 'FORBIDDEN_PARAMETER' })
  }
  if (body.redirect?.endpoint) {
    errors.push({ field: 'redirect.endpoint', reason: 'FORBIDDEN_PARAMETER' })
  }
  const endpoints = {
    'redirect_three_ds.endpoint': body.redirect_three_ds?.endpoint,
    'three_ds.redirect_endpoint': body.three_ds?.redirect_endpoint,
  }
  for (const [field, endpoint] of Object.entries(endpoints)) {
    if (endpoint && readRedirectEndpoint(endpoint, mode) === null) {
      errors.push({ field, reason: 'INVALID_FORMAT_URL' })
    }
  }
  if (errors.length > 0) fail('VALIDATION_ERROR', { errors })
}

/** `skip` is a privilege; a result from elsewhere must be complete. */
function readThreeDs(
  body: CreateCharge,
  { mode: store_mode, with_secret }: StoreCaller,
  rules: StoreRules,
): ChargeThreeDs {
  const given = external_three_ds.filter((name) => body.three_ds?.[name])
  if (given.length > 0 && given.length < external_three_ds.length) {
    const missing = external_three_ds.filter((name) => !given.includes(name))
    fail('VALIDATION_ERROR', {
      errors: missing.map((name) => ({ field: `three_ds.${name}`, reason: 'REQUIRED_VALUE' })),
    })
  }
  if (given.length > 0) return { mode: 'provided', redirect_endpoint: null, redirect_id: null }
  const mode = body.three_ds_mode ?? body.three_ds?.mode ?? 'normal'
  if (mode === 'provided') failField('three_ds.authentication_value', 'REQUIRED_VALUE')
  // Better refused than left out in silence: there is no page to challenge the customer on yet.
  if (mode === 'force') {
    fail('NOT_SUPPORTED_BY_PROCESSOR', { message: 'The 3-D Secure challenge is not offered yet.' })
  }
  if (mode === 'skip' && !(with_secret && rules.three_ds_skip_enabled)) {
    fail('INVALID_PERMISSIONS', { message: 'Skipping 3-D Secure must be enabled by support.' })
  }
  const endpoint = body.redirect_three_ds?.endpoint ?? body.three_ds?.redirect_endpoint
  if (!endpoint) return { mode, redirect_endpoint: null, redirect_id: null }
  const redirect_endpoint = readRedirectEndpoint(endpoint, store_mode)
  return { mode, redirect_endpoint, redirect_id: newUnguessableId() }
}

/**
 * Takes the next slot of the merchant's ring. A slot that was used less than a day ago means that
 * as many test charges as allowed were made since.
 */
async function useTestCharge(tx: Transacting, merchant_id: string): Promise<void> {
  const at = now(tx)
  const { rows } = await sql<{ taken: boolean }>`
    with ring as (
      insert into test_charge_rings as r (merchant_id, position) values (${merchant_id}, 0)
      on conflict (merchant_id) do update set position = r.position + 1
      returning position
    ), slot as (
      insert into test_charge_slots as s (merchant_id, slot, used_on)
      select ${merchant_id}, (position % ${most_test_charges})::integer, ${at} from ring
      on conflict (merchant_id, slot) do update set used_on = excluded.used_on
        where s.used_on <= ${new Date(at.getTime() - day_ms)}
      returning 1
    )
    select exists (select from slot) as taken`.execute(tx.db)
  if (!rows[0]?.taken) {
    fail('RESOURCE_LIMIT_REACHED', {
      message: `A merchant can make ${most_test_charges} test charges in a day.`,
    })
  }
}

/**
 * Counts one use. Every rule about uses is in the statement that counts, so that of requests that
 * come at the same time exactly as many pass as may.
 */
async function useToken(tx: Transacting, token: Token): Promise<void> {
  const at = now(tx)
  const { rows } = await sql`
    update transaction_tokens set uses = uses + 1, last_used_on = ${at}
    where merchant_id = ${token.merchant_id} and id = ${token.id} and active
      and case type
        when 'one_time' then uses = 0 and expires_on > ${at}
        else (last_used_on is null
            or last_used_on <= ${new Date(at.getTime() - too_quick_ms)})
          and case
            when usage_limit is null then true
            when usage_limit ~ '^[0-9]+$' then uses < usage_limit::integer
            else last_used_on is null or last_used_on <= ${at}::timestamptz -
              (case usage_limit when 'daily' then interval '1 day' when 'weekly' then interval '7 days'
                when 'monthly' then interval '1 month' else interval '1 year' end)
          end
        end
    returning 1`.execute(tx.db)
  if (rows.length === 0) await explainRefusal(tx, token)
}

async function explainRefusal(tx: Transacting, { merchant_id, id }: Token): Promise<never> {
  const token = await tx.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!token?.active) fail('NOT_FOUND', { message: 'There is no such transaction token.' })
  if (token.type === 'one_time') {
    fail(token.uses > 0 ? 'TRANSACTION_ALREADY_PROCESSED' : 'TRANSACTION_TOKEN_EXPIRED')
  }
  const since_ms = tx.clock.now() - (token.last_used_on?.getTime() ?? 0)
  if (since_ms < too_quick_ms) {
    const message = 'This card was billed with this token less than 30 seconds ago.'
    fail('CHARGE_TOO_QUICK', { error: { code: 311, message } })
  }
  fail('USAGE_LIMIT_REACHED')
}
