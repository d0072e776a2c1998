import type { Mode } from '../core/caller.ts'
import type { Service } from '../service.ts'
import type { Provider, Providers } from './provider.ts'
import { newCardSimulator } from './simulator/card-simulator.ts'

/** The providers of a process, made once. */
export function newProviders(parts: Pick<Service, 'db' | 'clock' | 'config'>): Providers {
  return { card: newCardSimulator(parts) }
}

/** Which provider stands behind each payment type in test mode. */
const test_routes: ReadonlyMap<string, keyof Providers> = new Map([
  ['card', 'card'],
  ['apple_pay', 'card'],
])

/**
 * Who takes a payment. Null: nobody, and the charge ends with error 504. That is every live
 * payment, because no connector is configured; a simulator never stands in for one.
 */
export function routePayment(
  providers: Providers,
  { mode, payment_type }: { mode: Mode; payment_type: string },
): Provider | null {
  if (mode === 'live') return null
  const name = test_routes.get(payment_type)
  return name === undefined ? null : providers[name]
}
