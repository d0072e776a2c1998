import type { ColumnType } from 'kysely'
import type { Mode } from '../../../core/access/caller.ts'
import type { AccountCapabilities } from '../../../core/payments/account-capabilities.ts'
import type { PaymentType } from '../../../core/payments/payment-types.ts'

export interface ProviderOperationTable {
  merchant_id: string
  charge_id: string
  reference: string
  attempt: number
  resource_id: string
  kind:
    | 'authenticate'
    | 'authorize'
    | 'capture'
    | 'void'
    | 'refund'
    | 'return_deposit'
    | 'declare_customs'
  provider: string
  is_inquiry: boolean
  outcome: 'approved' | 'refused' | 'waiting' | 'unknown' | 'not_taken' | null
  code: number | null
  provider_reference: string | null
  raw_code: string | null
  raw_message: string | null
  request_id: string | null
  started_on: Date
  finished_on: Date | null
}

export interface ProviderNotificationTable {
  merchant_id: string
  id: string
  mode: Mode
  resource_type: 'charge' | 'transaction_token'
  resource_id: string
  created_on: Date
  due_on: Date | null
  claims: ColumnType<number, number | undefined, number>
}

export interface ProviderCredentialTable {
  merchant_id: string
  id: string
  store_id: string | null
  provider: string
  credentials: Buffer
  created_on: Date
  updated_on: Date
}

export interface ConnectorTable {
  merchant_id: ColumnType<string, string | undefined, never>
  id: string
  name: string
  kind: string
  settings: Buffer | null
  disabled_on: Date | null
  created_on: Date
  updated_on: Date
}

export interface AccountCapabilityTable {
  merchant_id: string
  id: string
  provider: string
  takes: ColumnType<AccountCapabilities | null, string | null, string>
  asked_on: Date | null
  changed_on: Date
  due_on: Date | null
  claims: ColumnType<number, number | undefined, number>
}

export interface RoutingRuleTable {
  merchant_id: string
  position: number
  connector: string
  payment_type: PaymentType | null
  brand: string | null
  currency: string | null
  min_amount: number | null
  max_amount: number | null
  country: string | null
  created_on: Date
  updated_on: Date
}

/** The candidates of a live charge, in order. */
export interface ChargeRoute {
  /** Whose rules decided; null: there are none, and the order of creation did. */
  readonly rules: 'merchant' | 'installation' | null
  readonly candidates: readonly RouteCandidate[]
}

export interface RouteCandidate {
  readonly connector: string
  /** The account there that the charge would be sent with. */
  readonly account: string | null
  /** The position of its rule. */
  readonly position: number | null
  /** It did not answer others at that moment, so it comes last. */
  readonly circuit: 'closed' | 'open'
}
