import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { second_ms, systemClock } from '../core/clock.ts'
import { type Deadline, endsWithin, no_deadline } from '../core/deadline.ts'
import { PlainError } from '../core/plain-error.ts'
import type { OwnCounts } from '../core/request-counts.ts'
import type { Measured } from '../http/metrics.ts'
import type { StartOrder, ToFirst, ToMember } from './process-messages.ts'
import { promised } from './promised.ts'
import { answerAsks } from './shared-counts.ts'

/** The processes that serve, as the first one sees them. */
export interface Team {
  /** Resolves when all of them serve; rejects with what the first said that could not. */
  readonly started: Promise<void>
  /** Resolves when nobody serves any more and none can be started. */
  readonly lost: Promise<PlainError>
  /** What each has measured; one that does not answer soon is left out. */
  measured(): Promise<Measured[]>
  /** Lets all finish what they do; those that have not ended by the deadline are killed. */
  stop(deadline?: Deadline): Promise<void>
}

export interface TeamOptions {
  readonly size: number
  /** The file that every process runs. */
  readonly program: string
  readonly order: StartOrder
  readonly counts: OwnCounts
  readonly log: Logger
}

/** One place in the team. Whoever has it is replaced when it dies. */
interface Place {
  readonly number: number
  worker: Worker | null
  serving: boolean
  /** Deaths one soon after the other. */
  deaths: number
  serving_since_ms: number
  ended: Promise<void>
  said: string | null
}

/** Who served for so long did not die of its start. */
const healthy_ms = 10 * second_ms
const longest_delay_ms = 10 * second_ms
/** With the delays between them, a good minute. */
const most_deaths = 12
const measure_ms = second_ms

export function startTeam({ size, program, order, counts, log }: TeamOptions): Team {
  let stopping = false
  let all_started = false
  const questions = new Map<number, (measured: Measured) => void>()
  const over = new AbortController()
  const start = promised<void>()
  const lost = promised<PlainError>()
  const places = Array.from({ length: size }, (_, index): Place => {
    const rest = { deaths: 0, serving_since_ms: 0, ended: Promise.resolve(), said: null }
    return { number: index + 1, worker: null, serving: false, ...rest }
  })

  const tell = (worker: Worker | null, message: ToMember) => {
    if (worker?.isConnected()) worker.send(message, () => {})
  }

  function hear(place: Place, worker: Worker, message: ToFirst): void {
    if (message.kind === 'count') {
      tell(worker, { kind: 'counted', replies: answerAsks(counts, message.asks) })
    } else if (message.kind === 'measured') {
      questions.get(message.question)?.(message.measured)
    } else if (message.kind === 'hello') {
      tell(worker, stopping ? { kind: 'stop' } : { kind: 'start', order })
    } else if (message.kind === 'ready') {
      Object.assign(place, { serving: true, serving_since_ms: systemClock.monotonic() })
      all_started ||= places.every(({ serving }) => serving)
      if (all_started) start.resolve()
    } else place.said = message.message
  }

  function fill(place: Place): void {
    cluster.setupPrimary({ exec: program, args: ['serve', '--process', String(place.number)] })
    const worker = cluster.fork()
    Object.assign(place, { worker, said: null })
    worker.on('message', (message) => hear(place, worker, message))
    worker.on('error', () => {})
    place.ended = new Promise((resolve) => {
      worker.on('exit', (code, signal) => {
        place.worker = null
        resolve()
        if (!stopping) void replace(place, signal ?? `exit code ${code}`)
      })
    })
  }

  /** At once when it had served for a while; later and later when it dies again and again. */
  async function replace(place: Place, end: string): Promise<void> {
    const lived = place.serving && systemClock.monotonic() - place.serving_since_ms > healthy_ms
    place.serving = false
    place.deaths = lived ? 0 : place.deaths + 1
    const how = place.said ?? `It ended with ${end}.`
    if (!all_started) {
      return start.reject(new PlainError(place.said ?? `A process did not start: ${how}`))
    }
    if (place.deaths >= most_deaths && !places.some(({ serving }) => serving)) {
      return lost.resolve(new PlainError(`No process can be started any more. ${how}`))
    }
    const delay_ms = lived ? 0 : Math.min(longest_delay_ms, 50 * 2 ** place.deaths)
    log.error({ process: place.number, how, delay_ms }, 'a process ended and is replaced')
    await sleep(delay_ms, undefined, { signal: over.signal }).catch(() => {})
    if (!stopping) fill(place)
  }

  let asked = 0
  function measure({ worker }: Place): Promise<Measured> {
    asked += 1
    const question = asked
    const answer = new Promise<Measured>((resolve) => questions.set(question, resolve))
    tell(worker, { kind: 'measure', question })
    const none = sleep(measure_ms, [] as Measured, { ref: false })
    return Promise.race([answer, none]).finally(() => questions.delete(question))
  }

  for (const place of places) fill(place)
  return {
    started: start.promise,
    lost: lost.promise,
    measured: () => Promise.all(places.filter(({ serving }) => serving).map(measure)),
    stop: async (deadline = no_deadline) => {
      stopping = true
      over.abort()
      for (const { worker } of places) tell(worker, { kind: 'stop' })
      const all_ended = Promise.all(places.map(({ ended }) => ended))
      if (await endsWithin(all_ended, deadline.left_ms())) return
      for (const { worker } of places) worker?.process.kill('SIGKILL')
      await all_ended
    },
  }
}
