import type { ColumnType } from 'kysely'
import type { Mode } from '../../core/caller.ts'

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
  outcome: 'approved' | 'refused' | 'waiting' | 'unknown' | null
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
