import { sql } from 'kysely'
import type { Caller } from '../../core/caller.ts'
import { day_ms, second_ms } from '../../core/clock.ts'
import { fail } from '../../core/errors.ts'
import { readInstant } from '../../core/formats.ts'
import { newUnguessableId } from '../../core/ids.ts'
import { most_test_charges } from '../../core/limits.ts'
import type { Metadata } from '../../core/metadata.ts'
import { type MatchAmount, type PaymentType, payment_methods } from '../../core/payment-methods.ts'
import { readRedirectEndpoint } from '../../core/redirect-endpoint.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { mergeMetadata } from '../merge-metadata.ts'
import { type StoreRules, storeRules } from '../stores/store-rules.ts'
import type { Token } from '../tokens/token.ts'
import type { Charge, CreateCharge } from './charge.ts'
import { checkFields, expiryOfCharge, readThreeDs } from './charge-fields.ts'
import { insertCharge, nothing_special } from './insert-charge.ts'

/** Billing the same card and recurring token again within this time is a duplicate. */
export const too_quick_ms = 30 * second_ms
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
    if (caller.mode === 'test' && !(await useTestCharge(tx, caller.merchant_id))) {
      refuseUse('RESOURCE_LIMIT_REACHED')
    }
    if (!(await useToken(tx, token))) refuseUse(await tokenFault(tx, token))
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

/** Why a token cannot be charged now. */
export type UseFault =
  | 'NOT_FOUND'
  | 'TRANSACTION_ALREADY_PROCESSED'
  | 'TRANSACTION_TOKEN_EXPIRED'
  | 'CHARGE_TOO_QUICK'
  | 'USAGE_LIMIT_REACHED'
  | 'RESOURCE_LIMIT_REACHED'

export function refuseUse(fault: UseFault): never {
  if (fault === 'NOT_FOUND') fail(fault, { message: 'There is no such transaction token.' })
  if (fault === 'RESOURCE_LIMIT_REACHED') {
    const message = `A merchant can make ${most_test_charges} test charges in a day.`
    fail(fault, { message })
  }
  if (fault !== 'CHARGE_TOO_QUICK') fail(fault)
  const message = 'This card was billed with this token less than 30 seconds ago.'
  fail(fault, { error: { code: 311, message } })
}

/**
 * Takes the next slot of the merchant's ring. A slot that was used less than a day ago means that
 * as many test charges as allowed were made since.
 */
export async function useTestCharge(tx: Transacting, merchant_id: string): Promise<boolean> {
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
  return rows[0]?.taken === true
}

/**
 * Counts one use. Every rule about uses is in the statement that counts, so that of requests that
 * come at the same time exactly as many pass as may.
 */
export async function useToken(tx: Transacting, token: Token): Promise<boolean> {
  const at = now(tx)
  const { rows } = await sql`
    update transaction_tokens set uses = uses + 1, last_used_on = ${at}
    where merchant_id = ${token.merchant_id} and id = ${token.id} and active
      and case type
        when 'one_time' then uses = 0 and expires_on > ${at}
        when 'subscription' then true
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
  return rows.length > 0
}

/** What the statement above found wrong. */
export async function tokenFault(tx: Transacting, { merchant_id, id }: Token): Promise<UseFault> {
  const token = await tx.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!token?.active) return 'NOT_FOUND'
  if (token.type === 'one_time') {
    return token.uses > 0 ? 'TRANSACTION_ALREADY_PROCESSED' : 'TRANSACTION_TOKEN_EXPIRED'
  }
  const since_ms = tx.clock.now() - (token.last_used_on?.getTime() ?? 0)
  return since_ms < too_quick_ms ? 'CHARGE_TOO_QUICK' : 'USAGE_LIMIT_REACHED'
}
