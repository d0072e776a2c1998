import { Temporal } from 'temporal-polyfill'
import { day_ms } from './clock.ts'

/** The time zone of merchants that set none. */
export const default_zone = 'Asia/Tokyo'

/** The length of a cycle: months of the calendar, and days. */
export interface Cycle {
  readonly months: number
  readonly days: number
}

const in_months = (months: number): Cycle => ({ months, days: 0 })
const in_days = (days: number): Cycle => ({ months: 0, days })

export const periods = {
  daily: in_days(1),
  weekly: in_days(7),
  biweekly: in_days(14),
  monthly: in_months(1),
  bimonthly: in_months(2),
  quarterly: in_months(3),
  semiannually: in_months(6),
  annually: in_months(12),
} as const satisfies Record<string, Cycle>
export type Period = keyof typeof periods

/** A `cyclical_period`: at least one whole day. Hours are accepted when they add up to days. */
export function readCycle(text: string): Cycle | null {
  let given: Temporal.Duration
  try {
    given = Temporal.Duration.from(text)
  } catch {
    return null
  }
  const { years, months, weeks, days, hours, minutes, seconds, milliseconds } = given
  const rest = [minutes, seconds, milliseconds, given.microseconds, given.nanoseconds, hours % 24]
  if (given.sign <= 0 || rest.some((part) => part !== 0)) return null
  const cycle = { months: years * 12 + months, days: weeks * 7 + days + hours / 24 }
  const max_days = 100 * 366
  return cycle.months * 31 + cycle.days <= max_days ? cycle : null
}

/** The shortest duration of a cycle, to compare it with other durations. */
export function shortestCycleMs({ months, days }: Cycle): number {
  const of_months = Math.floor(months / 12) * 365 + (months % 12) * 28
  return (of_months + days) * day_ms
}

/** The configuration counts a month as thirty days. */
export function cycleDays({ months, days }: Cycle): number {
  return months * 30 + days
}

export interface Schedule {
  /** The day that cycle 0 falls on, as `2026-01-31`. */
  readonly start_on: string
  readonly cycle: Cycle
  /** For a start on the last day of a month: every payment is on the last day of its month. */
  readonly preserve_end_of_month: boolean
}

/**
 * The day of a cycle. Each is counted from the start, never from the previous one: otherwise a month
 * that ends on the 28th would move all later payments to the 28th.
 */
export function cycleDate(schedule: Schedule, number: number): string {
  const { start_on, cycle, preserve_end_of_month } = schedule
  const start = Temporal.PlainDate.from(start_on)
  const date = start.add({ months: cycle.months * number, days: cycle.days * number })
  const at_end = preserve_end_of_month && cycle.days === 0 && start.day === start.daysInMonth
  return (at_end ? date.with({ day: date.daysInMonth }) : date).toString()
}

const payment_hour = 9

/** Nine o'clock of a day in the zone; where the clocks skip it, the same time after the gap. */
export function paymentTime(date: string, zone_id: string): Date {
  const local = Temporal.PlainDate.from(date).toPlainDateTime({ hour: payment_hour })
  return new Date(
    local.toZonedDateTime(zone_id, { disambiguation: 'compatible' }).epochMilliseconds,
  )
}

/** The local date of an instant in the zone. */
export function dateIn(zone_id: string, at: Date): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(at.getTime())
  return instant.toZonedDateTimeISO(zone_id).toPlainDate().toString()
}

/** An instant later by a duration of the calendar, in UTC: `P1M` after 31 January is 28 February. */
export function addCalendar(from: Date, duration: string): Date | null {
  try {
    const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO('UTC')
    return new Date(start.add(duration).epochMilliseconds)
  } catch {
    return null
  }
}

/** This many calendar days later. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}
