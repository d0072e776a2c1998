import type { Stripe } from 'stripe'
import type { CallLimit, Outcome } from '../../providers/provider.ts'
import type { Credentials, ProviderCard } from '../../providers/provider-operations.ts'
import type { ConnectorParts } from '../connector.ts'
import { ask_again_ms, readRefusal, type StripeOperation } from './read-intents.ts'
import { NoAnswer, openCall, type StripeCall } from './stripe-client.ts'
import { readSettings } from './stripe-settings.ts'

interface Asked {
  readonly credentials: { reveal(): Credentials } | null
  readonly reference: string
}

/**
 * Errors with these statuses say that the operation was refused. All others say nothing about it: the key
 * is wrong (401, 403), an earlier request with this reference still runs (409), there are too many (429),
 * or Stripe failed.
 */
const refusing_statuses: readonly (number | undefined)[] = [400, 402, 404]

/** Why there is no answer, in words without any value of the call. */
function problemOf(call: StripeCall, error: unknown) {
  const known = error instanceof call.Library.errors.StripeError ? error : null
  const said = known && [known.statusCode, known.rawType, known.code].filter(Boolean).join(' ')
  const problem = call.problem() || (error instanceof NoAnswer ? error.message : said)
  return { problem, request_id: known?.requestId }
}

/** The calls of one connector, and what their failures mean. */
export function newStripeCalls(name: string, { log }: Pick<ConnectorParts, 'log'>) {
  function note(kind: string, { reference }: Asked, call: StripeCall, error: unknown): Outcome {
    const { problem, request_id } = problemOf(call, error)
    const about = { connector: name, operation: kind, reference, request_id, problem }
    log.warn(about, 'Stripe gave no valid answer')
    return { outcome: 'unknown', ask_again_ms, ...(request_id ? { request_id } : {}) }
  }

  function failureOf(
    kind: StripeOperation,
    asked: Asked,
    call: StripeCall,
    error: unknown,
  ): Outcome {
    if (!call.wasSent() && call.problem()) return { outcome: 'not_taken', reason: call.problem() }
    const { StripeError, StripeIdempotencyError } = call.Library.errors
    const is_refusal =
      error instanceof StripeError &&
      !(error instanceof StripeIdempotencyError) &&
      refusing_statuses.includes(error.statusCode)
    return is_refusal ? readRefusal(error, kind) : note(kind, asked, call, error)
  }

  /** An operation that moves money, or asks the cardholder. */
  async function perform(
    kind: StripeOperation,
    asked: Asked,
    limit: CallLimit | undefined,
    run: (stripe: Stripe) => Promise<Outcome>,
    card: ProviderCard | null = null,
  ): Promise<Outcome> {
    const account = readSettings(asked.credentials?.reveal())
    if (typeof account === 'string') return { outcome: 'not_taken', reason: account }
    const call = await openCall(account, card ? [card.number.reveal()] : [], limit)
    try {
      return await run(call.stripe)
    } catch (error) {
      return failureOf(kind, asked, call, error)
    }
  }

  /** A question: a failure of it says nothing about the operation. */
  async function ask<T>(
    asked: Asked,
    limit: CallLimit | undefined,
    run: (stripe: Stripe) => Promise<T>,
  ): Promise<T | Outcome> {
    const account = readSettings(asked.credentials?.reveal())
    if (typeof account === 'string') return { outcome: 'unknown', ask_again_ms }
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
    if (typeof account === 'string') throw new NoAnswer(account)
    const call = await openCall(account, [], limit)
    try {
      return await run(call.stripe)
    } catch (error) {
      note(what, asked, call, error)
      const { problem } = problemOf(call, error)
      throw new NoAnswer(`Stripe gave no valid answer: ${problem ?? 'it cannot be read'}`)
    }
  }

  return { perform, ask, find }
}
