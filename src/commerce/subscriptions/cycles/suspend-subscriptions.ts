import { nextState } from '../../../core/payments/states.ts'
import type { Effects, Transacting } from '../../../service.ts'
import { emitSubscription, moveSubscription } from '../move-subscription.ts'
import type { Subscription } from '../subscription.ts'

/** The subscriptions of a token that have not ended; locked, in one order. */
async function findOpenSubscriptions(
  tx: Transacting,
  token: { merchant_id: string; id: string },
  lock: boolean,
): Promise<Subscription[]> {
  const open = tx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('merchant_id', '=', token.merchant_id)
    .where('transaction_token_id', '=', token.id)
    .where('status', 'not in', ['canceled', 'completed'])
    .orderBy('id')
  return lock ? open.forUpdate().execute() : open.limit(1).execute()
}

/**
 * Suspends the running subscriptions, in the caller's transaction. One that is suspended, or whose
 * first payment failed or is only authorized, stays as it is: nothing more is billed before it gets
 * another token.
 */
async function suspendSubscriptions(
  tx: Transacting,
  subscriptions: readonly Subscription[],
): Promise<void> {
  for (const subscription of subscriptions) {
    if (!nextState('subscription', subscription.status, 'suspend')) continue
    const suspended = await moveSubscription(tx, subscription, 'suspend', { due_on: null })
    await emitSubscription(tx, 'subscription_suspended', suspended)
  }
}

export const payers: Effects['payers'] = {
  async lock(tx, token) {
    await findOpenSubscriptions(tx, token, true)
  },
  async stop(tx, token, how) {
    const subscriptions = await findOpenSubscriptions(tx, token, how === 'suspend')
    if (how === 'refuse') return subscriptions.length === 0
    await suspendSubscriptions(tx, subscriptions)
    return true
  },
}
