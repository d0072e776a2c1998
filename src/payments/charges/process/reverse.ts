import { type ChargeError, chargeError, isTechnical } from '../../../core/payments/charge-errors.ts'
import { method_facts } from '../../../methods/method-facts.ts'
import type { Service } from '../../../service.ts'
import { findRow } from '../../../store/sql/reads/find-row.ts'
import { isNeverReceived } from '../../provider-calls/run-operation.ts'
import type { Charge } from '../charge.ts'
import {
  captureAmount,
  followUp,
  questionOf,
  references,
  takenOf,
  withResponse,
} from './charge-operations.ts'
import type { Change, KnownReversal, Prepared, Room, Said, Step } from './step.ts'

/**
 * Undoes a charge whose outcome did not become known, or became known too late: a possible hold is
 * released, a possible payment is returned.
 */
export const reversing: Room = {
  async prepare(service, step): Promise<Prepared> {
    const reversal = step.known.reversal ?? {}
    const charge = reversal.named ?? step.row
    if (asksForName(step)) return { step, question: await questionOf(service, step, 'authorize') }
    const round = reversal.is_late ? 'late ' : ''
    const attempt = { ...step, row: charge }
    if (isVoided(step)) {
      const reference = references.reverse(charge, round)
      const { provider_amount } = charge
      return {
        step,
        call: await followUp(service, attempt, 'void', reference, provider_amount, true),
      }
    }
    const reference = references.refund(charge, round)
    const taken = captureAmount(charge, charge.capture_amount ?? charge.requested_amount)
    return { step, call: await followUp(service, attempt, 'refund', reference, taken, true) }
  },

  classify(service, step, said): Change {
    const undone = reversalOf(step, said)
    if (typeof undone === 'object') return nextCall(step, undone)
    return step.known.reversal?.is_late
      ? endLate(service, step.row, undone)
      : end(service, step.row, undone)
  },
}

/** `kept`: the provider took the money and does not give it back. The operator has to look into it. */
type Reversal = 'undone' | 'kept' | 'unknown'
/** Refusals that mean that there is nothing to give back. */
const nothing_there: readonly number[] = [308, 338, 345]

/**
 * A provider that knows a payment only by its own reference has to say it first, when the answer to the
 * authorization was lost. A repeatable one finds it by ours.
 */
function asksForName({ provider, row, known }: Step): boolean {
  if (known.reversal?.named || row.provider_reference !== null) return false
  return !provider.capabilities.repeatable
}

/** Authorized and captured in one step, a card holds nothing that could be released. */
function isVoided({ provider, row: charge, known }: Step): boolean {
  const { payment_type, capture, status } = charge
  const { by_card } = method_facts[payment_type]
  const is_captured = by_card && capture && status !== 'authorized'
  if (known.reversal?.is_unvoidable) return false
  return !is_captured || provider.capabilities.void_after_capture
}

/** The outcome; or the known state, and another call follows. */
function reversalOf(step: Step, said: Said): Reversal | KnownReversal {
  if (isNeverReceived(said)) return 'undone'
  const { outcome } = said
  if (asksForName(step)) {
    if (outcome.outcome === 'refused') return 'undone'
    return outcome.outcome === 'unknown' ? 'unknown' : { named: withResponse(step.row, outcome) }
  }
  if (outcome.outcome !== 'refused') return outcome.outcome === 'approved' ? 'undone' : 'unknown'
  if (isTechnical(outcome.code)) return 'unknown'
  if (isVoided(step)) return { is_unvoidable: true }
  return nothing_there.includes(outcome.code) ? 'undone' : 'kept'
}

function nextCall(step: Step, reversal: KnownReversal): Change {
  const known = { reversal: { ...step.known.reversal, ...reversal } }
  return { do: 'go_on', step: { ...step, known } }
}

function end(service: Service, charge: Charge, undone: Reversal): Change {
  if (undone === 'unknown') return { do: 'nothing' }
  const action = charge.status === 'authorized' ? 'reject' : 'fail_technically'
  const error = giveUpError(service, charge, undone)
  return { do: 'settle', settlement: { action, error } }
}

function giveUpError(service: Service, { merchant_id, id }: Charge, undone: Reversal): ChargeError {
  if (undone !== 'kept') {
    return chargeError(502, 'The outcome did not become known; the payment was undone.')
  }
  service.log.error(
    { merchant_id, charge_id: id },
    'a payment with an unknown outcome could not be reversed: check it at the provider',
  )
  return chargeError(328, 'The outcome did not become known, and the payment could not be undone.')
}

function endLate(service: Service, { merchant_id, id }: Charge, undone: Reversal): Change {
  if (undone !== 'undone') {
    service.log.error(
      { merchant_id, charge_id: id, undone },
      'the late approval of a charge is not undone: look at `kaikei charges explain`',
    )
  }
  return { do: 'nothing' }
}

/** Whether what was approved late is not what the charge was settled with. */
function isOther(charge: Charge, { provider_reference }: Charge): boolean {
  if (charge.status === 'error' || charge.status === 'failed') return true
  const is_settled = charge.status === 'successful' || charge.status === 'authorized'
  return is_settled && provider_reference !== charge.provider_reference
}

/** The provider approved a charge that was given up meanwhile: it is undone once more. */
export async function lateStep(
  service: Service,
  step: Step,
  approved: Charge,
): Promise<Step | null> {
  const { merchant_id, id } = approved
  const charge = await findRow(service, 'charges', { merchant_id, id })
  if (!charge || !isOther(charge, approved)) return null
  service.log.error(
    { merchant_id, charge_id: id },
    'the provider approved a charge after it had ended: reversing it',
  )
  // The step alone has the approval: the charge had ended before.
  const row = { ...charge, ...takenOf(approved) }
  return { ...step, purpose: 'reverse', row, known: { reversal: { is_late: true } } }
}
