import fc from 'fast-check'
import { expect, test } from 'vitest'
import { day_ms, hour_ms } from './clock.ts'
import {
  addCalendar,
  addDays,
  cycleDate,
  dateIn,
  isCalendarDate,
  paymentTime,
  periods,
  readCycle,
  shortestCycleMs,
} from './schedule.ts'

// Days and times of payments, compared with an oracle that uses only Date and Intl.

const leap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const monthLength = (year: number, month: number) =>
  month === 1 && leap(year) ? 29 : (lengths[month] ?? 0)
const two = (value: number) => String(value).padStart(2, '0')

/** Counts months one by one, and days in UTC. */
function oracleDate(start: string, months: number, days: number, end_of_month: boolean): string {
  const [year = 0, month = 0, day = 0] = start.split('-').map(Number)
  const total = year * 12 + (month - 1) + months
  const [to_year, to_month] = [Math.floor(total / 12), total % 12]
  const most = monthLength(to_year, to_month)
  const was_last = day === monthLength(year, month - 1)
  const to_day = end_of_month && was_last && days === 0 ? most : Math.min(day, most)
  const at = new Date(Date.UTC(to_year, to_month, to_day) + days * day_ms)
  return at.toISOString().slice(0, 10)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
  clocks.set(zone, clock)
  return clock
}

/** The local time at an instant; Swedish formats it as `2026-01-31 09:00`. */
function wallClock(at: Date, zone: string): string {
  return clockOf(zone).format(at)
}

const zones = Intl.supportedValuesOf('timeZone')
const anyDate = fc
  .tuple(fc.integer({ min: 2024, max: 2031 }), fc.integer({ min: 0, max: 11 }), fc.nat(30))
  .map(([year, month, day]) => {
    const last = monthLength(year, month)
    return `${year}-${two(month + 1)}-${two(Math.min(day + 1, last))}`
  })
const anyPeriod = fc.constantFrom(...Object.values(periods))

test('1,000 zones, starts and periods over five years are as an oracle counts them', () => {
  fc.assert(
    fc.property(
      anyDate,
      anyPeriod,
      fc.boolean(),
      fc.constantFrom(...zones),
      (start_on, cycle, keep, zone) => {
        const schedule = { start_on, cycle, preserve_end_of_month: keep }
        let before = ''
        for (let number = 0; number <= 60; number += 1 + (number % 5)) {
          const { months, days } = cycle
          const date = cycleDate(schedule, number)
          if (months * number > 60 || days * number > 366 * 5) break
          expect(date).toBe(oracleDate(start_on, months * number, days * number, keep))
          expect(date > before).toBe(true)
          before = date
          const shown = wallClock(paymentTime(date, zone), zone)
          expect([`${date} 09:00`, `${date} 10:00`]).toContain(shown)
          expect(dateIn(zone, paymentTime(date, zone))).toBe(date)
        }
      },
    ),
    { numRuns: 1000 },
  )
})

test('the hour is nine everywhere, whatever summer time does', () => {
  const days = ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01', '2026-04-05', '2026-10-04']
  const places = [
    'America/New_York',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'Asia/Tokyo',
  ]
  for (const zone of places) {
    for (const day of days) expect(wallClock(paymentTime(day, zone), zone)).toBe(`${day} 09:00`)
  }
  const winter = paymentTime('2026-03-07', 'America/New_York')
  const summer = paymentTime('2026-03-08', 'America/New_York')
  expect(summer.getTime() - winter.getTime()).toBe(23 * hour_ms)
})

test('a day that a zone left out is paid on the next one it has', () => {
  expect(paymentTime('2011-12-30', 'Pacific/Apia').toISOString()).toBe('2011-12-30T19:00:00.000Z')
  expect(wallClock(paymentTime('2011-12-30', 'Pacific/Apia'), 'Pacific/Apia')).toBe(
    '2011-12-31 09:00',
  )
})

test.each([
  ['2026-01-31', 'monthly', false, ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
  ['2026-04-30', 'monthly', false, ['2026-05-30', '2026-06-30', '2026-07-30', '2026-08-30']],
  ['2026-04-30', 'monthly', true, ['2026-05-31', '2026-06-30', '2026-07-31', '2026-08-31']],
  ['2026-02-28', 'monthly', true, ['2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30']],
  ['2026-04-29', 'monthly', true, ['2026-05-29', '2026-06-29', '2026-07-29', '2026-08-29']],
  ['2024-02-29', 'annually', false, ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
  ['2027-12-31', 'quarterly', false, ['2028-03-31', '2028-06-30', '2028-09-30', '2028-12-31']],
  ['2026-08-31', 'semiannually', true, ['2027-02-28', '2027-08-31', '2028-02-29', '2028-08-31']],
  ['2026-01-01', 'biweekly', false, ['2026-01-15', '2026-01-29', '2026-02-12', '2026-02-26']],
] as const)('%s %s, keeping month ends: %s', (start_on, period, keep, expected) => {
  const schedule = { start_on, cycle: periods[period], preserve_end_of_month: keep }
  expect([1, 2, 3, 4].map((number) => cycleDate(schedule, number))).toEqual(expected)
})

test.each([
  ['P15D', { months: 0, days: 15 }],
  ['P1M', { months: 1, days: 0 }],
  ['P1Y2M', { months: 14, days: 0 }],
  ['P2W', { months: 0, days: 14 }],
  ['P1M15D', { months: 1, days: 15 }],
  ['PT48H', { months: 0, days: 2 }],
  ['P1D', { months: 0, days: 1 }],
  ['P0D', null],
  ['PT23H', null],
  ['PT36H', null],
  ['P1DT1S', null],
  ['-P1D', null],
  ['P101Y', null],
  ['', null],
  ['monthly', null],
  ['P1.5M', null],
])('a cyclical_period of %s', (text, cycle) => {
  expect(readCycle(text)).toEqual(cycle)
})

test('the shortest a cycle can be', () => {
  expect(shortestCycleMs(periods.monthly)).toBe(28 * day_ms)
  expect(shortestCycleMs(periods.annually)).toBe(365 * day_ms)
  expect(shortestCycleMs(periods.weekly)).toBe(7 * day_ms)
})

test('only days that exist are days', () => {
  for (const day of ['2026-01-31', '2024-02-29', '0001-01-01'])
    expect(isCalendarDate(day)).toBe(true)
  for (const day of [
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00Z',
    '',
  ]) {
    expect(isCalendarDate(day)).toBe(false)
  }
  expect(addDays('2024-02-28', 2)).toBe('2024-03-01')
})

test('time is added by the calendar', () => {
  const add = (from: string, by: string) => addCalendar(new Date(from), by)?.toISOString() ?? null
  expect(add('2026-01-31T10:00:00Z', 'P1M')).toBe('2026-02-28T10:00:00.000Z')
  expect(add('2026-01-31T10:00:00Z', 'P1Y2M3DT4H5M6S')).toBe('2027-04-03T14:05:06.000Z')
  expect(add('2026-01-31T10:00:00Z', 'P1W')).toBe('2026-02-07T10:00:00.000Z')
  expect(add('2026-01-31T10:00:00Z', 'P999999Y')).toBeNull()
})
