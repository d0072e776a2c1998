import type { ListTransactionHistoryQuery } from '../../api/api-client.ts'
import type { UrlValues } from '../../api/url-state.ts'
import { startOfDay } from '../../api/zone-days.ts'
import { useTimeFrame } from '../../parts/time-text.tsx'

/** The parameters of the API for the filters in the address: days are days of the merchant's zone. */
export function useHistoryQuery(filters: UrlValues): ListTransactionHistoryQuery {
  const { zone } = useTimeFrame()
  const { from, to, status, brand, ...others } = filters
  return {
    ...others,
    ...(status ? { status: severalOf(status) } : {}),
    ...(brand ? { brand: severalOf(brand) } : {}),
    ...(from ? { from: startOfDay(from, zone) } : {}),
    ...(to ? { to: startOfDay(to, zone, 1) } : {}),
  } as ListTransactionHistoryQuery
}

function severalOf(text: string): string | string[] {
  return text.includes(',') ? text.split(',') : text
}
