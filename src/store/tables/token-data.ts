import type { CallMethod, MatchAmount, PaymentType } from '../../core/payments/payment-methods.ts'

/** What of a token's payment details may be shown, by the payment type of its row. */
export interface TokenDataOf {
  card: CardTokenData
  apple_pay: CardTokenData
  qr_scan: QrScanData
  qr_merchant: QrMerchantData
  konbini: KonbiniData
  paidy: PaidyData
  online: OnlineData
  bank_transfer: BankTransferData
}
export type TokenData = TokenDataOf[PaymentType]

export interface CardTokenData {
  card: CardData
  billing: BillingData
}

export interface CardData {
  cardholder: string
  exp_month: number
  exp_year: number
  card_bin: string
  last_four: string
  brand: string
  card_type: string | null
  country: string | null
  category: string | null
  issuer: string | null
  sub_brand: string
}

export interface PhoneData {
  country_code: number
  local_number: string
}

export interface BillingData {
  line1: string | null
  line2: string | null
  state: string | null
  city: string | null
  country: string | null
  zip: string | null
  phone_number: PhoneData | null
}

export interface QrScanData {
  brand: string | null
  gateway: string | null
}

export interface QrMerchantData {
  brand: string
  /** Null until a charge waits for the customer. */
  qr_image_url: string | null
}

export interface KonbiniData {
  customer_name: string
  convenience_store: string
  expiration_period: string | null
  expiration_time_shift: string | null
  phone_number: PhoneData
}

export interface OnlineData {
  brand: string
  call_method: CallMethod
  issuer_token: string | null
  issuer_token_payload: Record<string, string> | null
  os_type: string | null
  user_identifier: string | null
  user_identifier_source: 'provided' | null
}

export interface BankTransferData {
  brand: string
  match_amount: MatchAmount | null
  bank_code: string | null
  bank_name: string | null
  branch_code: string | null
  branch_name: string | null
  account_number: string | null
  account_holder_name: string | null
  account_id: string | null
  expiration_period: string | null
  expiration_time_shift: string | null
}

export interface PaidyData {
  paidy_token: string
  phone_number: PhoneData | null
  shipping_address: {
    line1: string | null
    line2: string | null
    city: string | null
    state: string | null
    zip: string | null
  } | null
}
