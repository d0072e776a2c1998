import { login_limits } from '../../core/access/users.ts'
import { announce, now, type Transacting } from '../../service.ts'
import { credentialName } from '../credentials/cached-credentials.ts'
import type { UserPath } from './user.ts'

/**
 * Ends one session or all of a user, on every node; returns how many there were. With one session
 * end those that were replaced and are about to expire: the cookie before the last one must not
 * outlive a sign-out.
 */
export async function endSessions(
  tx: Transacting,
  { merchant_id, id: user_id }: UserPath,
  session_id?: string,
): Promise<number> {
  let ending = tx.db
    .updateTable('user_sessions')
    .set({ ended_on: now(tx) })
    .where('merchant_id', '=', merchant_id)
    .where('user_id', '=', user_id)
    .where('ended_on', 'is', null)
  if (session_id) {
    const soon = new Date(tx.clock.now() + login_limits.replaced_session_ms)
    ending = ending.where((is) => is.or([is('id', '=', session_id), is('expires_on', '<=', soon)]))
  }
  const ended = await ending.returning('id').execute()
  for (const { id } of ended) await announce(tx, 'revoked', credentialName(merchant_id, id))
  return ended.filter(({ id }) => !session_id || id === session_id).length
}
