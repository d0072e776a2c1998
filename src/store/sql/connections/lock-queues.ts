import type { Pending } from '../batches/run-batch.ts'

interface LockQueueOptions<Item, Result> {
  readonly max_waiting: number
  ownerOf(item: Item): string
  refuse(): Error
  /** Takes the items of the next statement from a queue. */
  take(queue: Pending<Item, Result>[]): Pending<Item, Result>[]
  /** Runs items that may wait long for a lock. */
  run(batch: readonly Pending<Item, Result>[]): Promise<void>
}

/** Maximum number of owners that wait for locks at the same time; each holds a connection. */
const max_running_owners = 3

/**
 * Lock queues: the items of an owner whose rows are locked wait in a queue of their own, beside the
 * statements of all others.
 *
 * Trade-off: while an owner has a queue, its items do not share statements with others, since any of
 * them may meet the same lock.
 * States of an owner: none, queued, running; the queue ends when it is empty. Bounds: `max_waiting`
 * items in all queues together, `max_running_owners` connections.
 */
export function newLockQueues<Item, Result>({
  max_waiting,
  ownerOf,
  refuse,
  take,
  run,
}: LockQueueOptions<Item, Result>) {
  type One = Pending<Item, Result>
  const queues = new Map<string, One[]>()
  /** Owners whose queue does not run yet. */
  const queued: string[] = []
  let waiting = 0
  let running = 0

  function add(batch: readonly One[]): void {
    for (const one of batch) {
      if (waiting >= max_waiting) {
        one.reject(refuse())
        continue
      }
      waiting += 1
      const owner = ownerOf(one.item)
      const queue = queues.get(owner)
      if (queue) queue.push(one)
      else {
        queues.set(owner, [one])
        queued.push(owner)
      }
    }
    startQueued()
  }

  function startQueued(): void {
    while (running < max_running_owners && queued.length > 0) {
      running += 1
      void runQueue(queued.shift() ?? '').finally(() => {
        running -= 1
        startQueued()
      })
    }
  }

  async function runQueue(owner: string): Promise<void> {
    const queue = queues.get(owner) ?? []
    while (queue.length > 0) {
      const batch = take(queue)
      await run(batch)
      waiting -= batch.length
    }
    queues.delete(owner)
  }

  return {
    add,
    /** The items of owners without a queue; the others join theirs. */
    takeUnlocked: (batch: readonly One[]): readonly One[] => {
      if (queues.size === 0) return batch
      const isLocked = ({ item }: One) => queues.has(ownerOf(item))
      add(batch.filter(isLocked))
      return batch.filter((one) => !isLocked(one))
    },
  }
}
