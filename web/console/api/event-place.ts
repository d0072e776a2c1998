import { recordOf } from '../../../src/core/read-unknown.ts'

interface Happened {
  readonly event: string
  readonly data: unknown
  readonly resource_id: string | null
  readonly store_id?: string | null | undefined
}

/** The screen of what an event is about; null: it has none. */
export function eventHref({ event, resource_id, store_id, data }: Happened): string | null {
  const { charge_id } = recordOf(data)
  if (!resource_id) return null
  if (event.startsWith('transfer_')) return `/ledger/payouts/${resource_id}`
  if (!store_id) return null
  if (event.startsWith('charge_')) return `/payments/${store_id}/${resource_id}`
  if (event.startsWith('subscription_')) return `/subscriptions/${store_id}/${resource_id}`
  if (event.startsWith('dispute_')) return `/disputes/${store_id}/${resource_id}`
  if (event.startsWith('checkout_')) return `/checkout/sessions/${store_id}/${resource_id}`
  return typeof charge_id === 'string' ? `/payments/${store_id}/${charge_id}` : null
}
