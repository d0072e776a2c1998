import type { Caller } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { atTimeOf, inTransaction, type Service } from '../../service.ts'
import { type CheckoutSession, getCheckoutSession, type SessionPath } from './checkout-session.ts'
import { moveCheckoutSession } from './move-checkout-session.ts'

/** Closes an open session. A payment that is under way is not interrupted: its charge can be canceled. */
export async function cancelCheckoutSession(
  service: Service,
  caller: Caller,
  path: SessionPath,
): Promise<CheckoutSession> {
  return inTransaction(service, async (base) => {
    const session = await getCheckoutSession(base, caller, path, true)
    const tx = atTimeOf(base, session)
    if (session.status === 'processing') fail('CHECKOUT_SESSION_PROCESSING')
    const canceled = await moveCheckoutSession(tx, session, 'cancel')
    return canceled ?? fail('CHECKOUT_SESSION_ENDED')
  })
}
