import type { FastifyReply } from 'fastify'
import { systemClock } from '../core/clock.ts'
import { type ErrorCode, errors, Failure } from '../core/errors.ts'
import { errorBody, json_type } from './error-handler.ts'

/** Written once: refusing a flood must cost next to nothing. */
const bodies = new Map<string, string>()

function bodyOf(code: ErrorCode, message: string): string {
  const key = `${code} ${message}`
  const known = bodies.get(key)
  if (known !== undefined) return known
  const body = JSON.stringify(errorBody(new Failure(code, { message })))
  bodies.set(key, body)
  return body
}

interface Refusal {
  readonly code: ErrorCode
  /** One of a few sentences of the program, never one that is made for a request. */
  readonly message?: string
  readonly retry_after_s?: number
}

/** Answers without raising an error, which costs more than the rest of a refused request. */
export function sendRefusal(reply: FastifyReply, { code, message, retry_after_s }: Refusal): void {
  if (reply.sent) return
  const [status, sentence] = errors[code]
  if (retry_after_s !== undefined) reply.header('retry-after', retry_after_s)
  reply
    .code(status)
    .type(json_type)
    .send(bodyOf(code, message ?? sentence))
}

const per_second = 500
const burst = 200
const max_wait_ms = 1000
const interval_ms = 1000 / per_second
/** Waits that are shorter are not worth a timer. */
const min_wait_ms = 5
const max_subjects = 10_000

/** Sends the refusals of one subject at a bounded rate. */
export type RefusalPace = (subject: string, reply: FastifyReply, refusal: Refusal) => void

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

  return (subject, reply, refusal) => {
    const now_ms = monotonic()
    if (next_ms.size >= max_subjects) forgetOld(now_ms)
    const due_ms = Math.max(next_ms.get(subject) ?? 0, now_ms - burst * interval_ms)
    const wait_ms = Math.min(due_ms - now_ms, max_wait_ms)
    if (wait_ms < max_wait_ms) next_ms.set(subject, due_ms + interval_ms)
    if (wait_ms < min_wait_ms) sendRefusal(reply, refusal)
    else setTimeout(sendRefusal, wait_ms, reply, refusal)
  }
}
