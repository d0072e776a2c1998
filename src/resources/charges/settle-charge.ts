import type { ChargeError } from '../../core/charge-errors.ts'
import { day_ms, minute_ms } from '../../core/clock.ts'
import { newUnguessableId } from '../../core/ids.ts'
import type { Instructions } from '../../core/instructions.ts'
import { page_life_ms } from '../../core/payment-methods.ts'
import { nextState } from '../../core/states.ts'
import { emit } from '../../events/emit.ts'
import { feeOf } from '../../ledger/fees.ts'
import {
  authorizationHeld,
  authorizationReleased,
  captured,
  type NewLedgerTransaction,
  postLedger,
} from '../../ledger/post.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { sendBackHeld } from '../deposits/send-back.ts'
import { storeRules } from '../stores/store-rules.ts'
import { followCharge } from '../subscriptions/follow-charge.ts'
import { finishCvvCheck } from '../tokens/cvv-authorization.ts'
import { type Charge, viewCharge } from './charge.ts'
import { authorization_life_ms } from './charge-fields.ts'
import { showInToken } from './issuer-token.ts'

export type ChargeAction = 'capture' | 'authorize' | 'ask_customer' | 'reject' | 'break' | 'cancel'

interface Settlement {
  action: ChargeAction
  error?: ChargeError
  /** What was captured, in the provider's currency, and the part of the request it stands for. */
  captured?: { amount: number; requested_amount: number }
  /** Where captured money comes from: the provider, or deposits that were kept for the charge. */
  from?: 'provider_receivable' | 'suspense'
  /** What the books have to know first: a transaction posts everything at once. */
  before?: NewLedgerTransaction[]
  /** What the customer needs, when it is up to them now. */
  instructions?: Instructions
}

/**
 * Moves a charge to its next state: status, books and event in one transaction. The update names
 * the state and the claim it expects; who was overtaken changes nothing and gets null.
 */
export async function settleCharge(
  service: Service,
  charge: Charge,
  settlement: Settlement,
): Promise<Charge | null> {
  return inTransaction(service, (tx) => moveCharge(tx, charge, settlement))
}

/** The same inside of a transaction that changes something else with it. */
export async function moveCharge(
  tx: Transacting,
  charge: Charge,
  settlement: Settlement,
): Promise<Charge | null> {
  const { action, error, captured: taken, instructions } = settlement
  const status = nextState('charge', charge.status, action)
  if (!status) return null
  const at = now(tx)
  const fee = taken ? await feeFor(tx, charge, taken.amount) : null
  const settled = await tx.db
    .updateTable('charges')
    .set({
      status,
      error: error ? JSON.stringify(error) : null,
      updated_on: at,
      pending_action: null,
      due_on: null,
      ...(status === 'authorized' ? heldUntil(charge, at) : {}),
      ...(instructions ? waitingFor(tx, charge, instructions) : {}),
      ...(taken
        ? {
            charged_amount: taken.amount,
            charged_currency: charge.provider_currency,
            fee_amount: fee,
          }
        : {}),
    })
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.id)
    .where('status', '=', charge.status)
    .where('claims', '=', charge.claims)
    .returningAll()
    .executeTakeFirst()
  if (!settled) return null
  const { before = [] } = settlement
  await postLedger(tx, [...before, ...ledgerOf(charge, status, settlement, fee ?? 0)])
  // The subscription is locked before the token, as everywhere.
  await followCharge(tx, settled)
  if (status === 'awaiting') await showInToken(tx, settled)
  else await wipeCard(tx, settled)
  if (settled.type === 'cvv_auth') await finishCvvCheck(tx, settled)
  const over = status === 'failed' || status === 'error' || status === 'canceled'
  if (over && charge.match_amount) {
    await sendBackHeld(tx, settled, status === 'canceled' ? 'canceled' : 'expired')
  }
  await emitCharge(tx, settled)
  return settled
}

function heldUntil({ capture_at }: Charge, at: Date) {
  const end_of_hold = new Date(at.getTime() + authorization_life_ms)
  return { authorized_on: at, due_on: capture_at ?? end_of_hold }
}

/** The page that the customer acts on gets its name now: before there is nothing on it. */
function waitingFor(tx: Transacting, charge: Charge, instructions: Instructions) {
  const { redirect, three_ds } = charge
  const expires_on = charge.expires_on ?? new Date(tx.clock.now() + page_life_ms.three_ds)
  return {
    instructions: JSON.stringify(instructions),
    page_id: redirect?.redirect_id ?? three_ds?.redirect_id ?? newUnguessableId(),
    expires_on,
    due_on: nextLook(tx, charge, expires_on),
  }
}

/** A notice that was lost is made up for by looking now and then. */
const look_every_ms = 10 * minute_ms

/** A test clock that is being moved stops for every look, so it looks once a day only. */
export function nextLook(service: Service, charge: Charge, expires_on: Date): Date {
  const moving = charge.mode === 'test' && service.clocks.isMoving(charge.merchant_id)
  const wait_ms = moving ? day_ms : look_every_ms
  return new Date(Math.min(expires_on.getTime(), service.clock.now() + wait_ms))
}

function ledgerOf(
  charge: Charge,
  status: Charge['status'],
  { action, captured: taken, from }: Settlement,
  fee: number,
): NewLedgerTransaction[] {
  const was_held = charge.status === 'authorized'
  const origin = action === 'cancel' ? 'cancel' : 'charge'
  const currency = charge.provider_currency
  return [
    ...(status === 'authorized' ? authorizationHeld(charge) : []),
    ...(was_held ? authorizationReleased(charge, origin) : []),
    ...(taken ? captured(charge, { ...taken, currency, fee, ...(from ? { from } : {}) }) : []),
  ]
}

async function feeFor(tx: Transacting, charge: Charge, amount: number): Promise<number> {
  const { configuration } = await storeRules(tx, charge.merchant_id, charge.store_id, true)
  const { brand, provider_currency: currency } = charge
  return feeOf(configuration, { brand: brand ?? '', amount, currency })
}

/**
 * The security code served its authorization; nothing of it is kept. Nor is the number of a card
 * that can be charged only once: a capture or refund needs the reference alone. That of a token whose
 * subscription ended, or got another, was kept for this charge only.
 */
async function wipeCard(tx: Transacting, charge: Charge): Promise<void> {
  const { merchant_id, transaction_token_id, transaction_token_type, type } = charge
  const once = transaction_token_type === 'one_time' && type === 'normal'
  await tx.db
    .updateTable('transaction_tokens')
    .set({
      cvv: null,
      ...(once ? { card_number: null } : {}),
      // A token that was only checked is still wiped when its time is over.
      ...(once || transaction_token_type === 'recurring' ? { wipe_on: null } : {}),
    })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', transaction_token_id)
    .where(once ? 'card_number' : 'cvv', 'is not', null)
    .execute()
  if (transaction_token_type !== 'subscription') return
  await tx.db
    .updateTable('transaction_tokens')
    .set({ card_number: null })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', transaction_token_id)
    .where('active', '=', false)
    .where('card_number', 'is not', null)
    .execute()
}

async function emitCharge(tx: Transacting, charge: Charge): Promise<void> {
  const { merchant_id, store_id, mode, id, status } = charge
  const between = status === 'awaiting' || status === 'authorized'
  await emit(tx, between ? 'charge_updated' : 'charge_finished', {
    merchant_id,
    store_id,
    mode,
    resource_id: id,
    data: viewCharge(tx, charge),
  })
  tx.afterCommit(() => tx.changes.tell(id))
}
