import { type PaymentType, payment_types } from '../../../src/core/payments/payment-types.ts'
import { method_facts } from '../../../src/methods/method-facts.ts'

/** Payment methods as staff know them. */
export function methodNames(language: 'en' | 'ja'): Record<PaymentType, string> {
  const names = payment_types.map((type) => [type, method_facts[type].name[language]])
  return Object.fromEntries(names)
}
