import { sql } from 'kysely'
import {
  askedRest,
  countFailures,
  judge,
  restAfter,
  type Verdict,
} from '../../core/delivery-policy.ts'
import { inTransaction, isTransacting, now, type Service } from '../../service.ts'
import { type Attempt, postEvent } from './post-event.ts'
import { switchOff } from './switch-off.ts'
import {
  endWaves,
  type Lane,
  type Waiting,
  type Wave,
  waveEnder,
  waveReader,
} from './wave-statements.ts'
import { withSecret } from './webhook-secret.ts'

/** With a claim: somebody sends from now on, and what comes meanwhile is noted. */
export const claim_lane = sql`, sending = true, fresh_on = null`

/** As many are on their way to one receiver at the same time. */
const wave_size = 16

interface Sent {
  readonly delivery: Waiting
  readonly attempt: Attempt
  readonly verdict: Verdict
}

/**
 * Sends what is due to one receiver, all at once, and writes down how it went. Whether the webhook
 * is still wanted is read right before sending: who switches it off or deletes it is answered when
 * the wave is over, so nothing is begun after that.
 */
export async function sendWave(service: Service, lane: Lane): Promise<void> {
  const { webhook, due } = await readWave(service, lane)
  if (!webhook || due.length === 0) return endWave(service, lane, [])
  const sent = await Promise.all(
    due.map(async (delivery): Promise<Sent> => {
      const attempt = await postEvent(service, webhook, delivery)
      const age = {
        attempts: delivery.attempts + 1,
        age_ms: service.clock.now() - delivery.round_on.getTime(),
      }
      return { delivery, attempt, verdict: judge(attempt, age, Math.random) }
    }),
  )
  service.failpoint('after webhook was sent')
  const reason = sent.map(({ verdict }) => switchOffReason(verdict)).find(Boolean)
  if (!reason) return endWave(service, lane, sent)
  await inTransaction(service, async (tx) => {
    await switchOff(tx, webhook, reason)
    await endWave(tx, lane, sent)
  })
}

function switchOffReason(verdict: Verdict): string | null {
  return verdict.verdict === 'given_up' ? verdict.switch_off : null
}

async function readWave(service: Service, lane: Lane): Promise<Wave> {
  // After a rest one delivery shows whether the receiver is well again.
  const most = restAfter(lane.failures, () => 0) === null ? wave_size : 1
  const wave = await waveReader(service.db)({ lane, at: now(service), most })
  if (!wave.webhook || wave.webhook.secret) return wave
  await withSecret(service, wave.webhook)
  return readWave(service, lane)
}

/** Writes the results and gives the lane back, due when its next delivery is. */
async function endWave(service: Service, lane: Lane, sent: readonly Sent[]): Promise<void> {
  const at = now(service)
  const results = sent.map(({ delivery, attempt, verdict }) => ({
    event_id: delivery.id,
    next_on: verdict.verdict === 'again' ? new Date(at.getTime() + verdict.after_ms) : null,
    delivered_on: verdict.verdict === 'delivered' ? at : null,
    kept: attempt.kept,
  }))
  const end = { lane, at, ...restOf(service, lane, sent), results }
  const due_on = isTransacting(service)
    ? (await endWaves(service.db, [end], '5s'))[0]
    : await waveEnder(service.db)(end)
  if (due_on && due_on <= at) service.signals.deliver('work', 'webhook_lanes')
  if (sent.length > 0) service.changes.tell(lane.webhook_id)
}

/** The circuit: failures in a row, and how long the receiver is left in peace after them. */
function restOf(service: Service, lane: Lane, sent: readonly Sent[]) {
  if (sent.length === 0) return { failures: lane.failures, rests_until: lane.rests_until }
  const succeeded = sent.some(({ verdict }) => verdict.verdict === 'delivered')
  const failures = succeeded ? 0 : countFailures(lane.failures, sent.length)
  const asked_ms = sent.map(({ attempt }) => askedRest(attempt))
  const rest_ms = Math.max(restAfter(failures, Math.random) ?? 0, ...asked_ms)
  const rests_until = rest_ms > 0 ? new Date(service.clock.now() + rest_ms) : null
  return { failures, rests_until }
}
