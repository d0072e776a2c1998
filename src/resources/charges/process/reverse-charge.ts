import { type ChargeError, chargeError, isTechnical } from '../../../core/charge-errors.ts'
import { provider_policy } from '../../../core/limits/retry-policies.ts'
import type { Service } from '../../../service.ts'
import { reschedule, stillClaimed } from '../../../store/due-work.ts'
import { nextQuestion } from '../../operations/run-operation.ts'
import type { Charge } from '../charge.ts'
import { settleCharge } from '../settle/settle-charge.ts'
import {
  type ChargeAttempt,
  captureAmount,
  followUp,
  inquireAuthorization,
  references,
  takenOf,
  withAnswer,
} from './charge-operations.ts'

/** The charge stays as it is until the outcome is known; past the bound it is undone. */
export async function askAgain(
  service: Service,
  attempt: ChargeAttempt,
  ask_again_ms: number,
): Promise<void> {
  const { row: charge } = attempt
  const asked_ms = service.clock.now() - askedSince(charge).getTime()
  if (asked_ms >= provider_policy.unknown_bound_ms) return beginReversal(service, attempt)
  await reschedule(service.db, 'charges', charge, nextQuestion(service, ask_again_ms))
}

/**
 * Stores that the reversal has begun before the provider is called: when its answer is lost, the charge must
 * not be settled by an inquiry that does not know of it.
 */
async function beginReversal(service: Service, attempt: ChargeAttempt): Promise<void> {
  const begun = await service.db
    .updateTable('charges')
    .set({ pending_action: 'reverse' })
    .where(stillClaimed(attempt.row, attempt.row.status))
    .returningAll()
    .executeTakeFirst()
  if (begun) await reverseCharge(service, { ...attempt, row: begun })
}

/** Undoes a charge whose outcome did not become known, and ends it. */
export async function reverseCharge(service: Service, attempt: ChargeAttempt): Promise<void> {
  const { row: charge } = attempt
  const undone = await reverse(service, attempt)
  if (undone === 'unknown') return
  const action = charge.status === 'authorized' ? 'reject' : 'fail_technically'
  await settleCharge(service, charge, { action, error: giveUpError(service, charge, undone) })
}

/**
 * A charge may be changed by its merchant meanwhile, which must not put its end off. While the
 * customer still has time, an unanswered inquiry does not end the payment.
 */
function askedSince(charge: Charge): Date {
  const { three_ds_passed_on, expires_on, updated_on } = charge
  if (charge.status === 'awaiting') return three_ds_passed_on ?? expires_on ?? updated_on
  return charge.status === 'pending' ? charge.created_on : charge.updated_on
}

/** Releases what may be held, or returns what may be taken. */
async function reverse(
  service: Service,
  attempt: ChargeAttempt,
  round: '' | 'late ' = '',
): Promise<Reversal> {
  const known = await withReference(service, attempt)
  if (known === 'undone' || known === 'unknown') return known
  const { row: charge } = known
  const { provider_amount, requested_amount, capture_amount } = charge
  if (!isCapturedAtOnce(charge) || known.provider.capabilities.void_after_capture) {
    const voiding = references.reverse(charge, round)
    const voided = await followUp(service, known, 'void', voiding, provider_amount, true)
    if (voided.outcome !== 'refused') return voided.outcome === 'approved' ? 'undone' : 'unknown'
    if (isTechnical(voided.code)) return 'unknown'
  }
  const refunding = references.refund(charge, round)
  const taken = captureAmount(charge, capture_amount ?? requested_amount)
  const refunded = await followUp(service, known, 'refund', refunding, taken, true)
  if (refunded.outcome !== 'refused') return refunded.outcome === 'approved' ? 'undone' : 'unknown'
  if (isTechnical(refunded.code)) return 'unknown'
  return nothing_there.includes(refunded.code) ? 'undone' : 'kept'
}

/** Authorized and captured in one step, a card holds nothing that could be released. */
function isCapturedAtOnce({ payment_type, capture, status }: Charge): boolean {
  const by_card = payment_type === 'card' || payment_type === 'apple_pay'
  return by_card && capture && status !== 'authorized'
}

/**
 * A provider that knows a payment only by its own reference has to say it first, when the answer to the
 * authorization was lost. A repeatable one finds it by ours.
 */
async function withReference(
  service: Service,
  attempt: ChargeAttempt,
): Promise<ChargeAttempt | 'undone' | 'unknown'> {
  const { provider, row: charge } = attempt
  if (charge.provider_reference !== null || provider.capabilities.repeatable) return attempt
  const found = await inquireAuthorization(service, attempt)
  if (found === 'never_received' || found.outcome.outcome === 'refused') return 'undone'
  return found.outcome.outcome === 'unknown' ? 'unknown' : withAnswer(attempt, found.outcome)
}

/** `kept`: the provider took the money and does not give it back. The operator has to look into it. */
type Reversal = 'undone' | 'kept' | 'unknown'
/** Refusals that mean that there is nothing to give back. */
const nothing_there: readonly number[] = [308, 338, 345]

function giveUpError(service: Service, { merchant_id, id }: Charge, undone: Reversal): ChargeError {
  if (undone !== 'kept') {
    return chargeError(502, 'The outcome did not become known; the payment was undone.')
  }
  service.log.error({ merchant_id, charge_id: id }, 'a payment could not be undone')
  return chargeError(328, 'The outcome did not become known, and the payment could not be undone.')
}

/** Whether what was approved late is not what the charge was settled with. */
function isOther(charge: Charge, { provider_reference }: Charge): boolean {
  if (charge.status === 'error' || charge.status === 'failed') return true
  const is_settled = charge.status === 'successful' || charge.status === 'authorized'
  return is_settled && provider_reference !== charge.provider_reference
}

/** The provider approved a charge that was given up meanwhile: it is undone once more. */
export async function undoLate(service: Service, attempt: ChargeAttempt): Promise<void> {
  const { merchant_id, id } = attempt.row
  const charge = await service.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!charge || !isOther(charge, attempt.row)) return
  service.log.error({ merchant_id, charge_id: id }, 'a charge was approved after it had ended')
  // What the approval said stands in the attempt alone: the charge had ended before.
  const row = { ...charge, ...takenOf(attempt.row) }
  const undone = await reverse(service, { ...attempt, row }, 'late ')
  if (undone === 'undone') return
  service.log.error(
    { merchant_id, charge_id: id, undone },
    'the late approval of a charge is not undone: look at `kaikei charges explain`',
  )
}
