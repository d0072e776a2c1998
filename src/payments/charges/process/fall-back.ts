import { routing_policy } from '../../../core/limits/retry-policies.ts'
import { chargeError } from '../../../core/payments/charge-errors.ts'
import { findProvider, takes } from '../../../open-providers.ts'
import { inTransaction, now, type Service } from '../../../service.ts'
import { reschedule, stillClaimed } from '../../../store/due/due-work.ts'
import type { RouteCandidate } from '../../../store/tables/payments/provider-tables.ts'
import { type OperationRecord, recordOperation } from '../../provider-calls/record-operations.ts'
import {
  type Answered,
  askAfter,
  type Recorded,
  recordsOf,
} from '../../provider-calls/run-operation.ts'
import { noteFallBack } from '../../routing/fall-back-counts.ts'
import type { Charge } from '../charge.ts'
import { type Change, nextStep, type Step } from './step.ts'

/**
 * The provider has certainly not received the payment: it goes to the next connector of its route, or ends. A
 * charge that was claimed before may have been sent by a process that died, and one that has waited for its
 * customer belongs to the provider that asked them: these are sent again, to the same provider.
 */
export function fallBackFrom(
  service: Service,
  { row: charge }: Step,
  said: Answered | Recorded,
): Change {
  if (charge.status !== 'pending' || charge.claims > 1) {
    return { do: 'ask_again', after_ms: askAfter(said.outcome), said }
  }
  const to = nextCandidate(service, charge)
  if (to) return { do: 'fall_back', said, to }
  const error = chargeError(504, whyNowhere(said))
  const answered = said.record ? { answered: said } : {}
  return { do: 'settle', settlement: { action: 'fail_technically', error, ...answered } }
}

/** The next connector is stored before it is called. */
export async function fallBack(
  service: Service,
  step: Step,
  { to, said }: Extract<Change, { do: 'fall_back' }>,
): Promise<Step | null> {
  const provider = findProvider(service.providers, to.connector)
  const row = provider && (await changeProvider(service, step, to, recordsOf(said)))
  if (!row) return null
  noteFallBack(step.provider.name, provider.name)
  service.failpoint('after fall-back')
  if (step.deadline.left_ms() < routing_policy.min_call_ms) {
    await reschedule(service.db, 'charges', row, now(service))
    return null
  }
  return nextStep({ ...step, provider }, row)
}

/** The last connector of the route was not reached, or was and does not take such payments. */
function whyNowhere({ outcome }: Answered | Recorded): string {
  return outcome.outcome === 'not_taken' && outcome.is_in_order
    ? 'No connector takes this payment; nothing was charged.'
    : 'No connector could be reached; nothing was charged.'
}

/** What follows in the route and takes payments still. */
function nextCandidate({ providers }: Service, charge: Charge): RouteCandidate | null {
  const { route, provider: current } = charge
  const candidates = route?.candidates ?? []
  const at = candidates.findIndex(({ connector }) => connector === current)
  if (at < 0) return null
  const takesIt = ({ connector }: RouteCandidate) => {
    const provider = findProvider(providers, connector)
    return provider !== null && takes(providers, provider, charge)
  }
  return candidates.slice(at + 1).find(takesIt) ?? null
}

/**
 * One transaction for the records of calls that took no money and the change of provider. It is committed
 * before the next provider is called: from then on only that one is inquired. Null: another worker has the
 * charge.
 */
async function changeProvider(
  service: Service,
  { provider, row: charge }: Step,
  next: RouteCandidate,
  records: readonly OperationRecord[],
): Promise<Charge | null> {
  service.failpoint('before fall-back')
  return inTransaction(service, async (tx) => {
    const changed = await tx.db
      .updateTable('charges')
      .set({
        provider: next.connector,
        provider_credentials_id: next.account,
        provider_reference: null,
        provider_data: null,
      })
      .where(stillClaimed(charge, 'pending'))
      .where('provider', '=', provider.name)
      .where('pending_action', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (!changed) return null
    for (const record of records) await recordOperation(tx.db, record)
    return changed
  })
}
