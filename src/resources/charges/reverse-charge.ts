import { type ChargeError, chargeError, isTechnical } from '../../core/charge-errors.ts'
import { derivedId } from '../../core/ids.ts'
import { shareOf } from '../../core/money.ts'
import type { Operation, Provider } from '../../providers/provider.ts'
import type { Service } from '../../service.ts'
import { reschedule } from '../../store/due-work.ts'
import { answerOf, nextQuestion, unknown_bound_ms } from '../provider-call.ts'
import type { Charge } from './charge.ts'
import { settleCharge } from './settle-charge.ts'

export function operation(charge: Charge, reference: string, amount: number): Operation {
  const { merchant_id, mode, id: charge_id, provider_currency: currency } = charge
  return { merchant_id, mode, reference, charge_id, amount, currency }
}

/** The captured part in the provider's currency. */
export function captureAmount(charge: Charge, requested: number): number {
  const { provider_amount, provider_currency, requested_amount, requested_currency } = charge
  if (provider_currency === requested_currency) return requested
  return shareOf(provider_amount, requested, requested_amount)
}

/** The charge stays as it is until the outcome is known; past the bound it is undone. */
export async function askAgain(
  service: Service,
  provider: Provider,
  charge: Charge,
  ask_again_ms: number,
): Promise<void> {
  if (service.clock.now() - askedSince(charge).getTime() >= unknown_bound_ms) {
    const undone = await reverse(service, provider, charge)
    if (undone === 'unknown') return
    const action = charge.status === 'authorized' ? 'reject' : 'break'
    await settleCharge(service, charge, { action, error: giveUpError(service, charge, undone) })
    return
  }
  await reschedule(service.db, 'charges', charge, nextQuestion(service, ask_again_ms))
}

/**
 * A charge may be changed by its merchant meanwhile, which must not put its end off. While the
 * customer still has time, a provider that does not answer is no reason to give the payment up.
 */
function askedSince(charge: Charge): Date {
  const { three_ds_passed_on, expires_on, updated_on } = charge
  if (charge.status === 'awaiting') return three_ds_passed_on ?? expires_on ?? updated_on
  return charge.status === 'pending' ? charge.created_on : charge.updated_on
}

/**
 * Releases what may be held, or returns what may be taken. A second round has references of its own,
 * because what was refused once stays refused.
 */
async function reverse(
  service: Service,
  provider: Provider,
  charge: Charge,
  round = '',
): Promise<Reversal> {
  const { provider_amount, id, requested_amount, capture_amount } = charge
  const voiding = derivedId(id, `${round}reversal`)
  const voided = await answerOf(service, charge, () =>
    provider.void(operation(charge, voiding, provider_amount)),
  )
  if (voided.outcome !== 'refused') return voided.outcome === 'approved' ? 'undone' : 'unknown'
  const refunding = derivedId(id, `${round}reversing refund`)
  const taken = captureAmount(charge, capture_amount ?? requested_amount)
  const refunded = await answerOf(service, charge, () =>
    provider.refund(operation(charge, refunding, taken)),
  )
  if (refunded.outcome !== 'refused') return refunded.outcome === 'approved' ? 'undone' : 'unknown'
  if (isTechnical(refunded.code)) return 'unknown'
  return nothing_there.includes(refunded.code) ? 'undone' : 'kept'
}

/** `kept`: the provider took the money and does not give it back. A person has to see to it. */
type Reversal = 'undone' | 'kept' | 'unknown'
/** Refusals that mean that there is nothing to give back. */
const nothing_there = [308, 338, 345]

function giveUpError(service: Service, { merchant_id, id }: Charge, undone: Reversal): ChargeError {
  if (undone !== 'kept') {
    return chargeError(502, 'The outcome did not become known; the payment was undone.')
  }
  service.log.error({ merchant_id, charge_id: id }, 'a payment could not be undone')
  return chargeError(328, 'The outcome did not become known, and the payment could not be undone.')
}

/** The provider said yes to a charge that was given up meanwhile: it is undone once more. */
export async function undoLate(
  service: Service,
  provider: Provider,
  { merchant_id, id }: Charge,
): Promise<void> {
  const charge = await service.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (charge?.status !== 'error' && charge?.status !== 'failed') return
  service.log.error({ merchant_id, charge_id: id }, 'a charge was approved after it had ended')
  await reverse(service, provider, charge, 'late ')
}
