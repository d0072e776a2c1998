import type { NewPayment, Provider, Providers } from './provider.ts'
import { simulateCheckoutInfo } from './simulator/simulate-checkout-info.ts'
import { newSimulators, type SimulatorParts } from './simulator/simulator.ts'

/** The providers of a process, made once. */
export function newProviders(parts: SimulatorParts): Providers {
  return { all: newSimulators(parts), checkoutInfo: simulateCheckoutInfo }
}

/**
 * The provider of a new payment; the payment keeps it. Null: there is none, and the charge ends with
 * error 504. That is every live payment without a connector: a simulator takes test payments only.
 */
export function routePayment({ all }: Providers, payment: NewPayment): Provider | null {
  return all.find((provider) => takes(provider, payment)) ?? null
}

function takes({ capabilities }: Provider, { mode, payment_type, brand }: NewPayment): boolean {
  const { modes, payment_types, brands } = capabilities
  if (!modes.includes(mode) || !payment_types.includes(payment_type)) return false
  return brands === null || (brand !== null && brands.includes(brand))
}

/** The provider of this name; null: it is not configured, or not any more. */
export function findProvider({ all }: Providers, name: string): Provider | null {
  return all.find((provider) => provider.name === name) ?? null
}

/**
 * The provider that a payment went to. A payment of the release before, which may still run beside this one,
 * names none: it went where it would go now.
 */
export function providerOf(
  providers: Providers,
  payment: NewPayment & { readonly provider: string | null },
): Provider | null {
  const { provider } = payment
  return provider === null ? routePayment(providers, payment) : findProvider(providers, provider)
}
