import { minute_ms } from '../time/time-units.ts'

/**
 * How many cards can be tried where someone without a secret learns whether a card is good. An attempt
 * counts from its beginning. It is returned when the card is good and its holder has passed 3-D Secure.
 *
 * - `card_address` and `card_number` refuse.
 * - `card_check` bounds the checks of an address that charge nothing, whatever their result: otherwise good
 *   cards would be found for free.
 * - When `card_store` or `card_credential` is used up, our pages and card fields solve a challenge, and other
 *   calls are refused.
 * - `card_challenged` bounds solved challenges by address, because programs can solve them, too.
 * - `card_proof` accepts each answer once.
 * - `card_with_secret` refuses nothing. It says when the merchant is alerted.
 */
export const card_testing_rates = {
  card_address: { per_minute: 0.1, burst: 10 },
  card_check: { per_minute: 1, burst: 30 },
  card_number: { per_minute: 0.1, burst: 5 },
  card_store: { per_minute: 1, burst: 60 },
  card_credential: { per_minute: 0.5, burst: 30 },
  card_challenged: { per_minute: 0.1, burst: 1 },
  card_proof: { per_minute: 0.1, burst: 1 },
  card_with_secret: { per_minute: 4, burst: 120 },
} as const

/** How hard the built-in challenge is, in leading zero bits, and how long it can be answered. */
export const challenge_policy = { bits: 16, bits_per_decline: 1, life_ms: 10 * minute_ms } as const
