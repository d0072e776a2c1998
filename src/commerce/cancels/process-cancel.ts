import { provider_policy } from '../../core/limits/retry-policies.ts'
import { type ChargeError, chargeError, failureOf } from '../../core/payments/charge-errors.ts'
import { nextState } from '../../core/payments/states.ts'
import type { Deadline } from '../../core/time/deadline.ts'
import { emit } from '../../events/emit.ts'
import { providerOf } from '../../open-providers.ts'
import { type Charge, getCharge } from '../../payments/charges/charge.ts'
import { authorization_life_ms } from '../../payments/charges/create/charge-fields.ts'
import { operationOf, takenOf } from '../../payments/charges/process/charge-operations.ts'
import { transitionCharge } from '../../payments/charges/settle/settle-charge.ts'
import { awaitProvider } from '../../payments/provider-calls/await-provider.ts'
import {
  askAfter,
  nextQuestion,
  runOperation,
} from '../../payments/provider-calls/run-operation.ts'
import type { CallLimit } from '../../providers/provider.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { reschedule, stillClaimed } from '../../store/due/due-work.ts'
import { type Cancel, viewCancel } from './cancel.ts'

export async function processCancel(
  service: Service,
  cancel: Cancel,
  deadline: Deadline,
): Promise<void> {
  if (cancel.status !== 'pending') return
  const { merchant_id, mode, id, charge_id, store_id } = cancel
  const charge = await getCharge(service, { merchant_id, mode }, { store_id, charge_id })
  const provider = providerOf(service.providers, charge)
  if (!provider && charge.provider !== null) return awaitProvider(service, 'cancels', cancel)
  if (!provider) return settleCancel(service, charge, cancel, 'fail_technically', chargeError(504))
  const taken = takenOf(charge)
  const asked = await operationOf(service, provider, charge, id, charge.provider_amount)
  const operation = { ...asked, ...taken }
  const send = (limit: CallLimit, is_repeated: boolean) =>
    provider.void({ ...operation, is_repeated }, limit)
  const call = { kind: 'void', operation, taken, send } as const
  const outcome = await runOperation(service, { provider, row: cancel, deadline }, call)
  if (outcome.outcome === 'approved') return settleCancel(service, charge, cancel, 'settle')
  if (outcome.outcome === 'refused') {
    const { action, error } = failureOf(outcome)
    return settleCancel(service, charge, cancel, action, error)
  }
  if (service.clock.now() - cancel.created_on.getTime() >= provider_policy.unknown_bound_ms) {
    service.log.error(
      { merchant_id, cancel_id: id },
      'the outcome of a cancel is unknown: check it at the provider',
    )
  }
  await reschedule(service.db, 'cancels', cancel, nextQuestion(service, askAfter(outcome)))
}

/**
 * The charge ends with the cancel. When the cancel fails, the charge continues unchanged. A charge that was
 * paid meanwhile can no longer be canceled.
 */
async function settleCancel(
  service: Service,
  charge: Charge,
  cancel: Cancel,
  action: 'settle' | 'reject' | 'fail_technically',
  error?: ChargeError,
): Promise<void> {
  await inTransaction(service, async (tx) => {
    if (!(await isMine(tx, cancel))) return
    if (action === 'settle') {
      const canceled = await transitionCharge(tx, charge, { action: 'cancel' })
      return finishCancel(tx, cancel, canceled ? 'settle' : 'reject', canceled ? null : too_late)
    }
    await tx.db
      .updateTable('charges')
      .set({ pending_action: null, due_on: nextDue(tx, charge) })
      .where('merchant_id', '=', charge.merchant_id)
      .where('id', '=', charge.id)
      .where('pending_action', '=', 'cancel')
      .execute()
    await finishCancel(tx, cancel, action, error ?? null)
  })
}

/** Locks the cancel; false when another worker has claimed it since. */
async function isMine(tx: Transacting, cancel: Cancel): Promise<boolean> {
  const found = await tx.db
    .selectFrom('cancels')
    .select('id')
    .where(stillClaimed(cancel, cancel.status))
    .forUpdate()
    .executeTakeFirst()
  return found !== undefined
}

const too_late = chargeError(312, 'The charge was paid meanwhile.')

/** Charges that wait for their customer are checked now: the notification may be about one of them. */
function nextDue(service: Service, charge: Charge): Date {
  if (charge.status === 'awaiting') return now(service)
  const end_ms = (charge.authorized_on ?? charge.created_on).getTime() + authorization_life_ms
  return charge.capture_at ?? new Date(end_ms)
}

async function finishCancel(
  tx: Transacting,
  cancel: Cancel,
  action: 'settle' | 'reject' | 'fail_technically',
  error: ChargeError | null,
): Promise<void> {
  const status = nextState('cancel', cancel.status, action)
  if (!status) return
  const { merchant_id, id, store_id, mode } = cancel
  const settled = await tx.db
    .updateTable('cancels')
    .set({ status, error: error && JSON.stringify(error), updated_on: now(tx), due_on: null })
    .where(stillClaimed(cancel, cancel.status))
    .returningAll()
    .executeTakeFirstOrThrow()
  const data = viewCancel(settled)
  await emit(tx, 'cancel_finished', { merchant_id, store_id, mode, resource_id: id, data })
  tx.afterCommit(() => tx.changes.notify(id))
}
