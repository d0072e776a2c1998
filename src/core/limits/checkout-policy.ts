import { day_ms, hour_ms, minute_ms, second_ms } from '../time/time-units.ts'

/** How long a checkout session is open. */
export const session_life = {
  min_ms: 5 * minute_ms,
  default_ms: day_ms,
  max_ms: 7 * day_ms,
  /** Of a visitor of a payment link. */
  of_visit_ms: 2 * hour_ms,
} as const

export const max_line_items = 100

/** How often a session can be paid with cards that are declined, and with anything at all. */
export const session_attempts = { max_declines: 5, max: 30 } as const

const retry_delays_ms = [1, 2, 4, 8, 16].map((seconds) => seconds * second_ms)

/** How long the customer waits for the result of the n-th declined card, and can try no other. */
export function retryDelay(declines: number): number {
  return retry_delays_ms[Math.min(declines, retry_delays_ms.length) - 1] ?? 0
}

/** How many receipts of a payment are mailed, and for how long; mails are kept as long, to count them. */
export const receipt_mails = { max: 3, offered_ms: day_ms } as const

/** Limits of an address: new sessions from payment links, sessions of Apple Pay, receipts by e-mail. */
export const checkout_rates = {
  checkout_visit: { per_minute: 10, burst: 20 },
  checkout_wallet: { per_minute: 10, burst: 20 },
  checkout_receipt: { per_minute: 5, burst: 10 },
} as const
