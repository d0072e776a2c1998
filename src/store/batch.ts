import { Failure } from '../core/errors.ts'
import { type Db, isLost, isRetryable, isUnavailable, sharedDb } from './open-store.ts'
import { UnconfirmedCommit } from './session.ts'

export interface BatchOptions<Item> {
  /** Most items of one statement. */
  readonly most: number
  /** Statements that run at the same time; what comes meanwhile gathers for the next. */
  readonly at_once: number
  /** Most items that wait; then the caller is refused rather than made to wait for ever. */
  readonly waiting: number
  /** Whoever is answered comes again soon, as requests do: of many, half goes in each statement. */
  readonly in_turns: boolean
  /** Items of another owner need not wait for a row of this one. */
  ownerOf(item: Item): string
  /** What an item is about: no two of the same go in one statement. */
  keyOf?(item: Item): string
  /** What is thrown when too many wait. */
  refuse(): Error
}

/** Whoever comes when so many wait is asked to come back: waiting would only get longer. */
function refuse(): Failure {
  return new Failure('SERVICE_UNAVAILABLE', { message: 'Too much at once.', retry_after_s: 1 })
}

/** What suits statements of requests that write, and that read; and what the worker writes. */
export const write_options = { most: 64, at_once: 1, in_turns: true, waiting: 2000, refuse }
export const read_options = { ...write_options, waiting: 4000 }
export const work_options = { ...write_options, in_turns: false }

/**
 * Makes something once for a connection pool: requests that come at the same time share it. It gets
 * the few sessions for shared statements, and the others for those who have to wait for a row: waiting
 * must not keep everybody else out.
 */
export function perDb<T>(make: (db: Db, patient_db: Db) => T): (db: Db) => T {
  const made = new WeakMap<Db, T>()
  return (db) => {
    const known = made.get(db) ?? make(sharedDb(db), db)
    made.set(db, known)
    return known
  }
}

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Answers each item in its place. Only who is patient waits long for a row that somebody holds. */
type Run<Item, Result> = (items: readonly Item[], patient: boolean) => Promise<readonly Result[]>

const most_attempts = 5
/** So many are not worth a second statement. */
const few = 8
/** So many owners are waited for at the same time; each costs a connection. */
const most_lines = 3

/**
 * Concurrent calls of one operation share a statement. A call that comes alone is run at once; calls
 * that come while statements are under way go together in the next one. When a statement fails, each
 * of its items is run alone, so that one bad item fails nobody but itself; an error that says that
 * the database is gone is everybody's. Owners who have to wait for a row do so in a line of their own.
 */
export function newBatch<Item, Result>(
  run: Run<Item, Result>,
  { most, at_once, in_turns, waiting: most_waiting, ownerOf, keyOf, refuse }: BatchOptions<Item>,
): (item: Item) => Promise<Result> {
  type One = Waiting<Item, Result>
  const queue: One[] = []
  /** Owners who have to wait, and those of them whose turn has not come. */
  const held = new Map<string, One[]>()
  const lines: string[] = []
  let holding = 0
  let running_lines = 0
  let running = 0
  let planned = false

  /** Everything of one turn of the event loop goes together. */
  function plan(): void {
    if (planned || running >= at_once || queue.length === 0) return
    planned = true
    setImmediate(() => {
      planned = false
      start()
      plan()
    })
  }

  /**
   * What has gathered goes as soon as there is an answer, before anybody is told of that answer: so the
   * database has work while the answers are written. Of those who wait and those who come again half
   * goes in each statement. Otherwise one would carry nearly all of them and the next hardly any, and
   * database and process would wait for each other.
   */
  function start(answered = 0): void {
    if (running >= at_once || queue.length === 0) return
    running += 1
    const half = Math.max(few, Math.ceil((queue.length + answered) / 2))
    const batch = take(queue, in_turns && answered > 0 ? Math.min(half, most) : most)
    let is_over = false
    const over = () => {
      if (is_over) return
      is_over = true
      running -= 1
      start(batch.length)
    }
    void runFree(batch, over).finally(over)
  }

  /** The first of each key, at most so many. */
  function take(list: One[], most: number): One[] {
    if (list.length > most) inRotation(list)
    if (!keyOf) return list.splice(0, most)
    const keys = new Set<string>()
    const batch: One[] = []
    const left: One[] = []
    for (const one of list) {
      const key = keyOf(one.item)
      if (batch.length === most || keys.has(key)) left.push(one)
      else {
        keys.add(key)
        batch.push(one)
      }
    }
    list.splice(0, list.length, ...left)
    return batch
  }

  /**
   * More wait than one statement takes: the first item of each owner goes first, then the second of
   * each. An owner with a thousand items delays nobody else.
   */
  function inRotation(list: One[]): void {
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

  /** Runs those whose owner nobody waits for; the others join their line. */
  async function runFree(batch: readonly One[], answered?: () => void): Promise<void> {
    if (held.size === 0) return runBatch(batch, false, answered)
    const isHeld = ({ item }: One) => held.has(ownerOf(item))
    hold(batch.filter(isHeld))
    const free = batch.filter((one) => !isHeld(one))
    if (free.length > 0) await runBatch(free, false, answered)
  }

  async function runBatch(
    batch: readonly One[],
    patient: boolean,
    answered?: () => void,
  ): Promise<void> {
    let results: readonly Result[]
    try {
      results = await runAgain(
        batch.map(({ item }) => item),
        patient,
      )
    } catch (error) {
      if (isLocked(error) && !patient) {
        const owners = [...new Set(batch.map(({ item }) => ownerOf(item)))]
        if (owners.length === 1) return hold(batch)
        for (const owner of owners) {
          await runFree(batch.filter(({ item }) => ownerOf(item) === owner))
        }
      } else if (batch.length > 1 && !isOfAll(error)) {
        for (const one of batch) await runBatch([one], patient)
      } else {
        for (const { reject } of batch) reject(error)
      }
      return
    }
    answered?.()
    let index = 0
    for (const { resolve } of batch) {
      resolve(results[index] as Result)
      index += 1
    }
  }

  async function runAgain(items: readonly Item[], patient: boolean): Promise<readonly Result[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run(items, patient)
      } catch (error) {
        if (attempt === most_attempts || !isRetryable(error)) throw error
      }
    }
  }

  /** All of one owner wait together, beside the statements of the others. */
  function hold(batch: readonly One[]): void {
    for (const one of batch) {
      const owner = ownerOf(one.item)
      const line = held.get(owner)
      if (holding >= most_waiting) {
        one.reject(refuse())
        continue
      }
      holding += 1
      if (line) line.push(one)
      else held.set(owner, [one])
      if (!line) lines.push(owner)
    }
    while (running_lines < most_lines && lines.length > 0) {
      running_lines += 1
      void runLine(lines.shift() ?? '').finally(() => {
        running_lines -= 1
        hold([])
      })
    }
  }

  async function runLine(owner: string): Promise<void> {
    const line = held.get(owner) ?? []
    while (line.length > 0) {
      const batch = take(line, most)
      await runBatch(batch, true)
      holding -= batch.length
    }
    held.delete(owner)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (queue.length >= most_waiting) return reject(refuse())
      queue.push({ item, resolve, reject })
      plan()
    })
}

/** Somebody holds a row, and not only for a moment. */
function isLocked(error: unknown): boolean {
  return (error as { code?: string }).code === '55P03'
}

/** What is nobody's fault among the items: the database is away, or cannot be trusted. */
function isOfAll(error: unknown): boolean {
  return isUnavailable(error) || isLost(error) || error instanceof UnconfirmedCommit
}
