import { sql } from 'kysely'
import { newId } from '../../core/ids.ts'
import type { SettlementLine } from '../../core/payments/settlements.ts'
import { day_ms } from '../../core/time/clock.ts'
import { inTransaction, type Service } from '../../service.ts'
import { matchLedger, type ReconciliationRun } from './match-ledger.ts'

export interface Source {
  readonly provider: string
  readonly name: string
  /** The hash of a file; null: the lines come from a connector. */
  readonly digest: Buffer | null
  /** From when on what is missing there is reported; without it from the day of the first line. */
  readonly period_from?: Date | null
  lines(): AsyncIterable<SettlementLine>
}

export interface Progress {
  readonly step: 'reading' | 'matching'
  readonly done: number
}

const batch_size = 500

/**
 * Compares what a provider has settled with the ledger. It can be stopped at any time, also by kill -9, and
 * be repeated: a line is stored once by its name, a file is one run, and each batch is a transaction that
 * also moves the cursor.
 */
export async function reconcile(
  service: Service,
  source: Source,
  onProgress: (progress: Progress) => void = () => {},
): Promise<ReconciliationRun> {
  let run = await beginRun(service, source)
  if (run.status === 'reading') run = await readLines(service, run, source, onProgress)
  let done = 0
  while (run.status === 'matching') {
    const step = await inTransaction(service, (tx) => matchLedger(tx, run))
    run = step.run
    done += step.count
    service.failpoint('after reconciliation batch')
    onProgress({ step: 'matching', done })
  }
  return run
}

async function beginRun(
  { db, wall_clock }: Service,
  { provider, name, digest }: Source,
): Promise<ReconciliationRun> {
  const begun = digest === null && (await findBegun(db, provider))
  if (begun) return begun
  const created_on = new Date(wall_clock.now())
  const row = { provider, source: name, digest, status: 'reading', created_on } as const
  const created = await db
    .insertInto('reconciliation_runs')
    .values({
      ...row,
      id: newId(created_on.getTime()),
      updated_on: created_on,
      period_from: null,
      period_to: null,
      cursor_merchant_id: null,
      cursor_ledger_id: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'digest']).where('digest', 'is not', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  return (
    created ??
    db
      .selectFrom('reconciliation_runs')
      .selectAll()
      .where('provider', '=', provider)
      .where('digest', '=', digest)
      .executeTakeFirstOrThrow()
  )
}

/** An interrupted run of a connector continues: a file is known by its digest. */
async function findBegun(db: Service['db'], provider: string): Promise<ReconciliationRun | null> {
  const begun = await db
    .selectFrom('reconciliation_runs')
    .selectAll()
    .where('provider', '=', provider)
    .where('digest', 'is', null)
    .where('status', '<>', 'finished')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return begun ?? null
}

/** Stores the lines; lines that this or another run stored earlier stay unchanged. */
async function readLines(
  service: Service,
  run: ReconciliationRun,
  source: Source,
  onProgress: (progress: Progress) => void,
): Promise<ReconciliationRun> {
  let batch: SettlementLine[] = []
  let lines_read = 0
  let [first_ms, last_ms] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const flush = async () => {
    await storeLines(service, run, batch)
    lines_read += batch.length
    batch = []
    service.failpoint('after reconciliation lines')
    onProgress({ step: 'reading', done: lines_read })
  }
  for await (const line of source.lines()) {
    first_ms = Math.min(first_ms, line.booked_on.getTime())
    last_ms = Math.max(last_ms, line.booked_on.getTime())
    batch.push(line)
    if (batch.length === batch_size) await flush()
  }
  if (batch.length > 0) await flush()
  const period = lines_read === 0 ? {} : periodOf(source, first_ms, last_ms)
  return service.db
    .updateTable('reconciliation_runs')
    .set({ ...period, status: lines_read === 0 ? 'finished' : 'matching', lines_read })
    .set({ updated_on: new Date(service.wall_clock.now()) })
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * A file has whole days. A connector is asked at any time and reports nothing for the rest of the day:
 * transactions after its last line are not missing.
 */
function periodOf({ digest, period_from }: Source, first_ms: number, last_ms: number) {
  const startOfDay = (ms: number) => new Date(Math.floor(ms / day_ms) * day_ms)
  const from = period_from ?? startOfDay(first_ms)
  const to = digest === null ? new Date(last_ms + 1) : startOfDay(last_ms + day_ms)
  return { period_from: from, period_to: to < from ? from : to }
}

async function storeLines(
  { db }: Service,
  { id: run_id, provider }: ReconciliationRun,
  lines: readonly SettlementLine[],
): Promise<void> {
  await sql`
    insert into settlement_lines (provider, line_id, run_id, kind, reference, amount, fee_amount,
      currency, booked_on, status)
    select ${provider}, l.*, 'pending' from (select line_id, ${run_id}::uuid, kind, reference, amount,
      fee_amount, currency, booked_on from unnest(${lines.map((one) => one.line_id)}::text[],
        ${lines.map((one) => one.kind)}::text[], ${lines.map((one) => one.reference)}::text[],
        ${lines.map((one) => one.amount)}::bigint[], ${lines.map((one) => one.fee_amount)}::bigint[],
        ${lines.map((one) => one.currency)}::text[],
        ${lines.map((one) => one.booked_on)}::timestamptz[])
      as given (line_id, kind, reference, amount, fee_amount, currency, booked_on)) as l
    on conflict (provider, line_id) do nothing`.execute(db)
}

/** The result of a run. */
export interface Report {
  readonly run: ReconciliationRun
  readonly matched: number
  /** Lines that an earlier run had brought. */
  readonly already_known: number
  readonly findings: readonly Finding[]
  readonly has_more: boolean
  /** The fees that the provider deducted from the matched lines, by currency, if it reports them. */
  readonly fees: readonly { readonly currency: string; readonly amount: number }[]
  readonly counts: Readonly<Record<Finding['problem'], number>>
}

export interface Finding {
  readonly problem: 'amount_differs' | 'missing_here' | 'missing_there'
  readonly line_id: string | null
  readonly kind: string
  readonly reference: string
  readonly amount: number | null
  readonly expected_amount: number | null
  readonly currency: string
  readonly charge_id: string | null
}

/** The maximum number of items in a report; the counts cover all. */
export const max_findings = 1000

export async function readReport({ db }: Service, run: ReconciliationRun): Promise<Report> {
  const { rows: counted } = await sql<{ status: string; count: number }>`
    select status, count(*)::integer as count from settlement_lines where run_id = ${run.id} group by 1
    union all select 'missing_there', count(*)::integer from missing_settlements
    where run_id = ${run.id}`.execute(db)
  const countOf = (status: string) => counted.find((one) => one.status === status)?.count ?? 0
  const { rows: findings } = await sql<Finding>`
    (select status as problem, line_id, kind, reference, amount, expected_amount, currency,
      (select charge_id from ledger_transactions t where t.merchant_id = l.merchant_id
        and t.id = l.ledger_id) as charge_id
    from settlement_lines l where run_id = ${run.id} and status in ('amount_differs', 'missing_here')
    order by status, line_id limit ${max_findings + 1})
    union all
    (select 'missing_there', null, kind, ledger_id::text, null, amount, currency, charge_id
    from missing_settlements where run_id = ${run.id} order by merchant_id, ledger_id
    limit ${max_findings + 1})`.execute(db)
  const { rows: fees } = await sql<Report['fees'][number]>`
    select currency, sum(fee_amount)::bigint as amount from settlement_lines
    where run_id = ${run.id} and status = 'matched' and fee_amount is not null
    group by 1 order by 1`.execute(db)
  const own = ['pending', 'matched', 'amount_differs', 'missing_here'].map(countOf)
  return {
    run,
    matched: countOf('matched'),
    already_known: run.lines_read - own.reduce((sum, count) => sum + count, 0),
    fees,
    findings: findings.slice(0, max_findings),
    has_more: findings.length > max_findings,
    counts: {
      amount_differs: countOf('amount_differs'),
      missing_here: countOf('missing_here'),
      missing_there: countOf('missing_there'),
    },
  }
}
