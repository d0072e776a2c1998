import { createSecretKey, type KeyObject } from 'node:crypto'
import { CompactSign } from 'jose'
import { derivedId, newUnguessableId } from '../../core/ids.ts'
import { login_limits } from '../../core/users.ts'
import { announce, now, type Service, type Transacting } from '../../service.ts'
import { type Key, keyedHash } from '../../vault/key-ring.ts'
import { tokenName } from '../app-tokens/app-token.ts'
import type { User, UserPath } from './user.ts'

/** The audience of login tokens; an application token has no such claim. */
export const audience = 'console'

/**
 * Login tokens are signed with a key derived from the ring's: no application token can pass for one,
 * nor vice versa, whatever their claims say.
 */
export function loginKey(key: Key): KeyObject {
  return createSecretKey(keyedHash(key, 'login tokens', ''))
}

/** The row of a session. Its jti is only in the token: a reader of the database cannot use a session. */
export function sessionIdOf(jti: string): string {
  return derivedId(jti, 'session')
}

export interface NewSession {
  ip_address: string
  second_factor: boolean
}

/** A session begins with a new id that could not be known before. */
export async function openSession(
  tx: Transacting,
  user: User,
  { ip_address, second_factor }: NewSession,
): Promise<string> {
  const jti = newUnguessableId()
  const created_on = now(tx)
  const expires_on = new Date(created_on.getTime() + login_limits.session_ms)
  const { merchant_id, id: user_id } = user
  const session = { merchant_id, id: sessionIdOf(jti), user_id, ip_address, second_factor }
  await tx.db
    .insertInto('user_sessions')
    .values({ ...session, created_on, used_on: created_on, expires_on })
    .execute()
  return signLoginToken(tx, { ...user, jti, ip_address, expires_on })
}

export interface LoginToken extends Pick<User, 'merchant_id' | 'name' | 'email' | 'lang' | 'role'> {
  jti: string
  ip_address: string
  /** When its session ends at the latest. */
  expires_on: Date
}

export async function signLoginToken(service: Service, token: LoginToken): Promise<string> {
  const { merchant_id, name, email, lang, role, jti, ip_address, expires_on } = token
  const now_ms = service.clock.now()
  const end_ms = Math.min(now_ms + login_limits.token_ms, expires_on.getTime())
  const claims = {
    sub: 'login_token',
    iat: Math.floor(now_ms / 1000),
    exp: Math.floor(end_ms / 1000),
    jti,
    merchant_id,
    name,
    email,
    lang,
    ip_address,
    aud: audience,
    roles: [role],
  }
  const key = service.keys.signing.newest
  return new CompactSign(Buffer.from(asciiJson(claims)))
    .setProtectedHeader({ typ: 'JWT', alg: 'HS256', kid: key.id })
    .sign(loginKey(key))
}

/** Some programs decode the claims as if every byte were a character, so names are escaped. */
function asciiJson(value: object): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, escaped)
}

/** Ends one session or all of a user, on every node. */
export async function endSessions(
  tx: Transacting,
  { merchant_id, id: user_id }: UserPath,
  session_id?: string,
): Promise<void> {
  let ending = tx.db
    .updateTable('user_sessions')
    .set({ ended_on: now(tx) })
    .where('merchant_id', '=', merchant_id)
    .where('user_id', '=', user_id)
    .where('ended_on', 'is', null)
  if (session_id) ending = ending.where('id', '=', session_id)
  for (const { id } of await ending.returning('id').execute()) {
    await announce(tx, 'revoked', tokenName(merchant_id, id))
  }
}
