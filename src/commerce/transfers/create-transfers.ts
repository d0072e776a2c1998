import { sql } from 'kysely'
import type { Mode } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { readDuration } from '../../core/time/durations.ts'
import { atTimeOf, inTransaction, newRow, type Service, type Transacting } from '../../service.ts'
import { accountOf, openLedgers } from './open-ledgers.ts'
import { emitTransfer, type Transfer } from './transfer.ts'

export interface NewTransfers {
  merchant_id: string
  /** Sales posted before this instant are paid; the default is now. */
  to?: Date
  /** The default is both. */
  mode?: Mode
  started_by: string
}

export interface PayoutRules {
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
    const created: Transfer[] = []
    for (const { mode, currency } of await owedIn(tx, wanted)) {
      const transfer = await createTransfer(atTimeOf(tx, { merchant_id, mode }), {
        ...wanted,
        ...payoutLimits(merchant.configuration, currency),
        mode,
        currency,
      })
      if (transfer) created.push(transfer)
    }
    return created
  })
}

/** The modes and currencies of the merchant's ledger. */
export async function owedIn(
  { db }: Service,
  { merchant_id, mode }: { merchant_id: string; mode?: Mode },
) {
  const balances = db
    .selectFrom('ledger_balances')
    .select(['mode', 'currency'])
    .distinct()
    .where('merchant_id', '=', merchant_id)
    .where('account', '=', 'merchant_payable')
    .orderBy('mode')
    .orderBy('currency')
  return (mode ? balances.where('mode', '=', mode) : balances).execute()
}

export function payoutLimits(configuration: PayoutRules, currency: string) {
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
    with open as (
      ${await openLedgers(tx, wanted, to)}
    ), made as (
      insert into transfers (merchant_id, id, mode, currency, amount, bank_account_id, "from", "to",
        status, started_by, created_on, updated_on)
      select ${merchant_id}, ${id}, ${mode}, ${currency}, sum(amount)::bigint,
        (${accountOf(wanted)}),
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
