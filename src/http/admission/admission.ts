import type { ServerResponse } from 'node:http'
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
} from 'fastify'
import { queryOf } from '../../api/routes/request-parts.ts'
import { addressSubject } from '../../core/access/address-subject.ts'
import { type FairShares, newFairShares, withExtra } from '../../core/limits/fair-share.ts'
import { namesOf, tableOf } from '../../core/table-names.ts'
import { second_ms, systemClock } from '../../core/time/clock.ts'
import {
  admission_rules,
  min_turns,
  polls_share,
  type RequestKind,
  turns_share,
} from './admission-rules.ts'
import type { Lateness } from './lateness.ts'
import { newRefusal, newRefusalPace, type Refusal, sendRefusal } from './refusal.ts'
import { newTurns, type Turn } from './turns.ts'

/**
 * No slot was free, the owner of the request held its share of them, the event loop was late, or
 * there was a slot but no response in time.
 */
type Reason = 'full' | 'share' | 'late' | 'unanswered'

/**
 * Admission control: admits requests while there are free slots. The number of admitted requests is
 * bounded, and so is every queue behind it, such as the one for database connections. The time is
 * bounded too: a request without a response in time is answered with 503, whatever it waits for.
 */
export interface Admission {
  /** Whether any slot is free, before the request is read; otherwise it is refused. */
  hasFreeSlot(request: FastifyRequest, reply: FastifyReply, config: FastifyContextConfig): boolean
  /**
   * Whether a slot is free for this owner: a merchant, or an address. Then the request holds it;
   * otherwise it is refused.
   */
  enter(
    request: FastifyRequest,
    reply: FastifyReply,
    config: FastifyContextConfig,
    owner: string,
  ): boolean
  /**
   * Whether there is still no slot for a request of a kind that was refused before; then `send` refuses
   * it.
   */
  refuseAgain(kind: RequestKind, owner: string, send: SendBusy): boolean
  /** The kind of a request. */
  kindOf(request: FastifyRequest, config: FastifyContextConfig): RequestKind
  /** Starts the work of a request that holds a slot, when it is its owner's turn. */
  waitForTurn(reply: FastifyReply, start: () => void): void
  /** Releases the slot: the response is ready, or the request only waits for its body. */
  leave(reply: FastifyReply): void
  inProgress(): Readonly<Record<'running' | 'polling', number>>
  refused(): readonly { kind: RequestKind; reason: Reason; count: number }[]
}

export interface AdmissionTimes {
  /** How often overdue requests are removed. */
  readonly look_ms: number
  /** When they are answered with 503. Connection and statement timeouts together are a little shorter. */
  readonly response_ms: number
  /** The same for polls: they respond by themselves, declarations after 30 seconds. */
  readonly poll_response_ms: number
  /** The longest wait for their work, which may never end. */
  readonly forget_ms: number
}

const usual_times = {
  look_ms: second_ms,
  response_ms: 25 * second_ms,
  poll_response_ms: 35 * second_ms,
  forget_ms: 30 * second_ms,
} as const satisfies AdmissionTimes

interface SlotPool extends FairShares {
  readonly max_slots: number
}

/** The resources that a request holds while it is processed. */
interface Slot {
  readonly kind: RequestKind
  readonly owner: string
  readonly pool: SlotPool
  readonly reply: FastifyReply
  /** The time of the last check before it arrived: reading the clock for each request would cost more. */
  readonly came_ms: number
  /** The work that currently runs for it. */
  work: Promise<unknown> | null
  /** It was answered without its result. The work continues, so the slot stays taken. */
  is_overdue: boolean
  turn: Turn | null
}

/** The property of a response that stores its slot. */
const held = Symbol('held')
type Holder = ServerResponse & { [held]?: Slot | null }

function slotOf({ raw }: { readonly raw: Holder }): Slot | null | undefined {
  return raw[held]
}

export function newAdmission(
  max_slots: number,
  { late_ms }: Pick<Lateness, 'late_ms'>,
  times: AdmissionTimes = usual_times,
): Admission {
  const running: SlotPool = Object.assign(newFairShares(), { max_slots })
  const polling: SlotPool = Object.assign(newFairShares(), { max_slots: max_slots * polls_share })
  const turns = newTurns(Math.max(min_turns, Math.floor(max_slots * turns_share)))
  const { refuse, refused } = newRefusals()
  const slots = newSlots(times, refuse, ({ pool, owner, turn }) => {
    pool.release(owner)
    if (turn) turns.end(turn)
  })
  const rules = tableOf(namesOf(admission_rules), (kind) => {
    const { share, late_ms: latest_ms } = admission_rules[kind]
    const pool = kind === 'poll' ? polling : running
    return { pool, latest_ms, max_slots: Math.max(1, Math.floor(max_slots * share)) }
  })

  function kindOf(
    request: FastifyRequest,
    { admit_as = 'other' }: FastifyContextConfig,
  ): RequestKind {
    return isPoll(request) && admit_as !== 'probe' ? 'poll' : admit_as
  }

  /** A poll begins with a read: both need a slot. */
  function refusalOf(kind: RequestKind, owner: string | null): Reason | null {
    const { pool, latest_ms, max_slots } = rules[kind]
    if (!running.mayTake(owner, max_slots))
      return running.count < withExtra(max_slots) ? 'share' : 'full'
    if (pool === polling && !polling.mayTake(owner, polling.max_slots)) return 'full'
    return late_ms() > latest_ms ? 'late' : null
  }

  return {
    hasFreeSlot: (request, reply, config) => {
      const kind = kindOf(request, config)
      const reason = refusalOf(kind, null)
      if (reason) refuse(kind, reason, addressSubject(request.ip), sendBy(reply))
      return reason === null
    },
    refuseAgain: (kind, owner, send) => {
      const reason = refusalOf(kind, null)
      if (reason) refuse(kind, reason, owner, send)
      return reason !== null
    },
    kindOf,
    enter: (request, reply, config, owner) => {
      const kind = kindOf(request, config)
      const reason = refusalOf(kind, owner)
      if (reason) {
        refuse(kind, reason, owner, sendBy(reply))
        return false
      }
      const { pool } = rules[kind]
      pool.take(owner)
      slots.take(kind, owner, pool, reply)
      return true
    },
    leave: (reply) => slots.leave(reply.raw),
    waitForTurn: (reply, start) => {
      const slot = slotOf(reply)
      if (!slot || !kinds_with_turns.has(slot.kind)) return start()
      slot.turn = { owner: slot.owner, start }
      turns.wait(slot.turn)
    },
    inProgress: () => ({ running: running.count, polling: polling.count }),
    refused,
  }
}

/** A poll waits for a change and moving a clock takes long: they would occupy a turn without working. */
const kinds_with_turns: ReadonlySet<RequestKind> = new Set(['list', 'other', 'money'])

type SendBusy = (refusal: Refusal, retry_after_s: number, and_close: boolean) => void
type Refuse = (kind: RequestKind, reason: Reason, owner: string, send: SendBusy) => void
const sendBy =
  (reply: FastifyReply): SendBusy =>
  (refusal, retry_after_s, and_close) =>
    sendRefusal(reply, refusal, retry_after_s, and_close)

const busy = newRefusal('SERVICE_UNAVAILABLE')
const max_retry_after_s = 3

function newRefusals(): { refuse: Refuse } & Pick<Admission, 'refused'> {
  const counts = new Map<RequestKind, Record<Reason, number>>()
  const pace = newRefusalPace()
  let turned_away = 0
  return {
    refuse: (kind, reason, owner, send) => {
      const of_kind = counts.get(kind) ?? { full: 0, share: 0, late: 0, unanswered: 0 }
      of_kind[reason] += 1
      counts.set(kind, of_kind)
      turned_away += 1
      // At different times: clients that are refused together would otherwise come back together.
      const retry_after_s = 1 + (turned_away % max_retry_after_s)
      if (reason === 'unanswered') send(busy, retry_after_s, false)
      else pace(owner)((and_close) => send(busy, retry_after_s, and_close))
    },
    refused: () =>
      [...counts].flatMap(([kind, of_kind]) =>
        namesOf(of_kind).map((reason) => ({ kind, reason, count: of_kind[reason] })),
      ),
  }
}

/**
 * The slots that are taken, in the order in which they were taken. A slot is held until the result is
 * there, not until the client has disconnected or got a 503: the work continues without it. But some
 * work never ends, such as that for a body that broke off, so there is a time limit.
 */
function newSlots(
  { look_ms, response_ms, poll_response_ms, forget_ms }: AdmissionTimes,
  refuse: Refuse,
  onFree: (slot: Slot) => void,
) {
  const taken = new Set<Slot>()
  let looked_ms = 0
  let is_looking = false

  function giveBack(slot: Slot): void {
    if (taken.delete(slot)) onFree(slot)
  }

  function refuseOverdue(slot: Slot): void {
    const { kind, owner, reply, work, turn } = slot
    slot.is_overdue = true
    if (!reply.sent && !reply.raw.destroyed) {
      const { statusCode: status } = reply
      refuse(kind, 'unanswered', owner, sendBy(reply))
      // The result is too late to be sent, but can still be stored for a repeated request.
      reply.raw.statusCode = status
      reply.send = () => reply
    }
    const ended = () => giveBack(slot)
    // No work was started for a request that still waits for its turn.
    if (turn?.start) ended()
    else work?.then(ended, ended)
  }

  function look(): void {
    looked_ms = systemClock.monotonic()
    for (const slot of taken) {
      const age_ms = looked_ms - slot.came_ms
      const max_ms = slot.kind === 'poll' ? poll_response_ms : response_ms
      if (age_ms < max_ms) continue
      if (age_ms >= max_ms + forget_ms) giveBack(slot)
      else if (!slot.is_overdue && slot.kind !== 'long') refuseOverdue(slot)
    }
    is_looking = taken.size > 0
    if (is_looking) setTimeout(look, look_ms).unref()
  }

  return {
    take: (kind: RequestKind, owner: string, pool: SlotPool, reply: FastifyReply) => {
      if (!is_looking) {
        is_looking = true
        looked_ms = systemClock.monotonic()
        setTimeout(look, look_ms).unref()
      }
      const state = { work: null, is_overdue: false, turn: null }
      const slot: Slot = { kind, owner, pool, reply, came_ms: looked_ms, ...state }
      taken.add(slot)
      const response: Holder = reply.raw
      response[held] = slot
    },
    leave: (response: Holder) => {
      const slot = response[held]
      if (!slot || slot.is_overdue) return
      giveBack(slot)
      response[held] = null
    },
  }
}

/** The status that was sent; it differs from that of a result that came too late. */
export function sentStatus({ raw, statusCode }: FastifyReply): number {
  return slotOf({ raw })?.is_overdue ? busy.status : statusCode
}

/** Stores the work of a request with its slot; it is only used when it takes too long. */
export function noteWork<T>(reply: FastifyReply, work: T): T {
  const slot = slotOf(reply)
  if (slot && work instanceof Promise) slot.work = work
  return work
}

export function notingWork(handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    return noteWork(reply, handler.call(this, request, reply))
  }
}

function isPoll(request: FastifyRequest): boolean {
  return request.raw.method === 'GET' && queryOf(request).polling === 'true'
}
