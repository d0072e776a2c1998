import type { Mode } from '../../core/caller.ts'
import { maskCardNumbers } from '../../core/cards/find-card-numbers.ts'
import { derivedId } from '../../core/ids.ts'
import { provider_policy, worker_policy } from '../../core/limits/retry-policies.ts'
import type { Deadline } from '../../core/time/deadline.ts'
import type { CallLimit, Outcome, Provider } from '../../providers/provider.ts'
import type { Operation, OperationKind, Taken } from '../../providers/provider-operations.ts'
import { now, type ProviderCall, type Service } from '../../service.ts'
import { answerOf, type Caller, inquiryAnswerOf } from './provider-answers.ts'
import { type OperationRecord, recordOperation } from './record-operations.ts'

/** A claimed row that needs an operation, the provider, and the deadline of its calls. */
export interface Attempt {
  readonly provider: Provider
  readonly row: { readonly merchant_id: string; readonly id: string; readonly claims: number }
  readonly deadline: Deadline
}

export interface Call {
  readonly kind: OperationKind
  readonly operation: Operation
  /** What the provider said of the payment before. */
  readonly taken: Taken
  /** Repeated: it may have been sent before. */
  send(limit: CallLimit, is_repeated: boolean): Promise<Outcome>
  /** It undoes something: it is sent again when an inquiry is not answered, where that is safe. */
  readonly is_reversal?: boolean
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

/**
 * Has a provider do something: never inside a transaction, never twice. The call is recorded before it is
 * made. When it was recorded before, a process may have died between the call and its result: then the
 * provider is asked first what became of it.
 */
export async function runOperation(
  service: Service,
  attempt: Attempt,
  call: Call,
): Promise<Outcome> {
  const started_on = now(service)
  const earlier = await recordOperation(service.db, recordOf(attempt, call, started_on, null))
  const { outcome, record } = await makeCall(service, attempt, call, started_on, {
    may_be_sent: earlier !== null,
    known_as: earlier?.provider_reference ?? null,
    sent_on: earlier?.sent_on ?? null,
  })
  await recordOperation(service.db, record)
  return outcome
}

/**
 * The same for the authentication of a charge, whose claimed row says before the call all that a record
 * would. The statement that settles the charge writes the record.
 */
export async function runAuthentication(
  service: Service,
  attempt: Attempt,
  call: Call,
): Promise<Answered> {
  const known_as = call.taken.provider_reference
  const may_be_sent = attempt.row.claims > 1
  const earlier = { may_be_sent, known_as, sent_on: null }
  return makeCall(service, attempt, call, now(service), earlier)
}

/**
 * The same for the authorization, which the caller has inquired when it may have been sent before. A provider
 * that would carry it out twice has a record before the call as well: it says when it was sent last.
 */
export async function sendAuthorization(
  service: Service,
  attempt: Attempt,
  call: Call,
): Promise<Answered> {
  const started_on = now(service)
  const { repeatable } = attempt.provider.capabilities
  const before = repeatable
    ? null
    : await recordOperation(service.db, recordOf(attempt, call, started_on, null))
  const earlier = { may_be_sent: false, known_as: null, sent_on: before?.sent_on ?? null }
  return makeCall(service, attempt, call, started_on, earlier)
}

/** Asks what became of an operation that waits for its customer, or goes on after their return. */
export async function inquireOperation(
  service: Service,
  attempt: Attempt,
  call: Omit<Call, 'send'>,
  returned: Readonly<Record<string, string>> | null = null,
): Promise<Answered | 'never_received'> {
  const started_on = now(service)
  const inquiry = inquiryOf(call, call.taken.provider_reference)
  const { provider } = attempt
  const found = await inquiryAnswerOf(service, callerOf(attempt, 'inquire'), async (limit) =>
    returned && provider.continue
      ? provider.continue({ ...inquiry, returned }, limit)
      : provider.inquire(inquiry, limit),
  )
  if (found.outcome !== 'never_received') {
    return answered(service, attempt, call, started_on, found, true)
  }
  await recordInquiry(service, attempt, call, started_on, never_received)
  return 'never_received'
}

const never_received: Outcome = {
  outcome: 'not_taken',
  reason: 'The provider has not received the operation.',
}

/**
 * Records an inquiry of a live payment that decided nothing. It has a reference of its own: the operation
 * may be sent with the same claim, and has its own record then.
 */
async function recordInquiry(
  service: Service,
  attempt: Attempt,
  call: Omit<Call, 'send'>,
  started_on: Date,
  answer: Outcome,
): Promise<void> {
  if (call.operation.mode !== 'live') return
  const finished = { on: now(service), answer, is_inquiry: true }
  const record = recordOf(attempt, call, started_on, finished)
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
  answered: Answered,
): Promise<void> {
  if (mode !== 'live') return
  const { record } = answered
  await recordOperation(db, {
    ...record,
    reference: derivedId(record.reference, 'waiting'),
    attempt: 1,
    // A notification finds the payment by its first record.
    provider_reference: null,
  })
}

interface Earlier {
  readonly may_be_sent: boolean
  /** How the provider calls the operation, where it said so. */
  readonly known_as: string | null
  readonly sent_on: Date | null
}

/**
 * How long a call may still be on its way, though its process has stopped or died: a provider that has not
 * received it may do so yet. Nothing is sent again before, where it would be carried out twice.
 */
function onItsWay(service: Service, { provider }: Attempt, sent_on: Date | null): number {
  if (sent_on === null || provider.capabilities.repeatable) return 0
  return sent_on.getTime() + worker_policy.lease_ms - service.clock.now()
}

async function makeCall(
  service: Service,
  attempt: Attempt,
  call: Call,
  started_on: Date,
  { may_be_sent, known_as, sent_on }: Earlier,
): Promise<Answered> {
  service.failpoint(`before provider ${call.kind}`)
  const { provider } = attempt
  const { inquires_by, repeatable } = provider.capabilities
  if (may_be_sent && (inquires_by === 'our_reference' || known_as !== null)) {
    const found = await inquiryAnswerOf(service, callerOf(attempt, 'inquire'), (limit) =>
      provider.inquire(inquiryOf(call, known_as), limit),
    )
    const is_repeated = found.outcome === 'unknown' && repeatable && call.is_reversal
    if (found.outcome !== 'never_received' && !is_repeated) {
      return answered(service, attempt, call, started_on, found, true)
    }
    const answer = found.outcome === 'never_received' ? never_received : found
    await recordInquiry(service, attempt, call, started_on, answer)
  }
  const ask_again_ms = onItsWay(service, attempt, sent_on)
  if (ask_again_ms > 0) {
    const reason = 'A call that was sent before may still be on its way.'
    const waiting = { outcome: 'unknown', ask_again_ms, reason } as const
    return answered(service, attempt, call, started_on, waiting, true)
  }
  const outcome = await answerOf(service, callerOf(attempt, call.kind), (limit) =>
    call.send(limit, may_be_sent),
  )
  service.failpoint(`after provider ${call.kind}`)
  return answered(service, attempt, call, started_on, outcome, false)
}

function answered(
  service: Service,
  attempt: Attempt,
  call: Omit<Call, 'send'>,
  started_on: Date,
  answer: Outcome,
  is_inquiry: boolean,
): Answered {
  const finished = { on: now(service), answer, is_inquiry }
  return { outcome: answer, record: recordOf(attempt, call, started_on, finished) }
}

export function callerOf(
  { provider, row, deadline }: Attempt,
  operation: ProviderCall['operation'],
): Caller {
  return { merchant_id: row.merchant_id, id: row.id, deadline, provider: provider.name, operation }
}

function inquiryOf({ kind, operation, taken }: Omit<Call, 'send'>, known_as: string | null) {
  const { merchant_id, store_id, mode, charge_id, reference, credentials } = operation
  const { amount, currency } = operation
  const named = { merchant_id, store_id, mode, charge_id, reference, credentials }
  return { kind, ...named, amount, currency, ...taken, operation_reference: known_as }
}

/** A call that begins, or with its answer. What a provider says may hold anything: no card number is kept. */
function recordOf(
  { provider, row }: Attempt,
  { kind, operation }: Omit<Call, 'send'>,
  started_on: Date,
  finished: { readonly on: Date; readonly answer: Outcome; readonly is_inquiry: boolean } | null,
): OperationRecord {
  const answer = finished?.answer
  const refusal = answer?.outcome === 'refused' ? answer : null
  const reason = answer && 'reason' in answer ? answer.reason : refusal?.detail
  const said = answer?.raw_message ?? reason ?? null
  return {
    merchant_id: operation.merchant_id,
    charge_id: operation.charge_id,
    reference: operation.reference,
    attempt: row.claims,
    resource_id: row.id,
    kind,
    provider: provider.name,
    is_inquiry: finished?.is_inquiry ?? false,
    outcome: answer?.outcome ?? null,
    code: refusal?.code ?? null,
    provider_reference: answer?.provider_reference ?? null,
    raw_code: answer?.raw_code ?? null,
    raw_message: said && maskCardNumbers(said, '[card]'),
    request_id: answer?.request_id ?? null,
    started_on,
    finished_on: finished?.on ?? null,
  }
}

/** Whether it was decided; a follow-up never waits for the customer. */
export function isKnown({ outcome }: Outcome): boolean {
  return outcome === 'approved' || outcome === 'refused'
}

/** When to ask again about what should have been decided at once. */
export function askAfter(outcome: Outcome): number {
  return outcome.outcome === 'unknown' ? outcome.ask_again_ms : provider_policy.no_answer_ms
}

/** When to ask again: not at once, and not too late, whatever the provider says. */
export function nextQuestion(
  service: Service,
  ask_again_ms: number,
  max_wait_ms: number = provider_policy.max_wait_ms,
): Date {
  const wait_ms = Math.min(Math.max(ask_again_ms, provider_policy.min_wait_ms), max_wait_ms)
  return new Date(service.clock.now() + wait_ms)
}
