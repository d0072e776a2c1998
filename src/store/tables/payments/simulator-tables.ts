import type { ColumnType } from 'kysely'
import type { CustomsResult } from '../../../core/payments/customs.ts'
import type { DisputeReason } from '../../../core/payments/disputes.ts'
import type { Instructions } from '../../../core/payments/instructions.ts'
import type { StateOf } from '../../../core/payments/states.ts'

/** The simulated provider's decision about an operation, or that its customer must act. */
export type SimulatorOutcome =
  | { outcome: 'approved'; customs?: CustomsResult }
  | { outcome: 'refused'; code: number; detail: string | null; customs?: CustomsResult }
  | { outcome: 'waiting'; instructions: Instructions }

type Json<T> = ColumnType<T, string, string>

/** What the test data of an operation requests for later ones, and the payer of a deposit. */
export interface SimulatorTraits {
  refund_fails?: boolean
  void_fails?: boolean
  /** The customer disputes it once it is paid. */
  disputed?: boolean
  name?: string | null
}

export interface SimulatorDisputeTable {
  merchant_id: string
  reference: string
  charge_id: string
  amount: number
  currency: string
  reason: DisputeReason
  status: StateOf<'dispute'>
  response_reference: string | null
  respond_by: Date
  created_on: Date
}

export interface SimulatorOperationTable {
  merchant_id: string
  reference: string
  kind:
    | 'authenticate'
    | 'authorize'
    | 'capture'
    | 'void'
    | 'refund'
    | 'deposit'
    | 'return'
    | 'customs'
  charge_id: string
  amount: number
  currency: string
  capture: boolean | null
  outcome: Json<SimulatorOutcome>
  traits: Json<SimulatorTraits>
  ready_on: Date
  received: ColumnType<number, number | undefined, number>
  created_on: Date
}
