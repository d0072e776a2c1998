import type { ColumnType } from 'kysely'
import type { Mode } from '../../../core/access/caller.ts'
import type { StateOf } from '../../../core/payments/states.ts'
import type { Metadata } from '../../../core/text/metadata.ts'

type Json<T> = ColumnType<T, string, string>
/** A column that the database fills when nothing is given. */
type Defaulted<T> = ColumnType<T, T | undefined, T>

export interface TransferTable {
  merchant_id: string
  id: string
  mode: Mode
  currency: string
  amount: number
  bank_account_id: string | null
  from: Date
  to: Date
  status: StateOf<'transfer'>
  error_text: string | null
  started_by: string
  created_on: Date
  updated_on: Date
}

export interface TransferStatusChangeTable {
  merchant_id: string
  id: string
  transfer_id: string
  old_status: StateOf<'transfer'>
  new_status: StateOf<'transfer'>
  reason: string | null
  created_on: Date
}

export interface TransferLedgerTable {
  merchant_id: string
  transfer_id: string
  ledger_id: string
  freed: Defaulted<boolean>
}

export interface BankFileTable {
  id: string
  mode: Mode
  day: ColumnType<string, string, never>
  header: string
  line_end: 'crlf' | 'none'
  transfers: number
  total: number
  sha256: string
  created_on: Date
}

/** The line of a transfer, whose id it has. */
export interface BankFileLineTable {
  merchant_id: string
  id: string
  bank_file_id: string
  position: number
  line: Buffer
}

export interface TokenAliasTable {
  merchant_id: string
  id: string
  store_id: string
  mode: Mode
  transaction_token_id: string
  amount: number | null
  currency: string | null
  metadata: Json<Metadata>
  valid_until: Date
  created_on: Date
}

export interface TokenConfirmationTable {
  merchant_id: string
  id: string
  recipient: string
  code_hash: Buffer
  sent: Defaulted<number>
  attempts: Defaulted<number>
  expires_on: Date
}

export interface VerificationTable {
  merchant_id: string
  id: string
  data: Buffer
  created_on: Date
  updated_on: Date
}
