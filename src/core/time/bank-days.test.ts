import { expect, test } from 'vitest'
import { bankDayAfter, holidaysOf, isBankDay, nextBankDay } from './bank-days.ts'

test.each([
  [
    2026,
    '01-01 01-12 02-11 02-23 03-20 04-29 05-03 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 11-23',
  ],
  [
    2027,
    '01-01 01-11 02-11 02-23 03-21 03-22 04-29 05-03 05-04 05-05 07-19 08-11 09-20 09-23 10-11 11-03 11-23',
  ],
])('the holidays of %i', (year, days) => {
  expect([...holidaysOf(year)].sort().map((day) => day.slice(5))).toEqual(days.split(' '))
})

test('banks are closed on weekends, holidays and at the turn of the year', () => {
  for (const day of ['2026-11-30', '2026-12-30', '2027-01-04']) expect(isBankDay(day)).toBe(true)
  for (const day of ['2026-11-28', '2026-11-29', '2026-11-23', '2026-12-31', '2027-01-03']) {
    expect(isBankDay(day), day).toBe(false)
  }
  expect(nextBankDay('2026-12-31')).toBe('2027-01-04')
  expect(nextBankDay('2026-09-19')).toBe('2026-09-24')
  expect(nextBankDay('2026-11-30')).toBe('2026-11-30')
  expect(bankDayAfter('2026-11-30')).toBe('2026-12-01')
})
