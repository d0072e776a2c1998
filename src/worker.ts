import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import { type Deadline, deadlineIn, endsWithin, no_deadline } from './core/deadline.ts'
import { type FairShares, newFairShares, withExtra } from './core/fair-share.ts'
import { provider_policy, worker_policy } from './core/retry-policies.ts'
import { feedEvents } from './events/feed-events.ts'
import type { LocalKind } from './local-work.ts'
import { deleteExpiredAppToken } from './resources/app-tokens/delete-app-token.ts'
import { processCancel } from './resources/cancels/process-cancel.ts'
import { charge_work, processCharge } from './resources/charges/process-charge.ts'
import { processDeclaration } from './resources/customs/process-declaration.ts'
import { processDeposit } from './resources/deposits/send-back.ts'
import { deleteExpiredAnswers } from './resources/idempotency/stored-answer.ts'
import { processMail } from './resources/mails/mail.ts'
import { processNotification } from './resources/notifications/process-notification.ts'
import { deleteOldOperations } from './resources/operations/delete-old-operations.ts'
import { processRefund } from './resources/refunds/process-refund.ts'
import { processSubscription } from './resources/subscriptions/process-subscription.ts'
import { processSubscriptionBatch } from './resources/subscriptions/process-subscription-batch.ts'
import { resumeTestClocks } from './resources/test-clock/move-clock.ts'
import { deleteExpiredRows } from './resources/tokens/delete-expired-rows.ts'
import { processToken } from './resources/tokens/process-token.ts'
import { deleteOldLogins, processResetRequest } from './resources/users/request-reset.ts'
import { processReplay } from './resources/webhooks/replay.ts'
import {
  claim_delivery_queue,
  sendDeliveryBatch,
} from './resources/webhooks/send-delivery-batch.ts'
import { atTimeOf, onlyFor, type Service } from './service.ts'
import { type Claimed, claimDue, findDueTables, type QueueTable } from './store/due-work.ts'
import { type ClaimedRow, type HeldClaims, newHeldClaims } from './store/held-claims.ts'

/**
 * One piece of claimed work. It never throws: what goes wrong is logged and stays due. The row is
 * noted in `held` meanwhile.
 */
interface Job {
  /** Whose slot it uses; null: work for many merchants at once. */
  readonly merchant_id: string | null
  run(held: HeldClaims): Promise<void>
}

/** What a kind has under way, by merchant. */
type UnderWay = Pick<FairShares, 'held' | 'mayTake'>

/** One kind of due work. */
export interface DueKind {
  readonly name: string
  /** The table whose rows are claimed one by one. */
  readonly table?: QueueTable
  /** Worker slots: as many rows are worked at in one process at the same time. */
  readonly max_running: number
  /**
   * `merchant`: each merchant's test mode has its own time. `machine`: the service's own clock alone
   * counts. `none`: whatever there is, is due.
   */
  readonly time: 'merchant' | 'machine' | 'none'
  /** Takes at most so many. Work on many rows at once is done already when this returns. */
  take(service: Service, most: number, under_way: UnderWay): Promise<readonly Job[]>
  /** One statement for all there is: when there is much, it waits a little for more. */
  readonly gathers?: boolean
  /** Begins to take rows straight from requests of this process. */
  openLocal?(service: Service, held: HeldClaims): void
}

const { lease_ms, poll_ms, pause_after_fault_ms, gather_ms, give_back_ms } = worker_policy
const nothing: Job = { merchant_id: null, run: async () => {} }

/** Works at one claimed row. All calls of its provider end by the deadline, which is before its lease. */
type ProcessRow<Row, Context> = (
  service: Service,
  row: Row,
  deadline: Deadline,
  context?: Context,
) => Promise<void>

/** Rows that are their own queue: each is claimed with a lease, then worked at at its own time. */
function rows<Name extends QueueTable, Context>(
  table: Name,
  max_running: number,
  process: ProcessRow<Claimed<Name>, Context>,
  options: RowOptions<Claimed<Name>, Context> = {},
): DueKind {
  const { time = 'merchant', name = table, set, handed_over } = options
  const run = (service: Service, row: Claimed<Name>, held: HeldClaims, context?: Context) => {
    const claimed = row as unknown as AnyRow
    const { merchant_id, id: resource_id, mode } = claimed
    const at_its_time = time === 'merchant' ? atTimeOf(service, { merchant_id, mode }) : service
    const deadline = deadlineIn(provider_policy.claim_ms)
    const work = process(at_its_time, row, deadline, context).catch((error) =>
      service.log.error({ err: error, merchant_id, resource_id }, 'a step failed; it stays due'),
    )
    return held.during(table, claimed, at_its_time.clock.now, work)
  }
  const take: DueKind['take'] = async (service, free, { held, mayTake }) => {
    const by_machine = time === 'machine'
    const passed_over = [...held.keys()].filter((merchant_id) => !mayTake(merchant_id, max_running))
    const claiming = { lease_ms, max_rows: free, by_machine, held, passed_over }
    const claimed = await claimDue(service, table, { ...claiming, ...(set ? { set } : {}) })
    return claimed.map((row): Job => {
      const { merchant_id } = row as unknown as AnyRow
      return { merchant_id, run: (claims) => run(service, row, claims) }
    })
  }
  const openLocal: DueKind['openLocal'] = (service, held) => {
    if (!handed_over) return
    service.local_work.open(handed_over, max_handed_over, lease_ms, (row, context) =>
      run(service, row, held, context),
    )
  }
  return { name, table, max_running, time, take, openLocal }
}

interface RowOptions<Row, Context> {
  readonly time?: DueKind['time']
  readonly name?: string
  /** More to write with a claim. */
  readonly set?: RawBuilder<unknown>
  /** Requests hand such rows over themselves, with what they have read. */
  readonly handed_over?: LocalKind<Row, Context>
}

type AnyRow = ClaimedRow & { readonly mode: 'test' | 'live' | null }

/** Work that one statement does for many rows. */
function batch(
  name: string,
  max_running: number,
  time: DueKind['time'],
  run: (service: Service, most: number) => Promise<number>,
): DueKind {
  const take = async (service: Service, most: number) =>
    Array.from({ length: await run(service, most) }, () => nothing)
  return { name, max_running, time, take, gathers: true }
}

/** Everything that happens without a request. */
export const due_kinds: readonly DueKind[] = [
  batch('old_cvv_keys', 1, 'machine', async ({ cvv_keys }) => {
    cvv_keys.destroyOld()
    return 0
  }),
  rows('charges', 50, processCharge, { handed_over: charge_work }),
  rows('refunds', 50, processRefund),
  rows('cancels', 50, processCancel),
  rows('customs_declarations', 50, processDeclaration),
  rows('subscriptions', 50, processSubscription),
  rows('subscription_batches', 5, processSubscriptionBatch),
  rows('deposits', 50, processDeposit),
  rows('provider_notifications', 50, processNotification),
  rows('transaction_tokens', 100, processToken, { name: 'tokens' }),
  batch('events', 250, 'none', feedEvents),
  rows('webhook_lanes', 64, sendDeliveryBatch, { set: claim_delivery_queue }),
  rows('webhook_replays', 5, processReplay, { time: 'machine' }),
  batch('test_clocks', 5, 'machine', resumeTestClocks),
  rows('app_tokens', 50, deleteExpiredAppToken, { time: 'machine' }),
  rows('password_reset_requests', 10, processResetRequest, { time: 'machine' }),
  rows('mails', 10, processMail, { time: 'machine' }),
  batch('old_logins', 1000, 'machine', deleteOldLogins),
  batch('expired_answers', 1000, 'machine', deleteExpiredAnswers),
  batch('expired_token_rows', 1000, 'machine', deleteExpiredRows),
  batch('old_provider_operations', 1000, 'machine', deleteOldOperations),
]

export interface Worker {
  /** Looks for no more work; what a request of this process hands over is still done. */
  stopClaiming(): void
  /**
   * Takes no new work, and waits for what is being done. What is not done by the deadline is given
   * back: any process may claim it at once.
   */
  stop(deadline?: Deadline): Promise<void>
}

/** So many rows of a kind are taken straight from requests, beside those that are looked for. */
const max_handed_over = 500

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
      const jobs = await takeDue(service, kind, free, shares)
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
        // Work on many rows at once costs less for each of them when there are more of them.
        if (kind.gathers && jobs && jobs.length >= many) await sleep(gather_ms)
      }
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
        (rows) => service.log.warn({ rows }, 'work that did not end in time was given back'),
        (err) => service.log.warn({ err }, 'work that did not end in time stays claimed'),
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

/** So much at once means that more is coming. */
const many = 10

/** Takes due work; null when there is trouble, which is logged: the work stays due. */
async function takeDue(
  service: Service,
  kind: DueKind,
  most: number,
  under_way: UnderWay,
): Promise<readonly Job[] | null> {
  try {
    return await takeForAll(service, kind, most, under_way)
  } catch (error) {
    service.log.warn({ err: error, kind: kind.name }, 'due work failed and will be tried again')
    return null
  }
}

/** Everybody's work by the service's own clock; then that of merchants whose test mode is ahead. */
async function takeForAll(
  service: Service,
  kind: DueKind,
  most: number,
  under_way: UnderWay = newFairShares(),
): Promise<readonly Job[]> {
  const jobs = [...(await kind.take(service, most, under_way))]
  if (kind.time !== 'merchant' || service.only_merchant) return jobs
  for (const merchant_id of service.clocks.moved()) {
    if (jobs.length >= most) break
    if (service.clocks.isMoving(merchant_id)) continue
    const its_time = onlyFor(service, merchant_id)
    jobs.push(...(await kind.take(its_time, most - jobs.length, under_way)))
  }
  return jobs
}

/** Takes one batch of the kind with this name and does it all; says how much there was. */
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
  const kinds = due_kinds.filter(({ time }) => time !== 'machine' || !service.only_merchant)
  const tables = kinds.flatMap(({ table }) => table ?? [])
  const due = await findDueTables(service, tables)
  let count = 0
  for (const kind of kinds) {
    if (!kind.table || due.has(kind.table)) count += await runBatch(service, kind)
  }
  return count
}

/** Does everything that is due now, in this process: for tests and commands. */
export async function runAllDue(service: Service): Promise<void> {
  while ((await runDue(service)) > 0);
}
