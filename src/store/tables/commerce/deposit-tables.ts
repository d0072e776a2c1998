import type { Mode } from '../../../core/access/caller.ts'
import type { StateOf } from '../../../core/payments/states.ts'
import type { Defaulted } from '../column-kinds.ts'

export interface DepositTable {
  merchant_id: string
  id: string
  store_id: string
  charge_id: string
  mode: Mode
  reference: string
  amount: number
  currency: string
  name: string | null
  status: StateOf<'deposit'>
  applied_amount: Defaulted<number>
  return_amount: Defaulted<number>
  return_reason: ReturnReason | null
  created_on: Date
  updated_on: Date
  due_on: Date | null
  claims: Defaulted<number>
}

export type ReturnReason = 'too_little' | 'too_much' | 'surplus' | 'late' | 'expired' | 'canceled'

export interface BankTransferLedgerTable {
  merchant_id: string
  id: string
  charge_id: string
  mode: Mode
  bank_ledger_type: 'deposit' | 'payment'
  amount: number
  balance: number
  created_on: Date
}
