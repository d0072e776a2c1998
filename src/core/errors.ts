/**
 * Every error that a request can be answered with: its status and a sentence the caller can act
 * on. A place that knows more replaces the sentence; nothing else decides a status.
 */
export const errors = {
  VALIDATION_ERROR: [400, 'Some fields are not valid; each is named in "errors".'],
  INVALID_REQUEST: [400, 'The request could not be read.'],
  RESOURCE_LIMIT_REACHED: [400, 'No more of this resource can be created; delete one first.'],
  LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED: [
    400,
    'Live mode needs a verified merchant; ask the operator of this service.',
  ],
  AUTH_HEADER_MISSING: [401, 'Send the header "Authorization: Bearer <secret>.<jwt>".'],
  INVALID_APP_TOKEN: [401, 'The application token is not valid or was deleted.'],
  INVALID_CREDENTIALS: [401, 'The secret does not belong to this application token.'],
  INVALID_DOMAIN: [401, 'This origin is not among the domains of the application token.'],
  INVALID_PERMISSIONS: [403, 'This application token may not do that.'],
  OUTDATED_APP_TOKEN: [403, 'The application token has an old form; create a new one.'],
  NOT_FOUND: [404, 'There is no such resource.'],
  NOT_ALLOWED: [405, 'This method is not allowed here.'],
  IDEMPOTENCY_KEY_CONFLICT: [409, 'This Idempotency-Key was used for another request.'],
  WEBHOOK_URL_EXISTS: [409, 'A webhook with this URL exists already.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than 256 KB.'],
  URI_TOO_LONG: [414, 'The address is longer than 8 KB.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as "Content-Type: application/json".'],
  BAD_REQUEST: [429, 'Too many requests; wait as long as Retry-After says.'],
  REQUEST_HEADER_TOO_LARGE: [431, 'The headers of the request are larger than 16 KB.'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  UNKNOWN_ERROR: [500, 'Something went wrong on our side; the request id helps us find it.'],
  SERVICE_UNAVAILABLE: [503, 'The service cannot work at this moment; try again.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errors

/** Reasons that say what is wrong with one field. */
export const reasons = [
  'REQUIRED_VALUE',
  'FORBIDDEN_PARAMETER',
  'CHANGE_PROHIBITED',
  'NOT_ALLOWED_VALUE',
  'INVALID_FORMAT',
  'INVALID_FORMAT_LENGTH',
  'INVALID_UUID',
  'INVALID_FORMAT_EMAIL',
  'INVALID_FORMAT_CURRENCY',
  'INVALID_FORMAT_DOMAIN',
  'INVALID_FORMAT_URL',
  'INVALID_FORMAT_OBJECT',
  'INVALID_FORMAT_COUNTRY',
  'INVALID_FORMAT_DATE',
  'INVALID_DURATION',
  'INVALID_LANGUAGE',
  'INVALID_PATH_VALUE',
  'INCOHERENT_DATE_RANGE',
  'NUMBER_MIN',
  'NUMBER_MAX',
  'MUST_HAVE_AT_LEAST_ONE_ELEMENT',
  'INVALID_EVENT_FOR_STORE',
  'INVALID_EVENT_FOR_MERCHANT',
  'STORE_EXISTS',
  'BANK_ACCOUNT_EXISTS',
] as const

export type Reason = (typeof reasons)[number]

export interface FieldError {
  field: string
  reason: Reason
}

export interface FailureDetails {
  message?: string
  errors?: FieldError[]
  retry_after_s?: number
}

/** The one error class of the service: a code of the table, never a wire shape. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[]
  readonly retry_after_s: number | undefined

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(details.message ?? errors[code][1])
    this.name = 'Failure'
    this.code = code
    this.errors = details.errors ?? []
    this.retry_after_s = details.retry_after_s
  }
}

export function fail(code: ErrorCode, details?: FailureDetails): never {
  throw new Failure(code, details)
}

/** Refuses a request because of one field. */
export function failField(field: string, reason: Reason, message?: string): never {
  fail('VALIDATION_ERROR', { errors: [{ field, reason }], ...(message ? { message } : {}) })
}

/** `RESOURCE_LIMIT_REACHED` is the name `ResourceLimitReached` of the interface. */
export function errorName(code: ErrorCode): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')
}
