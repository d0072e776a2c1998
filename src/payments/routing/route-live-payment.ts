import { routing_policy } from '../../core/limits/retry-policies.ts'
import { base_currency } from '../../core/money/currencies.ts'
import { convertCurrency } from '../../core/money/exchange-rates.ts'
import { accountCurrencies, accountTakes } from '../../core/payments/account-capabilities.ts'
import { findProvider, takes } from '../../open-providers.ts'
import type { NewPayment, Provider, Providers } from '../../providers/provider.ts'
import type { ChargeRoute, RouteCandidate } from '../../store/tables/payments/provider-tables.ts'
import type { Account, MerchantRouting, RoutingRule } from './merchant-routing.ts'

/**
 * The values that rules are compared with. A card that is only authenticated has no amount and no currency.
 */
export interface LivePayment extends NewPayment {
  readonly amount: number | null
  readonly currency: string | null
  /** The issuer's country if the card number identifies it, or else that of the billing address. */
  readonly country: string | null
  readonly only_direct_currency: boolean
}

/** Whether every condition of a rule holds; an unknown value meets no condition. */
export function matches(rule: RoutingRule, payment: LivePayment): boolean {
  const { min_amount, max_amount } = rule
  const { amount } = payment
  const is_equal = (['payment_type', 'brand', 'currency', 'country'] as const).every(
    (name) => rule[name] === null || rule[name] === payment[name],
  )
  if (!is_equal) return false
  if (min_amount !== null && (amount === null || amount < min_amount)) return false
  return max_amount === null || (amount !== null && amount <= max_amount)
}

/**
 * The connectors for a live payment: by the rules in their order, or without any to every connector in the
 * order of creation; of these, only connectors that can take it. Connectors that take the currency itself
 * are preferred to a conversion, and connectors with an open circuit come last.
 */
export function routeLivePayment(
  providers: Providers,
  routing: MerchantRouting,
  payment: LivePayment,
): ChargeRoute {
  const able = namedBy(providers, routing, payment).flatMap(({ connector, position }) => {
    const provider = findProvider(providers, connector)
    if (!provider || whyPassedOver(providers, routing, connector, payment)) return []
    const account = accountAt(providers, routing, provider)?.id ?? null
    const circuit = providers.circuits.isOpen(connector, account) ? 'open' : 'closed'
    const currencies = directCurrencies(providers, routing, provider, payment)
    return [{ currencies, candidate: { connector, account, position, circuit } as const }]
  })
  const chosen = byCurrency(able, payment).map(({ candidate }) => candidate)
  const closed = chosen.filter(({ circuit }) => circuit === 'closed')
  const open = chosen.filter(({ circuit }) => circuit === 'open')
  const candidates = [...closed, ...open].slice(0, routing_policy.max_candidates)
  return { rules: routing.rules_of, candidates }
}

/** Why a connector cannot take a payment, whatever the rules say; null: it can. */
export function whyPassedOver(
  providers: Providers,
  routing: MerchantRouting,
  connector: string,
  payment: NewPayment,
): PassedOver | null {
  const provider = findProvider(providers, connector)
  if (!provider) return 'kind_unknown'
  if (providers.connectors.get(connector)?.is_disabled) return 'disabled'
  if (!takes(providers, provider, payment)) return 'not_taken'
  const account = accountAt(providers, routing, provider)
  if (account === null) return provider.capabilities.credentials ? 'no_settings' : null
  return accountTakes(account.takes, payment) ? null : 'not_taken'
}

/** The currencies that the account of a store takes without a conversion. */
export function directCurrencies(
  providers: Providers,
  routing: MerchantRouting,
  provider: Provider,
  payment: Pick<NewPayment, 'payment_type' | 'brand'>,
): readonly string[] {
  const { takes = null } = accountAt(providers, routing, provider) ?? {}
  return accountCurrencies(takes, provider.capabilities.currencies(payment))
}

/** `currency`: others take it without a conversion, or none can be made. */
export const passed_over = [
  'kind_unknown',
  'disabled',
  'not_taken',
  'no_settings',
  'currency',
] as const
export type PassedOver = (typeof passed_over)[number]

type Named = Pick<RouteCandidate, 'connector' | 'position'>

function namedBy(providers: Providers, routing: MerchantRouting, payment: LivePayment): Named[] {
  if (routing.rules_of === null) {
    return providers.all.map(({ name: connector }) => ({ connector, position: null }))
  }
  const named = new Map<string, Named>()
  for (const rule of routing.rules) {
    const { connector, position } = rule
    if (!named.has(connector) && matches(rule, payment)) {
      named.set(connector, { connector, position })
    }
  }
  return [...named.values()]
}

/** The account of the store, of its merchant, or of the installation; null: there is none. */
function accountAt(
  { connectors }: Providers,
  { accounts }: MerchantRouting,
  { name, capabilities }: Provider,
): Account | null {
  if (!capabilities.credentials) return null
  const own = accounts.get(name)
  if (own) return own
  const connector = connectors.get(name)
  return connector?.has_settings ? connector : null
}

interface Able {
  readonly currencies: readonly string[]
  readonly candidate: RouteCandidate
}

/** All of them are asked for one amount, so all must take its currency. */
function byCurrency(able: readonly Able[], payment: LivePayment): readonly Able[] {
  const { currency, only_direct_currency } = payment
  if (currency === null) return able
  const taking = (wanted: string) => able.filter(({ currencies }) => currencies.includes(wanted))
  const direct = taking(currency)
  if (direct.length > 0 || only_direct_currency) return direct
  return convertCurrency(1, currency, base_currency) === null ? [] : taking(base_currency)
}
