import type { Mode } from '../../../core/access/caller.ts'
import type { ChargeError } from '../../../core/payments/charge-errors.ts'
import type { ProviderForm } from '../../../core/payments/instructions.ts'
import type { PaymentType } from '../../../core/payments/payment-types.ts'
import type { Metadata } from '../../../core/text/metadata.ts'
import type { Defaulted, JsonColumn, NullableJson } from '../column-kinds.ts'
import type { LimitKeys } from './limit-keys.ts'

export interface CvvAuthorize {
  enabled: boolean
  status: 'pending' | 'current' | 'failed' | 'inactive' | null
  currency: string | null
  charge_id: string | null
  credentials_id: string | null
}

export interface CvvAuthorizeCheck {
  status: string | null
  charge_id: string | null
  date: string | null
}

export interface TokenThreeDs {
  enabled: boolean
  status: 'pending' | 'awaiting' | 'successful' | 'failed' | 'error' | null
  redirect_endpoint: string | null
  redirect_id: string | null
  error: ChargeError | null
  /** Null in older rows; it counts as false. */
  exempted: boolean | null
}

export type TokenType = 'one_time' | 'subscription' | 'recurring'

export interface TransactionTokenTable {
  merchant_id: string
  id: string
  store_id: string
  mode: Mode
  payment_type: PaymentType
  type: TokenType
  email: string | null
  ip_address: string | null
  usage_limit: string | null
  metadata: JsonColumn<Metadata>
  active: boolean
  confirmed: boolean | null
  /** In the form of its payment type: `dataOf` of the method table reads it. */
  data: JsonColumn<object>
  cvv_authorize: JsonColumn<CvvAuthorize>
  cvv_authorize_check: JsonColumn<CvvAuthorizeCheck>
  three_ds: JsonColumn<TokenThreeDs>
  /** Sealed: the card's number, the code of a wallet that was scanned, or a wallet's token. */
  card_number: Buffer | null
  cvv: Buffer | null
  card_fingerprint: Buffer | null
  customer_id: string | null
  search_words: string | null
  uses: Defaulted<number>
  expires_on: Date | null
  last_used_on: Date | null
  created_on: Date
  updated_on: Date
  deleted_on: Date | null
  page_id: string | null
  redirect_url: string | null
  wipe_on: Date | null
  three_ds_expires_on: Date | null
  authentication: NullableJson<TokenAuthentication>
  /** The limit keys of a card whose issuer has not decided yet. */
  limit_keys: NullableJson<LimitKeys>
  due_on: Date | null
  claims: Defaulted<number>
}

/** The provider that authenticates a card separately, and its result. */
export interface TokenAuthentication {
  /** In live mode null until the worker routes it. */
  provider: string | null
  /** The account there, in live mode. */
  account?: string | null
  provider_reference?: string | null
  provider_data?: Record<string, unknown> | null
  /** The page of the challenge; absent: our own page. */
  form?: ProviderForm | null
  result?: ThreeDsResultData | null
  returned_with?: Record<string, string> | null
}

/** The parts of a 3-D Secure result that an authorization names. */
export interface ThreeDsResultData {
  eci: string
  authentication_value: string
  transaction_id: string
  version: string
}

/** The original metadata of tokens whose metadata was changed. */
export interface TokenCreationMetadataTable {
  merchant_id: string
  id: string
  metadata: JsonColumn<Metadata>
}
