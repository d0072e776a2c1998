import { randomBytes } from 'node:crypto'
import { login_rates } from '../users.ts'
import { type Buckets, newBuckets } from './bucket.ts'
import { attempt_limit, rate_limits } from './limits.ts'

/** The limits of the API, and those of logging in. */
type LimitName = keyof typeof rate_limits | 'login_source' | 'login_account'

/** A bucket: its limit and its subject. */
export type CountKey<Name extends LimitName = LimitName> = readonly [limit: Name, key: string]

export interface Counted {
  readonly allowed: boolean
  /** What is left in each bucket, in the order of the keys. */
  readonly remaining: readonly number[]
  /** When it was refused: how long until it is allowed. */
  readonly wait_ms: number
}

/**
 * The counts behind the rate limits. One process counts for all processes of a machine, so the others
 * get their results a moment later.
 */
export interface RequestCounts {
  /** Mixed into keys that may contain a secret; the same in all processes that count together. */
  readonly hash_key: Buffer
  /** Takes one from every bucket, or from none when one of them is empty. */
  take(keys: readonly CountKey[]): Counted | Promise<Counted>
  /** Counts the check of an unknown credential. Zero, or how long to wait in milliseconds. */
  attempt(subject: string): number | Promise<number>
  /** The credential was valid: its check does not count. */
  succeeded(subject: string): void
}

export interface OwnCounts extends RequestCounts {
  take(keys: readonly CountKey[]): Counted
  attempt(subject: string): number
}

/** Counts in the memory of this process. */
export function newRequestCounts(monotonic: () => number): OwnCounts {
  const buckets = {
    charge: newBuckets(rate_limits.charge),
    route: newBuckets(rate_limits.route),
    exact: newBuckets(rate_limits.exact),
    login_source: newBuckets(login_rates.source),
    login_account: newBuckets(login_rates.account),
  } satisfies Record<LimitName, Buckets>
  const attempts = newBuckets(attempt_limit)

  /** One bucket is empty: those before it are refilled. */
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

  return {
    hash_key: randomBytes(32),
    take: (keys) => {
      const now_ms = monotonic()
      const remaining: number[] = []
      for (const [name, key] of keys) {
        const left = buckets[name].take(key, now_ms)
        if (left < 0) return refused(keys, remaining.length, now_ms)
        remaining.push(left)
      }
      return { allowed: true, remaining, wait_ms: 0 }
    },
    attempt: (subject) => {
      const now_ms = monotonic()
      if (attempts.remaining(subject, now_ms) === 0) return attempts.wait(subject, now_ms)
      attempts.take(subject, now_ms)
      return 0
    },
    succeeded: (subject) => attempts.giveBack(subject, monotonic()),
  }
}
