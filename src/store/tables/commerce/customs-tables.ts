import type { ColumnType } from 'kysely'
import type { Mode } from '../../../core/access/caller.ts'
import type { ChargeError } from '../../../core/payments/charge-errors.ts'
import type { CustomsPlace, CustomsResult } from '../../../core/payments/customs.ts'
import type { StateOf } from '../../../core/payments/states.ts'

type NullableJson<T> = ColumnType<T | null, string | null, string | null>
type Result = ColumnType<CustomsResult, string, string>

export interface CustomsDeclarationTable {
  merchant_id: string
  id: string
  store_id: string
  charge_id: string
  mode: Mode
  gateway: string
  customs: CustomsPlace
  merchant_customs_no: string
  certificate_id: Buffer
  certificate_name: Buffer
  attempt_id: string
  status: StateOf<'customs_declaration'>
  error: NullableJson<ChargeError>
  declaration_result: Result
  created_on: Date
  updated_on: Date
  due_on: Date | null
  claims: ColumnType<number, number | undefined, number>
}

export interface CustomsAttemptTable {
  merchant_id: string
  id: string
  declaration_id: string
  customs: CustomsPlace
  merchant_customs_no: string
  status: Exclude<StateOf<'customs_declaration'>, 'pending'>
  error: NullableJson<ChargeError>
  declaration_result: Result
  created_on: Date
  finished_on: Date
}
