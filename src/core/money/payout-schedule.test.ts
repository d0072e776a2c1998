import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  lastPayout,
  type PayoutSchedule,
  payout_periods,
  startOfDayIn,
  week_days,
  weeks_of_month,
} from './payout-schedule.ts'

// January 2026 begins on a Thursday; Monday the 12th is in a week with biweekly payouts.
test.each<[string, PayoutSchedule, string, string, string]>([
  ['weekly is Monday', { period: 'weekly' }, '2026-01-15', '2026-01-12', '2026-01-12'],
  ['also on the day itself', { period: 'weekly' }, '2026-01-12', '2026-01-12', '2026-01-12'],
  [
    'or the day that is set',
    { period: 'weekly', weekly_payout_day: 'friday', day_of_week: 'sunday' },
    '2026-01-15',
    '2026-01-09',
    '2026-01-09',
  ],
  [
    'until the end of the closing day',
    { period: 'weekly', weekly_payout_day: 'friday', weekly_closing_day: 'sunday' },
    '2026-01-16',
    '2026-01-16',
    '2026-01-12',
  ],
  [
    'a closing day that is the payout day is the one of the week before',
    { period: 'weekly', weekly_payout_day: 'friday', weekly_closing_day: 'friday' },
    '2026-01-16',
    '2026-01-16',
    '2026-01-10',
  ],
  [
    'full weeks only',
    { period: 'weekly', day_of_week: 'wednesday', full_period_required: true },
    '2026-01-15',
    '2026-01-14',
    '2026-01-12',
  ],
  ['every second week', { period: 'biweekly' }, '2026-01-25', '2026-01-12', '2026-01-12'],
  ['and the next one', { period: 'biweekly' }, '2026-01-26', '2026-01-26', '2026-01-26'],
  ['twice a month', { period: 'semimonthly' }, '2026-01-15', '2026-01-01', '2026-01-01'],
  ['on the 16th', { period: 'semimonthly' }, '2026-01-31', '2026-01-16', '2026-01-16'],
  ['monthly is the first', { period: 'monthly' }, '2026-01-31', '2026-01-01', '2026-01-01'],
  [
    'or a day of the month',
    { period: 'monthly', day_of_month: 25 },
    '2026-01-15',
    '2025-12-25',
    '2025-12-25',
  ],
  [
    'the 31st of February is its last day',
    { period: 'monthly', day_of_month: 31 },
    '2026-03-01',
    '2026-02-28',
    '2026-02-28',
  ],
  [
    'full months only',
    { period: 'monthly', day_of_month: 10, full_period_required: true },
    '2026-01-15',
    '2026-01-10',
    '2026-01-01',
  ],
  [
    'the second Thursday',
    { period: 'monthly', week_of_month: 'second', day_of_week: 'thursday' },
    '2026-01-31',
    '2026-01-08',
    '2026-01-08',
  ],
  [
    'the last Friday',
    { period: 'monthly', week_of_month: 'last', day_of_week: 'friday' },
    '2026-01-31',
    '2026-01-30',
    '2026-01-30',
  ],
  [
    'every second month is January, March …',
    { period: 'bimonthly', day_of_month: 5 },
    '2026-02-28',
    '2026-01-05',
    '2026-01-05',
  ],
])('%s', (_, schedule, today, paid_on, before) => {
  expect(lastPayout(schedule, today)).toEqual({ paid_on, before })
})

test('without a period nothing is ever due', () => {
  expect(lastPayout({}, '2026-01-15')).toBe(null)
  expect(lastPayout({ period: null, day_of_month: 1 }, '2026-01-15')).toBe(null)
})

test('there is always a last payout, it is never ahead, and never goes back as days pass', () => {
  const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values))
  const schedules = fc.record({
    period: fc.constantFrom(...payout_periods),
    full_period_required: fc.boolean(),
    day_of_week: maybe(week_days),
    week_of_month: maybe(weeks_of_month),
    day_of_month: fc.option(fc.integer({ min: 1, max: 31 })),
    weekly_closing_day: maybe(week_days),
    weekly_payout_day: maybe(week_days),
  })
  fc.assert(
    fc.property(schedules, fc.integer({ min: 0, max: 3000 }), (schedule, number) => {
      const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)
      const start = Date.UTC(2024, 2, 1) + number * 86_400_000
      const today = dayAt(start)
      const now = lastPayout(schedule, today)
      const next = lastPayout(schedule, dayAt(start + 86_400_000))
      if (!now || !next) throw new Error('no payout')
      expect(now.before <= now.paid_on && now.paid_on <= today).toBe(true)
      expect(now.paid_on <= next.paid_on && now.before <= next.before).toBe(true)
    }),
  )
})

test('a day begins where the merchant is', () => {
  expect(startOfDayIn('Asia/Tokyo', '2026-01-15').toISOString()).toBe('2026-01-14T15:00:00.000Z')
})
