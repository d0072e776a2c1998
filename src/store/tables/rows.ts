import type { Selectable } from 'kysely'
import type { ChargeTable } from './tables.ts'
import type { TransactionTokenTable } from './token-tables.ts'

/** Rows that are passed on through many folders, as they are read. */
export type Charge = Selectable<ChargeTable>
export type Token = Selectable<TransactionTokenTable>
