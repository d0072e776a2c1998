import type { Signals } from './signals.ts'

export interface Waiting {
  /** Resolves when the resource may have changed, or the time is over. */
  readonly changed: Promise<void>
  cancel(): void
}

/** Waiting for resources to change without asking the database: one message wakes all waiters. */
export interface Changes {
  /** Begins to wait. Begin before reading, so that no change falls between. */
  wait(id: string, over: AbortSignal): Waiting
  /** Says that a resource has changed, to every process. */
  tell(id: string): void
}

export function newChanges(signals: Signals): Changes {
  const waiting = new Map<string, Set<() => void>>()
  signals.on('changed', (id) => {
    const sets = id === '' ? [...waiting.values()] : [waiting.get(id) ?? new Set<() => void>()]
    for (const wake of sets.flatMap((set) => [...set])) wake()
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
    tell: (id) => signals.spread('changed', id),
  }
}
