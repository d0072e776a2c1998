import { expect, test } from 'vitest'
import { readTerm } from './search-term.ts'

// The meanings of a typed text.
const id = '0190a000-1234-7000-8000-0000000abcde'

test('an id is known whole, by its beginning, by its end, and as the console shortens it', () => {
  expect(readTerm(id).ids).toEqual([{ range: [id, id], end: '' }])
  const minute = ['0190a000-0000-0000-0000-000000000000', '0190a000-ffff-ffff-ffff-ffffffffffff']
  expect(readTerm('0190a000-').ids).toEqual([{ range: minute, end: '' }])
  expect(readTerm(' 0190A000…bcde ').ids).toEqual([{ range: minute, end: 'bcde' }])
  expect(readTerm('0190a000...bcde').ids).toEqual([{ range: minute, end: 'bcde' }])
  expect(readTerm('…bcde').ids).toEqual([{ range: null, end: 'bcde' }])
  expect(readTerm('0abcde').ids).toEqual([{ range: null, end: '0abcde' }])
})

test('eight to twelve digits may be either end of an id; fewer than six are none', () => {
  expect(readTerm('0190a000').ids.map(({ range, end }) => [range !== null, end])).toEqual([
    [true, ''],
    [false, '0190a000'],
  ])
  for (const text of ['4242', 'taro', 'abc…', '1…2…3', 'zz…abcd', '']) {
    expect(readTerm(text).ids).toEqual([])
  }
})

test.each(['12800', '12,800', '12，800', '１２８００'])(
  '%s is an amount of every currency',
  (text) => {
    const [yen, dollars] = [...readTerm(text).amounts].sort((a, b) => a.amount - b.amount)
    expect(yen?.amount).toBe(12_800)
    expect(yen?.currencies).toContain('JPY')
    expect(yen?.currencies).not.toContain('USD')
    expect(dollars?.amount).toBe(1_280_000)
    expect(dollars?.currencies).toContain('USD')
  },
)

test.each([
  ['¥12,800', 12_800, 'JPY'],
  ['￥１２，８００', 12_800, 'JPY'],
  ['12,800円', 12_800, 'JPY'],
  ['$128.5', 12_850, 'USD'],
  ['eur 3', 300, 'EUR'],
  ['1.234 KWD', 1234, 'KWD'],
])('%s is an amount of one currency', (text, amount, currency) => {
  const { amounts } = readTerm(text)
  expect(amounts.map((one) => one.amount)).toEqual([amount])
  expect(amounts[0]?.currencies).toContain(currency)
})

test.each(['1,28,00', '¥1.5', 'XYZ 5', '-5', '0', '5 apples', '99999999999999999'])(
  '%s is no amount',
  (text) => {
    expect(readTerm(text).amounts).toEqual([])
  },
)
