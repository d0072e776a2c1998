import { newBatch, perPool, work_options } from '../../store/sql/batches/batch.ts'
import { newColumnArrays } from '../../store/sql/batches/column-arrays.ts'
import { run } from '../../store/sql/statements/statement.ts'
import type { Db } from '../../store/tables/db.ts'

/** The stored data of a token that was due and has been processed. */
export interface ProcessedToken {
  readonly merchant_id: string
  readonly id: string
  /** The number of claims when the row was claimed. */
  readonly claims: number
  readonly wipe_on: Date | null
  /** The time of its security code, or of its unused card, is over. */
  readonly is_over: boolean
  readonly next_wipe_on: Date | null
  readonly next_due_on: Date | null
}

const types = {
  merchant_id: 'uuid',
  id: 'uuid',
  claims: 'integer',
  wipe_on: 'timestamptz',
  is_over: 'boolean',
  next_wipe_on: 'timestamptz',
  next_due_on: 'timestamptz',
} as const
const columns = Object.keys(types)
const arrays = newColumnArrays(types, 1)

/** A security code that was sent meanwhile has its own end, which is not overwritten. */
const reschedule_tokens = `
  update transaction_tokens t set due_on = i.next_due_on, wipe_on = i.next_wipe_on,
    cvv = case when i.is_over then null else t.cvv end,
    card_number = case when i.is_over and t.type <> 'recurring' and t.uses = 0 then null
      else t.card_number end
  from unnest(${columns.map(arrays.of).join(', ')}) as i (${columns.join(', ')})
  where t.merchant_id = i.merchant_id and t.id = i.id and t.claims = i.claims
    and t.wipe_on is not distinct from i.wipe_on
    and (select set_config('lock_timeout', $1, true)) is not null`

const inOrder = (one: ProcessedToken, other: ProcessedToken) =>
  one.merchant_id < other.merchant_id ||
  (one.merchant_id === other.merchant_id && one.id < other.id)
    ? -1
    : 1

/** Tokens are locked in their order, as everywhere. */
async function rescheduleTokens(
  db: Db,
  looked: readonly ProcessedToken[],
  lock_timeout: string,
): Promise<null[]> {
  await run(db, reschedule_tokens, [lock_timeout, ...arrays.values([...looked].sort(inOrder))])
  return looked.map(() => null)
}

/** Tokens that are due at the same time share a statement: many tokens are never charged. */
export const rescheduleToken = perPool((db, lock_waiting_db) =>
  newBatch<ProcessedToken, null>(
    (looked, waits_for_locks) =>
      waits_for_locks
        ? rescheduleTokens(lock_waiting_db, looked, '5s')
        : rescheduleTokens(db, looked, '200ms'),
    { ...work_options, ownerOf: ({ merchant_id }) => merchant_id, keyOf: ({ id }) => id },
  ),
)
