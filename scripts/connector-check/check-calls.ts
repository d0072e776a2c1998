import { randomUUID } from 'node:crypto'
import { sensitive } from '../../src/core/cards/sensitive.ts'
import { newId } from '../../src/core/ids.ts'
import type { CallLimit, Inquiry, Outcome, Provider } from '../../src/providers/provider.ts'
import type {
  Authentication,
  Authorization,
  FollowUp,
  InquiryOperation,
  Instrument,
  Operation,
  OperationKind,
  ProviderCard,
  Taken,
} from '../../src/providers/provider-operations.ts'
import { type CheckWorld, mustBe } from './check-subject.ts'

/** Long enough for any machine: no check waits for it. */
const response_within_ms = 30_000
export const checked_cvv = '737'

export function limit(): CallLimit {
  return { signal: AbortSignal.timeout(response_within_ms) }
}

const nothing_taken: Taken = {
  provider_reference: null,
  authorization_code: null,
  network_transaction_id: null,
  provider_data: null,
}

function operationOf({ credentials }: CheckWorld): Operation {
  const reference = newId(Date.now())
  return {
    merchant_id: '0192f0a0-0000-7000-8000-000000000001',
    store_id: '0192f0a0-0000-7000-8000-000000000002',
    mode: 'live',
    reference,
    charge_id: reference,
    amount: 1000,
    currency: 'JPY',
    credentials: sensitive(credentials),
  }
}

export function cardOf(number: string): ProviderCard {
  return {
    kind: 'card',
    number: sensitive(number),
    cvv: sensitive(checked_cvv),
    exp_month: 12,
    exp_year: 2035,
    cardholder: 'Taro Yamada',
    brand: 'visa',
  }
}

const return_url = 'https://pay.example/pay/1/return'

/** An authorization of 1000 JPY with the card that is approved, held and not captured. */
export function authorizationOf(
  world: CheckWorld,
  changes: Partial<Authorization> = {},
): Authorization {
  return {
    ...operationOf(world),
    instrument: cardOf(world.subject.cards.approved),
    capture: false,
    expires_on: null,
    match_amount: null,
    email: 'customer@example.com',
    ip_address: null,
    billing: null,
    descriptor: null,
    descriptor_phone_number: null,
    merchant_transaction_id: null,
    metadata: {},
    initiated_by: 'customer',
    first_network_transaction_id: null,
    three_ds: null,
    returnUrl: () => return_url,
    ...changes,
  }
}

export function authenticationOf(world: CheckWorld, number: string, force = false): Authentication {
  return { ...operationOf(world), card: cardOf(number), force, returnUrl: () => return_url }
}

function takenOf(outcome: Outcome | null): Taken {
  if (!outcome) return nothing_taken
  const approved = outcome.outcome === 'approved' ? outcome : null
  const data = 'data' in outcome ? outcome.data : undefined
  return {
    provider_reference: outcome.provider_reference ?? null,
    authorization_code: approved?.authorization_code ?? null,
    network_transaction_id: approved?.network_transaction_id ?? null,
    provider_data: data ?? null,
  }
}

/** An operation of a payment that was taken before. */
export function followUpOf(first: Operation, taken: Outcome, amount = first.amount): FollowUp {
  const { merchant_id, store_id, mode, charge_id, currency, credentials } = first
  const owner = { merchant_id, store_id, mode, charge_id, currency, credentials }
  return { ...owner, reference: randomUUID(), amount, ...takenOf(taken) }
}

export function inquiryOf(
  kind: OperationKind,
  operation: Operation,
  taken: Outcome | null = null,
): InquiryOperation {
  const { merchant_id, store_id, mode, charge_id, reference, credentials } = operation
  const { amount, currency } = operation
  const named = { kind, merchant_id, store_id, mode, charge_id, reference, credentials }
  return { ...named, amount, currency, ...takenOf(taken), operation_reference: null }
}

const sent = {
  capture: (provider: Provider, one: FollowUp) => provider.capture(one, limit()),
  void: (provider: Provider, one: FollowUp) => provider.void(one, limit()),
  refund: (provider: Provider, one: FollowUp) => provider.refund(one, limit()),
} as const
export type FollowUpKind = keyof typeof sent

/** Sends a follow-up; its response is recorded for the check of secrets. */
export async function follow(
  { provider, seen }: CheckWorld,
  kind: FollowUpKind,
  operation: FollowUp,
): Promise<Outcome> {
  const outcome = await sent[kind](provider, operation)
  seen.push(JSON.stringify(outcome))
  return outcome
}

export async function authorize(
  { provider, seen }: CheckWorld,
  operation: Authorization,
): Promise<Outcome> {
  const outcome = await provider.authorize(operation, limit())
  seen.push(JSON.stringify(outcome))
  return outcome
}

export async function inquire(
  { provider, seen }: CheckWorld,
  operation: InquiryOperation,
): Promise<Inquiry> {
  const outcome = await provider.inquire(operation, limit())
  seen.push(JSON.stringify(outcome))
  return outcome
}

/**
 * Finds the outcome of an operation whose response was lost: by our reference, or by sending it again if
 * the provider knows only its own names.
 */
export async function findLost(
  world: CheckWorld,
  inquiry: InquiryOperation,
  sendAgain: () => Promise<Outcome>,
): Promise<Inquiry> {
  const by_name = world.provider.capabilities.inquires_by === 'our_reference'
  return by_name ? inquire(world, inquiry) : sendAgain()
}

export interface TakenPayment {
  readonly operation: Authorization
  readonly outcome: Outcome
}

/** A payment that was approved. */
export async function takePayment(
  world: CheckWorld,
  changes: Partial<Authorization> = {},
): Promise<TakenPayment> {
  const operation = authorizationOf(world, changes)
  const outcome = await authorize(world, operation)
  mustBe(outcome, 'approved', 'the authorization')
  return { operation, outcome }
}

/** Deposits of another amount: partial bank transfers are added up. */
const rules: Partial<Record<Instrument['kind'], 'exact' | 'disabled'>> = {
  konbini: 'exact',
  bank_transfer: 'disabled',
}

/** A payment that waits for its customer, and its name at the provider. */
export async function takeWaiting(
  world: CheckWorld,
  instrument: Instrument,
  expires_on: Date | null = null,
  match_amount = rules[instrument.kind] ?? null,
) {
  const operation = authorizationOf(world, {
    instrument,
    capture: true,
    expires_on,
    match_amount,
  })
  const outcome = await authorize(world, operation)
  mustBe(outcome, 'waiting', 'the authorization')
  return { operation, outcome, id: outcome.provider_reference ?? '' }
}

export const instruments = {
  online: { kind: 'online', brand: 'alipay_online', call_method: 'http_get' },
  konbini: { kind: 'konbini', convenience_store: 'lawson', customer_name: 'Taro Yamada' },
  bank_transfer: { kind: 'bank_transfer', brand: 'aozora_bank' },
} as const satisfies Record<string, Instrument>

/** A brand with its own page. */
export function onlineOf({ subject }: CheckWorld): Instrument {
  return subject.online ?? instruments.online
}
