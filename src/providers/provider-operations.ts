import type { Mode } from '../core/access/caller.ts'
import type { Sensitive } from '../core/cards/sensitive.ts'
import type { CallMethod } from '../core/payments/call-methods.ts'
import type { CustomsPlace } from '../core/payments/customs.ts'
import type { Evidence, FileType } from '../core/payments/disputes.ts'
import type { MatchAmount } from '../core/payments/match-amounts.ts'
import type { Metadata } from '../core/text/metadata.ts'
import type { ProviderOperationTable } from '../store/tables/payments/provider-tables.ts'
import type { BillingData } from '../store/tables/payments/token-data.ts'

/** The card of an authorization. Its numbers are masked until they are revealed. */
export interface ProviderCard {
  readonly kind: 'card'
  readonly number: Sensitive<string>
  readonly cvv: Sensitive<string> | null
  readonly exp_month: number
  readonly exp_year: number
  readonly cardholder: string
  readonly brand: string
}

/** The instrument that pays. */
export type Instrument =
  | ProviderCard
  /** The code of a customer's wallet, or the token that the wallet gave the shop. */
  | { readonly kind: 'wallet'; readonly brand: string | null; readonly code: Sensitive<string> }
  /** The encrypted payment token of Apple Pay: only the provider opens it. The brand is that of the card. */
  | {
      readonly kind: 'apple_pay'
      readonly brand: string | null
      readonly token: Sensitive<string>
      readonly cardholder: string
    }
  | { readonly kind: 'online'; readonly brand: string; readonly call_method: CallMethod }
  | { readonly kind: 'qr'; readonly brand: string }
  | { readonly kind: 'konbini'; readonly convenience_store: string; readonly customer_name: string }
  | { readonly kind: 'bank_transfer'; readonly brand: string }

/** The reference that a provider wants back with every later operation. Only the provider reads it. */
export type ProviderData = Readonly<Record<string, unknown>>

/** The credentials of a merchant or store at a provider. */
export type Credentials = Readonly<Record<string, string>>

export type OperationKind = ProviderOperationTable['kind']

/**
 * One thing that is asked of a provider. The reference is made and stored before the first call, and is
 * the same on every repetition.
 */
export interface Operation {
  readonly merchant_id: string
  readonly store_id: string
  readonly mode: Mode
  readonly reference: string
  /** The payment that the operation belongs to; of a card that is only authenticated, its token. */
  readonly charge_id: string
  readonly amount: number
  readonly currency: string
  /** Of the merchant or store, where the provider needs any. */
  readonly credentials: Sensitive<Credentials> | null
  /** It may have been sent before: a refusal then does not say that the first request had no effect. */
  readonly is_repeated?: boolean
}

/** The result of 3-D Secure, as the card networks name its parts. */
export interface ThreeDsResult {
  readonly eci: string
  /** Also called CAVV. */
  readonly authentication_value: string
  readonly transaction_id: string
  readonly version: string
}

export interface Authorization extends Operation {
  readonly instrument: Instrument
  /** Capture in the same step; otherwise the amount is only held. */
  readonly capture: boolean
  /** The deadline for the customer, where they have to act. */
  readonly expires_on: Date | null
  /** How a deposit of another amount is handled; null: nothing is deposited. */
  readonly match_amount: MatchAmount | null
  readonly email: string | null
  readonly ip_address: string | null
  readonly billing: BillingData | null
  readonly descriptor: string | null
  readonly descriptor_phone_number: string | null
  readonly merchant_transaction_id: string | null
  readonly metadata: Metadata
  /** `merchant`: the customer is not there; the card was stored in an earlier payment. */
  readonly initiated_by: 'customer' | 'merchant'
  /** Of the first payment with the stored card, where it is known. */
  readonly first_network_transaction_id: string | null
  readonly three_ds: ThreeDsResult | null
  /** Where the provider sends the customer back after they acted on its own page. */
  returnUrl(): string
}

/** 3-D Secure: of a charge, or of a token on its own. */
export interface Authentication extends Operation {
  readonly card: ProviderCard
  /** The cardholder is asked even if the issuer would be satisfied without. */
  readonly force: boolean
  returnUrl(): string
}

/** The provider's response when it took the payment, for all later operations. */
export interface Taken {
  /** The provider's own name of the payment. */
  readonly provider_reference: string | null
  readonly authorization_code: string | null
  readonly network_transaction_id: string | null
  readonly provider_data: ProviderData | null
}

/** A capture, void, refund or return of something that the provider has taken. */
export interface FollowUp extends Operation, Taken {}

/** A declaration of a paid charge to customs. */
export interface CustomsOperation extends FollowUp {
  readonly customs: CustomsPlace
  readonly merchant_customs_no: string
  readonly certificate_id: Sensitive<string>
  readonly certificate_name: Sensitive<string>
}

/** An operation whose outcome is asked for. */
export interface InquiryOperation extends Taken {
  readonly kind: OperationKind
  readonly merchant_id: string
  readonly store_id: string
  readonly mode: Mode
  readonly charge_id: string
  readonly reference: string
  /** The amount that the operation was to move. */
  readonly amount: number
  readonly currency: string
  /** How the provider calls the operation, where it said so; that of the payment is `provider_reference`. */
  readonly operation_reference: string | null
  readonly credentials: Sensitive<Credentials> | null
}

export type ChargeOfDeposits = Omit<
  InquiryOperation,
  'kind' | 'reference' | 'amount' | 'currency' | 'operation_reference'
>

/** A customer came back from the provider's page, with what the provider gave along. */
export interface Continuation extends InquiryOperation {
  readonly returned: Readonly<Record<string, string>>
}

/** A merchant's response to a dispute. Repeated with its reference, it has no second effect. */
export interface DisputeResponse extends FollowUp {
  readonly dispute_reference: string
  readonly response: 'evidence' | 'acceptance'
  readonly evidence: Sensitive<Evidence>
  readonly files: readonly {
    readonly name: string
    readonly content_type: FileType
    readonly content: Sensitive<Buffer>
  }[]
}

/** A page asks Apple for a session of its merchant before the wallet opens. */
export interface ApplePayQuestion {
  readonly merchant_id: string
  readonly store_id: string
  /** The address at Apple that the browser named. */
  readonly validation_url: string
  /** The domain of the page. */
  readonly domain: string
  readonly display_name: string
  readonly credentials: Sensitive<Credentials> | null
}

/** Settlements are requested by account: that of the installation, or of a merchant. */
export interface SettlementsQuestion {
  /** Lines that were recorded then or later. */
  readonly since: Date
  readonly credentials: Sensitive<Credentials> | null
}
