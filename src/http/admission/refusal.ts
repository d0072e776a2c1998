import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type ErrorCode, errors, Failure } from '../../core/api/errors.ts'
import { second_ms, systemClock } from '../../core/time/clock.ts'
import { errorBody, json_type } from '../reply/error-handler.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The request was refused before its handler. */
    refused: boolean
  }
}

/** The response to a refused request. Its body is built once. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  readonly body: string
  readonly length: string
}

/** Only for the fixed messages of the program: a message that depends on a request is an error. */
export function newRefusal(code: ErrorCode, message?: string): Refusal {
  const failure = new Failure(code, message ? { message } : {})
  const body = JSON.stringify(errorBody(failure))
  return { status: errors[code][0], code, body, length: String(Buffer.byteLength(body)) }
}

/** The client has sent more than its rate allows. */
export const too_many_requests = newRefusal('BAD_REQUEST')

/** Whole seconds after which a client may retry. */
export function retryAfter(wait_ms: number): number {
  return Math.max(1, Math.ceil(wait_ms / second_ms))
}

/** Headers of a response: name, value, name, value. */
export type HeaderList = string[]

/** Writes a refusal without the framework. */
export function writeRefusal(
  response: ServerResponse,
  method: string,
  { status, body, length }: Refusal,
  headers: HeaderList,
  retry_after_s?: number,
  and_close = false,
): void {
  if (and_close) headers.push('connection', 'close')
  headers.push('content-type', json_type, 'content-length', length)
  if (retry_after_s !== undefined) headers.push('retry-after', String(retry_after_s))
  response.writeHead(status, headers)
  response.end(method === 'HEAD' ? undefined : body)
}

/**
 * Responds without the framework: raising an error, serializing it and running hooks would cost more
 * than everything else about a refused request. Headers that were set are included.
 */
export function sendRefusal(
  reply: FastifyReply,
  refusal: Refusal,
  retry_after_s?: number,
  and_close = false,
): void {
  if (reply.sent) return
  if (reply.request.routeOptions.config.page) {
    const details = retry_after_s === undefined ? {} : { retry_after_s }
    reply.send(new Failure(refusal.code, details))
    return
  }
  const headers: HeaderList = []
  const given = reply.getHeaders()
  for (const name in given) headers.push(name, String(given[name]))
  reply.hijack()
  reply.refused = true
  reply.statusCode = refusal.status
  writeRefusal(reply.raw, reply.request.method, refusal, headers, retry_after_s, and_close)
}

const per_second = 500
const burst = 200
const max_wait_ms = second_ms
const interval_ms = second_ms / per_second
/** Shorter waits are not worth a timer. */
const min_wait_ms = 5
const max_subjects = 10_000
/** Per subject. A client that waits for responses has one on each of its connections. */
const max_waiting = 1000

/** Sends refusals of one subject at a bounded rate. */
export type SendPaced = (send: SendNow) => void
/** Sends it now, and then closes the connection if necessary. */
type SendNow = (and_close: boolean) => void
export type RefusalPace = (subject: string) => SendPaced

/**
 * A client that repeats refused requests as fast as it can would use up the processor that serves
 * everyone. After a burst, its refusals are sent at a bounded rate, each at most a second late, and its
 * connections wait meanwhile.
 */
export function newRefusalPace(monotonic = systemClock.monotonic): RefusalPace {
  const subjects = new Map<string, { next_ms: number; sendPaced: SendPaced }>()

  function forgetOld(): void {
    const now_ms = monotonic()
    for (const [subject, { next_ms }] of subjects) if (next_ms <= now_ms) subjects.delete(subject)
    if (subjects.size >= max_subjects) subjects.clear()
  }

  return (subject) => {
    const known = subjects.get(subject)
    if (known) return known.sendPaced
    if (subjects.size >= max_subjects) forgetOld()
    const state = {
      /** When the next refusal is due. */
      next_ms: 0,
      waiting: 0,
      sendPaced: (send: SendNow) => {
        // Connections that do not wait for their responses are closed.
        if (state.waiting >= max_waiting) return send(true)
        const now_ms = monotonic()
        const due_ms = Math.max(state.next_ms, now_ms - burst * interval_ms)
        const wait_ms = Math.min(due_ms - now_ms, max_wait_ms)
        if (wait_ms < max_wait_ms) state.next_ms = due_ms + interval_ms
        if (wait_ms < min_wait_ms) return send(false)
        state.waiting += 1
        setTimeout(() => {
          state.waiting -= 1
          send(false)
        }, wait_ms)
      },
    }
    subjects.set(subject, state)
    return state.sendPaced
  }
}
