import { createSecretKey, type KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { CompactSign } from 'jose'
import { login_limits, type SessionVia } from '../../core/access/users.ts'
import { fail } from '../../core/api/errors.ts'
import { maskCardNumbers } from '../../core/cards/find-card-numbers.ts'
import { derivedId, newUnguessableId } from '../../core/ids.ts'
import { announce, now, type Service, type Transacting } from '../../service.ts'
import { type Key, keyedHash } from '../../vault/key-ring.ts'
import { appendAudit } from '../audit/audit-chain.ts'
import { credentialName } from '../credentials/cached-credentials.ts'
import type { User } from '../users/user.ts'

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

/** The origin of a sign-in, and the transport of its token. */
export interface SignInFrom {
  via: SessionVia
  ip_address: string
  user_agent: string
}

/** The browser's description of itself can be long. */
const max_agent_length = 256

export function signInFrom({ ip, headers }: FastifyRequest, via: SessionVia): SignInFrom {
  return {
    via,
    ip_address: ip,
    user_agent: shownAgent(headers),
  }
}

/** The description that a browser or program sends of itself is untrusted. */
export function shownAgent(headers: IncomingHttpHeaders): string {
  return maskCardNumbers((headers['user-agent'] ?? '').slice(0, max_agent_length), '[card]')
}

export interface NewSession extends SignInFrom {
  second_factor: boolean
  /** When an earlier session is replaced by this one: it ends no later. */
  expires_on?: Date
  confirmed_until?: Date
}

export interface OpenedSession {
  jwt: string
  session_id: string
}

/** A session begins with a new id that could not be known before. */
export async function openSession(
  tx: Transacting,
  user: User,
  given: NewSession,
): Promise<OpenedSession> {
  const jti = newUnguessableId()
  const created_on = now(tx)
  const expires_on = given.expires_on ?? new Date(created_on.getTime() + login_limits.session_ms)
  const session_id = sessionIdOf(jti)
  const { ip_address, user_agent } = given
  await tx.db
    .insertInto('user_sessions')
    .values({
      ...given,
      merchant_id: user.merchant_id,
      id: session_id,
      user_id: user.id,
      user_agent,
      created_on,
      used_on: created_on,
      expires_on,
    })
    .execute()
  return { jwt: await signLoginToken(tx, { ...user, jti, ip_address, expires_on }), session_id }
}

/** Opens the session of a user who has just shown who they are; the audit log says so. */
export async function signIn(
  tx: Transacting,
  user: User,
  action: string,
  given: NewSession,
): Promise<OpenedSession> {
  const opened = await openSession(tx, user, given)
  const { ip_address, user_agent } = given
  await appendAudit(tx, {
    merchant_id: user.merchant_id,
    kind: 'signed_in',
    user_id: user.id,
    session_id: opened.session_id,
    action,
    resource_id: null,
    details: { ip_address, user_agent },
  })
  return opened
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

/**
 * Continues a session under a new id, confirmed for a while. The old one is not confirmed and ends soon:
 * requests that the browser sent before it had the new cookie are still answered.
 */
export async function replaceSession(
  tx: Transacting,
  user: User,
  session_id: string,
  from: SignInFrom,
): Promise<OpenedSession> {
  const { merchant_id } = user
  const at_ms = tx.clock.now()
  const old = await tx.db
    .selectFrom('user_sessions')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', session_id)
    .where('ended_on', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!old) fail('INVALID_LOGIN_TOKEN')
  const { second_factor, expires_on } = old
  const ends_ms = Math.min(at_ms + login_limits.replaced_session_ms, expires_on.getTime())
  await tx.db
    .updateTable('user_sessions')
    .set({ expires_on: new Date(ends_ms), confirmed_until: null })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', session_id)
    .execute()
  await announce(tx, 'revoked', credentialName(merchant_id, session_id))
  const confirmed_until = new Date(at_ms + login_limits.confirmed_ms)
  return openSession(tx, user, { ...from, second_factor, expires_on, confirmed_until })
}
