import { expect, test } from 'vitest'
import { convertCurrency, rates_dated } from './exchange-rates.ts'
import { max_amount } from './money.ts'

test.each([
  ['10.00 USD are 1500 yen', 1000, 'USD', 'JPY', 1500],
  ['1500 yen are 10.00 USD', 1500, 'JPY', 'USD', 1000],
  ['three decimals', 1000, 'KWD', 'JPY', 490],
  ['four decimals', 10_000, 'CLF', 'JPY', 6150],
  ['a cheap currency', 1_000_000, 'VND', 'JPY', 5700],
  ['between two others, rounded once and not in yen', 5, 'KWD', 'USD', 2],
  ['between two others', 100, 'EUR', 'USD', 115],
  ['four decimals to none', 50, 'CLF', 'VND', 5395],
  ['exactly half goes up', 100, 'KRW', 'JPY', 11],
  ['codes in lower case', 1000, 'usd', 'jpy', 1500],
  ['the same currency stays, with or without a rate', 7, 'XPF', 'xpf', 7],
  ['nothing stays nothing', 0, 'USD', 'JPY', 0],
])('%s', (_, amount, from, to, expected) => {
  expect(convertCurrency(amount, from, to)).toBe(expected)
})

test.each([
  ['no rate of the first', 100, 'XPF', 'JPY'],
  ['no rate of the second', 100, 'JPY', 'XPF'],
  ['no currency', 100, 'constructor', 'JPY'],
  ['less than half a minor unit', 1, 'VND', 'JPY'],
  ['more than the largest amount', max_amount, 'USD', 'JPY'],
  ['more than a number can hold', max_amount, 'JPY', 'IDR'],
])('%s gives no amount', (_, amount, from, to) => {
  expect(convertCurrency(amount, from, to)).toBeNull()
})

test('the table has a date', () => {
  expect(new Date(rates_dated).toISOString().slice(0, 10)).toBe(rates_dated)
})
