const day_ms = 86_400_000

/** How far the clocks of a zone are ahead of UTC at an instant. */
function offsetOf(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(at)
  return Date.parse(`${parts.replace(', ', 'T')}Z`) - Math.floor(at / 1000) * 1000
}

/** The instant at which a day such as `2026-11-16` begins in a zone, or the day after it. */
export function startOfDay(day: string, zone: string, days_later = 0): string {
  const midnight = Date.parse(`${day}T00:00:00Z`) + days_later * day_ms
  const guess = midnight - offsetOf(midnight, zone)
  return new Date(midnight - offsetOf(guess, zone)).toISOString()
}

/** The instant of a filter: people choose days, and a count that leads to a list gives the instants it counted between. */
export function instantOf(value: string, zone: string, days_later = 0): string {
  return value.includes('T') ? value : startOfDay(value, zone, days_later)
}

/** The day of a filter, for the field in which it is chosen. */
export function dayOf(value: string, zone: string): string {
  if (!value.includes('T')) return value
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.parse(value))
}

/** First and last day of the periods that people ask for, at an instant in a zone. */
export function presetDays(now: number, zone: string) {
  const today = dayOf(new Date(now).toISOString(), zone)
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const daysAgo = (count: number) => dayText(Date.UTC(year, month - 1, day - count))
  return {
    today: [today, today],
    yesterday: [daysAgo(1), daysAgo(1)],
    last_7_days: [daysAgo(6), today],
    this_month: [dayText(Date.UTC(year, month - 1, 1)), today],
    last_month: [dayText(Date.UTC(year, month - 2, 1)), dayText(Date.UTC(year, month - 1, 0))],
  } as const
}
