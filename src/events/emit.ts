import type { Mode } from '../core/access/caller.ts'
import { first_id, firstIdAt, instantOf, isTimed, newId } from '../core/ids.ts'
import { day_ms } from '../core/time/clock.ts'
import { now, type Service, type Transacting } from '../service.ts'
import { type ColumnArrays, newColumnArrays } from '../store/sql/batches/column-arrays.ts'
import { run } from '../store/sql/statements/statement.ts'
import type { EventName } from './event-names.ts'

export interface NewEvent {
  merchant_id: string
  store_id?: string | null
  mode?: Mode | null
  resource_id: string
  /** The resource as its GET shows it at this moment. Never contains a secret. */
  data: unknown
}

/** A row of `events`, without its number. */
export interface EventRow extends Required<NewEvent> {
  readonly id: string
  readonly name: EventName
  readonly created_on: Date
  /** No earlier event of the resource has a smaller id; null: this is its first event. */
  readonly since: string | null
}

/**
 * The start of a resource's earlier events, so that not all months are searched. In test mode, and for
 * resources of both modes, a resource may have an id that is ahead of the time of its events.
 */
function sinceOf({ mode, resource_id }: NewEvent): string {
  if (mode !== 'live' || !isTimed(resource_id)) return first_id
  return firstIdAt(instantOf(resource_id) - day_ms)
}

/** The id has the time of the database, also where a test clock is ahead: events are kept by it. */
export function eventRow(
  service: Service,
  name: EventName,
  event: NewEvent,
  is_first = false,
): EventRow {
  const created_on = now(service)
  const { merchant_id, store_id = null, mode = null, resource_id, data } = event
  const is_ahead = service.clock !== service.wall_clock
  const id = newId(is_ahead ? service.wall_clock.now() : created_on.getTime())
  const since = is_first ? null : sinceOf(event)
  return { merchant_id, id, store_id, mode, name, resource_id, data, created_on, since }
}

/** `json`, not `jsonb`, keeps the data unchanged. */
const event_types = {
  merchant_id: 'uuid',
  id: 'uuid',
  store_id: 'uuid',
  mode: 'text',
  name: 'text',
  resource_id: 'uuid',
  data: 'json',
  created_on: 'timestamptz',
  since: 'uuid',
} as const
const event_columns = Object.keys(event_types)

/** Events as parameters, which start after `given`, and the list of them in a statement. */
export const newEventArrays = (given: number) => newColumnArrays(event_types, given)
export const eventList = ({ of }: ColumnArrays) =>
  `select * from unnest(${event_columns.map(of).join(', ')}) as given (${event_columns.join(', ')})`

/**
 * Parts of a `with` that write events from a list of them. The caller's statement locks the rows of the
 * resources, so their events are numbered in sequence; a concurrent duplicate would violate the unique
 * index of its month. A resource whose events were all deleted continues after the highest deleted number.
 */
export const eventsFrom = (list: string) => `
  emitted as (
    insert into events
      (merchant_id, id, store_id, mode, name, resource_id, sequence, data, created_on)
    select e.merchant_id, e.id, e.store_id, e.mode, e.name, e.resource_id,
      case when e.since is null then 1
        else next_event_sequence(e.merchant_id, e.resource_id, e.since) end,
      e.data, e.created_on
    from ${list} e
    returning merchant_id, id
  ), queued as (
    insert into event_queue (merchant_ids, event_ids)
    select array_agg(merchant_id), array_agg(id) from emitted having count(*) > 0
  )`

const arrays = newEventArrays(0)
const emit_text = `with given as (${eventList(arrays)}), ${eventsFrom('given')} select 1`

/** Writes an event in the caller's transaction: it exists exactly when the change does. */
export async function emit(
  service: Transacting,
  name: EventName,
  event: NewEvent,
): Promise<string> {
  const row = eventRow(service, name, event)
  await run(service.db, emit_text, arrays.values([row]))
  service.afterCommit(() => service.signals.broadcast('work', 'events'))
  return row.id
}
