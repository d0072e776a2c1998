import { provider_policy } from '../../core/limits/retry-policies.ts'
import type { Service } from '../../service.ts'
import { type QueueTable, reschedule } from '../../store/due/due-work.ts'

/** The provider of a payment is no longer configured: its pending operations wait until it is. */
export async function awaitProvider(
  service: Service,
  table: QueueTable,
  row: { readonly merchant_id: string; readonly id: string; readonly claims: number },
): Promise<void> {
  const { merchant_id, id: resource_id } = row
  service.log.error(
    { merchant_id, resource_id, table },
    'the provider of a payment is not configured',
  )
  const due_on = new Date(service.clock.now() + provider_policy.missing_provider_ms)
  await reschedule(service.db, table, row, due_on)
}
