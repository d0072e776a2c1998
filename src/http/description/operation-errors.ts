import { type ErrorCode, errors } from '../../core/api/errors.ts'
import { namesOf } from '../../core/table-names.ts'
import { isIdempotent } from '../body/idempotency.ts'
import type { DescribedRoute } from './describe-operation.ts'

const in_order = namesOf(errors)

const groups = {
  request: [
    'INVALID_REQUEST',
    'URI_TOO_LONG',
    'REQUEST_HEADER_TOO_LARGE',
    'UNKNOWN_ERROR',
    'SERVICE_UNAVAILABLE',
  ],
  body: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'REQUEST_TIMEOUT'],
  parameters: ['VALIDATION_ERROR'],
  path: ['NOT_FOUND'],
  app_token: [
    'AUTH_HEADER_MISSING',
    'INVALID_APP_TOKEN',
    'INVALID_CREDENTIALS',
    'INVALID_PERMISSIONS',
    'OUTDATED_APP_TOKEN',
  ],
  login_token: ['INVALID_LOGIN_TOKEN', 'EXPIRED_LOGIN_TOKEN'],
  confirmation: ['CONFIRMATION_REQUIRED'],
  domain: ['INVALID_DOMAIN'],
  rate: ['BAD_REQUEST'],
  idempotency: ['IDEMPOTENCY_KEY_CONFLICT'],
} as const satisfies Record<string, readonly ErrorCode[]>
type Group = keyof typeof groups

/** Errors that nearly every operation has: the description names them with one word. */
const usual_groups: readonly Group[] = [
  'request',
  'parameters',
  'path',
  'app_token',
  'login_token',
  'rate',
]

/**
 * Codes that follow from what an operation takes. The description has each group once, in `x-error-groups`,
 * and operations name theirs.
 */
export const error_groups: Readonly<Record<Group | 'usual', readonly ErrorCode[]>> = {
  usual: usual_groups.flatMap((group) => groups[group]),
  ...groups,
}

export type ErrorGroup = keyof typeof error_groups

/** The groups of codes that an operation can be answered with. */
export function errorGroupsOf({ method, schema, config }: DescribedRoute): ErrorGroup[] {
  const { level = 'any', without_secret = 'never' } = config.access ?? {}
  const is_public = level === 'public'
  const applies: Record<Group, boolean> = {
    request: true,
    body: method !== 'GET' && method !== 'DELETE',
    parameters: Boolean(schema.params || schema.querystring),
    path: Boolean(schema.params) || !is_public,
    // Operations of users too: a credential that cannot be read is no application token.
    app_token: !is_public,
    // Any other credential is verified before it is refused there.
    login_token: !is_public && level !== 'store',
    confirmation: Boolean(config.right?.confirm),
    domain: without_secret !== 'never',
    rate: config.rate !== 'none',
    idempotency: isIdempotent({ method, config }),
  }
  const all = namesOf(applies).filter((group) => applies[group])
  if (!usual_groups.every((group) => applies[group])) return all
  return ['usual', ...all.filter((group) => !usual_groups.includes(group))]
}

/** The codes that only this operation and few others have, in the order of their table. */
export function ownErrorsOf({ config: { errors = [] } }: DescribedRoute): ErrorCode[] {
  return in_order.filter((code) => errors.includes(code))
}
