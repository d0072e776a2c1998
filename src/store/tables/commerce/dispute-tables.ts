import type { Mode } from '../../../core/access/caller.ts'
import type { ChargeError } from '../../../core/payments/charge-errors.ts'
import type { DisputeReason, FileType } from '../../../core/payments/disputes.ts'
import type { StateOf } from '../../../core/payments/states.ts'
import type { Defaulted, JsonColumn, NullableJson } from '../column-kinds.ts'

/** What is shown of a file; its content is sealed in a row of its own. */
export interface DisputeFile {
  id: string
  name: string
  content_type: FileType
  size: number
  created_on: string
}

export interface DisputeTable {
  merchant_id: string
  id: string
  store_id: string
  charge_id: string
  mode: Mode
  provider: string
  provider_reference: string
  status: StateOf<'dispute'>
  reason: DisputeReason
  amount: number
  fee_amount: number
  currency: string
  respond_by: Date
  evidence: Buffer | null
  files: JsonColumn<DisputeFile[]>
  pending_response: 'evidence' | 'acceptance' | null
  error: NullableJson<ChargeError>
  created_on: Date
  updated_on: Date
  due_on: Date | null
  claims: Defaulted<number>
}

export interface DisputeFileTable {
  merchant_id: string
  id: string
  dispute_id: string
  content: Buffer
}

export interface DisputePostingTable {
  merchant_id: string
  dispute_id: string
  step: 'withdrawal' | 'fee' | 'reversal'
  ledger_id: string
}
