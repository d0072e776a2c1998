import { type ErrorCode, errors } from '../core/errors.ts'
import { findRight } from '../resources/users/user-rights.ts'
import type { DescribedRoute } from './describe-operation.ts'
import { isIdempotent } from './idempotency.ts'

const in_order = Object.keys(errors) as ErrorCode[]

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

/** What nearly every operation has: the description names it with one word. */
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

const at_token_use: readonly ErrorCode[] = [
  'CVV_AUTHORIZATION_NOT_COMPLETED',
  'PROCESSING_MODE_MISMATCH',
  'TRANSACTION_ALREADY_PROCESSED',
  'TRANSACTION_TOKEN_EXPIRED',
  'CHARGE_TOO_QUICK',
  'CHARGE_AMOUNT_TOO_HIGH',
  'CHARGE_AMOUNT_TOO_LOW',
]
const of_plans: readonly ErrorCode[] = [
  'CHARGE_AMOUNT_TOO_HIGH',
  'CHARGE_AMOUNT_TOO_LOW',
  'INSTALLMENTS_NOT_ENABLED',
  'INSTALLMENT_MAX_PAYOUT_PERIOD_EXCEEDED',
  'SUBSCRIPTIONS_NOT_ENABLED',
]

/** Beside what follows from its route by rule: operations by their ids, and the codes they have. */
const own_errors: readonly (readonly [ids: string, codes: readonly ErrorCode[]])[] = [
  [
    'createToken',
    [
      'RESOURCE_LIMIT_REACHED',
      'CARD_BRAND_NOT_SUPPORTED',
      'CARD_COUNTRY_NOT_SUPPORTED',
      'CARD_PROCESSING_DISABLED',
      'QR_PROCESSING_DISABLED',
      'INVALID_QR_SCAN_GATEWAY',
      'CONVENIENCE_PROCESSING_DISABLED',
      'PAIDY_PROCESSING_DISABLED',
      'ONLINE_PROCESSING_DISABLED',
      'BANK_TRANSFER_PROCESSING_DISABLED',
      'CVV_REQUIRED',
      'NO_TEST_CARD_IN_LIVE_MODE',
      'NOT_SUPPORTED_BY_PROCESSOR',
      'RECURRING_TOKEN_DISABLED',
      'RECURRING_USAGE_LIMIT_REQUIRED',
      'USAGE_LIMIT_NOT_APPLICABLE',
      'DIRECT_CARD_TOKEN_CREATION_DISABLED',
      'NON_UNIQUE_ACTIVE_TOKEN',
      'CHECKOUT_CHALLENGE_REQUIRED',
    ],
  ],
  ['updateToken', ['RESOURCE_LIMIT_REACHED', 'CVV_REQUIRED', 'NON_UNIQUE_ACTIVE_TOKEN']],
  ['renewToken renewStoreToken', ['INVALID_TOKEN_TYPE']],
  ['confirmToken', ['RESOURCE_LIMIT_REACHED']],
  [
    'createCharge',
    [
      ...at_token_use,
      'CARD_LOCKED',
      'MERCHANT_TRANSACTION_ID_EXISTS',
      'NON_SUBSCRIPTION_PAYMENT',
      'NOT_SUPPORTED_BY_PROCESSOR',
      'RECURRING_USAGE_REQUIRES_CVV',
      'RESOURCE_LIMIT_REACHED',
      'USAGE_LIMIT_REACHED',
    ],
  ],
  ['captureCharge', ['ALREADY_CAPTURED', 'CAPTURE_AMOUNT_TOO_LARGE', 'CURRENCY_MUST_MATCH_CHARGE']],
  [
    'createRefund',
    [
      'CANNOT_REFUND_UNSUCCESSFUL_CHARGE',
      'CURRENCY_MUST_MATCH_CHARGE',
      'CHARGE_DISPUTED',
      'REFUND_EXCEEDS_CHARGE_AMOUNT',
      'REFUND_NOT_ALLOWED',
      'REFUND_NOT_WITHIN_BOUNDS',
    ],
  ],
  ['createCancel', ['CANCEL_NOT_ALLOWED']],
  [
    'createCustomsDeclaration',
    [
      'CANNOT_DECLARE_UNSUCCESSFUL_CHARGE',
      'CUSTOMS_DECLARATION_PENDING',
      'CUSTOMS_DECLARATION_SUCCESSFUL',
      'CUSTOMS_NOT_AVAILABLE',
    ],
  ],
  ['updateCustomsDeclaration', ['CUSTOMS_DECLARATION_FAILED', 'CUSTOMS_DECLARATION_PENDING']],
  ['createSubscription', [...at_token_use, ...of_plans, 'NOT_SUBSCRIPTION_TOKEN']],
  ['createSubscriptionBatch', ['RESOURCE_LIMIT_REACHED']],
  ['createCheckoutSession', of_plans],
  ['createPaymentLink createStorePaymentLink', [...of_plans, 'RESOURCE_LIMIT_REACHED']],
  ['updatePaymentLink', ['RESOURCE_LIMIT_REACHED']],
  ['cancelCheckoutSession', ['CHECKOUT_SESSION_ENDED', 'CHECKOUT_SESSION_PROCESSING']],
  ['updateDispute acceptDispute', ['DISPUTE_NOT_OPEN', 'NOT_SUPPORTED_BY_PROCESSOR']],
  ['createDisputeFile', ['DISPUTE_NOT_OPEN', 'RESOURCE_LIMIT_REACHED']],
  ['deleteDisputeFile completeTestDispute', ['DISPUTE_NOT_OPEN']],
  ['simulateSubscriptionPlan simulateStoreSubscriptionPlan', of_plans],
  [
    'updateSubscription updateStoreSubscription changeSubscriptionToken changeStoreSubscriptionToken',
    [...at_token_use, ...of_plans, 'NOT_SUBSCRIPTION_TOKEN', 'SUBSCRIPTION_ALREADY_ENDED'],
  ],
  [
    `suspendSubscription suspendStoreSubscription unsuspendSubscription unsuspendStoreSubscription
    cancelSubscription cancelStoreSubscription updateSubscriptionPayment
    updateStoreSubscriptionPayment`,
    ['SUBSCRIPTION_ALREADY_ENDED'],
  ],
  [
    'createWebhook createMerchantWebhook createStoreWebhook createMerchantStoreWebhook',
    ['RESOURCE_LIMIT_REACHED', 'WEBHOOK_URL_EXISTS'],
  ],
  [
    'updateWebhook updateMerchantWebhook updateStoreWebhook updateMerchantStoreWebhook',
    ['WEBHOOK_URL_EXISTS'],
  ],
  [
    'redeliverWebhookEvent redeliverStoreWebhookEvent pingWebhook pingStoreWebhook',
    ['WEBHOOK_INACTIVE'],
  ],
  ['createWebhookReplay createStoreWebhookReplay', ['RESOURCE_LIMIT_REACHED', 'WEBHOOK_INACTIVE']],
  [
    'createAppToken createStoreAppToken createLegacyAppToken',
    ['RESOURCE_LIMIT_REACHED', 'LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED'],
  ],
  ['createStore createBankAccount createSavedView', ['RESOURCE_LIMIT_REACHED']],
  ['createVerification', ['VERIFICATION_EXISTS']],
  ['getGatewayInfo', ['NOT_SUPPORTED_BY_PROCESSOR']],
  ['receiveNotification receiveMerchantNotification', ['INVALID_CREDENTIALS']],
  ['logIn', ['INVALID_CREDENTIALS', 'TOTP_REQUIRED']],
  ['createConsoleSession', ['INVALID_CREDENTIALS', 'INVALID_PERMISSIONS', 'TOTP_REQUIRED']],
  ['confirmConsoleSession', ['INVALID_CREDENTIALS', 'TOTP_REQUIRED']],
  ['createConnector', ['CONNECTOR_TEST_FAILED', 'RESOURCE_LIMIT_REACHED']],
  ['createUser', ['RESOURCE_LIMIT_REACHED', 'USER_EMAIL_EXISTS']],
  ['updateUser', ['USER_EMAIL_EXISTS']],
  ['requestPasswordReset', ['RESOURCE_LIMIT_REACHED']],
  ['resetPassword', ['INVALID_PASSWORD_LINK']],
  ['changePassword confirmTotp', ['INVALID_CREDENTIALS']],
  ['startTotp', ['INVALID_CREDENTIALS', 'TOTP_REQUIRED']],
]

const own_by_id = new Map(
  own_errors.flatMap(([ids, codes]) => ids.split(/\s+/).map((id) => [id, codes] as const)),
)

/** The operations that the table names: each of them exists. */
export const operations_with_own_errors = [...own_by_id.keys()]

/** The groups of codes that an operation can be answered with. */
export function errorGroupsOf({ method, url, schema, config }: DescribedRoute): ErrorGroup[] {
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
    confirmation: !is_public && (findRight(method, url)?.confirm ?? null) !== null,
    domain: without_secret !== 'never',
    rate: config.rate !== 'none',
    idempotency: isIdempotent({ method, config }),
  }
  const all = (Object.keys(applies) as Group[]).filter((group) => applies[group])
  if (!usual_groups.every((group) => applies[group])) return all
  return ['usual', ...all.filter((group) => !usual_groups.includes(group))]
}

/** The codes that only this operation and few others have, in the order of their table. */
export function ownErrorsOf({ schema }: DescribedRoute): ErrorCode[] {
  const own = own_by_id.get(schema.operationId ?? '') ?? []
  return in_order.filter((code) => own.includes(code))
}
