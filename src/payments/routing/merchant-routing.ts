import type { Selectable } from 'kysely'
import { newRoutingCache } from '../../accounts/provider-credentials/routing-cache.ts'
import { installation_id } from '../../core/ids.ts'
import type { AccountCapabilities } from '../../core/payments/account-capabilities.ts'
import type { Service } from '../../service.ts'
import type { ChargeRoute, RoutingRuleTable } from '../../store/tables/payments/provider-tables.ts'

export type RoutingRule = Selectable<RoutingRuleTable>

/** An account at a connector, and what it takes; null: it was never asked, or did not answer. */
export interface Account {
  readonly id: string
  readonly takes: AccountCapabilities | null
}

/** The inputs of a store's live routing. */
export interface MerchantRouting {
  /** The rules of the merchant, or else of the installation, in their order. */
  readonly rules: readonly RoutingRule[]
  readonly rules_of: ChargeRoute['rules']
  /** The account of the store at each connector: its own, else that of its merchant. */
  readonly accounts: ReadonlyMap<string, Account>
}

interface Store {
  readonly merchant_id: string
  readonly store_id: string
}

const cached = newRoutingCache<MerchantRouting>()

/**
 * The routing of a store, as it was read last. Connectors are read again with it, so that a process that
 * misses messages knows them too.
 */
export function merchantRouting(service: Service, store: Store): Promise<MerchantRouting> {
  const { merchant_id, store_id } = store
  return cached(service, merchant_id, store_id, () => readRouting(service, store))
}

/** Reads the stored rules. */
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
    .selectFrom('provider_credentials as p')
    .leftJoin('account_capabilities as a', (join) =>
      join.onRef('a.merchant_id', '=', 'p.merchant_id').onRef('a.id', '=', 'p.id'),
    )
    .select(['p.provider', 'p.id', 'a.takes'])
    .where('p.merchant_id', '=', merchant_id)
    .where((row) => row.or([row('p.store_id', 'is', null), row('p.store_id', '=', store_id)]))
    // The store's own rules come last, and win.
    .orderBy((row) => row('p.store_id', 'is not', null))
    .execute()
  const used = own.length > 0 ? own : rules
  return {
    rules: used,
    rules_of: used.length === 0 ? null : own.length > 0 ? 'merchant' : 'installation',
    accounts: new Map(accounts.map(({ provider, id, takes }) => [provider, { id, takes }])),
  }
}
