import { default_payment_attempts } from '../../../accounts/configuration/configuration-defaults.ts'
import { day_ms, minute_ms } from '../../../core/time/clock.ts'
import { readDuration } from '../../../core/time/durations.ts'
import { addDays, cycleDays, dateIn } from '../../../core/time/schedule.ts'
import type { Charge } from '../../../payments/charges/charge.ts'
import { storeRules } from '../../../payments/store-rules/store-rules.ts'
import { type ChargeEffect, now, type Transacting } from '../../../service.ts'
import { findRow, lockRow } from '../../../store/sql/reads/find-row.ts'
import {
  addPayment,
  emitSubscription,
  moveSubscription,
  payAfterwards,
  payOn,
} from '../move-subscription.ts'
import { cycleOf, isOver, type Subscription } from '../subscription.ts'
import type { Payment } from './subscription-payment.ts'

/**
 * A charge of a subscription changed its state: its payment and its subscription follow, in the same
 * transaction.
 */
export async function followCharge(tx: Transacting, charge: Charge): Promise<void> {
  const { merchant_id, subscription_id, payment_id } = charge
  if (!subscription_id || !payment_id) return
  const subscription = await lockRow(tx, 'subscriptions', { merchant_id, id: subscription_id })
  const payment = await findRow(tx, 'subscription_payments', { merchant_id, id: payment_id })
  if (!subscription || !payment || payment.is_paid) return
  switch (charge.status) {
    case 'authorized':
      if (subscription.status === 'unverified') {
        await moveSubscription(tx, subscription, 'hold', {})
      }
      return
    case 'successful':
      return paid(tx, subscription, payment, charge.requested_amount)
    case 'failed':
    case 'error':
    case 'canceled':
      return unpaid(tx, subscription, payment, charge.error?.code ?? 0)
  }
}

/**
 * A payment was made, or its merchant marked it as paid: inserts the next one. The amount may have
 * changed since the charge was created; the charged amount counts. A requested end takes precedence
 * over the next payment.
 */
export async function paid(
  tx: Transacting,
  subscription: Subscription,
  payment: Payment,
  amount = payment.amount,
): Promise<void> {
  const today = dateIn(payment.zone_id, now(tx))
  await updatePayment(tx, payment, {
    amount,
    is_paid: true,
    successful_payment_date: today,
    retry_date: null,
  })
  const number = payment.number + 1
  const next = isOver(subscription)
    ? null
    : await addPayment(tx, subscription, number, payment.terminate_with_status)
  if (isOver(subscription)) {
    await moveSubscription(tx, subscription, null, { paid: number, due_on: null })
    return
  }
  if (!next) return complete(tx, subscription, number)
  const waits = subscription.status === 'suspended'
  const action = subscription.status === 'current' || waits ? null : 'pay'
  const due_on = waits ? null : payAfterwards(tx, next)
  const moved = await moveSubscription(tx, subscription, action, { paid: number, due_on })
  await emitSubscription(tx, 'subscription_payment', moved)
}

async function complete(tx: Transacting, subscription: Subscription, paid_count: number) {
  // Suspended, but paid in full: resuming it would have nothing to do.
  const open =
    subscription.status === 'suspended'
      ? await moveSubscription(tx, subscription, 'pay', {})
      : subscription
  const done = await moveSubscription(tx, open, 'complete', { paid: paid_count, due_on: null })
  await emitSubscription(tx, 'subscription_payment', done)
  await emitSubscription(tx, 'subscription_completed', done)
}

const too_quick = 311
const not_undone = 328
const postponed_ms = minute_ms

/** A payment failed: the first one leaves the subscription unconfirmed, a later one is retried. */
async function unpaid(
  tx: Transacting,
  subscription: Subscription,
  payment: Payment,
  code: number,
): Promise<void> {
  const { status } = subscription
  if (status === 'unverified' || status === 'authorized') {
    const failed = await moveSubscription(tx, subscription, 'fail', { due_on: null })
    await emitSubscription(tx, 'subscription_failure', failed)
    return
  }
  if (status !== 'current' && status !== 'unpaid') return
  if (code === too_quick) return postpone(tx, subscription, payment)
  const { max_attempts, then } = await retryRules(tx, subscription)
  // The money may have been taken and not returned, so the customer must not be charged again.
  if (payment.tries < max_attempts && code !== not_undone) {
    const again = await updatePayment(tx, payment, {
      retry_date: addDays(dateIn(payment.zone_id, now(tx)), retryDays(subscription, max_attempts)),
    })
    const action = status === 'current' ? 'miss' : null
    const missed = await moveSubscription(tx, subscription, action, { due_on: payOn(again) })
    await emitSubscription(tx, 'subscription_failure', missed)
    return
  }
  await updatePayment(tx, payment, { retry_date: null })
  const action = then === 'suspended' ? 'suspend' : 'cancel'
  const ended = await moveSubscription(tx, subscription, action, { due_on: null })
  await emitSubscription(tx, 'subscription_failure', ended)
  await emitSubscription(tx, `subscription_${then}`, ended)
}

/**
 * Another payment of the same card was faster: this one is made in a moment, and does not count as an
 * attempt.
 */
async function postpone(tx: Transacting, subscription: Subscription, payment: Payment) {
  await updatePayment(tx, payment, { tries: Math.max(payment.tries - 1, 0) })
  const due_on = new Date(tx.clock.now() + postponed_ms)
  await moveSubscription(tx, subscription, null, { due_on })
}

async function retryRules(tx: Transacting, { merchant_id, store_id }: Subscription) {
  const { configuration } = await storeRules(tx, merchant_id, store_id, true)
  const settings = configuration.subscription_configuration
  const max_attempts = Math.max(settings.failed_charges_to_cancel ?? default_payment_attempts, 1)
  const then = settings.suspend_on_cancel === false ? 'canceled' : 'suspended'
  return { max_attempts, then } as const
}

/** The subscription's interval, shortened to fit all attempts into the cycle; whole days. */
function retryDays(subscription: Subscription, max_attempts: number): number {
  const { retry_interval } = subscription
  const chosen_ms = retry_interval ? readDuration(retry_interval) : null
  if (chosen_ms) return Math.max(Math.floor(chosen_ms / day_ms), 1)
  return Math.max(Math.floor(cycleDays(cycleOf(subscription)) / max_attempts), 1)
}

type PaymentChange = Partial<
  Pick<Payment, 'is_paid' | 'successful_payment_date' | 'retry_date' | 'tries' | 'attempts'>
> &
  Partial<Pick<Payment, 'due_date' | 'amount' | 'is_last_payment' | 'terminate_with_status'>>

export async function updatePayment(
  tx: Transacting,
  { merchant_id, id }: Payment,
  change: PaymentChange,
): Promise<Payment> {
  return tx.db
    .updateTable('subscription_payments')
    .set({ ...change, updated_on: now(tx) })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const subscription_effect: ChargeEffect = {
  applies: ({ subscription_id }) => subscription_id !== null,
  run: followCharge,
}
