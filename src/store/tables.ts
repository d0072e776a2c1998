import type { ColumnType } from 'kysely'
import type { Mode } from '../core/caller.ts'
import type { Metadata } from '../core/metadata.ts'

/** A JSON column: read as a value, written as text so that arrays and nulls stay JSON. */
type JsonColumn<T> = ColumnType<T, string, string>
/** A column that the database fills when nothing is given. */
type Defaulted<T> = ColumnType<T, T | undefined, T>

export type StoredConfiguration = { [key: string]: unknown }

export interface MerchantTable {
  id: string
  name: string
  email: string
  notification_email: string | null
  finance_notification_email: string | null
  verified: boolean
  demo: boolean
  configuration: JsonColumn<StoredConfiguration>
  created_on: Date
  updated_on: Date
}

export interface StoreTable {
  merchant_id: string
  id: string
  name: string
  configuration: JsonColumn<StoredConfiguration>
  metadata: JsonColumn<Metadata>
  created_on: Date
  updated_on: Date
  deleted_on: Date | null
}

export interface AppTokenTable {
  merchant_id: string
  id: string
  store_id: string | null
  mode: Mode | null
  domains: string[]
  creator_id: string
  secret_key_id: string
  secret_hash: Buffer
  signing_key_id: string
  created_on: Date
  deleted_on: Date | null
  due_on: Date | null
  claims: Defaulted<number>
}

export interface WebhookTable {
  merchant_id: string
  id: string
  store_id: string | null
  url: string
  triggers: string[]
  auth_token: Buffer | null
  active: boolean
  created_on: Date
  updated_on: Date
  deleted_on: Date | null
}

export interface BankAccountTable {
  merchant_id: string
  id: string
  holder_name: string
  bank_name: string
  branch_name: string | null
  country: string
  bank_address: string | null
  currency: string
  routing_number: string | null
  swift_code: string | null
  ifsc_code: string | null
  routing_code: string | null
  account_number: Buffer
  fingerprint: Buffer
  last_four: string
  account_type: 'checking' | 'savings'
  status: 'new' | 'unable_to_verify' | 'verified' | 'errored'
  primary: boolean
  created_on: Date
  updated_on: Date
  deleted_on: Date | null
}

export interface IdempotencyRecordTable {
  merchant_id: string
  mode: string
  key: string
  fingerprint: Buffer
  status: number
  body: Buffer
  due_on: Date
}

export interface EventTable {
  merchant_id: string
  id: string
  store_id: string | null
  mode: Mode | null
  name: string
  resource_id: string
  sequence: number
  data: JsonColumn<unknown>
  created_on: Date
}

export interface KeyCheckTable {
  purpose: string
  key_id: string
  check_value: Buffer
  created_on: Date
}

export interface Tables {
  merchants: MerchantTable
  stores: StoreTable
  app_tokens: AppTokenTable
  webhooks: WebhookTable
  bank_accounts: BankAccountTable
  idempotency_records: IdempotencyRecordTable
  events: EventTable
  key_checks: KeyCheckTable
}
