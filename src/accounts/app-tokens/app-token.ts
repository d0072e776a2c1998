import { SignJWT } from 'jose'
import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { common, ModeName } from '../../core/api/common-fields.ts'
import { described, extended, named } from '../../core/api/described-schemas.ts'
import { fail } from '../../core/api/errors.ts'
import { Id, Instant, Label, nullable, PageOf } from '../../core/api/schemas.ts'
import type { Service } from '../../service.ts'
import type { AppTokenTable } from '../../store/tables/tables.ts'
import { type Key, keyedHash } from '../../vault/key-ring.ts'

export type AppToken = Selectable<AppTokenTable>

/** The version of the claims. A token with another version must be created again. */
export const claims_version = 1
/** 27 letters and digits are 160.8 random bits. */
export const secret_length = 27

const name = described(
  Type.Optional(nullable(Label())),
  'A name of your own, such as the program that uses the token; 1 to 255 characters.',
)

export const CreateStoreAppToken = named(
  'CreateStoreAppToken',
  Type.Object({
    mode: described(
      Type.Enum(['test', 'live'], { default: 'test' }),
      'The mode whose payments it creates and reads. `live` needs a verified merchant.',
    ),
    domains: described(
      Type.Array(Type.String({ format: 'domain', maxLength: 253 }), {
        default: [],
        maxItems: 50,
      }),
      'Domains of pages that may use the JWT without the secret, at most 50. `*` ' +
        'stands for a part.',
    ),
    name,
  }),
  'A new application token of a store.',
)
export type CreateStoreAppToken = Static<typeof CreateStoreAppToken>

export const CreateAppToken = named(
  'CreateAppToken',
  Type.Object({
    roles: described(
      Type.Optional(Type.Array(Type.Enum(['merchant']))),
      '`merchant` is the only value and the default.',
    ),
    name,
  }),
  'A new application token of the merchant.',
)

const fields = {
  merchant_id: common.merchant_id,
  store_id: described(
    nullable(Id),
    'The store whose payments it may create and read; null for a token of the merchant.',
  ),
  creator_id: described(Id, 'The application token or user that created it.'),
  roles: described(
    Type.Array(Type.String()),
    '`merchant` for a token of the merchant; empty for one of a store.',
  ),
  jti: described(Id, 'The id of the application token.'),
  jwt: described(
    Type.String(),
    'The JWT. After the secret and a dot it is the credential of the `Authorization` header.',
  ),
  mode: described(
    nullable(ModeName),
    'The mode whose payments it creates and reads; null, which is both, for the merchant.',
  ),
  domains: described(
    Type.Array(Type.String()),
    'Domains of pages that may use the JWT without the secret.',
  ),
  created_on: common.created_on,
  name: described(Type.Optional(Type.String()), 'The name given to the token; absent without one.'),
  last_used_on: described(
    Type.Optional(Instant),
    'When a program last used it, to about ten minutes; absent before.',
  ),
  expires_on: described(
    Type.Optional(Instant),
    'The expiry of a replaced token; absent if the token does not expire.',
  ),
}
export const AppTokenView = named(
  'AppToken',
  Type.Object(fields),
  'A credential of a program: of one store in one mode, or of the whole merchant.',
)
export const NewAppTokenView = extended(
  'NewAppToken',
  AppTokenView,
  {
    secret: Type.String({ description: 'The secret, returned only in this response.' }),
  },
  'An application token with its secret.',
)
export const AppTokenPage = PageOf(AppTokenView)

/** The claims that a program finds in the JWT; the row in the database decides. */
function claimsOf(token: AppToken) {
  const { merchant_id, store_id, mode, domains, creator_id } = token
  const claims = { merchant_id, creator_id, version: claims_version }
  return store_id ? { ...claims, store_id, domains, mode } : { ...claims, roles: ['merchant'] }
}

/** The same row always gives the same JWT, so it need not be stored. */
export async function signAppToken(service: Service, token: AppToken): Promise<string> {
  const key = service.keys.signing.find(token.signing_key_id)
  if (!key) {
    fail('OUTDATED_APP_TOKEN', { message: 'The key of this application token was retired.' })
  }
  return new SignJWT(claimsOf(token))
    .setProtectedHeader({ typ: 'JWT', alg: 'HS256', kid: key.id })
    .setSubject('app_token')
    .setIssuedAt(Math.floor(token.created_on.getTime() / 1000))
    .setJti(token.id)
    .sign(key.secret)
}

export function hashSecret(key: Key, token_id: string, secret: string): Buffer {
  return keyedHash(key, `app token secret ${token_id}`, secret)
}

export async function viewAppToken(service: Service, token: AppToken) {
  return {
    merchant_id: token.merchant_id,
    store_id: token.store_id,
    creator_id: token.creator_id,
    roles: token.store_id ? [] : ['merchant'],
    jti: token.id,
    jwt: await signAppToken(service, token),
    mode: token.mode,
    domains: token.domains,
    created_on: token.created_on.toISOString(),
    ...(token.name === null ? {} : { name: token.name }),
    ...(token.last_used_on ? { last_used_on: token.last_used_on.toISOString() } : {}),
    ...(token.due_on ? { expires_on: token.due_on.toISOString() } : {}),
  }
}

/** The fields of a token in events: neither its JWT nor its secret. */
export const AppTokenRecord = named(
  'AppTokenRecord',
  Type.Object({
    jti: fields.jti,
    store_id: fields.store_id,
    creator_id: fields.creator_id,
    mode: fields.mode,
    domains: fields.domains,
  }),
  'The fields of an application token in events, without its JWT and secret.',
)

export function recordAppToken(token: AppToken) {
  const { id, store_id, creator_id, mode, domains } = token
  return { jti: id, store_id, creator_id, mode, domains }
}
