import type { Logger } from 'pino'
import { findKind } from './connectors/connectors.ts'
import { newCircuits } from './core/limits/circuits.ts'
import type { Connector, NewPayment, Provider, Providers } from './providers/provider.ts'
import type { Service } from './service.ts'
import { simulateCheckoutInfo } from './simulator/simulate-checkout-info.ts'
import { newSimulators, type SimulatorParts } from './simulator/simulator.ts'
import type { ChargeRoute } from './store/tables/payments/provider-tables.ts'

export type ProviderParts = SimulatorParts & Pick<Service, 'clock' | 'signals' | 'log'>

/** An opened connector: the same object for as long as its kind is the same. */
interface Opened extends Connector {
  readonly name: string
  readonly kind: string
  readonly provider: Provider | null
}

/** The providers of a process: the simulators, and the connectors as they are configured now. */
export function newProviders(parts: ProviderParts): Providers {
  const simulators = newSimulators(parts)
  let opened: readonly Opened[] = []
  const reads = { begun: 0, applied: 0 }
  const providers = {
    all: simulators as readonly Provider[],
    connectors: new Map<string, Connector>(),
    circuits: newCircuits(parts.clock.monotonic),
    checkoutInfo: simulateCheckoutInfo,
    refresh: async (db = parts.db) => {
      reads.begun += 1
      const number = reads.begun
      const rows = await db
        .selectFrom('connectors as c')
        .leftJoin('account_capabilities as a', (join) =>
          join.onRef('a.merchant_id', '=', 'c.merchant_id').onRef('a.id', '=', 'c.id'),
        )
        .select(['c.id', 'c.name', 'c.kind', 'c.disabled_on', 'a.takes'])
        .select((row) => row('c.settings', 'is not', null).as('has_settings'))
        .orderBy('c.id')
        .execute()
      // One that began later has read what is newer.
      if (number < reads.applied) return
      reads.applied = number
      const found = rows.map(({ disabled_on, ...row }): Opened => {
        const before = opened.find(({ id, kind }) => id === row.id && kind === row.kind)
        const provider = before ? before.provider : openConnector(parts, row)
        return {
          ...row,
          has_settings: Boolean(row.has_settings),
          is_disabled: disabled_on !== null,
          provider,
        }
      })
      if (JSON.stringify(found.map(shown)) === JSON.stringify(opened.map(shown))) return
      opened = found
      const connectors = found.flatMap(({ provider }) => (provider ? [provider] : []))
      providers.all = [...simulators, ...connectors]
      providers.connectors = new Map(found.map((one) => [one.name, one]))
    },
  }
  parts.signals.on('routing', (payload) => {
    if (payload !== '' && payload !== connectors_changed) return
    // A failed read is repeated before the next live payment: its cached rules end soon.
    void providers.refresh().catch(() => {})
  })
  return providers
}

/** The message that a connector was added, enabled or disabled, or takes other payments than before. */
export const connectors_changed = 'connectors'

function shown({ provider: _, ...row }: Opened): object {
  return row
}

/** Null: this release does not know the kind; payments of the connector wait for one that does. */
function openConnector(
  { log, clock }: { log: Logger; clock: ProviderParts['clock'] },
  { name, kind }: { name: string; kind: string },
): Provider | null {
  const found = findKind(kind)
  if (!found) {
    log.error(
      { connector: name, kind },
      'this release does not know the kind of a connector: disable the connector or start a newer release',
    )
    return null
  }
  return found.open(name, { log, now: clock.now })
}

/**
 * The provider of a payment without rules: the first that takes it. Null: there is none, and a charge ends
 * with error 504. That is every live payment without a connector: a simulator takes test payments only.
 */
export function routePayment(providers: Providers, payment: NewPayment): Provider | null {
  return providers.all.find((provider) => takes(providers, provider, payment)) ?? null
}

/** Whether a new payment may go there. No test payment goes to a connector, whatever it says of itself. */
export function takes(
  { connectors }: Providers,
  { name, capabilities }: Provider,
  { mode, payment_type, brand }: NewPayment,
): boolean {
  const connector = connectors.get(name)
  if (connector && (connector.is_disabled || mode === 'test')) return false
  const { modes, payment_types, brands } = capabilities
  if (!modes.includes(mode) || !payment_types.includes(payment_type)) return false
  return brands === null || (brand !== null && brands.includes(brand))
}

/** The provider of this name; null: it is not configured, or not any more. */
export function findProvider({ all }: Providers, name: string): Provider | null {
  return all.find((provider) => provider.name === name) ?? null
}

interface RoutedPayment extends NewPayment {
  readonly provider: string | null
  /** Without a provider: that none takes it was decided when it was created. */
  readonly route?: ChargeRoute | null
}

/**
 * The provider that a payment went to. A payment of the release before, which may still run beside this one,
 * names none: it went where it would go now.
 */
export function providerOf(providers: Providers, payment: RoutedPayment): Provider | null {
  const { provider, route = null } = payment
  if (provider !== null) return findProvider(providers, provider)
  return route ? null : routePayment(providers, payment)
}
