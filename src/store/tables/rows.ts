import type { Selectable } from 'kysely'
import type { TransactionTokenTable } from './payments/token-tables.ts'
import type { ChargeTable } from './tables.ts'

/** Rows that are passed on through many folders, as they are read. */
export type Charge = Selectable<ChargeTable>
export type Token = Selectable<TransactionTokenTable>
