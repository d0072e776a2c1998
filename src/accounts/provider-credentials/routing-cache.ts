import { installation_id } from '../../core/ids.ts'
import { routing_policy } from '../../core/limits/retry-policies.ts'
import { connectors_changed } from '../../open-providers.ts'
import type { Service } from '../../service.ts'
import type { Signals } from '../../store/signals.ts'
import { remember } from '../credentials/cached-credentials.ts'

interface Loaded<T> {
  readonly merchant_id: string
  readonly value: Promise<T>
  readonly at_ms: number
}

type ReadCached<T> = (
  service: Service,
  merchant_id: string,
  key: string,
  load: () => Promise<T>,
) => Promise<T>

/**
 * The inputs of routing, read once and cached until a message reports a change; without messages for two
 * seconds at most. A failed read is not cached.
 */
export function newRoutingCache<T>(): ReadCached<T> {
  const caches = new WeakMap<Signals, Map<string, Loaded<T>>>()

  function cacheOf({ signals }: Service): Map<string, Loaded<T>> {
    const known = caches.get(signals)
    if (known) return known
    const cache = new Map<string, Loaded<T>>()
    caches.set(signals, cache)
    signals.on('routing', (merchant_id) => {
      const of_all = ['', connectors_changed, installation_id].includes(merchant_id)
      if (of_all) cache.clear()
      else for (const [key, one] of cache) if (one.merchant_id === merchant_id) cache.delete(key)
    })
    return cache
  }

  return (service, merchant_id, key, load) => {
    const { clock, signals } = service
    const cache = cacheOf(service)
    const found = cache.get(key)
    if (found?.merchant_id === merchant_id) {
      const known_ms = Math.max(found.at_ms, signals.heardUntil())
      if (clock.monotonic() - known_ms < routing_policy.max_age_ms) return found.value
    }
    const loaded: Loaded<T> = { merchant_id, value: load(), at_ms: clock.monotonic() }
    loaded.value.catch(() => {
      if (cache.get(key) === loaded) cache.delete(key)
    })
    // A transaction may have written what it reads, and may be rolled back.
    if (!service.db.isTransaction) remember(cache, key, loaded)
    return loaded.value
  }
}
