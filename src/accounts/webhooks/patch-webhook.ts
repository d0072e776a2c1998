import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { fail } from '../../core/api/errors.ts'
import { second_ms } from '../../core/time/clock.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { replayMissed } from './deliveries/replay.ts'
import { deliveryQueuesOf } from './deliveries/send-again.ts'
import {
  checkWebhook,
  levelOf,
  normalUrl,
  type PatchWebhook,
  recordWebhook,
  refuseSameUrl,
  sealAuthToken,
  type Webhook,
  type WebhookOwner,
} from './webhook.ts'

export async function patchWebhook(
  service: Service,
  owner: WebhookOwner,
  id: string,
  patch: PatchWebhook,
): Promise<Webhook> {
  checkWebhook(service, levelOf(owner), patch)
  const { url, triggers, auth_token, active, resend_from } = patch
  const change = {
    ...(url === undefined ? {} : { url: normalUrl(url) }),
    ...(triggers === undefined ? {} : { triggers }),
    ...(active === undefined ? {} : { active, disabled_reason: null, disabled_on: null }),
    ...(auth_token === undefined
      ? {}
      : { auth_token: sealAuthToken(service, { ...owner, id }, auth_token) }),
  }
  if (active) await freshenRounds(service, owner, id)
  return changeWebhook(service, owner, id, 'webhook_updated', change, async (tx, webhook) => {
    // In this order, because the feed also updates delivery queues after it locks its end.
    if (resend_from) await replayMissed(tx, webhook, resend_from)
    if (active) await wakeDeliveryQueues(tx, webhook)
  })
}

/** Nothing is sent to a deleted webhook any more; its slot is free immediately. */
export async function deleteWebhook(
  service: Service,
  owner: WebhookOwner,
  id: string,
): Promise<void> {
  const change = { deleted_on: now(service), active: false }
  await changeWebhook(service, owner, id, 'webhook_deleted', change)
}

async function changeWebhook(
  service: Service,
  owner: WebhookOwner,
  id: string,
  event: 'webhook_updated' | 'webhook_deleted',
  change: Partial<Webhook>,
  also: (tx: Transacting, webhook: Webhook) => Promise<void> = async () => {},
): Promise<Webhook> {
  return inTransaction(service, async (tx) => {
    const webhook = await tx.db
      .updateTable('webhooks')
      .set({ ...change, updated_on: now(tx) })
      .where('merchant_id', '=', owner.merchant_id)
      .where('store_id', 'is not distinct from', owner.store_id)
      .where('id', '=', id)
      .where('deleted_on', 'is', null)
      .returningAll()
      .executeTakeFirst()
      .catch(refuseSameUrl)
    if (!webhook) fail('NOT_FOUND')
    await also(tx, webhook)
    await emit(tx, event, { ...owner, resource_id: id, data: recordWebhook(webhook) })
    tx.afterCommit((after) => awaitEarlierBatches(after, webhook))
    return webhook
  })
}

const rounds_at_once = 20_000

/**
 * Deliveries that waited longer than a day would be given up at their next failure, so they get all
 * attempts again. A million may wait: this is done before the change and in chunks, because the feed is
 * blocked for every merchant while a change locks its end. Rows that a batch is writing right now are
 * left to it.
 */
async function freshenRounds(
  service: Service,
  { merchant_id, store_id }: WebhookOwner,
  id: string,
): Promise<void> {
  const at = new Date(service.wall_clock.now())
  for (let count = rounds_at_once; count === rounds_at_once; ) {
    const { rows } = await sql<{ count: number }>`
      with old as (
        select d.event_id from webhook_deliveries d
        where d.merchant_id = ${merchant_id} and d.webhook_id = ${id} and d.next_on is not null
          and d.round_on < ${at}::timestamptz - interval '24 hours'
          and exists (select from webhooks w where w.merchant_id = ${merchant_id} and w.id = ${id}
            and w.store_id is not distinct from ${store_id}::uuid and w.deleted_on is null)
        limit ${rounds_at_once} for update of d skip locked
      ), fresh as (
        update webhook_deliveries d set round_on = ${at}, attempts = 0 from old
        where d.merchant_id = ${merchant_id} and d.webhook_id = ${id}
          and d.event_id = old.event_id
        returning 1
      )
      select count(*)::integer as count from fresh`.execute(service.db)
    count = rows[0]?.count ?? 0
  }
}

/** Pending deliveries continue, and the circuit is closed. */
async function wakeDeliveryQueues(tx: Transacting, { merchant_id, id }: Webhook): Promise<void> {
  const at = new Date(tx.wall_clock.now())
  await sql`
    with held as (${deliveryQueuesOf(merchant_id, id)})
    update webhook_lanes l set failures = 0, rests_until = null, fresh_on = ${at},
      due_on = case when l.sending then l.due_on else ${at} end
    from held where l.merchant_id = held.merchant_id and l.id = held.id`.execute(tx.db)
  tx.afterCommit(() => tx.signals.broadcast('work', 'webhook_lanes'))
}

const look_ms = 25
/** A batch takes at most three seconds; only that of a process that died stays longer. */
const max_wait_ms = 4 * second_ms

/**
 * Waits for batches that started before the change. After the response nothing is sent to the old URL,
 * or to a disabled webhook.
 */
async function awaitEarlierBatches(service: Service, { merchant_id, id }: Webhook): Promise<void> {
  const sending = () =>
    service.db
      .selectFrom('webhook_lanes')
      .select(['id', 'claims'])
      .where('merchant_id', '=', merchant_id)
      .where('webhook_id', '=', id)
      .where('sending', '=', true)
      .execute()
  let begun = await sending()
  for (let looks = 0; begun.length > 0 && looks < max_wait_ms / look_ms; looks += 1) {
    await sleep(look_ms)
    const now_sending = await sending()
    // A batch that started since then has read the change.
    begun = begun.filter((old) =>
      now_sending.some((queue) => queue.id === old.id && queue.claims === old.claims),
    )
  }
}
