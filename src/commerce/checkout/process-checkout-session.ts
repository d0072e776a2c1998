import { atTimeOf, inTransaction, now, type Service } from '../../service.ts'
import type { CheckoutSession } from './checkout-session.ts'
import { moveCheckoutSession } from './move-checkout-session.ts'

/**
 * An open session expires. A session whose customer begins to pay at that moment does not: its state has
 * changed. Sessions of payment links without an attempt to pay are deleted.
 */
export async function processCheckoutSession(
  service: Service,
  session: CheckoutSession,
): Promise<void> {
  if (session.payment_link_id && session.attempts === 0) {
    await service.db
      .deleteFrom('checkout_sessions')
      .where('merchant_id', '=', session.merchant_id)
      .where('id', '=', session.id)
      .where('status', '=', 'open')
      .where('attempts', '=', 0)
      .execute()
    return
  }
  await inTransaction(service, (tx) => moveCheckoutSession(tx, session, 'expire'))
}

/** Expires an open session of test mode before its time. */
export async function expireNow(
  service: Service,
  { merchant_id, id }: Pick<CheckoutSession, 'merchant_id' | 'id'>,
): Promise<void> {
  await inTransaction(service, async (base) => {
    const session = await base.db
      .selectFrom('checkout_sessions')
      .selectAll()
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .where('mode', '=', 'test')
      .executeTakeFirstOrThrow()
    const tx = atTimeOf(base, session)
    await moveCheckoutSession(tx, session, 'expire', { expires_on: now(tx) })
  })
}
