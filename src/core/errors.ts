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
  ALREADY_CAPTURED: [400, 'The charge was captured already.'],
  CANCEL_NOT_ALLOWED: [400, 'Only a charge that waits or is authorized can be canceled.'],
  CANNOT_REFUND_UNSUCCESSFUL_CHARGE: [400, 'Only a successful charge can be refunded.'],
  CANNOT_DECLARE_UNSUCCESSFUL_CHARGE: [400, 'Only a successful charge can be declared.'],
  CUSTOMS_NOT_AVAILABLE: [400, 'Only charges of the brand we_chat_online can be declared.'],
  CAPTURE_AMOUNT_TOO_LARGE: [400, 'No more can be captured than was authorized.'],
  CARD_BRAND_NOT_SUPPORTED: [400, 'The store does not take this kind of card.'],
  CARD_COUNTRY_NOT_SUPPORTED: [400, 'The store does not take cards of this country.'],
  CARD_PROCESSING_DISABLED: [400, 'The store does not take cards.'],
  QR_PROCESSING_DISABLED: [400, 'The store does not take QR codes.'],
  INVALID_QR_SCAN_GATEWAY: [400, 'The store does not take this wallet.'],
  CONVENIENCE_PROCESSING_DISABLED: [400, 'The store does not take convenience store payments.'],
  PAIDY_PROCESSING_DISABLED: [400, 'The store does not take this way to pay.'],
  ONLINE_PROCESSING_DISABLED: [400, 'The store does not take online brands.'],
  BANK_TRANSFER_PROCESSING_DISABLED: [400, 'The store does not take bank transfers.'],
  CHARGE_AMOUNT_TOO_HIGH: [400, 'The amount is above the maximum of the store.'],
  CHARGE_AMOUNT_TOO_LOW: [400, 'The amount is below the minimum of the store.'],
  CHARGE_TOO_QUICK: [400, 'This card was billed with this token less than 30 seconds ago.'],
  CURRENCY_MUST_MATCH_CHARGE: [400, 'The currency must be the one that was charged.'],
  CVV_AUTHORIZATION_NOT_COMPLETED: [400, "The token's CVV authorization is not completed."],
  CVV_REQUIRED: [400, 'Send the security code of the card.'],
  NO_TEST_CARD_IN_LIVE_MODE: [400, 'Test cards do not work in live mode.'],
  NON_SUBSCRIPTION_PAYMENT: [400, 'A subscription token is charged by its subscription only.'],
  RECURRING_USAGE_REQUIRES_CVV: [400, 'Send the security code of the card to the token first.'],
  CARD_LOCKED: [403, 'The card cannot be charged for a while.'],
  INVALID_TOKEN_TYPE: [400, 'Only a recurring or subscription token with a card can be renewed.'],
  NOT_SUBSCRIPTION_TOKEN: [400, 'A subscription needs a subscription or recurring token.'],
  SUBSCRIPTION_ALREADY_ENDED: [400, 'The subscription has ended.'],
  INSTALLMENT_MAX_PAYOUT_PERIOD_EXCEEDED: [400, 'The plan is longer than the store allows.'],
  INSTALLMENTS_NOT_ENABLED: [403, 'The store does not offer installments.'],
  SUBSCRIPTIONS_NOT_ENABLED: [403, 'The store does not offer subscriptions.'],
  NOT_SUPPORTED_BY_PROCESSOR: [400, 'The processor does not support this.'],
  RECURRING_TOKEN_DISABLED: [400, 'The merchant may not create recurring tokens.'],
  RECURRING_USAGE_LIMIT_REQUIRED: [400, 'Recurring tokens of this merchant need a usage_limit.'],
  REFUND_EXCEEDS_CHARGE_AMOUNT: [400, 'No more can be refunded than is left of the charge.'],
  REFUND_NOT_ALLOWED: [400, 'Money paid in a shop or by transfer cannot be sent back this way.'],
  REFUND_NOT_WITHIN_BOUNDS: [400, "No more can be refunded than the store's limit allows."],
  TOKEN_FOR_WRONG_STORE: [400, 'The transaction token belongs to another store.'],
  TRANSACTION_ALREADY_PROCESSED: [400, 'The one-time token was used already.'],
  TRANSACTION_TOKEN_EXPIRED: [400, 'The transaction token was not used within five minutes.'],
  PROCESSING_MODE_MISMATCH: [400, 'The token was made in the other mode.'],
  USAGE_LIMIT_REACHED: [400, 'The token was used as often as its usage_limit allows.'],
  USAGE_LIMIT_NOT_APPLICABLE: [400, 'Only recurring tokens have a usage_limit.'],
  DIRECT_CARD_TOKEN_CREATION_DISABLED: [401, 'The store takes card numbers from browsers only.'],
  NON_UNIQUE_ACTIVE_TOKEN: [409, 'The customer has an active subscription token for this card.'],
  AUTH_HEADER_MISSING: [401, 'Send the header "Authorization: Bearer <secret>.<jwt>".'],
  INVALID_APP_TOKEN: [401, 'The application token is not valid or was deleted.'],
  INVALID_CREDENTIALS: [401, 'The secret does not belong to this application token.'],
  INVALID_LOGIN_TOKEN: [401, 'The login token is not valid, or its session has ended.'],
  EXPIRED_LOGIN_TOKEN: [401, 'The login token has expired; sign in again.'],
  TOTP_REQUIRED: [401, 'Send the code of the authenticator app as "totp".'],
  INVALID_DOMAIN: [401, 'This origin is not among the domains of the application token.'],
  INVALID_PERMISSIONS: [403, 'This application token may not do that.'],
  OUTDATED_APP_TOKEN: [403, 'The application token has an old form; create a new one.'],
  NOT_FOUND: [404, 'There is no such resource.'],
  NOT_ALLOWED: [405, 'This method is not allowed here.'],
  IDEMPOTENCY_KEY_CONFLICT: [409, 'This Idempotency-Key was used for another request.'],
  MERCHANT_TRANSACTION_ID_EXISTS: [
    409,
    'The store has a charge with this merchant_transaction_id.',
  ],
  CUSTOMS_DECLARATION_PENDING: [409, 'The declaration is on its way; wait until it has ended.'],
  CUSTOMS_DECLARATION_SUCCESSFUL: [409, 'The charge was declared already; update the declaration.'],
  CUSTOMS_DECLARATION_FAILED: [409, 'The declaration did not succeed; create it again.'],
  INVALID_PASSWORD_LINK: [400, 'The link was used or is too old; ask for a new one.'],
  USER_EMAIL_EXISTS: [409, 'A user with this e-mail exists already.'],
  VERIFICATION_EXISTS: [409, 'The verification was sent already; change it with PATCH.'],
  WEBHOOK_INACTIVE: [400, 'The webhook is switched off; switch it on with "active": true.'],
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
  'INVALID_TIME_PERIOD',
  'INVALID_LANGUAGE',
  'INVALID_PATH_VALUE',
  'INCOHERENT_DATE_RANGE',
  'MUST_BE_FUTURE_TIME',
  'MUST_BE_FUTURE_OR_TODAY',
  'START_ON_EXCEEDS_LIMIT',
  'MUST_BE_MONTH_BASED_TO_SET',
  'MUST_BE_LOWER_THAN_FULL_AMOUNT',
  'NEED_AT_LEAST_TWO_CYCLES',
  'CANNOT_SET_AFTER_SUBSCRIPTION_STARTED',
  'INSTALLMENT_INVALID_PLAN_TYPE',
  'INSTALLMENT_INVALID_INITIAL_AMOUNT',
  'INSTALLMENT_REVOLVING_PLAN_CANNOT_SET_INITIAL_AMOUNT',
  'CANNOT_CHANGE_INSTALLMENT_AMOUNT',
  'PAYMENT_IN_TIME_PERIOD',
  'INVALID_AMOUNT',
  'INVALID_CARD_NUMBER',
  'CARD_NUMBER_NOT_ALLOWED',
  'INVALID_CARD_EXPIRATION',
  'INVALID_CVV',
  'INVALID_PHONE_NUMBER',
  'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED',
  'ONE_TIME_ONLY_ALLOWED',
  'EXPIRATION_DATE_OUT_OF_BOUNDS',
  'NOT_QR_CHARGE',
  'NOT_ONLINE_CHARGE',
  'ISSUER_TOKEN_EMPTY',
  'INVALID_SCHEDULED_CAPTURE_DATE',
  'INVALID_CARD_TYPE_FOR_CAPTURE',
  'INVALID_CHARGE_AMOUNT_LIMIT',
  'CAPTURE_ONLY_FOR_CARD_PAYMENT',
  'ONLY_FOR_CARD_PAYMENT',
  'INVALID_CHARGE_STATUS',
  'NOT_SUPPORTED_BY_PROCESSOR',
  'TOKEN_MUST_BE_CONFIRMED',
  'WRONG_CONFIRMATION_CODE',
  'CONFIRMATION_REQUIRES_EMAIL',
  'UNFINISHED_CHARGES_EXIST_FOR_TOKEN',
  'ONGOING_SUBSCRIPTIONS_EXIST_FOR_TOKEN',
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
  /** The integer code that belongs beside the name, where the interface has one. */
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
    super(details.message ?? errors[code][1])
    this.name = 'Failure'
    this.code = code
    this.errors = details.errors ?? []
    this.error = details.error
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
