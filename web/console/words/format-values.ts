import { currencies } from '../../../src/core/money/currencies.ts'
import { halfWidth } from '../../../src/core/typed/half-width.ts'
import type { Language } from './language.tsx'

const locales: Record<Language, string> = { en: 'en-US', ja: 'ja-JP' }

/** A format takes longer to make than to use a hundred times, and a list has the same few in each row. */
function remembered<Format>(make: (locale: string, options: object) => Format) {
  const known = new Map<string, Format>()
  return (locale: string, options: object = {}): Format => {
    const key = locale + JSON.stringify(options)
    const found = known.get(key) ?? make(locale, options)
    known.set(key, found)
    return found
  }
}
const numberFormat = remembered((locale, options) => new Intl.NumberFormat(locale, options))
const dateFormat = remembered((locale, options) => new Intl.DateTimeFormat(locale, options))
const relativeFormat = remembered((locale, options) => new Intl.RelativeTimeFormat(locale, options))

function digitsOf(currency: string): number {
  return currencies[currency as keyof typeof currencies]?.digits ?? 2
}

/** The decimal text of an amount in the smallest unit; no arithmetic with fractions. */
export function majorText(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const sign = amount < 0 ? '-' : ''
  const whole = String(Math.abs(amount)).padStart(digits + 1, '0')
  if (digits === 0) return sign + whole
  return `${sign}${whole.slice(0, -digits)}.${whole.slice(-digits)}`
}

/** The amount in the smallest unit that a person typed; null when it is not an amount. */
export function readAmount(text: string, currency: string): number | null {
  const digits = digitsOf(currency)
  const plain = halfWidth(text).replaceAll(/[,\s]|^[^\d.-]/g, '')
  const match = /^(\d+)(?:\.(\d*))?$/.exec(plain)
  if (!match) return null
  const [, whole = '', decimals = ''] = match
  if (decimals.length > digits) return null
  const amount = Number(whole + decimals.padEnd(digits, '0'))
  return Number.isSafeInteger(amount) ? amount : null
}

/** The count that a person typed; the API names the field of an invalid one. */
export function readCount(text: string): number {
  const plain = halfWidth(text).replaceAll(/[,\s]/g, '')
  return /^\d+$/.test(plain) ? Number(plain) : (text as unknown as number)
}

/** `¥12,800`, `$25.00`: the narrow symbol and the decimals of the currency, in both languages. */
export function formatMoney(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const format = numberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const text = format.format(majorText(Math.abs(amount), currency) as unknown as number)
  return amount < 0 ? `−${text}` : text
}

export function formatNumber(value: number, language: Language): string {
  return numberFormat(locales[language]).format(value)
}

export function formatPercent(ratio: number, language: Language): string {
  const options = { style: 'percent', maximumFractionDigits: 1 } as const
  return numberFormat(locales[language], options).format(ratio)
}

const minute_ms = 60_000
const hour_ms = 60 * minute_ms
const day_ms = 24 * hour_ms

/** Relative up to a day, then date and minute. */
export function formatTime(at: number, now: number, language: Language, zone: string): string {
  const passed = now - at
  if (Math.abs(passed) >= day_ms) return formatMinute(at, now, language, zone)
  const format = relativeFormat(locales[language], {
    numeric: 'auto',
    style: 'narrow',
  })
  if (Math.abs(passed) < minute_ms) return format.format(0, 'second')
  if (Math.abs(passed) < hour_ms) return format.format(-Math.trunc(passed / minute_ms), 'minute')
  return format.format(-Math.trunc(passed / hour_ms), 'hour')
}

const yearOf = (ms: number, zone: string) =>
  dateFormat('en', { year: 'numeric', timeZone: zone }).format(ms)

/** The year only when it is another one than now. */
export function formatMinute(at: number, now: number, language: Language, zone: string): string {
  return dateFormat(locales[language], {
    ...(yearOf(at, zone) === yearOf(now, zone) ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(at)
}

/** Day and minute with the year, for texts that are read elsewhere. */
export function formatDayAndTime(at: number, language: Language, zone: string): string {
  return formatMinute(at, 0, language, zone)
}

/** The exact instant with its zone. */
export function formatExact(at: number, language: Language, zone: string): string {
  return dateFormat(locales[language], {
    dateStyle: 'long',
    timeStyle: 'long',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(at)
}

/** A day; with `now`, the year when it is another one. */
export function formatDay(at: number, language: Language, zone: string, now = at): string {
  return dateFormat(locales[language], {
    ...(yearOf(at, zone) === yearOf(now, zone) ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    timeZone: zone,
  }).format(at)
}

/** An hour of a day. */
export function formatClockHour(at: number, language: Language, zone: string): string {
  return dateFormat(locales[language], {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(at)
}

/** Hours, minutes and seconds with milliseconds, for steps that follow each other quickly. */
export function formatClock(at: number, language: Language, zone: string): string {
  return dateFormat(locales[language], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZone: zone,
  }).format(at)
}

const period_units = {
  Y: 'year',
  M: 'month',
  W: 'week',
  D: 'day',
  'T.H': 'hour',
  'T.M': 'minute',
  'T.S': 'second',
} as const

/** The name of a zone as people say it: Japan Standard Time, 日本標準時. */
export function formatZone(zone: string, language: Language): string {
  const format = dateFormat(locales[language], {
    timeZone: zone,
    timeZoneName: 'long',
  })
  return format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** In Japanese a number and its unit are one word. */
function unitText(value: number, language: Language, options: Intl.NumberFormatOptions): string {
  const text = numberFormat(locales[language], { style: 'unit', ...options }).format(value)
  return language === 'ja' ? text.replace(/ (?=[^ -~])/, '') : text
}

/** Names, as a list. */
export function joinList(names: readonly string[], language: Language): string {
  return names.join(language === 'ja' ? '、' : ', ')
}

/** An ISO-8601 duration in words: `P7D` is 7 days or 7日, and so is `PT168H`. */
export function formatPeriod(period: string, language: Language): string {
  const whole_days = period.replace(/^PT(\d+)H$/, (hours, count) =>
    Number(count) % 24 === 0 ? `P${Number(count) / 24}D` : hours,
  )
  const [days = '', times = ''] = whole_days.replace(/^P/, '').split('T')
  const parts = (text: string, prefix: '' | 'T.') =>
    [...text.matchAll(/(\d+)([YMWDHS])/g)].map(([, count, letter]) => {
      const unit = period_units[`${prefix}${letter}` as keyof typeof period_units]
      return unitText(Number(count), language, { unit, unitDisplay: 'long' })
    })
  return [...parts(days, ''), ...parts(times, 'T.')].join(' ') || period
}

export function formatDuration(ms: number, language: Language): string {
  const [value, unit] =
    ms < 1000
      ? [ms, 'millisecond']
      : ms < minute_ms
        ? [ms / 1000, 'second']
        : ms < hour_ms
          ? [ms / minute_ms, 'minute']
          : ms < day_ms
            ? [ms / hour_ms, 'hour']
            : [ms / day_ms, 'day']
  return unitText(Number(value), language, {
    unit: String(unit),
    unitDisplay: 'short',
    maximumFractionDigits: Number(value) < 10 && unit !== 'millisecond' ? 1 : 0,
  })
}

/** A day of the calendar such as `2026-05-10`: the same in every zone. */
export function formatCalendarDay(day: string, language: Language): string {
  const text = dateFormat(locales[language], {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    weekday: 'short',
    timeZone: 'UTC',
  }).format(Date.parse(`${day}T00:00:00Z`))
  return language === 'ja' ? text.replace('(', '（').replace(')', '）') : text
}

/** The time of a day, with seconds: pages are read again every few seconds. */
export function formatExactTime(at: number, language: Language, zone: string): string {
  return dateFormat(locales[language], {
    timeStyle: 'medium',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(at)
}

/** A time for a file: `2026/11/18 21:44:05`, which spreadsheets read as one in every language. */
export function formatFileTime(at: number, zone: string): string {
  const text = dateFormat('ja-JP', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  })
  return text.format(at)
}
