import { setTimeout as sleep } from 'node:timers/promises'
import { second_ms, systemClock } from '../core/clock.ts'
import { outageOf } from '../core/outages.ts'

const first_wait_ms = 250
const max_wait_ms = 4 * second_ms
/** A database that starts together with the service is up by then; so is one that fails over. */
const give_up_ms = 20 * second_ms

export interface AwaitOptions {
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
  /** Is told why there is another attempt. */
  onRetry(error: unknown, wait_ms: number): void
}

/**
 * Does a step of the start again while the database is unavailable, with growing waits and for a
 * bounded time. What waiting does not mend, such as a wrong password, fails at once.
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
