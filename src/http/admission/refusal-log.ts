import { second_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'

/** This many refusals per second get their own log line. */
const lines_per_second = 20

/**
 * Decides whether a refused request is logged individually. A flood of them would cost more to log than
 * to refuse: beyond a few per second they are counted and logged in one line.
 */
export function newRefusalLog(log: Service['log']): (status: number) => boolean {
  let counts: Record<string, number> = {}
  let seen = 0

  function logCounts(): void {
    if (seen > lines_per_second)
      log.info({ refused: counts }, 'further requests were refused in this second')
    counts = {}
    seen = 0
  }

  return (status) => {
    if (seen === 0) setTimeout(logCounts, second_ms).unref()
    seen += 1
    if (seen <= lines_per_second) return true
    counts[status] = (counts[status] ?? 0) + 1
    return false
  }
}
