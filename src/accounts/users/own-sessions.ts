import type { Selectable } from 'kysely'
import Type from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { login_limits } from '../../core/access/users.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Instant, PageOf } from '../../core/api/schemas.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import { type Page, type PageQuery, readPage } from '../../store/sql/reads/page.ts'
import type { UserSessionTable } from '../../store/tables/accounts/user-tables.ts'
import { endSessions } from './end-sessions.ts'
import { pathOf } from './user.ts'

type UserSession = Selectable<UserSessionTable>

export const UserSessionPage = PageOf(
  named(
    'UserSession',
    Type.Object({
      id: described(Id, 'The id of the session.'),
      via: described(
        Type.Enum(['token', 'cookie']),
        'Whether it is a program with a login token, or the console with its cookie.',
      ),
      is_current: described(Type.Boolean(), 'True for the session of this request.'),
      ip_address: described(Type.String(), 'The address that it was started from.'),
      user_agent: described(Type.String(), 'The user agent of the browser or program.'),
      second_factor: described(Type.Boolean(), 'Whether more than a password was shown.'),
      created_on: common.created_on,
      used_on: described(Instant, 'The time of the last use, to the minute.'),
      expires_on: described(Instant, 'The latest end time.'),
    }),
    'A session of a user.',
  ),
)

/** The sessions of the caller that have not ended. */
export function listSessions(
  service: Service,
  caller: Caller,
  query: PageQuery,
): Promise<Page<UserSession>> {
  const { merchant_id, id } = pathOf(caller)
  const at = now(service)
  const sessions = service.db
    .selectFrom('user_sessions')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('user_id', '=', id)
    .where('ended_on', 'is', null)
    .where('expires_on', '>', at)
    .where('used_on', '>', new Date(at.getTime() - login_limits.idle_ms))
  return readPage<UserSession>(sessions, query)
}

export function viewSession(caller: Caller, session: UserSession) {
  const { id, via, ip_address, user_agent, second_factor } = session
  return {
    id,
    via,
    is_current: id === caller.user?.session_id,
    ip_address,
    user_agent,
    second_factor,
    created_on: session.created_on.toISOString(),
    used_on: session.used_on.toISOString(),
    expires_on: session.expires_on.toISOString(),
  }
}

export async function endOwnSession(service: Service, caller: Caller, id: string): Promise<void> {
  const ended = await inTransaction(service, (tx) => endSessions(tx, pathOf(caller), id))
  if (ended === 0) fail('NOT_FOUND')
}
