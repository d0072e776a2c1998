import type { FieldError } from '../../core/api/errors.ts'
import { formatDuration, readDuration } from '../../core/time/durations.ts'
import type { DepositBounds } from '../contract/payment-facts.ts'

/** How long a payment by deposit is open, as its token says; faults are added to `errors`. */
export function readPeriod(
  { min_ms, max_ms }: DepositBounds,
  text: string | null | undefined,
  errors: FieldError[],
  needed_ms = 0,
): number | null {
  if (!text) return null
  const period_ms = readDuration(text)
  const shortest_ms = Math.max(min_ms, needed_ms)
  if (period_ms === null || period_ms < shortest_ms || period_ms > max_ms) {
    const rule = `must be a duration from ${formatDuration(shortest_ms)} to ${formatDuration(max_ms)}`
    errors.push({ field: 'data.expiration_period', reason: 'INVALID_TIME_PERIOD', rule })
  }
  return period_ms
}

/** How long a payment by deposit is open: what its token or store says, within what a token could say. */
export function depositPeriod(
  { min_ms, max_ms, default_ms }: DepositBounds,
  wanted: string | null,
): number {
  const wanted_ms = (wanted && readDuration(wanted)) || default_ms
  return Math.min(Math.max(wanted_ms, min_ms), max_ms)
}

/** A time of day needs a period whose last day it is of. */
export const period_missing: FieldError = {
  field: 'data.expiration_period',
  reason: 'REQUIRED_VALUE',
  rule: 'is required with data.expiration_time_shift',
}
