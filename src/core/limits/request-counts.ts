import { randomBytes } from 'node:crypto'
import { login_rates } from '../access/users.ts'
import { namesOf, tableOf } from '../table-names.ts'
import { newBuckets, type Rate } from './bucket.ts'
import { card_testing_rates } from './card-testing-policy.ts'
import { checkout_rates } from './checkout-policy.ts'
import { attempt_limit, rate_limits } from './limits.ts'

/** The limits of the API, those of logging in, those of checkout pages and those against card testing. */
export const counted_limits = {
  ...rate_limits,
  ...checkout_rates,
  ...card_testing_rates,
  login_source: login_rates.source,
  login_account: login_rates.account,
  /** The checks of unknown credentials. */
  attempt: attempt_limit,
} as const satisfies Record<string, Rate>

export type LimitName = keyof typeof counted_limits

/** A bucket: its limit and its subject. */
export type CountKey<Name extends LimitName = LimitName> = readonly [limit: Name, key: string]

export interface Counted {
  readonly allowed: boolean
  /** The remaining tokens of each bucket, in the order of the keys. */
  readonly remaining: readonly number[]
  /** When it was refused: how long until it is allowed. */
  readonly wait_ms: number
}

/**
 * The counts behind the rate limits. One process counts for all processes of a machine, and a shared server
 * for all machines, so results may come a moment later.
 */
export interface RequestCounts {
  /** Mixed into keys that may contain a secret; the same in all processes that count together. */
  readonly hash_key: Buffer
  /** Takes one from every bucket, or from none when one of them is empty. */
  take(keys: readonly CountKey[]): Counted | Promise<Counted>
  /** Returns one token to every bucket: the attempt does not count after all. */
  giveBack(keys: readonly CountKey[]): void
  /** Counts the check of an unknown credential. Zero, or how long to wait in milliseconds. */
  attempt(subject: string): number | Promise<number>
  /** The credential was valid: its check does not count. */
  succeeded(subject: string): void
}

export interface OwnCounts extends RequestCounts {
  take(keys: readonly CountKey[]): Counted
  attempt(subject: string): number
}

/** Counts in the memory of this process; each of `share` machines has a part of every limit. */
export function newRequestCounts(monotonic: () => number, share?: () => number): OwnCounts {
  const buckets = tableOf(namesOf(counted_limits), (name) =>
    newBuckets(counted_limits[name], share),
  )

  /** One bucket is empty, so the previous ones are refilled. */
  function refused(keys: readonly CountKey[], taken: number, now_ms: number): Counted {
    const remaining: number[] = []
    let wait_ms = 0
    let index = 0
    for (const [name, key] of keys) {
      const bucket = buckets[name]
      if (index < taken) bucket.giveBack(key, now_ms)
      remaining.push(bucket.remaining(key, now_ms))
      wait_ms = Math.max(wait_ms, bucket.wait(key, now_ms))
      index += 1
    }
    return { allowed: false, remaining, wait_ms }
  }

  function take(keys: readonly CountKey[]): Counted {
    const now_ms = monotonic()
    const remaining: number[] = []
    for (const [name, key] of keys) {
      const left = buckets[name].take(key, now_ms)
      if (left < 0) return refused(keys, remaining.length, now_ms)
      remaining.push(left)
    }
    return { allowed: true, remaining, wait_ms: 0 }
  }

  function giveBack(keys: readonly CountKey[]): void {
    for (const [name, key] of keys) buckets[name].giveBack(key, monotonic())
  }

  return {
    hash_key: randomBytes(32),
    take,
    giveBack,
    attempt: (subject) => take([['attempt', subject]]).wait_ms,
    succeeded: (subject) => giveBack([['attempt', subject]]),
  }
}
