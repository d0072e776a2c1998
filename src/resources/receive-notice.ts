import { second_ms } from '../core/clock.ts'
import { atTimeOf, now, type Service } from '../service.ts'
import { type Claim, claimDue } from '../store/due-work.ts'
import { bookDeposit } from './deposits/book-deposit.ts'
import { eachClaim } from './provider-call.ts'

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

const lease_ms = 30 * second_ms

/** Delivers what the simulated providers have to tell; it is told again until it was heard. */
export async function deliverSimulatorNotices(service: Service, most: number): Promise<number> {
  const claimed = await claimDue(service, 'simulator_notices', { lease_ms, most })
  await eachClaim(service, claimed, (claim) => deliver(service, claim))
  return claimed.length
}

async function deliver(service: Service, { merchant_id, id }: Claim): Promise<void> {
  const notices = service.db
    .selectFrom('simulator_notices')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
  const notice = await notices.executeTakeFirst()
  if (!notice) return
  const timed = atTimeOf(service, { merchant_id, mode: 'test' })
  if (notice.deposit) {
    const { resource_id: charge_id, created_on: paid_on, deposit } = notice
    await bookDeposit(timed, { merchant_id, charge_id, paid_on, ...deposit })
  } else await receiveNotice(timed, notice)
  service.failpoint('before notice is done')
  await service.db
    .deleteFrom('simulator_notices')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}
