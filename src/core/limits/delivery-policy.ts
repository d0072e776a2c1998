import { day_ms, hour_ms, minute_ms, second_ms } from '../time/clock.ts'

/** The wait after each failed attempt: ten attempts within a little over three days. */
const waits_ms = [
  5 * second_ms,
  5 * minute_ms,
  30 * minute_ms,
  2 * hour_ms,
  5 * hour_ms,
  10 * hour_ms,
  14 * hour_ms,
  20 * hour_ms,
  day_ms,
] as const

export const max_attempts = waits_ms.length + 1

/** Waits vary by up to this fraction, so that receivers do not get all retries at the same time. */
const jitter = 0.1

/** A delivery is given up after this time, however many attempts were made. */
const max_age_ms = 5 * day_ms

const max_wait_ms = day_ms
const max_requested_pause_ms = hour_ms

/** The result of an attempt: a status, or no response. */
export interface AttemptEnd {
  readonly status: number | null
  /** The pause that the receiver requests. */
  readonly retry_after_ms: number | null
}

/** The state of a delivery after an attempt. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly after_ms: number }
  | { readonly kind: 'given_up'; readonly switch_off: string | null }

/** Statuses that mean that the receiver refuses the event, rather than that it has trouble. */
function isRefusal(status: number | null): boolean {
  return status !== null && status >= 300 && status <= 502
}

export interface DeliveryAge {
  /** Attempts since the delivery was queued, including the last one. */
  readonly attempts: number
  readonly age_ms: number
}

/**
 * 2xx is delivered. A redirect and 410 end the delivery and disable the webhook immediately; other
 * refusals do so when all attempts are used up. Trouble of the receiver never disables it.
 */
export function classifyAttempt(
  { status, retry_after_ms }: AttemptEnd,
  { attempts, age_ms }: DeliveryAge,
  random: () => number,
): Outcome {
  if (status !== null && status >= 200 && status < 300) return { kind: 'delivered' }
  if (status !== null && status >= 300 && status < 400) {
    return { kind: 'given_up', switch_off: `The receiver answered with the redirect ${status}.` }
  }
  if (status === 410) {
    return { kind: 'given_up', switch_off: 'The receiver answered 410: it is gone for good.' }
  }
  const wait_ms = waits_ms[attempts - 1]
  if (wait_ms === undefined || age_ms > max_age_ms) {
    const refused = `The receiver answered ${status} to the last of ${attempts} attempts.`
    return { kind: 'given_up', switch_off: isRefusal(status) ? refused : null }
  }
  const asked_ms = Math.min(retry_after_ms ?? 0, max_wait_ms)
  return { kind: 'again', after_ms: Math.max(withJitter(wait_ms, random), asked_ms) }
}

/** After this many consecutive failures, of whatever deliveries, the circuit opens. */
const failures_to_open = 5
const min_open_ms = 10 * second_ms
const max_open_ms = 10 * minute_ms

/** The number of consecutive failures after a batch without a success. */
export function countFailures(before: number, in_batch: number): number {
  return Math.max(before + 1, Math.min(before + in_batch, failures_to_open))
}

/** How long the circuit stays open after this many consecutive failures; null: it is closed. */
export function circuitOpenMs(failures: number, random: () => number): number | null {
  if (failures < failures_to_open) return null
  const doubled_ms = min_open_ms * 2 ** Math.min(failures - failures_to_open, 10)
  return withJitter(Math.min(doubled_ms, max_open_ms), random)
}

/** An overloaded receiver, or one under maintenance, may ask for a pause of all its deliveries. */
export function requestedPauseMs({ status, retry_after_ms }: AttemptEnd): number {
  const may_ask = status === 429 || status === 503
  return may_ask ? Math.min(retry_after_ms ?? 0, max_requested_pause_ms) : 0
}

function withJitter(ms: number, random: () => number): number {
  return Math.round(ms * (1 - jitter + 2 * jitter * random()))
}

/** `Retry-After` in either form: seconds, or a date. */
export function readRetryAfter(text: string | null, now_ms: number): number | null {
  if (text === null) return null
  if (/^\d{1,9}$/.test(text)) return Number(text) * second_ms
  const date_ms = Date.parse(text)
  return Number.isNaN(date_ms) ? null : Math.max(date_ms - now_ms, 0)
}
