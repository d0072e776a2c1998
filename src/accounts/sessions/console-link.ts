import { login_limits } from '../../core/access/users.ts'
import { fail } from '../../core/api/errors.ts'
import { randomText } from '../../core/ids.ts'
import { inTransaction, newRow, now, type Service, type Transacting } from '../../service.ts'
import { keyedHash } from '../../vault/key-ring.ts'
import { insertUser } from '../users/create-user.ts'
import { lockUser, type User } from '../users/user.ts'
import { hasSecondFactor } from './second-factor.ts'
import { type OpenedSession, type SignInFrom, signIn } from './user-session.ts'

/** 27 letters and digits are 160.8 random bits. */
const token_length = 27

export const enter_path = '/console/enter'
const demo_email = 'demo@example.com'

function hashLink(service: Service, token: string): Buffer {
  return keyedHash(service.keys.fingerprint.newest, 'console link', token)
}

/**
 * The user of the demo merchant. Without a password, so only links of this machine sign them in; they
 * operate the installation, as everybody can who may run commands on the machine.
 */
export async function demoUser(tx: Transacting, merchant_id: string): Promise<User> {
  const found = await tx.db
    .selectFrom('users')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('email', '=', demo_email)
    .where('disabled_on', 'is', null)
    .executeTakeFirst()
  if (found) return found
  const wanted = {
    merchant_id,
    email: demo_email,
    name: 'Demo',
    role: 'owner',
    lang: 'en',
  } as const
  return insertUser(tx, { ...wanted, is_operator: true })
}

/** A link that signs the user in, once. The database stores only a hash of it. */
export async function makeConsoleLink(
  tx: Transacting,
  { merchant_id, id: user_id }: User,
  base_url: string,
  life_ms: number,
): Promise<string> {
  const token = randomText(token_length)
  const { id, created_on } = newRow(tx)
  const expires_on = new Date(created_on.getTime() + life_ms)
  const token_hash = hashLink(tx, token)
  await tx.db
    .insertInto('console_links')
    .values({ merchant_id, id, user_id, token_hash, created_on, expires_on })
    .execute()
  return `${base_url}${enter_path}/${token}`
}

/**
 * Signs in with a link. Of two concurrent uses, one is too late. A reader of the link may run commands
 * on the machine of the service, which is more than a second factor shows.
 */
export async function useConsoleLink(
  service: Service,
  token: string,
  from: SignInFrom,
): Promise<OpenedSession> {
  return inTransaction(service, async (tx) => {
    const at = now(tx)
    const link = await tx.db
      .updateTable('console_links')
      .set({ used_on: at })
      .where('token_hash', '=', hashLink(tx, token))
      .where('used_on', 'is', null)
      .where('expires_on', '>', at)
      .returning(['merchant_id', 'user_id as id'])
      .executeTakeFirst()
    if (!link) fail('INVALID_PASSWORD_LINK')
    const user = await lockUser(tx, link)
    const session = { ...from, second_factor: true }
    if (user.password_hash !== null || hasSecondFactor(user)) {
      return signIn(tx, user, 'useConsoleLink', session)
    }
    // They have nothing that could be asked for again: the link confirms the whole session.
    const confirmed_until = new Date(at.getTime() + login_limits.session_ms)
    return signIn(tx, user, 'useConsoleLink', { ...session, confirmed_until })
  })
}
