import Type, { type Static } from 'typebox'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { roles } from '../../core/access/users.ts'
import { ModeName } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Instant, nullable } from '../../core/api/schemas.ts'
import { inTransaction, type Service } from '../../service.ts'
import { lockUser, pathOf, requireUser, UserView, viewUser } from '../users/user.ts'
import { rightsOf } from '../users/user-rights.ts'
import { requireCode, requirePassword } from './log-in.ts'
import { hasSecondFactor, SecondFactor } from './second-factor.ts'
import { type OpenedSession, replaceSession, type SignInFrom } from './user-session.ts'
import { callerOf, readSession } from './verify-login-token.ts'

export const ConsoleSessionView = named(
  'ConsoleSession',
  Type.Object({
    user: described(UserView, 'The user who is signed in.'),
    has_password: described(
      Type.Boolean(),
      'Whether the user has a password; without one, only links sign them in.',
    ),
    merchant: described(
      named(
        'ConsoleMerchant',
        Type.Object({
          id: described(Id, 'The id of the merchant.'),
          name: described(Type.String(), 'The name of the merchant.'),
          is_demo: described(Type.Boolean(), 'Whether it is the demo merchant of a first start.'),
        }),
        'The merchant that the console shows.',
      ),
      'The merchant of the user.',
    ),
    role: described(Type.Enum([...roles]), 'The role of the user.'),
    second_factor: described(
      Type.Boolean(),
      'Whether the user has shown more than a password. Live mode needs it.',
    ),
    modes: Type.Array(ModeName, { description: 'The modes that the session may show.' }),
    rights: Type.Array(Type.String(), {
      description: "The session's rights in its mode: `payments:read`, `payments:write` and so on.",
    }),
    confirmed_until: described(
      nullable(Instant),
      'The end of the time without another confirmation; null if the next sensitive call asks for one.',
    ),
    expires_on: described(Instant, 'The end of the session, regardless of activity.'),
  }),
  'A session of the console.',
)

export const ConfirmSession = named(
  'ConfirmConsoleSession',
  Type.Object({
    ...SecondFactor,
    password: described(
      Type.Optional(Type.String({ maxLength: 1024 })),
      'The password, when the user has no authenticator app.',
    ),
  }),
  'The proof that it is still the same user.',
)
type ConfirmSession = Static<typeof ConfirmSession>

/** Whether the user has shown lately that it is still them. */
export function isConfirmed({ clock }: Service, { user }: Caller): boolean {
  const until = user?.confirmed_until ?? null
  return until !== null && until.getTime() > clock.now()
}

/** A session with what the console needs to show itself. Its mode decides the rights. */
export async function viewConsoleSession(
  service: Service,
  merchant_id: string,
  session_id: string,
  mode: Caller['mode'] = 'test',
) {
  const session = await readSession(service, merchant_id, session_id)
  if (!session) fail('INVALID_LOGIN_TOKEN')
  const caller = { ...callerOf(session), mode }
  const { second_factor, role, confirmed_until } = caller.user
  const user = await requireUser(service, { merchant_id, id: session.user_id })
  const { name, demo } = await service.db
    .selectFrom('merchants')
    .select(['name', 'demo'])
    .where('id', '=', merchant_id)
    .executeTakeFirstOrThrow()
  const modes: Mode[] = second_factor ? ['test', 'live'] : ['test']
  return {
    user: viewUser(user),
    has_password: user.password_hash !== null,
    merchant: { id: merchant_id, name, is_demo: demo },
    role,
    second_factor,
    modes,
    rights: rightsOf(caller),
    confirmed_until: isConfirmed(service, caller) ? (confirmed_until?.toISOString() ?? null) : null,
    expires_on: session.expires_on.toISOString(),
  }
}

/** The user shows a code, or the password without an authenticator app, and gets a new session. */
export async function confirmSession(
  service: Service,
  caller: Caller,
  body: ConfirmSession,
  from: SignInFrom,
): Promise<OpenedSession> {
  const user = await requireUser(service, pathOf(caller))
  if (hasSecondFactor(user)) {
    if (body.totp === undefined && body.recovery_code === undefined) fail('TOTP_REQUIRED')
    await requireCode(service, user, body)
  } else await requirePassword(service, user, body.password ?? '')
  const session_id = caller.user?.session_id ?? ''
  return inTransaction(service, async (tx) =>
    replaceSession(tx, await lockUser(tx, user), session_id, from),
  )
}
