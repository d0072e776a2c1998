import { credentialsFor } from '../../../accounts/provider-credentials/provider-credentials.ts'
import { returnUrl } from '../../../api/hosted-links.ts'
import { cvv_policy } from '../../../core/limits/retry-policies.ts'
import { failureOf } from '../../../core/payments/charge-errors.ts'
import { isCodeGone } from '../../../methods/card/open-card.ts'
import { noteUnopened } from '../../../methods/card/unopened-codes.ts'
import { cardDataOf, methodOf } from '../../../methods/method-table.ts'
import type { CallLimit } from '../../../providers/provider.ts'
import type { Authorization } from '../../../providers/provider-operations.ts'
import type { Service } from '../../../service.ts'
import { guarded } from '../../provider-calls/guard-call.ts'
import { retryElsewhere } from '../../provider-calls/retry-elsewhere.ts'
import {
  askAfter,
  isNeverReceived,
  type Recorded,
  refusedUncalled,
} from '../../provider-calls/run-operation.ts'
import { type Token, tokenReader } from '../../tokens/token.ts'
import type { Charge } from '../charge.ts'
import { authenticationOf, passedWith } from './authenticate-card.ts'
import { isUnnamed, questionOf, references, takenOf, withResponse } from './charge-operations.ts'
import { fallBackFrom } from './fall-back.ts'
import { initiatorOf } from './initiator.ts'
import { pageIdOf } from './page-id.ts'
import type { Change, Opened, Passed, Prepared, Room, Said, Step } from './step.ts'

/** Asks the provider for the money: first of all, or after the customer proved who they are. */
export const authorizing: Room = { prepare, classify }

async function prepare(service: Service, step: Step): Promise<Prepared> {
  const { provider, row: charge, known } = step
  // It may have been sent before: that is asked first, whatever has happened to card and rules since.
  const may_be_sent = charge.claims > 1 && !known.is_unsent
  if (may_be_sent && !isUnnamed(step)) return ask(service, step)
  const { provider_currency: currency } = charge
  if (!provider.capabilities.currencies(charge).includes(currency)) {
    return { step, said: refusedUncalled(504, `No gateway takes ${currency} directly.`) }
  }
  const opened = known.opened ?? (await openInstrument(service, step))
  if ('outcome' in opened) return { step, said: opened }
  // A repetition must have the body of the first request. Without the security code it has not.
  const { token, instrument } = opened
  const is_repeated = may_be_sent && !known.passed && charge.status === 'pending'
  if (is_repeated && isCodeGone(service, charge.created_on, token, instrument)) {
    return ask(service, step)
  }
  const passed = known.passed ?? authenticationOf(service, step, opened)
  if ('outcome' in passed) return { step, said: passed }
  if ('call' in passed) return { step: withKnown(step, { opened }), call: passed.call }
  return authorization(service, step, opened, passed)
}

const withKnown = (step: Step, known: Step['known']): Step => ({
  ...step,
  known: { ...step.known, ...known },
})

async function ask(service: Service, step: Step): Promise<Prepared> {
  return { step, question: await questionOf(service, step, 'authorize') }
}

async function authorization(
  service: Service,
  step: Step,
  opened: Opened,
  passed: Passed,
): Promise<Prepared> {
  const { provider, row: charge } = step
  const operation = await operationOf(service, step, opened, passed.three_ds)
  const send = guarded(service, provider.name, 'authorize', charge, (limit: CallLimit) =>
    provider.authorize(operation, limit),
  )
  const call = { kind: 'authorize', operation, taken: takenOf(charge), send } as const
  return {
    step: withKnown(step, { passed }),
    call: { ...call, with_row: { may_be_sent: false } },
  }
}

async function operationOf(
  service: Service,
  { provider, row: charge }: Step,
  { instrument, token, credentials }: Opened,
  three_ds: Authorization['three_ds'],
): Promise<Authorization> {
  const { id, merchant_id, store_id } = charge
  const reference = references.authorize(charge)
  const initiator = await initiatorOf(service, provider, charge, instrument)
  // Every field by its name: copying some of them from another object costs ten times as much.
  return {
    merchant_id,
    store_id,
    mode: charge.mode,
    reference,
    charge_id: id,
    amount: charge.provider_amount,
    currency: charge.provider_currency,
    credentials,
    is_repeated: charge.claims > 1,
    instrument,
    // Deposits are separate money; a charge that waits for them takes none.
    capture: charge.capture && charge.match_amount === null,
    expires_on: charge.expires_on,
    email: charge.email,
    ip_address: token.ip_address,
    billing: cardDataOf(token)?.billing ?? null,
    descriptor: charge.descriptor,
    descriptor_phone_number: charge.descriptor_phone_number,
    merchant_transaction_id: charge.merchant_transaction_id,
    match_amount: charge.match_amount,
    metadata: charge.metadata,
    three_ds,
    initiated_by: initiator.initiated_by,
    first_network_transaction_id: initiator.first_network_transaction_id,
    returnUrl: () => returnUrl(service, { merchant_id, page_id: pageIdOf(service, charge) }),
  }
}

async function openInstrument(
  service: Service,
  { provider, row: charge, context }: Step,
): Promise<Opened | Recorded> {
  const { merchant_id, transaction_token_id: id } = charge
  const token = context?.token ?? (await tokenReader(service.db)({ merchant_id, id }))
  if (!token) return refusedUncalled(307, 'There is no token.')
  const opened = methodOf(token.payment_type).instrument(service, token)
  const instrument = opened instanceof Promise ? await opened : opened
  if (instrument === 'cvv_elsewhere') return awaitCvv(service, charge, token)
  if (instrument === 'broken') return refusedUncalled(501, 'The stored card could not be opened.')
  if (!instrument) return refusedUncalled(307, 'The token was deleted.')
  return { instrument, token, credentials: await credentialsFor(service, provider, charge) }
}

/** The machine with the key of the security code may claim the charge; without the code it is not sent. */
function awaitCvv(service: Service, charge: Charge, token: Token): Recorded {
  const began_on = charge.three_ds_passed_on ?? charge.created_on
  const is_early = service.clock.now() - began_on.getTime() < cvv_policy.wait_ms
  if (is_early) return retryElsewhere(service, token)
  noteUnopened(service, token, 'failed')
  return refusedUncalled(501, 'The security code could not be opened. Create a new token.')
}

/** The provider's response about the money, or about the cardholder before. */
function classify(service: Service, step: Step, found: Said): Change {
  if (isNeverReceived(found)) return { do: 'go_on', step: withKnown(step, { is_unsent: true }) }
  if (found.record?.kind === 'authenticate' && found.outcome.outcome === 'approved') {
    return {
      do: 'go_on',
      step: withKnown(step, { passed: passedWith(found.outcome, found.record) }),
    }
  }
  const said = found.record ? { ...found, before: step.known.passed?.record ?? null } : found
  const { row: charge, context } = step
  const { outcome } = said
  const answered = said.record ? said : null
  const known = { answered, ...(context ? { created_by_rules: context.rules } : {}) }
  switch (outcome.outcome) {
    case 'approved': {
      const { provider_amount: amount, requested_amount } = charge
      const captured = { amount, requested_amount }
      const settlement = charge.capture
        ? ({ action: 'capture', captured, ...known } as const)
        : ({ action: 'authorize', ...known } as const)
      return { do: 'settle', settlement, late: withResponse(charge, outcome) }
    }
    case 'refused':
      return { do: 'settle', settlement: { ...failureOf(outcome), ...known } }
    case 'waiting': {
      const { instructions } = outcome
      return charge.status === 'pending'
        ? { do: 'settle', settlement: { action: 'ask_customer', instructions, answered } }
        : // The challenge is passed: there is nothing more that the customer has to do.
          { do: 'ask_again', after_ms: askAfter(outcome), said }
    }
    case 'unknown':
      return { do: 'ask_again', after_ms: outcome.ask_again_ms, said, keeps_name: true }
    case 'not_taken':
      return fallBackFrom(service, step, said)
  }
}
