import { systemClock } from './core/clock.ts'
import { type FairShares, newFairShares } from './core/fair-share.ts'

/** A hand that is kept free for a row that is about to be written. */
export interface Hand {
  /** The row is written as claimed for so long: nobody else looks for it meanwhile. */
  readonly lease_ms: number
  /** The row was written: it is worked at soon, with what the request has read already. */
  work(row: object, known?: object): void
  /** It was not. */
  release(): void
}

/**
 * Hands new work from a request straight to the worker of its own process. A row that is written as
 * claimed needs not be looked for, claimed and read again. It is a short cut and nothing more: without
 * a free hand, or without a worker, the row is written as due and found like any other.
 */
export interface LocalWork {
  reserve(kind: string, merchant_id: string): Hand | null
  /** Begins to take work of a kind, at most so many at the same time. */
  open(kind: string, most: number, lease_ms: number, run: Run): void
  /** Takes no more, begins what was handed over, and waits for all that is being done. */
  close(): Promise<void>
}

type Run = (row: object, known?: object) => Promise<void>

interface Open {
  readonly most: number
  readonly lease_ms: number
  readonly run: Run
  readonly shares: FairShares
  /** What begins next, what is being worked at, and when something began last. */
  readonly next: (() => void)[]
  working: number
  begun_ms: number
}

/**
 * What is handed over so soon after other work, while more than a few are being worked at, waits for
 * the rest of this time and begins together: then it shares its statements with more, and those who
 * wait for an answer have the database for themselves meanwhile.
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
    reserve: (kind, merchant_id) => {
      const open = kinds.get(kind)
      if (!open?.shares.mayTake(merchant_id, open.most)) return null
      open.shares.take(merchant_id)
      const release = () => open.shares.release(merchant_id)
      const work = (row: object, known?: object) => {
        open.next.push(() => {
          open.working += 1
          const job: Promise<void> = open.run(row, known).finally(() => {
            open.working -= 1
            release()
            running.delete(job)
          })
          running.add(job)
        })
        if (open.next.length === 1) beginSoon(open)
      }
      return { lease_ms: open.lease_ms, work, release }
    },
    open: (kind, most, lease_ms, run) => {
      const counts = { working: 0, begun_ms: 0 }
      kinds.set(kind, { most, lease_ms, run, next: [], shares: newFairShares(), ...counts })
    },
    close: async () => {
      for (const open of kinds.values()) begin(open)
      kinds.clear()
      await Promise.all(running)
    },
  }
}
