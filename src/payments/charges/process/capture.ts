import { chargeError } from '../../../core/payments/charge-errors.ts'
import type { Service } from '../../../service.ts'
import { stillClaimed } from '../../../store/due/due-work.ts'
import { askAfter, isKnown, outcomeOf } from '../../provider-calls/run-operation.ts'
import type { Charge } from '../charge.ts'
import { authorization_life_ms } from '../create/charge-fields.ts'
import { captureAmount, followUp, references } from './charge-operations.ts'
import type { Change, Prepared, Room } from './step.ts'

/** An authorized charge is due because it is captured, on request or by plan, or has run out. */
export const capturing: Room = {
  async prepare(service, found): Promise<Prepared | null> {
    const charge = found.row.pending_action ? found.row : await beginPlanned(service, found.row)
    if (!charge) return null
    const step = { ...found, row: charge }
    if (charge.pending_action === 'expire') {
      const { provider_amount } = charge
      const reference = references.expire(charge)
      return { step, call: await followUp(service, step, 'void', reference, provider_amount) }
    }
    if (charge.pending_action !== 'capture') return null
    const { amount } = capturedOf(charge)
    const reference = references.capture(charge)
    return { step, call: await followUp(service, step, 'capture', reference, amount) }
  },

  classify(_service, step, said): Change {
    const { row: charge } = step
    const outcome = outcomeOf(said)
    if (!isKnown(outcome)) return { do: 'ask_again', after_ms: askAfter(outcome) }
    if (charge.pending_action === 'expire') {
      return { do: 'settle', settlement: { action: 'reject', error: chargeError(313) } }
    }
    if (outcome.outcome === 'refused') {
      const refusal = chargeError(outcome.code, outcome.detail)
      return { do: 'go_on', step: { ...step, purpose: 'release', known: { refusal } } }
    }
    const data = outcome.outcome === 'approved' ? outcome.data : undefined
    const settlement = { action: 'capture', captured: capturedOf(charge), data } as const
    return { do: 'settle', settlement, late: charge }
  },
}

/** The uncaptured part must be released. */
export const releasing: Room = {
  async prepare(service, step): Promise<Prepared> {
    const { row: charge } = step
    const reference = references.release(charge)
    const amount = charge.provider_amount
    return { step, call: await followUp(service, step, 'void', reference, amount, true) }
  },

  classify(_service, { known }, said): Change {
    const outcome = outcomeOf(said)
    if (!isKnown(outcome)) return { do: 'ask_again', after_ms: askAfter(outcome) }
    const { refusal: error = chargeError(309) } = known
    return { do: 'settle', settlement: { action: 'reject', error } }
  },
}

function capturedOf(charge: Charge): { amount: number; requested_amount: number } {
  const requested_amount = charge.capture_amount ?? charge.requested_amount
  return { amount: captureAmount(charge, requested_amount), requested_amount }
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
