import type { Defaulted } from '../column-kinds.ts'

export interface ReconciliationRunTable {
  id: string
  provider: string
  source: string
  digest: Buffer | null
  status: 'reading' | 'matching' | 'finished'
  period_from: Date | null
  period_to: Date | null
  cursor_merchant_id: string | null
  cursor_ledger_id: string | null
  lines_read: Defaulted<number>
  created_on: Date
  updated_on: Date
}

export interface SettlementLineTable {
  provider: string
  line_id: string
  run_id: string
  kind: string
  reference: string
  amount: number
  fee_amount: Defaulted<number | null>
  currency: string
  booked_on: Date
  status: 'pending' | 'matched' | 'amount_differs' | 'missing_here'
  merchant_id: string | null
  ledger_id: string | null
  expected_amount: number | null
}

export interface MissingSettlementTable {
  run_id: string
  merchant_id: string
  ledger_id: string
  charge_id: string
  kind: string
  amount: number
  currency: string
  posted_on: Date
}
