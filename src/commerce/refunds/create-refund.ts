import { mergeMetadata } from '../../api/merge-metadata.ts'
import type { Caller } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { percentOf } from '../../core/money/money.ts'
import { method_facts } from '../../methods/method-facts.ts'
import { type Charge, type ChargePath, getCharge, wordsOf } from '../../payments/charges/charge.ts'
import { type StoreRules, storeRules } from '../../payments/store-rules/store-rules.ts'
import { atTimeOf, inTransaction, newRow, now, type Service } from '../../service.ts'
import { disputedAmount } from '../disputes/dispute.ts'
import {
  type CreateRefund,
  getRefund,
  type PatchRefund,
  type Refund,
  type RefundPath,
} from './refund.ts'

/**
 * The charge row is locked first: two refunds of one charge then run one after the other, and the second
 * sees the first. Refunded and pending amounts are counted on the charge.
 */
export async function createRefund(
  service: Service,
  caller: Caller,
  path: ChargePath,
  body: CreateRefund,
): Promise<Refund> {
  const rules = await storeRules(service, caller.merchant_id, path.store_id, true)
  const metadata = mergeMetadata({}, body.metadata ?? {})
  return inTransaction(service, async (base) => {
    const charge = await getCharge(base, caller, path, true)
    const tx = atTimeOf(base, charge)
    requireRefundable(charge, body, rules)
    await requireUndisputed(tx, charge, body)
    await tx.db
      .updateTable('charges')
      .set({ refunded_amount: charge.refunded_amount + body.amount, updated_on: now(tx) })
      .where('merchant_id', '=', charge.merchant_id)
      .where('id', '=', charge.id)
      .execute()
    const { id, created_on } = newRow(tx)
    const refund = await tx.db
      .insertInto('refunds')
      .values({
        merchant_id: charge.merchant_id,
        id,
        store_id: charge.store_id,
        charge_id: charge.id,
        mode: charge.mode,
        status: 'pending',
        amount: body.amount,
        currency: body.currency.toUpperCase(),
        reason: body.reason ?? null,
        message: body.message ?? null,
        error: null,
        metadata: JSON.stringify(metadata),
        search_words: wordsOf(charge, metadata),
        created_on,
        updated_on: created_on,
        due_on: created_on,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    tx.afterCommit(() => tx.signals.broadcast('work', 'refunds'))
    return refund
  })
}

function requireRefundable(
  charge: Charge,
  { amount, currency }: CreateRefund,
  { refund_percent_limit: percent_limit, min_refund }: StoreRules,
): void {
  const { status, charged_amount, charged_currency, refunded_amount } = charge
  if (status !== 'successful' || charged_amount === null) fail('CANNOT_REFUND_UNSUCCESSFUL_CHARGE')
  if (!method_facts[charge.payment_type].refundable) fail('REFUND_NOT_ALLOWED')
  if (currency.toUpperCase() !== charged_currency) fail('CURRENCY_MUST_MATCH_CHARGE')
  const min = min_refund?.currency.toUpperCase() === charged_currency ? min_refund?.amount : 0
  if (amount < (min ?? 0)) fail('REFUND_NOT_WITHIN_BOUNDS')
  const total = refunded_amount + amount
  if (total > charged_amount) fail('REFUND_EXCEEDS_CHARGE_AMOUNT')
  if (
    percent_limit !== null &&
    total > percentOf(charged_amount, Math.round(percent_limit * 1e6) / 1e6)
  ) {
    fail('REFUND_NOT_WITHIN_BOUNDS')
  }
}

/** Money that a bank has taken back, or may still take, is not given back a second time. */
async function requireUndisputed(
  tx: Service,
  charge: Charge,
  { amount }: CreateRefund,
): Promise<void> {
  const disputed = await disputedAmount(tx, charge)
  if (disputed === 0) return
  const left = (charge.charged_amount ?? 0) - charge.refunded_amount - disputed
  if (amount > left) {
    const of_it = `The customer disputes ${disputed} of the charge, and ${charge.refunded_amount}`
    const message = `${of_it} was refunded; at most ${Math.max(left, 0)} can be refunded now.`
    fail('CHARGE_DISPUTED', { message })
  }
}

export async function patchRefund(
  service: Service,
  caller: Caller,
  path: RefundPath,
  patch: PatchRefund,
): Promise<Refund> {
  return inTransaction(service, async (base) => {
    const before = await getRefund(base, caller, path, true)
    const tx = atTimeOf(base, before)
    const { store_id, charge_id } = before
    const charge = await getCharge(tx, caller, { store_id, charge_id })
    const metadata = mergeMetadata(before.metadata, patch.metadata)
    const { reason, message } = patch
    return tx.db
      .updateTable('refunds')
      .set({
        metadata: JSON.stringify(metadata),
        search_words: wordsOf(charge, metadata),
        ...(reason === undefined ? {} : { reason }),
        ...(message === undefined ? {} : { message }),
        updated_on: now(tx),
      })
      .where('merchant_id', '=', before.merchant_id)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}
