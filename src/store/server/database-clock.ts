import type pg from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../../core/time/clock.ts'

/** A clock that shows the time of the database, until it is stopped. */
export interface DatabaseClock extends Clock {
  stop(): void
}

/** The database's time, in milliseconds since 1970. */
export type AskTime = () => Promise<number>

/** Database time minus monotonic time; the error is at most `doubt_ms`. */
interface Measure {
  readonly offset_ms: number
  readonly doubt_ms: number
  readonly at_ms: number
}

const measure_ms = 10_000
/** After a failed query, so that a new primary is soon asked for its time. */
const retry_ms = 1000
const max_attempts = 3
const good_doubt_ms = 5
/** Monotonic time is read in whole milliseconds, before the query and after its result. */
const reading_doubt_ms = 1
/** Maximum drift between two clocks: 200 ppm, more than quartz has. */
const drift = 0.0002
/** A change that is not drift: a failover, a changed system time, or this machine slept. */
const jump_ms = 1000

/**
 * Follows the time of the database. Between queries it runs on the monotonic clock, so the date of this
 * machine, wrong or changed while the service runs, never matters; nor does it stop when the database
 * is unavailable. Small corrections never turn it back: it stands still until it is right again.
 */
export async function followDatabaseTime(
  withTime: <T>(work: (ask: AskTime) => Promise<T>) => Promise<T>,
  monotonic: Clock['monotonic'],
  log: Pick<Logger, 'warn'>,
): Promise<DatabaseClock> {
  let known = await withTime((ask) => measure(ask, monotonic))
  let shown_ms = 0
  let timer: NodeJS.Timeout | null = null
  let stopped = false

  function take(found: Measure): void {
    if (!isBetter(found, known)) return
    const change_ms = Math.round(found.offset_ms - known.offset_ms)
    known = found
    if (Math.abs(change_ms) < jump_ms) return
    shown_ms = 0
    log.warn({ change_ms }, 'the clock of the database jumped; the service follows it')
  }

  function schedule(wait_ms: number): void {
    if (stopped) return
    timer = setTimeout(() => {
      withTime((ask) => measure(ask, monotonic)).then(
        (found) => {
          take(found)
          schedule(measure_ms)
        },
        () => schedule(retry_ms),
      )
    }, wait_ms).unref()
  }

  schedule(measure_ms)
  return {
    monotonic,
    now: () => {
      shown_ms = Math.max(shown_ms, Math.floor(monotonic() + known.offset_ms))
      return shown_ms
    },
    stop: () => {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}

/** Queries until a response was fast, at most three times; the fastest counts. */
async function measure(ask: AskTime, monotonic: Clock['monotonic']): Promise<Measure> {
  let best: Measure | null = null
  for (let attempts = 0; attempts < max_attempts; attempts += 1) {
    const sent_ms = monotonic()
    const time_ms = await ask()
    const at_ms = monotonic()
    const offset_ms = time_ms - (sent_ms + at_ms) / 2
    const doubt_ms = (at_ms - sent_ms) / 2 + reading_doubt_ms
    if (!best || doubt_ms < best.doubt_ms) best = { offset_ms, doubt_ms, at_ms }
    if (doubt_ms <= good_doubt_ms) break
  }
  return best as Measure
}

/**
 * A measurement replaces the known one when it is more precise by now, or proves it wrong. A slow
 * response is neither, so it changes nothing.
 */
function isBetter(found: Measure, known: Measure): boolean {
  const aged_ms = known.doubt_ms + (found.at_ms - known.at_ms) * drift
  const apart_ms = Math.abs(found.offset_ms - known.offset_ms)
  return found.doubt_ms <= aged_ms || apart_ms > found.doubt_ms + aged_ms
}

/** A query that a dead network swallowed times out; otherwise the time would not be followed again. */
const question = {
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as time_ms',
  query_timeout: 5000,
}

/** Uses a session that is already open: waiting for one is no part of a round trip. */
export function timeOf({ pool }: { readonly pool: pg.Pool }) {
  return async <T>(work: (ask: AskTime) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let broken = true
    try {
      const result = await work(async () => {
        const { rows } = await client.query(question)
        return rows[0].time_ms
      })
      broken = false
      return result
    } finally {
      client.release(broken)
    }
  }
}
