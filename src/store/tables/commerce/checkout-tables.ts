import type { Mode } from '../../../core/access/caller.ts'
import type { ChargeError } from '../../../core/payments/charge-errors.ts'
import type { PaymentType } from '../../../core/payments/payment-types.ts'
import type { StateOf } from '../../../core/payments/states.ts'
import type { CustomerLanguage } from '../../../core/text/http/languages.ts'
import type { Metadata } from '../../../core/text/metadata.ts'
import type { Defaulted, JsonColumn, NullableJson } from '../column-kinds.ts'
import type { LimitKeys } from '../payments/limit-keys.ts'
import type { PhoneData } from '../payments/token-data.ts'
import type { TokenType } from '../payments/token-tables.ts'

export interface LineItem {
  name: string
  quantity: number
  /** The amount of one item. */
  amount: number
  description: string | null
  image_url: string | null
}

export interface CheckoutCustomer {
  email: string | null
  customer_id: string | null
  name: string | null
  phone: PhoneData | null
}

/** The payment methods and options of a checkout: decided by the shop, never by a browser. */
export interface CheckoutOptions {
  line_items: LineItem[]
  payment_types: PaymentType[]
  /** Whether the shop named them: then their order is the shop's. Sessions of earlier programs have none. */
  is_ordered?: boolean
  token_type: TokenType
  /** The plan, as `POST /subscriptions` takes it. */
  subscription: object | null
  capture: boolean
  capture_at: string | null
  three_ds: { mode: string } | null
  metadata: Metadata
  customer: CheckoutCustomer | null
  locale: CustomerLanguage | null
  success_url: string | null
  cancel_url: string | null
  only_direct_currency: boolean | null
  descriptor: string | null
}

export interface CheckoutSessionTable {
  merchant_id: string
  id: string
  store_id: string
  mode: Mode
  page_id: string
  payment_link_id: string | null
  status: StateOf<'checkout_session'>
  amount: number
  currency: string
  options: JsonColumn<CheckoutOptions>
  payment_type: PaymentType | null
  transaction_token_id: string | null
  charge_id: string | null
  subscription_id: string | null
  attempts: Defaulted<number>
  declines: Defaulted<number>
  limit_keys: NullableJson<LimitKeys>
  error: NullableJson<ChargeError>
  retry_on: Date | null
  expires_on: Date
  completed_on: Date | null
  created_on: Date
  updated_on: Date
  due_on: Date | null
  claims: Defaulted<number>
}

export interface AmountChoice {
  min: number
  max: number
  suggested: number | null
}

export interface PaymentLinkTable {
  merchant_id: string
  id: string
  store_id: string
  mode: Mode
  page_id: string
  name: string
  amount: number | null
  amount_choice: NullableJson<AmountChoice>
  currency: string
  options: JsonColumn<CheckoutOptions>
  max_uses: number | null
  uses: Defaulted<number>
  reserved: Defaulted<number>
  active: boolean
  expires_on: Date | null
  created_on: Date
  updated_on: Date
}

export interface CheckoutAttackTable {
  merchant_id: string
  id: string
  store_id: string
  mode: Mode
  hour: Date
  created_on: Date
}
