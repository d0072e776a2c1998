import { describe, expect, test } from 'vitest'
import { isCountry } from '../payments/countries.ts'
import { bins, lookUpBin } from './card-bins.ts'
import { cardBrandOf, isCardLength, passesLuhn } from './card-number.ts'

describe('test cards', () => {
  test.each([
    ['4000000000000002', 'visa', 'credit', 'classic', 'JP'],
    ['4000020000000000', 'visa', 'credit', 'classic', 'JP'],
    ['4111111111111111', 'visa', 'credit', 'classic', 'JP'],
    ['4242424242424242', 'visa', 'credit', 'gold', 'JP'],
    ['4012888888881881', 'visa', 'credit', 'classic', 'JP'],
    ['4916741415383284', 'visa', 'credit', 'signature', 'BR'],
    ['4000056655665556', 'visa', 'debit', 'debit', 'JP'],
    ['4000050000000007', 'visa', 'debit', 'prepaid', 'JP'],
    ['4000090000000003', 'visa', 'credit', 'prepaid', 'JP'],
    ['4000080000000004', 'visa', 'credit', 'classic', 'US'],
    ['2223003122003222', 'mastercard', 'credit', 'standard', 'JP'],
    ['5555555555554444', 'mastercard', 'credit', 'standard', 'JP'],
    ['5105105105105100', 'mastercard', 'credit', 'standard', 'JP'],
    ['5200828282828210', 'mastercard', 'debit', 'prepaid', 'JP'],
    ['3530111333300000', 'jcb', 'credit', 'standard', 'JP'],
    ['3566002020360505', 'jcb', 'credit', 'standard', 'JP'],
    ['378282246310005', 'american_express', 'credit', 'personal', 'JP'],
    ['371449635398431', 'american_express', 'credit', 'personal', 'JP'],
    ['30569309025904', 'diners_club', 'charge_card', 'charge_card', 'JP'],
    ['6011111111111117', 'discover', 'credit', 'standard', 'JP'],
    ['6200000000000005', 'unionpay', 'credit', 'standard', 'JP'],
    ['6900000000000008', 'private_label', 'credit', 'standard', 'JP'],
  ])('%s is a %s %s card, %s, of %s', (number, brand, card_type, category, country) => {
    const info = lookUpBin(number)
    expect(info).toMatchObject({ brand, card_type, category, country, sub_brand: 'none' })
    expect(passesLuhn(number)).toBe(true)
    expect(isCardLength(info.brand, number.length)).toBe(true)
  })
})

test('the range that clients of the interface expect by name', () => {
  expect(lookUpBin('4916741415383284')).toEqual({
    brand: 'visa',
    card_type: 'credit',
    category: 'signature',
    issuer: 'BANCO SANTANDER S.A.',
    country: 'BR',
    sub_brand: 'none',
  })
})

test('a longer prefix wins over the range it lies in', () => {
  expect(lookUpBin('4000050000000007').category).toBe('prepaid')
  expect(lookUpBin('4000050100000005').category).toBe('debit')
})

test.each([
  ['4999990000000000', 'visa'],
  ['5432109876543210', 'mastercard'],
  ['9999999999999999', 'unknown'],
  ['40000', 'visa'],
  ['', 'unknown'],
])('of %j nothing but the brand is known', (number, brand) => {
  expect(lookUpBin(number)).toEqual({
    brand,
    card_type: null,
    category: null,
    issuer: null,
    country: null,
    sub_brand: 'none',
  })
})

test('the table holds prefixes of six or eight digits, real countries and one real issuer', () => {
  for (const [prefix, bin] of Object.entries(bins)) {
    expect(prefix).toMatch(/^\d{6}(\d{2})?$/)
    expect(isCountry(bin.country)).toBe(true)
    expect(prefix === '491674' || /^Test (Bank|Shop) \d$/.test(bin.issuer)).toBe(true)
    // A brand is listed only where the number alone would give another one.
    expect(bin.brand).not.toBe(cardBrandOf(prefix))
  }
})
