import { Failure } from '../../../core/api/errors.ts'
import { atTimeOf, type Service } from '../../../service.ts'
import { createCancel } from '../../cancels/cancel.ts'
import type { CheckoutSession } from '../checkout-session.ts'

/**
 * The customer returns to choose another payment method: the charge that waits for them is canceled, and
 * when that is done the session is open again. A payment that can no longer be stopped continues. The session
 * is not locked here: its charge decides, and moves it.
 */
export async function leavePayment(base: Service, session: CheckoutSession): Promise<void> {
  const { store_id, charge_id } = session
  if (session.status !== 'processing' || !charge_id) return
  await createCancel(atTimeOf(base, session), session, { store_id, charge_id }, {}).catch(
    (error) => {
      if (!(error instanceof Failure && error.code === 'CANCEL_NOT_ALLOWED')) throw error
    },
  )
}
