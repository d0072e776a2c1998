import { nextState } from '../../core/payments/states.ts'
import { day_ms } from '../../core/time/clock.ts'
import { emit } from '../../events/emit.ts'
import type { EventName } from '../../events/event-names.ts'
import {
  type DisputeStep,
  disputePosting,
  type LedgerCharge,
  postLedger,
} from '../../ledger/post.ts'
import { now, type Transacting } from '../../service.ts'
import { type Dispute, viewDispute } from './dispute.ts'

type DisputeAction = 'submit' | 'accept' | 'win' | 'lose'

/** How often a provider is asked what the bank has decided: it makes up for a lost notification. */
const look_again_ms = day_ms

/** When a dispute is looked at next; null: it has ended. */
function nextLook({ clock }: Transacting, status: Dispute['status'], respond_by: Date) {
  if (status === 'needs_response') return respond_by
  return status === 'under_review' ? new Date(clock.now() + look_again_ms) : null
}

/**
 * Moves a dispute to its next state, with its part of the ledger and its event. Null: it is no longer as it
 * was read, or its state does not allow it; then nothing was changed.
 */
export async function moveDispute(
  tx: Transacting,
  dispute: Dispute,
  action: DisputeAction,
): Promise<Dispute | null> {
  const status = nextState('dispute', dispute.status, action)
  if (!status) return null
  const moved = await tx.db
    .updateTable('disputes')
    .set({
      status,
      pending_response: null,
      error: null,
      updated_on: now(tx),
      due_on: nextLook(tx, status, dispute.respond_by),
    })
    .where('merchant_id', '=', dispute.merchant_id)
    .where('id', '=', dispute.id)
    .where('status', '=', dispute.status)
    .where('claims', '=', dispute.claims)
    .returningAll()
    .executeTakeFirst()
  if (!moved) return null
  if (status === 'won') await postStep(tx, moved, 'reversal', moved.amount)
  await emitDispute(tx, status === 'under_review' ? 'dispute_updated' : 'dispute_closed', moved)
  return moved
}

/** Posts a step of a dispute; a second time the database refuses it. */
export async function postStep(
  tx: Transacting,
  dispute: Dispute,
  step: DisputeStep,
  amount: number,
): Promise<void> {
  const { merchant_id, store_id, mode, id: dispute_id, charge_id, currency } = dispute
  const money = { requested_amount: amount, requested_currency: currency }
  const charge: LedgerCharge = { merchant_id, store_id, mode, id: charge_id, ...money }
  const [ledger_id] = await postLedger(tx, disputePosting(charge, step, { amount, currency }))
  if (ledger_id === undefined) return
  await tx.db
    .insertInto('dispute_postings')
    .values({ merchant_id, dispute_id, step, ledger_id })
    .execute()
}

export async function emitDispute(
  tx: Transacting,
  name: Extract<EventName, `dispute_${string}`>,
  dispute: Dispute,
): Promise<void> {
  const { merchant_id, store_id, mode, id: resource_id } = dispute
  const data = viewDispute(dispute)
  await emit(tx, name, { merchant_id, store_id, mode, resource_id, data })
  tx.afterCommit(() => tx.changes.notify(resource_id))
}
