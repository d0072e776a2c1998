import type { FastifySchema } from 'fastify'
import type { Config } from '../config.ts'
import { page_limits } from '../core/limits.ts'

/**
 * What differs for programs written with the public client libraries. Everything that depends on
 * COMPATIBILITY is decided here; `spec` changes nothing.
 */
export interface Compatibility {
  /** Adapts the schema of a route before it is compiled. */
  schema(schema: FastifySchema): FastifySchema
  /** Adapts a body before it is validated. */
  body(body: unknown): unknown
}

const to_the_letter: Compatibility = { schema: (schema) => schema, body: (body) => body }

const for_clients: Compatibility = {
  schema: (schema) =>
    schema.querystring ? { ...schema, querystring: withSmallPages(schema.querystring) } : schema,
  body: (body) => (Array.isArray(body) && body.length === 0 ? {} : body),
}

export function compatibilityOf({ compatibility }: Config): Compatibility {
  return compatibility === 'clients' ? for_clients : to_the_letter
}

type QuerySchema = { properties?: { limit?: object } } | undefined

function withSmallPages(querystring: unknown): unknown {
  const schema = querystring as QuerySchema
  if (!schema?.properties?.limit) return querystring
  const limit = { ...schema.properties.limit, minimum: page_limits.min_for_clients }
  return { ...schema, properties: { ...schema.properties, limit } }
}
