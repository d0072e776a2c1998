import { page_life_ms } from '../../../core/limits/page-life.ts'
import { provider_policy } from '../../../core/limits/retry-policies.ts'
import type { ChargeError } from '../../../core/payments/charge-errors.ts'
import type { Instructions } from '../../../core/payments/instructions.ts'
import { nextState } from '../../../core/payments/states.ts'
import { eventRow } from '../../../events/emit.ts'
import { feeOf } from '../../../ledger/fees.ts'
import {
  authorizationHeld,
  authorizationReleased,
  captured,
  ledgerRows,
  type NewLedgerTransaction,
} from '../../../ledger/post.ts'
import { providerOf } from '../../../open-providers.ts'
import type { ProviderData } from '../../../providers/provider-operations.ts'
import {
  inTransaction,
  isTransacting,
  now,
  type Service,
  type Transacting,
} from '../../../service.ts'
import { stillClaimed } from '../../../store/due/due-work.ts'
import { type Answered, recordsOf } from '../../provider-calls/run-operation.ts'
import { type StoreRules, storeRules } from '../../store-rules/store-rules.ts'
import type { Charge } from '../charge.ts'
import { authorization_life_ms } from '../create/charge-fields.ts'
import { takenOf, takenWith } from '../process/charge-operations.ts'
import { pageIdOf } from '../process/page-id.ts'
import { chargeEvent, needsTransaction, runEffects } from './charge-effects.ts'
import { type ChargeChange, settleChargeBatched, settleCharges } from './settle-charges.ts'

export type ChargeAction =
  | 'capture'
  | 'authorize'
  | 'ask_customer'
  | 'reject'
  | 'fail_technically'
  | 'cancel'

export interface Settlement {
  action: ChargeAction
  error?: ChargeError
  /** The captured amount, in the provider's currency, and the part of the request it stands for. */
  captured?: { amount: number; requested_amount: number }
  /** The provider's response, with the record of its call. */
  answered?: Answered | null
  /** The reference that the provider wants back with a refund, replacing the previous one. */
  data?: ProviderData | undefined
  /** The charge was created just now, by these rules of its store: nothing has happened to it yet. */
  created_by_rules?: StoreRules
  /** The source of captured money: the provider, or deposits held for the charge. */
  from?: 'provider_receivable' | 'suspense'
  /** The facts that the ledger needs first: a transaction posts everything together. */
  before?: NewLedgerTransaction[]
  /** The instructions for the customer, if the customer has to act now. */
  instructions?: Instructions
}

/**
 * Moves a charge to its next state: status, ledger and event are written together. Charges whose new
 * state has no other effects share a statement with others. Null: another claim or another state came
 * first, and nothing was changed.
 */
export async function settleCharge(
  service: Service,
  charge: Charge,
  settlement: Settlement,
): Promise<Charge | null> {
  const status = nextState('charge', charge.status, settlement.action)
  if (!status) return null
  const alone = () => inTransaction(service, (tx) => transitionCharge(tx, charge, settlement))
  if (isTransacting(service) || needsTransaction(service, charge, status)) return alone()
  const fee = await feeFor(service, charge, settlement)
  const { settled, ...settling } = settlingOf(service, charge, status, settlement, fee)
  const is_first = settlement.created_by_rules !== undefined
  const event = eventRow(service, ...chargeEvent(service, settled), is_first)
  // A charge that changed since it was read is read again, and its claim decides.
  if (!(await settleChargeBatched(service.db)({ ...settling, event }))) return alone()
  service.signals.broadcast('work', 'events')
  service.changes.notify(charge.id, settled)
  return settled
}

/** The same in a transaction that changes something else with it. */
export async function transitionCharge(
  tx: Transacting,
  charge: Charge,
  settlement: Settlement,
): Promise<Charge | null> {
  const status = nextState('charge', charge.status, settlement.action)
  if (!status) return null
  const settled =
    (await transition(tx, charge, status, settlement)) ??
    // Its merchant may have changed it meanwhile, which does not change the claim.
    (await transition(tx, await lockClaimed(tx, charge), status, settlement))
  if (!settled) return null
  await runEffects(tx, settled)
  tx.afterCommit(() => tx.changes.notify(settled.id, settled))
  return settled
}

async function transition(
  tx: Transacting,
  charge: Charge | null,
  status: Charge['status'],
  settlement: Settlement,
): Promise<Charge | null> {
  if (!charge) return null
  const fee = await feeFor(tx, charge, settlement)
  const { settled, ...settling } = settlingOf(tx, charge, status, settlement, fee)
  const [is_settled] = await settleCharges(tx.db, [{ ...settling, event: null }], '5s')
  return is_settled ? settled : null
}

/** The current charge, if its claim is unchanged. */
async function lockClaimed(tx: Transacting, charge: Charge): Promise<Charge | null> {
  const found = await tx.db
    .selectFrom('charges')
    .selectAll()
    .where(stillClaimed(charge, charge.status))
    .forUpdate()
    .executeTakeFirst()
  return found ?? null
}

/** The changes that the statement writes, and the resulting charge. */
function settlingOf(
  service: Service,
  charge: Charge,
  status: Charge['status'],
  settlement: Settlement,
  fee: number,
) {
  const { change, ledger } = changeOf(service, charge, status, settlement, fee)
  const settled: Charge = { ...charge, ...change }
  const { answered = null } = settlement
  return {
    charge,
    change,
    ledger: ledgerRows(service, ledger),
    operations: recordsOf(answered),
    settled,
  }
}

/** The changes of the charge, and its ledger entries. */
function changeOf(
  service: Service,
  charge: Charge,
  status: Charge['status'],
  settlement: Settlement,
  fee: number,
): { change: ChargeChange; ledger: NewLedgerTransaction[] } {
  const { error = null, captured: taken, instructions, before = [] } = settlement
  const { answered = null, data } = settlement
  const at = now(service)
  const change: ChargeChange = {
    status,
    error,
    updated_on: at,
    pending_action: null,
    due_on: null,
    authorized_on: charge.authorized_on,
    charged_amount: taken ? taken.amount : charge.charged_amount,
    charged_currency: taken ? charge.provider_currency : charge.charged_currency,
    fee_amount: taken ? fee : charge.fee_amount,
    instructions: charge.instructions,
    page_id: charge.page_id,
    expires_on: charge.expires_on,
    provider: charge.provider,
    ...(answered ? takenWith(charge, answered.outcome) : takenOf(charge)),
    ...(data ? { provider_data: data } : {}),
    ...(status === 'authorized' ? heldUntil(charge, at) : {}),
    ...(instructions ? waitingFor(service, charge, instructions) : {}),
  }
  return { change, ledger: [...before, ...ledgerOf(charge, status, settlement, fee)] }
}

type ChangeOf<Name extends keyof ChargeChange> = Pick<ChargeChange, Name>

function heldUntil({ capture_at }: Charge, at: Date): ChangeOf<'authorized_on' | 'due_on'> {
  const end_of_hold = new Date(at.getTime() + authorization_life_ms)
  return { authorized_on: at, due_on: capture_at ?? end_of_hold }
}

/** The page that the customer acts on gets its name now: before there is nothing on it. */
function waitingFor(
  service: Service,
  charge: Charge,
  instructions: Instructions,
): ChangeOf<'instructions' | 'page_id' | 'expires_on' | 'due_on'> {
  const expires_on = charge.expires_on ?? new Date(service.clock.now() + page_life_ms.three_ds)
  return {
    instructions,
    page_id: pageIdOf(service, charge),
    expires_on,
    due_on: nextLook(service, charge, expires_on),
  }
}

/** A test clock that is being moved stops for every look, so it looks once a day only. */
export function nextLook(service: Service, charge: Charge, expires_on: Date): Date {
  const moving = charge.mode === 'test' && service.clocks.isMoving(charge.merchant_id)
  const { inquire_every_ms, inquire_every_moving_ms, inquire_without_notifications_ms } =
    provider_policy
  const notifies = providerOf(service.providers, charge)?.capabilities.notifications
  const every_ms = notifies ? inquire_every_ms : inquire_without_notifications_ms
  const wait_ms = moving ? inquire_every_moving_ms : every_ms
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

/** The fee of what is captured. */
async function feeFor(
  service: Service,
  charge: Charge,
  { captured: taken, created_by_rules }: Settlement,
): Promise<number> {
  if (!taken) return 0
  const { merchant_id, store_id, brand, provider_currency: currency } = charge
  const { configuration } =
    created_by_rules ?? (await storeRules(service, merchant_id, store_id, true))
  return feeOf(configuration, { brand: brand ?? '', amount: taken.amount, currency })
}
