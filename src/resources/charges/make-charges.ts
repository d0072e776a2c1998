import { writtenDespite } from '../../store/after-loss.ts'
import { newBatch, perDb, write_options } from '../../store/batch.ts'
import { type ColumnArrays, columnTypes, newColumnArrays } from '../../store/column-arrays.ts'
import { type Db, isLost } from '../../store/open-store.ts'
import { run } from '../../store/statement.ts'
import type { answerRow } from '../idempotency/stored-answer.ts'
import { rules_version } from '../stores/store-rules.ts'
import type { Charge } from './charge.ts'
import { usableToken } from './token-use.ts'

export interface NewChargeRow {
  readonly charge: Charge
  /** How long ago the token must have been used last. */
  readonly wait_ms: number
  /** The answer to the request, when it came with a key. */
  readonly answer: ReturnType<typeof answerRow> | null
  /**
   * What it rests on, when that was not read for it: which transaction made the token, and the version
   * of the store's rules. It is made only if that still holds.
   */
  readonly made_by: string | null
  readonly rules_version: string | null
}

/** What became of a charge: made, or which rule refused it; `key`: there is an answer to its key. */
export type Made = 'made' | 'token' | 'test_charges' | 'key'

/** Charges that come at the same time share a statement. */
export const chargeMaker = perDb((db, patient_db) =>
  newBatch<NewChargeRow, Made>(
    (rows, patient) =>
      patient ? makeCharges(patient_db, rows, '5s') : makeCharges(db, rows, '200ms'),
    {
      ...write_options,
      ownerOf: ({ charge }) => charge.merchant_id,
      // A token that is charged twice at once is used once; whoever comes second is asked after it.
      keyOf: ({ charge }) => charge.transaction_token_id,
    },
  ),
)

async function makeCharges(
  db: Db,
  rows: readonly NewChargeRow[],
  patience: string,
): Promise<Made[]> {
  const charges = rows.map(({ charge }) => charge)
  try {
    return await writeCharges(db, rows, patience)
  } catch (error) {
    if (!isLost(error)) throw error
    const there = await writtenDespite(db, 'charges', charges, error)
    // What is not there may have been refused for either: where a key is, its answer is looked for.
    return rows.map(({ charge, answer }) => {
      if (there.has(charge.id)) return 'made'
      return answer ? 'key' : 'token'
    })
  }
}

/** What decides about a charge, beside its columns; the first parameter is how long it may wait. */
const rule_arrays = newColumnArrays({ wait_ms: 'bigint', made_by: 'xid', rules_version: 'text' }, 1)
const own_parameters = 4
const answer_columns = ['mode', 'key', 'fingerprint', 'status', 'body', 'due_on']

/**
 * Counts a use of each token and writes its charge, or neither. Every rule about uses is in this one
 * statement: of requests that come at the same time exactly as many pass as may. Tokens are locked
 * before the counts of test charges, each in their order, so that two statements never wait for each
 * other. How long it waits for a lock is said in the statement itself, so that it stays one round trip.
 */
function makeText(
  columns: readonly string[],
  charges: ColumnArrays,
  answers: ColumnArrays,
): string {
  const { of } = charges
  const at = (name: string) => charges.at(name, 'g.n')
  return `
  with items as (
    select i.*, (select r.key from idempotency_records r where r.merchant_id = i.merchant_id
      and r.mode = i.key_mode and r.key = i.key limit 1) is not null as is_answered
    from unnest(${of('merchant_id')}, ${of('transaction_token_id')}, ${of('created_on')},
      ${of('mode')}, ${rule_arrays.of('wait_ms')}, ${rule_arrays.of('made_by')},
      ${answers.of('mode')}, ${answers.of('key')}) with ordinality
      as i (merchant_id, token_id, at, mode, wait_ms, made_by, key_mode, key, n)
    where set_config('lock_timeout', $1, true) is not null
  ), usable as (
    select i.* from items i
    join transaction_tokens t on t.merchant_id = i.merchant_id and t.id = i.token_id
    where not i.is_answered and ${usableToken('i.at', "i.at - i.wait_ms * interval '1 millisecond'")}
      and (i.made_by is null or t.xmin = i.made_by and ${rule_arrays.at('rules_version', 'i.n')} = (
        select ${rules_version} from stores s join merchants m on m.id = s.merchant_id
        where s.merchant_id = t.merchant_id and s.id = t.store_id and s.deleted_on is null))
    order by t.merchant_id, t.id for update of t
  ), counts as (
    select c.merchant_id, c.free, u.places,
      case when u.first_at >= c.counted_on then least(c.free, u.count) else 0 end as taken
    from (select merchant_id, array_agg(n) as places, count(*), min(at) as first_at
      from usable where mode = 'test' group by merchant_id) as u
    join test_charge_counts c on c.merchant_id = u.merchant_id
    order by c.merchant_id for update of c
  ), granted as (
    select unnest(places[:taken]) as n from counts
    union all select n from usable where mode = 'live'
  ), used as (
    update transaction_tokens t set uses = t.uses + 1, last_used_on = ${at('created_on')}
    from granted g where t.merchant_id = ${at('merchant_id')} and t.id = ${at('transaction_token_id')}
  ), taken as (
    update test_charge_counts c set free = g.free - g.taken
    from counts g where c.merchant_id = g.merchant_id and g.taken > 0
  ), made as (
    insert into charges (${columns.join(', ')})
    select ${columns.map(at).join(', ')} from granted g
  ), kept as (
    insert into idempotency_records (merchant_id, ${answer_columns.join(', ')})
    select ${at('merchant_id')}, ${answer_columns.map((name) => answers.at(name, 'g.n')).join(', ')}
    from granted g where ${answers.at('key', 'g.n')} is not null
  )
  select n::integer as n, 'made' as became from granted
  union all select unnest(places[taken + 1:])::integer, 'test_charges' from counts
  union all select n::integer, 'key' from items where is_answered`
}

interface Statement {
  readonly text: string
  readonly charges: ColumnArrays
  readonly answers: ColumnArrays
}

let known_statement: Statement | null = null

async function statementFor(db: Db, charge: Charge): Promise<Statement> {
  const columns = Object.keys(charge)
  const [of_charges, of_answers] = await Promise.all([
    columnTypes(db, 'charges', columns),
    columnTypes(db, 'idempotency_records', answer_columns),
  ])
  const charges = newColumnArrays(of_charges, own_parameters)
  const answers = newColumnArrays(of_answers, own_parameters + columns.length)
  return { text: makeText(columns, charges, answers), charges, answers }
}

const no_answer = {}

async function writeCharges(
  db: Db,
  rows: readonly NewChargeRow[],
  patience: string,
): Promise<Made[]> {
  const items = rows.map(({ charge }) => charge)
  known_statement ??= await statementFor(db, items[0] as Charge)
  const { text, charges, answers } = known_statement
  const judged = await run<{ n: number; became: Made }>(db, text, [
    patience,
    ...rule_arrays.values(rows),
    ...charges.values(items),
    ...answers.values(rows.map(({ answer }) => answer ?? no_answer)),
  ])
  const made: Made[] = rows.map(() => 'token')
  for (const { n, became } of judged) made[n - 1] = became
  return made
}
