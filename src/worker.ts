import { setTimeout as sleep } from 'node:timers/promises'
import { deleteExpiredAppTokens } from './resources/app-tokens/delete-app-token.ts'
import { processCancels } from './resources/cancels/process-cancel.ts'
import { processCharges } from './resources/charges/process-charge.ts'
import { processDeposits } from './resources/deposits/send-back.ts'
import { deleteExpiredAnswers } from './resources/idempotency/stored-answer.ts'
import { deliverSimulatorNotices } from './resources/receive-notice.ts'
import { processRefunds } from './resources/refunds/process-refund.ts'
import { processSubscriptions } from './resources/subscriptions/process-subscription.ts'
import { resumeTestClocks } from './resources/test-clock/move-clock.ts'
import { processTokens } from './resources/tokens/process-token.ts'
import { onlyFor, type Service } from './service.ts'

/** One kind of due work: takes at most so many rows and says how many there were. */
export interface DueKind {
  readonly name: string
  readonly most: number
  /** Goes by the machine's clock, whatever a merchant does with that of test mode. */
  readonly wall_time?: true
  run(service: Service, most: number): Promise<number>
}

/** Everything that happens without a request. */
export const due_kinds: readonly DueKind[] = [
  { name: 'charges', most: 50, run: processCharges },
  { name: 'refunds', most: 50, run: processRefunds },
  { name: 'cancels', most: 50, run: processCancels },
  { name: 'subscriptions', most: 50, run: processSubscriptions },
  { name: 'deposits', most: 50, run: processDeposits },
  { name: 'simulator_notices', most: 50, run: deliverSimulatorNotices },
  { name: 'tokens', most: 100, run: processTokens },
  { name: 'test_clocks', most: 5, wall_time: true, run: resumeTestClocks },
  { name: 'expired_app_tokens', most: 50, wall_time: true, run: deleteExpiredAppTokens },
  { name: 'expired_answers', most: 1000, wall_time: true, run: deleteExpiredAnswers },
]

export interface Worker {
  /** Takes no new work, and waits for what is being done. */
  stop(): Promise<void>
}

/** How often each kind is looked for when nobody nudges: a net, not the way work is found. */
const poll_ms = 1000
const trouble_ms = 2000

/**
 * One loop per kind, so that a flood of one never keeps another waiting. A loop runs as long as
 * it finds full batches, then sleeps until a message of its kind arrives or the poll is due.
 */
export function startWorker(
  service: Service,
  onWork: (kind: string, count: number) => void = () => {},
  kinds: readonly DueKind[] = due_kinds,
): Worker {
  const stopping = new AbortController()
  const wakers = new Map<string, () => void>()
  service.signals.on('work', (kind) => {
    if (kind === '') for (const wake of wakers.values()) wake()
    else wakers.get(kind)?.()
  })

  async function loop(kind: DueKind): Promise<void> {
    while (!stopping.signal.aborted) {
      const nudged = new AbortController()
      wakers.set(kind.name, () => nudged.abort())
      const wait_ms = await runOnce(service, kind, onWork)
      const signal = AbortSignal.any([stopping.signal, nudged.signal])
      if (wait_ms > 0) await sleep(wait_ms, undefined, { signal }).catch(() => {})
    }
  }

  const loops = kinds.map(loop)
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

/** Runs one batch; returns how long to rest. Trouble is logged and the work stays due. */
async function runOnce(
  service: Service,
  kind: DueKind,
  onWork: (kind: string, count: number) => void,
): Promise<number> {
  try {
    const count = await runBatch(service, kind)
    if (count > 0) onWork(kind.name, count)
    return count < kind.most ? poll_ms : 0
  } catch (error) {
    service.log.warn({ err: error, kind: kind.name }, 'due work failed and will be tried again')
    return trouble_ms
  }
}

/** Everybody's work by the machine's clock; then that of merchants whose test mode is ahead. */
async function runBatch(service: Service, kind: DueKind): Promise<number> {
  let count = await kind.run(service, kind.most)
  if (kind.wall_time || service.only_merchant) return count
  for (const merchant_id of service.clocks.moved()) {
    if (service.clocks.isMoving(merchant_id)) continue
    count += await kind.run(onlyFor(service, merchant_id), kind.most)
  }
  return count
}

/** One batch of every kind, for everybody or for the merchant that the service is about. */
export async function runDue(service: Service): Promise<number> {
  let count = 0
  for (const kind of due_kinds) {
    if (!kind.wall_time || !service.only_merchant) count += await runBatch(service, kind)
  }
  return count
}

/** Does everything that is due now, in this process: for tests and commands. */
export async function runAllDue(service: Service): Promise<void> {
  while ((await runDue(service)) > 0);
}
