import type { FastifyRequest, FastifySchema } from 'fastify'
import type { Caller } from '../../core/access/caller.ts'
import { recordOf } from '../../core/read-unknown.ts'

/** What code around all routes may read of a request, whose types only its own route knows. */

/** The caller; null before the credential was verified, and where none is needed. */
export function callerOf({ caller }: Pick<FastifyRequest, 'caller'>): Caller | null {
  return caller
}

/** The parts of the path. */
export function paramsOf({ params }: Pick<FastifyRequest, 'params'>): Record<string, string> {
  return (params ?? {}) as Record<string, string>
}

export function queryOf({ query }: Pick<FastifyRequest, 'query'>): Record<string, unknown> {
  return (query ?? {}) as Record<string, unknown>
}

/** A parameter of the query that is one text; otherwise nothing. */
export function queryText(request: Pick<FastifyRequest, 'query'>, name: string): string {
  const value = queryOf(request)[name]
  return typeof value === 'string' ? value : ''
}

/** The parameters that the query of a route may have. */
export function queryFields(schema: FastifySchema | undefined): object {
  return recordOf(recordOf(schema?.querystring).properties)
}
