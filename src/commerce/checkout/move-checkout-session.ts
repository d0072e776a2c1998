import type { Updateable } from 'kysely'
import { nextState } from '../../core/payments/states.ts'
import { isNameIn } from '../../core/table-names.ts'
import { emit } from '../../events/emit.ts'
import { now, type Transacting } from '../../service.ts'
import type { CheckoutSessionTable } from '../../store/tables/commerce/checkout-tables.ts'
import { type CheckoutSession, viewCheckoutSession } from './checkout-session.ts'
import { reserveUse, settleUse } from './link-stock.ts'

type SessionAction = 'start' | 'complete' | 'try_again' | 'expire' | 'cancel'
type SessionChange = Omit<Updateable<CheckoutSessionTable>, 'status' | 'updated_on'>

/** The states that are told to the shop. */
const events = { completed: 'checkout_completed', expired: 'checkout_expired' } as const

/**
 * Moves a session to its next state, with its event. Null: it is no longer in the state it was read in,
 * or the state does not allow it; then nothing was changed.
 */
export async function moveCheckoutSession(
  tx: Transacting,
  session: CheckoutSession,
  action: SessionAction,
  change: SessionChange = {},
): Promise<CheckoutSession | null> {
  const status = nextState('checkout_session', session.status, action)
  if (!status) return null
  const moved = await tx.db
    .updateTable('checkout_sessions')
    .set({
      ...change,
      status,
      updated_on: now(tx),
      due_on: status === 'open' ? session.expires_on : null,
      completed_on: status === 'completed' ? now(tx) : null,
    })
    .where('merchant_id', '=', session.merchant_id)
    .where('id', '=', session.id)
    .where('status', '=', session.status)
    .where('attempts', '=', session.attempts)
    .returningAll()
    .executeTakeFirst()
  if (!moved) return null
  const { payment_link_id } = moved
  if (payment_link_id) await countUse(tx, { ...moved, payment_link_id }, session.status)
  if (isNameIn(events, status)) {
    const { merchant_id, store_id, mode, id: resource_id } = moved
    const data = viewCheckoutSession(tx, moved)
    await emit(tx, events[status], { merchant_id, store_id, mode, resource_id, data })
  }
  tx.afterCommit(() => tx.changes.notify(moved.id))
  return moved
}

/** A payment that is under way keeps a use of the link, whatever becomes of it. */
async function countUse(
  tx: Transacting,
  session: CheckoutSession & { payment_link_id: string },
  before: CheckoutSession['status'],
): Promise<void> {
  if (session.status === 'processing') await reserveUse(tx, session)
  else if (before === 'processing') await settleUse(tx, session, session.status === 'completed')
}
