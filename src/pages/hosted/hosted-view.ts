import type { ProviderForm } from '../../core/instructions.ts'

export const languages = ['en', 'ja'] as const
export type Language = (typeof languages)[number]

/** What every page shows. */
interface Common {
  readonly store_name: string
  readonly test_mode: boolean
  /** Minor units. Null where nothing is paid: a card may be authenticated on its own. */
  readonly money: { readonly amount: number; readonly currency: string } | null
}

/** The target of a form of the page: a path of ours. */
interface Acting {
  readonly action: string
  readonly expires_on: Date
}

/** The payment page of an online brand, or of the wallet that scanned a code. */
export interface OnlineView extends Common, Acting {
  readonly kind: 'online'
  /** Brands are shown by their API name, in words. */
  readonly brand: string
}

/** A code that the customer scans with a wallet. */
export interface QrView extends Common {
  readonly kind: 'qr'
  readonly brand: string
  readonly image_path: string
  /** In test mode: the page that a wallet would show after scanning. */
  readonly wallet_path: string | null
  readonly expires_on: Date
}

export interface KonbiniView extends Common, Acting {
  readonly kind: 'konbini'
  readonly convenience_store: string
  readonly customer_name: string
  readonly payment_code: string
  /** Digits of the bar code; the same payment, for a scanner. */
  readonly barcode: string
}

export interface BankTransferView extends Common, Acting {
  readonly kind: 'bank_transfer'
  readonly bank_name: string
  readonly bank_code: string
  readonly branch_name: string
  readonly branch_code: string
  readonly account_number: string
  readonly account_holder_name: string
  readonly match_amount: 'disabled' | 'exact' | 'minimum' | 'maximum'
  /** What has arrived so far and is held for this payment. */
  readonly received: number
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
