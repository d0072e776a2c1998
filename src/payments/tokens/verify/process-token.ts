import {
  credentialsFor,
  findCredentials,
} from '../../../accounts/provider-credentials/provider-credentials.ts'
import { returnUrl } from '../../../api/hosted-links.ts'
import { compatibilityOf } from '../../../api/responses/compatibility.ts'
import { derivedId } from '../../../core/ids.ts'
import { page_life_ms } from '../../../core/limits/page-life.ts'
import { provider_policy } from '../../../core/limits/retry-policies.ts'
import { base_currency } from '../../../core/money/currencies.ts'
import {
  type ChargeError,
  chargeError,
  isTechnical,
  withdrawn_code,
} from '../../../core/payments/charge-errors.ts'

import type { ProviderForm } from '../../../core/payments/instructions.ts'
import type { Deadline } from '../../../core/time/deadline.ts'
import { isCodeGone, openCard } from '../../../methods/card/open-card.ts'
import { payerOf, wholeCardOf } from '../../../methods/method-table.ts'
import { providerOf } from '../../../open-providers.ts'
import type { CallLimit, Outcome } from '../../../providers/provider.ts'
import type { Operation, Taken } from '../../../providers/provider-operations.ts'
import { inTransaction, now, type Service } from '../../../service.ts'
import { stillClaimed } from '../../../store/due/due-work.ts'
import type {
  TokenAuthentication,
  TokenThreeDs,
} from '../../../store/tables/payments/token-tables.ts'
import type { Attempt } from '../../provider-calls/provider-responses.ts'
import { recordOperation } from '../../provider-calls/record-operations.ts'
import { retryElsewhere } from '../../provider-calls/retry-elsewhere.ts'
import {
  type Answered,
  askAfter,
  inquire,
  isNeverReceived,
  nextQuestion,
  nothing_taken,
  type Recorded,
  recordWaiting,
  refusedUncalled,
  runOperation,
} from '../../provider-calls/run-operation.ts'
import { routeAuthentication } from '../../routing/route-charge.ts'
import { settleTokenAttempt } from '../create/admit-token.ts'
import { rescheduleToken } from '../purge-tokens.ts'
import type { Token } from '../token.ts'
import { emitToken } from '../token-events.ts'

/**
 * The due actions of a token: an authentication to begin, to inquire or to end; a security code or an
 * unused card whose time is over.
 */
export async function processToken(
  service: Service,
  token: Token,
  deadline: Deadline,
): Promise<void> {
  const { status } = token.three_ds
  const next = token.active && (status === 'pending' || status === 'awaiting')
  const ask_on = next ? await authenticate(service, token, deadline) : null
  await purgeWhenOver(service, token, ask_on)
}

/** Asks the issuer, or asks again; says when to look at it the next time, null for never. */
async function authenticate(
  service: Service,
  begun: Token,
  deadline: Deadline,
): Promise<Date | null> {
  const token = await withProvider(service, begun)
  if (!token) return nextQuestion(service, provider_policy.no_response_ms)
  const answered = await askIssuer(service, token, deadline)
  const { outcome } = answered
  const expires_on = token.three_ds_expires_on
  const at_ms = service.clock.now()
  switch (outcome.outcome) {
    case 'approved':
      await settleThreeDs(service, token, answered, { status: 'successful', error: null })
      return null
    case 'refused': {
      const over = expires_on !== null && expires_on.getTime() <= at_ms
      const error =
        over && outcome.code === withdrawn_code
          ? chargeError(327)
          : chargeError(outcome.code, outcome.detail)
      const status = isTechnical(outcome.code) ? 'error' : 'failed'
      await settleThreeDs(service, token, answered, { status, error })
      return null
    }
    case 'waiting': {
      if (token.three_ds.status === 'pending') {
        const ends = new Date(at_ms + page_life_ms.three_ds)
        await settleThreeDs(service, token, answered, { status: 'awaiting', error: null }, ends)
        return ends
      }
      await recordWaiting(service, token.mode, answered)
      if (expires_on && expires_on.getTime() > at_ms) return expires_on
      await withdraw(service, token, deadline)
      await settleThreeDs(service, token, answered, { status: 'failed', error: chargeError(327) })
      return null
    }
    case 'unknown':
    case 'not_taken': {
      const asked_since = expires_on ?? token.updated_on
      if (answered.record) await recordOperation(service.db, answered.record)
      if (at_ms - asked_since.getTime() < provider_policy.unknown_bound_ms) {
        return nextQuestion(service, askAfter(outcome))
      }
      await settleThreeDs(service, token, answered, { status: 'error', error: chargeError(502) })
      return null
    }
  }
}

async function askIssuer(
  service: Service,
  token: Token,
  deadline: Deadline,
): Promise<Answered | Recorded> {
  const attempt = attemptOf(service, token, deadline)
  if (!attempt) return refusedUncalled(504, 'No connector is configured.')
  const { provider } = attempt
  const { merchant_id, id, page_id } = token
  const operation = await operationOf(service, attempt, page_id ?? id)
  const call = { kind: 'authenticate', operation, taken: takenOf(token) } as const
  if (token.three_ds.status === 'awaiting') {
    const returned = token.authentication?.returned_with ?? null
    const found = await inquire(service, attempt, { ...call, returned })
    return isNeverReceived(found) ? refusedUncalled(338, null) : found
  }
  const data = wholeCardOf(token)
  const card = data && (await openCard(service, { ...token, data }))
  if (card === 'cvv_elsewhere') return retryElsewhere(service, token)
  if (card === null || card === 'broken') return refusedUncalled(307, null)
  // A repetition must have the body of the first request. A provider that has not named it cannot be asked.
  const is_unnamed =
    provider.capabilities.inquires_by === 'provider_reference' && !call.taken.provider_reference
  const began_on = token.updated_on
  if (token.claims > 1 && is_unnamed && isCodeGone(service, began_on, token, card)) {
    return {
      outcome: { outcome: 'unknown', ask_again_ms: provider_policy.no_response_ms },
      record: null,
    }
  }
  const force = compatibilityOf(service.config).always_challenges
  const asked = {
    ...operation,
    card,
    force,
    returnUrl: () => returnUrl(service, { merchant_id, page_id: page_id ?? id }),
  }
  const send = (limit: CallLimit, is_repeated: boolean) =>
    provider.authenticate({ ...asked, is_repeated }, limit)
  return { outcome: await runOperation(service, attempt, { ...call, send }), record: null }
}

/**
 * In live mode the connector follows from the rules of the merchant. It is stored before it is called, and
 * kept. Null: another worker has the token.
 */
async function withProvider(service: Service, token: Token): Promise<Token | null> {
  const { mode, authentication } = token
  if (mode === 'test' || (authentication?.provider ?? null) !== null) return token
  const [first] = (await routeAuthentication(service, token)).candidates
  if (!first) return token
  const decided = { ...authentication, provider: first.connector, account: first.account }
  const stored = await service.db
    .updateTable('transaction_tokens')
    .set({ authentication: JSON.stringify(decided) })
    .where(stillClaimed(token))
    .returning('id')
    .executeTakeFirst()
  return stored ? { ...token, authentication: decided } : null
}

/** The provider that the authentication began with. */
function attemptOf(service: Service, token: Token, deadline: Deadline): Attempt | null {
  const { mode, payment_type, authentication } = token
  const { brand } = payerOf(token)
  const begun = { mode, payment_type, brand, provider: authentication?.provider ?? null }
  if (begun.provider === null && mode === 'live') return null
  const provider = providerOf(service.providers, begun)
  return provider && { provider, row: token, deadline }
}

function takenOf({ authentication }: Token): Taken {
  const { provider_reference = null, provider_data = null } = authentication ?? {}
  return { ...nothing_taken, provider_reference, provider_data }
}

/** Nothing is charged: the card alone is authenticated. */
async function operationOf(
  service: Service,
  { provider, row }: Attempt,
  reference: string,
): Promise<Operation> {
  const { merchant_id, store_id, mode, id: charge_id, authentication } = row as Token
  const provider_credentials_id = provider.capabilities.credentials
    ? (authentication?.account ?? (await findCredentials(service, provider, row as Token)))
    : null
  const credentials = await credentialsFor(service, provider, {
    merchant_id,
    provider_credentials_id,
  })
  const currency = base_currency
  return { merchant_id, store_id, mode, reference, charge_id, amount: 0, currency, credentials }
}

/** Withdraws the challenge, so that it cannot be answered any more. */
async function withdraw(service: Service, token: Token, deadline: Deadline): Promise<void> {
  const attempt = attemptOf(service, token, deadline)
  if (!attempt) return
  const { provider } = attempt
  const reference = derivedId(token.page_id ?? token.id, 'withdrawal')
  const taken = takenOf(token)
  const operation = { ...(await operationOf(service, attempt, reference)), ...taken }
  const send = (limit: CallLimit) => provider.void(operation, limit)
  await runOperation(service, attempt, { kind: 'void', operation, taken, send })
}

async function settleThreeDs(
  service: Service,
  token: Token,
  { outcome, record }: Answered | Recorded,
  { status, error }: { status: TokenThreeDs['status']; error: ChargeError | null },
  three_ds_expires_on: Date | null = null,
): Promise<void> {
  await inTransaction(service, async (tx) => {
    const changed = await tx.db
      .updateTable('transaction_tokens')
      .set({
        three_ds: JSON.stringify({ ...token.three_ds, status, error }),
        three_ds_expires_on,
        authentication: JSON.stringify(authenticationWith(token, outcome)),
        updated_on: now(tx),
      })
      .where(stillClaimed(token))
      .returningAll()
      .executeTakeFirst()
    if (!changed) return
    if (record) await recordOperation(tx.db, record)
    await settleTokenAttempt(tx, changed)
    await emitToken(tx, 'token_three_ds_updated', changed)
  })
}

/**
 * The parts of an outcome that the token keeps; the provider has received the customer's returned
 * parameters.
 */
function authenticationWith({ authentication }: Token, outcome: Outcome): TokenAuthentication {
  const { provider_reference = authentication?.provider_reference ?? null } = outcome
  const data = 'data' in outcome ? outcome.data : undefined
  return {
    provider: authentication?.provider ?? null,
    account: authentication?.account ?? null,
    provider_reference,
    provider_data: data ?? authentication?.provider_data ?? null,
    form: formOf(outcome),
    result: outcome.outcome === 'approved' ? (outcome.three_ds ?? null) : null,
    returned_with: null,
  }
}

/** Where the cardholder answers, if not on a page of ours. */
function formOf(outcome: Outcome): ProviderForm | null {
  const instructions = outcome.outcome === 'waiting' ? outcome.instructions : null
  return instructions?.kind === 'three_ds' ? (instructions.form ?? null) : null
}

/** Purges what has outlived its time, and stores when the token is due again. */
async function purgeWhenOver(service: Service, token: Token, ask_on: Date | null): Promise<void> {
  const { merchant_id, id, claims, wipe_on } = token
  const over = wipe_on !== null && wipe_on.getTime() <= service.clock.now()
  const purge_on = over ? null : wipe_on
  const times = [purge_on, ask_on].filter((time) => time !== null)
  const next_ms = Math.min(...times.map((time) => time.getTime()))
  await rescheduleToken(service.db)({
    merchant_id,
    id,
    claims,
    wipe_on,
    is_over: over,
    next_wipe_on: purge_on,
    next_due_on: times.length > 0 ? new Date(next_ms) : null,
  })
}
