import { faultOf } from '../../../core/read-unknown.ts'
import { UnconfirmedCommit } from '../connections/session.ts'
import { isLost, isRetryable, isUnavailable } from '../statements/database-errors.ts'

/** A call that waits for its result. */
export interface Pending<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Results in the order of the items. Only with `waits_for_locks` does it wait long for a locked row. */
export type RunItems<Item, Result> = (
  items: readonly Item[],
  waits_for_locks: boolean,
) => Promise<readonly Result[]>

interface RunOptions<Item, Result> {
  /** Called when the results are there, before the callers get them. */
  readonly onResponse?: (() => void) | undefined
  /** Called when a row was locked for too long; without it, that is an error like any other. */
  readonly onLocked?: (batch: readonly Pending<Item, Result>[]) => Promise<void>
}

const max_attempts = 5

/**
 * Error splitting: runs a batch and settles its calls.
 *
 * Trade-off: a statement fails as a whole. Then each of its items runs alone, so that one bad item
 * fails no other; that costs a statement for each, and happens only after a failure. States: attempted
 * (again after a deadlock), split, settled. Bounds: `max_attempts` for a statement; a batch is split
 * once, into single items.
 */
export async function runBatch<Item, Result>(
  batch: readonly Pending<Item, Result>[],
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { onResponse, onLocked }: RunOptions<Item, Result> = {},
): Promise<void> {
  let results: readonly Result[]
  try {
    results = await runAgain(() => run(batch.map(({ item }) => item)))
  } catch (error) {
    if (onLocked && isLocked(error)) await onLocked(batch)
    else if (batch.length > 1 && !concernsAll(error)) {
      for (const one of batch) await runBatch([one], run, onLocked ? { onLocked } : {})
    } else {
      for (const { reject } of batch) reject(error)
    }
    return
  }
  onResponse?.()
  let index = 0
  for (const { resolve } of batch) {
    resolve(results[index] as Result)
    index += 1
  }
}

async function runAgain<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt === max_attempts || !isRetryable(error)) throw error
    }
  }
}

/** A row is locked by another transaction, and not only for a moment. */
function isLocked(error: unknown): boolean {
  return faultOf(error).code === '55P03'
}

/** No item is at fault: the database is unavailable, or its result cannot be trusted. */
function concernsAll(error: unknown): boolean {
  return isUnavailable(error) || isLost(error) || error instanceof UnconfirmedCommit
}
