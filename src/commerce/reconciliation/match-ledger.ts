import { type Selectable, sql } from 'kysely'
import type { Mode } from '../../core/access/caller.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { SettlementKind } from '../../core/payments/settlements.ts'
import { day_ms } from '../../core/time/clock.ts'
import { type LedgerCharge, postLedger, settledByProvider } from '../../ledger/post.ts'
import type { Transacting } from '../../service.ts'
import type { ReconciliationRunTable } from '../../store/tables/commerce/settlement-tables.ts'
import { emitFinished } from './reconciliation-event.ts'

export type ReconciliationRun = Selectable<ReconciliationRunTable>

const batch_size = 500
/** A provider may date an operation a little earlier or later than we have posted it. */
const slack_ms = 3 * day_ms

/** A ledger transaction that changes what the provider owes us. */
interface Posted {
  readonly merchant_id: string
  readonly id: string
  readonly store_id: string
  readonly mode: Mode
  readonly charge_id: string
  readonly kind: SettlementKind
  /** By which names a line can mean it. */
  readonly references: readonly string[]
  readonly amount: number
  readonly currency: string
  readonly created_on: Date
  /** It is of this provider, and an operation that providers know. */
  readonly is_settled_here: boolean
}

interface Line {
  readonly line_id: string
  readonly kind: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
}

/** Only one run of a provider matches at a time. */
async function lockProvider(tx: Transacting, provider: string): Promise<void> {
  const name = `reconcile ${provider}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx.db)
}

/** The next transactions of the period, of one merchant after the other; the run as it is then. */
export async function matchLedger(
  tx: Transacting,
  given: ReconciliationRun,
): Promise<{ run: ReconciliationRun; count: number }> {
  await lockProvider(tx, given.provider)
  const run = await tx.db
    .selectFrom('reconciliation_runs')
    .selectAll()
    .where('id', '=', given.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (run.status !== 'matching') return { run, count: 0 }
  const merchant_id = run.cursor_ledger_id ? run.cursor_merchant_id : await nextMerchant(tx, run)
  if (!merchant_id) return { run: await finish(tx, run), count: 0 }
  const examined = await readPosted(tx, run, merchant_id)
  const posted = examined.filter(({ is_settled_here }) => is_settled_here)
  await matchBatch(tx, run, posted)
  const is_last = examined.length < batch_size
  const cursor_ledger_id = is_last ? null : (examined.at(-1)?.id ?? null)
  const moved = await moveCursor(tx, run, { cursor_merchant_id: merchant_id, cursor_ledger_id })
  return { run: moved, count: examined.length }
}

type Change = Partial<Pick<ReconciliationRun, 'status' | 'cursor_merchant_id' | 'cursor_ledger_id'>>

function moveCursor(tx: Transacting, { id }: ReconciliationRun, change: Change) {
  return tx.db
    .updateTable('reconciliation_runs')
    .set({ ...change, updated_on: new Date(tx.wall_clock.now()) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function nextMerchant(tx: Transacting, { cursor_merchant_id: after }: ReconciliationRun) {
  let merchants = tx.db.selectFrom('merchants').select('id').orderBy('id').limit(1)
  if (after) merchants = merchants.where('id', '>', after)
  return (await merchants.executeTakeFirst())?.id ?? null
}

/** The lines that no transaction of the period has taken are of nothing that is known here. */
async function finish(tx: Transacting, run: ReconciliationRun): Promise<ReconciliationRun> {
  await tx.db
    .updateTable('settlement_lines')
    .set({ status: 'missing_here' })
    .where('run_id', '=', run.id)
    .where('status', '=', 'pending')
    .execute()
  await emitFinished(tx, run)
  return moveCursor(tx, run, { status: 'finished' })
}

/**
 * A line names an operation by our reference or by that of the provider. The records of calls have both: a
 * payment has those of its authorization and of its capture, a deposit that went back those of its return.
 *
 * Ids of transactions are in the order of their time, so a period is a range of the primary key. What
 * settles is not settled itself, and holds are no money.
 */
async function readPosted(
  tx: Transacting,
  { provider, period_from, period_to, cursor_ledger_id }: ReconciliationRun,
  merchant_id: string,
): Promise<Posted[]> {
  const first = firstIdAt(Math.max(0, (period_from?.getTime() ?? 0) - slack_ms))
  const last = firstIdAt((period_to?.getTime() ?? 0) + slack_ms)
  const after = cursor_ledger_id ? sql`t.id > ${cursor_ledger_id}` : sql`t.id >= ${first}::uuid`
  const { rows } = await sql<Posted & { references: (string | null)[] }>`
    select t.merchant_id, t.id, t.store_id, t.mode, t.charge_id, t.created_on, e.amount, e.currency,
      case t.kind when 'capture' then 'payment'
        when 'adjustment' then case p.step when 'withdrawal' then 'dispute' when 'fee'
          then 'dispute_fee' else 'dispute_reversal' end
        else t.kind end as kind,
      case t.kind when 'capture' then array[c.id::text, c.provider_reference]
        when 'refund' then array[t.refund_id::text]
        when 'adjustment' then array[d.id::text, d.provider_reference]
        else array[t.deposit_id::text, (select s.reference::text from deposits s
          where s.merchant_id = t.merchant_id and s.id = t.deposit_id)] end
        || array(select unnest(array[o.reference::text, o.provider_reference])
          from provider_operations o where o.merchant_id = t.merchant_id and o.charge_id = t.charge_id
            and o.provider = ${provider} and case t.kind
              when 'capture' then o.kind in ('authorize', 'capture')
              when 'refund' then o.kind = 'refund' and o.resource_id = t.refund_id
              when 'return' then o.kind = 'return_deposit' and o.resource_id = t.deposit_id
              else false end) as "references",
      c.provider = ${provider} and (t.kind <> 'adjustment' or p.step is not null) as is_settled_here
    from (select * from ledger_transactions t where t.merchant_id = ${merchant_id} and ${after}
        and t.id < ${last}::uuid and t.accounts && '{provider_receivable}'
        and not t.accounts && '{provider_settled}'
      order by t.id limit ${sql.lit(batch_size)}) as t
    cross join lateral (select sum(l.amount)::bigint as amount, min(l.currency) as currency
      from unnest(t.accounts, t.currencies, t.amounts) as l (account, currency, amount)
      where l.account = 'provider_receivable') as e
    join charges c on c.merchant_id = t.merchant_id and c.id = t.charge_id
    left join dispute_postings p on p.merchant_id = t.merchant_id and p.ledger_id = t.id
    left join disputes d on d.merchant_id = p.merchant_id and d.id = p.dispute_id
    order by t.id`.execute(tx.db)
  return rows.map((row) => ({ ...row, references: row.references.filter((one) => one !== null) }))
}

async function matchBatch(
  tx: Transacting,
  run: ReconciliationRun,
  posted: readonly Posted[],
): Promise<void> {
  if (posted.length === 0) return
  const settled = await settledIds(tx, posted)
  const lines = await findLines(tx, run, posted)
  const matched: [Line, Posted][] = []
  const different: [Line, Posted][] = []
  const missing: Posted[] = []
  for (const one of posted) {
    if (settled.has(one.id)) continue
    const meant = lines.filter(
      ({ kind, reference }) => kind === one.kind && one.references.includes(reference),
    )
    const isEqual = (line: Line) => line.amount === one.amount && line.currency === one.currency
    const line = meant.find(isEqual) ?? meant[0]
    if (!line) missing.push(one)
    else (isEqual(line) ? matched : different).push([line, one])
  }
  await setLines(tx, run, 'matched', matched)
  await setLines(tx, run, 'amount_differs', different)
  await noteMissing(
    tx,
    run,
    missing.filter((one) => isInPeriod(run, one)),
  )
  await postLedger(
    tx,
    matched.flatMap(([, one]) => settledByProvider(ledgerChargeOf(one), one)),
  )
}

function ledgerChargeOf({
  merchant_id,
  store_id,
  mode,
  charge_id,
  ...money
}: Posted): LedgerCharge {
  const { amount: requested_amount, currency: requested_currency } = money
  return { merchant_id, store_id, mode, id: charge_id, requested_amount, requested_currency }
}

function isInPeriod(
  { period_from, period_to }: ReconciliationRun,
  { created_on }: Posted,
): boolean {
  const [from_ms, to_ms] = [period_from?.getTime() ?? 0, period_to?.getTime() ?? 0]
  return created_on.getTime() >= from_ms && created_on.getTime() < to_ms
}

async function settledIds(tx: Transacting, posted: readonly Posted[]): Promise<Set<string>> {
  const rows = await tx.db
    .selectFrom('settlement_lines')
    .select('ledger_id')
    .where('merchant_id', '=', posted[0]?.merchant_id ?? null)
    .where(
      'ledger_id',
      'in',
      posted.map(({ id }) => id),
    )
    .where('status', '=', 'matched')
    .execute()
  return new Set(rows.map(({ ledger_id }) => ledger_id ?? ''))
}

/** Lines that wait, of this run or of an earlier one whose transaction was posted later. */
async function findLines(
  tx: Transacting,
  { provider }: ReconciliationRun,
  posted: readonly Posted[],
): Promise<Line[]> {
  const wanted = posted.flatMap(({ kind, references }) =>
    references.map((reference) => ({ kind, reference })),
  )
  const { rows } = await sql<Line>`
    select l.line_id, l.kind, l.reference, l.amount, l.currency
    from unnest(${wanted.map(({ kind }) => kind)}::text[],
      ${wanted.map(({ reference }) => reference)}::text[]) as w (kind, reference)
    join settlement_lines l on l.provider = ${provider} and l.kind = w.kind
      and l.reference = w.reference and l.status in ('pending', 'missing_here')
    order by l.line_id`.execute(tx.db)
  return rows
}

async function setLines(
  tx: Transacting,
  { provider }: ReconciliationRun,
  status: 'matched' | 'amount_differs',
  pairs: readonly (readonly [Line, Posted])[],
): Promise<void> {
  await sql`
    update settlement_lines l set status = ${status}, merchant_id = g.merchant_id,
      ledger_id = g.ledger_id, expected_amount = g.amount
    from unnest(${pairs.map(([{ line_id }]) => line_id)}::text[],
      ${pairs.map(([, { merchant_id }]) => merchant_id)}::uuid[],
      ${pairs.map(([, { id }]) => id)}::uuid[], ${pairs.map(([, { amount }]) => amount)}::bigint[])
      as g (line_id, merchant_id, ledger_id, amount)
    where l.provider = ${provider} and l.line_id = g.line_id`.execute(tx.db)
}

async function noteMissing(
  tx: Transacting,
  { id: run_id }: ReconciliationRun,
  missing: readonly Posted[],
): Promise<void> {
  if (missing.length === 0) return
  await tx.db
    .insertInto('missing_settlements')
    .values(
      missing.map(({ merchant_id, id: ledger_id, charge_id, kind, amount, currency, ...row }) => ({
        ...{ run_id, merchant_id, ledger_id, charge_id, kind, amount, currency },
        posted_on: row.created_on,
      })),
    )
    .execute()
}
