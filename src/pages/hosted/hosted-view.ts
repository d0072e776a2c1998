import type { ProviderForm } from '../../core/payments/instructions.ts'
import { type CustomerLanguage, customer_languages } from '../../core/text/http/languages.ts'
import type { ReturnReason } from '../../store/tables/commerce/deposit-tables.ts'

export const languages = customer_languages
export type Language = CustomerLanguage

/** The content of every page. */
interface Common {
  readonly store_name: string
  /** The shop's own picture, and the color of its buttons. */
  readonly logo_url: string | null
  readonly main_color: string | null
  /** The time zone of the shop. */
  readonly time_zone: string
  readonly test_mode: boolean
  /** The pages that may show it in a frame, as sources of a policy. */
  readonly ancestors: readonly string[]
  /** Minor units. Null where nothing is paid: a card may be authenticated on its own. */
  readonly money: { readonly amount: number; readonly currency: string } | null
}

/** The target of a form of the page: a path of ours. */
interface Acting {
  readonly action: string
  readonly expires_on: Date
}

/** The customer pays elsewhere, and may ask whether it has arrived. */
interface Waiting {
  /** When the customer asked; null: they did not. */
  readonly checked_on: Date | null
}

/** Money that arrived and goes back, because its amount or its time was wrong. */
export interface ReturnedDeposit {
  readonly amount: number
  /** How much too little or too much it was. */
  readonly difference: number
  readonly returned_amount: number
  readonly reason: ReturnReason
  readonly status: 'returning' | 'returned' | 'unreturned'
  readonly arrived_on: Date
}

/** The payment page of an online brand, or of the wallet that scanned a code. */
export interface OnlineView extends Common, Acting {
  readonly kind: 'online'
  readonly brand: string
}

/** A code that the customer scans with a wallet. */
export interface QrView extends Common, Waiting {
  readonly kind: 'qr'
  readonly brand: string
  readonly image_path: string
  /** In test mode: the page that a wallet would show after scanning. */
  readonly wallet_path: string | null
  readonly expires_on: Date
}

export interface KonbiniView extends Common, Acting, Waiting {
  readonly kind: 'konbini'
  readonly convenience_store: string
  readonly customer_name: string
  readonly payment_code: string
  /** Numbers that some chains need besides the code. */
  readonly company_code: string | null
  readonly confirmation_code: string | null
  /** Digits of the bar code; the same payment, for a scanner. Null: the provider has none. */
  readonly barcode: string | null
}

export interface BankTransferView extends Common, Acting, Waiting {
  readonly kind: 'bank_transfer'
  readonly bank_name: string
  readonly bank_code: string
  readonly branch_name: string
  readonly branch_code: string
  readonly account_number: string
  readonly account_holder_name: string
  readonly match_amount: 'disabled' | 'exact' | 'minimum' | 'maximum'
  /** The money that has arrived so far and is held for this payment. */
  readonly received: number
  readonly returned: readonly ReturnedDeposit[]
}

/** The cardholder's bank asks for authentication. */
export interface ThreeDsView extends Common, Acting {
  readonly kind: 'three_ds'
  readonly card_brand: string
  readonly last_four: string
}

/** The customer acts on a page of the provider or of the bank of their card. */
export interface ForwardView extends Common {
  readonly kind: 'forward'
  readonly brand: string | null
  readonly form: ProviderForm
}

/** Nothing more can be done on this page, and why. */
export interface EndView extends Common {
  readonly kind: 'end'
  readonly end:
    | 'paid'
    | 'authenticated'
    | 'processing'
    | 'declined'
    | 'expired'
    | 'canceled'
    | 'used'
  /** The shop's own URL for this customer, if it gave one. */
  readonly return_url: string | null
  /** The number that the customer gives the shop about a payment; null where there was none. */
  readonly receipt_number: string | null
  readonly paid_on: Date | null
  /** The payment method; the last digits of a card. */
  readonly brand: string | null
  readonly last_four: string | null
  readonly refunded_amount: number
  readonly returned: readonly ReturnedDeposit[]
  /** The customer has just acted and is redirected to that URL now. */
  readonly leaving?: boolean
}

/** An unknown page: it reveals nothing. */
export interface NobodyView {
  readonly kind: 'nobody'
}

/** A failure on our side. */
export interface TroubleView {
  readonly kind: 'trouble'
}

export type HostedView =
  | OnlineView
  | QrView
  | KonbiniView
  | BankTransferView
  | ThreeDsView
  | ForwardView
  | EndView
  | NobodyView
  | TroubleView
