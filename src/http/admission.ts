import type { ServerResponse } from 'node:http'
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  RouteHandlerMethod,
} from 'fastify'
import { second_ms, systemClock } from '../core/clock.ts'
import { errors, Failure } from '../core/errors.ts'
import { admission_rules, polls_share, type RequestKind } from './admission-rules.ts'
import { errorBody } from './error-handler.ts'
import type { Lateness } from './lateness.ts'

/** No place was free, the event loop was late, or there was a place but no answer in time. */
type Reason = 'full' | 'late' | 'unanswered'

/**
 * Lets requests in while there is room for them. What is let in is bounded, and so is everything that
 * it waits in: the line for a database connection among them. So is the time: who has no answer yet
 * is told to come back, whatever their request waits for.
 */
export interface Admission {
  /** Whether there is room. Then the request holds a place; else it is answered already. */
  enter(request: FastifyRequest, reply: FastifyReply, config: FastifyContextConfig): boolean
  /** Gives the place back, when the answer is there. */
  readonly leave: onSendHookHandler
  inProgress(): Readonly<Record<'running' | 'polling', number>>
  refused(): readonly { kind: RequestKind; reason: Reason; count: number }[]
}

export interface AdmissionTimes {
  /** How often is looked for requests without an answer. */
  readonly look_ms: number
  /** When they are told to come back. Connection and statement together may take a little less. */
  readonly answer_ms: number
  /** How long the work for them is waited for then: it may never end. */
  readonly forget_ms: number
}

const usual_times = {
  look_ms: second_ms,
  answer_ms: 25 * second_ms,
  forget_ms: 30 * second_ms,
} as const satisfies AdmissionTimes

interface Line {
  count: number
  readonly most: number
}

/** What a request holds while it is worked at. */
interface Place {
  readonly kind: RequestKind
  readonly line: Line
  readonly reply: FastifyReply
  /** When was looked last before it came: nobody reads the clock for each request. */
  readonly came_ms: number
  /** What is done for it at present. */
  work: Promise<unknown> | null
  /** It was answered without its result. The work goes on, and so the place is held. */
  is_overdue: boolean
}

/** Where a response remembers its place. */
const held = Symbol('held')
type Holder = ServerResponse & { [held]?: Place | null }

export function newAdmission(
  most: number,
  { late_ms }: Pick<Lateness, 'late_ms'>,
  times: AdmissionTimes = usual_times,
): Admission {
  const running: Line = { count: 0, most }
  const polling: Line = { count: 0, most: most * polls_share }
  const { refuse, refused } = newRefusals()
  const places = newPlaces(times, refuse)
  const rules = Object.fromEntries(
    Object.entries(admission_rules).map(([kind, { share, late_ms }]) => {
      const line = kind === 'poll' ? polling : running
      return [kind, { line, latest_ms: late_ms, most: Math.max(1, Math.floor(most * share)) }]
    }),
  ) as Record<RequestKind, { line: Line; latest_ms: number; most: number }>

  return {
    enter: (request, reply, { admit_as = 'other' }) => {
      const kind = isPoll(request) && admit_as !== 'probe' ? 'poll' : admit_as
      const rule = rules[kind]
      const is_full =
        running.count >= rule.most || (kind === 'poll' && polling.count >= polling.most)
      if (is_full || late_ms() > rule.latest_ms) {
        refuse(kind, is_full ? 'full' : 'late', reply)
        return false
      }
      places.take(kind, rule.line, reply)
      return true
    },
    leave: (_request, reply, payload, done) => {
      places.leave(reply.raw)
      done(null, payload)
    },
    inProgress: () => ({ running: running.count, polling: polling.count }),
    refused,
  }
}

type Refuse = (kind: RequestKind, reason: Reason, reply: FastifyReply) => void

const json = 'application/json; charset=utf-8'
const [busy_status] = errors.SERVICE_UNAVAILABLE
/** Made once: an answer to a flood must cost nothing. */
const busy_body = JSON.stringify(errorBody(new Failure('SERVICE_UNAVAILABLE')))
const most_retry_after_s = 3

function newRefusals(): { refuse: Refuse } & Pick<Admission, 'refused'> {
  const counts = new Map<RequestKind, Record<Reason, number>>()
  let turned_away = 0
  return {
    refuse: (kind, reason, reply) => {
      const of_kind = counts.get(kind) ?? { full: 0, late: 0, unanswered: 0 }
      of_kind[reason] += 1
      counts.set(kind, of_kind)
      turned_away += 1
      // Not all at the same moment: who is sent away together would come back together.
      const retry_after_s = 1 + (turned_away % most_retry_after_s)
      reply.code(busy_status).header('retry-after', retry_after_s).type(json).send(busy_body)
    },
    refused: () =>
      [...counts].flatMap(([kind, { full, late, unanswered }]) => [
        { kind, reason: 'full', count: full },
        { kind, reason: 'late', count: late },
        { kind, reason: 'unanswered', count: unanswered },
      ]),
  }
}

/**
 * The places that are held, in the order in which they were taken. A place is held until the answer is
 * there, not until the client has left or was told to come back: the work goes on without them. But
 * some work never ends, such as that for a body which broke off, so there is an end to it.
 */
function newPlaces({ look_ms, answer_ms, forget_ms }: AdmissionTimes, refuse: Refuse) {
  const taken = new Set<Place>()
  let looked_ms = 0
  let is_looking = false

  function giveBack(place: Place): void {
    if (taken.delete(place)) place.line.count -= 1
  }

  function tellToComeBack(place: Place): void {
    const { kind, reply, work } = place
    place.is_overdue = true
    if (!reply.sent && !reply.raw.destroyed) {
      const { statusCode: status } = reply
      refuse(kind, 'unanswered', reply)
      // The result comes too late to be sent, but not to be kept for who repeats the request.
      reply.raw.statusCode = status
      reply.send = () => reply
    }
    const ended = () => giveBack(place)
    work?.then(ended, ended)
  }

  function look(): void {
    looked_ms = systemClock.monotonic()
    for (const place of taken) {
      const age_ms = looked_ms - place.came_ms
      if (age_ms < answer_ms) continue
      if (age_ms >= answer_ms + forget_ms) giveBack(place)
      else if (!place.is_overdue && place.kind !== 'long') tellToComeBack(place)
    }
    is_looking = taken.size > 0
    if (is_looking) setTimeout(look, look_ms).unref()
  }

  return {
    take: (kind: RequestKind, line: Line, reply: FastifyReply) => {
      if (!is_looking) {
        is_looking = true
        looked_ms = systemClock.monotonic()
        setTimeout(look, look_ms).unref()
      }
      const place = { kind, line, reply, came_ms: looked_ms, work: null, is_overdue: false }
      line.count += 1
      taken.add(place)
      const response: Holder = reply.raw
      response[held] = place
    },
    leave: (response: Holder) => {
      const place = response[held]
      if (!place || place.is_overdue) return
      giveBack(place)
      response[held] = null
    },
  }
}

/** The status that was sent, which is not that of the result where this came too late. */
export function sentStatus({ raw, statusCode }: FastifyReply): number {
  return (raw as Holder)[held]?.is_overdue ? busy_status : statusCode
}

/** Remembers what is done for a request, beside its place: nobody looks unless it takes too long. */
export function noteWork<T>(reply: FastifyReply, work: T): T {
  const place = (reply.raw as Holder)[held]
  if (place && work instanceof Promise) place.work = work
  return work
}

export function notingWork(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    return noteWork(reply, handler.call(this, request, reply))
  }
}

function isPoll({ raw, query }: FastifyRequest): boolean {
  return raw.method === 'GET' && (query as { polling?: unknown }).polling === 'true'
}
