import { sql } from 'kysely'
import { chargeError, failureOf } from '../../../core/charge-errors.ts'
import { provider_policy } from '../../../core/limits/retry-policies.ts'
import { second_ms } from '../../../core/time/clock.ts'
import { now, type Service } from '../../../service.ts'
import { reschedule, stillClaimed } from '../../../store/due-work.ts'
import { postArrivedDeposits } from '../../deposits/post-arrived-deposits.ts'
import { recordOperation } from '../../operations/record-operations.ts'
import {
  type Answered,
  askAfter,
  inquireOperation,
  nextQuestion,
  recordWaiting,
} from '../../operations/run-operation.ts'
import type { Charge } from '../charge.ts'
import { nextLook, settleCharge } from '../settle/settle-charge.ts'
import {
  type ChargeAttempt,
  followUp,
  operationOf,
  references,
  takenOf,
  withAnswer,
} from './charge-operations.ts'
import { askAgain, undoLate } from './reverse-charge.ts'

/** What a provider says of a payment that was taken back before the customer acted. */
export const withdrawn_code = 345
/** And of one that it does not have at all: there is nothing left to withdraw. */
const withdrawn_codes: readonly number[] = [withdrawn_code, 338]

type Continue = (service: Service, attempt: ChargeAttempt) => Promise<void>

/** The operation that waits for the customer: the payment itself, or the cardholder's answer. */
function waitingKind({ instructions }: Charge): 'authenticate' | 'authorize' {
  return instructions?.kind === 'three_ds' ? 'authenticate' : 'authorize'
}

export function waitingReference(charge: Charge): string {
  return references[waitingKind(charge)](charge)
}

/** A charge that waits is due because its customer may have acted, or because its time is over. */
export async function continueAwaiting(
  service: Service,
  attempt: ChargeAttempt,
  authorize: Continue,
): Promise<void> {
  const { provider, row: charge } = attempt
  if (charge.pending_action === 'cancel') return
  if (charge.pending_action === 'expire') return expire(service, attempt)
  if (charge.three_ds_passed_on) return authorize(service, attempt)
  const by_deposit = charge.match_amount !== null
  if (by_deposit && !provider.capabilities.notifications) {
    await postArrivedDeposits(service, attempt)
  }
  const kind = waitingKind(charge)
  const reference = references[kind](charge)
  const operation = await operationOf(service, provider, charge, reference, charge.provider_amount)
  const call = { kind, operation, taken: takenOf(charge) }
  const returned = await takeReturned(service, charge)
  const answered = await inquireOperation(service, attempt, call, returned)
  if (answered === 'never_received') {
    const error = chargeError(338, 'The provider does not know the payment.')
    await settleCharge(service, charge, { action: 'reject', error })
  } else await follow(service, attempt, answered, authorize)
}

/**
 * What the customer came back with is given to the provider once: a lost answer is followed by an inquiry.
 * Null when there is nothing, or when another worker has claimed the charge.
 */
async function takeReturned(
  service: Service,
  charge: Charge,
): Promise<Readonly<Record<string, string>> | null> {
  if (charge.returned_with === null) return null
  const taken = await service.db
    .updateTable('charges')
    .set({ returned_with: null })
    .where(stillClaimed(charge, charge.status))
    .where(sql<boolean>`returned_with = ${JSON.stringify(charge.returned_with)}::jsonb`)
    .returning('id')
    .executeTakeFirst()
  return taken ? charge.returned_with : null
}

async function follow(
  service: Service,
  attempt: ChargeAttempt,
  answered: Answered,
  authorize: Continue,
): Promise<void> {
  const { row: charge } = attempt
  const { outcome: found, record } = answered
  switch (found.outcome) {
    case 'approved': {
      if (record.kind === 'authenticate') {
        return continueAuthenticated(service, attempt, answered, authorize)
      }
      const { provider_amount: amount, requested_amount } = charge
      const captured = { amount, requested_amount }
      const settled = await settleCharge(service, charge, { action: 'capture', captured, answered })
      if (!settled) await undoLate(service, withAnswer(attempt, found))
      return
    }
    case 'refused': {
      // We withdrew it, and the process died before the charge was ended: the expiry is carried out again.
      const withdrawn = found.code === withdrawn_code && isOver(service, charge)
      if (withdrawn) return beginExpiry(service, attempt)
      await settleCharge(service, charge, { ...failureOf(found), answered })
      return
    }
    case 'waiting':
      await recordWaiting(service, charge.mode, answered)
      if (isOver(service, charge)) return beginExpiry(service, attempt)
      return reschedule(
        service.db,
        'charges',
        charge,
        nextLook(service, charge, charge.expires_on ?? now(service)),
      )
    case 'unknown':
      await recordOperation(service.db, record)
      await askAgain(service, attempt, found.ask_again_ms)
  }
}

function isOver(service: Service, { expires_on }: Charge): boolean {
  return expires_on !== null && expires_on.getTime() <= service.clock.now()
}

/**
 * The cardholder passed the challenge. That is written down before any money is asked for: from
 * then on the charge can no longer be canceled, and a process that dies here is followed by one
 * that asks what became of the authorization.
 */
async function continueAuthenticated(
  service: Service,
  attempt: ChargeAttempt,
  { outcome, record }: Answered,
  authorize: Continue,
): Promise<void> {
  const result = outcome.outcome === 'approved' ? outcome.three_ds : undefined
  await recordOperation(service.db, record)
  const passed = await service.db
    .updateTable('charges')
    .set({
      three_ds_passed_on: now(service),
      three_ds_result: result ? JSON.stringify(result) : null,
      // The authorization is another operation of the provider's.
      provider_reference: null,
    })
    .where(stillClaimed(attempt.row, attempt.row.status))
    .where('pending_action', 'is', null)
    .returningAll()
    .executeTakeFirst()
  service.failpoint('after challenge')
  if (passed) await authorize(service, { ...attempt, row: passed })
}

/**
 * The customer did not act in time. That is stored before the provider is called: from then on no cancel is
 * accepted, and a challenge that is passed at this moment leads nowhere.
 */
async function beginExpiry(service: Service, attempt: ChargeAttempt): Promise<void> {
  const begun = await service.db
    .updateTable('charges')
    .set({ pending_action: 'expire' })
    .where(stillClaimed(attempt.row, attempt.row.status))
    .where('pending_action', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (begun) await expire(service, { ...attempt, row: begun })
}

/**
 * The payment is voided first, so that it cannot be paid afterwards; when the provider says that the customer
 * was faster, the charge is inquired again.
 */
async function expire(service: Service, attempt: ChargeAttempt): Promise<void> {
  const { row: charge } = attempt
  const reference = references.expire(charge)
  const outcome = await followUp(service, attempt, 'void', reference, charge.provider_amount, true)
  const refused = outcome.outcome === 'refused'
  // A challenge holds no money: it ends even if its provider cannot withdraw it.
  const holds_nothing = waitingKind(charge) === 'authenticate'
  const is_over =
    outcome.outcome === 'approved' ||
    (refused && (holds_nothing || withdrawn_codes.includes(outcome.code)))
  if (is_over && (await postLastDeposits(service, attempt))) {
    await settleCharge(service, charge, { action: 'reject', error: chargeError(327) })
    return
  }
  const due_on = nextQuestion(service, refused ? second_ms : askAfter(outcome))
  await service.db
    .updateTable('charges')
    .set({ due_on, ...(refused ? { pending_action: null } : {}) })
    .where(stillClaimed(charge, charge.status))
    .execute()
}

/**
 * Money that was paid in time counts, also when its notification is still on its way. False: that is not
 * known yet. After the bound the charge ends all the same, and deposits that become known later go back.
 */
async function postLastDeposits(service: Service, attempt: ChargeAttempt): Promise<boolean> {
  const { match_amount, expires_on } = attempt.row
  if (!match_amount || (await postArrivedDeposits(service, attempt))) return true
  const over_ms = service.clock.now() - (expires_on?.getTime() ?? 0)
  return over_ms >= provider_policy.unknown_bound_ms
}
