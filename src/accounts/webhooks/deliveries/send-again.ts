import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { named } from '../../../core/api/described-schemas.ts'
import { fail, failField } from '../../../core/api/errors.ts'
import { emit } from '../../../events/emit.ts'
import { eventOf, triggersOf } from '../../../events/event-names.ts'
import { kept_from } from '../../../events/event-retention.ts'
import { insert_deliveries } from '../../../events/feed-events.ts'
import { inTransaction, type Service, type Transacting } from '../../../service.ts'
import { levelOf, recordWebhook, urlFault, type Webhook } from '../webhook.ts'
import { withSecret } from '../webhook-secret.ts'
import { getDelivery, spelledFor } from './delivery.ts'
import { type DeliverableEvent, postEvent } from './post-event.ts'

export const Redeliver = named(
  'RedeliverEvent',
  Type.Object({
    url: Type.Optional(
      Type.String({
        format: 'url',
        description: 'Test delivery: sent once to this URL instead. Events of test mode only.',
      }),
    ),
  }),
  'The redelivery of an event.',
)
export type Redeliver = Static<typeof Redeliver>

export function refuseInactive({ active }: Webhook): void {
  if (!active) fail('WEBHOOK_INACTIVE')
}

/** Puts an event into the webhook's queue again, with all attempts. */
export async function redeliver(service: Service, webhook: Webhook, event_id: string) {
  refuseInactive(webhook)
  await inTransaction(service, async (tx) => {
    const { merchant_id, store_id } = webhook
    const names = triggersOf(levelOf(webhook)).map(eventOf)
    await wakeDeliveryQueue(tx, webhook)
    const created = await sql<{ mode: string }>`
      with wanted as (
        select e.merchant_id, e.id, e.mode, e.resource_id, e.name, e.created_on, f.position
        from events e join event_feed f on f.merchant_id = e.merchant_id and f.event_id = e.id
        where e.merchant_id = ${merchant_id} and e.id = ${event_id} and e.id >= ${kept_from}
          and (${store_id}::uuid is null or e.store_id = ${store_id}) and e.name = any(${names})
      ) ${queuedFrom(tx, webhook, 'wanted')} returning mode`.execute(tx.db)
    if (created.rows.length === 0) fail('NOT_FOUND')
  })
  return getDelivery(service, webhook, event_id)
}

/** Queues deliveries of the events that the statement found; an earlier delivery starts again. */
export function queuedFrom(service: Service, webhook: Webhook, events: 'chunk' | 'wanted') {
  const at = dueNow(service)
  return sql`${sql.raw(insert_deliveries)}
    select merchant_id, ${webhook.id}, id, coalesce(mode, 'live'), position, resource_id,
      ${spelledFor(webhook, sql`name`)}, ${at}, ${at}, created_on from ${sql.table(events)}
    on conflict (merchant_id, webhook_id, event_id) do update set
      next_on = excluded.next_on, round_on = excluded.round_on, delivered_on = null, attempts = 0`
}

/** Due immediately in either mode: test mode is never behind the machine. */
export function dueNow({ wall_clock }: Service): Date {
  return new Date(wall_clock.now())
}

/**
 * Makes the queue due, as soon as no process is sending from it. The queue is locked before its
 * deliveries, as on completion of a batch: otherwise the two could deadlock.
 */
export async function wakeDeliveryQueue(
  tx: Transacting,
  { merchant_id, id }: Webhook,
): Promise<void> {
  const at = dueNow(tx)
  await sql`
    with held as (${deliveryQueuesOf(merchant_id, id)})
    update webhook_lanes l set fresh_on = least(l.fresh_on, ${at}),
      due_on = case when l.sending then l.due_on
        else greatest(least(l.due_on, ${at}), l.rests_until) end
    from held where l.merchant_id = held.merchant_id and l.id = held.id`.execute(tx.db)
  tx.afterCommit(() => tx.signals.broadcast('work', 'webhook_lanes'))
}

/** Both queues of a webhook, locked in their order, because the feed and batch completion lock many. */
export function deliveryQueuesOf(merchant_id: string, webhook_id: string): RawBuilder<unknown> {
  return sql`select merchant_id, id from webhook_lanes
    where merchant_id = ${merchant_id} and webhook_id = ${webhook_id}
    order by merchant_id, id for update`
}

/** Sends a test-mode event once to another URL and returns the result. */
export async function sendTestDelivery(
  service: Service,
  webhook: Webhook,
  event_id: string,
  url: string,
) {
  const fault = urlFault(service, url)
  if (fault) failField('url', 'INVALID_FORMAT_URL', fault)
  const delivery = await getDelivery(service, webhook, event_id)
  if (delivery.mode !== 'test') {
    failField('url', 'FORBIDDEN_PARAMETER', 'is for events of test mode only')
  }
  const event = await readEvent(service, webhook.merchant_id, event_id)
  const ready = await withSecret(service, webhook)
  const { stored } = await postEvent(service, ready, { ...event, trigger: delivery.trigger }, url)
  return stored
}

async function readEvent(
  service: Service,
  merchant_id: string,
  id: string,
): Promise<DeliverableEvent> {
  const { rows } = await sql<DeliverableEvent>`
    select id, name as trigger, data::text as data, resource_id, sequence, created_on
    from events where merchant_id = ${merchant_id} and id = ${id}`.execute(service.db)
  return rows[0] ?? fail('NOT_FOUND')
}

/**
 * Sends a small event to the webhook immediately, whether it is enabled or not, and returns the result.
 * It has no other effect.
 */
export async function pingWebhook(service: Service, webhook: Webhook) {
  const { merchant_id, store_id, id } = webhook
  const ready = await withSecret(service, webhook)
  const event_id = await inTransaction(service, async (tx) => {
    await tx.db
      .selectFrom('webhooks')
      .select('id')
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .forUpdate()
      .execute()
    const data = recordWebhook(webhook)
    return emit(tx, 'webhook_ping', { merchant_id, store_id, resource_id: id, data })
  })
  const event = await readEvent(service, merchant_id, event_id)
  const { stored } = await postEvent(service, ready, event)
  return { id: event_id, ...stored }
}
