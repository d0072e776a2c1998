import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlainError } from '../../../core/api/plain-error.ts'
import { faultOf } from '../../../core/read-unknown.ts'
import { minute_ms, second_ms, systemClock } from '../../../core/time/clock.ts'
import type { Home } from './postgres-cluster.ts'

/** How often, and for how long, starting a server is retried. */
export interface RestartPolicy {
  /** The wait before the second attempt; each wait is twice the previous one. */
  readonly first_wait_ms: number
  readonly max_wait_ms: number
  /** How long a start of the service retries. */
  readonly give_up_start_ms: number
  /** How long a running service retries. */
  readonly give_up_ms: number
  /** The same when the folder of the database is gone: then retrying hardly helps. */
  readonly give_up_gone_ms: number
  /** A server that ran this long did not die of its start: waits start over. */
  readonly healthy_ms: number
}

export const usual_policy: RestartPolicy = {
  first_wait_ms: 250,
  max_wait_ms: 10 * second_ms,
  give_up_start_ms: 10 * second_ms,
  give_up_ms: 2 * minute_ms,
  give_up_gone_ms: 3 * second_ms,
  healthy_ms: 10 * second_ms,
}

/** Starts the server; its error says why that failed. */
type Start = () => Promise<void>

/** A cause that retrying does not fix; the message says what to do. */
export class StartRefused extends PlainError {}

export interface Restarts {
  /** Starts for the first time. The children of a killed server hold its memory for a moment. */
  startUntilRuns(start: Start): Promise<void>
  /** Restarts whenever the server has ended; resolves when that is given up. */
  keepRunning(start: Start, ended: () => Promise<unknown>): Promise<PlainError>
}

/** Restarts a server with growing waits and a limit, until `over` is aborted. */
export function newRestarts(
  home: Home,
  policy: RestartPolicy,
  over: AbortSignal,
  onTrouble: (message: string) => void,
): Restarts {
  const monotonic = systemClock.monotonic
  const isGone = () => !existsSync(join(home.folder, 'data', 'PG_VERSION'))
  let failing_since_ms = monotonic()
  let wait_ms = 0

  /** The wait before the next attempt, or null when there is none. */
  function nextWait(give_up_ms: number): number | null {
    const failing_ms = monotonic() - failing_since_ms
    wait_ms = Math.min(policy.max_wait_ms, wait_ms * 2 || policy.first_wait_ms)
    const max_ms = isGone() ? Math.min(policy.give_up_gone_ms, give_up_ms) : give_up_ms
    return failing_ms + wait_ms > max_ms ? null : wait_ms
  }

  async function startWithin(give_up_ms: number, start: Start): Promise<void> {
    for (;;) {
      try {
        return await start()
      } catch (error) {
        if (error instanceof StartRefused || over.aborted) throw error
        const next_ms = nextWait(give_up_ms)
        if (next_ms === null) throw error
        onTrouble(`${faultOf(error).message} The next attempt is in ${next_ms} ms.`)
        await sleep(next_ms, undefined, { signal: over })
      }
    }
  }

  /** A server that ended soon after its start is not restarted immediately. */
  async function restart(started_ms: number, start: Start): Promise<void> {
    onTrouble('The embedded database stopped unexpectedly; restarting it.')
    if (monotonic() - started_ms >= policy.healthy_ms) {
      failing_since_ms = monotonic()
      wait_ms = 0
    } else {
      const next_ms = nextWait(policy.give_up_ms)
      if (next_ms === null) throw new Error('It ends again and again.')
      await sleep(next_ms, undefined, { signal: over })
    }
    await startWithin(policy.give_up_ms, start)
  }

  function explain(error: unknown): PlainError {
    if (error instanceof StartRefused) return error
    if (isGone()) {
      return new PlainError(
        `The embedded database stopped, and its folder ${home.folder} is gone. ` +
          'Restore DATA_DIR from a backup, or start with another DATA_DIR.',
      )
    }
    const why = isFull(home.folder) ? full_advice : `See ${join(home.folder, 'server.log')}.`
    return new PlainError(`The embedded database stopped and could not be restarted. ${why}`)
  }

  return {
    startUntilRuns: (start) =>
      startWithin(policy.give_up_start_ms, start).catch((error) => {
        if (over.aborted || error instanceof StartRefused || !isFull(home.folder)) throw error
        throw new PlainError(`The embedded database did not start. ${full_advice}`)
      }),
    keepRunning: async (start, ended) => {
      for (let is_first = true; ; is_first = false) {
        const started_ms = monotonic()
        await ended()
        if (over.aborted) return new Promise<PlainError>(() => {})
        try {
          // The start itself succeeded, so the first end is no sign of a bad one.
          await restart(is_first ? Number.NEGATIVE_INFINITY : started_ms, start)
        } catch (error) {
          if (over.aborted) return new Promise<PlainError>(() => {})
          return explain(error)
        }
      }
    },
  }
}

const full_advice = 'Its disk is full: make room, and start the service again.'
/** Less than one WAL segment is free: the server needs that to start. */
const log_segment_bytes = 16 * 1024 ** 2

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < log_segment_bytes
  } catch {
    return false
  }
}
