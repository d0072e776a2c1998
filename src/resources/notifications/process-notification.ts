import type { Selectable } from 'kysely'
import { provider_policy } from '../../core/limits/retry-policies.ts'
import type { Deadline } from '../../core/time/deadline.ts'
import { providerOf } from '../../providers/providers.ts'
import { now, type Service } from '../../service.ts'
import { reschedule } from '../../store/due-work.ts'
import type { ProviderNotificationTable } from '../../store/tables/provider-tables.ts'
import { postArrivedDeposits } from '../deposits/post-arrived-deposits.ts'

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
  if (resource_type === 'charge') {
    if (!(await postDeposits(service, notification, deadline))) {
      const due_on = new Date(now(service).getTime() + provider_policy.no_answer_ms)
      return reschedule(service.db, 'provider_notifications', notification, due_on)
    }
    await wakeCharge(service, merchant_id, resource_id)
  } else await wakeToken(service, merchant_id, resource_id)
  service.failpoint('before notification is done')
  await service.db
    .deleteFrom('provider_notifications')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}

/** Money that arrives by itself counts in every state of its charge: what comes late goes back. */
async function postDeposits(
  service: Service,
  notification: Notification,
  deadline: Deadline,
): Promise<boolean> {
  const { merchant_id, resource_id } = notification
  const charge = await service.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', resource_id)
    .where('match_amount', 'is not', null)
    .executeTakeFirst()
  const provider = charge && providerOf(service.providers, charge)
  if (!charge || !provider) return true
  return postArrivedDeposits(service, { provider, row: charge, deadline })
}

/** A worker that is inquiring now has inquired too early: it loses its claim. */
async function wakeCharge(service: Service, merchant_id: string, id: string): Promise<void> {
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

async function wakeToken(service: Service, merchant_id: string, id: string): Promise<void> {
  await service.db
    .updateTable('transaction_tokens')
    .set((column) => ({ due_on: now(service), claims: column('claims', '+', 1) }))
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('three_ds_expires_on', 'is not', null)
    .execute()
  service.signals.broadcast('work', 'tokens')
}
