import { method_facts } from '../../../../src/methods/method-facts.ts'
import type { HistoryItem } from '../../api/call-api.ts'

export type BulkAction = 'refund' | 'capture'

/** Why a row takes no part in an action. */
export type WhySkipped =
  | 'is_refund'
  | 'not_successful'
  | 'not_authorized'
  | 'all_refunded'
  | 'not_refundable'
  | 'converted'

/** The refundable amount of a charge, as its row says. */
export function restOf({ amount, refunded_amount }: HistoryItem): number {
  return amount - (refunded_amount ?? 0)
}

/** Null: the row takes part. The server has the last word. */
export function whySkipped(action: BulkAction, item: HistoryItem): WhySkipped | null {
  if (item.type === 'refund') return 'is_refund'
  if (action === 'capture') return item.status === 'authorized' ? null : 'not_authorized'
  if (item.status !== 'successful') return 'not_successful'
  if (!method_facts[item.payment_type].refundable) return 'not_refundable'
  if (item.refunded_currency !== null && item.refunded_currency !== item.currency)
    return 'converted'
  return restOf(item) > 0 ? null : 'all_refunded'
}

export function amountOf(action: BulkAction, item: HistoryItem): number {
  return action === 'refund' ? restOf(item) : item.amount
}

/** The same for the same row: what was sent before has its effect once, however often it is repeated. */
export function keyOf(action: BulkAction, item: HistoryItem): string {
  const { resource_id, amount, refunded_amount } = item
  return `console-${action}-${resource_id}-${amount}-${refunded_amount ?? 0}`
}

/** The sums of rows by currency. */
export function sumsOfRows(action: BulkAction, items: readonly HistoryItem[]) {
  const sums = new Map<string, number>()
  for (const item of items) {
    sums.set(item.currency, (sums.get(item.currency) ?? 0) + amountOf(action, item))
  }
  return [...sums]
}
