import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { second_ms } from '../../core/clock.ts'
import { fail } from '../../core/errors.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { replayMissed } from './replay.ts'
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
  return changeWebhook(service, owner, id, 'webhook_updated', change, async (tx, webhook) => {
    // In this order, because who writes the feed wakes lanes as well.
    if (resend_from) await replayMissed(tx, webhook, resend_from)
    if (active) await wakeLanes(tx, webhook)
  })
}

/** Nothing is sent to a deleted webhook any more; its place is free at once. */
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
    tx.afterCommit((after) => wavesOver(after, webhook))
    return webhook
  })
}

/** What waited goes on, and the receiver is as good as new. */
async function wakeLanes(tx: Transacting, { merchant_id, id }: Webhook): Promise<void> {
  const at = new Date(tx.wall_clock.now())
  await sql`
    update webhook_lanes set failures = 0, rests_until = null, fresh_on = ${at},
      due_on = case when sending then due_on else ${at} end
    where merchant_id = ${merchant_id} and webhook_id = ${id}`.execute(tx.db)
  // What waited longer than a day would be given up at its next failure.
  await sql`
    update webhook_deliveries set round_on = ${at}, attempts = 0
    where merchant_id = ${merchant_id} and webhook_id = ${id} and next_on is not null
      and round_on < ${at}::timestamptz - interval '1 day'`.execute(tx.db)
  tx.afterCommit(() => tx.signals.spread('work', 'webhook_lanes'))
}

const look_ms = 25
/** A wave takes three seconds at most; only that of a process that died stays longer. */
const longest_ms = 4 * second_ms

/**
 * Waits until what was begun before the change is over: after the answer nothing goes to the old
 * address, and nothing at all to a webhook that is off.
 */
async function wavesOver(service: Service, { merchant_id, id }: Webhook): Promise<void> {
  const sending = () =>
    service.db
      .selectFrom('webhook_lanes')
      .select(['id', 'claims'])
      .where('merchant_id', '=', merchant_id)
      .where('webhook_id', '=', id)
      .where('sending', '=', true)
      .execute()
  let begun = await sending()
  for (let looks = 0; begun.length > 0 && looks < longest_ms / look_ms; looks += 1) {
    await sleep(look_ms)
    const now_sending = await sending()
    // A wave that began since has read the change.
    begun = begun.filter((old) =>
      now_sending.some((lane) => lane.id === old.id && lane.claims === old.claims),
    )
  }
}
