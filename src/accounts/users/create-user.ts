import { type MailLanguage, plainEmail, type Role } from '../../core/access/users.ts'
import { fail } from '../../core/api/errors.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, newRow, now, type Service, type Transacting } from '../../service.ts'
import { violatedIndex } from '../../store/sql/statements/database-errors.ts'
import { endSessions } from './end-sessions.ts'
import { makePasswordLink } from './password-link.ts'
import { lockUser, recordUser, type User, type UserPath } from './user.ts'

export interface NewUser {
  merchant_id: string
  email: string
  name: string
  role: Role
  lang: MailLanguage
  is_operator?: boolean
}

/** A user without a password, and the link to choose one. */
export async function createUser(
  service: Service,
  wanted: NewUser,
): Promise<{ user: User; link: string }> {
  return inTransaction(service, async (tx) => {
    await requireMerchant(tx, wanted.merchant_id)
    const user = await insertUser(tx, wanted)
    return { user, link: await makePasswordLink(tx, user, 'operator') }
  })
}

export async function insertUser(tx: Transacting, wanted: NewUser): Promise<User> {
  const { merchant_id, email } = wanted
  const { id, created_on } = newRow(tx)
  const user = await tx.db
    .insertInto('users')
    .values({ ...wanted, id, email: plainEmail(email), created_on, updated_on: created_on })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error) => {
      if (violatedIndex(error) === 'users_by_email') fail('USER_EMAIL_EXISTS')
      throw error
    })
  await emit(tx, 'user_created', { merchant_id, resource_id: id, data: recordUser(user) })
  return user
}

async function requireMerchant(service: Service, merchant_id: string): Promise<void> {
  const found = await service.db
    .selectFrom('merchants')
    .select('id')
    .where('id', '=', merchant_id)
    .executeTakeFirst()
  if (!found) fail('NOT_FOUND', { message: 'There is no such merchant.' })
}

/** The user is logged out immediately, on every node, and their links stop working. */
export async function disableUser(service: Service, path: UserPath): Promise<User> {
  return inTransaction(service, async (tx) => closeAccount(tx, await lockUser(tx, path)))
}

export async function closeAccount(tx: Transacting, user: User): Promise<User> {
  const { merchant_id, id } = user
  const at = now(tx)
  const gone = { password_hash: null, totp_secret: null, totp_new_secret: null }
  const closed = await tx.db
    .updateTable('users')
    .set({ ...gone, recovery_hashes: [], disabled_on: at, updated_on: at })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await endSessions(tx, user)
  await emit(tx, 'user_disabled', { merchant_id, resource_id: id, data: recordUser(user) })
  return closed
}
