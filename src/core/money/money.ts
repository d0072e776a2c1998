import { currencyDigits } from './currencies.ts'

/** The largest amount of a request, in minor units: far below where numbers become inexact. */
export const max_amount = 999_999_999_999

/** Up to fifteen digits a decimal survives as a JSON number, whatever parses it. */
const max_formatted = 999_999_999_999_999

const max_percent = 10_000
const percent_decimals = 6

/** Units of the second currency for one unit of the first, both major, as a fraction. */
export interface ExchangeRate {
  readonly numerator: bigint | number
  readonly denominator: bigint | number
}

function requireWhole(amount: number, min: number, max: number): void {
  if (Number.isInteger(amount) && amount >= min && amount <= max) return
  throw new RangeError(`${amount} is not a whole number from ${min} to ${max}.`)
}

/** Half up: a value exactly between two minor units is rounded to the larger one. */
function divideHalfUp(dividend: bigint, divisor: bigint): number {
  const quotient = (2n * dividend + divisor) / (2n * divisor)
  if (quotient > Number.MAX_SAFE_INTEGER) throw new RangeError('The amount is too large.')
  return Number(quotient)
}

/**
 * The amount in the major unit: 250 USD are 2.5. The decimal point is inserted into the text of the
 * amount and nothing is divided, so reading the number back gives exactly the amount.
 */
export function formatAmount(amount: number, currency: string): number {
  requireWhole(amount, -max_formatted, max_formatted)
  const digits = currencyDigits(currency)
  if (digits === 0) return amount
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const major = Number(`${text.slice(0, -digits)}.${text.slice(-digits)}`)
  return amount < 0 ? -major : major
}

/** The same as text with all decimals, as people write it: 250 USD are 2.50. */
export function majorUnits(amount: number, currency: string): string {
  return formatAmount(amount, currency).toFixed(currencyDigits(currency))
}

/** The share of an amount that a part has of a whole, half up; at least one unit of a nonzero share. */
export function shareOf(amount: number, part: number, whole: number): number {
  requireWhole(amount, 0, max_amount)
  requireWhole(part, 0, whole)
  if (whole === 0) return amount
  const share = divideHalfUp(BigInt(amount) * BigInt(part), BigInt(whole))
  return amount > 0 && part > 0 ? Math.max(1, share) : share
}

/** Percentages have at most six decimals: then their text is exact although the number is not. */
function millionthsOf(percent: number): bigint {
  const text = percent.toFixed(percent_decimals)
  if (!(percent >= 0 && percent <= max_percent) || Number(text) !== percent) {
    throw new RangeError(`${percent} is not a percentage with up to ${percent_decimals} decimals.`)
  }
  return BigInt(text.replace('.', ''))
}

/** A percentage of an amount, rounded half up once. The caller handles signs: nothing is negative. */
export function percentOf(amount: number, percent: number): number {
  requireWhole(amount, 0, Number.MAX_SAFE_INTEGER)
  const whole = 100n * 10n ** BigInt(percent_decimals)
  return divideHalfUp(BigInt(amount) * millionthsOf(percent), whole)
}

/** The amount in another currency, rounded half up once to that currency's minor unit. */
export function convertAmount(
  amount: number,
  from: string,
  to: string,
  rate: ExchangeRate,
): number {
  requireWhole(amount, 0, Number.MAX_SAFE_INTEGER)
  const numerator = BigInt(rate.numerator)
  const denominator = BigInt(rate.denominator)
  if (numerator <= 0n || denominator <= 0n) {
    throw new RangeError('Both parts of an exchange rate are above zero.')
  }
  const scale_from = 10n ** BigInt(currencyDigits(from))
  const scale_to = 10n ** BigInt(currencyDigits(to))
  return divideHalfUp(BigInt(amount) * numerator * scale_to, denominator * scale_from)
}

/** For people: `1,234.50 USD`. All digits of the currency, and the code, which no sign is shared with. */
export function formatMoney(amount: number, currency: string): string {
  requireWhole(amount, -max_formatted, max_formatted)
  const digits = currencyDigits(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`
  return `${amount < 0 ? '-' : ''}${whole}${fraction} ${currency}`
}
