import { sql } from 'kysely'
import type { Mode } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { firstIdAt } from '../../core/ids.ts'
import { day_ms } from '../../core/time/clock.ts'
import { readDuration } from '../../core/time/durations.ts'
import { atTimeOf, inTransaction, newRow, type Service, type Transacting } from '../../service.ts'
import { emitTransfer, type Transfer } from './transfer.ts'

export interface NewTransfers {
  merchant_id: string
  /** Sales posted before this instant are paid; the default is now. */
  to?: Date
  /** The default is both. */
  mode?: Mode
  started_by: string
}

interface PayoutRules {
  transfer_schedule?: { wait_period?: string | null } | null
  min_transfer_payout?: { amount: number; currency: string } | null
}

/**
 * Creates a transfer for each mode and currency in which the merchant is owed enough. The merchant's
 * row is locked first: of two concurrent calls, the second finds nothing left.
 */
export async function createTransfers(service: Service, wanted: NewTransfers): Promise<Transfer[]> {
  const { merchant_id } = wanted
  return inTransaction(service, async (tx) => {
    const merchant = await tx.db
      .selectFrom('merchants')
      .select('configuration')
      .where('id', '=', merchant_id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!merchant) fail('NOT_FOUND', { message: 'There is no such merchant.' })
    // A first transfer may scan years of sales.
    await sql`set local statement_timeout = '5min'`.execute(tx.db)
    const made: Transfer[] = []
    for (const { mode, currency } of await owedIn(tx, wanted)) {
      const transfer = await createTransfer(atTimeOf(tx, { merchant_id, mode }), {
        ...wanted,
        ...payoutLimits(merchant.configuration, currency),
        mode,
        currency,
      })
      if (transfer) made.push(transfer)
    }
    return made
  })
}

/** The modes and currencies of the merchant's ledger. */
async function owedIn(tx: Transacting, { merchant_id, mode }: NewTransfers) {
  const balances = tx.db
    .selectFrom('ledger_balances')
    .select(['mode', 'currency'])
    .distinct()
    .where('merchant_id', '=', merchant_id)
    .where('account', '=', 'merchant_payable')
    .orderBy('mode')
    .orderBy('currency')
  return (mode ? balances.where('mode', '=', mode) : balances).execute()
}

function payoutLimits(configuration: PayoutRules, currency: string) {
  const { transfer_schedule, min_transfer_payout: min } = configuration
  const has_min = min?.currency.toUpperCase() === currency
  return {
    wait_ms: readDuration(transfer_schedule?.wait_period ?? 'P0D') ?? 0,
    min_amount: Math.max(1, has_min ? min.amount : 0),
  }
}

interface NewTransfer extends NewTransfers {
  mode: Mode
  currency: string
  wait_ms: number
  min_amount: number
}

/**
 * One statement finds the open transactions, sums them, and assigns them, so that nothing can be
 * committed in between. A sum below the minimum, or a debt, stays open for the next transfer.
 */
async function createTransfer(tx: Transacting, wanted: NewTransfer): Promise<Transfer | null> {
  const { merchant_id, mode, currency, min_amount, started_by } = wanted
  const { id, created_on } = newRow(tx)
  const waited_ms = created_on.getTime() - wanted.wait_ms
  const to = new Date(Math.min(waited_ms, wanted.to?.getTime() ?? waited_ms))
  const { rows } = await sql<Transfer>`
    with looked_at as (
      select id from ledger_transactions
      where merchant_id = ${merchant_id} and id >= ${await firstOpen(tx, wanted)}::uuid
      union select ledger_id from transfer_ledgers where merchant_id = ${merchant_id} and freed
    ), open as (
      select looked_at.id, e.created_on, -sum(e.amount) as amount
      from looked_at
      join ledger_entries e on e.merchant_id = ${merchant_id} and e.transaction_id = looked_at.id
        and e.mode = ${mode} and e.kind <> 'payout' and e.created_on < ${to}
        and e.account = 'merchant_payable' and e.currency = ${currency}
      where not exists (select from transfer_ledgers l
        where l.merchant_id = ${merchant_id} and l.ledger_id = looked_at.id and not l.freed)
      group by looked_at.id, e.created_on
    ), made as (
      insert into transfers (merchant_id, id, mode, currency, amount, bank_account_id, "from", "to",
        status, started_by, created_on, updated_on)
      select ${merchant_id}, ${id}, ${mode}, ${currency}, sum(amount)::bigint,
        (select a.id from bank_accounts a where a.merchant_id = ${merchant_id}
          and a.currency = ${currency} and a.deleted_on is null order by a."primary" desc, a.id limit 1),
        min(created_on), ${to}, 'created', ${started_by}, ${created_on}, ${created_on}
      from open having sum(amount) >= ${min_amount}
      returning *
    ), taken as (
      insert into transfer_ledgers (merchant_id, transfer_id, ledger_id)
      select made.merchant_id, made.id, open.id from made, open
    )
    select * from made`.execute(tx.db)
  const transfer = rows[0] ?? null
  if (transfer) await emitTransfer(tx, 'transfer_created', transfer)
  return transfer
}

/** Nothing is committed this much later than its date. */
const latest_commit_ms = day_ms

/**
 * Where to start looking. A transfer takes everything open before its end, so transactions well before
 * the last one are assigned or were released. Test mode can be at any time.
 */
async function firstOpen(tx: Transacting, { merchant_id, mode, currency }: NewTransfer) {
  const last = await tx.db
    .selectFrom('transfers')
    .select(({ fn }) => fn.max('to').as('to'))
    .where('merchant_id', '=', merchant_id)
    .where('mode', '=', mode)
    .where('currency', '=', currency)
    .executeTakeFirst()
  const is_bounded = mode === 'live' && last?.to
  return firstIdAt(is_bounded ? last.to.getTime() - latest_commit_ms : 0)
}
