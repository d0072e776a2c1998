import type { MatchAmount } from '../../core/payments/match-amounts.ts'
import type { PaymentType } from '../../core/payments/payment-types.ts'

/** What a store says about one payment by deposit: how long it is open when its token does not say. */
export interface DepositTimes {
  readonly period: string | null
  readonly time_shift: string | null
}

/** What payment methods read of the rules of a store. `StoreRules` has these and more. */
export interface MethodRules {
  readonly country: string
  readonly direct_card_tokens: boolean | null
  readonly allow_empty_cvv: boolean
  readonly forbidden_card_brands: readonly string[]
  readonly forbidden_qr_scan_gateways: readonly string[]
  readonly debit_enabled: boolean | null
  readonly prepaid_enabled: boolean | null
  readonly only_direct_currency: boolean
  readonly foreign_cards_allowed: boolean | null
  readonly required_billing: readonly ('line1' | 'phone_number')[]
  readonly match_amount: MatchAmount
  readonly expiration: Readonly<Partial<Record<PaymentType, DepositTimes>>>
}
