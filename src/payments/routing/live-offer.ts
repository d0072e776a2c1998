import type { Mode } from '../../core/access/caller.ts'
import { base_currency } from '../../core/money/currencies.ts'
import { convertCurrency } from '../../core/money/exchange-rates.ts'
import { findProvider, routePayment } from '../../open-providers.ts'
import type { NewPayment, Providers } from '../../providers/provider.ts'
import type { Service } from '../../service.ts'
import { type MerchantRouting, merchantRouting, type RoutingRule } from './merchant-routing.ts'
import { directCurrencies, whyPassedOver } from './route-live-payment.ts'

/** The facts about a payment before the customer has chosen a method; null: unknown. */
export interface PlannedPayment {
  readonly amount: number | null
  readonly currency: string | null
  readonly only_direct_currency: boolean
}

export const nothing_planned: PlannedPayment = {
  amount: null,
  currency: null,
  only_direct_currency: false,
}

type Kind = Pick<NewPayment, 'payment_type' | 'brand'>

/** The currencies that a brand is charged in without conversion; null: no provider takes such a payment. */
export type Offer = (kind: Kind) => readonly string[] | null

interface Store {
  readonly merchant_id: string
  readonly store_id: string
}

/**
 * The payment methods that a store can offer: in test mode those of the simulators, in live mode those of
 * its connectors.
 */
export async function offerOf(
  service: Service,
  store: Store,
  mode: Mode,
  planned: PlannedPayment = nothing_planned,
): Promise<Offer> {
  const { providers } = service
  if (mode === 'test') {
    return (kind) => {
      const provider = routePayment(providers, { mode, ...kind })
      return provider ? provider.capabilities.currencies(kind) : null
    }
  }
  const routing = await merchantRouting(service, store)
  return (kind) => liveOffer(providers, routing, kind, planned)
}

/**
 * Decided as for a charge, with what is not known left open: a rule with a condition on it may match. So a
 * brand that is offered can still find no connector, and one that is not offered never finds any.
 */
function liveOffer(
  providers: Providers,
  routing: MerchantRouting,
  kind: Kind,
  planned: PlannedPayment,
): readonly string[] | null {
  const named: readonly Named[] =
    routing.rules_of === null
      ? [...providers.connectors.keys()].map((connector) => ({ connector, currency: null }))
      : routing.rules.filter((rule) => mayMatch(rule, kind, planned))
  const able = named.flatMap(({ connector, currency: only }) => {
    const provider = findProvider(providers, connector)
    const payment = { mode: 'live', ...kind } as const
    if (!provider || whyPassedOver(providers, routing, connector, payment)) return []
    const taken = directCurrencies(providers, routing, provider, kind)
    if (taken.length === 0 || !canTake(taken, planned)) return []
    return [only === null ? taken : taken.filter((currency) => currency === only)]
  })
  return able.length === 0 ? null : [...new Set(able.flat())]
}

interface Named {
  readonly connector: string
  /** The only currency that the rule is for. */
  readonly currency: string | null
}

function mayMatch(rule: RoutingRule, kind: Kind, { amount, currency }: PlannedPayment): boolean {
  if (rule.payment_type !== null && rule.payment_type !== kind.payment_type) return false
  if (rule.brand !== null && rule.brand !== kind.brand) return false
  if (currency !== null && rule.currency !== null && rule.currency !== currency) return false
  if (amount === null) return true
  return (rule.min_amount ?? 0) <= amount && amount <= (rule.max_amount ?? amount)
}

/** In the currency itself, or converted. */
function canTake(taken: readonly string[], planned: PlannedPayment): boolean {
  const { currency, only_direct_currency } = planned
  if (currency === null || taken.includes(currency)) return true
  if (only_direct_currency || !taken.includes(base_currency)) return false
  return convertCurrency(1, currency, base_currency) !== null
}
