import type { Mode } from '../core/caller.ts'
import type { Sensitive } from '../core/sensitive.ts'

/** The card of an authorization. Its numbers show themselves only to who asks for them. */
export interface ProviderCard {
  readonly number: Sensitive<string>
  readonly cvv: Sensitive<string> | null
  readonly exp_month: number
  readonly exp_year: number
  readonly cardholder: string
  readonly brand: string
}

/**
 * One thing that is asked of a provider. The reference is made and stored before the first call
 * and is the same on every repetition: a provider that knows it does nothing a second time.
 */
export interface Operation {
  readonly merchant_id: string
  readonly mode: Mode
  readonly reference: string
  /** The authorization that a capture, void or refund belongs to. */
  readonly charge_id: string
  readonly amount: number
  readonly currency: string
}

export interface Authorization extends Operation {
  readonly payment_type: string
  readonly card: ProviderCard
  readonly email: string | null
  /** Capture in the same step; otherwise the amount is only held. */
  readonly capture: boolean
}

/** What became of an operation. */
export type Outcome =
  | { readonly outcome: 'approved' }
  /** Refused for good: codes 3xx fail the charge, 5xx mean trouble on the way. */
  | { readonly outcome: 'refused'; readonly code: number; readonly detail: string | null }
  /** Not known yet. Ask for the reference again after a while. */
  | { readonly outcome: 'unknown'; readonly ask_again_ms: number }

export type Inquiry = Outcome | { readonly outcome: 'never_received' }

/** What stands behind a payment: a simulator in test mode, a connector in live mode. */
export interface Provider {
  readonly name: string
  /** Currencies that it takes without conversion. */
  readonly currencies: readonly string[]
  authorize(operation: Authorization): Promise<Outcome>
  capture(operation: Operation): Promise<Outcome>
  /** Releases an authorization that was not captured. */
  void(operation: Operation): Promise<Outcome>
  refund(operation: Operation): Promise<Outcome>
  /** What became of an operation whose answer was lost. */
  inquire(operation: Pick<Operation, 'merchant_id' | 'reference'>): Promise<Inquiry>
}

/** The providers of a service, by what they take. */
export interface Providers {
  readonly card: Provider
}
