import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { login_limits } from '../../core/access/users.ts'
import { described, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { emit } from '../../events/emit.ts'
import { inTransaction, now, type Service } from '../../service.ts'
import { appendAudit } from '../audit/audit-chain.ts'
import { findUserByEmail, lockUser, recordUser, type User } from '../users/user.ts'
import { checkSecondFactor, hasSecondFactor, SecondFactor } from './second-factor.ts'
import { type SignInFrom, signIn } from './user-session.ts'

export const LogIn = named(
  'LogIn',
  Type.Object({
    email: described(Type.String({ maxLength: 254 }), 'The e-mail of the user.'),
    password: described(Type.String({ maxLength: 1024 }), 'The password of the user.'),
    ...SecondFactor,
  }),
  'The credentials of a user.',
)
export type LogIn = Static<typeof LogIn>

/**
 * Unknown, disabled, locked, no password yet, wrong password: the response does not reveal which it
 * was.
 */
function refuse(): never {
  fail('INVALID_CREDENTIALS', {
    message: 'The e-mail, password or code is wrong, or the account is locked for a while.',
  })
}

/** Logs a user in: a new session, and the login token for it. */
export async function logIn(service: Service, body: LogIn, from: SignInFrom) {
  const user = await findUserByEmail(service, body.email)
  const attempts = await tryPassword(service, user, body.password)
  if (attempts === null || !user) {
    if (user) noteFailedSignIn(service, user, from)
    refuse()
  }
  const asks_for_code = hasSecondFactor(user)
  if (asks_for_code && body.totp === undefined && body.recovery_code === undefined) {
    await giveTryBack(service, user)
    fail('TOTP_REQUIRED')
  }
  const opened = await inTransaction(service, async (tx) => {
    const locked = await lockUser(tx, user)
    // A concurrent change of the password or the second factor applies to this login too.
    if (locked.password_hash !== user.password_hash) return null
    if (hasSecondFactor(locked) !== asks_for_code) return null
    if (asks_for_code && !(await checkSecondFactor(tx, locked, body))) return null
    await forgetAttempts(tx, user)
    return signIn(tx, user, 'logIn', { ...from, second_factor: asks_for_code })
  })
  if (opened === null) {
    noteFailedSignIn(service, user, from)
    await notifyLocked(service, user, attempts)
    refuse()
  }
  await renewHash(service, user, body.password)
  service.log.info({ merchant_id: user.merchant_id, user_id: user.id }, 'a user signed in')
  return { ...opened, merchant_id: user.merchant_id }
}

/** The response does not wait for it: its time would reveal whether there is such a user. */
function noteFailedSignIn(service: Service, { merchant_id, id }: User, from: SignInFrom): void {
  const { ip_address, user_agent } = from
  appendAudit(service, {
    merchant_id,
    kind: 'sign_in_failed',
    user_id: id,
    session_id: null,
    action: 'logIn',
    resource_id: null,
    details: { ip_address, user_agent },
  }).catch((error) =>
    service.log.error({ err: error }, 'a failed login could not be written to the audit log'),
  )
}

/** Asks a logged-in user for the password again; wrong ones count like those of a login. */
export async function requirePassword(
  service: Service,
  user: User,
  password: string,
): Promise<void> {
  if ((await tryPassword(service, user, password)) === null) refuse()
  await giveTryBack(service, user)
}

/** Asks a logged-in user for a code again; wrong ones count like those of a login. */
export async function requireCode(
  service: Service,
  user: User,
  given: Pick<LogIn, 'totp' | 'recovery_code'>,
): Promise<void> {
  const attempts = await countTry(service, user)
  if (attempts === null) refuse()
  const is_right = await inTransaction(service, async (tx) =>
    checkSecondFactor(tx, await lockUser(tx, user), given),
  )
  if (is_right) return giveTryBack(service, user)
  await notifyLocked(service, user, attempts)
  refuse()
}

/**
 * The attempt is counted while the hash is computed, and its result is only used when it was counted:
 * of a hundred concurrent attempts ten get a result. Without a user to count for, it takes as long.
 * Returns the number of attempts since the last login; null when it was wrong or must not be known.
 */
async function tryPassword(
  service: Service,
  user: User | null,
  password: string,
): Promise<number | null> {
  const [is_right, attempts] = await Promise.all([
    service.passwords.verify(user?.password_hash ?? null, password),
    user && countTry(service, user),
  ])
  if (is_right || !user || attempts === null) return is_right ? attempts : null
  await notifyLocked(service, user, attempts)
  return null
}

/** Null when the account is locked: then nothing is counted either. */
async function countTry(service: Service, { merchant_id, id }: User): Promise<number | null> {
  const at = now(service)
  const until = new Date(at.getTime() + login_limits.lock_ms)
  const { rows } = await sql<{ failures: number }>`
    update users set
      failures = case when locked_until is null then failures + 1 else 1 end,
      locked_until = case when locked_until is null and failures + 1 >= ${login_limits.max_attempts}
        then ${until}::timestamptz end
    where merchant_id = ${merchant_id} and id = ${id} and disabled_on is null
      and (locked_until is null or locked_until <= ${at})
    returning failures`.execute(service.db)
  return rows[0]?.failures ?? null
}

/** A correct attempt that is no login yet does not count against the account. */
async function giveTryBack(service: Service, { merchant_id, id }: User): Promise<void> {
  await sql`
    update users set failures = greatest(failures - 1, 0), locked_until =
      case when failures > ${login_limits.max_attempts} then locked_until end
    where merchant_id = ${merchant_id} and id = ${id}`.execute(service.db)
}

async function forgetAttempts(service: Service, { merchant_id, id }: User): Promise<void> {
  await service.db
    .updateTable('users')
    .set({ failures: 0, locked_until: null })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
}

/** Emits an event when the last allowed attempt has failed. */
async function notifyLocked(service: Service, user: User, attempts: number): Promise<void> {
  if (attempts < login_limits.max_attempts) return
  const { merchant_id, id: resource_id } = user
  await inTransaction(service, async (tx) => {
    const data = recordUser(await lockUser(tx, user))
    await emit(tx, 'user_locked', { merchant_id, resource_id, data })
  })
}

/** The password is only available now: a hash with older parameters is replaced. */
async function renewHash(service: Service, user: User, password: string): Promise<void> {
  const { merchant_id, id, password_hash } = user
  if (password_hash === null || !service.passwords.isOutdated(password_hash)) return
  const renewed = await service.passwords.hash(password)
  await service.db
    .updateTable('users')
    .set({ password_hash: renewed })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .execute()
}
