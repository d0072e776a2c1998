/**
 * A reference model of a charge, as simple as possible, that the real service is compared with. It
 * knows nothing of databases, claims or providers.
 */
export type Scenario =
  | 'good'
  | 'declined'
  | 'broken'
  | 'lost'
  | 'slow'
  | 'refund_fails'
  | 'void_fails'

export interface ModelCharge {
  readonly id: string
  readonly scenario: Scenario
  readonly capture: boolean
  readonly capture_at_ms: number | null
  readonly requested: number
  readonly currency: string
  readonly created_ms: number
  status: string
  error: number | null
  charged: number | null
  refunded: number
  /** Refunds that were accepted and not processed yet. */
  refunds: number[]
  begun: 'capture' | 'cancel' | null
  capture_amount: number
  authorized_ms: number
  /** When the provider was asked first; its result is known a while later. */
  asked_ms: number | null
}

const minute_ms = 60_000
const day_ms = 24 * 60 * minute_ms
export const slow_ms = 5000
const lost_ms = 1000
const undone_after_ms = 10 * minute_ms
const hold_ms = 7 * day_ms

/** Dirhams are charged as yen, 40.8 for one, rounded half up. */
export function inProviderMoney(amount: number, currency: string): number {
  return currency === 'AED' ? Math.floor((2 * amount * 408 + 1000) / 2000) : amount
}

/** A part of a converted charge is that part of the yen, half up, and at least one. */
function partInProviderMoney({ requested, currency }: ModelCharge, part: number): number {
  if (currency !== 'AED') return part
  const whole = inProviderMoney(requested, currency)
  return Math.max(1, Math.floor((2 * whole * part + requested) / (2 * requested)))
}

/** The response of a request: its status, and the name of the error. */
export type Expected = '200' | '201' | `400 ${string}`

export function beginCapture(charge: ModelCharge, amount: number): Expected {
  if (charge.begun === 'capture' || charge.status === 'successful') return '400 ALREADY_CAPTURED'
  if (charge.status !== 'authorized' || charge.begun) return '400 VALIDATION_ERROR'
  if (amount > charge.requested) return '400 CAPTURE_AMOUNT_TOO_LARGE'
  charge.begun = 'capture'
  charge.capture_amount = amount
  return '200'
}

export function beginCancel(charge: ModelCharge): Expected {
  if (charge.status !== 'authorized' || charge.begun) return '400 CANCEL_NOT_ALLOWED'
  charge.begun = 'cancel'
  return '201'
}

export function beginRefund(charge: ModelCharge, amount: number): Expected {
  if (charge.charged === null) return '400 CANNOT_REFUND_UNSUCCESSFUL_CHARGE'
  if (refundedOrAboutTo(charge) + amount > charge.charged) {
    return '400 REFUND_EXCEEDS_CHARGE_AMOUNT'
  }
  charge.refunds.push(amount)
  return '201'
}

export function refundedOrAboutTo({ refunded, refunds }: ModelCharge): number {
  return refunds.reduce((sum, amount) => sum + amount, refunded)
}

/** Processes everything that is due now. */
export function work(charge: ModelCharge, now_ms: number): void {
  if (charge.status === 'pending') authorize(charge, now_ms)
  continueAuthorized(charge, now_ms)
  if (charge.begun === 'cancel') {
    charge.begun = null
    if (charge.scenario !== 'void_fails') charge.status = 'canceled'
    else continueAuthorized(charge, now_ms)
  }
  if (charge.scenario !== 'refund_fails') charge.refunded = refundedOrAboutTo(charge)
  charge.refunds = []
}

function authorize(charge: ModelCharge, now_ms: number): void {
  charge.asked_ms ??= now_ms
  const { scenario } = charge
  const reported_after_ms = scenario === 'lost' ? lost_ms : scenario === 'slow' ? slow_ms : 0
  if (now_ms < charge.asked_ms + reported_after_ms) {
    // Too late to wait any longer: a possible payment is returned.
    if (now_ms - charge.created_ms >= undone_after_ms) end(charge, 'error', 502)
  } else if (scenario === 'declined') end(charge, 'failed', 306)
  else if (scenario === 'broken') end(charge, 'error', 501)
  else if (charge.capture) take(charge, charge.requested)
  else {
    charge.status = 'authorized'
    charge.authorized_ms = now_ms
  }
}

function continueAuthorized(charge: ModelCharge, now_ms: number): void {
  const { status, begun, capture_at_ms, authorized_ms } = charge
  if (status !== 'authorized' || begun === 'cancel') return
  if (begun === 'capture') take(charge, charge.capture_amount)
  else if (capture_at_ms !== null && capture_at_ms <= now_ms) take(charge, charge.requested)
  else if (authorized_ms + hold_ms <= now_ms) end(charge, 'failed', 313)
}

function end(charge: ModelCharge, status: string, error: number): void {
  charge.status = status
  charge.error = error
}

function take(charge: ModelCharge, amount: number): void {
  charge.status = 'successful'
  charge.begun = null
  charge.charged = partInProviderMoney(charge, amount)
}
