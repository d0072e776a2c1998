import type { TSchema } from 'typebox'
import { second_ms } from '../../core/time/clock.ts'
import type { ConnectorParts } from '../../providers/connector.ts'
import type { CallLimit, Outcome } from '../../providers/provider.ts'
import type { Credentials, ProviderCard } from '../../providers/provider-operations.ts'
import { callAcquirer } from './acquirer-client.ts'
import { type AcquirerAddress, readSettings } from './acquirer-settings.ts'
import {
  type AcquirerOperationName,
  acquirer_operations,
  isRepeatable,
} from './api/acquirer-operations.ts'
import { readResponse } from './messages/read-response.ts'

/** When to ask again about a call whose answer was lost. */
const ask_again_ms = 2 * second_ms

interface Asked {
  readonly credentials: { reveal(): Credentials } | null
  readonly reference: string
}

type Asking<T> =
  | { readonly kind: 'answered'; readonly response: T }
  | { readonly kind: 'not_sent' | 'lost'; readonly reason: string }

/** Cached parsed settings. */
const addresses = new WeakMap<object, AcquirerAddress | string>()

function addressOf(credentials: Asked['credentials']): AcquirerAddress | string {
  if (!credentials) return readSettings(undefined)
  const address = addresses.get(credentials) ?? readSettings(credentials.reveal())
  addresses.set(credentials, address)
  return address
}

/** Values that must not appear in a response. */
function secretsOf(card: ProviderCard | null): string[] {
  return card ? [card.number.reveal()] : []
}

/** The calls of one connector, and what their answers mean. */
export function newAcquirerCalls(name: string, { log, now }: ConnectorParts) {
  /** Without a valid answer: whether anything was sent, and why there is none. */
  async function ask<T>(
    operation: AcquirerOperationName,
    asked: Pick<Asked, 'credentials'> & Partial<Asked>,
    writeBody: () => string,
    limit: CallLimit | undefined,
    card: ProviderCard | null = null,
  ): Promise<Asking<T>> {
    const address = addressOf(asked.credentials)
    if (typeof address === 'string') return { kind: 'not_sent', reason: address }
    const { method, path, response: schema } = acquirer_operations[operation]
    // A question has the reference of the operation that it is about: as a key, it would get its answer.
    const reference = isRepeatable(operation) ? (asked.reference ?? null) : null
    const call = { method, path, writeBody, reference }
    const reply = await callAcquirer(address, call, now(), limit)
    if (reply.kind === 'not_sent') return reply
    const secrets = [address.key.secret, ...secretsOf(card)]
    const read =
      reply.kind === 'answered'
        ? readResponse(schema as TSchema, reply, secrets)
        : { is_valid: false as const, problem: reply.reason }
    if (read.is_valid) return { kind: 'answered', response: read.response as T }
    const about = { connector: name, operation, reference: asked.reference, problem: read.problem }
    log.warn(about, 'the acquirer sent no valid response')
    return { kind: 'lost', reason: read.problem }
  }

  /** An operation that moves money, or asks the cardholder. */
  async function perform(
    operation: AcquirerOperationName,
    asked: Asked,
    writeBody: () => string,
    limit: CallLimit | undefined,
    card: ProviderCard | null = null,
  ): Promise<Outcome> {
    const found = await ask<Outcome>(operation, asked, writeBody, limit, card)
    if (found.kind === 'answered') {
      const { response } = found
      return response.outcome === 'refused'
        ? { ...response, detail: response.detail ?? null }
        : response
    }
    const { reason } = found
    if (found.kind === 'not_sent') return { outcome: 'not_taken', reason }
    return { outcome: 'unknown', ask_again_ms, reason }
  }

  /** A question about an operation: that it was not sent says nothing about the operation. */
  async function inquire(
    operation: 'inquire' | 'continue',
    asked: Asked,
    writeBody: () => string,
    limit: CallLimit | undefined,
  ): Promise<Outcome> {
    const found = await perform(operation, asked, writeBody, limit)
    if (found.outcome !== 'not_taken') return found
    return { outcome: 'unknown', ask_again_ms, reason: found.reason }
  }

  return { ask, perform, inquire }
}

/** The address of an inquiry. */
export function requireAddress(credentials: Asked['credentials']): AcquirerAddress {
  const address = readSettings(credentials?.reveal())
  if (typeof address === 'string') throw new Error(address)
  return address
}

/** The acquirer's response; throws without one. */
export function answered<T>(found: Asking<T>): T {
  if (found.kind !== 'answered') throw new Error(found.reason)
  return found.response
}
