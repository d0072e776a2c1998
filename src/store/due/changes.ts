import type { Signals } from '../signals.ts'

export interface Waiting {
  /**
   * Resolves when the resource may have changed, or was cancelled; with its new state, if that was passed
   * on.
   */
  readonly changed: Promise<object | undefined>
  cancel(): void
}

/** Waits for changes of resources without querying the database: one message wakes all waiters. */
export interface Changes {
  /** Starts waiting. Call it before reading, so that no change is missed in between. */
  wait(id: string): Waiting
  /** Notifies every process that a resource has changed; waiters of this one get what it is now. */
  notify(id: string, value?: object): void
  /** Wakes all waiters: the service stops, and no request should wait any more. */
  stop(): void
  stopped(): boolean
}

export function newChanges(signals: Signals): Changes {
  const waiting = new Map<string, Set<(value?: object) => void>>()
  let stopped = false
  const wakeAll = () => {
    for (const wake of [...waiting.values()].flatMap((set) => [...set])) wake()
  }
  const wakeOf = (id: string, value?: object) => {
    for (const wake of [...(waiting.get(id) ?? [])]) wake(value)
  }
  signals.on('changed', (id) => {
    if (id === '') wakeAll()
    else wakeOf(id)
  })

  return {
    wait: (id) => {
      const waiters = waiting.get(id) ?? new Set()
      let wake = (_value?: object) => {}
      const changed = new Promise<object | undefined>((resolve) => {
        wake = (value) => {
          // Once: later the same id may have other waiters.
          if (!waiters.delete(wake)) return
          if (waiters.size === 0) waiting.delete(id)
          resolve(value)
        }
        waiting.set(id, waiters.add(wake))
      })
      return { changed, cancel: () => wake() }
    },
    notify: (id, value) => {
      wakeOf(id, value)
      signals.broadcast('changed', id)
    },
    stop: () => {
      stopped = true
      wakeAll()
    },
    stopped: () => stopped,
  }
}
