import { second_ms } from '../../core/clock.ts'
import { derivedId } from '../../core/ids.ts'
import { shareOf } from '../../core/money.ts'
import { sensitive } from '../../core/sensitive.ts'
import type { Operation, Provider } from '../../providers/provider.ts'
import { routePayment } from '../../providers/route-payment.ts'
import { now, type Service } from '../../service.ts'
import { type Claim, claimDue } from '../../store/due-work.ts'
import type { ChargeError } from '../../store/tables.ts'
import { SealBroken, unseal } from '../../vault/seal.ts'
import { callProvider, eachClaim, nextQuestion, unknown_bound_ms } from '../provider-call.ts'
import { cardNumberOf } from '../tokens/create-token.ts'
import type { Token } from '../tokens/token.ts'
import type { Charge } from './charge.ts'
import { authorization_life_ms } from './create-charge.ts'
import { chargeError, settleCharge } from './settle-charge.ts'

const lease_ms = 30 * second_ms

/** Takes charges that have something to do, and does it: ask the provider, then write it down. */
export async function processCharges(service: Service, most: number): Promise<number> {
  const claimed = await claimDue(service.db, 'charges', { now: now(service), lease_ms, most })
  await eachClaim(service, claimed, (claim) => processCharge(service, claim))
  return claimed.length
}

async function processCharge(service: Service, claim: Claim): Promise<void> {
  const charge = await service.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', claim.merchant_id)
    .where('id', '=', claim.id)
    .where('claims', '=', claim.claims)
    .executeTakeFirst()
  if (charge?.status === 'pending') await authorizeCharge(service, charge)
  if (charge?.status === 'authorized') await continueAuthorized(service, charge)
}

async function authorizeCharge(service: Service, charge: Charge): Promise<void> {
  const provider = routePayment(service.providers, charge)
  if (!provider) {
    const error = chargeError(504, 'No connector is configured for live payments.')
    await settleCharge(service, charge, { action: 'break', error })
    return
  }
  const { provider_amount: amount, provider_currency: currency } = charge
  if (!provider.currencies.includes(currency)) {
    const error = chargeError(504, `No gateway takes ${currency} directly.`)
    await settleCharge(service, charge, { action: 'break', error })
    return
  }
  const outcome = await callProvider(service, provider, charge, charge.id, 'call', async () => {
    const card = await openCard(service, charge)
    if (card === 'broken') {
      return { outcome: 'refused', code: 501, detail: 'The stored card could not be opened.' }
    }
    if (!card) return { outcome: 'refused', code: 307, detail: 'The token was deleted.' }
    const { payment_type, email, capture } = charge
    return provider.authorize({
      ...operation(charge, charge.id, amount),
      payment_type,
      card,
      email,
      capture,
    })
  })
  if (outcome.outcome === 'approved') {
    const { requested_amount } = charge
    const settled = await settleCharge(
      service,
      charge,
      charge.capture
        ? { action: 'capture', captured: { amount, requested_amount } }
        : { action: 'authorize' },
    )
    if (!settled) await undoLate(service, provider, charge)
  } else if (outcome.outcome === 'refused') {
    const action = outcome.code >= 500 ? 'break' : 'reject'
    await settleCharge(service, charge, {
      action,
      error: chargeError(outcome.code, outcome.detail),
    })
  } else await askAgain(service, provider, charge, outcome.ask_again_ms)
}

function operation(charge: Charge, reference: string, amount: number): Operation {
  const { merchant_id, mode, id: charge_id, provider_currency: currency } = charge
  return { merchant_id, mode, reference, charge_id, amount, currency }
}

/** The charge stays as it is until the outcome is known; past the bound it is undone. */
async function askAgain(
  service: Service,
  provider: Provider,
  charge: Charge,
  ask_again_ms: number,
): Promise<void> {
  const at_ms = service.clock.now()
  // A new charge may be changed by its merchant meanwhile, which must not put its end off.
  const since = charge.status === 'pending' ? charge.created_on : charge.updated_on
  if (at_ms - since.getTime() >= unknown_bound_ms) {
    const undone = await reverse(provider, charge)
    if (undone === 'unknown') return
    const action = charge.status === 'pending' ? 'break' : 'reject'
    await settleCharge(service, charge, { action, error: giveUpError(service, charge, undone) })
    return
  }
  await service.db
    .updateTable('charges')
    .set({ due_on: nextQuestion(service, ask_again_ms) })
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.id)
    .where('claims', '=', charge.claims)
    .execute()
}

/**
 * Releases what may be held, or returns what may be taken. A second round has references of its own,
 * because what was refused once stays refused.
 */
async function reverse(provider: Provider, charge: Charge, round = ''): Promise<Reversal> {
  const { provider_amount, id, requested_amount, capture_amount } = charge
  const voiding = derivedId(id, `${round}reversal`)
  const voided = await provider.void(operation(charge, voiding, provider_amount))
  if (voided.outcome !== 'refused') return voided.outcome === 'approved' ? 'undone' : 'unknown'
  const refunding = derivedId(id, `${round}reversing refund`)
  const taken = captureAmount(charge, capture_amount ?? requested_amount)
  const refunded = await provider.refund(operation(charge, refunding, taken))
  if (refunded.outcome !== 'refused') return refunded.outcome === 'approved' ? 'undone' : 'unknown'
  if (refunded.code >= 500) return 'unknown'
  return nothing_there.includes(refunded.code) ? 'undone' : 'kept'
}

/** `kept`: the provider took the money and does not give it back. A person has to see to it. */
type Reversal = 'undone' | 'kept' | 'unknown'
/** Refusals that mean that there is nothing to give back. */
const nothing_there = [308, 338, 345]

function giveUpError(service: Service, { merchant_id, id }: Charge, undone: Reversal): ChargeError {
  if (undone !== 'kept') {
    return chargeError(502, 'The outcome did not become known; the payment was undone.')
  }
  service.log.error({ merchant_id, charge_id: id }, 'a payment could not be undone')
  return chargeError(328, 'The outcome did not become known, and the payment could not be undone.')
}

/** The provider said yes to a charge that was given up meanwhile: it is undone once more. */
async function undoLate(
  service: Service,
  provider: Provider,
  { merchant_id, id }: Charge,
): Promise<void> {
  const charge = await service.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (charge?.status !== 'error' && charge?.status !== 'failed') return
  service.log.error({ merchant_id, charge_id: id }, 'a charge was approved after it had ended')
  await reverse(provider, charge, 'late ')
}

/**
 * The card in clear, for one call; null when it no longer exists. What was changed or came from
 * another row is never used, and trying again would not mend it.
 */
async function openCard(service: Service, charge: Charge) {
  const token: Token | undefined = await service.db
    .selectFrom('transaction_tokens')
    .selectAll()
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.transaction_token_id)
    .executeTakeFirst()
  if (!token?.card_number) return null
  const { card_number, cvv: sealed_cvv } = token
  let number: string
  let cvv: string | null
  try {
    number = unseal(service.keys.vault, cardNumberOf(token), card_number).toString()
    cvv = sealed_cvv && service.cvv_keys.open(token.id, sealed_cvv)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    const { merchant_id, id: charge_id } = charge
    const who = { merchant_id, charge_id, transaction_token_id: token.id }
    service.log.error({ security: 'seal broken', ...who, err: error }, 'a stored card was changed')
    return 'broken'
  }
  const { exp_month, exp_year, cardholder, brand } = token.data.card
  return {
    number: sensitive(number),
    cvv: cvv ? sensitive(cvv) : null,
    exp_month,
    exp_year,
    cardholder,
    brand,
  }
}

/** An authorized charge is due because it is captured, on request or by plan, or has run out. */
async function continueAuthorized(service: Service, found: Charge): Promise<void> {
  const provider = routePayment(service.providers, found)
  if (!provider || found.pending_action === 'cancel') return
  const charge = found.pending_action ? found : await beginPlanned(service, found)
  if (charge?.pending_action === 'expire') return expire(service, provider, charge)
  if (charge?.pending_action !== 'capture') return
  const requested_amount = charge.capture_amount ?? charge.requested_amount
  const amount = captureAmount(charge, requested_amount)
  const reference = derivedId(charge.id, 'capture')
  const outcome = await callProvider(service, provider, charge, reference, 'call', () =>
    provider.capture(operation(charge, reference, amount)),
  )
  if (outcome.outcome === 'approved') {
    const captured = { amount, requested_amount }
    const settled = await settleCharge(service, charge, { action: 'capture', captured })
    if (!settled) await undoLate(service, provider, charge)
  } else if (outcome.outcome === 'refused') {
    const release = derivedId(charge.id, 'release')
    await provider.void(operation(charge, release, charge.provider_amount))
    const error = chargeError(outcome.code, outcome.detail)
    await settleCharge(service, charge, { action: 'reject', error })
  } else await askAgain(service, provider, charge, outcome.ask_again_ms)
}

/**
 * Notes what is about to be done before the provider hears of it: from then on a cancel or another
 * capture is refused. Null when somebody else began something; nothing begins when it is too early.
 */
async function beginPlanned(service: Service, charge: Charge): Promise<Charge | null> {
  const at_ms = service.clock.now()
  const end_ms = (charge.authorized_on?.getTime() ?? 0) + authorization_life_ms
  const capture_ms = charge.capture_at?.getTime() ?? Number.POSITIVE_INFINITY
  const action = capture_ms <= at_ms ? 'capture' : end_ms <= at_ms ? 'expire' : null
  const begun = await service.db
    .updateTable('charges')
    .set(
      action
        ? { pending_action: action, updated_on: new Date(at_ms) }
        : { due_on: new Date(Math.min(end_ms, capture_ms)) },
    )
    .where('merchant_id', '=', charge.merchant_id)
    .where('id', '=', charge.id)
    .where('status', '=', 'authorized')
    .where('pending_action', 'is', null)
    .where('claims', '=', charge.claims)
    .returningAll()
    .executeTakeFirst()
  return begun ?? null
}

/** The captured part in the provider's currency. */
function captureAmount(charge: Charge, requested: number): number {
  const { provider_amount, provider_currency, requested_amount, requested_currency } = charge
  if (provider_currency === requested_currency) return requested
  return shareOf(provider_amount, requested, requested_amount)
}

async function expire(service: Service, provider: Provider, charge: Charge): Promise<void> {
  const reference = derivedId(charge.id, 'expiry')
  const outcome = await callProvider(service, provider, charge, reference, 'call', () =>
    provider.void(operation(charge, reference, charge.provider_amount)),
  )
  if (outcome.outcome === 'unknown') {
    return askAgain(service, provider, charge, outcome.ask_again_ms)
  }
  await settleCharge(service, charge, { action: 'reject', error: chargeError(313) })
}
