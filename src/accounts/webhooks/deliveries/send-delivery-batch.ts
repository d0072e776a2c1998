import { sql } from 'kysely'
import {
  circuitOpenMs,
  classifyAttempt,
  countFailures,
  type Outcome,
  requestedPauseMs,
} from '../../../core/limits/delivery-policy.ts'
import { inTransaction, isTransacting, now, type Service } from '../../../service.ts'
import { switchOff } from '../switch-off.ts'
import { withSecret } from '../webhook-secret.ts'
import {
  completeBatched,
  completeBatches,
  type DeliveryBatch,
  type DeliveryQueue,
  readDueBatched,
  type Waiting,
} from './delivery-batch-statements.ts'
import { type Attempt, postEvent } from './post-event.ts'

/**
 * Set with a claim: the queue is being sent, and events that arrive meanwhile are recorded in
 * `fresh_on`.
 */
export const claim_delivery_queue = sql`, sending = true, fresh_on = null`

/** Maximum number of concurrent requests to one receiver. */
const batch_size = 16

interface Sent {
  readonly delivery: Waiting
  readonly attempt: Attempt
  readonly outcome: Outcome
}

/**
 * Sends the due deliveries of one receiver concurrently and records the results. The webhook is read
 * right before sending: a request that disables or deletes it is answered when the batch has completed,
 * so no delivery starts after that response.
 */
export async function sendDeliveryBatch(service: Service, queue: DeliveryQueue): Promise<void> {
  const { webhook, due } = await readDueDeliveries(service, queue)
  if (!webhook || due.length === 0) return completeBatch(service, queue, [])
  const sent = await Promise.all(
    due.map(async (delivery): Promise<Sent> => {
      const attempt = await postEvent(service, webhook, delivery)
      const age = {
        attempts: delivery.attempts + 1,
        age_ms: service.clock.now() - delivery.round_on.getTime(),
      }
      return { delivery, attempt, outcome: classifyAttempt(attempt, age, Math.random) }
    }),
  )
  service.failpoint('after webhook was sent')
  const reason = sent.map(({ outcome }) => switchOffReason(outcome)).find(Boolean)
  if (!reason) return completeBatch(service, queue, sent)
  await inTransaction(service, async (tx) => {
    await switchOff(tx, webhook, reason)
    await completeBatch(tx, queue, sent)
  })
}

function switchOffReason(outcome: Outcome): string | null {
  return outcome.kind === 'given_up' ? outcome.switch_off : null
}

async function readDueDeliveries(service: Service, queue: DeliveryQueue): Promise<DeliveryBatch> {
  // While the circuit is open, one delivery tests whether the receiver has recovered.
  const max_items = circuitOpenMs(queue.failures, () => 0) === null ? batch_size : 1
  const batch = await readDueBatched(service.db)({ queue, at: now(service), max_items })
  if (!batch.webhook || batch.webhook.secret) return batch
  await withSecret(service, batch.webhook)
  return readDueDeliveries(service, queue)
}

/** Writes the results and releases the queue, due when its next delivery is. */
async function completeBatch(
  service: Service,
  queue: DeliveryQueue,
  sent: readonly Sent[],
): Promise<void> {
  const at = now(service)
  const results = sent.map(({ delivery, attempt, outcome }) => ({
    event_id: delivery.id,
    next_on: outcome.kind === 'again' ? new Date(at.getTime() + outcome.after_ms) : null,
    delivered_on: outcome.kind === 'delivered' ? at : null,
    attempt: attempt.stored,
  }))
  const end = { queue, at, ...circuitAfter(service, queue, sent), results }
  const due_on = isTransacting(service)
    ? (await completeBatches(service.db, [end], '5s'))[0]
    : await completeBatched(service.db)(end)
  if (due_on && due_on <= at) service.signals.deliver('work', 'webhook_lanes')
  if (sent.length > 0) service.changes.notify(queue.webhook_id)
}

/** The circuit breaker: consecutive failures, and how long deliveries pause after them. */
function circuitAfter(service: Service, queue: DeliveryQueue, sent: readonly Sent[]) {
  if (sent.length === 0) return { failures: queue.failures, rests_until: queue.rests_until }
  const succeeded = sent.some(({ outcome }) => outcome.kind === 'delivered')
  const failures = succeeded ? 0 : countFailures(queue.failures, sent.length)
  const asked_ms = sent.map(({ attempt }) => requestedPauseMs(attempt))
  const open_ms = Math.max(circuitOpenMs(failures, Math.random) ?? 0, ...asked_ms)
  const rests_until = open_ms > 0 ? new Date(service.clock.now() + open_ms) : null
  return { failures, rests_until }
}
