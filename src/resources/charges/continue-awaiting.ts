import { chargeError, failureOf } from '../../core/charge-errors.ts'
import { second_ms } from '../../core/clock.ts'
import { derivedId } from '../../core/ids.ts'
import type { Inquiry, Provider } from '../../providers/provider.ts'
import { routePayment } from '../../providers/route-payment.ts'
import { now, type Service } from '../../service.ts'
import { reschedule } from '../../store/due-work.ts'
import { bookDeposit } from '../deposits/book-deposit.ts'
import {
  answerOf,
  askAfter,
  depositsOf,
  inquiryOf,
  nextQuestion,
  unknown_bound_ms,
} from '../provider-call.ts'
import type { Charge } from './charge.ts'
import { askAgain, operation } from './reverse-charge.ts'
import { nextLook, settleCharge } from './settle-charge.ts'

/** What a provider says of a payment that was taken back before the customer acted. */
export const withdrawn_code = 345

type Continue = (service: Service, charge: Charge) => Promise<void>

/** The operation that waits for the customer: the payment itself, or the cardholder's answer. */
export function waitingReference({ id, instructions }: Charge): string {
  return instructions?.kind === 'three_ds' ? authenticationOf(id) : id
}

export function authenticationOf(charge_id: string): string {
  return derivedId(charge_id, 'authentication')
}

/** A charge that waits is due because its customer may have acted, or because its time is over. */
export async function continueAwaiting(
  service: Service,
  charge: Charge,
  authorize: Continue,
): Promise<void> {
  const provider = routePayment(service.providers, charge)
  if (!provider || charge.pending_action === 'cancel') return
  if (charge.pending_action === 'expire') return expire(service, provider, charge)
  if (charge.three_ds_passed_on) return authorize(service, charge)
  const { merchant_id } = charge
  const reference = waitingReference(charge)
  const found = await inquiryOf(service, charge, () => provider.inquire({ merchant_id, reference }))
  await follow(service, provider, charge, found, authorize)
}

async function follow(
  service: Service,
  provider: Provider,
  charge: Charge,
  found: Inquiry,
  authorize: Continue,
): Promise<void> {
  switch (found.outcome) {
    case 'approved': {
      if (charge.instructions?.kind === 'three_ds') return goOn(service, charge, authorize)
      const { provider_amount: amount, requested_amount } = charge
      await settleCharge(service, charge, {
        action: 'capture',
        captured: { amount, requested_amount },
      })
      return
    }
    case 'refused': {
      // Withdrawn by us, and nobody wrote down why: the end of its time is carried out again.
      const withdrawn = found.code === withdrawn_code && isOver(service, charge)
      if (withdrawn) return beginExpiry(service, provider, charge)
      await settleCharge(service, charge, failureOf(found))
      return
    }
    case 'waiting':
      if (isOver(service, charge)) return beginExpiry(service, provider, charge)
      return reschedule(
        service.db,
        'charges',
        charge,
        nextLook(service, charge, charge.expires_on ?? now(service)),
      )
    case 'never_received': {
      const error = chargeError(338, 'The provider does not know the payment.')
      await settleCharge(service, charge, { action: 'reject', error })
      return
    }
    case 'unknown':
      await askAgain(service, provider, charge, found.ask_again_ms)
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
async function goOn(service: Service, charge: Charge, authorize: Continue): Promise<void> {
  const passed = await service.db
    .updateTable('charges')
    .set({ three_ds_passed_on: now(service) })
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.id)
    .where('status', '=', 'awaiting')
    .where('pending_action', 'is', null)
    .where('claims', '=', charge.claims)
    .returningAll()
    .executeTakeFirst()
  service.failpoint('after challenge')
  if (passed) await authorize(service, passed)
}

/**
 * Nobody acted in time. That is written down before the provider hears of it: from then on no
 * cancel is taken, and a challenge that is passed in this very moment leads nowhere.
 */
async function beginExpiry(service: Service, provider: Provider, charge: Charge): Promise<void> {
  const begun = await service.db
    .updateTable('charges')
    .set({ pending_action: 'expire' })
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.id)
    .where('status', '=', 'awaiting')
    .where('pending_action', 'is', null)
    .where('claims', '=', charge.claims)
    .returningAll()
    .executeTakeFirst()
  if (begun) await expire(service, provider, begun)
}

/**
 * The provider is told first, so that nothing can be paid afterwards; when it says that the customer
 * was faster, the charge is looked at again.
 */
async function expire(service: Service, provider: Provider, charge: Charge): Promise<void> {
  const reference = derivedId(charge.id, 'expiry')
  const outcome = await answerOf(service, charge, () =>
    provider.void(operation(charge, reference, charge.provider_amount)),
  )
  if (outcome.outcome === 'approved' && (await bookAll(service, provider, charge))) {
    await settleCharge(service, charge, { action: 'reject', error: chargeError(327) })
    return
  }
  const refused = outcome.outcome === 'refused'
  const due_on = nextQuestion(service, refused ? second_ms : askAfter(outcome))
  await service.db
    .updateTable('charges')
    .set({ due_on, ...(refused ? { pending_action: null } : {}) })
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.id)
    .where('status', '=', 'awaiting')
    .where('claims', '=', charge.claims)
    .execute()
}

/**
 * Money that was paid in time counts, also when its notice is still on its way. False: that is not
 * known yet. After the bound the charge ends all the same, and what is told of later goes back.
 */
async function bookAll(service: Service, provider: Provider, charge: Charge): Promise<boolean> {
  if (!charge.match_amount) return true
  const { merchant_id, id: charge_id, expires_on } = charge
  const arrived = await depositsOf(service, charge, () =>
    provider.deposits({ merchant_id, charge_id }),
  )
  for (const deposit of arrived ?? []) {
    await bookDeposit(service, { merchant_id, charge_id, name: null, ...deposit })
  }
  const over_ms = service.clock.now() - (expires_on?.getTime() ?? 0)
  return arrived !== null || over_ms >= unknown_bound_ms
}
