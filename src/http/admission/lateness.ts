import { systemClock } from '../../core/time/clock.ts'

/** The lag of the event loop: how long everything waits before it is even looked at. */
export interface Lateness {
  late_ms(): number
  stop(): void
}

const look_ms = 100

/** Never late: for code outside of a running service. */
export const never_late: Lateness = { late_ms: () => 0, stop: () => {} }

/**
 * Measured ten times a second. Only two late measurements in a row count, by the smaller: a single
 * pause, for garbage collection or a machine that wakes up, is over when it is noticed.
 */
export function watchLateness(monotonic = systemClock.monotonic): Lateness {
  let looked_ms = monotonic()
  let before_ms = 0
  let late_ms = 0
  const timer = setInterval(() => {
    const now_ms = monotonic()
    const found_ms = now_ms - looked_ms - look_ms
    looked_ms = now_ms
    late_ms = Math.min(before_ms, found_ms)
    before_ms = found_ms
  }, look_ms).unref()
  return { late_ms: () => late_ms, stop: () => clearInterval(timer) }
}
