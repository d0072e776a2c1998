import { retryDelay } from '../../core/limits/checkout-policy.ts'
import { method_facts } from '../../methods/method-facts.ts'
import type { Charge } from '../../payments/charges/charge.ts'
import { deleteToken } from '../../payments/tokens/delete-token.ts'
import { type ChargeEffect, now, type Transacting } from '../../service.ts'
import { lockRow } from '../../store/sql/reads/find-row.ts'
import { endSubscription } from '../subscriptions/end-subscription.ts'
import { isOver } from '../subscriptions/subscription.ts'
import { settleAttempt } from './checkout-limits.ts'
import type { CheckoutSession } from './checkout-session.ts'
import { moveCheckoutSession } from './move-checkout-session.ts'

/**
 * The charge of a session changed its state: the session follows, in the same transaction. Only its newest
 * charge moves it, and only while it is processing: it is completed once.
 */
async function followCheckoutCharge(tx: Transacting, charge: Charge): Promise<void> {
  const { merchant_id, checkout_session_id } = charge
  if (!checkout_session_id) return
  const session = await lockRow(tx, 'checkout_sessions', { merchant_id, id: checkout_session_id })
  if (session?.status !== 'processing' || session.charge_id !== charge.id) return
  tx.afterCommit((service) => settleAttempt(service, session, charge))
  switch (charge.status) {
    case 'awaiting':
      tx.afterCommit(() => tx.changes.notify(session.id))
      return
    case 'authorized':
    case 'successful':
      await moveCheckoutSession(tx, session, 'complete')
      return
    case 'failed':
    case 'error':
    case 'canceled':
      await attemptFailed(tx, session, charge)
  }
}

/** The code of a charge whose customer did not pay in time. */
const too_late = 327

/** The customer can try again, unless it is too late for that: also when money was expected until now. */
async function attemptFailed(
  tx: Transacting,
  session: CheckoutSession,
  { status, error, payment_type }: Charge,
): Promise<void> {
  const { holds, deposit } = method_facts[payment_type]
  const declines = session.declines + (holds && status === 'failed' ? 1 : 0)
  const is_declined = declines > session.declines
  const is_over = session.expires_on <= now(tx) || (deposit && error?.code === too_late)
  await dropAttempt(tx, session)
  await moveCheckoutSession(tx, session, is_over ? 'expire' : 'try_again', {
    declines,
    error: error && JSON.stringify(error),
    retry_on: is_declined ? new Date(tx.clock.now() + retryDelay(declines)) : null,
  })
}

/** What a failed attempt leaves behind is not kept: no stored card that was declined, no subscription. */
async function dropAttempt(tx: Transacting, session: CheckoutSession): Promise<void> {
  const { merchant_id, store_id, mode, subscription_id, transaction_token_id } = session
  if (subscription_id) {
    const subscription = await lockRow(tx, 'subscriptions', { merchant_id, id: subscription_id })
    if (subscription && !isOver(subscription)) {
      await endSubscription(tx, subscription, 'canceled', 'immediate')
    }
  }
  // Ids sort by creation: a card that was stored before is the customer's, and stays.
  if (!transaction_token_id || transaction_token_id < session.id) return
  const token = await tx.db
    .selectFrom('transaction_tokens')
    .select(['type', 'active'])
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', transaction_token_id)
    .executeTakeFirst()
  if (!token?.active || token.type === 'one_time') return
  await deleteToken(tx, { merchant_id, mode }, store_id, transaction_token_id)
}

export const checkout_effect: ChargeEffect = {
  applies: ({ checkout_session_id }) => checkout_session_id !== null,
  run: followCheckoutCharge,
}
