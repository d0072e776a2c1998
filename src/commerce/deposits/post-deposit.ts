import Type from 'typebox'
import { common } from '../../core/api/common-fields.ts'
import { described, named, textOf } from '../../core/api/described-schemas.ts'
import { Id, Instant, MetadataSchema } from '../../core/api/schemas.ts'
import { emit } from '../../events/emit.ts'
import { deposited, postLedger } from '../../ledger/post.ts'
import type { Charge } from '../../payments/charges/charge.ts'
import { transitionCharge } from '../../payments/charges/settle/settle-charge.ts'
import type { ArrivedDeposit } from '../../providers/provider.ts'
import { inTransaction, newRow, now, type Service, type Transacting } from '../../service.ts'
import { type Deposit, heldAmount } from './deposit.ts'
import { type Match, matchDeposit } from './match-deposit.ts'
import { writeStatement } from './send-back.ts'

/** Money that a bank or a convenience store received for a charge, and when. */
export interface DepositArrived extends ArrivedDeposit {
  readonly merchant_id: string
  readonly charge_id: string
}

/**
 * Enters money that arrived, and does with it what the charge's rule says, in one transaction. The
 * charge's row is locked first: of two deposits, or a deposit and the end of the charge, one comes
 * first. A deposit that is already known changes nothing.
 */
export async function postDeposit(service: Service, arrived: DepositArrived): Promise<void> {
  await inTransaction(service, async (tx) => {
    const charge = await lockCharge(tx, arrived)
    const deposit = await insertDeposit(tx, charge, arrived)
    if (!deposit) return
    const held = await heldAmount(tx, charge)
    const match = matchDeposit({
      match_amount: charge.match_amount ?? 'exact',
      open: isOpen(charge, arrived),
      wanted: charge.provider_amount,
      held: held - deposit.amount,
      amount: deposit.amount,
    })
    await carryOut(tx, charge, deposit, match, held)
    const stored = match.stored ? held : held - deposit.amount
    // Deposits after the payment are returned; the charge stays paid.
    await emitBankStatus(tx, charge, deposit, isPaid(charge) ? charge.provider_amount : stored)
    tx.afterCommit(() => tx.changes.notify(charge.id))
  })
}

async function lockCharge(tx: Transacting, { merchant_id, charge_id }: DepositArrived) {
  return tx.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', charge_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Money in another currency than was asked for cannot pay the charge. */
function isOpen(charge: Charge, { paid_on, currency }: DepositArrived): boolean {
  const in_time = charge.expires_on === null || paid_on <= charge.expires_on
  return charge.status === 'awaiting' && in_time && currency === charge.provider_currency
}

function isPaid({ status }: Charge): boolean {
  return status === 'successful'
}

async function insertDeposit(
  tx: Transacting,
  charge: Charge,
  { reference, amount, currency, name }: DepositArrived,
): Promise<Deposit | null> {
  const { id, created_on } = newRow(tx)
  const { merchant_id, store_id, mode } = charge
  const created = await tx.db
    .insertInto('deposits')
    .values({
      merchant_id,
      id,
      store_id,
      charge_id: charge.id,
      mode,
      reference,
      amount,
      currency,
      name,
      status: 'held',
      return_reason: null,
      created_on,
      updated_on: created_on,
      due_on: null,
    })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'reference']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return created ?? null
}

/** `held` counts the new deposit too. The ledger gets all entries together, with the sale if it is one. */
async function carryOut(
  tx: Transacting,
  charge: Charge,
  deposit: Deposit,
  match: Match,
  held: number,
): Promise<void> {
  const arrival = { bank_ledger_type: 'deposit', amount: deposit.amount, balance: held } as const
  const before = deposited(charge, deposit)
  if (!match.stored || !match.pays) await postLedger(tx, before)
  if (!match.stored) {
    await sendBack(tx, deposit, deposit.amount, match.reason)
    const balance = held - deposit.amount
    const leaving = { bank_ledger_type: 'payment', amount: deposit.amount, balance } as const
    await writeStatement(tx, charge, [arrival, leaving])
    return
  }
  if (!match.pays) return writeStatement(tx, charge, [arrival])
  const { provider_amount: amount, requested_amount } = charge
  if (match.surplus > 0) await sendBack(tx, deposit, match.surplus, 'surplus')
  await tx.db
    .updateTable('deposits')
    .set((column) => ({
      status: 'applied',
      applied_amount: column.ref('amount'),
      updated_on: now(tx),
    }))
    .where('merchant_id', '=', charge.merchant_id)
    .where('charge_id', '=', charge.id)
    .where('status', '=', 'held')
    .execute()
  await writeStatement(tx, charge, [
    arrival,
    { bank_ledger_type: 'payment', amount, balance: match.surplus },
    { bank_ledger_type: 'payment', amount: match.surplus, balance: 0 },
  ])
  const sale = { captured: { amount, requested_amount }, from: 'suspense', before } as const
  const paid = await transitionCharge(tx, charge, { action: 'capture', ...sale })
  if (!paid) throw new Error(`The charge ${charge.id} changed while its row was locked.`)
}

async function sendBack(
  tx: Transacting,
  deposit: Deposit,
  return_amount: number,
  return_reason: Deposit['return_reason'],
): Promise<void> {
  await tx.db
    .updateTable('deposits')
    .set({
      status: 'returning',
      applied_amount: deposit.amount - return_amount,
      return_amount,
      return_reason,
      due_on: now(tx),
      updated_on: now(tx),
    })
    .where('merchant_id', '=', deposit.merchant_id)
    .where('id', '=', deposit.id)
    .execute()
  tx.afterCommit(() => tx.signals.broadcast('work', 'deposits'))
}

/** The event about a bank transfer when money has arrived. */
export const BankTransferStatus = named(
  'BankTransferStatus',
  Type.Object({
    id: described(Id, 'The id of the deposit that arrived last.'),
    charge_id: common.charge_id,
    payment_status: described(
      textOf(null, ['unpaid', 'insufficient', 'exact', 'exceeded']),
      'The arrived amount, compared with the amount of the charge.',
    ),
    latest_deposit_date: described(Instant, 'The time when money last arrived.'),
    latest_deposit_amount: described(
      Type.Integer(),
      'The last amount that arrived, in the smallest unit of the currency.',
    ),
    balance: described(
      Type.Integer(),
      'The amount that arrived and was not returned, in the smallest unit of the currency.',
    ),
    currency: common.currency,
    amount: described(Type.Integer(), 'The amount to pay, in the smallest unit of the currency.'),
    amount_difference: described(
      Type.Integer(),
      'The balance less the amount: negative while money is missing.',
    ),
    token_metadata: described(MetadataSchema, 'The metadata of the token.'),
    charge_metadata: described(MetadataSchema, 'The metadata of the charge.'),
    created_on: common.created_on,
  }),
  'The money that arrived for a charge by bank transfer.',
)

/** Emits the state of a bank transfer after money has arrived. */
async function emitBankStatus(
  tx: Transacting,
  charge: Charge,
  deposit: Deposit,
  balance: number,
): Promise<void> {
  if (charge.payment_type !== 'bank_transfer') return
  const { merchant_id, store_id, mode, id: charge_id, provider_amount: amount } = charge
  const difference = balance - amount
  const payment_status =
    balance === 0
      ? 'unpaid'
      : difference < 0
        ? 'insufficient'
        : difference === 0
          ? 'exact'
          : 'exceeded'
  const token = await tx.db
    .selectFrom('transaction_tokens')
    .select('metadata')
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', charge.transaction_token_id)
    .executeTakeFirst()
  const latest_deposit_date = deposit.created_on.toISOString()
  await emit(tx, 'bank_transfer_status_updated', {
    merchant_id,
    store_id,
    mode,
    resource_id: charge_id,
    data: {
      id: deposit.id,
      charge_id,
      payment_status,
      latest_deposit_date,
      latest_deposit_amount: deposit.amount,
      balance,
      currency: deposit.currency,
      amount,
      amount_difference: difference,
      token_metadata: token?.metadata ?? {},
      charge_metadata: charge.metadata,
      created_on: latest_deposit_date,
    },
  })
}
