import { minute_ms } from '../time/time-units.ts'

/**
 * How many cards can be tried where someone without a secret learns whether a card is good. An attempt counts
 * from its beginning, and is returned when the card turns out to be good and its holder has passed 3-D Secure.
 *
 * `card_address` and `card_number` refuse. A check that charges nothing would tell of good cards for free:
 * `card_check` bounds those of an address, whatever their result. When `card_store` or `card_credential` is used up, pages and card fields
 * of ours ask for a challenge, and other calls are refused. A program can solve challenges, too:
 * `card_challenged` bounds them by address, and `card_proof` accepts each answer once. Calls with a secret are never
 * refused: `card_with_secret` only says when the merchant is told.
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
