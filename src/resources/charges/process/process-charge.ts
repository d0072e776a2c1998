import { chargeError, failureOf } from '../../../core/charge-errors.ts'
import { cvv_policy } from '../../../core/limits/retry-policies.ts'
import type { Deadline } from '../../../core/time/deadline.ts'
import type { LocalKind } from '../../../local-work.ts'
import type { CallLimit, Outcome, Provider } from '../../../providers/provider.ts'
import type { Authorization, Instrument } from '../../../providers/provider-operations.ts'
import { findProvider, providerOf } from '../../../providers/providers.ts'
import type { Service } from '../../../service.ts'
import { stillClaimed } from '../../../store/due-work.ts'
import { returnUrl } from '../../hosted-links.ts'
import { awaitProvider } from '../../operations/await-provider.ts'
import { guarded } from '../../operations/guard-call.ts'
import {
  type Answered,
  askAfter,
  type Recorded,
  recordAnswered,
  refusedUncalled,
  sendAuthorization,
} from '../../operations/run-operation.ts'
import { isCodeGone } from '../../payment-methods/card/open-card.ts'
import { noteUnopened, retryElsewhere } from '../../payment-methods/card/unopened-cvv.ts'
import { cardDataOf, methodOf } from '../../payment-methods/method-table.ts'
import { credentialsFor, findCredentials } from '../../provider-credentials/provider-credentials.ts'
import type { StoreRules } from '../../stores/store-rules.ts'
import { type Token, tokenReader } from '../../tokens/token.ts'
import type { Charge } from '../charge.ts'
import { settleCharge } from '../settle/settle-charge.ts'
import { authenticateCharge } from './authenticate-charge.ts'
import {
  attemptOf,
  type ChargeAttempt,
  inquireAuthorization,
  isUnnamed,
  references,
  takenOf,
  withAnswer,
} from './charge-operations.ts'
import { continueAuthorized } from './continue-authorized.ts'
import { continueAwaiting } from './continue-awaiting.ts'
import { fallBack } from './fall-back.ts'
import { initiatorOf } from './initiator.ts'
import { pageIdOf } from './page-id.ts'
import { askAgain, reverseCharge, undoLate } from './reverse-charge.ts'

/** What was read to create a charge, when it was created just now. */
export interface ChargeContext {
  readonly token: Token
  readonly rules: StoreRules
}

export const charge_work: LocalKind<Charge, ChargeContext> = { name: 'charges' }

/** Does what a charge has to do: asks its provider, then writes the outcome. */
export async function processCharge(
  service: Service,
  charge: Charge,
  deadline: Deadline,
  context?: ChargeContext,
): Promise<void> {
  const provider = providerOf(service.providers, charge) ?? (await findNew(service, charge))
  if (!provider) return endWithoutProvider(service, charge)
  const row = provider.capabilities.credentials
    ? await withAccount(service, withProvider(charge, provider), provider)
    : withProvider(charge, provider)
  if (!row) return endWithoutProvider(service, charge, provider)
  const attempt = attemptOf(provider, row, deadline)
  if (charge.pending_action === 'reverse') return reverseCharge(service, attempt)
  if (charge.status === 'pending') await authorizeCharge(service, attempt, context)
  if (charge.status === 'authorized') await continueAuthorized(service, attempt)
  if (charge.status === 'awaiting') await continueAwaiting(service, attempt, authorizeCharge)
}

/** Another process may know the connector of a charge a moment before this one does. */
async function findNew({ providers }: Service, { provider }: Charge): Promise<Provider | null> {
  if (provider === null) return null
  await providers.refresh()
  return findProvider(providers, provider)
}

/** The settling statement stores it with the outcome. */
function withProvider(charge: Charge, { name }: Provider): Charge {
  return charge.provider === null ? { ...charge, provider: name } : charge
}

/**
 * Stores the account that the payment goes to before its provider is called; from then on it is kept.
 * Null: the merchant has none there, or another worker has the charge.
 */
async function withAccount(
  service: Service,
  charge: Charge,
  provider: Provider,
): Promise<Charge | null> {
  if (charge.provider_credentials_id !== null) return charge
  const provider_credentials_id = await findCredentials(service, provider, charge)
  if (provider_credentials_id === null) return null
  const stored = await service.db
    .updateTable('charges')
    .set({ provider_credentials_id })
    .where(stillClaimed(charge, charge.status))
    .returning('id')
    .executeTakeFirst()
  return stored ? { ...charge, provider_credentials_id } : null
}

/** A charge that no provider takes fails; one whose provider is not configured any more waits for it. */
async function endWithoutProvider(
  service: Service,
  charge: Charge,
  without_account: Provider | null = null,
): Promise<void> {
  const is_missing = charge.provider !== null && !findProvider(service.providers, charge.provider)
  if (charge.status !== 'pending' || is_missing) return awaitProvider(service, 'charges', charge)
  const detail = without_account
    ? `The merchant has no account at the connector ${without_account.name}.`
    : noConnector(service, charge)
  const error = chargeError(504, detail)
  await settleCharge(service, charge, { action: 'fail_technically', error })
}

function noConnector({ providers }: Service, { route }: Charge): string {
  if (route && route.rules !== null) {
    return 'No connector that the routing rules name takes this payment.'
  }
  return providers.connectors.size > 0
    ? 'No connector takes this payment.'
    : 'No connector is configured for live payments.'
}

/** Asks the provider for the money: first of all, or after the customer proved who they are. */
async function authorizeCharge(
  service: Service,
  attempt: ChargeAttempt,
  context?: ChargeContext,
): Promise<void> {
  // It may have been sent before: that is asked first, whatever has happened to card and rules since.
  const is_asked = attempt.row.claims > 1 && !isUnnamed(attempt)
  const found = is_asked && (await inquireAuthorization(service, attempt))
  const result =
    found && found !== 'never_received'
      ? found
      : await beginAuthorization(service, attempt, context)
  await settleOutcome(service, attempt, result, context)
}

async function beginAuthorization(
  service: Service,
  attempt: ChargeAttempt,
  context?: ChargeContext,
): Promise<Answered | Recorded> {
  const { provider, row: charge } = attempt
  const { provider_currency: currency } = charge
  if (!provider.capabilities.currencies(charge).includes(currency)) {
    return refusedUncalled(504, `No gateway takes ${currency} directly.`)
  }
  const { merchant_id, transaction_token_id: id } = charge
  const token = context?.token ?? (await tokenReader(service.db)({ merchant_id, id }))
  if (!token) return refusedUncalled(307, 'There is no token.')
  const opened = await openInstrument(service, charge, token)
  if ('outcome' in opened) return opened
  // A repetition must have the body of the first request. Without the security code it has not.
  const may_be_sent = charge.claims > 1 && charge.status === 'pending' && isUnnamed(attempt)
  if (may_be_sent && isCodeGone(service, charge.created_on, token, opened.instrument)) {
    const found = await inquireAuthorization(service, attempt)
    if (found !== 'never_received') return found
  }
  return authenticateAndAuthorize(service, attempt, opened)
}

async function authenticateAndAuthorize(
  service: Service,
  attempt: ChargeAttempt,
  opened: Opened,
): Promise<Answered | Recorded> {
  const { provider, row: charge } = attempt
  const account = await credentialsFor(service, provider, charge)
  const { instrument, token } = opened
  const passed = await authenticateCharge(service, attempt, instrument, token, account)
  if ('outcome' in passed) return passed
  const { three_ds, record: before = null } = passed
  const operation = await authorizationOf(service, attempt, opened, account, three_ds)
  const send = guarded(service, provider.name, 'authorize', charge, (limit: CallLimit) =>
    provider.authorize(operation, limit),
  )
  const call = { kind: 'authorize', operation, taken: takenOf(charge), send } as const
  return { ...(await sendAuthorization(service, attempt, call)), before }
}

async function authorizationOf(
  service: Service,
  { provider, row: charge }: ChargeAttempt,
  { instrument, token }: Opened,
  credentials: Authorization['credentials'],
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
    // Deposits are money of their own; what waits for them takes none.
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

/** Writes what the provider said about the money. */
async function settleOutcome(
  service: Service,
  attempt: ChargeAttempt,
  result: Answered | Recorded,
  context?: ChargeContext,
): Promise<void> {
  const { row: charge } = attempt
  const { outcome } = result
  const { provider_amount: amount, requested_amount } = charge
  const answered = result.record ? result : null
  const known = { answered, ...(context ? { created_by_rules: context.rules } : {}) }
  switch (outcome.outcome) {
    case 'approved': {
      const captured = { amount, requested_amount }
      const settled = await settleCharge(
        service,
        charge,
        charge.capture
          ? { action: 'capture', captured, ...known }
          : { action: 'authorize', ...known },
      )
      if (!settled) await undoLate(service, withAnswer(attempt, outcome))
      return
    }
    case 'refused': {
      await settleCharge(service, charge, { ...failureOf(outcome), ...known })
      return
    }
    case 'waiting': {
      if (charge.status === 'pending') {
        const { instructions } = outcome
        await settleCharge(service, charge, { action: 'ask_customer', instructions, answered })
        return
      }
      // The challenge is passed: there is nothing more that the customer has to do.
      await recordAnswered(service, result)
      return askAgain(service, attempt, askAfter(outcome))
    }
    case 'unknown':
      await recordAnswered(service, result)
      if (outcome.provider_reference) await storeReference(service, charge, outcome)
      await askAgain(service, attempt, outcome.ask_again_ms)
      return
    case 'not_taken':
      await fallBack(service, attempt, result, (at, next) => authorizeCharge(at, next, context))
  }
}

/** How the provider calls the payment is kept even while its outcome is unknown. */
async function storeReference(service: Service, charge: Charge, outcome: Outcome): Promise<void> {
  const { provider_reference = null } = outcome
  await service.db
    .updateTable('charges')
    .set({ provider_reference })
    .where(stillClaimed(charge, charge.status))
    .execute()
}

/** What there is to pay with. */
interface Opened {
  readonly instrument: Instrument
  readonly token: Token
}

async function openInstrument(
  service: Service,
  charge: Charge,
  token: Token,
): Promise<Opened | Recorded> {
  const opened = methodOf(token.payment_type).instrument(service, token)
  const instrument = opened instanceof Promise ? await opened : opened
  if (instrument === 'cvv_elsewhere') return awaitCvv(service, charge, token)
  if (instrument === 'broken') return refusedUncalled(501, 'The stored card could not be opened.')
  return instrument ? { instrument, token } : refusedUncalled(307, 'The token was deleted.')
}

/** The machine with the key of the security code may claim the charge; without the code it is not sent. */
function awaitCvv(service: Service, charge: Charge, token: Token): Recorded {
  const began_on = charge.three_ds_passed_on ?? charge.created_on
  const is_early = service.clock.now() - began_on.getTime() < cvv_policy.wait_ms
  if (is_early) return retryElsewhere(service, token)
  noteUnopened(service, token, 'failed')
  return refusedUncalled(501, 'The security code could not be opened. Create a new token.')
}
