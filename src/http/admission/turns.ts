import { newFairShares } from '../../core/limits/fair-share.ts'

/** A request that waits for its turn. */
export interface Turn {
  readonly owner: string
  /** Begins the work; null once it has begun. */
  start: (() => void) | null
}

/**
 * Bounds how many requests are processed at the same time, with a fair share for each owner. The others
 * wait in a queue of their owner, and owners are served in rotation. So a merchant with a thousand
 * requests does not fill the shared queue for database connections.
 */
export interface Turns {
  /** Starts the work immediately, or when its turn comes. The work may end before this returns. */
  wait(turn: Turn): void
  /** The work has ended, or is no longer waited for. */
  end(turn: Turn): void
}

export function newTurns(total: number): Turns {
  const shares = newFairShares()
  const queues = new Map<string, Set<Turn>>()

  function mayStart(owner: string): boolean {
    return shares.mayTake(owner, total)
  }

  function begin(turn: Turn): void {
    const { start } = turn
    turn.start = null
    shares.take(turn.owner)
    start?.()
  }

  /** The owner that was served goes to the end of the rotation. */
  function beginNext(): void {
    for (const [owner, queue] of queues) {
      if (!mayStart(owner)) continue
      const [turn] = queue
      queues.delete(owner)
      if (!turn) continue
      queue.delete(turn)
      if (queue.size > 0) queues.set(owner, queue)
      begin(turn)
      return
    }
  }

  function leaveQueue(turn: Turn): void {
    const queue = queues.get(turn.owner)
    queue?.delete(turn)
    if (queue?.size === 0) queues.delete(turn.owner)
  }

  return {
    wait: (turn) => {
      const { owner } = turn
      const queue = queues.get(owner)
      if (!queue && mayStart(owner)) begin(turn)
      else if (queue) queue.add(turn)
      else queues.set(owner, new Set([turn]))
    },
    end: (turn) => {
      if (turn.start) return leaveQueue(turn)
      shares.release(turn.owner)
      beginNext()
    },
  }
}
