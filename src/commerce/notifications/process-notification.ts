import type { Selectable } from 'kysely'
import { notification_policy, provider_policy } from '../../core/limits/retry-policies.ts'
import type { Deadline } from '../../core/time/deadline.ts'
import { providerOf } from '../../open-providers.ts'
import { now, type Service } from '../../service.ts'
import { reschedule } from '../../store/due/due-work.ts'
import { findRow } from '../../store/sql/reads/find-row.ts'
import type { ProviderNotificationTable } from '../../store/tables/payments/provider-tables.ts'
import type { Charge } from '../../store/tables/rows.ts'
import { postArrivedDeposits } from '../deposits/post-arrived-deposits.ts'
import { followDisputes } from '../disputes/follow-disputes.ts'

type Notification = Selectable<ProviderNotificationTable>

/**
 * A provider said that something happened. That is a hint only: what became of a payment, and which money
 * arrived, is asked of the provider.
 */
export async function processNotification(
  service: Service,
  notification: Notification,
  deadline: Deadline,
): Promise<void> {
  const { merchant_id, id, resource_type, resource_id } = notification
  const wait_ms =
    resource_type === 'charge'
      ? await followCharge(service, notification, deadline)
      : await wakeToken(service, merchant_id, resource_id)
  if (wait_ms > 0) {
    const due_on = new Date(service.clock.now() + wait_ms)
    return reschedule(service.db, 'provider_notifications', notification, due_on)
  }
  service.failpoint('before notification is done')
  await service.db
    .deleteFrom('provider_notifications')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}

/** Says after which time to try again; 0: there is nothing more to do. */
async function followCharge(
  service: Service,
  { merchant_id, resource_id }: Notification,
  deadline: Deadline,
): Promise<number> {
  const charge = await findRow(service, 'charges', { merchant_id, id: resource_id })
  if (!charge) return 0
  // The provider was faster than its own response, which has to be written first.
  if (charge.status === 'pending') return notification_policy.pending_ms
  // Money that arrives by itself counts in every state of its charge: what comes late goes back.
  const provider = providerOf(service.providers, charge)
  const attempt = provider && { provider, row: charge, deadline }
  const has_deposits = attempt && charge.match_amount !== null
  if (has_deposits && !(await postArrivedDeposits(service, attempt))) {
    return provider_policy.no_response_ms
  }
  // Only money that was taken can be disputed.
  const may_be_disputed = attempt?.provider.disputes && charge.status === 'successful'
  if (may_be_disputed && !(await followDisputes(service, attempt))) {
    return provider_policy.no_response_ms
  }
  await wakeCharge(service, charge)
  return 0
}

/** A worker that is inquiring now has inquired too early: it loses its claim. */
async function wakeCharge(service: Service, { merchant_id, id }: Charge): Promise<void> {
  await service.db
    .updateTable('charges')
    .set((column) => ({ due_on: now(service), claims: column('claims', '+', 1) }))
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('status', '=', 'awaiting')
    .where('pending_action', 'is', null)
    // The challenge is passed, and the authorization may be under way.
    .where('three_ds_passed_on', 'is', null)
    .execute()
  service.signals.broadcast('work', 'charges')
}

async function wakeToken(service: Service, merchant_id: string, id: string): Promise<number> {
  await service.db
    .updateTable('transaction_tokens')
    .set((column) => ({ due_on: now(service), claims: column('claims', '+', 1) }))
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('three_ds_expires_on', 'is not', null)
    .execute()
  service.signals.broadcast('work', 'tokens')
  return 0
}
