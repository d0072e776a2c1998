import { createHmac } from 'node:crypto'
import { rate_limits } from '../core/limits/limits.ts'
import type { Counted, CountKey, RequestCounts } from '../core/limits/request-counts.ts'
import { count_script, limit_numbers } from './count-script.ts'
import type { SharedServer } from './shared-server.ts'

/** One request: takes from its buckets, or gives back. */
interface Ask {
  readonly keys: readonly CountKey[]
  readonly resolve: ((counted: Counted | Promise<Counted>) => void) | null
}

/** A longer script would hold up the requests of other machines. */
const max_asks = 500

/**
 * Limits that protect accounts and cards. An attempt that the server allows is also taken from the
 * machine's own buckets: the loss of the server gives no caller a full set of attempts again.
 */
function isStrict([limit]: CountKey): boolean {
  return !(limit in rate_limits)
}

/**
 * Counts in the shared server, so that limits are exact whichever machine handles a request. All requests of
 * one event loop turn share a round trip. While the server is away `own` counts, with this machine's share.
 */
export function newServerCounts(
  server: SharedServer,
  own: RequestCounts,
  hash_key: Buffer,
): RequestCounts {
  let asks: Ask[] = []

  /** Says nothing about its subject, and differs between services that use one server. */
  function nameOf([limit, key]: CountKey): string {
    const hash = createHmac('sha256', hash_key).update(`${limit} ${key}`).digest()
    return `kaikei:${hash.toString('base64url', 0, 16)}`
  }

  function takeOwn(keys: readonly CountKey[]): Counted | Promise<Counted> {
    server.counters.fallbacks += 1
    return own.take(keys)
  }

  function fallBack(batch: readonly Ask[]): void {
    for (const { keys, resolve } of batch) {
      if (resolve) resolve(takeOwn(keys))
      else if (!keys.some(isStrict)) own.giveBack(keys)
    }
  }

  function settle(batch: readonly Ask[], replies: readonly number[]): void {
    let at = 0
    for (const { keys, resolve } of batch) {
      if (!resolve) continue
      const wait_ms = replies[at] ?? 0
      const allowed = wait_ms === 0
      const remaining = replies.slice(at + 1, at + 1 + keys.length)
      at += 1 + keys.length
      if (allowed && keys.some(isStrict)) void own.take(keys)
      resolve({ allowed, remaining, wait_ms })
    }
  }

  function send(batch: readonly Ask[]): void {
    const names: string[] = []
    const args: number[] = []
    for (const { keys, resolve } of batch) {
      args.push(resolve ? keys.length : -keys.length)
      for (const key of keys) {
        names.push(nameOf(key))
        args.push(limit_numbers[key[0]])
      }
    }
    const counted = server.run(count_script, names, args)
    if (!counted) fallBack(batch)
    counted?.then(
      (replies) => (Array.isArray(replies) ? settle(batch, replies) : fallBack(batch)),
      () => fallBack(batch),
    )
  }

  function flush(): void {
    const all = asks
    asks = []
    for (let from = 0; from < all.length; from += max_asks) send(all.slice(from, from + max_asks))
  }

  function add(ask: Ask): void {
    if (asks.length === 0) setImmediate(flush)
    asks.push(ask)
  }

  function take(keys: readonly CountKey[]): Counted | Promise<Counted> {
    if (server.isAway()) return takeOwn(keys)
    return new Promise((resolve) => add({ keys, resolve }))
  }

  function giveBack(keys: readonly CountKey[]): void {
    const is_away = server.isAway()
    if (is_away || keys.some(isStrict)) own.giveBack(keys)
    if (!is_away) add({ keys, resolve: null })
  }

  return {
    hash_key,
    take,
    giveBack,
    attempt: async (subject) => (await take([['attempt', subject]])).wait_ms,
    succeeded: (subject) => giveBack([['attempt', subject]]),
  }
}
