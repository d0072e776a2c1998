import { errors as jwt_errors, jwtVerify } from 'jose'
import type { Caller } from '../../core/caller.ts'
import { fail } from '../../core/errors.ts'
import { isUuid } from '../../core/ids.ts'
import type { Service } from '../../service.ts'
import { sameBytes } from '../../vault/key-ring.ts'
import { type AppToken, claims_version, hashSecret, tokenName } from './app-token.ts'

/** What an Authorization header claims, before anything of it is believed. */
export interface Credential {
  readonly secret: string | null
  readonly jwt: string
}

/** `<jwt>` has three parts, `<secret>.<jwt>` four; anything else is no credential. */
export function parseCredential(header: string): Credential | null {
  const [, value] = /^bearer ([\w.-]{1,4096})$/i.exec(header) ?? []
  const parts = value?.split('.') ?? []
  if (parts.some((part) => part === '')) return null
  if (parts.length === 3) return { secret: null, jwt: parts.join('.') }
  if (parts.length === 4) return { secret: parts[0] ?? null, jwt: parts.slice(1).join('.') }
  return null
}

/**
 * How long a row may be believed after it was read, or after it is known that no message about it
 * was missed. It bounds the life of a revoked token in a process that hears nothing any more.
 */
const believed_ms = 1000
const most_remembered = 20_000

interface Remembered {
  merchant_id: string
  token_id: string
  with_secret: boolean
}

interface Loaded {
  token: Promise<AppToken | null>
  at_ms: number
}

/** Checks credentials. What was checked once is remembered, so most requests cost no hash. */
export interface Verifier {
  /** Whether this very header was found good before. */
  knows(header: string): boolean
  verify(header: string, credential: Credential): Promise<Caller>
}

export function newVerifier(service: Service): Verifier {
  const remembered = new Map<string, Remembered>()
  const loaded = new Map<string, Loaded>()

  service.signals.on('revoked', (name) => {
    if (name === '') loaded.clear()
    else loaded.delete(name)
  })

  function load(merchant_id: string, token_id: string): Promise<AppToken | null> {
    const name = tokenName(merchant_id, token_id)
    const found = loaded.get(name)
    const now_ms = service.clock.monotonic()
    const known_at_ms = Math.max(found?.at_ms ?? 0, service.signals.heardUntil())
    if (found && now_ms - known_at_ms < believed_ms) return found.token
    const token = readToken(service, merchant_id, token_id)
    token.catch(() => loaded.delete(name))
    remember(loaded, name, { token, at_ms: now_ms })
    return token
  }

  async function check(credential: Credential): Promise<Remembered> {
    const { merchant_id, token_id } = await readClaims(service, credential.jwt)
    if (credential.secret !== null) {
      const token = await load(merchant_id, token_id)
      if (!token) fail('INVALID_APP_TOKEN')
      if (!isSecretOf(service, token, credential.secret)) fail('INVALID_CREDENTIALS')
    }
    return { merchant_id, token_id, with_secret: credential.secret !== null }
  }

  return {
    knows: (header) => remembered.has(header),
    verify: async (header, credential) => {
      const known = remembered.get(header) ?? (await check(credential))
      const { merchant_id, token_id, with_secret } = known
      const token = await load(merchant_id, token_id)
      if (!token || hasEnded(service, token)) fail('INVALID_APP_TOKEN')
      remember(remembered, header, known)
      const { store_id, mode, domains } = token
      return { token_id, merchant_id, store_id, mode, domains, with_secret }
    },
  }
}

/** Keeps the newest entries; a Map gives them back in the order they were added. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= most_remembered && !map.has(key)) {
    const [oldest] = map.keys()
    if (oldest !== undefined) map.delete(oldest)
  }
  map.set(key, value)
}

/** Only HS256 with a key of our ring; everything else about the JWT ends in the same answer. */
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

function isSecretOf(service: Service, token: AppToken, secret: string): boolean {
  const key = service.keys.signing.find(token.secret_key_id)
  return key !== null && sameBytes(hashSecret(key, token.id, secret), token.secret_hash)
}

/** A token that was claimed because its time is over has a new due time: the end of the lease. */
function hasEnded(service: Service, { due_on, claims }: AppToken): boolean {
  return due_on !== null && (claims > 0 || due_on.getTime() <= service.clock.now())
}
