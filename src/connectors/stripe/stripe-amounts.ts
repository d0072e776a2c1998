import { currencies } from '../../core/money/currencies.ts'

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

/**
 * Stripe counts some currencies in other units than ISO 4217 does: ISK and UGX in hundredths, MGA in whole
 * ones. Null: the amount cannot be written exactly.
 */
export function stripeAmount(amount: number, currency: string): number | null {
  const { digits } = currencies[currency as keyof typeof currencies]
  const is_three = with_three_digits.includes(currency)
  const theirs = is_three ? 3 : without_digits.includes(currency) ? 0 : 2
  if (is_three && amount % 10 !== 0) return null
  if (theirs >= digits) return amount * 10 ** (theirs - digits)
  const unit = 10 ** (digits - theirs)
  return amount % unit === 0 ? amount / unit : null
}
