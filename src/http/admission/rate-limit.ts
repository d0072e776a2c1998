import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { paramsOf, queryOf } from '../../api/routes/request-parts.ts'
import { isUuid } from '../../core/ids.ts'
import { rate_limits } from '../../core/limits/limits.ts'
import type { Counted, CountKey, RequestCounts } from '../../core/limits/request-counts.ts'
import type { HeaderList } from './refusal.ts'

/** A bucket whose level is in the headers of a response. */
export type RateKey = CountKey<keyof typeof rate_limits>

/**
 * Enforces the rate limits of the API. Where they are counted decides whether the result is immediate
 * or a promise.
 */
export interface RateLimiter {
  /** Counts a request of a subject, unless its rate is used up, and sets the headers. */
  take(subject: string, request: FastifyRequest, reply: FastifyReply): Counted | Promise<Counted>
  /** The buckets that a request of a subject counts in. */
  keysOf(subject: string, request: FastifyRequest): RateKey[]
  /** Counts the check of an unknown credential, before it costs anything. Zero, or the wait. */
  attempt(subject: string): number | Promise<number>
  /** The credential was valid: its check does not count. */
  succeeded(subject: string): void
}

export function newRateLimiter(counts: RequestCounts): RateLimiter {
  /**
   * A URL may contain a card number, so it is hashed with a random key; but not one that consists of
   * ids, as most do.
   */
  function addressKey(route: string, request: FastifyRequest): string {
    const ids = onlyIds(request)
    if (ids !== null) return `${route} ${ids}`
    const text = `${route} ${exactAddress(request)}`
    return createHmac('sha256', counts.hash_key).update(text).digest('base64')
  }

  /** Charge routes have their own limit; all others have two that apply together. */
  function keysOf(subject: string, request: FastifyRequest): RateKey[] {
    const { config, url: pattern = '' } = request.routeOptions
    if (config.rate === 'charge') return [['charge', subject]]
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = `${subject} ${method} ${pattern}`
    return [
      ['route', route],
      ['exact', addressKey(route, request)],
    ]
  }

  function take(subject: string, request: FastifyRequest, reply: FastifyReply) {
    const keys = keysOf(subject, request)
    const counted = counts.take(keys)
    if (counted instanceof Promise)
      return counted.then((found) => setRateHeaders(reply, keys, found))
    return setRateHeaders(reply, keys, counted)
  }

  return {
    take,
    keysOf,
    attempt: (subject) => counts.attempt(subject),
    succeeded: (subject) => counts.succeeded(subject),
  }
}

/** The rate limit headers of a response. */
export function rateHeaders(keys: readonly RateKey[], counted: Counted): HeaderList {
  const headers: HeaderList = []
  for (let index = 0; index < keys.length; index += 1) {
    const { remaining_header, rate_header, per_minute } = rate_limits[keys[index]?.[0] ?? 'route']
    const remaining = String(counted.remaining[index] ?? 0)
    headers.push(remaining_header, remaining, rate_header, String(per_minute))
  }
  return headers
}

function setRateHeaders(reply: FastifyReply, keys: readonly RateKey[], counted: Counted): Counted {
  const headers = rateHeaders(keys, counted)
  for (let index = 0; index < headers.length; index += 2) {
    reply.header(headers[index] ?? '', headers[index + 1])
  }
  return counted
}

/** The ids of a URL that contains nothing else, or null. */
export function onlyIds(request: FastifyRequest): string | null {
  for (const _ in queryOf(request)) return null
  let ids = ''
  const values = paramsOf(request)
  for (const name in values) {
    const value = values[name] ?? ''
    if (!isUuid(value)) return null
    ids += `${value.toLowerCase()} `
  }
  return ids
}

/**
 * The URL as the router parsed it, so that no other spelling of it (percent signs, upper case ids,
 * another order of parameters) is counted separately.
 */
function exactAddress(request: FastifyRequest): string {
  const params = Object.entries(paramsOf(request))
  const query = Object.entries(queryOf(request))
  const path = params.map(([name, value]) => [name, String(value).toLowerCase()])
  return JSON.stringify([path, query.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))])
}
