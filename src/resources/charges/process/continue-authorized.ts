import { chargeError } from '../../../core/charge-errors.ts'
import type { Service } from '../../../service.ts'
import { stillClaimed } from '../../../store/due-work.ts'
import { askAfter, isKnown } from '../../operations/run-operation.ts'
import type { Charge } from '../charge.ts'
import { authorization_life_ms } from '../create/charge-fields.ts'
import { settleCharge } from '../settle/settle-charge.ts'
import { type ChargeAttempt, captureAmount, followUp, references } from './charge-operations.ts'
import { askAgain, undoLate } from './reverse-charge.ts'

/** An authorized charge is due because it is captured, on request or by plan, or has run out. */
export async function continueAuthorized(service: Service, found: ChargeAttempt): Promise<void> {
  if (found.row.pending_action === 'cancel') return
  const charge = found.row.pending_action ? found.row : await beginPlanned(service, found.row)
  if (!charge) return
  const attempt = { ...found, row: charge }
  if (charge.pending_action === 'expire') return expire(service, attempt)
  if (charge.pending_action !== 'capture') return
  const requested_amount = charge.capture_amount ?? charge.requested_amount
  const amount = captureAmount(charge, requested_amount)
  const reference = references.capture(charge)
  const outcome = await followUp(service, attempt, 'capture', reference, amount)
  if (outcome.outcome === 'approved') {
    const captured = { amount, requested_amount }
    const { data } = outcome
    const settled = await settleCharge(service, charge, { action: 'capture', captured, data })
    if (!settled) await undoLate(service, attempt)
  } else if (outcome.outcome === 'refused') {
    const released = await release(service, attempt)
    if (!isKnown(released)) return askAgain(service, attempt, askAfter(released))
    const error = chargeError(outcome.code, outcome.detail)
    await settleCharge(service, charge, { action: 'reject', error })
  } else await askAgain(service, attempt, askAfter(outcome))
}

/** What was not captured must not stay held. */
function release(service: Service, attempt: ChargeAttempt) {
  const { row: charge } = attempt
  const reference = references.release(charge)
  return followUp(service, attempt, 'void', reference, charge.provider_amount, true)
}

/**
 * Notes what is about to be done before the provider hears of it: from then on a cancel or another
 * capture is refused. Null when something else has begun; nothing begins when it is too early.
 */
async function beginPlanned(service: Service, charge: Charge): Promise<Charge | null> {
  const at_ms = service.clock.now()
  const end_ms = (charge.authorized_on?.getTime() ?? 0) + authorization_life_ms
  const capture_ms = charge.capture_at?.getTime() ?? Number.POSITIVE_INFINITY
  const action = capture_ms <= at_ms ? 'capture' : end_ms <= at_ms ? 'expire' : null
  const begun = await service.db
    .updateTable('charges')
    .set(
      action
        ? { pending_action: action, updated_on: new Date(at_ms) }
        : { due_on: new Date(Math.min(end_ms, capture_ms)) },
    )
    .where(stillClaimed(charge, 'authorized'))
    .where('pending_action', 'is', null)
    .returningAll()
    .executeTakeFirst()
  return begun ?? null
}

async function expire(service: Service, attempt: ChargeAttempt): Promise<void> {
  const { row: charge } = attempt
  const reference = references.expire(charge)
  const outcome = await followUp(service, attempt, 'void', reference, charge.provider_amount)
  if (!isKnown(outcome)) return askAgain(service, attempt, askAfter(outcome))
  await settleCharge(service, charge, { action: 'reject', error: chargeError(313) })
}
