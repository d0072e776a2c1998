import type { Mode } from '../core/caller.ts'
import type { CustomsPlace, CustomsResult } from '../core/customs.ts'
import type { Instructions } from '../core/instructions.ts'
import type { CallMethod } from '../core/payment-methods.ts'
import type { Sensitive } from '../core/sensitive.ts'

/** The card of an authorization. Its numbers show themselves only to who asks for them. */
export interface ProviderCard {
  readonly kind: 'card'
  readonly number: Sensitive<string>
  readonly cvv: Sensitive<string> | null
  readonly exp_month: number
  readonly exp_year: number
  readonly cardholder: string
  readonly brand: string
}

/** What is paid with. */
export type Instrument =
  | ProviderCard
  /** The code of a customer's wallet, or the token that the wallet gave the shop. */
  | { readonly kind: 'wallet'; readonly brand: string | null; readonly code: Sensitive<string> }
  | { readonly kind: 'online'; readonly brand: string; readonly call_method: CallMethod }
  | { readonly kind: 'qr'; readonly brand: string }
  | { readonly kind: 'konbini'; readonly convenience_store: string; readonly customer_name: string }
  | { readonly kind: 'bank_transfer'; readonly brand: string }

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
  readonly instrument: Instrument
  readonly email: string | null
  /** Capture in the same step; otherwise the amount is only held. */
  readonly capture: boolean
  /** Until when a customer who has to act can do so. */
  readonly expires_on: Date | null
}

/** Whether the cardholder is who they say: of a charge, or of a token on its own. */
export interface Authentication extends Operation {
  readonly card: ProviderCard
  /** The cardholder is asked even if the issuer would be satisfied without. */
  readonly force: boolean
}

/** What customs are told about a charge that was paid. */
export interface CustomsOperation extends Operation {
  readonly customs: CustomsPlace
  readonly merchant_customs_no: string
  readonly certificate_id: Sensitive<string>
  readonly certificate_name: Sensitive<string>
}

/** What became of an operation. */
export type Outcome =
  | { readonly outcome: 'approved'; readonly customs?: CustomsResult | undefined }
  /** Refused for good: 3xx, and 6xx of customs, fail it; 5xx mean trouble on the way. */
  | {
      readonly outcome: 'refused'
      readonly code: number
      readonly detail: string | null
      readonly customs?: CustomsResult | undefined
    }
  /** The customer has to act; a notice comes when that has happened. */
  | { readonly outcome: 'waiting'; readonly instructions: Instructions }
  /** Not known yet. Ask for the reference again after a while. */
  | { readonly outcome: 'unknown'; readonly ask_again_ms: number }

export type Inquiry = Outcome | { readonly outcome: 'never_received' }

/** Money that came in by itself, as the provider knows it. */
export interface ArrivedDeposit {
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly paid_on: Date
}

/** What stands behind a payment: a simulator in test mode, a connector in live mode. */
export interface Provider {
  readonly name: string
  /** Currencies that it takes without conversion. */
  currencies(brand: string | null): readonly string[]
  authenticate(operation: Authentication): Promise<Outcome>
  authorize(operation: Authorization): Promise<Outcome>
  capture(operation: Operation): Promise<Outcome>
  /** Releases an authorization that was not captured, or ends one that waits for its customer. */
  void(operation: Operation): Promise<Outcome>
  refund(operation: Operation): Promise<Outcome>
  /** Sends a deposit, or a part of it, back to who made it. */
  returnDeposit(operation: Operation): Promise<Outcome>
  /** Declares a charge; with another reference, what was declared is replaced. */
  declareCustoms(operation: CustomsOperation): Promise<Outcome>
  /** Money that has arrived for a charge so far. */
  deposits(charge: Pick<Operation, 'merchant_id' | 'charge_id'>): Promise<ArrivedDeposit[]>
  /** What became of an operation whose answer was lost. */
  inquire(operation: Pick<Operation, 'merchant_id' | 'reference'>): Promise<Inquiry>
}

/** What can be offered to a customer before a payment; brands may say more as they like. */
export interface CheckoutQuestion {
  /** Where pictures of brands are served. */
  readonly logos_url: string
  readonly amount: number
  readonly currency: string
  readonly call_method: string
  readonly os_type: string | null
}

/** The providers of a service, by what they take. */
export interface Providers {
  readonly card: Provider
  readonly customer: Provider
  /** Asks a gateway what it can offer. The answer is not to be trusted in any way. */
  checkoutInfo(gateway: string, question: CheckoutQuestion): Promise<unknown>
}
