import { percentOf } from '../core/money/money.ts'

interface Money {
  readonly amount: number
  readonly currency: string
}

/** The part of a store's effective configuration that fees depend on. */
interface FeeSettings {
  readonly percent_fee?: number | null
  readonly flat_fees?: readonly Money[] | null
  readonly card_brand_percent_fees?: Readonly<Record<string, number | null>> | null
}

/** Brands that the configuration spells differently. */
const configured_names: ReadonlyMap<string, string> = new Map([['unionpay', 'union_pay']])

function percentFor({ percent_fee, card_brand_percent_fees }: FeeSettings, brand: string | null) {
  const of_brands = card_brand_percent_fees ?? {}
  const name = brand === null ? '' : (configured_names.get(brand) ?? brand)
  const of_brand = Object.hasOwn(of_brands, name) ? of_brands[name] : null
  return of_brand ?? percent_fee ?? 0
}

/**
 * Our fee for a sale: the percentage of the card's brand, or else the general one, rounded half up
 * once, and the flat fee in the currency of the sale. Never more than the sale itself.
 */
export function feeOf(
  settings: FeeSettings,
  sale: Money & { readonly brand: string | null },
): number {
  const currency = sale.currency.toUpperCase()
  const flat = settings.flat_fees?.find((fee) => fee.currency.toUpperCase() === currency)
  // Money supports six decimals of a percentage.
  const rate = Math.round(percentFor(settings, sale.brand) * 1e6) / 1e6
  const percent = percentOf(sale.amount, rate)
  return Math.min(sale.amount, percent + (flat?.amount ?? 0))
}
