import { provider_policy } from '../../core/limits/retry-policies.ts'
import { type ChargeError, chargeError, failureOf } from '../../core/payments/charge-errors.ts'
import { nextState } from '../../core/payments/states.ts'
import type { Deadline } from '../../core/time/deadline.ts'
import { emit } from '../../events/emit.ts'
import { postLedger, refunded } from '../../ledger/post.ts'
import { providerOf } from '../../open-providers.ts'
import { type Charge, getCharge } from '../../payments/charges/charge.ts'
import {
  operationOf,
  refusalOf,
  takenOf,
} from '../../payments/charges/process/charge-operations.ts'
import { awaitProvider } from '../../payments/provider-calls/await-provider.ts'
import type { Attempt } from '../../payments/provider-calls/provider-responses.ts'
import {
  askAfter,
  nextQuestion,
  runOperation,
} from '../../payments/provider-calls/run-operation.ts'
import type { CallLimit, Outcome } from '../../providers/provider.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import { reschedule, stillClaimed } from '../../store/due/due-work.ts'
import { type Refund, viewRefund } from './refund.ts'

/** Asks the provider for the money back; asked before, it is asked what became of it. */
export async function processRefund(
  service: Service,
  refund: Refund,
  deadline: Deadline,
): Promise<void> {
  if (refund.status !== 'pending') return
  const { merchant_id, mode, id, charge_id, store_id } = refund
  const charge = await getCharge(service, { merchant_id, mode }, { store_id, charge_id })
  const provider = providerOf(service.providers, charge)
  if (!provider && charge.provider !== null) return awaitProvider(service, 'refunds', refund)
  if (!provider) return settleRefund(service, charge, refund, 'fail_technically', chargeError(504))
  const outcome = await askForMoney(service, { provider, row: refund, deadline }, charge, refund)
  if (outcome.outcome === 'approved') return settleRefund(service, charge, refund, 'settle')
  if (outcome.outcome === 'refused') {
    const { action, error } = failureOf(outcome)
    return settleRefund(service, charge, refund, action, error)
  }
  // Money that may have gone back cannot be called back: it is asked for until it is known.
  if (service.clock.now() - refund.created_on.getTime() >= provider_policy.unknown_bound_ms) {
    service.log.error(
      { merchant_id, refund_id: id },
      'the outcome of a refund is unknown: check it at the provider',
    )
  }
  await reschedule(service.db, 'refunds', refund, nextQuestion(service, askAfter(outcome)))
}

async function askForMoney(
  service: Service,
  attempt: Attempt,
  charge: Charge,
  { id, amount, currency }: Refund,
): Promise<Outcome> {
  const { provider } = attempt
  const taken = takenOf(charge)
  const asked = await operationOf(service, provider, charge, id, amount)
  const operation = { ...asked, currency, ...taken }
  // A refund that was sent before is inquired, even if it would be refused now.
  const send = async (limit: CallLimit, is_repeated: boolean) =>
    refusalOf(service, provider, charge, 'refund', amount) ??
    provider.refund({ ...operation, is_repeated }, limit)
  return runOperation(service, attempt, { kind: 'refund', operation, taken, send })
}

/** A refund that did not happen frees its part of the charge again. */
async function settleRefund(
  service: Service,
  charge: Charge,
  refund: Refund,
  action: 'settle' | 'reject' | 'fail_technically',
  error?: ChargeError,
): Promise<void> {
  const status = nextState('refund', refund.status, action)
  if (!status) return
  await inTransaction(service, async (tx) => {
    const { merchant_id, id, store_id, mode, amount, currency } = refund
    const settled = await tx.db
      .updateTable('refunds')
      .set({
        status,
        error: error ? JSON.stringify(error) : null,
        updated_on: now(tx),
        due_on: null,
      })
      .where(stillClaimed(refund, refund.status))
      .returningAll()
      .executeTakeFirst()
    if (!settled) return
    if (status === 'successful') await postLedger(tx, refunded(charge, { id, amount, currency }))
    else {
      await tx.db
        .updateTable('charges')
        .set((column) => ({ refunded_amount: column('refunded_amount', '-', amount) }))
        .where('merchant_id', '=', merchant_id)
        .where('id', '=', charge.id)
        .execute()
    }
    const data = viewRefund(settled)
    await emit(tx, 'refund_finished', { merchant_id, store_id, mode, resource_id: id, data })
    tx.afterCommit(() => tx.changes.notify(id))
  })
}
