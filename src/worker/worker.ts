import { setTimeout as sleep } from 'node:timers/promises'
import { newFairShares, withExtra } from '../core/limits/fair-share.ts'
import { worker_policy } from '../core/limits/retry-policies.ts'
import { systemClock } from '../core/time/clock.ts'
import { type Deadline, endsWithin, no_deadline } from '../core/time/deadline.ts'
import { onlyFor, type Service } from '../service.ts'
import { findDueTables } from '../store/due/due-work.ts'
import { type HeldClaims, newHeldClaims } from '../store/due/held-claims.ts'
import { type DueKind, due_kinds, type Job, type UnderWay } from './due-kinds.ts'

const { poll_ms, pause_after_fault_ms, gather_ms, together_ms, rest_factor, give_back_ms } =
  worker_policy

export interface Worker {
  /** Stops polling; work that a request of this process hands over is still done. */
  stopClaiming(): void
  /**
   * Takes no new work, and waits for the work in progress. At the deadline the rest is released: any
   * process may claim it immediately.
   */
  stop(deadline?: Deadline): Promise<void>
}

/**
 * One loop per kind, so that a flood of one kind never delays another. A loop claims as much as it
 * has free slots for and does not wait for the slowest job. When there was less, it sleeps until a
 * message of its kind arrives or the poll is due. When one merchant's jobs fill all slots, a quarter
 * more is there for the others: slow receivers of one merchant do not delay other merchants' deliveries.
 */
export function startWorker(
  service: Service,
  onWork: (kind: string, count: number) => void = () => {},
  kinds: readonly DueKind[] = due_kinds,
): Worker {
  let stopping = false
  const held = newHeldClaims()
  const wakers = new Map<string, () => void>()
  function wakeAll(): void {
    for (const wake of wakers.values()) wake()
  }
  service.signals.on('work', (kind) => {
    if (kind === '') wakeAll()
    else wakers.get(kind)?.()
  })

  async function loop(kind: DueKind): Promise<void> {
    const running = new Set<Promise<void>>()
    const shares = newFairShares()
    while (!stopping) {
      const waker = newWaker()
      wakers.set(kind.name, waker.wake)
      const was_full = shares.count >= kind.max_running
      const free = (was_full ? withExtra(kind.max_running) : kind.max_running) - shares.count
      const began_ms = systemClock.monotonic()
      const jobs = await takeDue(service, kind, free, shares, held)
      const took_ms = systemClock.monotonic() - began_ms
      if (jobs && jobs.length > 0) onWork(kind.name, jobs.length)
      for (const { merchant_id, run } of jobs ?? []) {
        const owner = merchant_id ?? ''
        shares.take(owner)
        const work: Promise<void> = run(held).finally(() => {
          running.delete(work)
          shares.release(owner)
        })
        running.add(work)
      }
      if (jobs && was_full && jobs.length >= free) await Promise.race(running)
      else if (jobs && shares.count >= kind.max_running) {
        // All slots are taken: new work may be of a merchant that holds none of them.
        if (was_full) await sleep(gather_ms)
        const may_take = shares.mayTake(null, kind.max_running)
        const waits = [slotsFree(kind, running), ...(may_take ? [waker.wait(poll_ms)] : [])]
        await Promise.race(waits)
      } else {
        await waker.wait(jobs ? poll_ms : pause_after_fault_ms)
        // Work on many rows together costs less for each of them when there are more of them.
        if (kind.gathers && jobs && jobs.length > 0) await sleep(together_ms)
      }
      if (kind.rests && jobs && jobs.length > 0) await waker.wait(took_ms * rest_factor)
    }
    await Promise.all(running)
  }

  for (const { openLocal } of kinds) openLocal?.(service, held)
  const loops = kinds.map(loop)
  function stopClaiming(): void {
    stopping = true
    wakeAll()
  }
  return {
    stopClaiming,
    stop: async (deadline = no_deadline) => {
      stopClaiming()
      const ended = Promise.all([...loops, service.local_work.close()])
      if (await endsWithin(ended, deadline.left_ms())) return
      const giving = held.giveBack(service.db).then(
        (rows) =>
          service.log.warn(
            { rows },
            'work exceeded its time limit and was released for another attempt',
          ),
        (err) =>
          service.log.warn({ err }, 'work exceeded its time limit and could not be released'),
      )
      await endsWithin(giving, give_back_ms)
    },
  }
}

/** Ends a wait early, also one that has not begun yet. */
function newWaker() {
  let given = false
  let end: (() => void) | null = null
  return {
    wake: () => {
      given = true
      end?.()
    },
    wait: (longest_ms: number) =>
      new Promise<void>((resolve) => {
        if (given) return resolve()
        const timer = setTimeout(resolve, longest_ms)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** Waits until a quarter of the slots are free, or a little: rows are claimed together if they can be. */
async function slotsFree({ max_running }: DueKind, running: Set<Promise<void>>): Promise<void> {
  const enough = Math.floor((max_running * 3) / 4)
  if (running.size > enough) await Promise.race(running)
  if (running.size > enough) await Promise.race([sleep(gather_ms), Promise.all(running)])
}

/** Takes due work; null when there is trouble, which is logged: the work stays due. */
async function takeDue(
  service: Service,
  kind: DueKind,
  max: number,
  under_way: UnderWay,
  held: HeldClaims,
): Promise<readonly Job[] | null> {
  try {
    if (kind.table) await held.releaseFailed(service.db, kind.table)
    return await takeForAll(service, kind, max, under_way)
  } catch (error) {
    service.log.warn({ err: error, kind: kind.name }, 'due work failed and will be retried')
    return null
  }
}

/** Everybody's work by the service's own clock; then that of merchants whose test mode is ahead. */
async function takeForAll(
  service: Service,
  kind: DueKind,
  max: number,
  under_way: UnderWay = newFairShares(),
): Promise<readonly Job[]> {
  const jobs = [...(await kind.take(service, max, under_way))]
  if (kind.time !== 'merchant' || service.only_merchant) return jobs
  for (const merchant_id of service.clocks.moved()) {
    if (jobs.length >= max) break
    if (service.clocks.isMoving(merchant_id)) continue
    const its_time = onlyFor(service, merchant_id)
    jobs.push(...(await kind.take(its_time, max - jobs.length, under_way)))
  }
  return jobs
}

/** Takes one batch of the kind with this name and does it all; says how much there was: for tests. */
export async function runKind(service: Service, name: string): Promise<number> {
  const kind = due_kinds.find((one) => one.name === name)
  return kind ? runBatch(service, kind) : 0
}

async function runBatch(service: Service, kind: DueKind): Promise<number> {
  const jobs = await takeForAll(service, kind, kind.max_running)
  const held = newHeldClaims()
  await Promise.all(jobs.map(({ run }) => run(held)))
  return jobs.length
}

/** One batch of every kind, for everybody or for the merchant that the service is about. */
export async function runDue(service: Service): Promise<number> {
  return (await runKinds(service, due_kinds)).count
}

async function runKinds(service: Service, kinds: readonly DueKind[]) {
  const wanted = kinds.filter(({ time }) => time !== 'machine' || !service.only_merchant)
  const due = await findDueTables(
    service,
    wanted.flatMap(({ table }) => table ?? []),
  )
  let count = 0
  const idle = new Set<DueKind>()
  for (const kind of wanted) {
    const done = kind.table && !due.has(kind.table) ? 0 : await runBatch(service, kind)
    if (done === 0) idle.add(kind)
    count += done
  }
  return { count, idle }
}

/** Does everything that is due now, in this process: for tests. */
export async function runAllDue(service: Service): Promise<void> {
  let kinds = due_kinds
  for (;;) {
    const { count, idle } = await runKinds(service, kinds)
    if (count === 0) return
    // No work creates anything to clean up.
    kinds = kinds.filter((kind) => kind.table || kind.time !== 'machine' || !idle.has(kind))
  }
}
