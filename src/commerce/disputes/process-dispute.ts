import { sensitive } from '../../core/cards/sensitive.ts'
import { derivedId } from '../../core/ids.ts'
import { provider_policy } from '../../core/limits/retry-policies.ts'
import { chargeError } from '../../core/payments/charge-errors.ts'
import { hour_ms } from '../../core/time/clock.ts'
import type { Deadline } from '../../core/time/deadline.ts'
import { findProvider } from '../../open-providers.ts'
import { type Charge, getCharge } from '../../payments/charges/charge.ts'
import { operationOf, takenOf } from '../../payments/charges/process/charge-operations.ts'
import { awaitProvider } from '../../payments/provider-calls/await-provider.ts'
import { responseOf } from '../../payments/provider-calls/provider-responses.ts'
import { askAfter, nextQuestion } from '../../payments/provider-calls/run-operation.ts'
import type { Outcome, Provider } from '../../providers/provider.ts'
import type { DisputeResponse } from '../../providers/provider-operations.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import { reschedule, stillClaimed } from '../../store/due/due-work.ts'
import { type Dispute, evidenceOf } from './dispute.ts'
import { openFiles } from './dispute-files.ts'
import { followDisputes } from './follow-disputes.ts'
import { emitDispute, moveDispute } from './move-dispute.ts'

/** When a provider is asked again that still waits for a response after its own time. */
const late_ms = hour_ms

/**
 * Sends the response of the merchant, or sees what became of a dispute. The provider is asked first how it
 * stands: so a response whose outcome was lost is not sent to a dispute that it has moved already.
 */
export async function processDispute(
  service: Service,
  dispute: Dispute,
  deadline: Deadline,
): Promise<void> {
  const { merchant_id, mode, store_id, charge_id } = dispute
  const charge = await getCharge(service, { merchant_id, mode }, { store_id, charge_id })
  const provider = findProvider(service.providers, dispute.provider)
  if (!provider) return awaitProvider(service, 'disputes', dispute)
  const later = (wait_ms: number) =>
    reschedule(service.db, 'disputes', dispute, new Date(service.clock.now() + wait_ms))
  const has_answered = await followDisputes(service, { provider, row: charge, deadline })
  if (!has_answered) return later(provider_policy.no_response_ms)
  if (!(await isUnchanged(service, dispute))) return
  if (dispute.pending_response) return respond(service, provider, charge, dispute, deadline)
  // A provider that cannot be asked has not said otherwise: without a response the money stays where it is.
  if (dispute.status === 'needs_response' && !provider.disputes) {
    await inTransaction(service, (tx) => moveDispute(tx, dispute, 'lose'))
    return
  }
  await later(dispute.status === 'needs_response' ? late_ms : provider_policy.max_named_wait_ms)
}

async function isUnchanged({ db }: Service, dispute: Dispute): Promise<boolean> {
  const found = await db
    .selectFrom('disputes')
    .select('id')
    .where(stillClaimed(dispute, dispute.status))
    .executeTakeFirst()
  return found !== undefined
}

async function respond(
  service: Service,
  provider: Provider,
  charge: Charge,
  dispute: Dispute,
  deadline: Deadline,
): Promise<void> {
  const attempt = { provider, row: dispute, deadline }
  const sent = await disputeResponse(service, provider, charge, dispute)
  service.failpoint('before dispute response')
  const outcome = await responseOf(
    service,
    attempt,
    'respond_to_dispute',
    async (limit) =>
      provider.respondToDispute?.({ ...sent, is_repeated: dispute.claims > 1 }, limit) ??
      not_supported,
  )
  service.failpoint('after dispute response')
  if (outcome.outcome === 'approved') {
    const action = dispute.pending_response === 'acceptance' ? 'accept' : 'submit'
    await inTransaction(service, (tx) => moveDispute(tx, dispute, action))
  } else if (outcome.outcome === 'refused') await refuseResponse(service, dispute, outcome)
  else {
    await reschedule(service.db, 'disputes', dispute, nextQuestion(service, askAfter(outcome)))
  }
}

const not_supported: Outcome = {
  outcome: 'refused',
  code: 309,
  detail: 'The provider takes responses on its own pages only.',
}

/** The reference follows from the response: sent again it is the same. */
async function disputeResponse(
  service: Service,
  provider: Provider,
  charge: Charge,
  dispute: Dispute,
): Promise<DisputeResponse> {
  const { id, pending_response, updated_on, amount, provider_reference } = dispute
  const kind = pending_response ?? 'evidence'
  const reference = derivedId(id, `${kind} ${updated_on.toISOString()}`)
  const operation = await operationOf(service, provider, charge, reference, amount)
  return {
    ...operation,
    ...takenOf(charge),
    dispute_reference: provider_reference,
    response: kind,
    evidence: sensitive(evidenceOf(service, dispute)),
    files: kind === 'evidence' ? await openFiles(service, dispute) : [],
  }
}

/** The merchant can respond again, until it is too late. */
async function refuseResponse(
  service: Service,
  dispute: Dispute,
  { code, detail }: { code: number; detail: string | null },
): Promise<void> {
  await inTransaction(service, async (tx) => {
    const refused = await tx.db
      .updateTable('disputes')
      .set({
        pending_response: null,
        error: JSON.stringify(chargeError(code, detail)),
        updated_on: now(tx),
        due_on: dispute.respond_by,
      })
      .where(stillClaimed(dispute, dispute.status))
      .returningAll()
      .executeTakeFirst()
    if (refused) await emitDispute(tx, 'dispute_updated', refused)
  })
}
