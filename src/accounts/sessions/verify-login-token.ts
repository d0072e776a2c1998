import { errors as jwt_errors, jwtVerify } from 'jose'
import { type Selectable, sql } from 'kysely'
import type { Caller, UserCaller } from '../../core/access/caller.ts'
import { login_limits } from '../../core/access/users.ts'
import { fail } from '../../core/api/errors.ts'
import { isUuid } from '../../core/ids.ts'
import { minute_ms } from '../../core/time/clock.ts'
import { now, type Service } from '../../service.ts'
import type { UserSessionTable } from '../../store/tables/accounts/user-tables.ts'
import { newCachedCredentials, remember } from '../credentials/cached-credentials.ts'
import type { Credential, Verifier } from '../credentials/credential.ts'
import type { User } from '../users/user.ts'
import { audience, loginKey, sessionIdOf, signLoginToken } from './user-session.ts'

type Session = Selectable<UserSessionTable> &
  Pick<User, 'name' | 'email' | 'role' | 'lang' | 'is_operator'> & { can_confirm: boolean }

interface LoginClaims {
  merchant_id: string
  jti: string
  expires_ms: number
}

/** Checks login tokens. The session in the database decides, not the claims. */
export interface LoginVerifier extends Verifier {
  /** Another token of the same session, when this one expires soon. */
  renew(header: string): Promise<string | null>
}

/** The precision of a session's last use: it may end this much sooner, never later. */
const note_ms = minute_ms

export function newLoginVerifier(service: Service): LoginVerifier {
  const remembered = new Map<string, LoginClaims>()
  const sessions = newCachedCredentials(service, (merchant_id, id) =>
    readSession(service, merchant_id, id),
  )
  const load = ({ merchant_id, jti }: LoginClaims) => sessions.load(merchant_id, sessionIdOf(jti))

  async function verify(header: string, { jwt, in_background }: Credential): Promise<Caller> {
    const claims = remembered.get(header) ?? (await readClaims(service, jwt))
    const now_ms = service.clock.now()
    if (claims.expires_ms <= now_ms) fail('EXPIRED_LOGIN_TOKEN')
    const session = await load(claims)
    if (!session || session.expires_on.getTime() <= now_ms) fail('INVALID_LOGIN_TOKEN')
    if (now_ms - session.used_on.getTime() >= note_ms) {
      sessions.forget(session.merchant_id, session.id)
      const is_alive = in_background
        ? await isInUse(service, session)
        : await noteUse(service, session)
      if (!is_alive) {
        fail('EXPIRED_LOGIN_TOKEN', { message: 'The session was not used for too long.' })
      }
    }
    remember(remembered, header, claims)
    return callerOf(session)
  }

  return {
    knows: (header) => remembered.has(header),
    verify,
    renew: async (header) => {
      const claims = remembered.get(header)
      if (!claims || claims.expires_ms - service.clock.now() >= login_limits.renew_ms) return null
      const session = await load(claims)
      return session && signLoginToken(service, { ...session, jti: claims.jti })
    },
  }
}

/** The claimed kind of an unverified token. */
export function isLoginToken({ secret, jwt }: Credential): boolean {
  if (secret !== null) return false
  try {
    const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
    return claims?.sub === 'login_token'
  } catch {
    return false
  }
}

export function callerOf(session: Session): Caller & { user: UserCaller } {
  const { merchant_id, user_id, id: session_id, role, second_factor, is_operator, via } = session
  return {
    token_id: user_id,
    merchant_id,
    store_id: null,
    mode: second_factor ? null : 'test',
    domains: [],
    with_secret: true,
    user: {
      id: user_id,
      session_id,
      role,
      second_factor,
      is_operator,
      via,
      confirmed_until: confirmedUntil(session),
    },
  }
}

/** A user with neither password nor code cannot be asked for one: a link was what they signed in with. */
function confirmedUntil(
  session: Pick<Session, 'can_confirm' | 'confirmed_until' | 'expires_on'>,
): Date | null {
  return session.can_confirm ? session.confirmed_until : session.expires_on
}

async function readClaims(service: Service, jwt: string): Promise<LoginClaims> {
  const { payload } = await jwtVerify(
    jwt,
    ({ kid }) => {
      const key = typeof kid === 'string' ? service.keys.signing.find(kid) : null
      return key ? loginKey(key) : fail('INVALID_LOGIN_TOKEN')
    },
    {
      algorithms: ['HS256'],
      typ: 'JWT',
      subject: 'login_token',
      audience,
      requiredClaims: ['exp'],
      currentDate: new Date(service.clock.now()),
    },
  ).catch((error) => {
    if (error instanceof jwt_errors.JWTExpired) fail('EXPIRED_LOGIN_TOKEN')
    if (error instanceof jwt_errors.JOSEError || error instanceof TypeError) {
      fail('INVALID_LOGIN_TOKEN')
    }
    throw error
  })
  const { jti, merchant_id, exp = 0 } = payload
  if (typeof jti !== 'string' || typeof merchant_id !== 'string') fail('INVALID_LOGIN_TOKEN')
  if (!isUuid(jti) || !isUuid(merchant_id)) fail('INVALID_LOGIN_TOKEN')
  return { merchant_id, jti, expires_ms: exp * 1000 }
}

export async function readSession(
  service: Service,
  merchant_id: string,
  id: string,
): Promise<Session | null> {
  const session = await service.db
    .selectFrom('user_sessions as s')
    .innerJoin('users as u', (join) =>
      join.onRef('u.merchant_id', '=', 's.merchant_id').onRef('u.id', '=', 's.user_id'),
    )
    .selectAll('s')
    .select(['u.name', 'u.email', 'u.role', 'u.lang', 'u.is_operator'])
    .select(
      sql<boolean>`u.password_hash is not null or u.totp_secret is not null`.as('can_confirm'),
    )
    .where('s.merchant_id', '=', merchant_id)
    .where('s.id', '=', id)
    .where('s.ended_on', 'is', null)
    .where('u.disabled_on', 'is', null)
    .executeTakeFirst()
  return session ?? null
}

/** Another node may know of a later use than this one. */
async function isInUse(service: Service, { merchant_id, id }: Session): Promise<boolean> {
  const session = await readSession(service, merchant_id, id)
  return session !== null && service.clock.now() - session.used_on.getTime() < login_limits.idle_ms
}

/** One statement decides and records: another node may know of a later use than this one. */
async function noteUse(service: Service, { merchant_id, id }: Session): Promise<boolean> {
  const used_on = now(service)
  const idle_since = new Date(used_on.getTime() - login_limits.idle_ms)
  const noted = await service.db
    .updateTable('user_sessions')
    .set({ used_on })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .where('ended_on', 'is', null)
    .where('used_on', '>', idle_since)
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}
