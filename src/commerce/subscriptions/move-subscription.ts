import { sql } from 'kysely'
import { paymentAmount, paymentCount } from '../../core/money/payment-plan.ts'
import { nextState } from '../../core/payments/states.ts'
import { hour_ms } from '../../core/time/clock.ts'
import { paymentTime } from '../../core/time/schedule.ts'
import { emit } from '../../events/emit.ts'
import type { EventName } from '../../events/event-names.ts'
import { newRow, now, type Transacting } from '../../service.ts'
import type { Payment } from './cycles/subscription-payment.ts'
import {
  isOver,
  oneWithNext,
  paymentDate,
  type Subscription,
  viewSubscription,
} from './subscription.ts'

export type SubscriptionAction =
  | 'hold'
  | 'pay'
  | 'fail'
  | 'miss'
  | 'restart'
  | 'suspend'
  | 'resume'
  | 'complete'
  | 'cancel'

type Change = Partial<Pick<Subscription, 'due_on' | 'paid'>>

/**
 * Changes a subscription whose row is locked: its status by the state table, where an action is given,
 * and when it is due next. A worker that claimed it meanwhile loses its claim.
 */
export async function moveSubscription(
  tx: Transacting,
  subscription: Subscription,
  action: SubscriptionAction | null,
  change: Change,
): Promise<Subscription> {
  const { merchant_id, id } = subscription
  const status = action
    ? nextState('subscription', subscription.status, action)
    : subscription.status
  if (!status) throw new Error(`A subscription that is ${subscription.status} cannot ${action}.`)
  const moved = await tx.db
    .updateTable('subscriptions')
    .set((column) => ({ ...change, status, updated_on: now(tx), claims: column('claims', '+', 1) }))
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('status', '=', subscription.status)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isOver(moved) && !isOver(subscription)) await releaseToken(tx, moved)
  tx.afterCommit(() => tx.changes.notify(id))
  if (change.due_on) tx.afterCommit(() => tx.signals.broadcast('work', 'subscriptions'))
  return moved
}

/** A token that was created for this subscription alone is used up; its card is not kept. */
export async function releaseToken(tx: Transacting, subscription: Subscription): Promise<void> {
  const { merchant_id, id, transaction_token_id } = subscription
  await sql`
    update transaction_tokens t set active = false, updated_on = ${now(tx)}, card_number = case
      when exists (select from charges c where c.merchant_id = ${merchant_id}
        and c.subscription_id = ${id} and c.status in ('pending', 'awaiting'))
      then t.card_number end
    where t.merchant_id = ${merchant_id} and t.id = ${transaction_token_id}
      and t.type = 'subscription'`.execute(tx.db)
}

export async function emitSubscription(
  tx: Transacting,
  name: Extract<EventName, `subscription_${string}`>,
  subscription: Subscription,
): Promise<void> {
  const { merchant_id, store_id, mode, id: resource_id } = subscription
  const data = viewSubscription(tx, await oneWithNext(tx, subscription))
  await emit(tx, name, { merchant_id, store_id, mode, resource_id, data })
}

/** Inserts the next payment; null when there is none left. */
export async function addPayment(
  tx: Transacting,
  subscription: Subscription,
  number: number,
  terminate_with_status: Payment['terminate_with_status'] = null,
): Promise<Payment | null> {
  const amount = paymentAmount(subscription, number)
  if (amount === null) return null
  const { id, created_on } = newRow(tx)
  const { merchant_id, id: subscription_id, zone_id, currency } = subscription
  return tx.db
    .insertInto('subscription_payments')
    .values({
      merchant_id,
      id,
      subscription_id,
      number,
      due_date: paymentDate(subscription, number),
      zone_id,
      amount,
      currency,
      is_paid: false,
      is_last_payment: paymentCount(subscription) === number + 1,
      successful_payment_date: null,
      retry_date: null,
      terminate_with_status,
      created_on,
      updated_on: created_on,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** After downtime overdue payments are made one after the other, not in a burst. */
const catch_up_ms = hour_ms

/** When a payment is made: at nine on its day, or on that of its next attempt. */
export function payOn({ due_date, retry_date, zone_id }: Payment): Date {
  return paymentTime(retry_date ?? due_date, zone_id)
}

/** The same for the payment after one that was just made: never directly after it. */
export function payAfterwards(tx: Transacting, payment: Payment): Date {
  const time = payOn(payment)
  const at = now(tx)
  return time > at ? time : new Date(at.getTime() + catch_up_ms)
}

/** The same for a payment that was held back: immediately when it is due. */
export function payNow(tx: Transacting, payment: Payment): Date {
  const time = payOn(payment)
  const at = now(tx)
  return time > at ? time : at
}
