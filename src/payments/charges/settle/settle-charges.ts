import { type EventRow, eventsFrom } from '../../../events/emit.ts'
import { type LedgerRow, ledgerFrom, newLedgerArrays } from '../../../ledger/post.ts'
import { newBatch, perPool, work_options } from '../../../store/sql/batches/batch.ts'
import { newColumnArrays } from '../../../store/sql/batches/column-arrays.ts'
import { run } from '../../../store/sql/statements/statement.ts'
import type { Db } from '../../../store/tables/db.ts'
import {
  insert_operations,
  type OperationRecord,
  on_known_operation,
  operation_columns,
  outcome_types,
} from '../../provider-calls/record-operations.ts'
import type { Charge } from '../charge.ts'
import { needsPurge, purgeOf } from './purge-card.ts'

/** The columns that a settlement sets in a charge, with their types. */
const change_types = {
  status: 'text',
  error: 'jsonb',
  updated_on: 'timestamptz',
  pending_action: 'text',
  due_on: 'timestamptz',
  authorized_on: 'timestamptz',
  charged_amount: 'bigint',
  charged_currency: 'text',
  fee_amount: 'bigint',
  instructions: 'jsonb',
  page_id: 'uuid',
  expires_on: 'timestamptz',
  provider: 'text',
  provider_reference: 'text',
  authorization_code: 'text',
  network_transaction_id: 'text',
  provider_data: 'jsonb',
} as const satisfies Partial<Record<keyof Charge, string>>

/** All of it, always: a column that is forgotten, or that no settlement writes, does not compile. */
export type ChargeChange = Pick<Charge, keyof typeof change_types>

/** A charge that moves to its next state, with everything that is written by the same statement. */
export interface Settling {
  /** The row that was read. */
  readonly charge: Charge
  readonly change: ChargeChange
  readonly ledger: readonly LedgerRow[]
  /** The calls of the provider that decided it; none: there was none, or they are recorded already. */
  readonly operations: readonly OperationRecord[]
  /** Null: the caller's transaction has more to do before it emits the event and purges the card. */
  readonly event: EventRow | null
}

/**
 * The parameters of the statement for each charge, in arrays; `first` and `last` are places in the lists of
 * ledger transactions and calls.
 */
const item_types = {
  merchant_id: 'uuid',
  id: 'uuid',
  was: 'text',
  claims: 'integer',
  seen: 'timestamptz',
  metadata: 'jsonb',
  ...change_types,
  event_id: 'uuid',
  event_name: 'text',
  data: 'json',
  since: 'uuid',
  first: 'integer',
  last: 'integer',
  first_call: 'integer',
  last_call: 'integer',
} as const

const change_list = Object.keys(change_types)
  .map((name) => `${name} = i.${name}`)
  .join(', ')
const item_columns = Object.keys(item_types)
type Item = Record<keyof typeof item_types, unknown>
/** The first parameter is the lock timeout. */
const item_arrays = newColumnArrays(item_types, 1)
/** And what it gets of each call, and of each ledger transaction. */
const call_arrays = newColumnArrays(outcome_types, 1 + item_columns.length)
const ledger_arrays = newLedgerArrays(
  ['id', 'origin', 'kind', 'deposit_id'],
  1 + item_columns.length + Object.keys(outcome_types).length,
)
/** The conditions for changing a charge, and the columns to set; the rest is of its event and ledger. */
const moved_columns = item_columns.slice(0, item_columns.indexOf('event_id') + 1)

/**
 * The one statement that settles charges: status, ledger, event, the record of the provider's call, and the
 * purge of the card that is no longer needed, of many charges together. A charge that changed since it was
 * read (another claim, another state) is left out with everything that belongs to it, and the result says
 * so.
 */
function settleStatement(): string {
  const at = (name: keyof Item) => item_arrays.at(name, 'n')
  return `
  with items as (
    select * from unnest(${moved_columns.map(item_arrays.of).join(', ')})
      with ordinality as i (${moved_columns.join(', ')}, n)
    where (select set_config('lock_timeout', $1, true)) is not null
  ), moved as (
    update charges c set ${change_list}, returned_with = null
    from items i
    where c.merchant_id = i.merchant_id and c.id = i.id and c.status = i.was
      and c.claims = i.claims and c.updated_on = i.seen and c.metadata = i.metadata
    returning i.n, i.event_id, c.merchant_id, c.id, c.store_id, c.mode, c.updated_on, c.claims,
      c.provider, c.transaction_token_id as token_id, c.transaction_token_type = 'one_time' as once
  ), unused as (
    select t.merchant_id, t.id, m.once from moved m
    join transaction_tokens t on t.merchant_id = m.merchant_id and t.id = m.token_id
    where m.event_id is not null and ${needsPurge('m.once')}
    order by t.merchant_id, t.id for update of t
  ), purged as (
    update transaction_tokens t set ${purgeOf('u.once')}
    from unused u where t.merchant_id = u.merchant_id and t.id = u.id
  ), new_events as (
    select merchant_id, event_id as id, store_id, mode,
      ${at('event_name')} as name, id as resource_id, ${at('data')} as data,
      ${at('since')} as since, updated_on as created_on
    from moved where event_id is not null
  ), ${eventsFrom('new_events')},
  entered as (
    select merchant_id, store_id, mode, ${ledger_arrays.columnsAt('place')}, moved.id as charge_id,
      null::uuid as refund_id, null::uuid as transfer_id, null::text as note, updated_on as created_on
    from moved cross join lateral
      generate_series(${at('first')}, ${at('last')}) as place
  ), ${ledgerFrom('entered')}, recorded as (
    ${insert_operations}
    select ${operation_columns.map(callColumn).join(', ')} from moved cross join lateral
      generate_series(${at('first_call')}, ${at('last_call')}) as place
    ${on_known_operation}
  )
  select n::integer as n from moved`
}

/** A column of the record: as its call decided, or as the charge is. */
function callColumn(name: string): string {
  const of_charge: Readonly<Record<string, string>> = {
    merchant_id: 'merchant_id',
    charge_id: 'id',
    resource_id: 'id',
    attempt: 'claims',
    provider: 'provider',
  }
  return of_charge[name] ?? call_arrays.at(name, 'place')
}

const settle_charges = settleStatement()

/** Says for each charge whether it was settled; false: it is not as it was read. */
export async function settleCharges(
  db: Db,
  settlings: readonly Settling[],
  lock_timeout: string,
): Promise<boolean[]> {
  const ledger: LedgerRow[] = []
  const calls: OperationRecord[] = []
  const items = settlings.map((settling): Item => {
    const { charge, change, ledger: own, operations, event } = settling
    const first = ledger.length + 1
    const first_call = calls.length + 1
    ledger.push(...own)
    calls.push(...operations)
    return {
      merchant_id: charge.merchant_id,
      id: charge.id,
      was: charge.status,
      claims: charge.claims,
      seen: charge.updated_on,
      metadata: charge.metadata,
      ...change,
      event_id: event?.id,
      event_name: event?.name,
      data: event?.data,
      since: event?.since,
      first,
      last: ledger.length,
      first_call,
      last_call: calls.length,
    }
  })
  const settled = await run<{ n: number }>(db, settle_charges, [
    lock_timeout,
    ...item_arrays.values(items),
    ...call_arrays.values(calls),
    ...ledger_arrays.values(ledger),
  ])
  const done = settlings.map(() => false)
  for (const { n } of settled) done[n - 1] = true
  return done
}

/** Settles charges of the same moment with one statement. */
export const settleChargeBatched = perPool((db, lock_waiting_db) =>
  newBatch<Settling, boolean>(
    (items, waits_for_locks) =>
      waits_for_locks
        ? settleCharges(lock_waiting_db, items, '5s')
        : settleCharges(db, items, '200ms'),
    {
      ...work_options,
      ownerOf: ({ charge }) => charge.merchant_id,
      keyOf: ({ charge }) => charge.id,
    },
  ),
)
