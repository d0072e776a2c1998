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

/**
 * Card attempts that were declined, or whose result is not known yet: of an address, of a card, and of a
 * store, whose customers then have to meet a challenge. `checkout_attacked`: those of an address that met
 * one, because a program can do that too. Attempts that succeed do not count. `checkout_visit`: new sessions
 * that an address gets from payment links.
 */
export const checkout_rates = {
  checkout_address: { per_minute: 0.1, burst: 10 },
  checkout_card: { per_minute: 0.1, burst: 5 },
  checkout_store: { per_minute: 1, burst: 60 },
  checkout_attacked: { per_minute: 0.1, burst: 1 },
  checkout_visit: { per_minute: 10, burst: 20 },
} as const

/** How hard the built-in challenge is, in leading zero bits, and how long it can be answered. */
export const challenge_policy = { bits: 16, bits_per_decline: 1, life_ms: 10 * minute_ms } as const
