import { sql } from 'kysely'
import type { Mode } from '../core/caller.ts'
import { newId } from '../core/ids.ts'
import { now, type Transacting } from '../service.ts'
import type { EventName } from './event-names.ts'

export interface NewEvent {
  merchant_id: string
  store_id?: string | null
  mode?: Mode | null
  resource_id: string
  /** The resource as its GET shows it at this moment. Never a secret. */
  data: unknown
}

/**
 * Writes an event in the caller's transaction: it exists exactly when the change does. The caller
 * holds the resource's row, so its events are numbered one after the other; should two ever
 * meet, the unique index refuses the second. Returns the event's id.
 */
export async function emit(
  service: Transacting,
  name: EventName,
  event: NewEvent,
): Promise<string> {
  const created_on = now(service)
  const id = newId(created_on.getTime())
  await sql`
    with made as (
      insert into events
        (merchant_id, id, store_id, mode, name, resource_id, sequence, data, created_on)
      select ${event.merchant_id}::uuid, ${id}::uuid,
        ${event.store_id ?? null}::uuid, ${event.mode ?? null}, ${name}, ${event.resource_id}::uuid,
        coalesce(max(sequence), 0) + 1, ${JSON.stringify(event.data)}::json, ${created_on}
      from events where merchant_id = ${event.merchant_id} and resource_id = ${event.resource_id}
      returning merchant_id, id
    )
    insert into event_queue (merchant_id, event_id) select merchant_id, id from made
  `.execute(service.db)
  service.afterCommit(() => service.signals.spread('work', 'events'))
  return id
}
