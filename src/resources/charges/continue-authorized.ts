import { chargeError } from '../../core/charge-errors.ts'
import { derivedId } from '../../core/ids.ts'
import type { Provider } from '../../providers/provider.ts'
import { routePayment } from '../../providers/route-payment.ts'
import type { Service } from '../../service.ts'
import { answerOf, askAfter, callProvider, isKnown } from '../provider-call.ts'
import type { Charge } from './charge.ts'
import { authorization_life_ms } from './charge-fields.ts'
import { askAgain, captureAmount, operation, undoLate } from './reverse-charge.ts'
import { settleCharge } from './settle-charge.ts'

/** An authorized charge is due because it is captured, on request or by plan, or has run out. */
export async function continueAuthorized(service: Service, found: Charge): Promise<void> {
  const provider = routePayment(service.providers, found)
  if (!provider || found.pending_action === 'cancel') return
  const charge = found.pending_action ? found : await beginPlanned(service, found)
  if (charge?.pending_action === 'expire') return expire(service, provider, charge)
  if (charge?.pending_action !== 'capture') return
  const requested_amount = charge.capture_amount ?? charge.requested_amount
  const amount = captureAmount(charge, requested_amount)
  const reference = derivedId(charge.id, 'capture')
  const outcome = await callProvider(service, provider, charge, reference, 'call', () =>
    provider.capture(operation(charge, reference, amount)),
  )
  if (outcome.outcome === 'approved') {
    const captured = { amount, requested_amount }
    const settled = await settleCharge(service, charge, { action: 'capture', captured })
    if (!settled) await undoLate(service, provider, charge)
  } else if (outcome.outcome === 'refused') {
    const release = derivedId(charge.id, 'release')
    const released = await answerOf(service, charge, () =>
      provider.void(operation(charge, release, charge.provider_amount)),
    )
    if (!isKnown(released)) return askAgain(service, provider, charge, askAfter(released))
    const error = chargeError(outcome.code, outcome.detail)
    await settleCharge(service, charge, { action: 'reject', error })
  } else await askAgain(service, provider, charge, askAfter(outcome))
}

/**
 * Notes what is about to be done before the provider hears of it: from then on a cancel or another
 * capture is refused. Null when somebody else began something; nothing begins when it is too early.
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
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.id)
    .where('status', '=', 'authorized')
    .where('pending_action', 'is', null)
    .where('claims', '=', charge.claims)
    .returningAll()
    .executeTakeFirst()
  return begun ?? null
}

async function expire(service: Service, provider: Provider, charge: Charge): Promise<void> {
  const reference = derivedId(charge.id, 'expiry')
  const outcome = await callProvider(service, provider, charge, reference, 'call', () =>
    provider.void(operation(charge, reference, charge.provider_amount)),
  )
  if (!isKnown(outcome)) return askAgain(service, provider, charge, askAfter(outcome))
  await settleCharge(service, charge, { action: 'reject', error: chargeError(313) })
}
