import { isIPv4 } from 'node:net'
import type { Reason } from '../api/errors.ts'
import { isUuid } from '../ids.ts'
import { isCurrency } from '../money/currencies.ts'
import { isCountry } from '../payments/countries.ts'
import { readTimeOfDay, time_of_day } from '../time/durations.ts'
import { isCalendarDate } from '../time/schedule.ts'
import { readWebAddress } from './web-address.ts'

interface Format {
  /** The error reason for a field that does not have this form. */
  readonly reason: Reason
  /** The rule of the field, where the reason alone does not give it. */
  readonly rule?: string
  /** How the API description writes it, where no standard has a format of this name. */
  readonly written?: { readonly format?: string; readonly pattern: string }
  accepts(text: string): boolean
}

const duration = /^P(?=\d|T\d)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/
const email = /^[^\s@<>()[\]\\,;:"]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i
const domain = /^(\*|(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9-]{1,63}(:\d{1,5})?)$/i
const instant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const language = /^[a-z]{2,3}([-_][a-z0-9]{2,8})?$/i
const color = /^#[A-Fa-f0-9]{6}$/
const zone = /^[A-Za-z][\w+-]*(\/[\w+-]+){0,2}$/

/** A pattern of the description has no flags. */
function anyCase({ source }: RegExp): string {
  return source.replaceAll('a-z', 'A-Za-z')
}

function isZone(text: string): boolean {
  if (!zone.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** A date, or an instant; without a zone it is UTC, wherever the service runs. */
export function readInstant(text: string): Date | null {
  if (!instant.test(text)) return null
  const day = text.slice(0, 10)
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return null
  const has_zone = text.length === 10 || /(Z|[+-]\d{2}:?\d{2})$/.test(text)
  const moment = new Date(has_zone ? text : `${text}Z`)
  return Number.isNaN(moment.getTime()) ? null : moment
}

function isHttpUrl(text: string): boolean {
  return text.length <= 2048 && readWebAddress(text) !== null
}

/** The text formats of the API. Schemas name them; errors and documents read them. */
export const formats = {
  uuid: { reason: 'INVALID_UUID', accepts: isUuid },
  ipv4: { reason: 'INVALID_FORMAT', rule: 'must be an IPv4 address', accepts: isIPv4 },
  email: {
    reason: 'INVALID_FORMAT_EMAIL',
    accepts: (text) => text.length <= 254 && email.test(text),
  },
  url: {
    reason: 'INVALID_FORMAT_URL',
    written: { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?:' },
    accepts: isHttpUrl,
  },
  domain: {
    reason: 'INVALID_FORMAT_DOMAIN',
    written: { pattern: anyCase(domain) },
    accepts: (text) => domain.test(text),
  },
  duration: { reason: 'INVALID_DURATION', accepts: (text) => duration.test(text) },
  instant: {
    reason: 'INVALID_FORMAT_DATE',
    written: { pattern: instant.source },
    accepts: (text) => readInstant(text) !== null,
  },
  date: {
    reason: 'INVALID_FORMAT_DATE',
    rule: 'must be a date, for example 2026-11-15',
    accepts: isCalendarDate,
  },
  time_of_day: {
    reason: 'INVALID_FORMAT',
    rule: 'must be a time of day with a zone, for example 09:00:00+09:00',
    written: { pattern: time_of_day.source },
    accepts: (text) => readTimeOfDay(text) !== null,
  },
  currency: {
    reason: 'INVALID_FORMAT_CURRENCY',
    written: { pattern: '^[A-Za-z]{3}$' },
    accepts: isCurrency,
  },
  country: {
    reason: 'INVALID_FORMAT_COUNTRY',
    written: { pattern: '^[A-Za-z]{2}$' },
    accepts: isCountry,
  },
  language: {
    reason: 'INVALID_LANGUAGE',
    written: { pattern: anyCase(language) },
    accepts: (text) => language.test(text),
  },
  color: {
    reason: 'INVALID_FORMAT',
    rule: 'must be a hexadecimal color, for example #1f5eff',
    written: { pattern: color.source },
    accepts: (text) => color.test(text),
  },
  time_zone: {
    reason: 'INVALID_FORMAT',
    rule: 'must be an IANA time zone, for example Asia/Tokyo',
    written: { pattern: zone.source },
    accepts: isZone,
  },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof formats
