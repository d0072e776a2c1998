import type { Updateable } from 'kysely'
import type { ChargeError } from '../../core/charge-errors.ts'
import { day_ms, minute_ms } from '../../core/clock.ts'
import { newUnguessableId } from '../../core/ids.ts'
import type { Instructions } from '../../core/instructions.ts'
import { page_life_ms } from '../../core/payment-methods.ts'
import { nextState } from '../../core/states.ts'
import { emit, eventRow, type NewEvent } from '../../events/emit.ts'
import type { EventName } from '../../events/event-names.ts'
import { feeOf } from '../../ledger/fees.ts'
import {
  authorizationHeld,
  authorizationReleased,
  captured,
  ledgerRows,
  type NewLedgerTransaction,
  postLedger,
} from '../../ledger/post.ts'
import { inTransaction, isTransacting, now, type Service, type Transacting } from '../../service.ts'
import type { ChargeTable } from '../../store/tables.ts'
import { sendBackHeld } from '../deposits/send-back.ts'
import { type StoreRules, storeRules } from '../stores/store-rules.ts'
import { followCharge } from '../subscriptions/follow-charge.ts'
import { finishCvvCheck } from '../tokens/cvv-authorization.ts'
import { type Charge, viewCharge } from './charge.ts'
import { authorization_life_ms } from './charge-fields.ts'
import { showInToken } from './issuer-token.ts'
import { chargeSettler } from './settle-charges.ts'
import { wipeCard } from './wipe-card.ts'

export type ChargeAction = 'capture' | 'authorize' | 'ask_customer' | 'reject' | 'break' | 'cancel'

interface Settlement {
  action: ChargeAction
  error?: ChargeError
  /** What was captured, in the provider's currency, and the part of the request it stands for. */
  captured?: { amount: number; requested_amount: number }
  /** The charge was made just now, by these rules of its store: nothing has happened to it yet. */
  made_by_rules?: StoreRules
  /** Where captured money comes from: the provider, or deposits that were kept for the charge. */
  from?: 'provider_receivable' | 'suspense'
  /** What the books have to know first: a transaction posts everything at once. */
  before?: NewLedgerTransaction[]
  /** What the customer needs, when it is up to them now. */
  instructions?: Instructions
}

/** What is set in a charge with its next state. */
export type ChargeChange = Pick<
  Charge,
  'status' | 'error' | 'updated_on' | 'pending_action' | 'due_on'
> &
  Partial<Charge>

/**
 * Moves a charge to its next state: status, books and event in one transaction. The update names
 * the state and the claim it expects; who was overtaken changes nothing and gets null. Charges that
 * concern nothing but themselves are settled together with others.
 */
export async function settleCharge(
  service: Service,
  charge: Charge,
  settlement: Settlement,
): Promise<Charge | null> {
  const status = nextState('charge', charge.status, settlement.action)
  if (!status) return null
  if (isTransacting(service) || !isPlain(charge, status, settlement)) {
    return inTransaction(service, (tx) => moveCharge(tx, charge, settlement))
  }
  const { change, ledger } = await changeOf(service, charge, status, settlement)
  const settled = { ...charge, ...change }
  const is_first = settlement.made_by_rules !== undefined
  const event = eventRow(service, ...chargeEvent(service, settled), is_first)
  const rows = ledgerRows(service, ledger)
  if (!(await chargeSettler(service.db)({ charge, change, ledger: rows, event }))) {
    // Something of it was changed meanwhile: then it is read again, and the claim decides.
    return inTransaction(service, (tx) => moveCharge(tx, charge, settlement))
  }
  service.signals.spread('work', 'events')
  service.changes.tell(charge.id)
  return settled
}

/** Nothing else has to be looked at or changed with the charge but its token. */
function isPlain(charge: Charge, status: Charge['status'], { before }: Settlement): boolean {
  return (
    charge.type === 'normal' &&
    charge.transaction_token_type !== 'subscription' &&
    charge.subscription_id === null &&
    charge.match_amount === null &&
    status !== 'awaiting' &&
    before === undefined
  )
}

/** The same inside of a transaction that changes something else with it. */
export async function moveCharge(
  tx: Transacting,
  charge: Charge,
  settlement: Settlement,
): Promise<Charge | null> {
  const status = nextState('charge', charge.status, settlement.action)
  if (!status) return null
  const { change, ledger } = await changeOf(tx, charge, status, settlement)
  const { error, instructions } = change
  const settled = await tx.db
    .updateTable('charges')
    .set({
      ...change,
      status,
      error: error && JSON.stringify(error),
      ...(instructions ? { instructions: JSON.stringify(instructions) } : {}),
    } as Updateable<ChargeTable>)
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.id)
    .where('status', '=', charge.status)
    .where('claims', '=', charge.claims)
    .returningAll()
    .executeTakeFirst()
  if (!settled) return null
  await postLedger(tx, ledger)
  // The subscription is locked before the token, as everywhere.
  await followCharge(tx, settled)
  if (status === 'awaiting') await showInToken(tx, settled)
  else await wipeCard(tx, settled)
  if (settled.type === 'cvv_auth') await finishCvvCheck(tx, settled)
  const over = status === 'failed' || status === 'error' || status === 'canceled'
  if (over && charge.match_amount) {
    await sendBackHeld(tx, settled, status === 'canceled' ? 'canceled' : 'expired')
  }
  await emit(tx, ...chargeEvent(tx, settled))
  tx.afterCommit(() => tx.changes.tell(settled.id))
  return settled
}

/** What changes in the charge, and what the books say to it. */
async function changeOf(
  service: Service,
  charge: Charge,
  status: Charge['status'],
  settlement: Settlement,
): Promise<{ change: ChargeChange; ledger: NewLedgerTransaction[] }> {
  const { error = null, captured: taken, instructions, before = [], made_by_rules } = settlement
  const at = now(service)
  const fee_amount = taken ? await feeFor(service, charge, taken.amount, made_by_rules) : 0
  const change = {
    status,
    error,
    updated_on: at,
    pending_action: null,
    due_on: null,
    ...(status === 'authorized' ? heldUntil(charge, at) : {}),
    ...(instructions ? waitingFor(service, charge, instructions) : {}),
    ...(taken
      ? {
          charged_amount: taken.amount,
          charged_currency: charge.provider_currency,
          fee_amount,
        }
      : {}),
  }
  return { change, ledger: [...before, ...ledgerOf(charge, status, settlement, fee_amount)] }
}

function heldUntil({ capture_at }: Charge, at: Date) {
  const end_of_hold = new Date(at.getTime() + authorization_life_ms)
  return { authorized_on: at, due_on: capture_at ?? end_of_hold }
}

/** The page that the customer acts on gets its name now: before there is nothing on it. */
function waitingFor(service: Service, charge: Charge, instructions: Instructions) {
  const { redirect, three_ds } = charge
  const expires_on = charge.expires_on ?? new Date(service.clock.now() + page_life_ms.three_ds)
  return {
    instructions,
    page_id: redirect?.redirect_id ?? three_ds?.redirect_id ?? newUnguessableId(),
    expires_on,
    due_on: nextLook(service, charge, expires_on),
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

async function feeFor(
  service: Service,
  charge: Charge,
  amount: number,
  known?: StoreRules,
): Promise<number> {
  const { merchant_id, store_id } = charge
  const { configuration } = known ?? (await storeRules(service, merchant_id, store_id, true))
  const { brand, provider_currency: currency } = charge
  return feeOf(configuration, { brand: brand ?? '', amount, currency })
}

function chargeEvent(service: Service, charge: Charge): [EventName, NewEvent] {
  const { merchant_id, store_id, mode, id, status } = charge
  const between = status === 'awaiting' || status === 'authorized'
  const data = viewCharge(service, charge)
  return [
    between ? 'charge_updated' : 'charge_finished',
    { merchant_id, store_id, mode, resource_id: id, data },
  ]
}
