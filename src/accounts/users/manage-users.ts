import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { mail_languages, roles } from '../../core/access/users.ts'
import { described, extended, named } from '../../core/api/described-schemas.ts'
import { fail, failField } from '../../core/api/errors.ts'
import { Instant, Label, nullable, PageOf, PageParameters } from '../../core/api/schemas.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, now, type Service, type Transacting } from '../../service.ts'
import { requireRow } from '../../store/sql/reads/find-row.ts'
import { type Page, readPage } from '../../store/sql/reads/page.ts'
import { violatedIndex } from '../../store/sql/statements/database-errors.ts'
import { queueMail } from '../mails/mail.ts'
import { closeAccount, insertUser, type NewUser } from './create-user.ts'
import { endSessions } from './end-sessions.ts'
import { makePasswordLink } from './password-link.ts'
import { lockUser, recordUser, type User, type UserPath, UserView, viewUser } from './user.ts'

/** Users of a merchant who are not disabled. */
const max_users = 100

export const ManagedUserView = extended(
  'ManagedUser',
  UserView,
  {
    has_password: described(Type.Boolean(), 'Whether the user has chosen a password.'),
    is_operator: described(Type.Boolean(), 'Whether the user operates this service.'),
    disabled_on: described(nullable(Instant), 'When the user was disabled; null: they may log in.'),
  },
  'A user, as an owner of the merchant sees them.',
)
export const InvitedUserView = extended(
  'InvitedUser',
  ManagedUserView,
  {
    invitation_link: described(
      Type.Optional(Type.String()),
      'Where the user chooses a password. Only there without a mail server: give it to the user.',
    ),
  },
  'A user who was invited.',
)
export const ManagedUserPage = PageOf(ManagedUserView)

const fields = {
  name: described(Label(), 'The name of the user, 1 to 255 characters.'),
  role: described(Type.Enum([...roles]), 'What the user may do.'),
  lang: described(Type.Enum([...mail_languages]), 'The language of mails to the user.'),
}
export const CreateUser = named(
  'CreateUser',
  Type.Object({
    ...fields,
    email: described(
      Type.String({ format: 'email', maxLength: 254 }),
      'The e-mail to log in with.',
    ),
  }),
  'A new user. A mail has the link to choose a password.',
)
export const PatchUser = named(
  'UpdateUser',
  Type.Object({
    ...(Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)]),
    ) as {
      [Name in keyof typeof fields]: ReturnType<typeof Type.Optional<(typeof fields)[Name]>>
    }),
    disabled: described(
      Type.Optional(Type.Boolean()),
      'Whether the access ends; `false` restores it, with a mail to choose a new password.',
    ),
  }),
  'What changes of a user.',
)
export type PatchUser = Static<typeof PatchUser>

export const ListUsers = Type.Object({
  ...PageParameters,
  disabled: Type.Boolean({ default: false, description: 'Whether disabled users are listed.' }),
})

export function viewManagedUser(user: User) {
  return {
    ...viewUser(user),
    has_password: user.password_hash !== null,
    is_operator: user.is_operator,
    disabled_on: user.disabled_on?.toISOString() ?? null,
  }
}

export function listUsers(
  service: Service,
  merchant_id: string,
  query: Static<typeof ListUsers>,
): Promise<Page<User>> {
  const users = service.db
    .selectFrom('users')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('disabled_on', query.disabled ? 'is not' : 'is', null)
  return readPage<User>(users, query)
}

/** A user who gets a mail with the link to choose a password; without a mail server, the caller gets it. */
export async function inviteUser(
  service: Service,
  wanted: NewUser,
): Promise<{ user: User; link: string | null }> {
  return inTransaction(service, async (tx) => {
    await lockUsers(tx, wanted.merchant_id)
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from users
      where merchant_id = ${wanted.merchant_id} and disabled_on is null`.execute(tx.db)
    if ((rows[0]?.count ?? 0) >= max_users) {
      const message = `A merchant can have at most ${max_users} users; disable one first.`
      fail('RESOURCE_LIMIT_REACHED', { message })
    }
    const user = await insertUser(tx, wanted)
    const link = await sendInvitation(tx, user)
    return { user, link: service.mailer.sends ? null : link }
  })
}

async function sendInvitation(tx: Transacting, user: User): Promise<string> {
  const { merchant_id, email, lang } = user
  const link = await makePasswordLink(tx, user, 'operator')
  await queueMail(tx, { merchant_id, to: email, lang, name: 'invitation', link })
  return link
}

/** A changed role applies to new sessions only: those of the user end. */
export async function patchUser(service: Service, path: UserPath, patch: PatchUser): Promise<User> {
  const { disabled, role, name, lang } = patch
  return inTransaction(service, async (tx) => {
    await lockUsers(tx, path.merchant_id)
    const before = await findUser(tx, path)
    const is_disabled = before.disabled_on !== null
    const loses_owner = (role ?? 'owner') !== 'owner' || disabled === true
    if (before.role === 'owner' && !is_disabled && loses_owner) await requireOtherOwner(tx, before)
    const changed = await changeUser(tx, before, { role, name, lang })
    if (role && role !== before.role) await endSessions(tx, before)
    if (disabled === true && !is_disabled) return closeAccount(tx, changed)
    if (disabled !== false || !is_disabled) return changed
    const restored = await changeUser(tx, changed, { disabled_on: null })
    await sendInvitation(tx, restored)
    return restored
  }).catch((error) => {
    if (violatedIndex(error) === 'users_by_email') fail('USER_EMAIL_EXISTS')
    throw error
  })
}

/** What users change of themselves. */
export async function patchOwnUser(
  service: Service,
  path: UserPath,
  { name, lang }: Pick<PatchUser, 'name' | 'lang'>,
): Promise<User> {
  return inTransaction(service, async (tx) =>
    changeUser(tx, await findUser(tx, path), { name, lang }),
  )
}

/** Whether a user operates this service. Only a command on its machine changes it. */
export async function setOperator(
  service: Service,
  path: UserPath,
  is_operator: boolean,
): Promise<User> {
  return inTransaction(service, async (tx) => {
    const user = await lockUser(tx, path)
    await endSessions(tx, user)
    return changeUser(tx, user, { is_operator })
  })
}

/** Changes of the users of one merchant are serialized: two owners cannot demote each other. */
async function lockUsers(tx: Transacting, merchant_id: string): Promise<void> {
  await sql`select from merchants where id = ${merchant_id} for no key update`.execute(tx.db)
}

export async function findUser(service: Service, { merchant_id, id }: UserPath): Promise<User> {
  return requireRow(service, 'users', { merchant_id, id })
}

/** An owner who has not chosen a password yet may never come. */
async function requireOtherOwner(tx: Transacting, { merchant_id, id }: User): Promise<void> {
  const other = await tx.db
    .selectFrom('users')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('id', '!=', id)
    .where('role', '=', 'owner')
    .where('disabled_on', 'is', null)
    .where('password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!other) failField('role', 'CHANGE_PROHIBITED', 'of the last owner cannot be changed')
}

interface UserChanges extends Omit<PatchUser, 'disabled'> {
  disabled_on?: null
  is_operator?: boolean
}

/** The changes are named one by one: a request may have any field. */
async function changeUser(tx: Transacting, user: User, changes: UserChanges): Promise<User> {
  const { merchant_id, id } = user
  const changed = await tx.db
    .updateTable('users')
    .set({ ...changes, updated_on: now(tx) })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(tx, 'user_updated', { merchant_id, resource_id: id, data: recordUser(changed) })
  return changed
}
