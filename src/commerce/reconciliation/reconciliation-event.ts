import { sql } from 'kysely'
import Type from 'typebox'
import type { Mode } from '../../core/access/caller.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { Id, Instant, nullable } from '../../core/api/schemas.ts'
import { emit } from '../../events/emit.ts'
import type { Transacting } from '../../service.ts'
import type { ReconciliationRun } from './match-ledger.ts'

const Total = named(
  'ReconciliationTotal',
  Type.Object({
    currency: common.currency,
    settled_amount: described(Type.Integer(), 'The sum of the matching lines, before fees.'),
    fee_amount: described(Type.Integer(), "The provider's fee, if the provider reports it."),
    matched: described(Type.Integer(), 'Lines that agree.'),
    amount_differs: described(Type.Integer(), 'Lines with another amount.'),
    missing_there: described(Type.Integer(), 'Postings without a line.'),
  }),
  'Sums of one currency.',
)

/** The result of a finished run for one merchant. */
export const ReconciliationView = named(
  'Reconciliation',
  Type.Object({
    id: described(Id, 'The id of the run.'),
    provider: described(Type.String(), 'The connector.'),
    period_from: described(nullable(Instant), 'The start.'),
    period_to: described(nullable(Instant), 'The end.'),
    totals: described(Type.Array(Total), 'By currency.'),
  }),
  'A settlement of a provider that was compared with the ledger.',
)

interface Counted {
  readonly merchant_id: string
  readonly mode: Mode
  readonly totals: readonly object[]
}

/** Sends each merchant the findings of the run about it, in the transaction that finishes the run. */
export async function emitFinished(tx: Transacting, run: ReconciliationRun): Promise<void> {
  const { id, provider, period_from, period_to } = run
  const period = {
    period_from: period_from?.toISOString() ?? null,
    period_to: period_to?.toISOString() ?? null,
  }
  for (const { merchant_id, mode, totals } of await countByMerchant(tx, run)) {
    const data = { id, provider, ...period, totals }
    await emit(tx, 'reconciliation_finished', { merchant_id, mode, resource_id: id, data })
  }
}

async function countByMerchant(tx: Transacting, { id }: ReconciliationRun): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    with found as (
      select merchant_id, ledger_id, status, amount, fee_amount, currency from settlement_lines
      where run_id = ${id} and status in ('matched', 'amount_differs')
      union all select merchant_id, ledger_id, 'missing_there', amount, null, currency
      from missing_settlements where run_id = ${id}
    ), counted as (
      select f.merchant_id, t.mode, f.currency,
        coalesce(sum(f.amount) filter (where status = 'matched'), 0)::bigint as settled_amount,
        coalesce(sum(f.fee_amount) filter (where status = 'matched'), 0)::bigint as fee_amount,
        count(*) filter (where status = 'matched')::integer as matched,
        count(*) filter (where status = 'amount_differs')::integer as amount_differs,
        count(*) filter (where status = 'missing_there')::integer as missing_there
      from found f join ledger_transactions t on t.merchant_id = f.merchant_id and t.id = f.ledger_id
      group by 1, 2, 3)
    select merchant_id, mode, json_agg(json_build_object('currency', currency, 'settled_amount',
      settled_amount, 'fee_amount', fee_amount, 'matched', matched, 'amount_differs', amount_differs,
      'missing_there', missing_there) order by currency) as totals
    from counted group by 1, 2 order by 1, 2`.execute(tx.db)
  return rows
}
