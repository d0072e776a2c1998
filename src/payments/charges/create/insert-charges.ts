import type { responseRow } from '../../../api/idempotency/stored-response.ts'
import { fail } from '../../../core/api/errors.ts'
import { isTransacting, type Service, type Transacting } from '../../../service.ts'
import { newBatch, perPool, write_options } from '../../../store/sql/batches/batch.ts'
import {
  type ColumnArrays,
  columnTypes,
  newColumnArrays,
} from '../../../store/sql/batches/column-arrays.ts'
import { writtenDespite } from '../../../store/sql/connections/after-loss.ts'
import { isLost, violatedIndex } from '../../../store/sql/statements/database-errors.ts'
import { run } from '../../../store/sql/statements/statement.ts'
import type { Db } from '../../../store/tables/db.ts'
import { rules_version } from '../../store-rules/store-rules.ts'
import type { Charge } from '../charge.ts'
import { findTestCharges } from './test-charge-quota.ts'
import { tokenFault, type UseFault } from './token-use.ts'

/** A new charge, and what decides whether it is written. */
export interface ChargeInsert {
  readonly charge: Charge
  /** How long ago a recurring token must have been used last; null: it is not used by this charge. */
  readonly wait_ms: number | null
  /** The response to the request, when it came with an idempotency key. */
  readonly response: ReturnType<typeof responseRow> | null
  /**
   * The data it was checked against, when that was cached: the version of the token's row and that of the
   * store's rules. It is written only if both are still the same.
   */
  readonly row_version: string | null
  readonly rules_version: string | null
}

/**
 * The result for a charge. `stale`: the data it was checked against has changed. `quota_exhausted`: no test
 * charge was left of the counted ones. `already_answered`: there is a response to its key.
 */
type InsertOutcome = 'created' | 'stale' | 'quota_exhausted' | 'already_answered' | UseFault
export type ChargeInserted = Exclude<InsertOutcome, 'quota_exhausted'>

/** Charges of the same moment share a statement. */
const insertBatched = perPool((db, lock_waiting_db) =>
  newBatch<ChargeInsert, InsertOutcome>(
    (rows, waits_for_locks) =>
      waits_for_locks
        ? insertCharges(lock_waiting_db, rows, '5s')
        : insertCharges(db, rows, '200ms'),
    {
      ...write_options,
      ownerOf: ({ charge }) => charge.merchant_id,
      // A token with two concurrent charges is used once: the second charge goes in the next batch.
      keyOf: ({ charge }) => charge.transaction_token_id,
    },
  ),
)

/** Writes a charge together with others, or alone in the transaction of its caller. */
export async function insertCharge(service: Service, row: ChargeInsert): Promise<ChargeInserted> {
  const insert = async () => {
    if (!isTransacting(service)) return insertBatched(service.db)(row)
    const [outcome = 'stale'] = await insertCharges(service.db, [row], '5s')
    return outcome
  }
  const { merchant_id, created_on } = row.charge
  for (;;) {
    const outcome = await insert().catch(refuseSecondId)
    if (outcome !== 'quota_exhausted') return outcome
    if (!(await findTestCharges(service, merchant_id, created_on))) return 'RESOURCE_LIMIT_REACHED'
  }
}

/**
 * Writes a charge in the caller's transaction, and wakes the worker when that commits. Without a wait
 * it does not use its token. Null: it is written; else why its token cannot be used.
 */
export async function insertChargeAlone(
  tx: Transacting,
  charge: Charge,
  wait_ms: number | null,
): Promise<UseFault | null> {
  const unchecked = { response: null, row_version: null, rules_version: null }
  const outcome = await insertCharge(tx, { charge, wait_ms, ...unchecked })
  if (outcome === 'stale' || outcome === 'already_answered') {
    throw new Error(`The charge ${charge.id} was refused as ${outcome}, which was not asked for.`)
  }
  if (outcome !== 'created') return outcome
  tx.afterCommit(() => tx.signals.broadcast('work', 'charges'))
  return null
}

function refuseSecondId(error: unknown): never {
  if (violatedIndex(error) === 'charges_by_merchant_transaction_id') {
    fail('MERCHANT_TRANSACTION_ID_EXISTS')
  }
  throw error
}

async function insertCharges(
  db: Db,
  rows: readonly ChargeInsert[],
  lock_timeout: string,
): Promise<InsertOutcome[]> {
  try {
    return await writeCharges(db, rows, lock_timeout)
  } catch (error) {
    // In a transaction nothing is written without it.
    if (!isLost(error) || db.isTransaction) throw error
    const charges = rows.map(({ charge }) => charge)
    const written = await writtenDespite(db, 'charges', charges, error)
    // The statement refused the charges that are missing; another attempt finds the reason.
    return rows.map(({ charge, response }) => {
      if (written.has(charge.id)) return 'created'
      return response ? 'already_answered' : 'stale'
    })
  }
}

/** The values that decide about a charge, beside its columns; the first parameter is how long it may wait. */
const rule_arrays = newColumnArrays(
  { wait_ms: 'bigint', row_version: 'xid', rules_version: 'text' },
  1,
)
const own_parameters = 4
const response_columns = ['mode', 'key', 'fingerprint', 'status', 'body', 'due_on']

/**
 * The one statement that writes charges: it counts a use of each token and a test charge of each merchant,
 * and writes the charge with the response to its request, or nothing of it. Of requests of the same moment
 * exactly as many pass as the rules allow. Tokens are locked before the quotas of test charges, each in
 * their order, so that two statements never wait for each other. The lock timeout is set in the statement
 * itself, so that it stays one round trip.
 */
function insertText(
  columns: readonly string[],
  charges: ColumnArrays,
  responses: ColumnArrays,
): string {
  const { of } = charges
  const at = (name: string) => charges.at(name, 'g.n')
  const fault = tokenFault('i.at', "i.at - i.wait_ms * interval '1 millisecond'")
  return `
  with items as (
    select i.*, (select r.key from idempotency_records r where r.merchant_id = i.merchant_id
      and r.mode = i.key_mode and r.key = i.key limit 1) is not null as is_answered
    from unnest(${of('merchant_id')}, ${of('transaction_token_id')}, ${of('created_on')},
      ${of('mode')}, ${rule_arrays.of('wait_ms')}, ${rule_arrays.of('row_version')},
      ${responses.of('mode')}, ${responses.of('key')}) with ordinality
      as i (merchant_id, token_id, at, mode, wait_ms, row_version, key_mode, key, n)
    where (select set_config('lock_timeout', $1, true)) is not null
  ), checked as (
    select i.*, case when i.row_version is not null and (t.xmin <> i.row_version
        or ${rule_arrays.at('rules_version', 'i.n')} is distinct from (
          select ${rules_version} from stores s join merchants m on m.id = s.merchant_id
          where s.merchant_id = t.merchant_id and s.id = t.store_id and s.deleted_on is null))
      then 'stale' else ${fault} end as fault
    from items i
    join transaction_tokens t on t.merchant_id = i.merchant_id and t.id = i.token_id
    where not i.is_answered and i.wait_ms is not null
    order by t.merchant_id, t.id for update of t
  ), quotas as (
    select q.merchant_id, q.free, u.places,
      case when u.first_at >= q.counted_on then least(q.free, u.count) else 0 end as taken
    from (select merchant_id, array_agg(n) as places, count(*), min(at) as first_at
      from checked where fault is null and mode = 'test' group by merchant_id) as u
    join test_charge_counts q on q.merchant_id = u.merchant_id
    order by q.merchant_id for update of q
  ), granted as (
    select unnest(places[:taken]) as n from quotas
    union all select n from checked where fault is null and mode = 'live'
  ), used as (
    update transaction_tokens t set uses = t.uses + 1, last_used_on = ${at('created_on')}
    from granted g where t.merchant_id = ${at('merchant_id')} and t.id = ${at('transaction_token_id')}
  ), taken as (
    update test_charge_counts c set free = q.free - q.taken
    from quotas q where c.merchant_id = q.merchant_id and q.taken > 0
  ), written as (
    select n from granted union all select n from items where wait_ms is null and not is_answered
  ), created as (
    insert into charges (${columns.join(', ')})
    select ${columns.map(at).join(', ')} from written g
  ), stored as (
    insert into idempotency_records (merchant_id, ${response_columns.join(', ')})
    select ${at('merchant_id')}, ${response_columns.map((name) => responses.at(name, 'g.n')).join(', ')}
    from written g where ${responses.at('key', 'g.n')} is not null
  )
  select n::integer as n, 'created' as outcome from written
  union all select unnest(places[taken + 1:])::integer, 'quota_exhausted' from quotas
  union all select n::integer, fault from checked where fault is not null
  union all select n::integer, 'already_answered' from items where is_answered`
}

interface Statement {
  readonly text: string
  readonly charges: ColumnArrays
  readonly responses: ColumnArrays
}

let known_statement: Statement | null = null

async function statementFor(db: Db, charge: Charge): Promise<Statement> {
  const columns = Object.keys(charge)
  const [of_charges, of_responses] = await Promise.all([
    columnTypes(db, 'charges', columns),
    columnTypes(db, 'idempotency_records', response_columns),
  ])
  const charges = newColumnArrays(of_charges, own_parameters)
  const responses = newColumnArrays(of_responses, own_parameters + columns.length)
  return { text: insertText(columns, charges, responses), charges, responses }
}

const no_response = {}

async function writeCharges(
  db: Db,
  rows: readonly ChargeInsert[],
  lock_timeout: string,
): Promise<InsertOutcome[]> {
  const items = rows.map(({ charge }) => charge)
  known_statement ??= await statementFor(db, items[0] as Charge)
  const { text, charges, responses } = known_statement
  const found = await run<{ n: number; outcome: InsertOutcome }>(db, text, [
    lock_timeout,
    ...rule_arrays.values(rows),
    ...charges.values(items),
    ...responses.values(rows.map(({ response }) => response ?? no_response)),
  ])
  const outcomes: InsertOutcome[] = rows.map(() => 'NOT_FOUND')
  for (const { n, outcome } of found) outcomes[n - 1] = outcome
  return outcomes
}
