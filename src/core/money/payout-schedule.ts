import { Temporal } from 'temporal-polyfill'

export const week_days = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type WeekDay = (typeof week_days)[number]

export const payout_periods = ['weekly', 'biweekly', 'semimonthly', 'monthly', 'bimonthly'] as const
export const weeks_of_month = ['first', 'second', 'third', 'fourth', 'last'] as const

/** The `transfer_schedule` of a merchant; unset fields are null or missing. */
export interface PayoutSchedule {
  readonly period?: (typeof payout_periods)[number] | null
  readonly full_period_required?: boolean | null
  readonly day_of_week?: WeekDay | null
  readonly week_of_month?: (typeof weeks_of_month)[number] | null
  readonly day_of_month?: number | null
  readonly weekly_closing_day?: WeekDay | null
  readonly weekly_payout_day?: WeekDay | null
}

export interface Payout {
  /** The day of the payout. */
  readonly paid_on: string
  /** Sales before this day are included. */
  readonly before: string
}

type Day = Temporal.PlainDate

/** A Monday; weeks are counted from it, and every second one has biweekly payouts. */
const first_week = Temporal.PlainDate.from('2024-01-01')

const numberOf = (day: WeekDay) => week_days.indexOf(day) + 1

/** The last day with this weekday before another day. */
function lastBefore(day: Day, name: WeekDay): Day {
  const back = (day.dayOfWeek - numberOf(name) + 7) % 7 || 7
  return day.subtract({ days: back })
}

function payoutOfWeek(day: Day, schedule: PayoutSchedule): Day | null {
  const { period, weekly_payout_day, day_of_week, weekly_closing_day } = schedule
  if (day.dayOfWeek !== numberOf(weekly_payout_day ?? day_of_week ?? 'monday')) return null
  const monday = day.subtract({ days: day.dayOfWeek - 1 })
  const weeks = monday.since(first_week).days / 7
  if (period === 'biweekly' && weeks % 2 !== 0) return null
  if (weekly_closing_day) return lastBefore(day, weekly_closing_day).add({ days: 1 })
  return schedule.full_period_required ? monday : day
}

/** The day of a month; the 31st is the last day of a shorter month. */
function dayOfMonth(month: Day, { week_of_month, day_of_week, day_of_month }: PayoutSchedule): Day {
  if (!week_of_month || !day_of_week) {
    return month.with({ day: Math.min(day_of_month ?? 1, month.daysInMonth) })
  }
  if (week_of_month === 'last') {
    return lastBefore(month.with({ day: 1 }).add({ months: 1 }), day_of_week)
  }
  const first = lastBefore(month.with({ day: 8 }), day_of_week)
  return first.add({ weeks: weeks_of_month.indexOf(week_of_month) })
}

function payoutOfMonth(day: Day, schedule: PayoutSchedule): Day | null {
  if (schedule.period === 'semimonthly') return day.day === 1 || day.day === 16 ? day : null
  if (schedule.period === 'bimonthly' && day.month % 2 === 0) return null
  if (!day.equals(dayOfMonth(day, schedule))) return null
  return schedule.full_period_required ? day.with({ day: 1 }) : day
}

/** No schedule has two payouts that are further apart. */
const longest_gap_days = 100

/** The newest payout due on or before a day; null without a schedule. */
export function lastPayout(schedule: PayoutSchedule, today: string): Payout | null {
  return findPayout(schedule, today, -1)
}

/** The first payout due on or after a day; null without a schedule. */
export function nextPayout(schedule: PayoutSchedule, today: string): Payout | null {
  return findPayout(schedule, today, 1)
}

function findPayout(schedule: PayoutSchedule, today: string, days: 1 | -1): Payout | null {
  if (!schedule.period) return null
  const find = /weekly$/.test(schedule.period) ? payoutOfWeek : payoutOfMonth
  let day = Temporal.PlainDate.from(today)
  for (let count = 0; count <= longest_gap_days; count += 1) {
    const before = find(day, schedule)
    if (before) return { paid_on: day.toString(), before: before.toString() }
    day = day.add({ days })
  }
  return null
}

/** The instant at which a day begins in the zone. */
export function startOfDayIn(zone_id: string, date: string): Date {
  return new Date(Temporal.PlainDate.from(date).toZonedDateTime(zone_id).epochMilliseconds)
}
