import type { Selectable } from 'kysely'
import { installation_id } from '../../core/ids.ts'
import { routing_policy } from '../../core/limits/retry-policies.ts'
import { connectors_changed } from '../../providers/providers.ts'
import type { Service } from '../../service.ts'
import type { Signals } from '../../store/signals.ts'
import type { ChargeRoute, RoutingRuleTable } from '../../store/tables/provider-tables.ts'
import { remember } from '../cached-credentials.ts'

export type RoutingRule = Selectable<RoutingRuleTable>

/** What decides where the live payments of a store go. */
export interface MerchantRouting {
  /** Of the merchant if it has any, else of the installation; in their order. */
  readonly rules: readonly RoutingRule[]
  readonly rules_of: ChargeRoute['rules']
  /** The account of the store at each connector: its own, else that of its merchant. */
  readonly accounts: ReadonlyMap<string, string>
}

interface Store {
  readonly merchant_id: string
  readonly store_id: string
}

interface Loaded {
  readonly merchant_id: string
  readonly routing: Promise<MerchantRouting>
  readonly at_ms: number
}

const caches = new WeakMap<Signals, Map<string, Loaded>>()

function cacheOf({ signals }: Service): Map<string, Loaded> {
  const known = caches.get(signals)
  if (known) return known
  const cache = new Map<string, Loaded>()
  caches.set(signals, cache)
  signals.on('routing', (merchant_id) => {
    const of_all = ['', connectors_changed, installation_id].includes(merchant_id)
    if (of_all) cache.clear()
    else for (const [key, one] of cache) if (one.merchant_id === merchant_id) cache.delete(key)
  })
  return cache
}

/**
 * The routing of a store, read once and cached until a message says that it has changed; without messages
 * for two seconds at most. Connectors are read again with it, so that a process that misses messages knows
 * them too.
 */
export function merchantRouting(service: Service, store: Store): Promise<MerchantRouting> {
  const { clock, signals } = service
  const { merchant_id, store_id } = store
  const cache = cacheOf(service)
  const found = cache.get(store_id)
  if (found?.merchant_id === merchant_id) {
    const known_ms = Math.max(found.at_ms, signals.heardUntil())
    if (clock.monotonic() - known_ms < routing_policy.max_age_ms) return found.routing
  }
  const routing = readRouting(service, store)
  const loaded: Loaded = { merchant_id, routing, at_ms: clock.monotonic() }
  routing.catch(() => {
    if (cache.get(store_id) === loaded) cache.delete(store_id)
  })
  // What a transaction has read, it may have written, and it may be rolled back.
  if (!service.db.isTransaction) remember(cache, store_id, loaded)
  return routing
}

/** As it is stored now. */
export async function readRouting(
  service: Service,
  store: { readonly merchant_id: string; readonly store_id: string | null },
): Promise<MerchantRouting> {
  const { db } = service
  const { merchant_id, store_id } = store
  await service.providers.refresh(db)
  const rules = await db
    .selectFrom('routing_rules')
    .selectAll()
    .where('merchant_id', 'in', [merchant_id, installation_id])
    .orderBy('position')
    .execute()
  const own = rules.filter((rule) => rule.merchant_id === merchant_id)
  const accounts = await db
    .selectFrom('provider_credentials')
    .select(['provider', 'id'])
    .where('merchant_id', '=', merchant_id)
    .where((row) => row.or([row('store_id', 'is', null), row('store_id', '=', store_id)]))
    // Those of the store come last, and win.
    .orderBy((row) => row('store_id', 'is not', null))
    .execute()
  const used = own.length > 0 ? own : rules
  return {
    rules: used,
    rules_of: used.length === 0 ? null : own.length > 0 ? 'merchant' : 'installation',
    accounts: new Map(accounts.map(({ provider, id }) => [provider, id])),
  }
}
