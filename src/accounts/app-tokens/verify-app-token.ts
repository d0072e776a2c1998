import { errors as jwt_errors, jwtVerify } from 'jose'
import type { Caller } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import { isUuid } from '../../core/ids.ts'
import type { Service } from '../../service.ts'
import { sameBytes } from '../../vault/key-ring.ts'
import {
  credentialName,
  newCachedCredentials,
  remember,
} from '../credentials/cached-credentials.ts'
import type { Credential, Verifier } from '../credentials/credential.ts'
import { type AppToken, claims_version, hashSecret } from './app-token.ts'

interface Remembered {
  readonly merchant_id: string
  readonly token_id: string
  readonly with_secret: boolean
  /** The cache key of its row. */
  readonly name: string
  /** The caller, and the row that it was built from. */
  caller: Caller | null
  row: AppToken | null
}

export interface AppTokenVerifier extends Verifier {
  /** The caller of a header that was verified before and is still valid, if that is cached. */
  recall(header: string): Caller | null
}

export function newVerifier(service: Service): AppTokenVerifier {
  const remembered = new Map<string, Remembered>()
  const { load, peek } = newCachedCredentials(service, (merchant_id, token_id) =>
    readToken(service, merchant_id, token_id),
  )

  async function check(credential: Credential): Promise<Remembered> {
    const { merchant_id, token_id } = await readClaims(service, credential.jwt)
    if (credential.secret !== null) {
      const token = await load(merchant_id, token_id)
      if (!token) fail('INVALID_APP_TOKEN')
      if (!isSecretOf(service, token, credential.secret)) fail('INVALID_CREDENTIALS')
    }
    const name = credentialName(merchant_id, token_id)
    const with_secret = credential.secret !== null
    return { merchant_id, token_id, with_secret, name, caller: null, row: null }
  }

  return {
    knows: (header) => remembered.has(header),
    verify: async (header, credential) => {
      const known = remembered.get(header) ?? (await check(credential))
      const token = await load(known.merchant_id, known.token_id)
      if (!token || hasEnded(service, token)) fail('INVALID_APP_TOKEN')
      remember(remembered, header, known)
      return callerOf(known, token)
    },
    recall: (header) => {
      const known = remembered.get(header)
      const token = known && peek(known.name)
      return known && token && !hasEnded(service, token) ? callerOf(known, token) : null
    },
  }
}

/** Rebuilt when its row was read again. */
function callerOf(known: Remembered, token: AppToken): Caller {
  if (known.caller && known.row === token) return known.caller
  const { merchant_id, token_id, with_secret } = known
  const { store_id, mode, domains } = token
  known.row = token
  known.caller = { token_id, merchant_id, store_id, mode, domains, with_secret, user: null }
  return known.caller
}

/** Only HS256 with a key of our ring; every other fault of the JWT gives the same response. */
async function readClaims(
  service: Service,
  jwt: string,
): Promise<{ merchant_id: string; token_id: string }> {
  const { payload } = await jwtVerify(
    jwt,
    ({ kid }) => {
      const key = typeof kid === 'string' ? service.keys.signing.find(kid) : null
      if (!key) fail('INVALID_APP_TOKEN')
      return key.secret
    },
    { algorithms: ['HS256'], typ: 'JWT', currentDate: new Date(service.clock.now()) },
  ).catch((error) => {
    if (error instanceof jwt_errors.JOSEError || error instanceof TypeError) {
      fail('INVALID_APP_TOKEN')
    }
    throw error
  })
  const { sub, jti, merchant_id, version } = payload
  if (sub !== 'app_token' || typeof jti !== 'string' || typeof merchant_id !== 'string') {
    fail('INVALID_APP_TOKEN')
  }
  if (!isUuid(jti) || !isUuid(merchant_id)) fail('INVALID_APP_TOKEN')
  if (version !== claims_version) fail('OUTDATED_APP_TOKEN')
  return { merchant_id, token_id: jti }
}

async function readToken(
  service: Service,
  merchant_id: string,
  token_id: string,
): Promise<AppToken | null> {
  const token = await service.db
    .selectFrom('app_tokens')
    .selectAll()
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', token_id)
    .where('deleted_on', 'is', null)
    .executeTakeFirst()
  return token ?? null
}

/** The token of a JWT, when it can still be used. */
export async function findAppToken(service: Service, jwt: string): Promise<AppToken | null> {
  const { merchant_id, token_id } = await readClaims(service, jwt)
  const token = await readToken(service, merchant_id, token_id)
  return token && !hasEnded(service, token) ? token : null
}

function isSecretOf(service: Service, token: AppToken, secret: string): boolean {
  const key = service.keys.signing.find(token.secret_key_id)
  return key !== null && sameBytes(hashSecret(key, token.id, secret), token.secret_hash)
}

/** An expired token that was claimed has a new due time: the end of the lease. */
export function hasEnded(
  service: Service,
  { due_on, claims }: Pick<AppToken, 'due_on' | 'claims'>,
): boolean {
  return due_on !== null && (claims > 0 || due_on.getTime() <= service.clock.now())
}
