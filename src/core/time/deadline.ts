import { setTimeout as sleep } from 'node:timers/promises'
import { namesOf, tableOf } from '../table-names.ts'
import { systemClock } from './clock.ts'

/** An instant by which something must be finished. */
export interface Deadline {
  /** Milliseconds until then; never less than zero. */
  left_ms(): number
}

/**
 * How a stop divides its time, in milliseconds after the signal. Work that is still running at one of
 * these instants is cut off, so that the whole stop takes less than ten seconds.
 */
const stop_schedule_ms = {
  /** Connections of unfinished requests are closed. */
  requests: 5500,
  /** Claims on rows that are still being processed are released. */
  worker: 6200,
  /** Database sessions are closed. */
  sessions: 6900,
  /** The instant at which remaining processes are killed. */
  members: 7300,
  /** The embedded database is killed; it recovers at its next start. */
  database: 8700,
  /** The process exits, whatever holds it open. */
  process: 9700,
} as const

export type StopDeadlines = Readonly<Record<keyof typeof stop_schedule_ms, Deadline>>

/** How long requests are still accepted after the signal. */
export const max_shutdown_delay_ms = 5000

export function deadlineIn(ms: number, monotonic = systemClock.monotonic): Deadline {
  const end_ms = monotonic() + ms
  return { left_ms: () => Math.max(0, end_ms - monotonic()) }
}

/** For work without a time limit. */
export const no_deadline: Deadline = { left_ms: () => 2 ** 31 - 1 }

/** The deadlines of a stop that begins now. */
export function beginStop(): StopDeadlines {
  return tableOf(namesOf(stop_schedule_ms), (name) => deadlineIn(stop_schedule_ms[name]))
}

/** Waits for work at most this long; returns whether it has ended, successfully or not. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController()
  const late = sleep(Math.max(0, ms), false, { signal: over.signal }).catch(() => false)
  const ended = work.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([ended, late])
  } finally {
    over.abort()
  }
}
