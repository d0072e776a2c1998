import { setTimeout as sleep } from 'node:timers/promises'
import { outageOf } from '../../../core/api/outages.ts'
import { second_ms, systemClock } from '../../../core/time/clock.ts'

const first_wait_ms = 250
const max_wait_ms = 4 * second_ms
/** Long enough for a database that starts together with the service, or fails over. */
const give_up_ms = 20 * second_ms

export interface AwaitOptions {
  /** Aborts the waiting. */
  readonly signal?: AbortSignal | undefined
  /** Receives the reason for another attempt. */
  onRetry(error: unknown, wait_ms: number): void
}

/**
 * Retries a step of the start while the database is unavailable, with growing waits and for a bounded
 * time. What waiting does not fix, such as a wrong password, fails immediately.
 */
export async function awaitDatabase<T>(
  step: () => Promise<T>,
  { signal, onRetry }: AwaitOptions,
): Promise<T> {
  const began_ms = systemClock.monotonic()
  for (let wait_ms = first_wait_ms; ; wait_ms = Math.min(max_wait_ms, wait_ms * 2)) {
    signal?.throwIfAborted()
    try {
      return await step()
    } catch (error) {
      signal?.throwIfAborted()
      const outage = outageOf(error)
      const failing_ms = systemClock.monotonic() - began_ms
      if (!outage || outage.reason === 'access_denied' || failing_ms + wait_ms > give_up_ms) {
        throw error
      }
      onRetry(error, wait_ms)
      await sleep(wait_ms, undefined, { signal })
    }
  }
}
