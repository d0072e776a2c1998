import { type FairShares, newFairShares } from './core/limits/fair-share.ts'
import { systemClock } from './core/time/clock.ts'

/** A kind of work that requests hand over: its rows, and what a request has read for them already. */
export interface LocalKind<Row, Context> {
  readonly name: string
  /** Only to tell the types apart. */
  readonly types?: (row: Row, context: Context) => void
}

/** A worker slot that is kept free for a row that is about to be written. */
export interface LocalSlot<Row, Context> {
  /** The row is written as claimed for so long: no worker looks for it meanwhile. */
  readonly lease_ms: number
  /** The row was written. Starts it soon, or immediately if batching would only delay it. */
  work(row: Row, context: Context, at_once?: boolean): void
  /** It was not. */
  release(): void
}

/**
 * Hands new work from a request straight to the worker of its own process. A row that is written as claimed
 * does not have to be found, claimed and read again. This is only a short cut: without a free slot, or
 * without a worker, the row is written as due and found like any other.
 */
export interface LocalWork {
  reserve<Row, Context>(
    kind: LocalKind<Row, Context>,
    merchant_id: string,
  ): LocalSlot<Row, Context> | null
  /** Registers the worker of a kind, with its maximum number of concurrent items. */
  open<Row, Context>(
    kind: LocalKind<Row, Context>,
    max_running: number,
    lease_ms: number,
    run: (row: Row, context: Context) => Promise<void>,
  ): void
  /** Takes no more, begins what was handed over, and waits for all that is being done. */
  close(): Promise<void>
}

interface Open {
  readonly max_running: number
  readonly lease_ms: number
  readonly run: (row: unknown, context: unknown) => Promise<void>
  readonly shares: FairShares
  /** The next items, the items in progress, and when something began last. */
  readonly next: (() => void)[]
  working: number
  begun_ms: number
}

/**
 * When more than a few items are in progress, new ones wait for the rest of this time and begin together.
 * They then share their statements with more items, and requests that wait for a response have the database
 * for themselves meanwhile.
 */
const together_ms = 40
const few = 4

export function newLocalWork(monotonic = systemClock.monotonic): LocalWork {
  const kinds = new Map<string, Open>()
  const running = new Set<Promise<void>>()

  function begin(open: Open): void {
    open.begun_ms = monotonic()
    for (const start of open.next.splice(0)) start()
  }

  /** After everything that is handed over in this turn of the event loop. */
  function beginSoon(open: Open): void {
    const wait_ms = open.begun_ms + together_ms - monotonic()
    if (open.working > few && wait_ms > 0) setTimeout(begin, wait_ms, open)
    else setImmediate(begin, open)
  }

  return {
    reserve: ({ name }, merchant_id) => {
      const open = kinds.get(name)
      if (!open?.shares.mayTake(merchant_id, open.max_running)) return null
      open.shares.take(merchant_id)
      const release = () => open.shares.release(merchant_id)
      const work = (row: unknown, context: unknown, at_once = false) => {
        const start = () => {
          open.working += 1
          const job: Promise<void> = open.run(row, context).finally(() => {
            open.working -= 1
            release()
            running.delete(job)
          })
          running.add(job)
        }
        if (at_once) return start()
        open.next.push(start)
        if (open.next.length === 1) beginSoon(open)
      }
      return { lease_ms: open.lease_ms, work, release }
    },
    open: ({ name }, max_running, lease_ms, run) => {
      const counts = { working: 0, begun_ms: 0 }
      const shares = newFairShares()
      // The kind says which rows and context its name has.
      kinds.set(name, {
        max_running,
        lease_ms,
        run: run as Open['run'],
        next: [],
        shares,
        ...counts,
      })
    },
    close: async () => {
      for (const open of kinds.values()) begin(open)
      kinds.clear()
      await Promise.all(running)
    },
  }
}
