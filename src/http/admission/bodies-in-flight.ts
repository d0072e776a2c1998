import type { FastifyReply, FastifyRequest } from 'fastify'
import { request_limits } from '../../core/limits/limits.ts'
import { second_ms, systemClock } from '../../core/time/clock.ts'
import { newRefusal, sendRefusal } from './refusal.ts'

/**
 * Counts requests whose body is still arriving. They hold no slot of the admission control, so that a
 * client that sends its body slowly, or never, blocks no other client. An ordinary body arrives with
 * its headers and is not counted at all.
 */
export interface BodiesInFlight {
  /** Whether the body may be read; otherwise the request is answered. */
  begin(request: FastifyRequest, reply: FastifyReply, subjects: readonly string[]): boolean
  /** The body has arrived, or is no longer waited for. */
  end(reply: FastifyReply): void
  count(): number
}

export interface BodyLimits {
  readonly total: number
  /** The limits of one merchant and of one address. */
  readonly per_subject: number
  readonly timeout_ms: number
  readonly check_ms: number
}

export function bodyLimits(requests_in_progress: number): BodyLimits {
  return {
    total: requests_in_progress,
    per_subject: Math.max(16, Math.floor(requests_in_progress / 8)),
    timeout_ms: request_limits.body_timeout_ms,
    check_ms: second_ms,
  }
}

interface Body {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly subjects: readonly string[]
  readonly since_ms: number
}

/** A body that has taken this long may be evicted when there is no free slot. */
const evictable_ms = second_ms

const message = 'Too many requests whose body has not arrived; send the body with the headers.'
const too_many_of_one = newRefusal('BAD_REQUEST', message)
const too_many = newRefusal('SERVICE_UNAVAILABLE', message)
const too_late = newRefusal('REQUEST_TIMEOUT')

export function newBodiesInFlight(
  { total, per_subject, timeout_ms, check_ms }: BodyLimits,
  monotonic = systemClock.monotonic,
): BodiesInFlight {
  /** In the order in which they began. */
  const bodies = new Map<FastifyReply, Body>()
  const counts = new Map<string, number>()
  let is_checking = false

  function end(reply: FastifyReply): void {
    const body = bodies.get(reply)
    if (!body) return
    bodies.delete(reply)
    for (const subject of body.subjects) {
      const left = (counts.get(subject) ?? 0) - 1
      if (left > 0) counts.set(subject, left)
      else counts.delete(subject)
    }
  }

  /** The rest of the body is not read: the connection is closed after the response. */
  function timeOut({ request, reply }: Body): void {
    end(reply)
    if (!reply.sent && !reply.raw.destroyed) {
      reply.header('connection', 'close')
      sendRefusal(reply, too_late)
      // The reader of the body fails later and must not send a second response.
      reply.send = () => reply
    }
    request.raw.socket.destroySoon()
  }

  function check(): void {
    const now_ms = monotonic()
    for (const body of bodies.values()) {
      if (body.request.raw.destroyed) end(body.reply)
      else if (now_ms - body.since_ms >= timeout_ms) timeOut(body)
    }
    is_checking = bodies.size > 0
    if (is_checking) setTimeout(check, check_ms).unref()
  }

  /** Evicts the oldest of some bodies, if it has had its time. */
  function evict(now_ms: number, isOne: (body: Body) => boolean): boolean {
    for (const body of bodies.values()) {
      if (now_ms - body.since_ms < evictable_ms) return false
      if (!isOne(body)) continue
      timeOut(body)
      return true
    }
    return false
  }

  const hasCapacity = (now_ms: number) => bodies.size < total || evict(now_ms, () => true)

  /** Bodies that never arrive must not block the ordinary requests of the same merchant. */
  const hasShare = (now_ms: number, subjects: readonly string[]) =>
    subjects.every(
      (subject) =>
        (counts.get(subject) ?? 0) < per_subject ||
        evict(now_ms, (body) => body.subjects.includes(subject)),
    )

  return {
    begin: (request, reply, subjects) => {
      if (hasArrived(request)) return true
      const now_ms = monotonic()
      const is_over = !hasShare(now_ms, subjects)
      if (is_over || !hasCapacity(now_ms)) {
        reply.header('connection', 'close')
        sendRefusal(reply, is_over ? too_many_of_one : too_many, 1)
        return false
      }
      bodies.set(reply, { request, reply, subjects, since_ms: now_ms })
      for (const subject of subjects) counts.set(subject, (counts.get(subject) ?? 0) + 1)
      if (!is_checking) setTimeout(check, check_ms).unref()
      is_checking = true
      return true
    },
    end,
    count: () => bodies.size,
  }
}

/** Whether a request has a body. */
export function hasBody({ headers }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

/** Whether the whole body arrived during the credential lookup. */
function hasArrived({ headers, raw }: FastifyRequest): boolean {
  return raw.complete || raw.readableLength >= Number(headers['content-length'])
}
