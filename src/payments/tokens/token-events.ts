import { type EventRow, emit, eventRow, type NewEvent } from '../../events/emit.ts'
import type { EventName } from '../../events/event-names.ts'
import type { Service, Transacting } from '../../service.ts'
import { type Token, viewToken } from './token.ts'

type TokenEvent = Extract<EventName, `token_${string}` | 'recurring_token_deleted'>

/** Emits an event about a token as it is now, and wakes requests that wait for it. */
export async function emitToken(
  tx: Transacting,
  name: TokenEvent,
  token: Token,
  more: object = {},
): Promise<void> {
  await emit(tx, name, { ...newEvent(token), data: { ...viewToken(token), ...more } })
  tx.afterCommit(() => tx.changes.notify(token.id))
}

/** The event of its creation, for the statement that inserts both. */
export function createdEvent(service: Service, token: Token): EventRow {
  return eventRow(service, 'token_created', newEvent(token), true)
}

function newEvent(token: Token): NewEvent {
  const { merchant_id, store_id, mode, id } = token
  return { merchant_id, store_id, mode, resource_id: id, data: viewToken(token) }
}
