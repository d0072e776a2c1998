import type { Caller } from '../../core/caller.ts'
import { fail, failField } from '../../core/errors.ts'
import { atTimeOf, inTransaction, type Service, type Transacting } from '../../service.ts'
import { updatePayment } from './follow-charge.ts'
import { emitSubscription, moveSubscription, payNow } from './move-subscription.ts'
import {
  getSubscription,
  isOver,
  type Subscription,
  type SubscriptionPath,
} from './subscription.ts'
import { findPayment } from './subscription-payment.ts'

type End = 'suspended' | 'canceled'

/**
 * Stops a subscription: at once, or right before its next payment. Its row is locked, so after the
 * answer to an immediate stop no charge is made any more.
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
  if (end === 'suspended' && !running) failField('status', 'NOT_ALLOWED_VALUE')
  const payment = await findPayment(tx, subscription, subscription.paid)
  if (running && payment && mode === 'on_next_payment') {
    await updatePayment(tx, payment, { terminate_with_status: end })
    return moveSubscription(tx, subscription, null, {})
  }
  const action = end === 'suspended' ? 'suspend' : 'cancel'
  const ended = await moveSubscription(tx, subscription, action, { due_on: null })
  await emitSubscription(tx, `subscription_${end}`, ended)
  return ended
}

/** Goes on: the tries are counted anew, and what is overdue is charged at once. */
export async function resumeSubscription(
  tx: Transacting,
  subscription: Subscription,
): Promise<Subscription> {
  if (isOver(subscription)) fail('SUBSCRIPTION_ALREADY_ENDED')
  if (subscription.status !== 'suspended') failField('status', 'NOT_ALLOWED_VALUE')
  const payment = await findPayment(tx, subscription, subscription.paid)
  if (!payment) fail('SUBSCRIPTION_ALREADY_ENDED')
  const fresh = await updatePayment(tx, payment, { tries: 0, retry_date: null })
  return moveSubscription(tx, subscription, 'resume', { due_on: payNow(tx, fresh) })
}

/** `work` on the locked subscription, at its own time. */
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
