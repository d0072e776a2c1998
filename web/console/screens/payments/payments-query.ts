import type { ListTransactionHistoryQuery } from '../../api/call-api.ts'
import type { UrlValues } from '../../api/url-state.ts'
import { instantOf } from '../../api/zone-days.ts'
import { useTimeFrame } from '../../parts/values/time-text.tsx'
import { readAmount } from '../../words/format-values.ts'

/**
 * The parameters of the API for the filters in the address. Days are days of the merchant's zone;
 * amounts are typed as people write them, in the chosen currency or in yen.
 */
export function useHistoryQuery(filters: UrlValues): ListTransactionHistoryQuery {
  const { zone } = useTimeFrame()
  const { from, to, status, brand, amount_from, amount_to, ...others } = filters
  const amountOf = (text = '') => readAmount(text, filters.currency ?? 'JPY')
  const at_least = amountOf(amount_from)
  const at_most = amountOf(amount_to)
  return {
    ...others,
    ...(status ? { status: severalOf(status) } : {}),
    ...(brand ? { brand: severalOf(brand) } : {}),
    ...(at_least === null ? {} : { amount_from: at_least }),
    // The API excludes the end of a range.
    ...(at_most === null ? {} : { amount_to: at_most + 1 }),
    ...(from ? { from: instantOf(from, zone) } : {}),
    ...(to ? { to: instantOf(to, zone, 1) } : {}),
  } as ListTransactionHistoryQuery
}

function severalOf(text: string): string | string[] {
  return text.includes(',') ? text.split(',') : text
}
