import type { Selectable } from 'kysely'
import { password_faults, passwordFault } from '../../core/access/password-rules.ts'
import { login_limits } from '../../core/access/users.ts'
import { fail } from '../../core/api/errors.ts'
import { randomText } from '../../core/ids.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, newRow, now, type Service, type Transacting } from '../../service.ts'
import type { PasswordLinkTable } from '../../store/tables/accounts/user-tables.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { queueMail } from '../mails/mail.ts'
import { endSessions } from './end-sessions.ts'
import { lockUser, recordUser, requireUser, type User } from './user.ts'

type PasswordLink = Selectable<PasswordLinkTable>

/** 27 letters and digits are 160.8 random bits. */
const token_length = 27

function hashLink(service: Service, token: string): Buffer {
  return keyedHash(service.keys.fingerprint.newest, 'password link', token)
}

/**
 * A link with which the user chooses a password, once. Its host is the configured one, whatever address
 * a request used; the database stores only a hash of it.
 */
export async function makePasswordLink(
  tx: Transacting,
  { merchant_id, id: user_id }: User,
  asked_by: PasswordLink['asked_by'],
): Promise<string> {
  const token = randomText(token_length)
  const { id, created_on } = newRow(tx)
  const life_ms = asked_by === 'user' ? login_limits.reset_link_ms : login_limits.operator_link_ms
  const expires_on = new Date(created_on.getTime() + life_ms)
  const token_hash = hashLink(tx, token)
  await tx.db
    .insertInto('password_links')
    .values({ merchant_id, id, user_id, token_hash, asked_by, created_on, expires_on })
    .execute()
  return `${tx.address.base_url}/account/password/${token}`
}

/** The user of a link; null when it was used, has expired or never existed. */
export async function findPasswordLink(
  service: Service,
  token: string,
): Promise<PasswordLink | null> {
  const link = await service.db
    .selectFrom('password_links as l')
    .innerJoin('users as u', (join) =>
      join.onRef('u.merchant_id', '=', 'l.merchant_id').onRef('u.id', '=', 'l.user_id'),
    )
    .selectAll('l')
    .where('l.token_hash', '=', hashLink(service, token))
    .where('l.used_on', 'is', null)
    .where('l.expires_on', '>', now(service))
    .where('u.disabled_on', 'is', null)
    .executeTakeFirst()
  return link ?? null
}

/** Sets the password of the link's user. Of two concurrent uses, one is too late. */
export async function usePasswordLink(
  service: Service,
  token: string,
  password: string,
): Promise<void> {
  const link = await findPasswordLink(service, token)
  if (!link) fail('INVALID_PASSWORD_LINK')
  const { merchant_id, user_id } = link
  const user = await requireUser(service, { merchant_id, id: user_id })
  const password_hash = await hashNewPassword(service, user, password)
  await inTransaction(service, async (tx) => {
    const locked = await lockUser(tx, user)
    const open = await findPasswordLink(tx, token)
    if (!open) fail('INVALID_PASSWORD_LINK')
    await setPassword(tx, locked, password_hash)
  })
}

export async function hashNewPassword(
  service: Service,
  { email }: User,
  password: string,
  field = 'password',
): Promise<string> {
  const fault = passwordFault(password, email)
  if (fault) {
    const errors = [{ field, reason: 'NOT_ALLOWED_VALUE' as const }]
    fail('VALIDATION_ERROR', { message: password_faults[fault], errors })
  }
  return service.passwords.hash(password)
}

/**
 * A new password unlocks a locked account and ends everything that the old one started: sessions and
 * links. The user gets a mail. The caller holds the lock on the user's row.
 */
export async function setPassword(
  tx: Transacting,
  user: User,
  password_hash: string,
): Promise<void> {
  const { merchant_id, id, email } = user
  const at = now(tx)
  await tx.db
    .updateTable('users')
    .set({ password_hash, failures: 0, locked_until: null, updated_on: at })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
  await tx.db
    .updateTable('password_links')
    .set({ used_on: at })
    .where('merchant_id', '=', merchant_id)
    .where('user_id', '=', id)
    .where('used_on', 'is', null)
    .execute()
  await endSessions(tx, user)
  await emit(tx, 'password_changed', { merchant_id, resource_id: id, data: recordUser(user) })
  await queueMail(tx, { merchant_id, to: email, lang: user.lang, name: 'password_changed' })
}
