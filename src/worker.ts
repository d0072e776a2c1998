import { setTimeout as sleep } from 'node:timers/promises'
import { deleteExpiredAppTokens } from './resources/app-tokens/delete-app-token.ts'
import { processCancels } from './resources/cancels/process-cancel.ts'
import { processCharges } from './resources/charges/process-charge.ts'
import { processDeposits } from './resources/deposits/send-back.ts'
import { deleteExpiredAnswers } from './resources/idempotency/stored-answer.ts'
import { deliverSimulatorNotices } from './resources/receive-notice.ts'
import { processRefunds } from './resources/refunds/process-refund.ts'
import { processTokens } from './resources/tokens/process-token.ts'
import type { Service } from './service.ts'

/** One kind of due work: takes at most so many rows and says how many there were. */
export interface DueKind {
  readonly name: string
  readonly most: number
  run(service: Service, most: number): Promise<number>
}

/** Everything that happens without a request. */
export const due_kinds: readonly DueKind[] = [
  { name: 'charges', most: 50, run: processCharges },
  { name: 'refunds', most: 50, run: processRefunds },
  { name: 'cancels', most: 50, run: processCancels },
  { name: 'deposits', most: 50, run: processDeposits },
  { name: 'simulator_notices', most: 50, run: deliverSimulatorNotices },
  { name: 'tokens', most: 100, run: processTokens },
  { name: 'expired_app_tokens', most: 50, run: deleteExpiredAppTokens },
  { name: 'expired_answers', most: 1000, run: deleteExpiredAnswers },
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
    const count = await kind.run(service, kind.most)
    if (count > 0) onWork(kind.name, count)
    return count < kind.most ? poll_ms : 0
  } catch (error) {
    service.log.warn({ err: error, kind: kind.name }, 'due work failed and will be tried again')
    return trouble_ms
  }
}

/** Does everything that is due now, in this process: for tests and commands. */
export async function runAllDue(service: Service): Promise<void> {
  for (let found = true; found; ) {
    found = false
    for (const kind of due_kinds) if ((await kind.run(service, kind.most)) > 0) found = true
  }
}
