import {
  type IdempotencyWriter,
  NotStored,
  responseRow,
} from '../../../api/idempotency/stored-response.ts'
import { mergeMetadata } from '../../../api/merge-metadata.ts'
import type { Caller } from '../../../core/access/caller.ts'
import { Failure, fail, readAll } from '../../../core/api/errors.ts'
import { newUnguessableId } from '../../../core/ids.ts'
import { second_ms } from '../../../core/time/clock.ts'
import { readInstant } from '../../../core/typed/formats.ts'
import { readRedirectEndpoint } from '../../../core/typed/redirect-endpoint.ts'
import { method_facts } from '../../../methods/method-facts.ts'
import { inTransaction, isTransacting, now, type Service } from '../../../service.ts'
import { findRow } from '../../../store/sql/reads/find-row.ts'
import { routeCharge } from '../../routing/route-charge.ts'
import { cachedRules, type StoreRules, storeRules } from '../../store-rules/store-rules.ts'
import { takeNewToken } from '../../tokens/create/new-tokens.ts'
import { requireToken } from '../../tokens/require-token.ts'
import { type Token, tokenReader } from '../../tokens/token.ts'
import { type Charge, viewCharge } from '../charge.ts'
import type { CreateCharge } from '../charge-input.ts'
import { charge_work } from '../process/process-charge.ts'
import { cardWindow, checkCard, checkCardLimits } from './card-limits.ts'
import { checkFields, expiryOfCharge, matchAmountOf, readThreeDs } from './charge-fields.ts'
import { insertCharge, insertChargeAlone } from './insert-charges.ts'
import { type CheckoutOrigin, type NewCharge, newCharge } from './new-charge.ts'
import { refuseUse, too_quick_ms } from './token-use.ts'

export type StoreCaller = Caller & { store_id: string; mode: NonNullable<Caller['mode']> }

/**
 * Accepts a charge. It is `pending` until the worker has asked the provider. Requests of the same
 * moment share their statements; a request with rules about other charges has its own transaction.
 */
export async function createCharge(
  service: Service,
  caller: StoreCaller,
  body: CreateCharge,
  writer: IdempotencyWriter | null = null,
): Promise<Charge> {
  if (isTransacting(service)) return chargeAlone(service, caller, body)
  const cached = fromCache(service, caller, body)
  const created = cached && (await insertOrHandOver(service, cached, writer))
  if (created && created !== 'stale') return created
  const { merchant_id, store_id } = caller
  const [rules, token] = await Promise.all([
    storeRules(service, merchant_id, store_id),
    tokenReader(service.db)({ merchant_id, id: body.transaction_token_id }),
  ])
  const wanted = readCharge(service, caller, body, token, rules)
  if (needsTransaction(body, rules)) {
    if (writer) throw new NotStored()
    return chargeAlone(service, caller, body)
  }
  const checked = { ...wanted, rules, row_version: null, rules_version: null }
  const inserted = await insertOrHandOver(service, checked, writer)
  if (inserted !== 'stale') return inserted
  // The connection was lost, and others of the same statement were written: this one was refused.
  fail('SERVICE_UNAVAILABLE', { retry_after_s: 1 })
}

/** A charge that was found right, and what it was checked against. */
interface Checked {
  readonly token: Token
  readonly rules: StoreRules
  readonly charge: NewCharge
  /** See `ChargeInsert`. */
  readonly row_version: string | null
  readonly rules_version: string | null
}

/** Rules that count other charges, and ids that must be the only ones, need a transaction. */
function needsTransaction(body: CreateCharge, rules: StoreRules): boolean {
  return Boolean(body.merchant_transaction_id) || cardWindow(rules) > 0
}

/**
 * A charge of a token that this process has just created, by the rules that it read last: then nothing
 * has to be read. Both may be out of date, so that counts only as long as everything is right: the
 * statement that writes the charge checks that nothing was changed, and every refusal is looked up first.
 */
function fromCache(service: Service, caller: StoreCaller, body: CreateCharge): Checked | null {
  const cached = takeNewToken(caller.merchant_id, body.transaction_token_id)
  const found = cached && cachedRules(caller)
  if (!found) return null
  const { rules, version: rules_version } = found
  if (needsTransaction(body, rules)) return null
  try {
    const { token, charge } = readCharge(service, caller, body, cached.token, rules)
    return { token, rules, charge, row_version: cached.row_version, rules_version }
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/**
 * Writes a charge as claimed when the worker of this process has a free slot for it, and as due otherwise.
 * `stale`: the data it was checked against has changed.
 */
async function insertOrHandOver(
  service: Service,
  { token, rules, charge: wanted, row_version, rules_version }: Checked,
  writer: IdempotencyWriter | null,
): Promise<Charge | 'stale'> {
  const routing = routeCharge(service, token, wanted)
  const routed = routing instanceof Promise ? await routing : routing
  const slot = isMovingTime(service, token)
    ? null
    : service.local_work.reserve(charge_work, token.merchant_id)
  try {
    const charge = newCharge(service, token, wanted, routed, slot?.lease_ms)
    const response =
      writer && responseRow(service, writer.key, writer.responseOf(viewCharge(service, charge)))
    const outcome = await insertCharge(service, {
      charge,
      wait_ms: waitOf(rules),
      response,
      row_version,
      rules_version,
    })
    if (outcome === 'already_answered') throw new NotStored()
    if (outcome === 'stale') {
      slot?.release()
      return outcome
    }
    if (outcome !== 'created') refuseUse(outcome)
    // When writing took so long that the lease is nearly over, any worker may claim the charge.
    const is_fresh = service.clock.now() - charge.created_on.getTime() < max_writing_ms
    // A live payment waits for its provider anyway: it does not wait for others before that.
    if (slot && is_fresh) slot.work(charge, { token, rules }, charge.mode === 'live')
    else {
      slot?.release()
      service.signals.broadcast('work', 'charges')
    }
    return charge
  } catch (error) {
    slot?.release()
    throw error
  }
}

const max_writing_ms = 5 * second_ms

/** A request that moves the clock of a test mode does everything that is due there, in its order. */
function isMovingTime({ clocks }: Service, { merchant_id, mode }: Token): boolean {
  return mode === 'test' && clocks.isMoving(merchant_id)
}

/** In one transaction: with others that belong to it, or with rules that count other charges. */
export async function chargeAlone(
  service: Service,
  caller: StoreCaller,
  body: CreateCharge,
  checkout: CheckoutOrigin | null = null,
): Promise<Charge> {
  const { merchant_id, store_id } = caller
  const rules = await storeRules(service, merchant_id, store_id)
  return inTransaction(service, async (tx) => {
    const found = await findRow(tx, 'transaction_tokens', {
      merchant_id,
      store_id,
      id: body.transaction_token_id,
    })
    const { token, charge: read } = readCharge(tx, caller, body, found ?? null, rules)
    const wanted = { ...read, checkout }
    await checkCardLimits(tx, token, wanted, rules)
    const charge = newCharge(tx, token, wanted, await routeCharge(tx, token, wanted))
    const fault = await insertChargeAlone(tx, charge, waitOf(rules))
    if (fault) refuseUse(fault)
    return charge
  })
}

function waitOf({ charge_wait_ms }: StoreRules): number {
  return Math.max(too_quick_ms, charge_wait_ms)
}

/** The validated request, and the token that pays. */
function readCharge(
  service: Service,
  caller: StoreCaller,
  body: CreateCharge,
  found: Token | null,
  rules: StoreRules,
): { token: Token; charge: NewCharge } {
  const currency = body.currency.toUpperCase()
  checkAmount(body.amount, currency, rules)
  const token = requireToken(found, caller, 'charge')
  const capture = body.capture ?? true
  const of_card = method_facts[token.payment_type].holds
  const [metadata, three_ds] = readAll(
    () => mergeMetadata({}, body.metadata ?? {}),
    () => (of_card ? readThreeDs(body, caller, rules) : null),
    () => checkFields(service, body, token, caller),
    () => checkCard(service, token, { amount: body.amount, currency, capture }, rules),
  )
  const endpoint = body.redirect?.endpoint
    ? readRedirectEndpoint(body.redirect.endpoint, caller.mode)
    : null
  const charge: NewCharge = {
    type: 'normal',
    subscription_id: null,
    payment_id: null,
    payment_attempt: null,
    checkout: null,
    amount: body.amount,
    currency,
    capture,
    capture_at: body.capture_at ? readInstant(body.capture_at) : null,
    only_direct_currency: body.only_direct_currency ?? rules.only_direct_currency,
    descriptor: of_card ? (body.descriptor ?? null) : null,
    descriptor_phone_number: of_card ? (body.descriptor_phone_number ?? null) : null,
    merchant_transaction_id: body.merchant_transaction_id ?? null,
    metadata,
    redirect: endpoint ? { endpoint, redirect_id: newUnguessableId() } : null,
    three_ds: three_ds?.three_ds ?? null,
    external_three_ds: three_ds?.external_three_ds ?? null,
    expires_on: expiryOfCharge(now(service), body, token, rules),
    match_amount: matchAmountOf(token, rules),
  }
  return { token, charge }
}

export function checkAmount(amount: number, currency: string, rules: StoreRules): void {
  const limitOf = (limits: StoreRules['minimum_charge_amounts']) =>
    limits.find((limit) => limit.currency.toUpperCase() === currency)?.amount
  const min = limitOf(rules.minimum_charge_amounts)
  const maximum = limitOf(rules.maximum_charge_amounts)
  if (min !== undefined && amount < min) fail('CHARGE_AMOUNT_TOO_LOW')
  if (maximum !== undefined && amount > maximum) fail('CHARGE_AMOUNT_TOO_HIGH')
}
