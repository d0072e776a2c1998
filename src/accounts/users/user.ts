import type { Selectable } from 'kysely'
import Type from 'typebox'
import type { Caller } from '../../core/access/caller.ts'
import { mail_languages, plainEmail, roles } from '../../core/access/users.ts'
import { common } from '../../core/api/common-fields.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id } from '../../core/api/schemas.ts'
import type { Service, Transacting } from '../../service.ts'
import type { UserTable } from '../../store/tables/accounts/user-tables.ts'

export type User = Selectable<UserTable>

export interface UserPath {
  merchant_id: string
  id: string
}

export const UserView = named(
  'User',
  Type.Object({
    id: described(Id, 'The id of the user.'),
    merchant_id: common.merchant_id,
    email: described(Type.String(), 'The e-mail of the user, with which they log in.'),
    name: described(Type.String(), 'The name of the user.'),
    role: described(
      Type.Enum([...roles]),
      'What the user may do: an `owner` everything, a `developer` webhooks, tokens and test mode, ' +
        '`staff` payments, a `viewer` only reads.',
    ),
    lang: described(Type.Enum([...mail_languages]), 'The language of mails to the user.'),
    totp_enabled: Type.Boolean({
      description:
        'Whether logging in needs an authenticator app. Only then the user sees live mode.',
    }),
    created_on: common.created_on,
  }),
  'A person who logs in.',
)

export function viewUser(user: User) {
  const { id, merchant_id, email, name, role, lang, totp_secret, created_on } = user
  const totp_enabled = totp_secret !== null
  return {
    id,
    merchant_id,
    email,
    name,
    role,
    lang,
    totp_enabled,
    created_on: created_on.toISOString(),
  }
}

const { id, email, name, role, totp_enabled } = UserView.properties
/** What events contain of a user: no secret. */
export const UserRecord = named(
  'UserRecord',
  Type.Object({ id, email, name, role, totp_enabled }),
  'What events contain of a user.',
)

export function recordUser({ id, email, name, role, totp_secret }: User) {
  return { id, email, name, role, totp_enabled: totp_secret !== null }
}

/** The user who calls. */
export function pathOf({ merchant_id, user }: Caller): UserPath {
  return user ? { merchant_id, id: user.id } : fail('INVALID_PERMISSIONS')
}

/** The only query without a merchant: a login has only an e-mail. */
export async function findUserByEmail(service: Service, email: string): Promise<User | null> {
  const user = await service.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', plainEmail(email))
    .where('disabled_on', 'is', null)
    .executeTakeFirst()
  return user ?? null
}

function activeUser(service: Service, { merchant_id, id }: UserPath) {
  return service.db
    .selectFrom('users')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('disabled_on', 'is', null)
}

export async function requireUser(service: Service, path: UserPath): Promise<User> {
  return (await activeUser(service, path).executeTakeFirst()) ?? fail('NOT_FOUND')
}

/** Changes of one user are serialized. */
export async function lockUser(tx: Transacting, path: UserPath): Promise<User> {
  return (await activeUser(tx, path).forUpdate().executeTakeFirst()) ?? fail('NOT_FOUND')
}
