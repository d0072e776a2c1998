import { type EventRow, eventsFrom } from '../../events/emit.ts'
import { type LedgerRow, ledgerFrom, newLedgerArrays } from '../../ledger/post.ts'
import { newBatch, perDb, work_options } from '../../store/batch.ts'
import { newColumnArrays } from '../../store/column-arrays.ts'
import type { Db } from '../../store/open-store.ts'
import { run } from '../../store/statement.ts'
import type { Charge } from './charge.ts'
import type { ChargeChange } from './settle-charge.ts'
import { wipeOf } from './wipe-card.ts'

/** A charge that becomes another, with everything that has to be written with it. */
export interface Settling {
  /** As it was claimed. */
  readonly charge: Charge
  readonly change: ChargeChange
  readonly ledger: readonly LedgerRow[]
  readonly event: EventRow
}

/** What the statement gets of each charge, in arrays; `first` and `last` are places in the books. */
const item_types = {
  merchant_id: 'uuid',
  id: 'uuid',
  was: 'text',
  claims: 'integer',
  seen: 'timestamptz',
  metadata: 'jsonb',
  status: 'text',
  error: 'jsonb',
  updated_on: 'timestamptz',
  due_on: 'timestamptz',
  authorized_on: 'timestamptz',
  charged_amount: 'bigint',
  charged_currency: 'text',
  fee_amount: 'bigint',
  event_id: 'uuid',
  event_name: 'text',
  data: 'json',
  is_first: 'boolean',
  first: 'integer',
  last: 'integer',
} as const

const item_columns = Object.keys(item_types)
type Item = Record<keyof typeof item_types, unknown>
/** The first parameter is how long it may wait. */
const item_arrays = newColumnArrays(item_types, 1)
/** And what it gets of each transaction in the books. */
const book_arrays = newLedgerArrays(['id', 'origin', 'kind'], 1 + item_columns.length)
/** What decides whether a charge is moved, and what is set in it; the rest is of its event and books. */
const moved_columns = item_columns.slice(0, item_columns.indexOf('event_id'))

/**
 * Status, books, event, and the card that is no longer needed, of many charges in one statement. A
 * charge that is not as it was read (another claim, another state, changed meanwhile) is left out with
 * all that belongs to it, and its caller is told.
 */
function settleStatement(): string {
  const at = (name: keyof Item) => item_arrays.at(name, 'n')
  return `
  with items as (
    select * from unnest(${moved_columns.map(item_arrays.of).join(', ')})
      with ordinality as i (${moved_columns.join(', ')}, n)
    where set_config('lock_timeout', $1, true) is not null
  ), moved as (
    update charges c set status = i.status, error = i.error, updated_on = i.updated_on,
      pending_action = null, due_on = i.due_on,
      authorized_on = coalesce(i.authorized_on, c.authorized_on),
      charged_amount = coalesce(i.charged_amount, c.charged_amount),
      charged_currency = coalesce(i.charged_currency, c.charged_currency),
      fee_amount = coalesce(i.fee_amount, c.fee_amount)
    from items i
    where c.merchant_id = i.merchant_id and c.id = i.id and c.status = i.was
      and c.claims = i.claims and c.updated_on = i.seen and c.metadata = i.metadata
    returning i.n, c.merchant_id, c.id, c.store_id, c.mode, c.updated_on,
      c.transaction_token_id as token_id, c.transaction_token_type = 'one_time' as once
  ), held as (
    select t.merchant_id, t.id, m.once from moved m
    join transaction_tokens t on t.merchant_id = m.merchant_id and t.id = m.token_id
    where t.cvv is not null or (m.once and t.card_number is not null)
    order by t.merchant_id, t.id for update of t
  ), wiped as (
    update transaction_tokens t set ${wipeOf('h.once')}
    from held h where t.merchant_id = h.merchant_id and t.id = h.id
  ), told as (
    select merchant_id, ${at('event_id')} as id, store_id, mode,
      ${at('event_name')} as name, id as resource_id, ${at('data')} as data,
      ${at('is_first')} as is_first, updated_on as created_on
    from moved
  ), ${eventsFrom('told')},
  entered as (
    select merchant_id, store_id, mode, ${book_arrays.columnsAt('place')}, moved.id as charge_id,
      null::uuid as refund_id, null::uuid as deposit_id, null::uuid as transfer_id,
      null::text as note, updated_on as created_on
    from moved cross join lateral
      generate_series(${at('first')}, ${at('last')}) as place
  ), ${ledgerFrom('entered')}
  select n::integer as n from moved`
}

const settle_charges = settleStatement()

async function settleCharges(
  db: Db,
  settlings: readonly Settling[],
  patience: string,
): Promise<boolean[]> {
  const books: LedgerRow[] = []
  const items = settlings.map(({ charge, change, ledger, event }): Item => {
    const first = books.length + 1
    books.push(...ledger)
    return {
      merchant_id: charge.merchant_id,
      id: charge.id,
      was: charge.status,
      claims: charge.claims,
      seen: charge.updated_on,
      metadata: charge.metadata,
      status: change.status,
      error: change.error,
      updated_on: change.updated_on,
      due_on: change.due_on,
      authorized_on: change.authorized_on,
      charged_amount: change.charged_amount,
      charged_currency: change.charged_currency,
      fee_amount: change.fee_amount,
      event_id: event.id,
      event_name: event.name,
      data: event.data,
      is_first: event.is_first,
      first,
      last: books.length,
    }
  })
  const settled = await run<{ n: number }>(db, settle_charges, [
    patience,
    ...item_arrays.values(items),
    ...book_arrays.values(books),
  ])
  const done = settlings.map(() => false)
  for (const { n } of settled) done[n - 1] = true
  return done
}

/** Settles what comes at the same time with one statement; false: it is not as it was read. */
export const chargeSettler = perDb((db, patient_db) =>
  newBatch<Settling, boolean>(
    (items, patient) =>
      patient ? settleCharges(patient_db, items, '5s') : settleCharges(db, items, '200ms'),
    {
      ...work_options,
      ownerOf: ({ charge }) => charge.merchant_id,
      keyOf: ({ charge }) => charge.id,
    },
  ),
)
