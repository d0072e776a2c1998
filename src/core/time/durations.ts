import { day_ms, hour_ms, minute_ms, second_ms } from './clock.ts'

/** A time of day and its zone, as an offset from UTC. */
export interface TimeOfDay {
  ms_of_day: number
  offset_ms: number
}

/** The same texts as the format `duration`; here with a group for each unit below. */
const duration =
  /^P(?=\d|T\d)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(?:T(?=\d)(\d+H)?(\d+M)?(\d+(?:\.\d+)?S)?)?$/

/** A period must not depend on the day it starts on, so years and months have a fixed length. */
const units_ms = [
  365 * day_ms,
  30 * day_ms,
  7 * day_ms,
  day_ms,
  hour_ms,
  minute_ms,
  second_ms,
] as const

export const time_of_day =
  /^T?(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/

/** The largest zone offset that Java allows; no place on earth needs more. */
const max_offset_ms = 18 * hour_ms

/** Japan has had no daylight saving time since 1951, so its days can be counted without a zone table. */
const tokyo_offset_ms = 9 * hour_ms

/** Decimals of a second in whole milliseconds, by their text: 1.001 * 1000 is less than 1001. */
function decimalsInMs(decimals: string): number {
  return Number(decimals.slice(0, 3).padEnd(3, '0'))
}

/**
 * The length of an ISO-8601 duration in milliseconds; smaller fractions are cut off. Null is no
 * duration, or one too long to be counted exactly.
 */
export function readDuration(text: string): number | null {
  const parts = duration.exec(text)?.slice(1)
  if (parts === undefined) return null
  // A sum above the largest safe integer cannot be rounded back below it.
  let total_ms = 0
  for (const [index, unit_ms] of units_ms.entries()) {
    total_ms += Number.parseInt(parts[index] ?? '0', 10) * unit_ms
  }
  total_ms += decimalsInMs(/\.(\d+)S$/.exec(text)?.[1] ?? '')
  return Number.isSafeInteger(total_ms) ? total_ms : null
}

/**
 * A length of time as Java's Duration writes it: hours, minutes and seconds, never days, and no part
 * that is zero. Equal lengths have equal texts, whatever the input was.
 */
export function formatDuration(ms: number): string {
  if (!Number.isSafeInteger(ms) || ms < 0) throw new RangeError(`${ms} is no length of time.`)
  const hours = Math.floor(ms / hour_ms)
  const minutes = Math.floor((ms % hour_ms) / minute_ms)
  const seconds = Math.floor((ms % minute_ms) / second_ms)
  const decimals = String(ms % second_ms)
    .padStart(3, '0')
    .replace(/0+$/, '')
  let text = 'PT'
  if (hours > 0) text += `${hours}H`
  if (minutes > 0) text += `${minutes}M`
  if (decimals !== '') text += `${seconds}.${decimals}S`
  else if (seconds > 0 || ms === 0) text += `${seconds}S`
  return text
}

/**
 * An ISO-8601 time of day with its zone, in the form with colons. Without a zone it would be another
 * instant on every machine, and 24:00 would belong to two days: both return null.
 */
export function readTimeOfDay(text: string): TimeOfDay | null {
  const parts = time_of_day.exec(text)
  if (parts === null) return null
  const [, hour, minute, second = '0', decimals = '', sign, zone_hour = '0', zone_minute = '0'] =
    parts
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const whole_ms = Number(hour) * hour_ms + Number(minute) * minute_ms + Number(second) * second_ms
  const distance_ms = Number(zone_hour) * hour_ms + Number(zone_minute) * minute_ms
  if (Number(zone_minute) > 59 || distance_ms > max_offset_ms) return null
  return {
    ms_of_day: whole_ms + decimalsInMs(decimals),
    // Subtracted, because negating zero would give -0.
    offset_ms: sign === '-' ? 0 - distance_ms : distance_ms,
  }
}

/** Midnight at the start of the calendar day of an instant, for a given UTC offset. */
function startOfDay(at_ms: number, offset_ms: number): number {
  return Math.floor((at_ms + offset_ms) / day_ms) * day_ms - offset_ms
}

/**
 * When something that starts at `from` ends. A shift moves the end to its time of day on the same
 * calendar day in its zone, earlier or later; only an end that would not be after the start moves to
 * the next day.
 */
export function expiryOf(options: {
  from: Date
  period_ms: number
  time_shift: TimeOfDay | null
}): Date {
  const from_ms = options.from.getTime()
  let end_ms = from_ms + options.period_ms
  if (options.time_shift !== null) {
    const { ms_of_day, offset_ms } = options.time_shift
    end_ms = startOfDay(end_ms, offset_ms) + ms_of_day
    if (end_ms <= from_ms) end_ms += day_ms
  }
  const end = new Date(end_ms)
  if (Number.isNaN(end.getTime())) throw new RangeError('The end is beyond the last date there is.')
  return end
}

/** The last millisecond of the day that a payer in Japan sees on the calendar. */
export function endOfDayInTokyo(moment: Date): Date {
  return new Date(startOfDay(moment.getTime(), tokyo_offset_ms) + day_ms - 1)
}
