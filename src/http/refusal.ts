import type { FastifyReply } from 'fastify'
import { second_ms, systemClock } from '../core/clock.ts'
import { type ErrorCode, errors, Failure } from '../core/errors.ts'
import { errorBody, json_type } from './error-handler.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The request was not let through. */
    refused: boolean
  }
}

/** A response to a request that is not let through. Its body is made once. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  readonly body: string
  readonly length: string
}

/** Only for the few sentences of the program: a message that names a request is an error. */
export function newRefusal(code: ErrorCode, message?: string): Refusal {
  const failure = new Failure(code, message ? { message } : {})
  const body = JSON.stringify(errorBody(failure))
  return { status: errors[code][0], code, body, length: String(Buffer.byteLength(body)) }
}

/**
 * Answers past the framework: raising an error, serializing it and running hooks would cost more
 * than everything else about a refused request. Headers that were set go along.
 */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, retry_after_s?: number): void {
  if (reply.sent) return
  if (reply.request.routeOptions.config.page) {
    const details = retry_after_s === undefined ? {} : { retry_after_s }
    reply.send(new Failure(refusal.code, details))
    return
  }
  const headers: unknown[] = []
  const given = reply.getHeaders()
  for (const name in given) headers.push(name, given[name])
  headers.push('content-type', json_type, 'content-length', refusal.length)
  if (retry_after_s !== undefined) headers.push('retry-after', retry_after_s)
  reply.hijack()
  reply.refused = true
  reply.statusCode = refusal.status
  reply.raw.writeHead(refusal.status, headers as string[])
  reply.raw.end(reply.request.method === 'HEAD' ? undefined : refusal.body)
}

const per_second = 500
const burst = 200
const max_wait_ms = second_ms
const interval_ms = second_ms / per_second
/** Waits that are shorter are not worth a timer. */
const min_wait_ms = 5
const max_subjects = 10_000

/** Sends the refusals of one subject at a bounded rate. */
export type RefusalPace = (
  subject: string,
  reply: FastifyReply,
  refusal: Refusal,
  retry_after_s?: number,
) => void

/**
 * A client that repeats what was refused as fast as it can would use up the processor that serves
 * everybody. After a burst, its refusals are sent at a bounded rate, each at most a second late, and
 * its connections wait meanwhile.
 */
export function newRefusalPace(monotonic = systemClock.monotonic): RefusalPace {
  /** When the next refusal of a subject is due. */
  const next_ms = new Map<string, number>()

  function forgetOld(now_ms: number): void {
    for (const [subject, at_ms] of next_ms) if (at_ms <= now_ms) next_ms.delete(subject)
    if (next_ms.size >= max_subjects) next_ms.clear()
  }

  return (subject, reply, refusal, retry_after_s) => {
    const now_ms = monotonic()
    if (next_ms.size >= max_subjects) forgetOld(now_ms)
    const due_ms = Math.max(next_ms.get(subject) ?? 0, now_ms - burst * interval_ms)
    const wait_ms = Math.min(due_ms - now_ms, max_wait_ms)
    if (wait_ms < max_wait_ms) next_ms.set(subject, due_ms + interval_ms)
    if (wait_ms < min_wait_ms) sendRefusal(reply, refusal, retry_after_s)
    else setTimeout(sendRefusal, wait_ms, reply, refusal, retry_after_s)
  }
}
