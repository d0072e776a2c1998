import { type ChargeError, chargeError, failureOf } from '../../core/charge-errors.ts'
import { nextState } from '../../core/states.ts'
import { emit } from '../../events/emit.ts'
import { postLedger, refunded } from '../../ledger/post.ts'
import { routePayment } from '../../providers/route-payment.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import { reschedule } from '../../store/due-work.ts'
import { type Charge, getCharge } from '../charges/charge.ts'
import { askAfter, callProvider, nextQuestion, unknown_bound_ms } from '../provider-call.ts'
import { type Refund, viewRefund } from './refund.ts'

/** Asks the provider for the money back; asked before, it is asked what became of it. */
export async function processRefund(service: Service, refund: Refund): Promise<void> {
  if (refund.status !== 'pending') return
  const { merchant_id, mode, id, charge_id, store_id, amount, currency } = refund
  const charge = await getCharge(service, { merchant_id, mode }, { store_id, charge_id })
  const provider = routePayment(service.providers, charge)
  if (!provider) return settleRefund(service, charge, refund, 'break', chargeError(504))
  const outcome = await callProvider(service, provider, refund, id, 'refund', () =>
    provider.refund({ merchant_id, mode, reference: id, charge_id, amount, currency }),
  )
  if (outcome.outcome === 'approved') return settleRefund(service, charge, refund, 'settle')
  if (outcome.outcome === 'refused') {
    const { action, error } = failureOf(outcome)
    return settleRefund(service, charge, refund, action, error)
  }
  // Money that may have gone back cannot be called back: it is asked for until it is known.
  if (service.clock.now() - refund.created_on.getTime() >= unknown_bound_ms) {
    service.log.error({ merchant_id, refund_id: id }, 'the outcome of a refund is not known')
  }
  await reschedule(service.db, 'refunds', refund, nextQuestion(service, askAfter(outcome)))
}

/** A refund that did not happen gives its part of the charge free again. */
async function settleRefund(
  service: Service,
  charge: Charge,
  refund: Refund,
  action: 'settle' | 'reject' | 'break',
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
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .where('status', '=', refund.status)
      .where('claims', '=', refund.claims)
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
    tx.afterCommit(() => tx.changes.tell(id))
  })
}
