import type { Insertable, Selectable } from 'kysely'
import { newBatch, perPool, work_options } from '../../store/sql/batches/batch.ts'
import { newColumnArrays } from '../../store/sql/batches/column-arrays.ts'
import { run } from '../../store/sql/statements/statement.ts'
import type { Db } from '../../store/tables/db.ts'
import type { ProviderOperationTable } from '../../store/tables/payments/provider-tables.ts'

export type OperationRecord = Selectable<ProviderOperationTable>

const columns = {
  merchant_id: 'uuid',
  charge_id: 'uuid',
  reference: 'uuid',
  attempt: 'integer',
  resource_id: 'uuid',
  kind: 'text',
  provider: 'text',
  is_inquiry: 'boolean',
  outcome: 'text',
  code: 'integer',
  provider_reference: 'text',
  raw_code: 'text',
  raw_message: 'text',
  request_id: 'text',
  started_on: 'timestamptz',
  finished_on: 'timestamptz',
} as const satisfies Record<keyof Insertable<ProviderOperationTable>, string>

/** The parts of a record that its call decides; the others follow from the row that needs it. */
export const outcome_types = {
  reference: columns.reference,
  kind: columns.kind,
  is_inquiry: columns.is_inquiry,
  outcome: columns.outcome,
  code: columns.code,
  provider_reference: columns.provider_reference,
  raw_code: columns.raw_code,
  raw_message: columns.raw_message,
  request_id: columns.request_id,
  started_on: columns.started_on,
  finished_on: columns.finished_on,
} as const

const names = Object.keys(columns)
const key = 'merchant_id, charge_id, reference, attempt'
const result_list = ['is_inquiry', 'outcome', 'code', 'provider_reference', 'raw_code']
  .concat(['raw_message', 'request_id', 'started_on', 'finished_on'])
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')

/** Writes records that are selected in the order of these columns; one that began gets its outcome. */
export const insert_operations = `insert into provider_operations (${names.join(', ')})`
export const on_known_operation = `on conflict (${key}) do update set ${result_list}
  where excluded.outcome is not null`
export const operation_columns: readonly string[] = names

const arrays = newColumnArrays(columns)

const write_operations = `
  with items as (
    select * from unnest(${names.map(arrays.of).join(', ')}) with ordinality
      as i (${names.join(', ')}, n)
  ), written as (
    ${insert_operations} select ${names.join(', ')} from items ${on_known_operation}
  )
  select i.n::integer as n, o.provider_reference, o.sent_on from items i
  cross join lateral (
    select max(attempt) as attempt, max(provider_reference) as provider_reference,
      max(started_on) filter (where not is_inquiry) as sent_on
    from provider_operations o where o.merchant_id = i.merchant_id
      and o.charge_id = i.charge_id and o.reference = i.reference
  ) as o where o.attempt is not null`

/** The earlier record of an operation: that it was begun. */
export interface EarlierOperation {
  /** The provider's own id, if known. */
  readonly provider_reference: string | null
  /** The last possible sending time; null: the operation was only inquired. */
  readonly sent_on: Date | null
}

async function writeOperations(
  db: Db,
  records: readonly OperationRecord[],
): Promise<(EarlierOperation | null)[]> {
  type Found = EarlierOperation & { n: number }
  const found = await run<Found>(db, write_operations, arrays.values(records))
  const earlier: (EarlierOperation | null)[] = records.map(() => null)
  for (const { n, provider_reference, sent_on } of found) {
    earlier[n - 1] = { provider_reference, sent_on }
  }
  return earlier
}

const writeBatched = perPool((db) =>
  newBatch<OperationRecord, EarlierOperation | null>((records) => writeOperations(db, records), {
    ...work_options,
    ownerOf: ({ merchant_id }) => merchant_id,
    keyOf: ({ reference }) => reference,
  }),
)

/** Writes what is known of a call; says whether one with its reference was known before. */
export async function recordOperation(
  db: Db,
  record: OperationRecord,
): Promise<EarlierOperation | null> {
  if (!db.isTransaction) return writeBatched(db)(record)
  const [earlier = null] = await writeOperations(db, [record])
  return earlier
}
