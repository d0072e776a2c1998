import { emit } from '../../events/emit.ts'
import type { EventName } from '../../events/event-names.ts'
import type { Transacting } from '../../service.ts'
import { type Token, viewToken } from './token.ts'

/** Tells of a token as it is now, and wakes who waits for it. */
export async function emitToken(
  tx: Transacting,
  name: Extract<EventName, `token_${string}` | 'recurring_token_deleted'>,
  token: Token,
): Promise<void> {
  const { merchant_id, store_id, mode, id } = token
  const data = viewToken(token)
  await emit(tx, name, { merchant_id, store_id, mode, resource_id: id, data })
  tx.afterCommit(() => tx.changes.tell(id))
}
