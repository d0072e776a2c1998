import type { Stripe } from 'stripe'
import { instantOf } from '../../../core/ids.ts'
import { hour_ms, second_ms } from '../../../core/time/clock.ts'
import type { Authorization } from '../../../providers/provider-operations.ts'
import { metadataOf } from './write-intents.ts'

/**
 * Stripe refuses vouchers that end too soon. Ours end by themselves: the service cancels the payment. It
 * follows from the charge, so that it is the same on every repetition.
 */
const shortest_voucher_ms = hour_ms

function expiryOf({ charge_id, expires_on }: Authorization): number {
  const first_ms = instantOf(charge_id) + shortest_voucher_ms
  return Math.ceil(Math.max(expires_on?.getTime() ?? 0, first_ms) / second_ms)
}

function common(operation: Authorization, amount: number): Stripe.PaymentIntentCreateParams {
  const currency = operation.currency.toLowerCase()
  return { amount, currency, confirm: true, metadata: metadataOf(operation) }
}

/** A payment at a convenience store. */
export function writeVoucher(
  operation: Authorization,
  amount: number,
): Stripe.PaymentIntentCreateParams {
  const { instrument, email } = operation
  const name = instrument.kind === 'konbini' ? instrument.customer_name : ''
  return {
    ...common(operation, amount),
    allowed_payment_method_types: ['konbini'],
    payment_method_data: { type: 'konbini', billing_details: { name, email: email ?? '' } },
    payment_method_options: { konbini: { expires_at: expiryOf(operation) } },
  }
}

/** A customer for one charge, so that its account is of this charge alone. */
export function writeCustomer(operation: Authorization): Stripe.CustomerCreateParams {
  const { email } = operation
  return {
    ...(email === null ? {} : { email }),
    // What arrives pays the payment that waits; the default of the account may be another.
    cash_balance: { settings: { reconciliation_mode: 'automatic' } },
    metadata: metadataOf(operation),
  }
}

/** A bank transfer to the account of a customer. */
export function writeTransfer(
  operation: Authorization,
  amount: number,
  customer: string,
): Stripe.PaymentIntentCreateParams {
  const bank_transfer = { type: 'jp_bank_transfer' } as const
  return {
    ...common(operation, amount),
    customer,
    allowed_payment_method_types: ['customer_balance'],
    payment_method_data: { type: 'customer_balance' },
    payment_method_options: { customer_balance: { funding_type: 'bank_transfer', bank_transfer } },
  }
}
