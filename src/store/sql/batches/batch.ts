import { Failure } from '../../../core/api/errors.ts'
import type { Db } from '../../tables/db.ts'
import { newLockQueues } from '../connections/lock-queues.ts'
import { sharedDb } from '../connections/shared-connections.ts'
import { type Pending, type RunItems, runBatch } from './run-batch.ts'

export interface BatchOptions<Item> {
  /** Items of one statement. */
  readonly max_items: number
  /** Statements that run at the same time; items that arrive meanwhile join the next one. */
  readonly max_running: number
  /** Maximum number of waiting items; beyond that a call is refused. */
  readonly max_waiting: number
  /** Callers that get a result call again soon, as requests do: each statement takes half of them. */
  readonly alternate_batches: boolean
  /** Items of another owner do not wait for a row that is locked for this one. */
  ownerOf(item: Item): string
  /** The key of an item: no two of the same key share a statement. */
  keyOf?(item: Item): string
  /** What is thrown when too many items wait. */
  refuse(): Error
}

/** Queues are bounded; when one is full, the request is answered with 503. */
function refuse(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', { message: 'Too much at once.', retry_after_s: 1 })
}

const shared_by_requests = { max_items: 64, max_running: 1, alternate_batches: true, refuse }

/** For statements of requests that write, and that read; and for writes of the worker. */
export const write_options = { ...shared_by_requests, max_waiting: 2000 }
export const read_options = { ...shared_by_requests, max_waiting: 4000 }
export const work_options = { ...write_options, alternate_batches: false }

/**
 * Creates something once per connection pool, so that all requests share it. It gets the few sessions
 * for shared statements, and those for statements that wait for a lock: waiting must not occupy the
 * shared sessions.
 */
export function perPool<T>(make: (db: Db, lock_waiting_db: Db) => T): (db: Db) => T {
  const created = new WeakMap<Db, T>()
  return (db) => {
    const known = created.get(db) ?? make(sharedDb(db), db)
    created.set(db, known)
    return known
  }
}

/** Below this size, splitting a batch costs more than it saves. */
const min_split = 8

/**
 * Coalescing: concurrent calls of one operation share a statement.
 *
 * Trade-off: a lone call runs immediately; calls that arrive while a statement runs wait for it and join
 * the next batch. Each statement costs a round trip and a commit, however many items it has.
 * States of an item: queued, running, and where its rows are locked, in the lock queue of its owner.
 * Bounds: `max_waiting` items are queued, and as many wait for locks; further calls are refused.
 */
export function newBatch<Item, Result>(
  run: RunItems<Item, Result>,
  options: BatchOptions<Item>,
): (item: Item) => Promise<Result> {
  type One = Pending<Item, Result>
  const { max_items, max_running, max_waiting, alternate_batches, ownerOf } = options
  const queue: One[] = []
  let running = 0
  let planned = false
  const lock_queues = newLockQueues<Item, Result>({
    max_waiting,
    ownerOf,
    refuse: options.refuse,
    take: (list) => takeBatch(list, max_items, options),
    run: (batch) => runBatch(batch, (items) => run(items, true)),
  })

  /** All calls of one turn of the event loop share a batch. */
  function plan(): void {
    if (planned || running >= max_running || queue.length === 0) return
    planned = true
    setImmediate(() => {
      planned = false
      start()
      plan()
    })
  }

  /**
   * The next statement starts as soon as the previous one is done, before its callers get their
   * results: the database works while the responses are written. Of the waiting callers and those that
   * will call again, half goes into each statement; otherwise one would carry nearly all of them and
   * the next hardly any, and database and process would wait for each other.
   */
  function start(answered = 0): void {
    if (running >= max_running || queue.length === 0) return
    running += 1
    const half = Math.max(min_split, Math.ceil((queue.length + answered) / 2))
    const is_half = alternate_batches && answered > 0
    const batch = takeBatch(queue, is_half ? Math.min(half, max_items) : max_items, options)
    let is_over = false
    const over = () => {
      if (is_over) return
      is_over = true
      running -= 1
      start(batch.length)
    }
    void runUnlocked(batch, over).finally(over)
  }

  /** Runs the items of owners without a lock queue; the others join theirs. */
  async function runUnlocked(batch: readonly One[], onResponse?: () => void): Promise<void> {
    const free = lock_queues.takeUnlocked(batch)
    if (free.length === 0) return
    await runBatch(free, (items) => run(items, false), { onResponse, onLocked })
  }

  /** A row is locked, and not only for a moment: running each owner alone shows whose it is. */
  async function onLocked(batch: readonly One[]): Promise<void> {
    const owners = [...new Set(batch.map(({ item }) => ownerOf(item)))]
    if (owners.length === 1) return lock_queues.add(batch)
    for (const owner of owners) {
      await runUnlocked(batch.filter(({ item }) => ownerOf(item) === owner))
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (queue.length >= max_waiting) return reject(options.refuse())
      queue.push({ item, resolve, reject })
      plan()
    })
}

type TakeOptions<Item> = Pick<BatchOptions<Item>, 'ownerOf' | 'keyOf'>

/** Takes at most `max_items` from a list, the first of each key. */
function takeBatch<Item, Result>(
  list: Pending<Item, Result>[],
  max_items: number,
  { ownerOf, keyOf }: TakeOptions<Item>,
): Pending<Item, Result>[] {
  if (list.length > max_items) rotateOwners(list, ownerOf)
  if (!keyOf) return list.splice(0, max_items)
  const keys = new Set<string>()
  const batch: Pending<Item, Result>[] = []
  const left: Pending<Item, Result>[] = []
  for (const one of list) {
    const key = keyOf(one.item)
    if (batch.length === max_items || keys.has(key)) left.push(one)
    else {
      keys.add(key)
      batch.push(one)
    }
  }
  list.splice(0, list.length, ...left)
  return batch
}

/**
 * More items wait than one statement takes: the first item of each owner goes first, then the second of
 * each. An owner with a thousand items delays no other.
 */
function rotateOwners<Item, Result>(
  list: Pending<Item, Result>[],
  ownerOf: (item: Item) => string,
): void {
  const seen = new Map<string, number>()
  const ranked = list.map((one) => {
    const owner = ownerOf(one.item)
    const rank = seen.get(owner) ?? 0
    seen.set(owner, rank + 1)
    return { one, rank }
  })
  if (seen.size === 1) return
  ranked.sort((a, b) => a.rank - b.rank)
  list.splice(0, list.length, ...ranked.map(({ one }) => one))
}
