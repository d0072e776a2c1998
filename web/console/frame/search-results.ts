import type { SearchResult } from '../api/call-api.ts'
import type { IconName } from '../parts/values/icon.tsx'

/** The screen of something found; a refund and a deposit are on that of their payment. */
export function resultPath({ type, id, store_id, charge_id }: SearchResult): string {
  switch (type) {
    case 'customer':
      return `/customers/${id}`
    case 'subscription':
      return `/subscriptions/${store_id}/${id}`
    case 'dispute':
      return `/disputes/${store_id}/${id}`
    case 'transfer':
      return `/ledger/payouts/${id}`
    case 'payment_link':
      return `/checkout/links/${store_id}/${id}`
    case 'checkout_session':
      return `/checkout/sessions/${store_id}/${id}`
    default:
      return `/payments/${store_id}/${charge_id}`
  }
}

export const result_icons: Readonly<Record<SearchResult['type'], IconName>> = {
  charge: 'payments',
  customer: 'customers',
  subscription: 'subscriptions',
  refund: 'refund',
  dispute: 'disputes',
  deposit: 'deposits',
  transfer: 'ledger',
  payment_link: 'external',
  checkout_session: 'checkout',
}
