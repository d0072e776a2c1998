import { type ChargeError, chargeError, isTechnical } from '../../core/charge-errors.ts'
import { derivedId } from '../../core/ids.ts'
import { page_life_ms } from '../../core/payment-methods.ts'
import type { Outcome } from '../../providers/provider.ts'
import { routePayment } from '../../providers/route-payment.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import type { TokenThreeDs } from '../../store/tables.ts'
import { withdrawn_code } from '../charges/continue-awaiting.ts'
import { base_currency } from '../charges/new-charge.ts'
import { compatibilityOf } from '../compatibility.ts'
import { answerOf, inquiryOf, nextQuestion, unknown_bound_ms } from '../provider-call.ts'
import { openCard } from './open-card.ts'
import type { Token } from './token.ts'
import { emitToken } from './token-events.ts'
import { tokenNoter } from './wipe-tokens.ts'

/**
 * What a token has to do: an authentication to begin, to ask about or to end; a security code or an
 * unused card whose time is over.
 */
export async function processToken(service: Service, token: Token): Promise<void> {
  const { status } = token.three_ds
  const next = token.active && (status === 'pending' || status === 'awaiting')
  const ask_on = next ? await authenticate(service, token) : null
  await wipeWhenOver(service, token, ask_on)
}

/** Asks the issuer, or asks again; says when to look at it the next time, null for never. */
async function authenticate(service: Service, token: Token): Promise<Date | null> {
  const outcome = await askIssuer(service, token)
  const expires_on = token.three_ds_expires_on
  const at_ms = service.clock.now()
  switch (outcome.outcome) {
    case 'approved':
      await settleThreeDs(service, token, { status: 'successful', error: null })
      return null
    case 'refused': {
      const over = expires_on !== null && expires_on.getTime() <= at_ms
      const error =
        over && outcome.code === withdrawn_code
          ? chargeError(327)
          : chargeError(outcome.code, outcome.detail)
      const status = isTechnical(outcome.code) ? 'error' : 'failed'
      await settleThreeDs(service, token, { status, error })
      return null
    }
    case 'waiting': {
      if (token.three_ds.status === 'pending') {
        const ends = new Date(at_ms + page_life_ms.three_ds)
        await settleThreeDs(service, token, { status: 'awaiting', error: null }, ends)
        return ends
      }
      if (expires_on && expires_on.getTime() > at_ms) return expires_on
      await withdraw(service, token)
      await settleThreeDs(service, token, { status: 'failed', error: chargeError(327) })
      return null
    }
    case 'unknown': {
      const asked_since = expires_on ?? token.updated_on
      if (at_ms - asked_since.getTime() < unknown_bound_ms) {
        return nextQuestion(service, outcome.ask_again_ms)
      }
      await settleThreeDs(service, token, { status: 'error', error: chargeError(502) })
      return null
    }
  }
}

async function askIssuer(service: Service, token: Token): Promise<Outcome> {
  const provider = routePayment(service.providers, token)
  if (!provider) return { outcome: 'refused', code: 504, detail: 'No connector is configured.' }
  const { merchant_id, mode, id, page_id } = token
  const reference = page_id ?? id
  if (token.three_ds.status === 'awaiting') {
    const found = await inquiryOf(service, token, () =>
      provider.inquire({ merchant_id, reference }),
    )
    if (found.outcome !== 'never_received') return found
    return { outcome: 'refused', code: 338, detail: null }
  }
  const card = openCard(service, token)
  if (card === null || card === 'broken') return { outcome: 'refused', code: 307, detail: null }
  const operation = {
    merchant_id,
    mode,
    reference,
    charge_id: id,
    amount: 0,
    currency: base_currency,
  }
  const force = compatibilityOf(service.config).always_challenges
  return answerOf(service, token, () => provider.authenticate({ ...operation, card, force }))
}

/** Nobody can answer the challenge any more. */
async function withdraw(service: Service, token: Token): Promise<void> {
  const provider = routePayment(service.providers, token)
  if (!provider) return
  const { merchant_id, mode, id, page_id } = token
  const reference = derivedId(page_id ?? id, 'withdrawal')
  const amount = 0
  await answerOf(service, token, () =>
    provider.void({ merchant_id, mode, reference, charge_id: id, amount, currency: base_currency }),
  )
}

async function settleThreeDs(
  service: Service,
  token: Token,
  { status, error }: { status: TokenThreeDs['status']; error: ChargeError | null },
  three_ds_expires_on: Date | null = null,
): Promise<void> {
  await inTransaction(service, async (tx) => {
    const { merchant_id, id } = token
    const changed = await tx.db
      .updateTable('transaction_tokens')
      .set({
        three_ds: JSON.stringify({ ...token.three_ds, status, error }),
        three_ds_expires_on,
        updated_on: now(tx),
      })
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .where('claims', '=', token.claims)
      .returningAll()
      .executeTakeFirst()
    if (!changed) return
    await emitToken(tx, 'token_three_ds_updated', changed)
  })
}

/** Wipes what has outlived its time, and notes when the token has to be looked at again. */
async function wipeWhenOver(service: Service, token: Token, ask_on: Date | null): Promise<void> {
  const { merchant_id, id, claims, wipe_on } = token
  const over = wipe_on !== null && wipe_on.getTime() <= service.clock.now()
  const wipe_later = over ? null : wipe_on
  const times = [wipe_later, ask_on].filter((time) => time !== null)
  const next_ms = Math.min(...times.map((time) => time.getTime()))
  await tokenNoter(service.db)({
    merchant_id,
    id,
    claims,
    wipe_on,
    is_over: over,
    next_wipe_on: wipe_later,
    next_due_on: times.length > 0 ? new Date(next_ms) : null,
  })
}
