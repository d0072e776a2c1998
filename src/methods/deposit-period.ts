import type { FieldError } from '../core/api/errors.ts'
import { formatDuration, readDuration } from '../core/time/durations.ts'
import type { DepositBounds } from './payment-facts.ts'

/** How long a payment by deposit is open, as its token says; faults are added to `errors`. */
export function readPeriod(
  { least_ms, most_ms }: DepositBounds,
  text: string | null | undefined,
  errors: FieldError[],
  needed_ms = 0,
): number | null {
  if (!text) return null
  const period_ms = readDuration(text)
  const min_ms = Math.max(least_ms, needed_ms)
  if (period_ms === null || period_ms < min_ms || period_ms > most_ms) {
    const rule = `must be a duration from ${formatDuration(min_ms)} to ${formatDuration(most_ms)}`
    errors.push({ field: 'data.expiration_period', reason: 'INVALID_TIME_PERIOD', rule })
  }
  return period_ms
}

/** How long a payment by deposit is open: what its token or store says, within what a token could say. */
export function depositPeriod(
  { least_ms, most_ms, default_ms }: DepositBounds,
  wanted: string | null,
): number {
  const wanted_ms = (wanted && readDuration(wanted)) || default_ms
  return Math.min(Math.max(wanted_ms, least_ms), most_ms)
}

/** A time of day needs a period whose last day it is of. */
export const period_missing: FieldError = {
  field: 'data.expiration_period',
  reason: 'REQUIRED_VALUE',
  rule: 'is required with data.expiration_time_shift',
}
