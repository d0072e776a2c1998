/**
 * A token bucket in whole units: one request costs 60,000 units and every millisecond gives back
 * as many units as requests are allowed a minute. No fraction is ever rounded away.
 */
export interface Rate {
  readonly per_minute: number
  readonly burst: number
}

/** The units of one request. */
export const unit = 60_000

interface Level {
  units: number
  at_ms: number
}

/**
 * Buckets of one rate, by key. A full bucket is the same as none, so no key is kept longer than a
 * refill takes: keys live in two generations, and a generation that was not accessed is dropped as a
 * whole.
 */
export interface Buckets {
  /** Whole requests that the key may make now. */
  remaining(key: string, now_ms: number): number
  /** Takes one request, if one remains; returns how many remain, or -1. */
  take(key: string, now_ms: number): number
  /** Returns a request that did not count after all. */
  giveBack(key: string, now_ms: number): void
  /** Milliseconds until one request is allowed again. */
  wait(key: string, now_ms: number): number
  size(): number
}

/**
 * `share`: with how many others the rate is divided. A request then costs as many times as much, so that
 * all of them together let through what the rate allows; each lets through at least one.
 */
export function newBuckets(rate: Rate, share = () => 1, max_keys = 200_000): Buckets {
  const full = rate.burst * unit
  const cost = () => Math.min(full, unit * share())
  const refill_ms = Math.ceil(full / rate.per_minute)
  let young = new Map<string, Level>()
  let old = new Map<string, Level>()
  let turn_at_ms = 0

  function turn(now_ms: number): void {
    if (now_ms < turn_at_ms && young.size < max_keys) return
    old = now_ms >= turn_at_ms + refill_ms ? new Map() : young
    young = new Map()
    turn_at_ms = now_ms + refill_ms
  }

  /** A key that is accessed stays for another generation. */
  function renewed(key: string): Level | undefined {
    const found = old.get(key)
    if (found) young.set(key, found)
    return found
  }

  function level(key: string, now_ms: number): Level | undefined {
    turn(now_ms)
    const found = young.get(key) ?? renewed(key)
    if (!found) return undefined
    const passed_ms = Math.max(0, now_ms - found.at_ms)
    found.units = Math.min(full, found.units + passed_ms * rate.per_minute)
    found.at_ms = Math.max(found.at_ms, now_ms)
    return found
  }

  /** A changed bucket is stored. */
  function stored(key: string, now_ms: number): Level {
    const found = level(key, now_ms)
    if (found) return found
    const created = { units: full, at_ms: now_ms }
    young.set(key, created)
    return created
  }

  return {
    remaining: (key, now_ms) => Math.floor((level(key, now_ms)?.units ?? full) / cost()),
    take: (key, now_ms) => {
      const found = stored(key, now_ms)
      const units = cost()
      if (found.units < units) return -1
      found.units -= units
      return Math.floor(found.units / units)
    },
    giveBack: (key, now_ms) => {
      const found = stored(key, now_ms)
      found.units = Math.min(full, found.units + cost())
    },
    wait: (key, now_ms) => {
      const missing = cost() - (level(key, now_ms)?.units ?? full)
      return missing <= 0 ? 0 : Math.ceil(missing / rate.per_minute)
    },
    size: () => young.size + old.size,
  }
}
