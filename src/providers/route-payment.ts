import type { Mode } from '../core/caller.ts'
import { type PaymentType, payment_types } from '../core/payment-methods.ts'
import type { Provider, Providers } from './provider.ts'
import { newCardSimulator } from './simulator/card-simulator.ts'
import { simulateCheckoutInfo } from './simulator/checkout-simulator.ts'
import { newCustomerSimulator } from './simulator/customer-simulator.ts'
import type { SimulatorParts } from './simulator/simulator-book.ts'

/** The providers of a process, made once. */
export function newProviders(parts: SimulatorParts): Providers {
  return {
    card: newCardSimulator(parts),
    customer: newCustomerSimulator(parts),
    checkoutInfo: simulateCheckoutInfo,
  }
}

/** Which provider stands behind each payment type in test mode. */
const test_routes: Readonly<Record<PaymentType, 'card' | 'customer'>> = {
  card: 'card',
  apple_pay: 'card',
  qr_scan: 'customer',
  qr_merchant: 'customer',
  konbini: 'customer',
  paidy: 'customer',
  online: 'customer',
  bank_transfer: 'customer',
}

/**
 * Who takes a payment. Null: nobody, and the charge ends with error 504. That is every live
 * payment, because no connector is configured; a simulator never stands in for one.
 */
export function routePayment(
  providers: Providers,
  { mode, payment_type }: { mode: Mode; payment_type: string },
): Provider | null {
  if (mode === 'live') return null
  const name = payment_types.find((one) => one === payment_type)
  return name ? providers[test_routes[name]] : null
}
