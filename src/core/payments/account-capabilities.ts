import type { PaymentType } from './payment-types.ts'

/** The part of its provider's capabilities that an account has, as the provider itself reports it. */
export interface AccountCapabilities {
  /** The payment types that it takes, each with its brands; null: all of them. */
  readonly payment_types: Readonly<Partial<Record<PaymentType, readonly string[] | null>>>
  readonly currencies: readonly string[]
}

interface Kind {
  readonly payment_type: PaymentType
  /** Null: it is not known, or the payment has none. */
  readonly brand: string | null
}

/** Whether an account takes such payments. One that was never asked, or did not answer, takes them all. */
export function accountTakes(
  takes: AccountCapabilities | null,
  { payment_type, brand }: Kind,
): boolean {
  const brands = takes === null ? null : takes.payment_types[payment_type]
  if (brands === undefined) return false
  return brands === null || brand === null || brands.includes(brand)
}

/** The provider's currencies that an account accepts. */
export function accountCurrencies(
  takes: AccountCapabilities | null,
  currencies: readonly string[],
): readonly string[] {
  if (takes === null) return currencies
  const taken = new Set(takes.currencies)
  return currencies.filter((one) => taken.has(one))
}

/** In one line: `card (visa, jcb), konbini in JPY, USD`. */
export function capabilitiesText({ payment_types, currencies }: AccountCapabilities): string {
  const types = Object.entries(payment_types).map(([type, brands]) =>
    brands === null ? type : `${type} (${brands.join(', ')})`,
  )
  return `${types.join(', ') || 'nothing'} in ${currencies.join(', ') || 'no currency'}`
}
