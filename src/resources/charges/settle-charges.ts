import { type EventRow, event_columns, eventsFrom } from '../../events/emit.ts'
import { type LedgerRow, ledgerFrom } from '../../ledger/post.ts'
import { newBatch, perDb, write_options } from '../../store/batch.ts'
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

/**
 * Status, books, event, and the card that is no longer needed, of many charges in one statement. A
 * charge that is not as it was read (another claim, another state, changed meanwhile) is left out with
 * all that belongs to it, and its caller is told.
 */
function settleStatement(): string {
  return `
  with items as (
    select * from json_to_recordset($1::json) as i (n integer, merchant_id uuid, id uuid, was text,
      claims integer, seen timestamptz, change jsonb, token_id uuid, once boolean, wipe boolean,
      ledger json, event json)
    where set_config('lock_timeout', $2, true) is not null
  ), moved as (
    update charges c set status = x.status, error = x.error, updated_on = x.updated_on,
      pending_action = null, due_on = x.due_on,
      authorized_on = coalesce(x.authorized_on, c.authorized_on),
      charged_amount = coalesce(x.charged_amount, c.charged_amount),
      charged_currency = coalesce(x.charged_currency, c.charged_currency),
      fee_amount = coalesce(x.fee_amount, c.fee_amount)
    from items i cross join lateral jsonb_to_record(i.change) as x (status text, error jsonb,
      updated_on timestamptz, due_on timestamptz, authorized_on timestamptz, charged_amount bigint,
      charged_currency text, fee_amount bigint)
    where c.merchant_id = i.merchant_id and c.id = i.id and c.status = i.was
      and c.claims = i.claims and c.updated_on = i.seen
    returning i.n, i.merchant_id, i.token_id, i.once, i.wipe, i.ledger, i.event
  ), held as (
    select t.merchant_id, t.id, m.once from moved m
    join transaction_tokens t on t.merchant_id = m.merchant_id and t.id = m.token_id
    where m.wipe and (t.cvv is not null or (m.once and t.card_number is not null))
    order by t.merchant_id, t.id for update of t
  ), wiped as (
    update transaction_tokens t set ${wipeOf('h.once')}
    from held h where t.merchant_id = h.merchant_id and t.id = h.id
  ), told as (
    select e.* from moved m cross join lateral json_to_record(m.event) as e (${event_columns})
  ), ${eventsFrom('told')},
  ${ledgerFrom('moved m', 'm.ledger')}
  select n from moved`
}

const settle_charges = settleStatement()

async function settleCharges(
  db: Db,
  items: readonly Settling[],
  patience: string,
): Promise<boolean[]> {
  const rows = items.map(({ charge, change, ledger, event }, n) => ({
    n,
    merchant_id: charge.merchant_id,
    id: charge.id,
    was: charge.status,
    claims: charge.claims,
    seen: charge.updated_on,
    change,
    token_id: charge.transaction_token_id,
    once: charge.transaction_token_type === 'one_time',
    wipe: change.status !== 'awaiting',
    ledger,
    event,
  }))
  const settled = await run<{ n: number }>(db, settle_charges, [JSON.stringify(rows), patience])
  const done = items.map(() => false)
  for (const { n } of settled) done[n] = true
  return done
}

/** Settles what comes at the same time with one statement; false: it is not as it was read. */
export const chargeSettler = perDb((db) =>
  newBatch<Settling, boolean>(
    (items, patient) => settleCharges(db, items, patient ? '5s' : '200ms'),
    {
      ...write_options,
      ownerOf: ({ charge }) => charge.merchant_id,
      keyOf: ({ charge }) => charge.id,
    },
  ),
)
