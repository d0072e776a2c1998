import { day_ms } from './clock.ts'

/** A day without a time or a zone: `2026-11-30`. */
export type Day = string

const dayOf = (year: number, month: number, date: number): Day =>
  new Date(Date.UTC(year, month - 1, date)).toISOString().slice(0, 10)
const shift = (day: Day, days: number): Day =>
  new Date(Date.parse(day) + days * day_ms).toISOString().slice(0, 10)
const weekday = (day: Day) => new Date(Date.parse(day)).getUTCDay()

/** The n-th Monday of a month. */
function monday(year: number, month: number, nth: number): Day {
  const first = weekday(dayOf(year, month, 1))
  return dayOf(year, month, 1 + ((8 - first) % 7) + (nth - 1) * 7)
}

/** Days of the equinoxes, by the formula that holds from 1980 to 2099. */
function equinox(year: number, base: number): number {
  return Math.floor(base + 0.242194 * (year - 1980) - Math.floor((year - 1980) / 4))
}

const known = new Map<number, ReadonlySet<Day>>()

/** The national holidays of Japan in a year, by the law as of 2026. */
export function holidaysOf(year: number): ReadonlySet<Day> {
  const found = known.get(year)
  if (found) return found
  const named = new Set([
    dayOf(year, 1, 1),
    monday(year, 1, 2),
    dayOf(year, 2, 11),
    dayOf(year, 2, 23),
    dayOf(year, 3, equinox(year, 20.8431)),
    dayOf(year, 4, 29),
    dayOf(year, 5, 3),
    dayOf(year, 5, 4),
    dayOf(year, 5, 5),
    monday(year, 7, 3),
    dayOf(year, 8, 11),
    monday(year, 9, 3),
    dayOf(year, 9, equinox(year, 23.2488)),
    monday(year, 10, 2),
    dayOf(year, 11, 3),
    dayOf(year, 11, 23),
  ])
  const all = new Set(named)
  for (const day of named) {
    // The next day that is no holiday replaces one on a Sunday.
    let next = day
    while (weekday(day) === 0 && named.has(next)) next = shift(next, 1)
    all.add(next)
    // A day between two holidays is one.
    if (named.has(shift(day, 2)) && weekday(shift(day, 1)) !== 0) all.add(shift(day, 1))
  }
  known.set(year, all)
  return all
}

/** Whether the banks of Japan are open: not on weekends, holidays, and from 31 December to 3 January. */
export function isBankDay(day: Day): boolean {
  const in_year = day.slice(5)
  if (in_year === '12-31' || in_year <= '01-03') return false
  if (weekday(day) === 0 || weekday(day) === 6) return false
  return !holidaysOf(Number(day.slice(0, 4))).has(day)
}

export function nextBankDay(day: Day): Day {
  let next = day
  while (!isBankDay(next)) next = shift(next, 1)
  return next
}

/** The first day after another one on which banks are open. */
export const bankDayAfter = (day: Day): Day => nextBankDay(shift(day, 1))
