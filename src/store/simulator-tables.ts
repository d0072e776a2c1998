import type { ColumnType } from 'kysely'
import type { CustomsResult } from '../core/customs.ts'
import type { Instructions } from '../core/instructions.ts'

/** What the simulated providers decided about an operation, or that its customer has to act. */
export type SimulatorOutcome =
  | { outcome: 'approved'; customs?: CustomsResult }
  | { outcome: 'refused'; code: number; detail: string | null; customs?: CustomsResult }
  | { outcome: 'waiting'; instructions: Instructions }

type Json<T> = ColumnType<T, string, string>

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
  traits: Json<{ refund_fails?: boolean; void_fails?: boolean }>
  ready_on: Date
  received: ColumnType<number, number | undefined, number>
  created_on: Date
}

export interface DepositNotice {
  reference: string
  amount: number
  currency: string
  name: string | null
}

export interface SimulatorNoticeTable {
  merchant_id: string
  id: string
  mode: ColumnType<'test', 'test' | undefined, 'test'>
  resource_type: 'charge' | 'transaction_token'
  resource_id: string
  deposit: ColumnType<DepositNotice | null, string | null, string | null>
  created_on: Date
  due_on: Date | null
  claims: ColumnType<number, number | undefined, number>
}
