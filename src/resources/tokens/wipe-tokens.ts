import { newBatch, perPool, work_options } from '../../store/batch.ts'
import { newColumnArrays } from '../../store/column-arrays.ts'
import type { Db } from '../../store/open-store.ts'
import { run } from '../../store/statement.ts'

/** What is noted in a token that was looked at because it was due. */
export interface LookedAt {
  readonly merchant_id: string
  readonly id: string
  /** As it was claimed. */
  readonly claims: number
  readonly wipe_on: Date | null
  /** Its security code, or its unused card, has expired. */
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

/** A new security code that came meanwhile has an end of its own, which is not overwritten. */
const note_tokens = `
  update transaction_tokens t set due_on = i.next_due_on, wipe_on = i.next_wipe_on,
    cvv = case when i.is_over then null else t.cvv end,
    card_number = case when i.is_over and t.type <> 'recurring' and t.uses = 0 then null
      else t.card_number end
  from unnest(${columns.map(arrays.of).join(', ')}) as i (${columns.join(', ')})
  where t.merchant_id = i.merchant_id and t.id = i.id and t.claims = i.claims
    and t.wipe_on is not distinct from i.wipe_on
    and (select set_config('lock_timeout', $1, true)) is not null`

const inOrder = (one: LookedAt, other: LookedAt) =>
  one.merchant_id < other.merchant_id ||
  (one.merchant_id === other.merchant_id && one.id < other.id)
    ? -1
    : 1

/** Tokens are locked in their order, as everywhere. */
async function noteTokens(db: Db, looked: readonly LookedAt[], patience: string): Promise<null[]> {
  await run(db, note_tokens, [patience, ...arrays.values([...looked].sort(inOrder))])
  return looked.map(() => null)
}

/** Tokens that expire together are purged together: many tokens are never charged. */
export const tokenNoter = perPool((db, lock_waiting_db) =>
  newBatch<LookedAt, null>(
    (looked, waits_for_locks) =>
      waits_for_locks ? noteTokens(lock_waiting_db, looked, '5s') : noteTokens(db, looked, '200ms'),
    { ...work_options, ownerOf: ({ merchant_id }) => merchant_id, keyOf: ({ id }) => id },
  ),
)
