import { type PaymentType, payment_types } from '../../../../../src/core/payments/payment-types.ts'
import { brandsOf } from '../../../../../src/methods/method-facts.ts'

/** The brands that each payment type has. */
export const brands_of = Object.fromEntries(
  payment_types.map((type) => [type, brandsOf(type)]),
) as Readonly<Record<PaymentType, readonly string[]>>
