import type { FastifySchema } from 'fastify'
import Type from 'typebox'
import type { Config } from '../../config.ts'
import { page_limits } from '../../core/limits/limits.ts'
import { base_currency } from '../../core/money/currencies.ts'
import { objectOf } from '../../core/read-unknown.ts'

import { adaptResource, adaptResponse } from './client-responses.ts'

/**
 * Differences for programs that use the public client libraries. Everything that depends on COMPATIBILITY
 * is decided here; `spec` changes nothing.
 */
export interface Compatibility {
  /** Adapts the schema of a route before it is compiled. */
  schema(schema: FastifySchema): FastifySchema
  /** Adapts a body before it is validated. */
  body(body: unknown): unknown
  /** `created_on` of a charge, a subscription and a new token. */
  createdOn(date: Date): number | string
  /** The `Authorization` header of a delivery, built from a webhook's `auth_token`. */
  deliveryAuthorization(auth_token: string): string
  /** Whether a requested authentication waits for the challenge, whatever the issuer says. */
  readonly always_challenges: boolean
  /** Payment types whose charges accept `redirect`, in addition to the brands of the specification. */
  readonly redirecting_types: readonly string[]
  /** `user_data.type` of a charge or refund in the transaction history. */
  payerType(item: { readonly type: string; readonly payment_type: string }): string
  /** Adapts a response before it is written; null: no change. */
  readonly response: ((response: unknown, query: unknown) => unknown) | null
  /** Adapts the resource of a delivery, as JSON. */
  deliveredData(data: string): string
  /** The currency of a check of the security code that was asked for without one. */
  readonly cvv_currency: string | null
  /** Whether lists that are short by their nature are counted. */
  readonly counts_lists: boolean
  /** The effect of deleting a token in test mode on its running subscriptions. */
  readonly when_token_is_deleted: 'refuse' | 'suspend'
}

const to_the_letter: Compatibility = {
  schema: (schema) => schema,
  body: (body) => body,
  createdOn: (date) => date.getTime(),
  // A value that already has a scheme is sent unchanged.
  deliveryAuthorization: (auth_token) =>
    auth_token.includes(' ') ? auth_token : `Bearer ${auth_token}`,
  always_challenges: false,
  redirecting_types: [],
  payerType: ({ payment_type }) => payment_type,
  response: null,
  deliveredData: (data) => data,
  cvv_currency: base_currency,
  counts_lists: false,
  when_token_is_deleted: 'refuse',
}

const for_clients: Compatibility = {
  schema: (schema) =>
    schema.querystring ? { ...schema, querystring: withSmallPages(schema.querystring) } : schema,
  body: (body) => (Array.isArray(body) && body.length === 0 ? {} : withNumbers(body ?? {})),
  createdOn: (date) => date.toISOString(),
  deliveryAuthorization: (auth_token) => auth_token,
  always_challenges: true,
  redirecting_types: ['card'],
  payerType: ({ type }) => type,
  response: adaptResponse,
  deliveredData: (data) => JSON.stringify(adaptResource(JSON.parse(data))),
  cvv_currency: null,
  counts_lists: true,
  when_token_is_deleted: 'suspend',
}

export function compatibilityOf({ compatibility }: Pick<Config, 'compatibility'>): Compatibility {
  return compatibility === 'clients' ? for_clients : to_the_letter
}

/** Epoch milliseconds; a text for client libraries. */
export const CreatedOn = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  description: 'Milliseconds since 1970.',
})

type QuerySchema = { properties?: { limit?: object } }

function withSmallPages(querystring: unknown): unknown {
  const schema: QuerySchema = objectOf(querystring)
  if (!schema.properties?.limit) return querystring
  const limit = { ...schema.properties.limit, minimum: page_limits.min_for_clients }
  return { ...schema, properties: { ...schema.properties, limit } }
}

const amount_key = /(^|_)amount$/

/** One library writes amounts as text; metadata belongs to the merchant and is not changed. */
function withNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumbers)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === 'metadata') return [key, Array.isArray(inner) && inner.length === 0 ? {} : inner]
    const is_amount = typeof inner === 'string' && amount_key.test(key) && /^\d{1,12}$/.test(inner)
    return [key, is_amount ? Number(inner) : withNumbers(inner)]
  })
  return Object.fromEntries(entries)
}
