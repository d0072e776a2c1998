import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { requireStore } from '../../accounts/stores/store.ts'
import { poll } from '../../api/responses/poll.ts'
import { operation, type Route } from '../../api/routes/operation.ts'
import type { Caller } from '../../core/access/caller.ts'
import { described, shownAs } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Instant, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { isTimed } from '../../core/ids.ts'
import { eventOf, hiddenEvents } from '../../events/event-names.ts'
import { storedFrom } from '../../events/event-retention.ts'
import { feedOf } from '../../events/feed-events.ts'
import type { Service } from '../../service.ts'
import { sharedDb } from '../../store/sql/connections/shared-connections.ts'
import { AnyEvent } from './event-shapes.ts'

const EventView = shownAs(
  Type.Object({
    id: Id,
    event: Type.String(),
    data: Type.Unsafe<unknown>({}),
    created_on: Instant,
    resource_id: Id,
    sequence: Type.Integer(),
    store_id: nullable(Id),
    mode: nullable(Type.Enum(['test', 'live'])),
  }),
  AnyEvent,
)
type EventView = Static<typeof EventView>
const EventPage = PageOf(EventView)

const FeedQuery = Type.Object({
  ...PageParameters,
  event: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Only events of these names, separated by commas.',
    }),
  ),
  resource_id: described(Type.Optional(Id), 'Only events about this resource.'),
  polling: Type.Optional(
    Type.Boolean({
      description: 'With `cursor_direction=asc`: wait up to five seconds for a next event.',
    }),
  ),
})
type FeedQuery = Static<typeof FeedQuery>

interface FeedRow extends Omit<EventView, 'created_on'> {
  created_on: Date
}

/** The scope of a credential: the whole merchant, or one store in one mode. */
interface Scope {
  merchant_id: string
  store_id: string | null
  mode: 'test' | 'live' | null
  /** Names of events without permission. */
  hidden: readonly string[]
}

function scopeOf(caller: Caller, store_id = caller.store_id): Scope {
  const { merchant_id, mode } = caller
  return { merchant_id, store_id, mode, hidden: hiddenEvents(caller) }
}

/**
 * A page of the feed. The cursor is the last event that was read; its position never changes and
 * nothing is ever inserted before it, so a reader that continues from there misses nothing.
 */
async function readFeed(service: Service, scope: Scope, query: FeedQuery) {
  const { limit, cursor, cursor_direction: direction, event, resource_id } = query
  const { merchant_id, store_id, mode, hidden } = scope
  const position = cursor ? await placeOf(service, merchant_id, cursor) : null
  const compare = direction === 'asc' ? sql`>` : sql`<`
  const of_resource = sql`join events e on e.merchant_id = f.merchant_id and e.id = f.event_id
    and e.resource_id = ${resource_id}`
  const { rows } = await sql<{ event_id: string }>`
    select f.event_id from event_feed f ${resource_id ? of_resource : sql``}
    where f.merchant_id = ${merchant_id}
      ${position === null ? sql`` : sql`and f.position ${compare} ${position}`}
      ${store_id ? sql`and f.store_id = ${store_id}` : sql``}
      ${mode ? sql`and (f.mode = ${mode} or f.mode is null)` : sql``}
      ${event ? namedAs(event) : sql``}
      ${hidden.length > 0 ? sql`and f.name <> all(${hidden})` : sql``}
    order by f.position ${direction === 'asc' ? sql`asc` : sql`desc`}
    limit ${limit + 1}`.execute(service.db)
  const items = await readEvents(service, merchant_id, rows.slice(0, limit))
  return { items: items.map(viewEvent), has_more: rows.length > limit }
}

/** Events in the order of the feed. The bounds let the planner skip all other months. */
async function readEvents(
  service: Service,
  merchant_id: string,
  rows: readonly { event_id: string }[],
): Promise<FeedRow[]> {
  const ids = rows.map(({ event_id }) => event_id)
  const [first, last] = [[...ids].sort()[0], [...ids].sort().at(-1)]
  if (first === undefined || last === undefined) return []
  const { rows: found } = await sql<FeedRow>`
    select id, name as event, data, created_on, resource_id, sequence, store_id, mode from events
    where merchant_id = ${merchant_id} and id = any(${ids}::uuid[]) and id >= ${first}::uuid
      and id <= ${last}::uuid`.execute(service.db)
  const by_id = new Map(found.map((event) => [event.id, event]))
  return ids.flatMap((id) => by_id.get(id) ?? [])
}

/** A single name uses the index in feed order; several names are filtered. */
function namedAs(text: string): RawBuilder<unknown> {
  const names = text.split(',').map((name) => eventOf(name.trim()))
  return names.length === 1 ? sql`and f.name = ${names[0]}` : sql`and f.name = any(${names})`
}

async function placeOf(service: Service, merchant_id: string, event_id: string): Promise<number> {
  const place = await service.db
    .selectFrom('event_feed')
    .select('position')
    .where('merchant_id', '=', merchant_id)
    .where('event_id', '=', event_id)
    .executeTakeFirst()
  return place?.position ?? refuseCursor(service, event_id)
}

/** A reader that was away for too long has missed events, and must know: it is not sent on silently. */
async function refuseCursor(service: Service, event_id: string): Promise<never> {
  if (!isTimed(event_id) || event_id >= (await storedFrom(service.db))) {
    fail('NOT_FOUND', { message: 'There is no event with the id of cursor.' })
  }
  fail('NOT_FOUND', {
    message:
      `The event of cursor was deleted: events are kept for ${service.config.events_days} days. ` +
      'Without cursor, cursor_direction=asc begins at the oldest one.',
  })
}

function viewEvent({ created_on, ...event }: FeedRow): EventView {
  return { ...event, created_on: created_on.toISOString() }
}

async function getEvent(service: Service, scope: Scope, id: string): Promise<EventView> {
  // With its plan for any id: planning for each would cost more than the months that it names.
  let found = sharedDb(service.db)
    .selectFrom('events')
    .select(['id', 'name as event', 'data', 'created_on', 'resource_id', 'sequence'])
    .select(['store_id', 'mode'])
    .where('merchant_id', '=', scope.merchant_id)
    .where('id', '=', id)
  if (scope.store_id) found = found.where('store_id', '=', scope.store_id)
  if (scope.hidden.length > 0) found = found.where('name', 'not in', scope.hidden)
  if (scope.mode) {
    const { mode } = scope
    found = found.where((or) => or.or([or('mode', '=', mode), or('mode', 'is', null)]))
  }
  const event = await found.executeTakeFirst()
  return event ? viewEvent(event) : fail('NOT_FOUND')
}

async function feed(service: Service, caller: Caller, store_id: string | null, query: FeedQuery) {
  const { merchant_id } = caller
  const read = () => readFeed(service, scopeOf(caller, store_id), query)
  const polling = query.polling && query.cursor_direction === 'asc'
  return poll(service, feedOf(merchant_id), polling, read, ({ items }) => items.length === 0)
}

const feed_text =
  'Pass the id of the last event you processed as `cursor`, with `cursor_direction=asc`. No ' +
  'event is missed or repeated. `polling=true` waits for the next one.'

export const eventRoutes: readonly Route[] = [
  operation({
    at: 'GET /events',
    id: 'listEvents',
    client: 'events.list',
    tag: 'events',
    summary: 'List events in commit order',
    text: feed_text,
    right: 'settings',
    query: FeedQuery,
    responses: { 200: EventPage },
    handle: ({ service, caller, query }) => feed(service, caller, caller.store_id, query),
  }),

  operation({
    at: 'GET /stores/:store_id/events',
    id: 'listStoreEvents',
    client: 'events.list',
    tag: 'events',
    summary: 'List the events of a store in commit order',
    text: feed_text,
    right: 'settings',
    query: FeedQuery,
    responses: { 200: EventPage },
    handle: async ({ service, caller, params, query }) => {
      const { id } = await requireStore(service, caller, params.store_id)
      return feed(service, caller, id, query)
    },
  }),

  operation({
    at: 'GET /events/:event_id',
    id: 'getEvent',
    client: 'events.get',
    tag: 'events',
    summary: 'Get an event',
    text: 'One event with the resource as it was at that time.',
    right: 'settings',
    responses: { 200: EventView },
    handle: ({ service, caller, params }) => getEvent(service, scopeOf(caller), params.event_id),
  }),
]
