import { derivedId } from '../../core/ids.ts'
import { provider_policy } from '../../core/limits/retry-policies.ts'
import { nextState } from '../../core/payments/states.ts'
import { second_ms } from '../../core/time/clock.ts'
import type { Deadline } from '../../core/time/deadline.ts'
import { postLedger, sentBack } from '../../ledger/post.ts'
import { providerOf } from '../../open-providers.ts'
import { type Charge, getCharge } from '../../payments/charges/charge.ts'
import { operationOf, takenOf } from '../../payments/charges/process/charge-operations.ts'
import { awaitProvider } from '../../payments/provider-calls/await-provider.ts'
import type { Attempt } from '../../payments/provider-calls/provider-responses.ts'
import { nextQuestion, runOperation } from '../../payments/provider-calls/run-operation.ts'
import type { CallLimit, Outcome } from '../../providers/provider.ts'
import {
  type ChargeEffect,
  inTransaction,
  newRow,
  now,
  type Service,
  type Transacting,
} from '../../service.ts'
import { reschedule, stillClaimed } from '../../store/due/due-work.ts'
import type { ReturnReason } from '../../store/tables/commerce/deposit-tables.ts'
import type { Deposit } from './deposit.ts'

/** The charge ended unpaid: every deposit that is held for it goes back. */
export async function sendBackHeld(
  tx: Transacting,
  charge: Charge,
  reason: ReturnReason,
): Promise<void> {
  const at = now(tx)
  const returned = await tx.db
    .updateTable('deposits')
    .set((column) => ({
      status: 'returning',
      return_amount: column.ref('amount'),
      return_reason: reason,
      due_on: at,
      updated_on: at,
    }))
    .where('merchant_id', '=', charge.merchant_id)
    .where('charge_id', '=', charge.id)
    .where('status', '=', 'held')
    .returning('amount')
    .execute()
  if (returned.length === 0) return
  const amount = returned.reduce((sum, deposit) => sum + deposit.amount, 0)
  await writeStatement(tx, charge, [{ bank_ledger_type: 'payment', amount, balance: 0 }])
  tx.afterCommit(() => tx.signals.broadcast('work', 'deposits'))
}

interface Movement {
  bank_ledger_type: 'deposit' | 'payment'
  amount: number
  /** The balance of the virtual account afterwards. */
  balance: number
}

/** Bank transfers have an account, and the account has a statement. */
export async function writeStatement(
  tx: Transacting,
  { merchant_id, id: charge_id, mode, payment_type }: Charge,
  movements: readonly Movement[],
): Promise<void> {
  const real = movements.filter(({ amount }) => amount > 0)
  if (payment_type !== 'bank_transfer' || real.length === 0) return
  const rows = real.map((movement) => ({
    merchant_id,
    charge_id,
    mode,
    ...movement,
    ...newRow(tx),
  }))
  await tx.db.insertInto('bank_transfer_ledgers').values(rows).execute()
}

/** Sends back what is to be sent back: the provider is asked outside of any transaction. */
export async function processDeposit(
  service: Service,
  deposit: Deposit,
  deadline: Deadline,
): Promise<void> {
  if (deposit.status !== 'returning') return
  const { merchant_id, mode, id, charge_id, store_id } = deposit
  const charge = await getCharge(service, { merchant_id, mode }, { store_id, charge_id })
  const provider = providerOf(service.providers, charge)
  if (!provider) return awaitProvider(service, 'deposits', deposit)
  const outcome = await sendMoney(service, { provider, row: deposit, deadline }, charge, deposit)
  if (outcome.outcome === 'approved') return settleReturn(service, charge, deposit, 'settle')
  if (outcome.outcome === 'refused') {
    service.log.error(
      { merchant_id, deposit_id: id, code: outcome.code },
      'a deposit could not be returned',
    )
    return settleReturn(service, charge, deposit, 'reject')
  }
  const ask_again_ms = outcome.outcome === 'unknown' ? outcome.ask_again_ms : second_ms
  const ask_on = nextQuestion(service, ask_again_ms, provider_policy.max_return_wait_ms)
  await reschedule(service.db, 'deposits', deposit, ask_on)
}

async function sendMoney(
  service: Service,
  attempt: Attempt,
  charge: Charge,
  { id, return_amount: amount, currency }: Deposit,
): Promise<Outcome> {
  const { provider } = attempt
  const taken = takenOf(charge)
  const asked = await operationOf(service, provider, charge, derivedId(id, 'return'), amount)
  const operation = { ...asked, currency, ...taken }
  const send = (limit: CallLimit, is_repeated: boolean) =>
    provider.returnDeposit({ ...operation, is_repeated }, limit)
  return runOperation(service, attempt, { kind: 'return_deposit', operation, taken, send })
}

/** Money that could not be returned stays in suspense, where the operator sees it. */
async function settleReturn(
  service: Service,
  charge: Charge,
  deposit: Deposit,
  action: 'settle' | 'reject',
): Promise<void> {
  const status = nextState('deposit', deposit.status, action)
  if (!status) return
  await inTransaction(service, async (tx) => {
    const { id, currency, return_amount: amount } = deposit
    const settled = await tx.db
      .updateTable('deposits')
      .set({ status, due_on: null, updated_on: now(tx) })
      .where(stillClaimed(deposit, deposit.status))
      .returning('id')
      .executeTakeFirst()
    if (!settled) return
    if (status === 'returned') await postLedger(tx, sentBack(charge, { id, amount, currency }))
    tx.afterCommit(() => tx.changes.notify(id))
  })
}

/** The end of a charge without any money for the merchant. */
const unpaid_ends: readonly Charge['status'][] = ['failed', 'error', 'canceled']

export const deposits_effect: ChargeEffect = {
  applies: ({ match_amount }, status) => match_amount !== null && unpaid_ends.includes(status),
  run: (tx, settled) =>
    sendBackHeld(tx, settled, settled.status === 'canceled' ? 'canceled' : 'expired'),
}
