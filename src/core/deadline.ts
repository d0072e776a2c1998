import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from './clock.ts'

/** An instant by which something has to be over. */
export interface Deadline {
  /** Milliseconds until then; never less than zero. */
  left_ms(): number
}

/**
 * How a stop divides its time, in milliseconds after the signal. Whatever is still under way at one
 * of these instants is cut off, so that the whole stop takes less than ten seconds.
 */
const stop_schedule_ms = {
  /** Connections of requests that have not ended are closed. */
  requests: 5500,
  /** Rows that are still worked at are given back. */
  worker: 6200,
  /** Sessions of the database are closed. */
  sessions: 6900,
  /** Of several processes, those that still run are killed. */
  members: 7300,
  /** The embedded database is killed; it recovers at its next start. */
  database: 8700,
  /** The process ends, whatever holds it. */
  process: 9700,
} as const

export type StopDeadlines = Readonly<Record<keyof typeof stop_schedule_ms, Deadline>>

/** How long requests may still be taken after the signal. */
export const max_shutdown_delay_ms = 5000

export function deadlineIn(ms: number, monotonic = systemClock.monotonic): Deadline {
  const end_ms = monotonic() + ms
  return { left_ms: () => Math.max(0, end_ms - monotonic()) }
}

/** For what may take as long as it takes. */
export const no_deadline: Deadline = { left_ms: () => 2 ** 31 - 1 }

/** The deadlines of a stop that begins now. */
export function beginStop(): StopDeadlines {
  const entries = Object.entries(stop_schedule_ms).map(([name, ms]) => [name, deadlineIn(ms)])
  return Object.fromEntries(entries) as StopDeadlines
}

/** Waits for work for at most so long; says whether it has ended, well or not. */
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
