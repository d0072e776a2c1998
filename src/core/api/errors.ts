/**
 * Every error that a request can be answered with: its status and a message the caller can act on. Code
 * that knows more replaces the message; nothing else decides a status.
 */
export const errors = {
  VALIDATION_ERROR: [400, 'Some fields are not valid; "errors" names each of them.'],
  INVALID_REQUEST: [400, 'The request could not be read.'],
  RESOURCE_LIMIT_REACHED: [400, 'The limit of this resource is reached; delete one first.'],
  LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED: [
    400,
    'Live mode needs a verified merchant; ask the operator of this service.',
  ],
  ALREADY_CAPTURED: [400, 'The charge has already been captured.'],
  CONNECTOR_TEST_FAILED: [400, 'The provider refused the settings; nothing was stored.'],
  CANCEL_NOT_ALLOWED: [400, 'Only an awaiting or authorized charge can be canceled.'],
  CANNOT_REFUND_UNSUCCESSFUL_CHARGE: [400, 'Only a successful charge can be refunded.'],
  CANNOT_DECLARE_UNSUCCESSFUL_CHARGE: [400, 'Only a successful charge can be declared.'],
  CUSTOMS_NOT_AVAILABLE: [400, 'Only charges of the brand we_chat_online can be declared.'],
  CAPTURE_AMOUNT_TOO_LARGE: [400, 'The amount to capture must not exceed the authorized amount.'],
  CARD_BRAND_NOT_SUPPORTED: [400, 'The store does not accept this kind of card.'],
  CARD_COUNTRY_NOT_SUPPORTED: [400, 'The store does not accept cards of this country.'],
  CARD_PROCESSING_DISABLED: [400, 'The store does not accept cards.'],
  QR_PROCESSING_DISABLED: [400, 'The store does not accept QR codes.'],
  INVALID_QR_SCAN_GATEWAY: [400, 'The store does not accept this wallet.'],
  CONVENIENCE_PROCESSING_DISABLED: [400, 'The store does not accept convenience store payments.'],
  PAIDY_PROCESSING_DISABLED: [400, 'The store does not accept this payment method.'],
  ONLINE_PROCESSING_DISABLED: [400, 'The store does not accept online brands.'],
  BANK_TRANSFER_PROCESSING_DISABLED: [400, 'The store does not accept bank transfers.'],
  CHARGE_AMOUNT_TOO_HIGH: [400, 'The amount is above the maximum of the store.'],
  CHARGE_AMOUNT_TOO_LOW: [400, 'The amount is below the minimum of the store.'],
  CHARGE_TOO_QUICK: [400, 'This card was billed with this token less than 30 seconds ago.'],
  CURRENCY_MUST_MATCH_CHARGE: [400, 'The currency must be that of the charge.'],
  CVV_AUTHORIZATION_NOT_COMPLETED: [400, "The token's CVV authorization is not completed."],
  CVV_REQUIRED: [400, 'Send the security code of the card.'],
  NO_TEST_CARD_IN_LIVE_MODE: [400, 'Test cards do not work in live mode.'],
  NON_SUBSCRIPTION_PAYMENT: [400, 'A subscription token is charged by its subscription only.'],
  RECURRING_USAGE_REQUIRES_CVV: [400, 'Send the security code of the card to the token first.'],
  CARD_LOCKED: [403, 'The card is temporarily locked; try again later.'],
  INVALID_TOKEN_TYPE: [400, 'Only a recurring or subscription token with a card can be renewed.'],
  NOT_SUBSCRIPTION_TOKEN: [400, 'A subscription needs a subscription or recurring token.'],
  SUBSCRIPTION_ALREADY_ENDED: [400, 'The subscription has ended.'],
  INSTALLMENT_MAX_PAYOUT_PERIOD_EXCEEDED: [400, 'The plan is longer than the store allows.'],
  INSTALLMENTS_NOT_ENABLED: [403, 'The store does not offer installments.'],
  SUBSCRIPTIONS_NOT_ENABLED: [403, 'The store does not offer subscriptions.'],
  NOT_SUPPORTED_BY_PROCESSOR: [400, 'The processor does not support this.'],
  RECURRING_TOKEN_DISABLED: [400, 'The merchant is not allowed to create recurring tokens.'],
  RECURRING_USAGE_LIMIT_REQUIRED: [400, 'Recurring tokens of this merchant need a usage_limit.'],
  CHARGE_DISPUTED: [
    400,
    'The customer disputes the charge; only the undisputed amount can be refunded.',
  ],
  REFUND_EXCEEDS_CHARGE_AMOUNT: [400, 'The refund exceeds the remaining amount of the charge.'],
  REFUND_NOT_ALLOWED: [
    400,
    'Payments at convenience stores and bank transfers cannot be refunded by the API.',
  ],
  REFUND_NOT_WITHIN_BOUNDS: [400, 'The refund exceeds the refund limit of the store.'],
  TOKEN_FOR_WRONG_STORE: [400, 'The transaction token belongs to another store.'],
  TRANSACTION_ALREADY_PROCESSED: [400, 'The one-time token has already been used.'],
  TRANSACTION_TOKEN_EXPIRED: [400, 'The transaction token was not used within five minutes.'],
  PROCESSING_MODE_MISMATCH: [400, 'The token was created in the other mode.'],
  USAGE_LIMIT_REACHED: [400, 'The token has reached its usage_limit.'],
  USAGE_LIMIT_NOT_APPLICABLE: [400, 'Only recurring tokens have a usage_limit.'],
  DIRECT_CARD_TOKEN_CREATION_DISABLED: [401, 'The store accepts card numbers from browsers only.'],
  NON_UNIQUE_ACTIVE_TOKEN: [409, 'The customer has an active subscription token for this card.'],
  AUTH_HEADER_MISSING: [401, 'Send the header "Authorization: Bearer <secret>.<jwt>".'],
  INVALID_APP_TOKEN: [401, 'The application token is not valid or was deleted; use another.'],
  INVALID_CREDENTIALS: [401, 'The secret does not belong to this application token.'],
  INVALID_LOGIN_TOKEN: [
    401,
    'The login token is not valid, or its session has ended; sign in again.',
  ],
  EXPIRED_LOGIN_TOKEN: [401, 'The login token has expired; sign in again.'],
  TOTP_REQUIRED: [401, 'Send the code of the authenticator app as "totp", or a recovery_code.'],
  INVALID_DOMAIN: [401, 'This origin is not among the domains of the application token.'],
  INVALID_PERMISSIONS: [403, 'This application token has no permission for this operation.'],
  CONFIRMATION_REQUIRED: [
    403,
    'Confirm your identity with POST /console/session/confirm, then repeat the request.',
  ],
  OUTDATED_APP_TOKEN: [403, 'The application token has an old form; create a new one.'],
  NOT_FOUND: [404, 'There is no such resource: the id is wrong, or it was deleted.'],
  NOT_ALLOWED: [
    405,
    'This path does not support this method; the header Allow lists the supported ones.',
  ],
  IDEMPOTENCY_KEY_CONFLICT: [
    409,
    'This Idempotency-Key was used for another request; use a new one.',
  ],
  MERCHANT_TRANSACTION_ID_EXISTS: [
    409,
    'The store already has a charge with this merchant_transaction_id.',
  ],
  CUSTOMS_DECLARATION_PENDING: [409, 'The declaration is being processed; wait for its result.'],
  CUSTOMS_DECLARATION_SUCCESSFUL: [
    409,
    'The charge has already been declared; update the declaration.',
  ],
  CUSTOMS_DECLARATION_FAILED: [409, 'The declaration failed; create it again.'],
  CHECKOUT_SESSION_ENDED: [409, 'The checkout session was completed, has expired or was canceled.'],
  CHECKOUT_SESSION_PROCESSING: [
    409,
    'A payment of the checkout session is in progress; wait for its result.',
  ],
  CHECKOUT_CARDS_CLOSED: [
    403,
    'Too many cards were declined in this checkout session; use another payment method.',
  ],
  CHECKOUT_CHALLENGE_REQUIRED: [
    403,
    'Possible card testing at this store; send the solution of the challenge first.',
  ],
  PAYMENT_LINK_CLOSED: [409, 'The payment link is inactive, has expired or has reached its limit.'],
  DISPUTE_NOT_OPEN: [
    409,
    'The dispute accepts no response: one was already sent, or the deadline has passed.',
  ],
  INVALID_PASSWORD_LINK: [400, 'The link has been used or has expired; request a new one.'],
  USER_EMAIL_EXISTS: [409, 'A user with this e-mail already exists.'],
  DEMO_SHOP_EXISTS: [409, 'This service already has a demo shop; remove it first.'],
  VERIFICATION_EXISTS: [409, 'The verification has already been sent; change it with PATCH.'],
  WEBHOOK_INACTIVE: [400, 'The webhook is inactive; activate it with "active": true.'],
  WEBHOOK_URL_EXISTS: [409, 'A webhook with this URL already exists; update that one.'],
  PAYLOAD_TOO_LARGE: [
    413,
    'The body is larger than this operation accepts: 256 KB, or 7 MB with a file.',
  ],
  URI_TOO_LONG: [414, 'The address is longer than 8 KB.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as "Content-Type: application/json".'],
  BAD_REQUEST: [429, 'Too many requests; wait for the seconds in Retry-After.'],
  REQUEST_HEADER_TOO_LARGE: [431, 'The headers of the request are larger than 16 KB.'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time; send it without pauses.'],
  UNKNOWN_ERROR: [500, 'An internal error occurred; give the request id to the operator.'],
  SERVICE_UNAVAILABLE: [503, 'The service is temporarily unavailable; try again.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errors

/** Faults of a token that is charged. */
export const token_use_errors = [
  'CVV_AUTHORIZATION_NOT_COMPLETED',
  'PROCESSING_MODE_MISMATCH',
  'TRANSACTION_ALREADY_PROCESSED',
  'TRANSACTION_TOKEN_EXPIRED',
  'CHARGE_TOO_QUICK',
  'CHARGE_AMOUNT_TOO_HIGH',
  'CHARGE_AMOUNT_TOO_LOW',
] as const satisfies readonly ErrorCode[]

/** Faults of a plan of payments. */
export const plan_errors = [
  'CHARGE_AMOUNT_TOO_HIGH',
  'CHARGE_AMOUNT_TOO_LOW',
  'INSTALLMENTS_NOT_ENABLED',
  'INSTALLMENT_MAX_PAYOUT_PERIOD_EXCEEDED',
  'SUBSCRIPTIONS_NOT_ENABLED',
] as const satisfies readonly ErrorCode[]

/**
 * Reasons for refusing a field, each with the text about the field when the code that refuses it has no
 * better one: "amount must be a whole number of minor units".
 */
export const reasons = {
  REQUIRED_VALUE: 'is required',
  FORBIDDEN_PARAMETER: 'must not be sent with this request',
  CHANGE_PROHIBITED: 'cannot be changed now',
  NOT_ALLOWED_VALUE: 'has a value that is not allowed here',
  INVALID_FORMAT: 'does not have the expected format',
  INVALID_FORMAT_LENGTH: 'is too long or too short',
  INVALID_UUID: 'must be a UUID',
  INVALID_FORMAT_EMAIL: 'must be an e-mail address',
  INVALID_FORMAT_CURRENCY: 'must be an active ISO-4217 currency code, for example JPY',
  INVALID_FORMAT_DOMAIN: 'must be a domain such as example.com or *.example.com, or *',
  INVALID_FORMAT_URL: 'must be an http or https URL; live mode needs https',
  INVALID_FORMAT_OBJECT: 'must be a JSON object',
  INVALID_FORMAT_COUNTRY: 'must be an ISO 3166-1 alpha-2 country code, for example JP',
  INVALID_FORMAT_DATE: 'must be an ISO-8601 date or time, for example 2026-11-15T09:00:00+09:00',
  INVALID_DURATION: 'must be an ISO-8601 duration, for example P7D or PT12H',
  INVALID_TIME_PERIOD: 'is a period that is not allowed here',
  INVALID_LANGUAGE: 'must be a language tag, for example ja or en-US',
  INVALID_PATH_VALUE: 'is not allowed in the path',
  INCOHERENT_DATE_RANGE: 'must not begin after its end',
  MUST_BE_FUTURE_TIME: 'must be in the future',
  MUST_BE_FUTURE_OR_TODAY: 'must be today or later',
  START_ON_EXCEEDS_LIMIT: 'must be within five years',
  MUST_BE_MONTH_BASED_TO_SET: 'needs a period of whole months',
  MUST_BE_LOWER_THAN_FULL_AMOUNT: 'must be lower than the full amount',
  NEED_AT_LEAST_TWO_CYCLES: 'must result in at least two payments',
  CANNOT_SET_AFTER_SUBSCRIPTION_STARTED: 'cannot be changed after the subscription has started',
  INSTALLMENT_INVALID_PLAN_TYPE: 'is not a plan that the card company offers',
  INSTALLMENT_INVALID_INITIAL_AMOUNT: 'must not be sent with an installment plan',
  INSTALLMENT_REVOLVING_PLAN_CANNOT_SET_INITIAL_AMOUNT: 'must not be sent with a revolving plan',
  CANNOT_CHANGE_INSTALLMENT_AMOUNT: 'of an installment plan cannot be changed',
  PAYMENT_IN_TIME_PERIOD: 'is a date that already has a payment',
  INVALID_AMOUNT: 'is not a valid amount here',
  INVALID_CARD_NUMBER: 'must be a card number; check its digits',
  CARD_NUMBER_NOT_ALLOWED:
    'must not contain a card number; send card numbers as data.card_number of a token only',
  INVALID_CARD_EXPIRATION:
    'must be a month that is not over and at most 20 years ahead: exp_month 1 to 12 and its exp_year',
  INVALID_CVV: 'must have the 3 digits (American Express: 4) of the security code',
  INVALID_PHONE_NUMBER:
    'must be a valid phone number: country_code, for example 81, and local_number in digits',
  ONLY_JAPANESE_PHONE_NUMBER_ALLOWED: 'must be a Japanese phone number: country_code 81',
  ONE_TIME_ONLY_ALLOWED: 'must be one_time for this payment_type',
  EXPIRATION_DATE_OUT_OF_BOUNDS: 'is outside the allowed payment period',
  NOT_QR_CHARGE: 'is not a charge by QR code',
  NOT_ONLINE_CHARGE: 'is not a charge of an online brand',
  ISSUER_TOKEN_EMPTY: 'has no issuer token',
  INVALID_SCHEDULED_CAPTURE_DATE: 'must be between 1 hour and 7 days ahead',
  INVALID_CARD_TYPE_FOR_CAPTURE: 'must be true: this kind of card cannot only be authorized',
  INVALID_CHARGE_AMOUNT_LIMIT: 'exceeds the charge limit of this card',
  CAPTURE_ONLY_FOR_CARD_PAYMENT: 'can be false for card payments only',
  ONLY_FOR_CARD_PAYMENT: 'is for card payments only',
  INVALID_CHARGE_STATUS: 'does not fit the status of the charge',
  NOT_SUPPORTED_BY_PROCESSOR: 'is not supported by the processor',
  TOKEN_MUST_BE_CONFIRMED: 'must be confirmed first',
  WRONG_CONFIRMATION_CODE: 'is not the code that was sent',
  CONFIRMATION_REQUIRES_EMAIL: 'is required with use_confirmation',
  UNFINISHED_CHARGES_EXIST_FOR_TOKEN: 'has a charge that has not ended',
  ONGOING_SUBSCRIPTIONS_EXIST_FOR_TOKEN: 'has an active subscription; cancel it first',
  NUMBER_MIN: 'is too small',
  NUMBER_MAX: 'is too large',
  MUST_HAVE_AT_LEAST_ONE_ELEMENT: 'must have at least one element',
  INVALID_EVENT_FOR_STORE: 'is not an event for webhooks of a store',
  INVALID_EVENT_FOR_MERCHANT: 'is not an event for webhooks of a merchant',
  STORE_EXISTS: 'is the name of another store',
  BANK_ACCOUNT_EXISTS: 'is already registered',
} as const satisfies Record<string, string>

export type Reason = keyof typeof reasons

export interface FieldError {
  field: string
  reason: Reason
  /** The rule of a field, in words that follow its name in the message. */
  rule?: string
  /** The value, where it may be repeated: never a text of the client, never a long number. */
  received?: string
}

/** A body may have a thousand faults; the message stays readable. */
const max_described = 10

/** "amount must be at least 1 (received 0); currency must be an active ISO-4217 currency code." */
export function describeFaults(faults: readonly FieldError[]): string {
  const reported = faults.slice(0, max_described).map(({ field, reason, rule, received }) => {
    const sentence = `${field} ${rule ?? reasons[reason]}`
    return received === undefined ? sentence : `${sentence} (received ${received})`
  })
  const more = faults.length - reported.length
  return `${reported.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}

export interface FailureDetails {
  message?: string
  errors?: FieldError[]
  /** The integer code beside the name, where the API has one. */
  error?: { code: number; message: string }
  retry_after_s?: number
}

/** The one error class of the service: a code of the table, never a wire shape. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[]
  readonly error: FailureDetails['error']
  readonly retry_after_s: number | undefined

  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(details.message ?? sentenceFor(code, details.errors))
    this.name = 'Failure'
    this.code = code
    this.errors = details.errors ?? []
    this.error = details.error
    this.retry_after_s = details.retry_after_s
  }
}

/** The field faults say more than the message of the code. */
function sentenceFor(code: ErrorCode, faults: readonly FieldError[] = []): string {
  return faults.length > 0 ? describeFaults(faults) : errors[code][1]
}

export function fail(code: ErrorCode, details?: FailureDetails): never {
  throw new Failure(code, details)
}

/** Refuses a request because of one field. The rule follows the field name in the message. */
export function failField(field: string, reason: Reason, rule?: string): never {
  fail('VALIDATION_ERROR', { errors: [{ field, reason, ...(rule ? { rule } : {}) }] })
}

/** Refuses a request when its fields have faults; all of them are reported. */
export function failIfAny(faults: readonly FieldError[]): void {
  if (faults.length > 0) fail('VALIDATION_ERROR', { errors: [...faults] })
}

/**
 * Reads the parts of a request. When several are refused because of their fields, all faults are
 * reported together; a refusal of another kind is only reported when every field is valid.
 */
export function readAll<T extends unknown[]>(...reads: { [K in keyof T]: () => T[K] }): T {
  const faults: FieldError[] = []
  let other: Failure | null = null
  const parts = reads.map((read) => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === 'VALIDATION_ERROR') faults.push(...error.errors)
      else other ??= error
      return undefined
    }
  })
  failIfAny(faults)
  if (other) throw other
  return parts as T
}

/** "must be one of a, b or c", or the only allowed value. */
export function oneOf(allowed: readonly unknown[]): string {
  const names = allowed.filter((value) => value !== null).map(String)
  const last = names.pop() ?? 'nothing'
  return names.length === 0 ? `must be ${last}` : `must be one of ${names.join(', ')} or ${last}`
}

/** `RESOURCE_LIMIT_REACHED` is the name `ResourceLimitReached` of the API. */
export function errorName(code: ErrorCode): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')
}
