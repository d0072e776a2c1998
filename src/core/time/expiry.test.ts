import { describe, expect, test } from 'vitest'
import { isUsableExpiry, readExpiry, splitExpiry } from './expiry.ts'

describe('the date on a card', () => {
  test.each([
    ['2', '28', 2, 2028],
    ['02', '2028', 2, 2028],
    [2, 28, 2, 2028],
    [2, 2028, 2, 2028],
    ['12', '99', 12, 2099],
    ['10', '00', 10, 2000],
    [1, '09', 1, 2009],
  ])('%j / %j is month %i of %i', (month, year, exp_month, exp_year) => {
    expect(readExpiry(month, year)).toEqual({ exp_month, exp_year })
  })

  test.each([
    ['0', '28'],
    ['00', '28'],
    ['13', '28'],
    ['002', '28'],
    ['', '28'],
    [' 2', '28'],
    ['2.0', '28'],
    ['-2', '28'],
    ['２', '28'],
    ['2\n', '28'],
    [2.5, 28],
    [0, 28],
    [13, 28],
    [Number.NaN, 28],
    ['2', ''],
    ['2', '8'],
    ['2', '028'],
    ['2', '1999'],
    ['2', '2100'],
    ['2', '02028'],
    ['2', 'Y28'],
    [2, 28.5],
    [2, -28],
  ])('%j / %j is none', (month, year) => {
    expect(readExpiry(month, year)).toBeNull()
  })
})

describe('a card expires', () => {
  test.each([
    ['not in its month', 11, 2026, '2026-11-15T00:00:00.000Z', false],
    ['not on its last day', 11, 2026, '2026-11-30T23:59:59.999Z', false],
    ['not while the month lasts anywhere', 11, 2026, '2026-12-01T11:59:59.999Z', false],
    ['when the month has ended everywhere', 11, 2026, '2026-12-01T12:00:00.000Z', true],
    ['at the end of a year', 12, 2026, '2027-01-01T12:00:00.000Z', true],
    ['not before the end of a year', 12, 2026, '2026-12-31T23:59:59.999Z', false],
    ['on the day after a leap day', 2, 2028, '2028-03-01T12:00:00.000Z', true],
    ['not on a leap day', 2, 2028, '2028-02-29T23:59:59.999Z', false],
    ['with the month before', 10, 2026, '2026-11-15T00:00:00.000Z', true],
    ['not with a month of the next year', 1, 2027, '2026-11-15T00:00:00.000Z', false],
    ['with a later month of the last year', 12, 2025, '2026-11-15T00:00:00.000Z', true],
  ])('%s', (_, exp_month, exp_year, now, expired) => {
    expect(isUsableExpiry(exp_month, exp_year, Date.parse(now))).toBe(!expired)
  })
})

test.each([
  [2046, true],
  [2047, false],
  [2083, false],
])('in 2026, a card until %i is accepted: %s', (exp_year, accepted) => {
  expect(isUsableExpiry(2, exp_year, Date.parse('2026-11-15T00:00:00Z'))).toBe(accepted)
})

describe('the date of a card in one field', () => {
  test.each([
    ['3/28', '3', '28'],
    ['9/30', '9', '30'],
    ['03/28', '03', '28'],
    ['0328', '03', '28'],
    ['328', '3', '28'],
    ['03 / 28', '03', '28'],
    ['03-2028', '03', '2028'],
    ['03 28', '03', '28'],
    ['032028', '03', '2028'],
    ['32028', '3', '2028'],
    ['1/28', '1', '28'],
    ['128', '1', '28'],
    ['1228', '12', '28'],
    ['12/28', '12', '28'],
    ['12030', '1', '2030'],
    ['2028-03', '03', '2028'],
    ['2028/12', '12', '2028'],
    ['202803', '03', '2028'],
    [' 3月28年 '.replace('年', ''), '3', '28'],
  ])('%s is month %s of %s', (text, month, year) => {
    expect(splitExpiry(text)).toEqual({ month, year })
  })

  test.each(['', '3', '12/8', '12 / 8', '13', '/28', '3/', '3/028', '03/20288', '0/', 'MM / YY'])(
    '%s is none',
    (text) => {
      expect(splitExpiry(text)).toBeNull()
    },
  )
})
