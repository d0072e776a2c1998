import currencyCodes from 'currency-codes'
import * as dinero from 'dinero.js/currencies'
import { describe, expect, test } from 'vitest'
import { currencies, currencyDigits, isCurrency } from './currencies.ts'

const ours = Object.keys(currencies).sort()

// Codes of the standard that are not used for payments.
const metals_and_units = 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' ')
const funds = 'BOV CHE CHW COU MXV USN UYI UYW'.split(' ')

function without(codes: readonly string[], ...gone: string[][]): string[] {
  const dropped = new Set(gone.flat())
  return codes.filter((code) => !dropped.has(code)).sort()
}

describe('the table agrees with other readings of ISO 4217', () => {
  test('currency-codes, as of June 2024', () => {
    // Since then: ANG became XCG (amendment 176), CUC was withdrawn (178), BGN became EUR (180).
    const since = ['ANG', 'CUC', 'BGN']
    const theirs = without(currencyCodes.codes(), metals_and_units, funds, since)
    expect(without(ours, ['XCG'])).toEqual(theirs)
    for (const code of theirs) {
      expect([code, currencyDigits(code)]).toEqual([code, currencyCodes.code(code)?.digits])
    }
  })

  test('dinero.js', () => {
    // It still lists BGN and the fund XAD, and counts MGA and MRU in fifths, where the standard says
    // two digits.
    const fifths = ['MGA', 'MRU']
    const theirs = Object.values(dinero)
    expect(ours).toEqual(without(Object.keys(dinero), funds, ['BGN', 'XAD']))
    for (const { code, base, exponent } of theirs) {
      if (!isCurrency(code)) continue
      const expected = fifths.includes(code) ? [5, 1] : [10, currencyDigits(code)]
      expect([code, base, exponent]).toEqual([code, ...expected])
    }
  })
})

test.each([
  ['JPY', 0],
  ['KRW', 0],
  ['ISK', 0],
  ['USD', 2],
  ['HUF', 2],
  ['KWD', 3],
  ['BHD', 3],
  ['CLF', 4],
  ['usd', 2],
  ['jPy', 0],
])('%s has %i digits', (code, digits) => {
  expect(isCurrency(code)).toBe(true)
  expect(currencyDigits(code)).toBe(digits)
})

test.each([
  ['a metal', 'XAU'],
  ['no currency', 'XXX'],
  ['a test code', 'XTS'],
  ['a basket', 'XDR'],
  ['a fund', 'UYW'],
  ['an unknown code', 'ABC'],
  ['a historic code', 'DEM'],
  ['money that was replaced lately', 'BGN'],
  ['a number', '392'],
  ['nothing', ''],
  ['a longer text', 'USDT'],
  ['a space', 'USD '],
  ['a line break', 'USD\n'],
  ['a letter that only looks like one when raised', 'ıdr'],
  ['a name that every object has', 'constructor'],
])('%s is refused', (_, code) => {
  expect(isCurrency(code)).toBe(false)
  expect(() => currencyDigits(code)).toThrow('is not a currency')
})
