import type { RouteOptions } from 'fastify'
import { queryFields } from '../../api/routes/request-parts.ts'
import type { RouteConfig } from '../../api/routes/route.ts'

/** Only the request decides whether it is a long poll, not the route. */
export type RouteKind = NonNullable<RouteConfig['admit_as']>
export type RequestKind = RouteKind | 'poll'

/**
 * Admission limits by kind of request, in the order in which they are refused under load: the share of
 * `REQUESTS_IN_PROGRESS`, and the maximum lag of the event loop. Requests that move money are refused
 * last and have a fifth of all slots reserved; reads can be repeated.
 */
export const admission_rules = {
  /** A read that may wait for a change. It is idle most of the time. */
  poll: { share: 0.6, late_ms: 500 },
  list: { share: 0.6, late_ms: 500 },
  other: { share: 0.8, late_ms: 750 },
  /** Like other requests, but possibly slow. */
  long: { share: 0.8, late_ms: 750 },
  money: { share: 1, late_ms: 1000 },
  /** Health probes are always answered: a busy process must not be taken for a dead one. */
  probe: { share: Number.POSITIVE_INFINITY, late_ms: Number.POSITIVE_INFINITY },
} as const satisfies Record<RequestKind, { share: number; late_ms: number }>

/** Waiting polls are counted separately, otherwise they would block the other requests. */
export const polls_share = 2

/** The fraction of all slots whose requests run at the same time; the others wait. */
export const turns_share = 0.125
export const min_turns = 32

/** Decided once per route: a request only looks it up. */
export function kindOfRoute({ schema, config = {} }: RouteOptions): RouteKind {
  if (config.admit_as) return config.admit_as
  if (config.rate === 'none') return 'probe'
  const fields = queryFields(schema)
  return 'cursor_direction' in fields ? 'list' : 'other'
}
