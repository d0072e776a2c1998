import type { Caller } from '../../core/access/caller.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { atTimeOf, inTransaction, type Service, type Transacting } from '../../service.ts'
import { createCancel } from '../cancels/cancel.ts'
import { updatePayment } from './cycles/follow-charge.ts'
import { findPayment, type Payment } from './cycles/subscription-payment.ts'
import { emitSubscription, moveSubscription, payNow } from './move-subscription.ts'
import {
  getSubscription,
  isOver,
  type Subscription,
  type SubscriptionPath,
} from './subscription.ts'

type End = 'suspended' | 'canceled'

/**
 * Stops a subscription: immediately, or right before its next payment. Its row is locked, so after the
 * response to an immediate stop no charge is created any more.
 */
export async function endSubscription(
  tx: Transacting,
  subscription: Subscription,
  end: End,
  mode: Subscription['termination_mode'] = subscription.termination_mode,
): Promise<Subscription> {
  if (isOver(subscription)) fail('SUBSCRIPTION_ALREADY_ENDED')
  const { status } = subscription
  const running = status === 'current' || status === 'unpaid'
  if (end === 'suspended' && !running) {
    failField('status', 'NOT_ALLOWED_VALUE', 'can be suspended while current or unpaid only')
  }
  const payment = await findPayment(tx, subscription, subscription.paid)
  if (running && payment && mode === 'on_next_payment') {
    await updatePayment(tx, payment, { terminate_with_status: end })
    return moveSubscription(tx, subscription, null, {})
  }
  const action = end === 'suspended' ? 'suspend' : 'cancel'
  const ended = await moveSubscription(tx, subscription, action, { due_on: null })
  if (status === 'authorized' && payment) await releaseHold(tx, subscription, payment)
  await emitSubscription(tx, `subscription_${end}`, ended)
  return ended
}

/** The hold of the first payment is released, instead of being captured days later. */
async function releaseHold(
  tx: Transacting,
  { merchant_id, store_id, mode }: Subscription,
  { id: payment_id }: Payment,
): Promise<void> {
  const held = await tx.db
    .selectFrom('charges')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('payment_id', '=', payment_id)
    .where('status', '=', 'authorized')
    .where('pending_action', 'is', null)
    .executeTakeFirst()
  if (held) await createCancel(tx, { merchant_id, mode }, { store_id, charge_id: held.id }, {})
}

/**
 * Resumes: attempts are counted from zero, and what is overdue is charged immediately. A scheduled
 * suspension is dropped; a scheduled cancellation is not.
 */
export async function resumeSubscription(
  tx: Transacting,
  subscription: Subscription,
): Promise<Subscription> {
  if (isOver(subscription)) fail('SUBSCRIPTION_ALREADY_ENDED')
  if (subscription.status !== 'suspended') {
    failField('status', 'NOT_ALLOWED_VALUE', 'can be unpaid only after suspended')
  }
  const payment = await findPayment(tx, subscription, subscription.paid)
  if (!payment) fail('SUBSCRIPTION_ALREADY_ENDED')
  const { terminate_with_status: end } = payment
  const fresh = await updatePayment(tx, payment, {
    tries: 0,
    retry_date: null,
    terminate_with_status: end === 'suspended' ? null : end,
  })
  return moveSubscription(tx, subscription, 'resume', { due_on: payNow(tx, fresh) })
}

/** Runs `work` on the locked subscription, at its own time. */
export async function changeSubscription(
  service: Service,
  caller: Caller,
  path: SubscriptionPath,
  work: (tx: Transacting, subscription: Subscription) => Promise<Subscription>,
): Promise<Subscription> {
  return inTransaction(service, async (base) => {
    const subscription = await getSubscription(base, caller, path, true)
    const tx = atTimeOf(base, subscription)
    return work(tx, subscription)
  })
}
