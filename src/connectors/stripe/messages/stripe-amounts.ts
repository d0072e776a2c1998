import { currencies } from '../../../core/money/currencies.ts'
import { NoResponse } from '../stripe-client.ts'

/** Currencies of cards at Stripe; to be compared with https://docs.stripe.com/currencies before live use. */
const card_currencies = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF
  CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD
  HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD
  MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR
  PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TND TOP TRY TTD TWD
  TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW`
  .trim()
  .split(/\s+/)

const without_digits = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** The last digit of an amount must be 0. */
const with_three_digits = 'BHD JOD KWD OMR TND'.split(' ')

export function currenciesOf(payment_type: string): readonly string[] {
  return payment_type === 'card' ? card_currencies : ['JPY']
}

/** Digits after the point: as ISO 4217 has them, and as Stripe counts. */
function digitsOf(currency: string): { ours: number; theirs: number } {
  const { digits: ours } = currencies[currency as keyof typeof currencies]
  const is_three = with_three_digits.includes(currency)
  return { ours, theirs: is_three ? 3 : without_digits.includes(currency) ? 0 : 2 }
}

/** The amount with so many digits more, or fewer; null: it is not exact. */
function shifted(amount: number, digits: number): number | null {
  if (digits >= 0) return amount * 10 ** digits
  const unit = 10 ** -digits
  return amount % unit === 0 ? amount / unit : null
}

/**
 * Stripe counts some currencies in other units than ISO 4217 does: ISK and UGX in hundredths, MGA in whole
 * ones. Null: the amount cannot be written exactly.
 */
export function stripeAmount(amount: number, currency: string): number | null {
  const { ours, theirs } = digitsOf(currency)
  if (theirs === 3 && amount % 10 !== 0) return null
  return shifted(amount, theirs - ours)
}

/** An amount of Stripe's in our units; null: it is not exact. In a currency that we do not know it stays. */
export function ourAmount(amount: number, code: string): number | null {
  const currency = code.toUpperCase()
  if (!Object.hasOwn(currencies, currency)) return amount
  const { ours, theirs } = digitsOf(currency)
  return shifted(amount, ours - theirs)
}

/** Money as Stripe names it, in our units. */
export function ourMoney(
  amount: number,
  code: string,
): { readonly amount: number; readonly currency: string } {
  const currency = code.toUpperCase()
  const exact = ourAmount(amount, code)
  if (exact === null) throw new NoResponse(`An amount of ${currency} is not exact.`)
  return { amount: exact, currency }
}
