import { credentialsFor } from '../../../accounts/provider-credentials/provider-credentials.ts'
import { derivedId } from '../../../core/ids.ts'
import { shareOf } from '../../../core/money/money.ts'
import type { Outcome, Provider } from '../../../providers/provider.ts'
import type { FollowUp, Operation, Taken } from '../../../providers/provider-operations.ts'
import type { ChargeAttempt, Service } from '../../../service.ts'
import type { Call, Question } from '../../provider-calls/run-operation.ts'
import type { Charge } from '../charge.ts'
import { authorization_life_ms } from '../create/charge-fields.ts'

/** A provider that a charge fell back to gets its own references: no inquiry finds what another did. */
function inRoute({ provider, route }: Charge): string {
  const [first] = route?.candidates ?? []
  return first && first.connector !== provider ? ` at ${provider}` : ''
}

/** Each operation of a charge has a reference that follows from the charge: repeated, it is the same. */
export const references = {
  authenticate: (charge: Charge) => derivedId(charge.id, `authentication${inRoute(charge)}`),
  authorize: (charge: Charge) => {
    const where = inRoute(charge)
    return where === '' ? charge.id : derivedId(charge.id, `authorization${where}`)
  },
  capture: ({ id }: Charge) => derivedId(id, 'capture'),
  /** After a refused capture. */
  release: ({ id }: Charge) => derivedId(id, 'release'),
  expire: ({ id }: Charge) => derivedId(id, 'expiry'),
  /** A refused reversal stays refused: a second one has its own references. */
  reverse: ({ id }: Charge, round: '' | 'late ') => derivedId(id, `${round}reversal`),
  refund: ({ id }: Charge, round: '' | 'late ') => derivedId(id, `${round}reversing refund`),
} as const

export function takenOf(charge: Charge): Taken {
  const { provider_reference, authorization_code, network_transaction_id, provider_data } = charge
  return { provider_reference, authorization_code, network_transaction_id, provider_data }
}

/** The parts of an outcome that the charge keeps; unnamed fields keep their values. */
export function takenWith(charge: Charge, outcome: Outcome): Taken {
  const { provider_reference = charge.provider_reference } = outcome
  const { authorization_code, network_transaction_id, provider_data } = charge
  if (outcome.outcome === 'approved') {
    return {
      provider_reference,
      authorization_code: outcome.authorization_code ?? authorization_code,
      network_transaction_id: outcome.network_transaction_id ?? network_transaction_id,
      provider_data: outcome.data ?? provider_data,
    }
  }
  const data = outcome.outcome === 'waiting' ? outcome.data : undefined
  return {
    provider_reference,
    authorization_code,
    network_transaction_id,
    provider_data: data ?? provider_data,
  }
}

/** The charge with what its provider said, which was not stored. */
export function withResponse(charge: Charge, outcome: Outcome): Charge {
  return { ...charge, ...takenWith(charge, outcome) }
}

/** The request to a charge's provider, in the currency that was requested first. */
export async function operationOf(
  service: Service,
  provider: Provider,
  charge: Charge,
  reference: string,
  amount: number,
): Promise<Operation> {
  const { merchant_id, store_id, mode, id: charge_id, provider_currency: currency } = charge
  const credentials = await credentialsFor(service, provider, charge)
  return { merchant_id, store_id, mode, reference, charge_id, amount, currency, credentials }
}

type FollowUpKind = 'capture' | 'void' | 'refund'

/** A call that captures, voids or refunds what the provider has taken. */
export async function followUp(
  service: Service,
  { provider, row: charge }: ChargeAttempt,
  kind: FollowUpKind,
  reference: string,
  amount: number,
  is_reversal = false,
): Promise<Call> {
  const taken = takenOf(charge)
  const asked = await operationOf(service, provider, charge, reference, amount)
  const operation: FollowUp = { ...asked, ...taken }
  return {
    kind,
    operation,
    taken,
    // A reversal gives back whatever there is: its amount is not compared with that of the charge.
    send: async (limit, is_repeated) =>
      (is_reversal ? null : refusalOf(service, provider, charge, kind, amount)) ??
      provider[kind]({ ...operation, is_repeated }, limit),
    is_reversal,
  }
}

/**
 * Whether a provider that needs its own name has not returned it yet. It is repeatable: an operation that
 * cannot be inquired is sent again.
 */
export function isUnnamed({ provider, row: charge }: ChargeAttempt): boolean {
  const { inquires_by } = provider.capabilities
  return inquires_by === 'provider_reference' && charge.provider_reference === null
}

/** The outcome of the payment itself, or of the authentication before it. */
export async function questionOf(
  service: Service,
  { provider, row: charge }: ChargeAttempt,
  kind: 'authenticate' | 'authorize',
): Promise<Question> {
  const reference = references[kind](charge)
  const operation = await operationOf(service, provider, charge, reference, charge.provider_amount)
  return { kind, operation, taken: takenOf(charge) }
}

/** The operation that waits for the customer: the payment itself, or the cardholder's answer. */
export function waitingKind({ instructions }: Charge): 'authenticate' | 'authorize' {
  return instructions?.kind === 'three_ds' ? 'authenticate' : 'authorize'
}

export function waitingReference(charge: Charge): string {
  return references[waitingKind(charge)](charge)
}

/**
 * An operation that the provider does not support is refused before the call; an earlier call is inquired
 * first.
 */
export function refusalOf(
  service: Service,
  { capabilities }: Provider,
  charge: Charge,
  kind: FollowUpKind,
  amount: number,
): Outcome | null {
  const { partial_capture, partial_refund, refund_window_ms } = capabilities
  if (kind === 'capture' && !partial_capture && amount < charge.provider_amount) {
    return { outcome: 'refused', code: 317, detail: null }
  }
  if (kind !== 'refund') return null
  const captured_amount = charge.charged_amount ?? charge.provider_amount
  if (!partial_refund && amount < captured_amount) {
    return { outcome: 'refused', code: 318, detail: null }
  }
  // Only what is surely too late: an authorized charge was captured at the latest when its hold ended.
  const captured_by = charge.authorized_on
    ? charge.authorized_on.getTime() + authorization_life_ms
    : charge.created_on.getTime()
  const age_ms = service.clock.now() - captured_by
  if (refund_window_ms === null || age_ms <= refund_window_ms) return null
  const detail = 'The provider refunds for a limited time after the charge, which is over.'
  return { outcome: 'refused', code: 329, detail }
}

/** The captured part in the provider's currency. */
export function captureAmount(charge: Charge, requested: number): number {
  const { provider_amount, provider_currency, requested_amount, requested_currency } = charge
  if (provider_currency === requested_currency) return requested
  return shareOf(provider_amount, requested, requested_amount)
}
