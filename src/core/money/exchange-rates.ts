import { currencyDigits } from './currencies.ts'
import { convertAmount, type ExchangeRate, max_amount } from './money.ts'

/** The date of these rates. */
export const rates_dated = '2026-11-01'

/**
 * Yen for one major unit of a currency, as exact fractions. They are round figures of a realistic size,
 * fixed so that a test gets the same amount on every run; they are not market quotes.
 */
const rates_to_jpy = {
  AED: { numerator: 408, denominator: 10 },
  AUD: { numerator: 99, denominator: 1 },
  BHD: { numerator: 398, denominator: 1 },
  BRL: { numerator: 27, denominator: 1 },
  CAD: { numerator: 108, denominator: 1 },
  CHF: { numerator: 186, denominator: 1 },
  CLF: { numerator: 6150, denominator: 1 },
  CLP: { numerator: 157, denominator: 1000 },
  CNY: { numerator: 21, denominator: 1 },
  DKK: { numerator: 232, denominator: 10 },
  EUR: { numerator: 173, denominator: 1 },
  GBP: { numerator: 199, denominator: 1 },
  HKD: { numerator: 193, denominator: 10 },
  IDR: { numerator: 9, denominator: 1000 },
  INR: { numerator: 17, denominator: 10 },
  JPY: { numerator: 1, denominator: 1 },
  KRW: { numerator: 105, denominator: 1000 },
  KWD: { numerator: 490, denominator: 1 },
  MXN: { numerator: 81, denominator: 10 },
  MYR: { numerator: 355, denominator: 10 },
  NOK: { numerator: 149, denominator: 10 },
  NZD: { numerator: 86, denominator: 1 },
  PHP: { numerator: 26, denominator: 10 },
  PLN: { numerator: 407, denominator: 10 },
  SAR: { numerator: 40, denominator: 1 },
  SEK: { numerator: 158, denominator: 10 },
  SGD: { numerator: 115, denominator: 1 },
  THB: { numerator: 46, denominator: 10 },
  TRY: { numerator: 36, denominator: 10 },
  TWD: { numerator: 49, denominator: 10 },
  USD: { numerator: 150, denominator: 1 },
  VND: { numerator: 57, denominator: 10_000 },
  ZAR: { numerator: 86, denominator: 10 },
} as const satisfies Record<string, ExchangeRate>

const rates: ReadonlyMap<string, ExchangeRate> = new Map(Object.entries(rates_to_jpy))

/** Both steps through yen are one fraction, so that the amount is rounded only once. */
function rateBetween(from: string, to: string): ExchangeRate | null {
  const one = rates.get(from.toUpperCase())
  const other = rates.get(to.toUpperCase())
  if (one === undefined || other === undefined) return null
  return {
    numerator: BigInt(one.numerator) * BigInt(other.denominator),
    denominator: BigInt(one.denominator) * BigInt(other.numerator),
  }
}

/** Compared before rounding, because the amount itself may not fit into a number. */
function exceedsMaximum(amount: number, from: string, to: string, rate: ExchangeRate): boolean {
  const dividend = BigInt(amount) * BigInt(rate.numerator) * 10n ** BigInt(currencyDigits(to))
  const divisor = BigInt(rate.denominator) * 10n ** BigInt(currencyDigits(from))
  return dividend > BigInt(max_amount) * divisor
}

/**
 * The amount in another currency by the dated table, rounded half up once. Null when a rate is missing,
 * and when the result is zero or above the largest amount: neither can be charged.
 */
export function convertCurrency(amount: number, from: string, to: string): number | null {
  if (from.toUpperCase() === to.toUpperCase()) return amount
  const rate = rateBetween(from, to)
  if (rate === null || exceedsMaximum(amount, from, to, rate)) return null
  const converted = convertAmount(amount, from, to, rate)
  return converted === 0 && amount > 0 ? null : converted
}
