import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { operation, type Route } from '../../../api/routes/operation.ts'
import type { Caller } from '../../../core/access/caller.ts'
import { common, filters } from '../../../core/api/common-fields.ts'
import { described, extended } from '../../../core/api/described-schemas.ts'
import { Id, nullable, PageOf } from '../../../core/api/schemas.ts'
import { readInstant } from '../../../core/typed/formats.ts'
import type { Service } from '../../../service.ts'
import { readBoundedList, wholeGroups } from '../../../store/sql/reads/bounded-list.ts'
import { idRange, scope_filters, scopeOf } from '../../stores/list-scope.ts'
import { type Delivery, DeliveryQuery, DeliveryView, ofResource, viewDelivery } from './delivery.ts'

const {
  'created_on.from': _from,
  'created_on.to': _to,
  ...of_one_webhook
} = DeliveryQuery.properties

const ListAllDeliveries = Type.Object({
  ...of_one_webhook,
  ...scope_filters,
  webhook_id: described(Type.Optional(Id), 'Only items to this webhook.'),
  from: filters.from,
  to: filters.to,
})
type ListAllDeliveries = Static<typeof ListAllDeliveries>

const AnyDeliveryPage = PageOf(
  extended(
    'AnyDeliveryItem',
    DeliveryView,
    {
      url: described(Type.String(), 'The address that it is sent to.'),
      store_id: described(nullable(common.store_id), 'The store of the webhook; null: all stores.'),
    },
    'An event, and its delivery to one of the webhooks.',
  ),
)

type AnyDelivery = Delivery & { url: string; store_id: string | null }

/** An event goes to at most twenty webhooks of its store and twenty of the merchant. */
const max_of_event = 40

/** Deliveries to all webhooks; the event is the cursor, and a page has all deliveries of its last event. */
async function listAllDeliveries(service: Service, caller: Caller, query: ListAllDeliveries) {
  const { merchant_id, store_id, modes } = await scopeOf(service, caller, query)
  const { status, event, resource_id, webhook_id, limit, from, to } = query
  // Ids of events use the time of the database: those of a moved test clock are older by the difference.
  const ahead_ms = service.clocks.of(merchant_id, 'test').now() - service.wall_clock.now()
  const given_up = sql`t.next_on is null and t.delivered_on is null`
  const where = [
    ...(status === 'failed' ? [given_up] : []),
    ...(resource_id ? [ofResource(merchant_id, resource_id)] : []),
  ]
  const filter = [
    ...(ahead_ms > 0 && from ? [sql`r.created_on >= ${readInstant(from)}`] : []),
    ...(ahead_ms > 0 && to ? [sql`r.created_on < ${readInstant(to)}`] : []),
    ...(status === 'waiting' ? [sql`r.next_on is not null`] : []),
    ...(status === 'delivered' ? [sql`r.delivered_on is not null`] : []),
    ...(event ? [sql`r.trigger = ${event}`] : []),
    ...(webhook_id ? [sql`r.webhook_id = ${webhook_id}::uuid`] : []),
    ...(store_id
      ? [
          sql`r.webhook_id in (select id from webhooks
            where merchant_id = ${merchant_id} and store_id = ${store_id}::uuid)`,
        ]
      : []),
  ]
  const wanted = limit + max_of_event + 1
  const rows = await readBoundedList<AnyDelivery>(
    service.db,
    {
      ...idRange(query, ahead_ms),
      table: 'webhook_deliveries',
      key: 'event_id',
      merchant_id,
      modes,
      where: where.length > 0 ? sql.join(where, sql` and `) : undefined,
      filter,
    },
    query,
    wanted,
    (source, order) => sql<AnyDelivery>`
      select d.*, e.id, e.data, e.sequence, w.url, w.store_id from ${source} as d
      join events e on e.merchant_id = d.merchant_id and e.id = d.event_id
      join webhooks w on w.merchant_id = d.merchant_id and w.id = d.webhook_id
      order by d.event_id ${order}, d.webhook_id`,
  )
  const { items, has_more } = wholeGroups(rows, query, ({ id }) => id)
  return { items: items.map(viewAnyDelivery), has_more }
}

function viewAnyDelivery(delivery: AnyDelivery) {
  const { url, store_id } = delivery
  return { ...viewDelivery(delivery), url, store_id }
}

export const allDeliveryRoutes: readonly Route[] = [
  operation({
    at: 'GET /deliveries',
    id: 'listAllDeliveries',
    client: 'webhooks.listAllDeliveries',
    tag: 'webhooks',
    summary: 'List the deliveries of all webhooks',
    text:
      'The cursor is the id of an event. A page contains all deliveries of its last event, ' +
      'so it can exceed the limit.',
    right: 'webhooks',
    access: { level: 'merchant' },
    query: ListAllDeliveries,
    responses: { 200: AnyDeliveryPage },
    handle: ({ service, caller, query }) => listAllDeliveries(service, caller, query),
  }),
]
