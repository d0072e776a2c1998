import { chargeError, failureOf } from '../../core/charge-errors.ts'
import { sensitive } from '../../core/sensitive.ts'
import type { Instrument, Outcome, Provider, ProviderCard } from '../../providers/provider.ts'
import { routePayment } from '../../providers/route-payment.ts'
import type { Service } from '../../service.ts'
import { compatibilityOf } from '../compatibility.ts'
import { answerOf, askAfter, callProvider } from '../provider-call.ts'
import type { StoreRules } from '../stores/store-rules.ts'
import { openCard, openNumber } from '../tokens/open-card.ts'
import { type Token, tokenReader } from '../tokens/token.ts'
import type { Charge } from './charge.ts'
import { continueAuthorized } from './continue-authorized.ts'
import { authenticationOf, continueAwaiting } from './continue-awaiting.ts'
import { askAgain, operation, undoLate } from './reverse-charge.ts'
import { settleCharge } from './settle-charge.ts'

/** What was read to make a charge, when it was made just now. */
interface KnownOfCharge {
  readonly token: Token
  readonly rules: StoreRules
}

/** Does what a charge has to do: asks the provider, then writes it down. */
export async function processCharge(
  service: Service,
  charge: Charge,
  known?: object,
): Promise<void> {
  if (charge.status === 'pending') await authorizeCharge(service, charge, known as KnownOfCharge)
  if (charge.status === 'authorized') await continueAuthorized(service, charge)
  if (charge.status === 'awaiting') await continueAwaiting(service, charge, authorizeCharge)
}

/** Asks the provider for the money: first of all, or after the customer proved who they are. */
async function authorizeCharge(
  service: Service,
  charge: Charge,
  known?: KnownOfCharge,
): Promise<void> {
  const provider = routePayment(service.providers, charge)
  if (!provider) {
    const error = chargeError(504, 'No connector is configured for live payments.')
    await settleCharge(service, charge, { action: 'break', error })
    return
  }
  const { provider_currency: currency } = charge
  if (!provider.currencies(charge.brand).includes(currency)) {
    const error = chargeError(504, `No gateway takes ${currency} directly.`)
    await settleCharge(service, charge, { action: 'break', error })
    return
  }
  const instrument = await openInstrument(service, charge, known?.token)
  const challenge = await authenticate(service, provider, charge, instrument)
  const outcome = challenge ?? (await authorize(service, provider, charge, instrument))
  await settleOutcome(service, provider, charge, outcome, known?.rules)
}

async function authorize(
  service: Service,
  provider: Provider,
  charge: Charge,
  instrument: Opened,
): Promise<Outcome> {
  const { email, capture, expires_on, match_amount, provider_amount } = charge
  return callProvider(service, provider, charge, charge.id, 'call', async () => {
    if ('refused' in instrument) return instrument.refused
    return provider.authorize({
      ...operation(charge, charge.id, provider_amount),
      instrument: instrument.instrument,
      email,
      // Deposits are money of their own; what waits for them takes none.
      capture: capture && match_amount === null,
      expires_on,
    })
  })
}

/** Writes down what the provider said about the money. */
async function settleOutcome(
  service: Service,
  provider: Provider,
  charge: Charge,
  outcome: Outcome,
  rules?: StoreRules,
): Promise<void> {
  const { provider_amount: amount, requested_amount } = charge
  const just_made = rules ? { made_by_rules: rules } : {}
  switch (outcome.outcome) {
    case 'approved': {
      const captured = { amount, requested_amount }
      const settled = await settleCharge(
        service,
        charge,
        charge.capture
          ? { action: 'capture', captured, ...just_made }
          : { action: 'authorize', ...just_made },
      )
      if (!settled) await undoLate(service, provider, charge)
      return
    }
    case 'refused': {
      await settleCharge(service, charge, { ...failureOf(outcome), ...just_made })
      return
    }
    case 'waiting': {
      // Who has passed the challenge has nothing more to do.
      if (charge.status !== 'pending') {
        return askAgain(service, provider, charge, askAfter(outcome))
      }
      const { instructions } = outcome
      await settleCharge(service, charge, { action: 'ask_customer', instructions })
      return
    }
    case 'unknown':
      await askAgain(service, provider, charge, outcome.ask_again_ms)
  }
}

/** What there is to pay with, or why there is nothing. */
type Opened =
  | { readonly instrument: Instrument; readonly token: Token }
  | { readonly refused: Outcome }

async function openInstrument(service: Service, charge: Charge, known?: Token): Promise<Opened> {
  const { merchant_id, transaction_token_id: id } = charge
  const token = known ?? (await tokenReader(service.db)({ merchant_id, id }))
  if (!token) return { refused: { outcome: 'refused', code: 307, detail: 'There is no token.' } }
  const instrument = instrumentOf(service, charge, token)
  if (instrument === 'broken') {
    const detail = 'The stored card could not be opened.'
    return { refused: { outcome: 'refused', code: 501, detail } }
  }
  if (!instrument) {
    return { refused: { outcome: 'refused', code: 307, detail: 'The token was deleted.' } }
  }
  return { instrument, token }
}

function instrumentOf(
  service: Service,
  charge: Charge,
  token: Token,
): Instrument | null | 'broken' {
  const { data } = token
  if ('card' in data) return openCard(service, token)
  if ('call_method' in data) {
    return { kind: 'online', brand: data.brand, call_method: data.call_method }
  }
  if ('qr_image_url' in data) return { kind: 'qr', brand: data.brand }
  if ('convenience_store' in data) {
    const { convenience_store, customer_name } = data
    return { kind: 'konbini', convenience_store, customer_name }
  }
  if ('account_id' in data) return { kind: 'bank_transfer', brand: data.brand }
  if ('paidy_token' in data) {
    return { kind: 'wallet', brand: null, code: sensitive(data.paidy_token) }
  }
  const code = openNumber(service, token)
  if (code === null || code === 'broken') return code
  return { kind: 'wallet', brand: charge.brand, code: sensitive(code) }
}

/** Results of an authentication elsewhere that say it was the cardholder, or was tried. */
const authenticated_elsewhere = ['Y', 'A']

/**
 * Whether it is the cardholder, before any money is asked for. Null: nothing stands in the way. A
 * token that was authenticated itself is not asked again, unless that was asked for.
 */
async function authenticate(
  service: Service,
  provider: Provider,
  charge: Charge,
  opened: Opened,
): Promise<Outcome | null> {
  if ('refused' in opened || opened.instrument.kind !== 'card') return null
  if (charge.external_three_ds) {
    const { transaction_status = '' } = charge.external_three_ds
    if (authenticated_elsewhere.includes(transaction_status.toUpperCase())) return null
    const detail = `The external authentication ended with ${transaction_status}.`
    return { outcome: 'refused', code: 359, detail }
  }
  const mode = modeOf(service, charge, opened.token)
  if (mode === null) return null
  const outcome = await askIssuer(service, provider, charge, opened.instrument, mode === 'force')
  return outcome.outcome === 'approved' ? null : outcome
}

function modeOf({ config }: Service, charge: Charge, { three_ds }: Token): 'ask' | 'force' | null {
  const { status, payment_type, type, three_ds: wanted } = charge
  if (status !== 'pending' || payment_type !== 'card' || type !== 'normal') return null
  switch (wanted?.mode) {
    case 'skip':
    case undefined:
      return null
    case 'force':
      return 'force'
    case 'require':
      return compatibilityOf(config).always_challenges ? 'force' : 'ask'
    default:
      return three_ds.status === 'successful' ? null : 'ask'
  }
}

async function askIssuer(
  service: Service,
  provider: Provider,
  charge: Charge,
  card: ProviderCard,
  force: boolean,
): Promise<Outcome> {
  const reference = authenticationOf(charge.id)
  const asked = operation(charge, reference, charge.provider_amount)
  return answerOf(service, charge, () => provider.authenticate({ ...asked, card, force }))
}
