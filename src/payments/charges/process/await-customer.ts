import { sql } from 'kysely'
import { provider_policy } from '../../../core/limits/retry-policies.ts'
import { chargeError, failureOf, withdrawn_code } from '../../../core/payments/charge-errors.ts'
import { second_ms } from '../../../core/time/clock.ts'
import type { Outcome } from '../../../providers/provider.ts'
import { now, type Service } from '../../../service.ts'
import { stillClaimed } from '../../../store/due/due-work.ts'
import {
  type Answered,
  askAfter,
  isNeverReceived,
  nextQuestion,
  outcomeOf,
} from '../../provider-calls/run-operation.ts'
import type { Charge } from '../charge.ts'
import { nextLook } from '../settle/settle-charge.ts'
import { followUp, questionOf, references, waitingKind, withResponse } from './charge-operations.ts'
import type { Change, Prepared, Room } from './step.ts'

/** And of one that it does not have at all: there is nothing left to withdraw. */
const withdrawn_codes: readonly number[] = [withdrawn_code, 338]

/** A charge that waits is due because its customer may have acted, or because its time is over. */
export const awaiting: Room = {
  async prepare(service, step): Promise<Prepared> {
    const { provider, row: charge } = step
    const by_deposit = charge.match_amount !== null
    if (by_deposit && !provider.capabilities.notifications)
      await service.effects.postDeposits(service, step)
    const question = await questionOf(service, step, waitingKind(charge))
    const returned = await takeReturned(service, charge)
    return { step, question: { ...question, returned } }
  },

  classify(service, step, said): Change {
    const { row: charge } = step
    if (isNeverReceived(said)) {
      const error = chargeError(338, 'The provider does not know the payment.')
      return { do: 'settle', settlement: { action: 'reject', error } }
    }
    const { outcome } = said
    const answered = said.record ? said : null
    switch (outcome.outcome) {
      case 'approved': {
        if (answered?.record.kind === 'authenticate') return passChallenge(service, answered)
        const { provider_amount: amount, requested_amount } = charge
        const captured = { amount, requested_amount }
        const settlement = { action: 'capture', captured, answered } as const
        return { do: 'settle', settlement, late: withResponse(charge, outcome) }
      }
      case 'refused': {
        // We withdrew it, and the process died before the charge was ended: it expires again.
        const withdrawn = outcome.code === withdrawn_code && isOver(service, charge)
        if (withdrawn) return { do: 'begin', changes: expiry }
        return { do: 'settle', settlement: { ...failureOf(outcome), answered } }
      }
      case 'waiting': {
        if (isOver(service, charge)) return { do: 'begin', changes: expiry, waited: said }
        const until = nextLook(service, charge, charge.expires_on ?? now(service))
        return { do: 'wait', said, until }
      }
      default:
        return { do: 'ask_again', after_ms: askAfter(outcome), said }
    }
  },
}

/**
 * The customer did not act in time. That is stored before the provider is called: from then on no cancel is
 * accepted, and a challenge that is passed at this moment leads nowhere.
 */
const expiry = { pending_action: 'expire' } as const

/**
 * The cardholder passed the challenge. That is written down before any money is asked for: from
 * then on the charge can no longer be canceled, and a process that dies here is followed by one
 * that asks what became of the authorization.
 */
function passChallenge(service: Service, said: Answered): Change {
  const { outcome } = said
  const result = outcome.outcome === 'approved' ? outcome.three_ds : undefined
  const changes = {
    three_ds_passed_on: now(service),
    three_ds_result: result ? JSON.stringify(result) : null,
    // The authorization is another operation of the provider's.
    provider_reference: null,
  }
  return { do: 'begin', changes, said }
}

/**
 * The customer's returned parameters are given to the provider once: a lost response is followed by an
 * inquiry. Null when there are none, or when another worker has claimed the charge.
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

function isOver(service: Service, { expires_on }: Charge): boolean {
  return expires_on !== null && expires_on.getTime() <= service.clock.now()
}

/**
 * The payment is voided first, so that it cannot be paid afterwards; when the provider says that the customer
 * was faster, the charge is inquired again.
 */
export const withdrawing: Room = {
  async prepare(service, step): Promise<Prepared> {
    const { row: charge } = step
    const reference = references.expire(charge)
    const amount = charge.provider_amount
    return { step, call: await followUp(service, step, 'void', reference, amount, true) }
  },

  classify(service, step, said): Change {
    const outcome = outcomeOf(said)
    // A challenge holds no money: it ends even if its provider cannot withdraw it.
    const holds_nothing = waitingKind(step.row) === 'authenticate'
    const is_over =
      outcome.outcome === 'approved' ||
      (outcome.outcome === 'refused' && (holds_nothing || withdrawn_codes.includes(outcome.code)))
    if (!is_over) return lookAgain(service, outcome)
    return { do: 'go_on', step: { ...step, purpose: 'close', known: { withdrawal: outcome } } }
  },
}

/**
 * Money that was paid in time counts, also when its notification is still on its way. While that is not
 * known, the charge waits; after the bound it ends all the same, and deposits that become known later go
 * back.
 */
export const closing: Room = {
  async prepare(service, step): Promise<Prepared> {
    const { match_amount, expires_on } = step.row
    const is_known = !match_amount || (await service.effects.postDeposits(service, step))
    const over_ms = service.clock.now() - (expires_on?.getTime() ?? 0)
    const ends = is_known || over_ms >= provider_policy.unknown_bound_ms
    const outcome = ends ? ({ outcome: 'approved' } as const) : still_unknown
    return { step, said: { outcome, record: null } }
  },

  classify(service, step, said): Change {
    const { withdrawal = still_unknown } = step.known
    if (said.outcome.outcome !== 'approved') return lookAgain(service, withdrawal)
    return { do: 'settle', settlement: { action: 'reject', error: chargeError(327) } }
  },
}

const still_unknown = { outcome: 'unknown', ask_again_ms: provider_policy.no_response_ms } as const

function lookAgain(service: Service, outcome: Outcome): Change {
  const refused = outcome.outcome === 'refused'
  const due_on = nextQuestion(service, refused ? second_ms : askAfter(outcome))
  return { do: 'look_again', changes: { due_on, ...(refused ? { pending_action: null } : {}) } }
}
