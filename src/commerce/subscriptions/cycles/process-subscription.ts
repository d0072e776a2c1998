import type { Token } from '../../../payments/tokens/token.ts'
import { inTransaction, now, type Service, type Transacting } from '../../../service.ts'
import { stillClaimed } from '../../../store/due/due-work.ts'
import { emitSubscription, moveSubscription, payOn } from '../move-subscription.ts'
import type { Subscription } from '../subscription.ts'
import { chargePayment } from './charge-payment.ts'
import { updatePayment } from './follow-charge.ts'
import { findPayment, openCharge, type Payment } from './subscription-payment.ts'

/**
 * Everything in one transaction with the row locked: a stop that was acknowledged before is seen, and a
 * later one waits. The resulting charge is processed like any other.
 */
export async function processSubscription(service: Service, claim: Subscription): Promise<void> {
  await inTransaction(service, async (tx) => {
    const subscription = await tx.db
      .selectFrom('subscriptions')
      .selectAll()
      .where(stillClaimed(claim))
      .forUpdate()
      .executeTakeFirst()
    if (!subscription) return
    const payment = await findPayment(tx, subscription, subscription.paid)
    if (payment) await takePayment(tx, subscription, payment)
  })
}

async function takePayment(
  tx: Transacting,
  subscription: Subscription,
  payment: Payment,
): Promise<void> {
  const { status } = subscription
  if (status === 'unverified') {
    // Nothing is due before the chosen day: it simply runs from now on.
    await moveSubscription(tx, subscription, 'pay', { due_on: payOn(payment) })
    return
  }
  if (status !== 'current' && status !== 'unpaid') {
    await moveSubscription(tx, subscription, null, { due_on: null })
    return
  }
  if (payOn(payment) > now(tx)) {
    await moveSubscription(tx, subscription, null, { due_on: payOn(payment) })
    return
  }
  // Suspended and resumed while its charge was in progress: that charge decides.
  if (await openCharge(tx, payment)) {
    await moveSubscription(tx, subscription, null, { due_on: null })
    return
  }
  const { terminate_with_status: end } = payment
  if (end) {
    await updatePayment(tx, payment, { terminate_with_status: null })
    const action = end === 'suspended' ? 'suspend' : 'cancel'
    const ended = await moveSubscription(tx, subscription, action, { due_on: null })
    await emitSubscription(tx, `subscription_${end}`, ended)
    return
  }
  // Until the charge has its result there is nothing to do; the result sets the next due time.
  const busy = await moveSubscription(tx, subscription, null, { due_on: null })
  await chargePayment(tx, busy, payment, await tokenOf(tx, subscription), 'fail_charge')
}

export async function tokenOf(
  tx: Transacting,
  { merchant_id, transaction_token_id }: Subscription,
): Promise<Token> {
  return tx.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', transaction_token_id)
    .executeTakeFirstOrThrow()
}
