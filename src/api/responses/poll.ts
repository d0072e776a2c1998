import Type from 'typebox'
import { second_ms } from '../../core/time/clock.ts'
import type { Service } from '../../service.ts'

export const PollingQuery = Type.Object({
  polling: Type.Optional(
    Type.Boolean({ description: 'Wait up to five seconds for the status to change.' }),
  ),
})

const usual_ms = 5 * second_ms

/**
 * Reads a resource; on request, delays the response until the resource has left its intermediate state.
 * While it waits it does not query the database: a message wakes it, then it reads again. A service
 * that stops responds with the current state.
 */
export function poll<T>(
  service: Service,
  id: string,
  polling: boolean | undefined,
  /** Gets the resource as this process has just written it, where it was told. */
  read: (written?: object) => Promise<T>,
  isWaiting: (value: T) => boolean,
  longest_ms = usual_ms,
): Promise<T> {
  return polling ? readWhenDone(service, id, read, isWaiting, longest_ms) : read()
}

async function readWhenDone<T>(
  service: Service,
  id: string,
  read: (written?: object) => Promise<T>,
  isWaiting: (value: T) => boolean,
  longest_ms: number,
): Promise<T> {
  let is_over = false
  let cancel = () => {}
  // A timer that is cleared: a signal of a time-out costs more, and is raised long after the response.
  const timer = setTimeout(() => {
    is_over = true
    cancel()
  }, longest_ms).unref()
  try {
    let written: object | undefined
    for (;;) {
      const waiting = service.changes.wait(id)
      cancel = waiting.cancel
      const value = await read(written)
      if (is_over || service.changes.stopped() || !isWaiting(value)) return value
      written = await waiting.changed
    }
  } finally {
    cancel()
    clearTimeout(timer)
  }
}
