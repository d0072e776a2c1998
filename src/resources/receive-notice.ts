import { now, type Service } from '../service.ts'
import type { Claimed } from '../store/due-work.ts'
import { bookDeposit } from './deposits/book-deposit.ts'

/**
 * A provider tells that something happened. Nothing of it is believed but that one should look:
 * what became of a payment is asked of the provider itself.
 */
export async function receiveNotice(
  service: Service,
  { merchant_id, resource_type, resource_id }: Notice,
): Promise<void> {
  const due_on = now(service)
  if (resource_type === 'charge') {
    await service.db
      .updateTable('charges')
      // Who is looking at it now has looked too early, and is overtaken.
      .set((column) => ({ due_on, claims: column('claims', '+', 1) }))
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', resource_id)
      .where('status', '=', 'awaiting')
      .where('pending_action', 'is', null)
      .execute()
    service.signals.spread('work', 'charges')
    return
  }
  await service.db
    .updateTable('transaction_tokens')
    .set((column) => ({ due_on, claims: column('claims', '+', 1) }))
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', resource_id)
    .where('three_ds_expires_on', 'is not', null)
    .execute()
  service.signals.spread('work', 'tokens')
}

export interface Notice {
  readonly merchant_id: string
  readonly resource_type: 'charge' | 'transaction_token'
  readonly resource_id: string
}

/** Delivers what a simulated provider has to tell; it is told again until it was heard. */
export async function deliverNotice(
  service: Service,
  notice: Claimed<'simulator_notices'>,
): Promise<void> {
  const { merchant_id, id } = notice
  if (notice.deposit) {
    const { resource_id: charge_id, created_on: paid_on, deposit } = notice
    await bookDeposit(service, { merchant_id, charge_id, paid_on, ...deposit })
  } else await receiveNotice(service, notice)
  service.failpoint('before notice is done')
  await service.db
    .deleteFrom('simulator_notices')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}
