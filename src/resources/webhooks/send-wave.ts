import { sql } from 'kysely'
import {
  askedRest,
  countFailures,
  judge,
  restAfter,
  type Verdict,
} from '../../core/delivery-policy.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import type { Claimed } from '../../store/due-work.ts'
import { type Attempt, type DeliverableEvent, postEvent } from './post-event.ts'
import { switchOff } from './switch-off.ts'
import type { Webhook } from './webhook.ts'
import { withSecret } from './webhook-secret.ts'

type Lane = Claimed<'webhook_lanes'>

/** With a claim: somebody sends from now on, and what comes meanwhile is noted. */
export const claim_lane = sql`, sending = true, fresh_on = null`

/** As many are on their way to one receiver at the same time. */
const wave_size = 16
/** So many are looked at for one: a resource with a long queue must not keep the others waiting. */
const look_ahead = 256
/** The attempts that are kept of one delivery; older ones are forgotten. */
const most_tries = 50

interface Waiting extends DeliverableEvent {
  readonly attempts: number
  readonly round_on: Date
}

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

interface Wave {
  /** Null: it was switched off or deleted. */
  readonly webhook: Webhook | null
  readonly due: Waiting[]
}

/** Events of one resource go one after the other, so that a receiver that works sees them in order. */
async function readWave(service: Service, lane: Lane): Promise<Wave> {
  const { merchant_id, webhook_id, mode, failures } = lane
  // After a rest one delivery shows whether the receiver is well again.
  const most = restAfter(failures, () => 0) === null ? wave_size : 1
  const { rows } = await sql<Webhook & { due: Waiting }>`
    select w.*, d.due from webhooks w
    left join lateral (
      select jsonb_build_object('id', e.id, 'trigger', d.trigger, 'data', e.data::text,
        'resource_id', e.resource_id, 'sequence', e.sequence, 'created_on', e.created_on,
        'attempts', d.attempts, 'round_on', d.round_on) as due
      from (
        select distinct on (resource_id) * from (
          select event_id, resource_id, trigger, attempts, round_on, next_on, position
          from webhook_deliveries
          where merchant_id = ${merchant_id} and webhook_id = ${webhook_id} and mode = ${mode}
            and next_on <= ${now(service)}
          order by next_on, position limit ${look_ahead}
        ) as soonest order by resource_id, position
      ) as d
      join events e on e.merchant_id = ${merchant_id} and e.id = d.event_id
      order by d.next_on, d.position limit ${most}
    ) as d on true
    where w.merchant_id = ${merchant_id} and w.id = ${webhook_id} and w.active
      and w.deleted_on is null`.execute(service.db)
  const [webhook = null] = rows
  if (webhook && !webhook.secret) {
    await withSecret(service, webhook)
    return readWave(service, lane)
  }
  return { webhook, due: rows.flatMap(({ due }) => (due ? readDelivery(due) : [])) }
}

/** The database writes instants to the microsecond and with an offset; here they are dates again. */
function readDelivery(due: Waiting): Waiting {
  return { ...due, created_on: new Date(due.created_on), round_on: new Date(due.round_on) }
}

/** Writes the results and gives the lane back, due when its next delivery is. */
async function endWave(service: Service, lane: Lane, sent: readonly Sent[]): Promise<void> {
  const at = now(service)
  const nextOn = ({ verdict }: Sent) =>
    verdict.verdict === 'again' ? new Date(at.getTime() + verdict.after_ms) : null
  const deliveredOn = ({ verdict }: Sent) => (verdict.verdict === 'delivered' ? at : null)
  const ids = sent.map(({ delivery }) => delivery.id)
  const next = sent.map(nextOn)
  const again = next.flatMap((date) => date?.getTime() ?? [])
  const soonest = again.length > 0 ? new Date(Math.min(...again)) : null
  const { failures, rests_until } = restOf(service, lane, sent)
  const { merchant_id, webhook_id, mode } = lane
  const { rows } = await sql<{ due_on: Date | null }>`
    with results as (
      select * from unnest(${ids}::uuid[], ${next}::timestamptz[],
        ${sent.map(deliveredOn)}::timestamptz[],
        ${sent.map(({ attempt }) => JSON.stringify(attempt.kept))}::jsonb[])
        as r (event_id, next_on, delivered_on, try)
    ), written as (
      update webhook_deliveries d set
        next_on = r.next_on, delivered_on = r.delivered_on, attempts = d.attempts + 1,
        tries = case when jsonb_array_length(d.tries) < ${most_tries} then d.tries
          else d.tries - 0 end || r.try
      from results r where d.merchant_id = ${merchant_id} and d.webhook_id = ${webhook_id}
        and d.event_id = r.event_id and d.next_on is not null
    ), rest as (
      select least(${soonest}::timestamptz, (
        select next_on from webhook_deliveries d
        where d.merchant_id = ${merchant_id} and d.webhook_id = ${webhook_id} and d.mode = ${mode}
          and d.next_on is not null and d.event_id <> all(${ids}::uuid[])
          and exists (select from webhooks w where w.merchant_id = ${merchant_id}
            and w.id = ${webhook_id} and w.active and w.deleted_on is null)
        order by next_on limit 1)) as next_on
    )
    update webhook_lanes l set
      sending = false, failures = ${failures}, rests_until = ${rests_until},
      due_on = case when coalesce(l.fresh_on, rest.next_on) is null then null
        else greatest(least(l.fresh_on, rest.next_on), ${at}, ${rests_until}::timestamptz) end
    from rest
    where l.merchant_id = ${merchant_id} and l.id = ${lane.id} and l.claims = ${lane.claims}
    returning due_on`.execute(service.db)
  if (rows[0]?.due_on && rows[0].due_on <= at) service.signals.deliver('work', 'webhook_lanes')
  if (sent.length > 0) service.changes.tell(webhook_id)
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
