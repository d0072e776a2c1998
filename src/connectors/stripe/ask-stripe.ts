import type { Stripe } from 'stripe'
import { maskText } from '../../core/cards/sensitive.ts'
import { recordOf } from '../../core/read-unknown.ts'
import type { ConnectorParts } from '../../providers/connector.ts'
import type { CallLimit, Outcome } from '../../providers/provider.ts'
import type { Credentials, ProviderCard } from '../../providers/provider-operations.ts'
import { ask_again_ms, readRefusal, type StripeOperation } from './messages/read-intents.ts'
import { NoResponse, openCall, type StripeCall } from './stripe-client.ts'
import { readSettings } from './stripe-settings.ts'

interface Asked {
  readonly credentials: { reveal(): Credentials } | null
  readonly reference: string
  readonly charge_id?: string
  readonly is_repeated?: boolean
}

/**
 * Errors with these statuses say that the request was refused, and so is the operation unless it may have
 * been sent before. All others say nothing about it: the key is wrong (401, 403), an earlier request with
 * this reference still runs (409), there are too many (429), or Stripe failed.
 */
const refusing_statuses: readonly (number | undefined)[] = [400, 402, 404]

/** Why there is no answer, in words without any value of the call. */
function problemOf(call: StripeCall, error: unknown) {
  const known = error instanceof call.Library.errors.StripeError ? error : null
  const said = known && [known.statusCode, known.rawType, known.code].filter(Boolean).join(' ')
  const problem = call.problem() || (error instanceof NoResponse ? error.message : said)
  return { problem: problem || 'The answer cannot be read.', request_id: known?.requestId }
}

const payment_name = /^(pi|seti)_[A-Za-z0-9_]{1,240}$/
const refund_name = /^(re|pyr)_[A-Za-z0-9_]{1,240}$/

/**
 * The id in a response that is otherwise not trusted. A later inquiry uses this id. A response about another
 * charge has none.
 */
function nameIn(kind: string, { charge_id }: Asked, error: unknown): string | null {
  const { id, metadata } = recordOf(error instanceof NoResponse ? error.response : null)
  const pattern = kind === 'refund' || kind === 'return_deposit' ? refund_name : payment_name
  const named = recordOf(metadata).kaikei_charge_id ?? charge_id
  return typeof id === 'string' && pattern.test(id) && named === charge_id ? id : null
}

/** Whether an error shows the payment of the operation: then it says for certain how that stands. */
function showsOwn({ payment_intent, setup_intent }: Stripe.errors.StripeError, asked: Asked) {
  const { metadata } = payment_intent ?? setup_intent ?? {}
  return metadata?.kaikei_reference === asked.reference
}

/**
 * The outcome of a possibly sent operation, from the money it moved at Stripe; null: it had no effect.
 */
export type Look = (stripe: Stripe) => Promise<Outcome | null>

/** Logs failures. */
function newNotes(name: string, log: ConnectorParts['log']) {
  function note(kind: string, asked: Asked, call: StripeCall, error: unknown): Outcome {
    const { reference } = asked
    const { problem, request_id } = problemOf(call, error)
    const about = { connector: name, operation: kind, reference, request_id, problem }
    log.warn(about, 'Stripe sent no valid response')
    const provider_reference = nameIn(kind, asked, error)
    return {
      outcome: 'unknown',
      ask_again_ms,
      reason: problem,
      ...(provider_reference ? { provider_reference } : {}),
      ...(request_id ? { request_id } : {}),
    }
  }

  /** Logs Stripe's text about a refused request for the operator. Merchants get only texts about cards. */
  function noteRefusal(kind: string, { reference }: Asked, error: Stripe.errors.StripeError): void {
    const { message, requestId: request_id, statusCode: status } = error
    const about = { connector: name, operation: kind, reference, request_id, status }
    log.warn({ ...about, said: maskText(message) }, 'Stripe refused a request')
  }

  return { note, noteRefusal }
}

/** The calls of one connector, and what their failures mean. */
export function newStripeCalls(name: string, { log }: Pick<ConnectorParts, 'log'>) {
  const { note, noteRefusal } = newNotes(name, log)

  async function failureOf(
    kind: StripeOperation,
    asked: Asked,
    call: StripeCall,
    error: unknown,
    look: Look,
  ): Promise<Outcome> {
    if (!call.wasSent() && call.problem()) return { outcome: 'not_taken', reason: call.problem() }
    const { StripeError, StripeIdempotencyError } = call.Library.errors
    const is_refusal =
      error instanceof StripeError &&
      !(error instanceof StripeIdempotencyError) &&
      refusing_statuses.includes(error.statusCode)
    if (!is_refusal) return note(kind, asked, call, error)
    noteRefusal(kind, asked, error)
    const refusal = readRefusal(error, kind)
    if (!asked.is_repeated || showsOwn(error, asked)) return refusal
    try {
      return (await look(call.stripe)) ?? refusal
    } catch (failed) {
      return note(kind, asked, call, failed)
    }
  }

  /** An operation that moves money, or asks the cardholder. */
  async function perform(
    kind: StripeOperation,
    asked: Asked,
    limit: CallLimit | undefined,
    run: (stripe: Stripe) => Promise<Outcome>,
    look: Look,
    card: ProviderCard | null = null,
  ): Promise<Outcome> {
    const account = readSettings(asked.credentials?.reveal())
    if (typeof account === 'string') return { outcome: 'not_taken', reason: account }
    const call = await openCall(account, card ? [card.number.reveal()] : [], limit)
    try {
      return await run(call.stripe)
    } catch (error) {
      return failureOf(kind, asked, call, error, look)
    }
  }

  /** A question: a failure of it says nothing about the operation. */
  async function ask<T>(
    asked: Asked,
    limit: CallLimit | undefined,
    run: (stripe: Stripe) => Promise<T>,
  ): Promise<T | Outcome> {
    const account = readSettings(asked.credentials?.reveal())
    if (typeof account === 'string') return { outcome: 'unknown', ask_again_ms, reason: account }
    const call = await openCall(account, [], limit)
    try {
      return await run(call.stripe)
    } catch (error) {
      return note('inquire', asked, call, error)
    }
  }

  /** A question whose answer is no outcome: without one it throws. */
  async function find<T>(
    what: string,
    asked: Asked,
    limit: CallLimit | undefined,
    run: (stripe: Stripe) => Promise<T>,
  ): Promise<T> {
    const account = readSettings(asked.credentials?.reveal())
    if (typeof account === 'string') throw new NoResponse(account)
    const call = await openCall(account, [], limit)
    try {
      return await run(call.stripe)
    } catch (error) {
      note(what, asked, call, error)
      const { problem } = problemOf(call, error)
      throw new NoResponse(`Stripe sent no valid response: ${problem}`)
    }
  }

  return { perform, ask, find }
}
