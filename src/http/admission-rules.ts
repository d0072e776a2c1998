import type { RouteOptions } from 'fastify'

/**
 * What is let in, by kind of request, in the order in which they are sent away when there is too much:
 * up to how much of `REQUESTS_IN_PROGRESS`, and while the event loop is at most how late. What moves
 * money goes last, and has a fifth of all places to itself; who only looks can look again.
 */
export const admission_rules = {
  /** A read that may wait for a change. It does nothing most of its time. */
  poll: { share: 0.6, late_ms: 500 },
  list: { share: 0.6, late_ms: 500 },
  other: { share: 0.8, late_ms: 750 },
  /** As any other, but it may take its time. */
  long: { share: 0.8, late_ms: 750 },
  money: { share: 1, late_ms: 1000 },
  /** Probes of the machine are answered always: a busy process must not be taken for a dead one. */
  probe: { share: Number.POSITIVE_INFINITY, late_ms: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, { share: number; late_ms: number }>

export type RequestKind = keyof typeof admission_rules
/** Whether it is a poll is said by each request. */
export type RouteKind = Exclude<RequestKind, 'poll'>

/** Polls that wait are counted apart from the others, which they would otherwise keep out. */
export const polls_share = 2

/** The part of all slots whose requests are worked on at the same time; the others wait. */
export const turns_share = 0.125
export const min_turns = 32

/** Routes that neither their method nor their parameters tell of. */
export const kinds_of_routes: Readonly<Record<string, RouteKind>> = {
  'POST /tokens': 'money',
  'POST /charges': 'money',
  'POST /subscriptions': 'money',
  'POST /subscriptions/batches': 'money',
  'POST /stores/:store_id/charges/:charge_id/capture': 'money',
  'POST /stores/:store_id/charges/:charge_id/refunds': 'money',
  'POST /stores/:store_id/charges/:charge_id/cancels': 'money',
  'POST /test/clock': 'long',
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How it is let in; said by a table when the route itself does not. */
    admit_as?: RouteKind
  }
}

/** Decided once for a route: a request only looks it up. */
export function kindOfRoute({ method, url, schema, config = {} }: RouteOptions): RouteKind {
  if (config.admit_as) return config.admit_as
  if (config.rate === 'none') return 'probe'
  const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object }
  return (
    kinds_of_routes[`${method} ${url}`] ?? ('cursor_direction' in properties ? 'list' : 'other')
  )
}
