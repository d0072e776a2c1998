import type { Mode } from '../core/access/caller.ts'
import type { PaymentType } from '../core/payments/payment-types.ts'
import { apple_pay_facts } from './apple-pay/apple-pay-facts.ts'
import { bank_transfer_facts } from './bank-transfer/bank-transfer-facts.ts'
import { card_facts } from './card/card-facts.ts'
import type { BrandFacts, MethodFacts } from './contract/payment-facts.ts'
import { konbini_facts } from './konbini/konbini-facts.ts'
import { online_facts } from './online/online-facts.ts'
import { paidy_facts } from './paidy/paidy-facts.ts'
import { qr_merchant_facts } from './qr-merchant/qr-merchant-facts.ts'
import { qr_scan_facts } from './qr-scan/qr-scan-facts.ts'

/** The facts of every payment method. The console loads this table, and it has no code. */
export const method_facts: Readonly<Record<PaymentType, MethodFacts>> = {
  card: card_facts,
  apple_pay: apple_pay_facts,
  qr_scan: qr_scan_facts,
  qr_merchant: qr_merchant_facts,
  konbini: konbini_facts,
  paidy: paidy_facts,
  online: online_facts,
  bank_transfer: bank_transfer_facts,
}

/** The payment types of which it is true. */
export function typesWhere(isTrue: (facts: MethodFacts) => boolean): PaymentType[] {
  const types = Object.keys(method_facts) as PaymentType[]
  return types.filter((type) => isTrue(method_facts[type]))
}

/** Whether tokens of this type can be charged more than once. */
export function isRepeatable(payment_type: PaymentType, mode: Mode | null): boolean {
  const { repeatable } = method_facts[payment_type]
  return repeatable === 'in_test_mode' ? mode !== 'live' : repeatable
}

export function brandsOf(payment_type: PaymentType): readonly string[] {
  return Object.keys(method_facts[payment_type].brands)
}

export function factsOfBrand(payment_type: PaymentType, brand: string | null): BrandFacts | null {
  const { brands } = method_facts[payment_type]
  return brand !== null && Object.hasOwn(brands, brand) ? (brands[brand] ?? null) : null
}

/** The brands of any method that have such a property. */
export function brandsWith(property: 'redirects' | 'merchant_transaction_id'): readonly string[] {
  return Object.values(method_facts).flatMap(({ brands }) =>
    Object.keys(brands).filter((name) => brands[name]?.[property]),
  )
}
