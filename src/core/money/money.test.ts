import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencies } from './currencies.ts'
import {
  convertAmount,
  formatAmount,
  formatMoney,
  max_amount,
  percentOf,
  shareOf,
} from './money.ts'

const amounts = fc.integer({ min: 0, max: max_amount })
const codes = fc.constantFrom(...Object.keys(currencies))
const by_digits = { JPY: 0, USD: 2, KWD: 3, CLF: 4 } as const

/** Reads a JSON number back into minor units, by its text: no arithmetic can hide an error. */
function minorUnits(json: string, digits: number): string {
  const [whole = '', fraction = ''] = json.split('.')
  if (fraction.length > digits) return `${json} has more than ${digits} decimals`
  return (whole + fraction.padEnd(digits, '0')).replace(/^0+(?=\d)/, '')
}

describe('an amount in the major unit', () => {
  test.each([
    [250, 'USD', 2.5],
    [100, 'JPY', 100],
    [1, 'CLF', 0.0001],
    [1, 'USD', 0.01],
    [29, 'USD', 0.29],
    [1005, 'USD', 10.05],
    [0, 'USD', 0],
    [1234, 'KWD', 1.234],
    [1000, 'KWD', 1],
    [max_amount, 'JPY', 999_999_999_999],
    [max_amount, 'USD', 9_999_999_999.99],
    [max_amount, 'CLF', 99_999_999.9999],
    [-250, 'USD', -2.5],
    [250, 'usd', 2.5],
  ])('%i %s is %f', (amount, currency, formatted) => {
    expect(formatAmount(amount, currency)).toBe(formatted)
  })

  test.each(Object.entries(by_digits))(
    'in %s reads back exactly',
    (currency, digits) => {
      const readsBack = (amount: number) =>
        minorUnits(JSON.stringify(formatAmount(amount, currency)), digits) === String(amount)
      const ends = Array.from({ length: 50_000 }, (_, i) => [i, max_amount - i]).flat()
      expect(ends.filter((amount) => !readsBack(amount))).toEqual([])
      fc.assert(fc.property(amounts, readsBack), { numRuns: 100_000 })
    },
    30_000,
  )

  test('reads back exactly in every currency', () => {
    fc.assert(
      fc.property(amounts, codes, (amount, code) => {
        const digits = currencies[code as keyof typeof currencies].digits
        return minorUnits(JSON.stringify(formatAmount(amount, code)), digits) === String(amount)
      }),
      { numRuns: 20_000 },
    )
  })

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 10 ** 15, 2 ** 53])(
    '%d is not an amount',
    (amount) => {
      expect(() => formatAmount(amount, 'USD')).toThrow(RangeError)
    },
  )

  test('of an unknown currency does not exist', () => {
    expect(() => formatAmount(100, 'XAU')).toThrow('is not a currency')
  })
})

describe('a percentage of an amount', () => {
  test.each([
    [1000, 3.6, 36],
    [1000, 0, 0],
    [0, 3.6, 0],
    [999, 100, 999],
    [50, 1, 1],
    [49, 1, 0],
    [150, 1, 2],
    // Floating point makes 34.49999999999999 of both, and a whole unit is lost.
    [375, 9.2, 35],
    [1500, 2.3, 35],
    [5000, 2.35, 118],
    [50_000_000, 0.000001, 1],
    [49_999_999, 0.000001, 0],
    [max_amount, 33.333333, 333_333_330_000],
    [100, 250, 250],
    [3, 10_000, 300],
  ])('%i at %f percent is %i', (amount, percent, share) => {
    expect(percentOf(amount, percent)).toBe(share)
  })

  test('is the nearest whole number, and the larger of two that are equally near', () => {
    const millionths = fc.integer({ min: 0, max: 200_000_000 })
    fc.assert(
      fc.property(amounts, millionths, (amount, share) => {
        const text = String(share).padStart(7, '0')
        const percent = Number(`${text.slice(0, -6)}.${text.slice(-6)}`)
        const twice_over = 2n * (BigInt(percentOf(amount, percent)) * 100_000_000n)
        const error = twice_over - 2n * BigInt(amount) * BigInt(share)
        return error > -100_000_000n && error <= 100_000_000n
      }),
      { numRuns: 50_000 },
    )
  })

  test.each([
    ['a negative amount', -1, 1],
    ['half a unit', 0.5, 1],
    ['a negative percentage', 100, -1],
    ['a seventh decimal', 100, 0.0000001],
    ['an endless decimal', 100, 1 / 3],
    ['no number', 100, Number.NaN],
    ['too much', 100, Number.POSITIVE_INFINITY],
    ['more than a hundredfold', 3, 10_000.000001],
    ['more than can be told apart', Number.MAX_SAFE_INTEGER, 200],
  ])('refuses %s', (_, amount, percent) => {
    expect(() => percentOf(amount, percent)).toThrow(RangeError)
  })
})

describe('an amount in another currency', () => {
  test.each([
    // 1 USD is 150 JPY: 10.00 USD are 1500 JPY, and 1 JPY is two thirds of a cent.
    [1000, 'USD', 'JPY', { numerator: 150, denominator: 1 }, 1500],
    [1, 'JPY', 'USD', { numerator: 1, denominator: 150 }, 1],
    [100, 'JPY', 'USD', { numerator: 1n, denominator: 150n }, 67],
    [1, 'USD', 'JPY', { numerator: 50, denominator: 1 }, 1],
    [1, 'USD', 'JPY', { numerator: 49, denominator: 1 }, 0],
    [1000, 'KWD', 'USD', { numerator: 325, denominator: 100 }, 325],
    [10_000, 'CLF', 'JPY', { numerator: 6000, denominator: 1 }, 6000],
    [1, 'JPY', 'CLF', { numerator: 1, denominator: 6000 }, 2],
    [1000, 'usd', 'jpy', { numerator: 150, denominator: 1 }, 1500],
    [0, 'USD', 'JPY', { numerator: 150, denominator: 1 }, 0],
  ])('%i %s in %s at %o is %i', (amount, from, to, rate, converted) => {
    expect(convertAmount(amount, from, to, rate)).toBe(converted)
  })

  test('is the nearest whole number of minor units, for all digits on both sides', () => {
    const part = fc.bigInt({ min: 1n, max: 1_000_000n })
    const sides = fc.constantFrom(...Object.entries(by_digits))
    const smaller = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(smaller, sides, sides, part, part, (amount, from, to, numerator, denominator) => {
        const rate = { numerator, denominator }
        const converted = convertAmount(amount, from[0], to[0], rate)
        const divisor = denominator * 10n ** BigInt(from[1])
        const exact = BigInt(amount) * numerator * 10n ** BigInt(to[1])
        const error = 2n * (BigInt(converted) * divisor - exact)
        return error > -divisor && error <= divisor
      }),
      { numRuns: 50_000 },
    )
  })

  test('does not change at the rate of one', () => {
    fc.assert(
      fc.property(
        amounts,
        codes,
        (amount, code) =>
          convertAmount(amount, code, code, { numerator: 1, denominator: 1 }) === amount,
      ),
    )
  })

  test.each([
    ['a rate of nothing', 1, { numerator: 0, denominator: 1 }],
    ['a rate by nothing', 1, { numerator: 1, denominator: 0 }],
    ['a negative rate', 1, { numerator: -1, denominator: 1 }],
    ['a rate that is no fraction of whole numbers', 1, { numerator: 1.5, denominator: 1 }],
    ['a negative amount', -1, { numerator: 1, denominator: 1 }],
    ['more than can be told apart', max_amount, { numerator: 10n ** 9n, denominator: 1 }],
  ])('refuses %s', (_, amount, rate) => {
    expect(() => convertAmount(amount, 'USD', 'JPY', rate)).toThrow(RangeError)
  })
})

test('a share is exact, half up, and never nothing of something', () => {
  expect(shareOf(1, 1, 2)).toBe(1)
  expect(shareOf(1, 1, 1_000_000)).toBe(1)
  expect(shareOf(1000, 333, 999)).toBe(333)
  expect(shareOf(0, 0, 5)).toBe(0)
  // Nothing of something is nothing, and so is something of nothing.
  expect(shareOf(0, 3, 5)).toBe(0)
  expect(shareOf(1000, 0, 5)).toBe(0)
  expect(shareOf(max_amount, max_amount - 1, max_amount)).toBe(max_amount - 1)
  expect(() => shareOf(10, 6, 5)).toThrow(RangeError)
})

test.each([
  [0, 'JPY', '0 JPY'],
  [1234567, 'JPY', '1,234,567 JPY'],
  [5, 'USD', '0.05 USD'],
  [123456, 'USD', '1,234.56 USD'],
  [-100, 'USD', '-1.00 USD'],
  [1234567, 'KWD', '1,234.567 KWD'],
])('%i %s reads %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency)).toBe(text)
})
