import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { PlainError } from '../core/api/plain-error.ts'
import type { OwnCounts } from '../core/limits/request-counts.ts'
import { second_ms, systemClock } from '../core/time/clock.ts'
import { type Deadline, endsWithin, no_deadline } from '../core/time/deadline.ts'
import type { Measured } from '../http/observation/metrics.ts'
import type { StartOrder, ToFirst, ToMember } from './process-messages.ts'
import { promised } from './promised.ts'
import { replyToAsks } from './shared-counts.ts'

/** The serving processes, as the first process sees them. */
export interface ProcessPool {
  /** Resolves when all of them serve; rejects with the message of the first that failed. */
  readonly started: Promise<void>
  /** Resolves when no process serves any more and none can be started. */
  readonly lost: Promise<PlainError>
  /** The metrics of each; a process that does not respond soon is left out. */
  measured(): Promise<Measured[]>
  /** Lets all processes finish their work, and kills those that have not ended by the deadline. */
  stop(deadline?: Deadline): Promise<void>
}

export interface ProcessPoolOptions {
  readonly size: number
  /** The file that every process runs. */
  readonly program: string
  readonly order: StartOrder
  readonly counts: OwnCounts
  readonly log: Logger
}

/** One slot of the pool. Its process is replaced when it dies. */
interface ProcessSlot {
  readonly number: number
  worker: Worker | null
  serving: boolean
  /** Consecutive early deaths. */
  deaths: number
  serving_since_ms: number
  ended: Promise<void>
  said: string | null
}

/** A process that served this long did not die of its start. */
const healthy_ms = 10 * second_ms
const max_delay_ms = 10 * second_ms
/** With the delays between them, a good minute. */
const max_deaths = 12
const measure_ms = second_ms

export function startProcessPool({
  size,
  program,
  order,
  counts,
  log,
}: ProcessPoolOptions): ProcessPool {
  let stopping = false
  let all_started = false
  const questions = new Map<number, (measured: Measured) => void>()
  const over = new AbortController()
  const start = promised<void>()
  const lost = promised<PlainError>()
  const slots = Array.from({ length: size }, (_, index): ProcessSlot => {
    const rest = { deaths: 0, serving_since_ms: 0, ended: Promise.resolve(), said: null }
    return { number: index + 1, worker: null, serving: false, ...rest }
  })

  const send = (worker: Worker | null, message: ToMember) => {
    if (worker?.isConnected()) worker.send(message, () => {})
  }

  function onMessage(slot: ProcessSlot, worker: Worker, message: ToFirst): void {
    if (message.kind === 'count') {
      send(worker, { kind: 'counted', replies: replyToAsks(counts, message.asks) })
    } else if (message.kind === 'measured') {
      questions.get(message.question)?.(message.measured)
    } else if (message.kind === 'handshake') {
      send(worker, stopping ? { kind: 'stop' } : { kind: 'start', order })
    } else if (message.kind === 'ready') {
      Object.assign(slot, { serving: true, serving_since_ms: systemClock.monotonic() })
      all_started ||= slots.every(({ serving }) => serving)
      if (all_started) start.resolve()
    } else slot.said = message.message
  }

  function fill(slot: ProcessSlot): void {
    cluster.setupPrimary({ exec: program, args: ['serve', '--process', String(slot.number)] })
    const worker = cluster.fork()
    Object.assign(slot, { worker, said: null })
    worker.on('message', (message) => onMessage(slot, worker, message))
    worker.on('error', () => {})
    slot.ended = new Promise((resolve) => {
      worker.on('exit', (code, signal) => {
        slot.worker = null
        resolve()
        if (!stopping) void replace(slot, signal ?? `exit code ${code}`)
      })
    })
  }

  /** Immediately when it had served for a while; with growing delays when it dies repeatedly. */
  async function replace(slot: ProcessSlot, end: string): Promise<void> {
    const lived = slot.serving && systemClock.monotonic() - slot.serving_since_ms > healthy_ms
    slot.serving = false
    slot.deaths = lived ? 0 : slot.deaths + 1
    const how = slot.said ?? `It ended with ${end}.`
    if (!all_started) {
      return start.reject(new PlainError(slot.said ?? `A process did not start: ${how}`))
    }
    if (slot.deaths >= max_deaths && !slots.some(({ serving }) => serving)) {
      return lost.resolve(new PlainError(`Processes keep ending, so no new one is started. ${how}`))
    }
    const delay_ms = lived ? 0 : Math.min(max_delay_ms, 50 * 2 ** slot.deaths)
    log.error({ process: slot.number, how, delay_ms }, 'a process ended and will be replaced')
    await sleep(delay_ms, undefined, { signal: over.signal }).catch(() => {})
    if (stopping) return
    try {
      fill(slot)
    } catch (error) {
      // No memory for one more process, perhaps.
      await replace(slot, String(error))
    }
  }

  let asked = 0
  function measure({ worker }: ProcessSlot): Promise<Measured> {
    asked += 1
    const question = asked
    const response = new Promise<Measured>((resolve) => questions.set(question, resolve))
    send(worker, { kind: 'measure', question })
    const none = sleep<Measured>(measure_ms, [], { ref: false })
    return Promise.race([response, none]).finally(() => questions.delete(question))
  }

  for (const slot of slots) fill(slot)
  return {
    started: start.promise,
    lost: lost.promise,
    measured: () => Promise.all(slots.filter(({ serving }) => serving).map(measure)),
    stop: async (deadline = no_deadline) => {
      stopping = true
      over.abort()
      for (const { worker } of slots) send(worker, { kind: 'stop' })
      const all_ended = Promise.all(slots.map(({ ended }) => ended))
      if (await endsWithin(all_ended, deadline.left_ms())) return
      for (const { worker } of slots) worker?.process.kill('SIGKILL')
      await all_ended
    },
  }
}
