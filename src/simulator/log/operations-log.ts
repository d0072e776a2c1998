import type { Selectable } from 'kysely'
import type { Operation } from '../../providers/provider-operations.ts'
import { newBatch, perPool, work_options } from '../../store/sql/batches/batch.ts'
import { newColumnArrays } from '../../store/sql/batches/column-arrays.ts'
import { findRow } from '../../store/sql/reads/find-row.ts'
import { run } from '../../store/sql/statements/statement.ts'
import type { Db } from '../../store/tables/db.ts'
import type { SimulatorOperationTable } from '../../store/tables/payments/simulator-tables.ts'

export type Row = Selectable<SimulatorOperationTable>

/** The logged fields of an operation. */
export type LoggedOperation = Pick<
  Operation,
  'merchant_id' | 'reference' | 'charge_id' | 'amount' | 'currency'
>

/** And what the simulator says to it. */
export interface Entry extends Pick<Row, 'kind' | 'capture' | 'outcome' | 'traits'> {
  readonly delay_ms: number
}

const columns = {
  merchant_id: 'uuid',
  reference: 'uuid',
  kind: 'text',
  charge_id: 'uuid',
  amount: 'bigint',
  currency: 'text',
  capture: 'boolean',
  outcome: 'jsonb',
  traits: 'jsonb',
  ready_on: 'timestamptz',
  created_on: 'timestamptz',
} as const
const names = Object.keys(columns)
const arrays = newColumnArrays(columns)

/** One statement: of any number of equal calls one makes the row, and all get what it says. */
const log_rows = `
  insert into simulator_operations as known (${names.join(', ')})
  select * from unnest(${names.map(arrays.of).join(', ')})
  on conflict (merchant_id, reference) do update set received = known.received + 1
  returning merchant_id, reference, case when received > 1 then to_json(known) end as found`

/** An existing row; a new row has the sent values. */
type Found = Omit<Row, 'ready_on' | 'created_on'> & { ready_on: string; created_on: string }
type Logged = Pick<Row, 'merchant_id' | 'reference'> & {
  readonly found: Found | null
}

async function logRows(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const logged = await run<Logged>(db, log_rows, arrays.values(rows))
  const nameOf = (row: Pick<Row, 'merchant_id' | 'reference'>) =>
    `${row.merchant_id} ${row.reference}`
  const known = new Map(logged.map((row) => [nameOf(row), row]))
  return rows.map((row) => {
    const { found } = known.get(nameOf(row)) as Logged
    if (!found) return row
    const [ready_on, created_on] = [new Date(found.ready_on), new Date(found.created_on)]
    return { ...found, ready_on, created_on }
  })
}

/** Calls that come at the same time share a statement. */
const logBatched = perPool((db) =>
  newBatch<Row, Row>((rows) => logRows(db, rows), {
    ...work_options,
    ownerOf: ({ merchant_id }) => merchant_id,
    keyOf: ({ reference }) => reference,
  }),
)

export async function logOperation(
  db: Db,
  now_ms: number,
  operation: LoggedOperation,
  { kind, capture, outcome, traits, delay_ms }: Entry,
): Promise<Row> {
  const { merchant_id, reference, charge_id, amount, currency } = operation
  const row: Row = {
    merchant_id,
    reference,
    kind,
    charge_id,
    amount,
    currency,
    capture,
    outcome,
    traits,
    ready_on: new Date(now_ms + delay_ms),
    received: 1,
    created_on: new Date(now_ms),
  }
  if (!db.isTransaction) return logBatched(db)(row)
  const [logged] = await logRows(db, [row])
  return logged as Row
}

type Named = Pick<LoggedOperation, 'merchant_id' | 'reference'>

export async function findOperation(
  db: Db,
  { merchant_id, reference }: Named,
): Promise<Row | null> {
  return findRow({ db }, 'simulator_operations', { merchant_id, reference })
}

/** Money that has arrived for a charge, in its order. */
export function findDeposits(
  db: Db,
  { merchant_id, charge_id }: Pick<LoggedOperation, 'merchant_id' | 'charge_id'>,
): Promise<Row[]> {
  return db
    .selectFrom('simulator_operations')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('charge_id', '=', charge_id)
    .where('kind', '=', 'deposit')
    .orderBy('created_on')
    .execute()
}
