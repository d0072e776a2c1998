import type { Mode } from '../../core/access/caller.ts'
import { maskCardNumbers } from '../../core/cards/find-card-numbers.ts'
import { derivedId } from '../../core/ids.ts'
import { provider_policy, worker_policy } from '../../core/limits/retry-policies.ts'
import type { CallLimit, Outcome } from '../../providers/provider.ts'
import type { Operation, OperationKind, Taken } from '../../providers/provider-operations.ts'
import { now, type Service } from '../../service.ts'
import { type Attempt, inquiryResponseOf, responseOf } from './provider-responses.ts'
import {
  type EarlierOperation,
  type OperationRecord,
  recordOperation,
} from './record-operations.ts'

/** The request to a provider. */
export interface Question {
  readonly kind: OperationKind
  readonly operation: Operation
  /** The provider's earlier response about the payment. */
  readonly taken: Taken
  /** The customer's returned parameters: the operation continues with them. */
  readonly returned?: Readonly<Record<string, string>> | null
}

/** An operation that is sent. */
export interface Call extends Question {
  /** A repeated request, possibly sent before. */
  send(limit: CallLimit, is_repeated: boolean): Promise<Outcome>
  /** It undoes something: it is sent again when an inquiry is not answered, where that is safe. */
  readonly is_reversal?: boolean
  /**
   * The claimed row says before the call all that a record would, and the statement that writes the outcome
   * writes the record. Without it, the record is written before the call and after it.
   */
  readonly with_row?: { readonly may_be_sent: boolean }
}

/** The answer of a provider, and the record of the call that got it. */
export interface Answered {
  readonly outcome: Outcome
  readonly record: OperationRecord
  /** The record of an answered call before it, which is written with it. */
  readonly before?: OperationRecord | null
}

/** An outcome with nothing to record: it was decided here, or its call is recorded already. */
export interface Recorded {
  readonly outcome: Outcome
  readonly record: null
}

/** The provider has no such operation. */
export interface NeverReceived {
  readonly outcome: { readonly outcome: 'never_received' }
  readonly record: null
}

export function isNeverReceived(said: Answered | Recorded | NeverReceived): said is NeverReceived {
  return said.outcome.outcome === 'never_received'
}

/** The known state of an operation; one that never arrived was not taken. */
export function outcomeOf(said: Answered | Recorded | NeverReceived): Outcome {
  return isNeverReceived(said) ? never_received : said.outcome
}

/** The records that are written with an outcome. */
export function recordsOf(answered: Answered | Recorded | null): OperationRecord[] {
  if (!answered?.record) return []
  return answered.before ? [answered.before, answered.record] : [answered.record]
}

/** Writes them without it: nothing else changes. */
export async function recordAnswered(
  { db }: Service,
  answered: Answered | Recorded,
): Promise<void> {
  await Promise.all(recordsOf(answered).map((record) => recordOperation(db, record)))
}

export function refusedUncalled(code: number, detail: string | null): Recorded {
  return { outcome: { outcome: 'refused', code, detail }, record: null }
}

export const nothing_taken: Taken = {
  provider_reference: null,
  authorization_code: null,
  network_transaction_id: null,
  provider_data: null,
}

/** Has a provider do something, and records it. */
export async function runOperation(
  service: Service,
  attempt: Attempt,
  call: Call,
): Promise<Outcome> {
  const { outcome } = await callProvider(service, attempt, call)
  return outcome
}

/**
 * Has a provider do something: never inside a transaction, never twice. That the call is made is written
 * before. When it was written before, a process may have died between the call and its result: then the
 * provider is asked first what became of it.
 */
export async function callProvider(
  service: Service,
  attempt: Attempt,
  call: Call,
): Promise<Answered | Recorded> {
  const begun = newCall(service, attempt, call)
  const earlier = await begin(service, begun)
  service.failpoint(`before provider ${call.kind}`)
  const { may_be_sent } = earlier
  const found = may_be_sent ? await findEarlier(service, begun, earlier) : null
  const known = found ?? onItsWay(service, begun, earlier.sent_on)
  if (known) return finish(service, begun, known, true)
  const outcome = await responseOf(service, attempt, call.kind, (limit) =>
    call.send(limit, may_be_sent),
  )
  service.failpoint(`after provider ${call.kind}`)
  return finish(service, begun, outcome, false)
}

/** Inquires the outcome of an operation that waits for its customer, or continues it after their return. */
export async function inquire(
  service: Service,
  attempt: Attempt,
  question: Question,
): Promise<Answered | NeverReceived> {
  const begun = newCall(service, attempt, question)
  const inquiry = inquiryOf(question, question.taken.provider_reference)
  const { returned } = question
  const { provider } = attempt
  const found = await inquiryResponseOf(service, attempt, async (limit) =>
    returned && provider.continue
      ? provider.continue({ ...inquiry, returned }, limit)
      : provider.inquire(inquiry, limit),
  )
  if (found.outcome !== 'never_received') return answered(service, begun, found, true)
  await recordInquiry(service, begun, never_received)
  return { outcome: found, record: null }
}

const never_received: Outcome = {
  outcome: 'not_taken',
  reason: 'The provider has not received the operation.',
}

/** A call from its beginning on. */
interface Begun {
  readonly attempt: Attempt
  readonly call: Question & Partial<Call>
  readonly started_on: Date
}

function newCall(service: Service, attempt: Attempt, call: Question & Partial<Call>): Begun {
  return { attempt, call, started_on: now(service) }
}

interface Earlier {
  readonly may_be_sent: boolean
  /** How the provider calls the operation, where it said so. */
  readonly known_as: string | null
  readonly sent_on: Date | null
}

/**
 * Writes the record before the call, unless the row says it all. A provider that would carry out an
 * authorization twice has one in any case: it says when it was sent last.
 */
async function begin(service: Service, begun: Begun): Promise<Earlier> {
  const { attempt, call } = begun
  const { with_row, kind, taken } = call
  const { repeatable } = attempt.provider.capabilities
  const has_record = !with_row || (kind === 'authorize' && !repeatable)
  const earlier: EarlierOperation | null = has_record
    ? await recordOperation(service.db, recordOf(begun, null))
    : null
  const { provider_reference = null, sent_on = null } = earlier ?? {}
  return with_row
    ? { may_be_sent: with_row.may_be_sent, known_as: taken.provider_reference, sent_on }
    : { may_be_sent: earlier !== null, known_as: provider_reference, sent_on }
}

/**
 * The outcome of an operation that may have been sent before; null: it is sent, for the first time or
 * again.
 */
async function findEarlier(
  service: Service,
  begun: Begun,
  { known_as }: Earlier,
): Promise<Outcome | null> {
  const { attempt, call } = begun
  const { provider } = attempt
  const { inquires_by, repeatable } = provider.capabilities
  if (inquires_by !== 'our_reference' && known_as === null) return null
  const found = await inquiryResponseOf(service, attempt, (limit) =>
    provider.inquire(inquiryOf(call, known_as), limit),
  )
  const is_repeated = found.outcome === 'unknown' && repeatable && call.is_reversal
  if (found.outcome !== 'never_received' && !is_repeated) return found
  await recordInquiry(service, begun, found.outcome === 'never_received' ? never_received : found)
  return null
}

/**
 * How long a call may still be on its way, though its process has stopped or died: a provider that has not
 * received it may do so yet. Nothing is sent again before, where it would be carried out twice.
 */
function onItsWay(service: Service, { attempt }: Begun, sent_on: Date | null): Outcome | null {
  if (sent_on === null || attempt.provider.capabilities.repeatable) return null
  const ask_again_ms = sent_on.getTime() + worker_policy.lease_ms - service.clock.now()
  if (ask_again_ms <= 0) return null
  const reason = 'An earlier call may still arrive.'
  return { outcome: 'unknown', ask_again_ms, reason }
}

function answered(service: Service, begun: Begun, outcome: Outcome, is_inquiry: boolean): Answered {
  return { outcome, record: recordOf(begun, { on: now(service), response: outcome, is_inquiry }) }
}

async function finish(
  service: Service,
  begun: Begun,
  outcome: Outcome,
  is_inquiry: boolean,
): Promise<Answered | Recorded> {
  const said = answered(service, begun, outcome, is_inquiry)
  if (begun.call.with_row) return said
  await recordOperation(service.db, said.record)
  return { outcome, record: null }
}

/**
 * Records an inquiry of a live payment that decided nothing. It has a reference of its own: the operation
 * may be sent with the same claim, and has its own record then.
 */
async function recordInquiry(service: Service, begun: Begun, response: Outcome): Promise<void> {
  if (begun.call.operation.mode !== 'live') return
  const { record } = answered(service, begun, response, true)
  const reference = derivedId(record.reference, 'inquiry')
  await recordOperation(service.db, { ...record, reference })
}

/**
 * Records that a live payment still waits for its customer. It is asked for every few minutes, for days:
 * all of these inquiries are one record, with the time of the last.
 */
export async function recordWaiting(
  { db }: Service,
  mode: Mode,
  { record }: Answered | Recorded,
): Promise<void> {
  if (mode !== 'live' || !record) return
  await recordOperation(db, {
    ...record,
    reference: derivedId(record.reference, 'waiting'),
    attempt: 1,
    // A notification finds the payment by its first record.
    provider_reference: null,
  })
}

function inquiryOf({ kind, operation, taken }: Question, known_as: string | null) {
  const { merchant_id, store_id, mode, charge_id, reference, credentials } = operation
  const { amount, currency } = operation
  const named = { merchant_id, store_id, mode, charge_id, reference, credentials }
  return { kind, ...named, amount, currency, ...taken, operation_reference: known_as }
}

/**
 * A call that begins, or with its response. A provider's response may contain anything: no card number is
 * stored.
 */
function recordOf(
  { attempt: { provider, row }, call: { kind, operation }, started_on }: Begun,
  finished: { readonly on: Date; readonly response: Outcome; readonly is_inquiry: boolean } | null,
): OperationRecord {
  const response = finished?.response
  const refusal = response?.outcome === 'refused' ? response : null
  const reason = response && 'reason' in response ? response.reason : refusal?.detail
  const said = response?.raw_message ?? reason ?? null
  return {
    merchant_id: operation.merchant_id,
    charge_id: operation.charge_id,
    reference: operation.reference,
    attempt: row.claims,
    resource_id: row.id,
    kind,
    provider: provider.name,
    is_inquiry: finished?.is_inquiry ?? false,
    outcome: response?.outcome ?? null,
    code: refusal?.code ?? null,
    provider_reference: response?.provider_reference ?? null,
    raw_code: response?.raw_code ?? null,
    raw_message: said && maskCardNumbers(said, '[card]'),
    request_id: response?.request_id ?? null,
    started_on,
    finished_on: finished?.on ?? null,
  }
}

/** Whether the outcome is final; follow-up operations never await the customer. */
export function isKnown({ outcome }: Outcome): boolean {
  return outcome === 'approved' || outcome === 'refused'
}

/** The time of the next inquiry about an operation that should have been decided immediately. */
export function askAfter(outcome: Outcome): number {
  return outcome.outcome === 'unknown' ? outcome.ask_again_ms : provider_policy.no_response_ms
}

/** The time of the next inquiry: not immediately, and not too late, whatever the provider says. */
export function nextQuestion(
  service: Service,
  ask_again_ms: number,
  max_wait_ms: number = provider_policy.max_wait_ms,
): Date {
  const wait_ms = Math.min(Math.max(ask_again_ms, provider_policy.min_wait_ms), max_wait_ms)
  return new Date(service.clock.now() + wait_ms)
}
