import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Buckets, newBuckets } from '../core/bucket.ts'
import { fail } from '../core/errors.ts'
import { attempt_limit, rate_limits } from '../core/limits.ts'
import type { Service } from '../service.ts'

type LimitName = keyof typeof rate_limits

/** Counts requests. In memory of one process; a shared counter would offer the same functions. */
export interface RateLimiter {
  /** Counts a request of a subject, or throws when it has no more; sets the headers either way. */
  take(subject: string, request: FastifyRequest, reply: FastifyReply): void
  /** Counts a look at an unknown credential, before it costs anything; the result gives it back. */
  attempt(subject: string, request: FastifyRequest, reply: FastifyReply): { succeeded(): void }
  size(): number
}

export function newRateLimiter({ clock }: Service): RateLimiter {
  const buckets = {
    charge: newBuckets(rate_limits.charge),
    route: newBuckets(rate_limits.route),
    exact: newBuckets(rate_limits.exact),
  } satisfies Record<LimitName, Buckets>
  const attempts = newBuckets(attempt_limit)
  const hash_key = randomBytes(32)

  /** An address may hold a card number, so keys are hashed with a key nobody knows. */
  function hashed(text: string): string {
    return createHmac('sha256', hash_key).update(text).digest('base64')
  }

  /** Charge routes have their own limit; all others have two that hold together. */
  function keysOf(subject: string, request: FastifyRequest): [LimitName, string][] {
    const { config, url: pattern = '' } = request.routeOptions
    if (config.rate === 'charge') return [['charge', subject]]
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = `${subject} ${method} ${pattern}`
    return [
      ['route', route],
      ['exact', hashed(`${route} ${exactAddress(request)}`)],
    ]
  }

  function take(subject: string, request: FastifyRequest, reply: FastifyReply): void {
    const now_ms = clock.monotonic()
    const keys = keysOf(subject, request)
    const allowed = keys.every(([name, key]) => buckets[name].remaining(key, now_ms) > 0)
    let wait_ms = 0
    for (const [name, key] of keys) {
      if (allowed) buckets[name].take(key, now_ms)
      else wait_ms = Math.max(wait_ms, buckets[name].wait(key, now_ms))
      const { remaining_header, rate_header, per_minute } = rate_limits[name]
      reply.header(remaining_header, buckets[name].remaining(key, now_ms))
      reply.header(rate_header, per_minute)
    }
    if (!allowed) refuse(wait_ms)
  }

  return {
    take,
    attempt: (subject, request, reply) => {
      const now_ms = clock.monotonic()
      if (attempts.remaining(subject, now_ms) === 0) {
        take(subject, request, reply)
        refuse(attempts.wait(subject, now_ms))
      }
      attempts.take(subject, now_ms)
      return { succeeded: () => attempts.giveBack(subject, clock.monotonic()) }
    },
    size: () => Object.values(buckets).reduce((sum, one) => sum + one.size(), 0),
  }
}

function refuse(wait_ms: number): never {
  fail('BAD_REQUEST', { retry_after_s: Math.max(1, Math.ceil(wait_ms / 1000)) })
}

/**
 * The address as the router understood it, so that no other spelling of it (percent signs, upper
 * case ids, another order of parameters) is counted apart.
 */
function exactAddress(request: FastifyRequest): string {
  const params = Object.entries((request.params ?? {}) as Record<string, string>)
  const query = Object.entries((request.query ?? {}) as Record<string, unknown>)
  const path = params.map(([name, value]) => [name, String(value).toLowerCase()])
  return JSON.stringify([path, query.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))])
}
