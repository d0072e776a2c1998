import { type RawBuilder, type Selectable, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { common, filters } from '../../../core/api/common-fields.ts'
import { described, named } from '../../../core/api/described-schemas.ts'
import { fail } from '../../../core/api/errors.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../../core/api/schemas.ts'
import { readInstant } from '../../../core/typed/formats.ts'
import { trigger_spellings } from '../../../events/event-names.ts'
import type { Service } from '../../../service.ts'
import { readBoundedList } from '../../../store/sql/reads/bounded-list.ts'
import { pageOf } from '../../../store/sql/reads/page.ts'
import type {
  EventTable,
  WebhookDeliveryTable,
} from '../../../store/tables/accounts/webhook-tables.ts'
import { idRange } from '../../stores/list-scope.ts'
import type { Webhook } from '../webhook.ts'

const Try = named(
  'DeliveryAttempt',
  Type.Object({
    fired_on: described(Instant, 'The sending time.'),
    duration_ms: described(Type.Integer(), 'How long it took, in milliseconds.'),
    status: nullable(
      Type.Integer({ description: 'The HTTP status of the response; null when there was none.' }),
    ),
    error: nullable(
      Type.String({ description: 'The reason for a missing response; null with a response.' }),
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
      'The state: `waiting` for the next attempt, `delivered`, or `failed` after the last ' +
        'attempt.',
    ),
    successful: described(Type.Boolean(), 'Whether it arrived.'),
    fired_on: described(nullable(Instant), 'The time of the last attempt; null before it.'),
    next_attempt_on: described(
      nullable(Instant),
      'The time of the next attempt; null if there is none.',
    ),
    error_message: described(
      nullable(Type.String()),
      'The error of the last attempt; null if there was none.',
    ),
    attempts: described(Type.Array(Try), 'Every attempt, the oldest first.'),
    created_on: described(Instant, 'The time of the event.'),
  }),
  'An event, and its delivery to a webhook.',
)
export const DeliveryPage = PageOf(DeliveryView)

export const DeliveryQuery = Type.Object({
  ...PageParameters,
  status: described(
    Type.Optional(Type.Enum(['waiting', 'delivered', 'failed'])),
    'Only items with this status.',
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

/**
 * The deliveries of a webhook, past and pending, with every attempt. Ids of events use the time of the
 * database, so those of a moved test clock are older than their time by the difference.
 */
export async function listDeliveries(service: Service, webhook: Webhook, query: DeliveryQuery) {
  const { merchant_id, id } = webhook
  const { status, event, resource_id, 'created_on.from': from, 'created_on.to': to } = query
  const ahead_ms = service.clocks.of(merchant_id, 'test').now() - service.wall_clock.now()
  const where = [
    sql`t.webhook_id = ${id}::uuid`,
    // Given up: neither delivered nor pending.
    ...(status === 'failed' ? [sql`t.next_on is null and t.delivered_on is null`] : []),
    ...(resource_id ? [ofResource(merchant_id, resource_id)] : []),
  ]
  const filter = [
    ...(status === 'waiting' ? [sql`r.next_on is not null`] : []),
    ...(status === 'delivered' ? [sql`r.delivered_on is not null`] : []),
    ...(event ? [sql`r.trigger = ${event}`] : []),
    ...(ahead_ms > 0 && from ? [sql`r.created_on >= ${readInstant(from)}`] : []),
    ...(ahead_ms > 0 && to ? [sql`r.created_on < ${readInstant(to)}`] : []),
  ]
  const range = idRange({ ...(from ? { from } : {}), ...(to ? { to } : {}) }, ahead_ms)
  const rows = await readBoundedList<Delivery>(
    service.db,
    {
      ...range,
      table: 'webhook_deliveries',
      key: 'event_id',
      merchant_id,
      modes: null,
      where: sql.join(where, sql` and `),
      filter,
    },
    query,
    query.limit + 1,
    (source, order) => sql<Delivery>`
      select d.*, e.id, e.data, e.sequence from ${source} as d
      join events e on e.merchant_id = d.merchant_id and e.id = d.event_id
      order by d.event_id ${order}`,
  )
  const { items, has_more } = pageOf(rows, query)
  return { items: items.map(viewDelivery), has_more }
}

/** The condition that a delivery `t` is about a resource, by its newest events. */
export function ofResource(merchant_id: string, resource_id: string): RawBuilder<unknown> {
  return sql`t.event_id = any(array(select id from events where merchant_id = ${merchant_id}
    and resource_id = ${resource_id}::uuid order by sequence desc limit 1000))`
}
