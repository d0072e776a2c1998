import type { Signals } from './signals.ts'

export interface Waiting {
  /** Resolves when the resource may have changed, or at the timeout. */
  readonly changed: Promise<void>
  cancel(): void
}

/** Waits for changes of resources without querying the database: one message wakes all waiters. */
export interface Changes {
  /** Starts waiting. Call it before reading, so that no change is missed in between. */
  wait(id: string, over: AbortSignal): Waiting
  /** Notifies every process that a resource has changed. */
  notify(id: string): void
  /** Wakes all waiters: the service stops, and no request should wait any more. */
  stop(): void
  stopped(): boolean
}

export function newChanges(signals: Signals): Changes {
  const waiting = new Map<string, Set<() => void>>()
  let stopped = false
  const wakeAll = () => {
    for (const wake of [...waiting.values()].flatMap((set) => [...set])) wake()
  }
  signals.on('changed', (id) => {
    if (id === '') wakeAll()
    else for (const wake of [...(waiting.get(id) ?? [])]) wake()
  })

  return {
    wait: (id, over) => {
      const waiters = waiting.get(id) ?? new Set()
      let cancel = () => {}
      const changed = new Promise<void>((resolve) => {
        cancel = () => {
          waiters.delete(cancel)
          over.removeEventListener('abort', cancel)
          if (waiters.size === 0) waiting.delete(id)
          resolve()
        }
        waiting.set(id, waiters.add(cancel))
        over.addEventListener('abort', cancel)
      })
      return { changed, cancel: () => cancel() }
    },
    notify: (id) => signals.broadcast('changed', id),
    stop: () => {
      stopped = true
      wakeAll()
    },
    stopped: () => stopped,
  }
}
