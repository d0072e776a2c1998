import { type RawBuilder, type Selectable, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { common, filters } from '../../core/common-fields.ts'
import { described, named } from '../../core/described-schemas.ts'
import { fail } from '../../core/errors.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../core/schemas.ts'
import { readInstant } from '../../core/text/formats.ts'
import { trigger_spellings } from '../../events/event-names.ts'
import type { Service } from '../../service.ts'
import { readPage } from '../../store/sql/page.ts'
import type { EventTable, WebhookDeliveryTable } from '../../store/tables/webhook-tables.ts'
import type { Webhook } from './webhook.ts'

const Try = named(
  'DeliveryAttempt',
  Type.Object({
    fired_on: described(Instant, 'When it was sent.'),
    duration_ms: described(Type.Integer(), 'How long it took, in milliseconds.'),
    status: nullable(
      Type.Integer({ description: 'The HTTP status of the response; null when there was none.' }),
    ),
    error: nullable(
      Type.String({ description: 'Why there was no response; null when there was one.' }),
    ),
    answer: nullable(
      Type.String({ description: 'The beginning of an unsuccessful response; otherwise null.' }),
    ),
  }),
  'An attempt to deliver an event.',
)

export const DeliveryView = named(
  'Delivery',
  Type.Object({
    id: described(Id, 'The id of the event.'),
    webhook_id: described(Id, 'The webhook that it is sent to.'),
    event: described(Type.String(), 'The name of the event.'),
    data: Type.Unsafe<unknown>({ description: 'The resource as it was when the event happened.' }),
    resource_id: described(Id, 'The resource that the event is about.'),
    sequence: Type.Integer({
      description: 'The number of the event among those of its resource, from 1.',
    }),
    mode: common.mode,
    status: described(
      Type.Enum(['waiting', 'delivered', 'failed']),
      'Whether it arrived: `waiting` for the next attempt, `delivered`, or `failed` ' +
        'when it was given up.',
    ),
    successful: described(Type.Boolean(), 'Whether it arrived.'),
    fired_on: described(nullable(Instant), 'When it was last sent; null until then.'),
    next_attempt_on: described(nullable(Instant), 'When it is sent next; null when it is not.'),
    error_message: described(
      nullable(Type.String()),
      'What went wrong at the last attempt; null if nothing did.',
    ),
    attempts: described(Type.Array(Try), 'Every attempt, the oldest first.'),
    created_on: described(Instant, 'When the event happened.'),
  }),
  'An event, and what became of it at a webhook.',
)
export const DeliveryPage = PageOf(DeliveryView)

export const DeliveryQuery = Type.Object({
  ...PageParameters,
  status: described(
    Type.Optional(Type.Enum(['waiting', 'delivered', 'failed'])),
    'Only those with this status.',
  ),
  event: described(Type.Optional(Type.String({ maxLength: 64 })), 'Only events of this name.'),
  resource_id: described(Type.Optional(Id), 'Only events about this resource.'),
  'created_on.from': filters.from,
  'created_on.to': filters.to,
})
type DeliveryQuery = Static<typeof DeliveryQuery>

export type Delivery = Omit<Selectable<WebhookDeliveryTable>, 'event_id'> &
  Pick<Selectable<EventTable>, 'id' | 'data' | 'sequence'>

export function viewDelivery(delivery: Delivery): Static<typeof DeliveryView> {
  const { id, webhook_id, trigger: event, data, resource_id, sequence, mode, tries } = delivery
  const last = tries.at(-1)
  return {
    id,
    webhook_id,
    event,
    data,
    resource_id,
    sequence,
    mode,
    status: delivery.delivered_on ? 'delivered' : delivery.next_on ? 'waiting' : 'failed',
    successful: delivery.delivered_on !== null,
    fired_on: last?.fired_on ?? null,
    next_attempt_on: delivery.next_on?.toISOString() ?? null,
    error_message: delivery.delivered_on ? null : whatWentWrong(last),
    attempts: tries,
    created_on: delivery.created_on.toISOString(),
  }
}

function whatWentWrong(last: Delivery['tries'][number] | undefined): string | null {
  if (!last) return null
  return last.error ?? `The receiver answered ${last.status}.`
}

function deliveriesOf(service: Service, { merchant_id, id }: Webhook) {
  return service.db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events as e', (join) =>
      join.onRef('e.merchant_id', '=', 'd.merchant_id').onRef('e.id', '=', 'd.event_id'),
    )
    .selectAll('d')
    .select(['e.id', 'e.data', 'e.sequence'])
    .where('d.merchant_id', '=', merchant_id)
    .where('d.webhook_id', '=', id)
}

export async function getDelivery(
  service: Service,
  webhook: Webhook,
  event_id: string,
): Promise<Delivery> {
  const found = deliveriesOf(service, webhook).where('d.event_id', '=', event_id)
  return (await found.executeTakeFirst()) ?? fail('NOT_FOUND')
}

/** An event's name as this webhook spells it. */
export function spelledFor({ triggers }: Webhook, name: RawBuilder<unknown>): RawBuilder<unknown> {
  const other = Object.entries(trigger_spellings).filter(
    ([spelling, event]) => triggers.includes(spelling) && !triggers.includes(event),
  )
  return other.reduce(
    (spelled, [spelling, event]) =>
      sql`case ${name} when ${event} then ${spelling} else ${spelled} end`,
    name,
  )
}

/** The deliveries of a webhook, past and pending, with every attempt. */
export async function listDeliveries(service: Service, webhook: Webhook, query: DeliveryQuery) {
  const { status, event, resource_id, 'created_on.from': from, 'created_on.to': to } = query
  let found = deliveriesOf(service, webhook)
  if (status === 'waiting') found = found.where('d.next_on', 'is not', null)
  if (status === 'delivered') found = found.where('d.delivered_on', 'is not', null)
  if (status === 'failed') found = found.where(sql<boolean>`${is_failed}`)
  if (event) found = found.where('d.trigger', '=', event)
  if (resource_id) found = found.where('d.resource_id', '=', resource_id)
  if (from) found = found.where('d.created_on', '>=', readInstant(from))
  if (to) found = found.where('d.created_on', '<', readInstant(to))
  const paged = service.db.selectFrom(found.as('deliveries')).selectAll()
  const { items, has_more } = await readPage<Delivery>(paged, query)
  return { items: items.map(viewDelivery), has_more }
}

/** Given up: neither delivered nor pending. */
const is_failed = sql`(d.next_on is null and d.delivered_on is null)`
