import { sql } from 'kysely'
import { PlainError } from '../../core/api/plain-error.ts'
import { machines, nextState, type StateOf } from '../../core/payments/states.ts'
import { paidOut, postLedger } from '../../ledger/post.ts'
import {
  atTimeOf,
  inTransaction,
  newRow,
  now,
  type Service,
  type Transacting,
} from '../../service.ts'
import { emitTransfer, type Transfer } from './transfer.ts'

/** The actions of an operator on a payout. */
export const transfer_actions = ['approve', 'process', 'pay', 'fail', 'cancel'] as const
export type TransferAction = (typeof transfer_actions)[number]

/** Moves a transfer to its next state, in a transaction of its own. */
export function moveTransfer(
  service: Service,
  id: string,
  action: TransferAction,
  reason: string | null = null,
): Promise<Transfer> {
  return inTransaction(service, (tx) => moveTransferIn(tx, id, action, reason))
}

/**
 * Moves a transfer to its next state: row, history, ledger and event in one transaction. A failed or
 * canceled one releases what it was to pay, so that the next transfer takes it.
 */
export async function moveTransferIn(
  outer: Transacting,
  id: string,
  action: TransferAction,
  reason: string | null,
): Promise<Transfer> {
  const before = await lockTransfer(outer, id)
  // It may be the sum of very many sales.
  await sql`set local statement_timeout = '5min'`.execute(outer.db)
  const tx = atTimeOf(outer, before)
  const status = nextState('transfer', before.status, action)
  if (!status) throw new PlainError(`The transfer is ${before.status}: it cannot ${action}.`)
  if (action === 'approve') requireBankAccount(before)
  const transfer = await tx.db
    .updateTable('transfers')
    .set({ status, updated_on: now(tx), error_text: action === 'fail' ? reason : null })
    .where('merchant_id', '=', before.merchant_id)
    .where('id', '=', id)
    .where('status', '=', before.status)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.db
    .insertInto('transfer_status_changes')
    .values({
      merchant_id: before.merchant_id,
      ...newRow(tx),
      transfer_id: id,
      old_status: before.status,
      new_status: status,
      reason,
    })
    .execute()
  if (status === 'paid') await postLedger(tx, paidOut(transfer, await storeParts(tx, transfer)))
  if (status === 'failed' || status === 'canceled') await freeLedgers(tx, transfer)
  await emitTransfer(tx, isFinal(status) ? 'transfer_finalized' : 'transfer_updated', transfer)
  return transfer
}

function isFinal(status: StateOf<'transfer'>): boolean {
  return Object.keys(machines.transfer[status]).length === 0
}

async function lockTransfer(tx: Transacting, id: string): Promise<Transfer> {
  const found = await tx.db
    .selectFrom('transfers')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new PlainError('There is no such transfer; "kaikei transfers list" shows them.')
  return found
}

/** In test mode no money leaves, so no account is needed. */
function requireBankAccount({ mode, bank_account_id, currency }: Transfer): void {
  if (mode === 'test' || bank_account_id) return
  throw new PlainError(
    `The merchant has no bank account in ${currency}. Cancel the transfer, and make it again when ` +
      'there is one.',
  )
}

/** The part of each store in a transfer; below zero when it refunded more than it sold. */
async function storeParts(tx: Transacting, { merchant_id, id, currency }: Transfer) {
  const { rows } = await sql<{ store_id: string; amount: number }>`
    select e.store_id, -sum(e.amount)::bigint as amount
    from transfer_ledgers l
    join ledger_entries e on e.merchant_id = l.merchant_id and e.transaction_id = l.ledger_id
      and e.account = 'merchant_payable' and e.currency = ${currency}
    where l.merchant_id = ${merchant_id} and l.transfer_id = ${id}
    group by 1 order by 1`.execute(tx.db)
  return rows
}

async function freeLedgers(tx: Transacting, { merchant_id, id }: Transfer): Promise<void> {
  await tx.db
    .updateTable('transfer_ledgers')
    .set({ freed: true })
    .where('merchant_id', '=', merchant_id)
    .where('transfer_id', '=', id)
    .execute()
}
