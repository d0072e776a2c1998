import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { errors, Failure } from '../core/errors.ts'
import { errorBody } from './error-handler.ts'
import type { Lateness } from './lateness.ts'

/** `poll` is a read that may wait for a change: it does nothing most of its time. */
export type RequestKind = 'write' | 'read' | 'poll'
type Reason = 'full' | 'late'

/**
 * What a process takes on, by kind of request: up to how much of `REQUESTS_IN_PROGRESS`, and while its
 * event loop is at most how late. What asks for new work goes first: who has paid can still look.
 */
const admission_rules = {
  write: { share: 1, late_ms: 500 },
  read: { share: 1.25, late_ms: 1000 },
  // Counted apart from the others, which they would otherwise keep out without working.
  poll: { share: 2, late_ms: 500 },
} as const satisfies Record<RequestKind, { share: number; late_ms: number }>

/** A request whose client went away is worked at until its end, but not waited for longer. */
const abandoned_ms = 30_000

/**
 * Lets requests in while there is room for them. What is let in is bounded, and so is everything that
 * it waits in: the line for a database connection among them.
 */
export interface Admission {
  /** Whether there is room. Then the request holds a place; else it is answered already. */
  enter(request: FastifyRequest, reply: FastifyReply): boolean
  /** Gives the place back, when the answer is there. */
  readonly leave: onSendHookHandler
  inProgress(): Readonly<Record<'running' | 'polling', number>>
  refused(): readonly { kind: RequestKind; reason: Reason; count: number }[]
}

interface Line {
  count: number
}

/** Where a response remembers the line that it holds a place in. */
const held = Symbol('held')
type Holder = ServerResponse & { [held]?: Line | null }

export function newAdmission(most: number, { late_ms }: Pick<Lateness, 'late_ms'>): Admission {
  const running: Line = { count: 0 }
  const polling: Line = { count: 0 }
  const refused = new Map<RequestKind, Record<Reason, number>>()
  const rules = {
    write: { ...admission_rules.write, most, line: running },
    read: {
      ...admission_rules.read,
      most: Math.ceil(most * admission_rules.read.share),
      line: running,
    },
    poll: { ...admission_rules.poll, most: most * admission_rules.poll.share, line: polling },
  }
  let turned_away = 0

  function refuse(kind: RequestKind, reason: Reason, reply: FastifyReply): void {
    const counts = refused.get(kind) ?? { full: 0, late: 0 }
    counts[reason] += 1
    refused.set(kind, counts)
    turned_away += 1
    // Not all at the same moment: who is sent away together would come back together.
    const retry_after_s = 1 + (turned_away % most_retry_after_s)
    reply.code(busy_status).header('retry-after', retry_after_s).type(json).send(busy_body)
  }

  return {
    enter: (request, reply) => {
      const kind = kindOf(request)
      const rule = rules[kind]
      const is_full = rule.line.count >= rule.most
      if ((is_full || late_ms() > rule.late_ms) && !isProbe(request)) {
        refuse(kind, is_full ? 'full' : 'late', reply)
        return false
      }
      rule.line.count += 1
      const response: Holder = reply.raw
      response[held] = rule.line
      response.on('close', abandon)
      return true
    },
    leave: (_request, reply, payload, done) => {
      giveBack(reply.raw)
      done(null, payload)
    },
    inProgress: () => ({ running: running.count, polling: polling.count }),
    refused: () =>
      [...refused].flatMap(([kind, { full, late }]) => [
        { kind, reason: 'full', count: full },
        { kind, reason: 'late', count: late },
      ]),
  }
}

const json = 'application/json; charset=utf-8'
const [busy_status] = errors.SERVICE_UNAVAILABLE
/** Made once: an answer to a flood must cost nothing. */
const busy_body = JSON.stringify(errorBody(new Failure('SERVICE_UNAVAILABLE')))
const most_retry_after_s = 3

function giveBack(response: Holder): void {
  const line = response[held]
  if (!line) return
  line.count -= 1
  response[held] = null
}

/**
 * The connection is gone. Without an answer the work goes on, and holds its place; but some requests
 * never get one, such as those whose body broke off, so there is an end to it.
 */
function abandon(this: Holder): void {
  if (this[held]) setTimeout(giveBack, abandoned_ms, this).unref()
}

function kindOf({ raw, query }: FastifyRequest): RequestKind {
  const { method } = raw
  if (method === 'POST' || method === 'PATCH' || method === 'DELETE' || method === 'PUT') {
    return 'write'
  }
  return (query as { polling?: unknown }).polling === 'true' ? 'poll' : 'read'
}

/** Probes of the machine are answered always: a busy process must not be taken for a dead one. */
function isProbe({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.rate === 'none'
}
