import type { ColumnType } from 'kysely'
import type { Mode } from '../../../core/access/caller.ts'
import type { InstallmentPlan, SubscriptionPlan } from '../../../core/money/payment-plan.ts'
import type { PaymentType } from '../../../core/payments/payment-types.ts'
import type { StateOf } from '../../../core/payments/states.ts'
import type { Metadata } from '../../../core/text/metadata.ts'
import type { Period } from '../../../core/time/schedule.ts'
import type { ChargeThreeDs } from '../tables.ts'

type Json<T> = ColumnType<T, string, string>
type NullableJson<T> = ColumnType<T | null, string | null, string | null>
type Defaulted<T> = ColumnType<T, T | undefined, T>

export interface TestClockTable {
  merchant_id: string
  offset_ms: number
  frozen_at: Date | null
  target: Date | null
  updated_on: Date
  due_on: Date | null
  claims: Defaulted<number>
}

export interface SubscriptionTable {
  merchant_id: string
  id: string
  store_id: string
  mode: Mode
  transaction_token_id: string
  payment_type: PaymentType
  amount: number
  currency: string
  initial_amount: number | null
  period: Period | null
  cyclical_period: string | null
  subscription_plan: NullableJson<SubscriptionPlan>
  installment_plan: NullableJson<InstallmentPlan>
  /** Dates are texts, as `2026-01-31`: they belong to the subscription's zone. */
  first_date: string
  start_on: string | null
  zone_id: string
  preserve_end_of_month: boolean | null
  retry_interval: string | null
  termination_mode: 'immediate' | 'on_next_payment'
  first_charge_authorization_only: boolean
  first_charge_capture_after: string | null
  only_direct_currency: boolean
  descriptor: string | null
  three_ds: NullableJson<ChargeThreeDs>
  external_three_ds: NullableJson<Record<string, string>>
  status: StateOf<'subscription'>
  paid: Defaulted<number>
  metadata: Json<Metadata>
  search_words: string | null
  created_on: Date
  updated_on: Date
  due_on: Date | null
  claims: Defaulted<number>
}

type BatchStatus = 'awaiting' | 'successful' | 'failed'

export interface SubscriptionBatchTable {
  merchant_id: string
  id: string
  store_id: string
  mode: Mode
  status: BatchStatus
  initial_charge_metadata: NullableJson<Metadata>
  created_on: Date
  updated_on: Date
  due_on: Date | null
  claims: Defaulted<number>
}

/** Why an item could not be created, as the response to a single request would say. */
export interface BatchItemError {
  code: string
  message: string
  errors: { field: string; reason: string }[]
}

export interface SubscriptionBatchItemTable {
  merchant_id: string
  batch_id: string
  /** Counted from zero, in the order of the request. */
  number: number
  status: BatchStatus
  request: NullableJson<object>
  subscription_id: string | null
  charge_id: string | null
  error: NullableJson<BatchItemError>
}

export interface SubscriptionPaymentTable {
  merchant_id: string
  id: string
  subscription_id: string
  number: number
  due_date: string
  zone_id: string
  amount: number
  currency: string
  is_paid: boolean
  is_last_payment: boolean
  successful_payment_date: string | null
  retry_date: string | null
  tries: Defaulted<number>
  attempts: Defaulted<number>
  terminate_with_status: 'suspended' | 'canceled' | null
  created_on: Date
  updated_on: Date
}
