import { isRetryable } from './open-store.ts'

export interface BatchOptions {
  /** Most items of one statement. */
  readonly most: number
  /** Statements that run at the same time; what comes meanwhile gathers for the next. */
  readonly at_once: number
  /** Most items that wait; then the caller is refused rather than made to wait for ever. */
  readonly waiting: number
  /** What is thrown when too many wait. */
  refuse(): Error
}

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

const most_attempts = 5

/**
 * Concurrent calls of one operation share a statement. A call that comes alone is run at once; calls
 * that come while statements are under way go together in the next one. `run` answers each item in
 * its place. When a statement fails, each of its items is run alone, so that one bad item fails
 * nobody but itself; an error that says that the database is gone is everybody's.
 */
export function newBatch<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { most, at_once, waiting: most_waiting, refuse }: BatchOptions,
): (item: Item) => Promise<Result> {
  const queue: Waiting<Item, Result>[] = []
  let running = 0
  let planned = false

  /** Everything of one turn of the event loop goes together. */
  function plan(): void {
    if (planned || running >= at_once || queue.length === 0) return
    planned = true
    setImmediate(() => {
      planned = false
      const batch = queue.splice(0, most)
      running += 1
      void runBatch(batch).finally(() => {
        running -= 1
        plan()
      })
      plan()
    })
  }

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await runAgain(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (batch.length === 1 || !isOfData(error)) {
        for (const { reject } of batch) reject(error)
        return
      }
      for (const one of batch) await runBatch([one])
    }
  }

  async function runAgain(items: readonly Item[]): Promise<readonly Result[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run(items)
      } catch (error) {
        if (attempt === most_attempts || !isRetryable(error)) throw error
      }
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (queue.length >= most_waiting) return reject(refuse())
      queue.push({ item, resolve, reject })
      plan()
    })
}

/** Data exceptions and violated constraints: the fault of a row, and of no other. */
function isOfData(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '')
}
