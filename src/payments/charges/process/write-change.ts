import type { Updateable } from 'kysely'
import { provider_policy } from '../../../core/limits/retry-policies.ts'
import type { Service } from '../../../service.ts'
import { reschedule, stillClaimed } from '../../../store/due/due-work.ts'
import type { ChargeTable } from '../../../store/tables/tables.ts'
import { nextQuestion, recordAnswered, recordWaiting } from '../../provider-calls/run-operation.ts'
import type { Charge } from '../charge.ts'
import { settleCharge } from '../settle/settle-charge.ts'
import { fallBack } from './fall-back.ts'
import { lateStep } from './reverse.ts'
import { type Change, nextStep, type Step } from './step.ts'

/** Writes what follows from an outcome. The next call of the same claim, or null: there is none. */
export async function writeChange(
  service: Service,
  step: Step,
  change: Change,
): Promise<Step | null> {
  const { row: charge } = step
  switch (change.do) {
    case 'settle': {
      const settled = await settleCharge(service, charge, change.settlement)
      return settled || !change.late ? null : lateStep(service, step, change.late)
    }
    case 'ask_again':
      return askAgain(service, step, change)
    case 'begin':
      return begin(service, step, change)
    case 'wait':
      await recordWaiting(service, charge.mode, change.said)
      await reschedule(service.db, 'charges', charge, change.until)
      return null
    case 'look_again':
      await update(service, charge, change.changes).execute()
      return null
    case 'fall_back':
      return fallBack(service, step, change)
    case 'go_on':
      return change.step
    case 'nothing':
      return null
  }
}

/** The charge stays as it is until the outcome is known; past the bound it is undone. */
async function askAgain(
  service: Service,
  step: Step,
  { after_ms, said, keeps_name }: Extract<Change, { do: 'ask_again' }>,
): Promise<Step | null> {
  const { row: charge } = step
  if (said) await recordAnswered(service, said)
  const { provider_reference } = said?.outcome ?? {}
  // How the provider calls the payment is kept even while its outcome is unknown.
  if (keeps_name && provider_reference) {
    await update(service, charge, { provider_reference }).execute()
  }
  const asked_ms = service.clock.now() - askedSince(charge).getTime()
  if (asked_ms < provider_policy.unknown_bound_ms) {
    await reschedule(service.db, 'charges', charge, nextQuestion(service, after_ms))
    return null
  }
  // Stored before the provider is called: when its answer is lost, the charge must not be settled by an
  // inquiry that does not know of the reversal.
  const begun = await update(service, charge, { pending_action: 'reverse' })
    .returningAll()
    .executeTakeFirst()
  return begun ? nextStep(step, begun) : null
}

/**
 * A charge may be changed by its merchant meanwhile, which must not put its end off. While the
 * customer still has time, an unanswered inquiry does not end the payment.
 */
function askedSince(charge: Charge): Date {
  const { three_ds_passed_on, expires_on, updated_on } = charge
  if (charge.status === 'awaiting') return three_ds_passed_on ?? expires_on ?? updated_on
  return charge.status === 'pending' ? charge.created_on : charge.updated_on
}

/** Changes the charge while this claim holds. */
function update({ db }: Service, charge: Charge, changes: Updateable<ChargeTable>) {
  return db.updateTable('charges').set(changes).where(stillClaimed(charge, charge.status))
}

async function begin(
  service: Service,
  step: Step,
  { changes, said, waited }: Extract<Change, { do: 'begin' }>,
): Promise<Step | null> {
  const { row: charge } = step
  if (said) await recordAnswered(service, said)
  if (waited) await recordWaiting(service, charge.mode, waited)
  const begun = await update(service, charge, changes)
    .where('pending_action', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (said) service.failpoint('after challenge')
  return begun ? nextStep(step, begun) : null
}
