// Generated from openapi.json by `npm run generate`; never edited.
import type { List } from '../list-pages.ts'
import type { CallOptions } from '../send-request.ts'

/** Sums of a period, and of the period before it. */
export interface Activity {
  /** The start of the period. */
  from: Instant
  /** The end of the period. */
  to: Instant
  /** The start of the previous period, which has the same length. */
  before_from: Instant
  /** The zone in which days begin. */
  time_zone: string
  /** The period of each point of the series. */
  interval: 'hour' | 'day'
  /** The mode it belongs to. */
  mode: Mode
  /** The currency of all amounts; null without any. */
  currency: string | null
  /** Every currency of the period, the most used first. */
  currencies: string[]
  /** The whole period. */
  totals: ActivityTotals
  /** The period before. */
  totals_before: ActivityTotals
  /** The period by hour or day. */
  series: ActivityPoint[]
  /** The period before by hour or day. */
  series_before: ActivityPoint[]
  /** Why payments failed, the most frequent first. */
  failure_reasons: FailureReason[]
  /** Payment methods, the most frequent first. */
  methods: ActivityMethod[]
}

/** The payments of a payment method. */
export interface ActivityMethod {
  /** How the customer pays. */
  payment_type: PaymentType
  /** The brand; null where it is not known. */
  brand: string | null
  /** Successful payments. */
  successful: number
  /** Payments that failed. */
  failed: number
  /** The sum of successful payments, in the smallest unit. */
  volume: number
}

/** Activity in an hour or on a day. */
export type ActivityPoint = ActivityTotals & {
  /** The start of the hour or day. */
  on: Instant
}

/** Activity in a period. */
export interface ActivityTotals {
  /** Successful and failed payments. */
  count: number
  /** Successful payments. */
  successful: number
  /** Payments that failed. */
  failed: number
  /** Payments that were canceled. */
  canceled: number
  /** The sum of successful payments, in the smallest unit. */
  volume: number
  /** Successful refunds. */
  refunds: number
  /** The sum of successful refunds, in the smallest unit. */
  refund_volume: number
  /** Successful payments divided by `count`; null without payments. */
  success_rate: number | null
}

/** A new time of test mode. */
export interface AdvanceTestClock {
  /** By how much to move it, as an ISO-8601 duration. Either this or `now`. */
  advance?: string | null
  /** The time to move it to, later than now. Either this or `advance`. */
  now?: string | null
}

/** Between which amounts customers choose. */
export interface AmountChoice {
  /** The least that a customer can pay. */
  min: number
  /** The most that a customer can pay. */
  max: number
  /** The amount that the page suggests; null: none. */
  suggested: number | null
}

/** An event, and its delivery to one of the webhooks. */
export type AnyDeliveryItem = Delivery & {
  /** The address that it is sent to. */
  url: string
  /** The store of the webhook; null: all stores. */
  store_id: Uuid | null
}

/** A page of a list. */
export interface AnyDeliveryPage {
  /** The items of this page. */
  items: AnyDeliveryItem[]
  /** Whether more follow. */
  has_more: boolean
}

/** An object whose fields this API does not define. */
export type AnyObject = Record<string, unknown>

/** A credential of a program: of one store in one mode, or of the whole merchant. */
export interface AppToken {
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store whose payments it may create and read; null for a token of the merchant. */
  store_id: Uuid | null
  /** The application token or user that created it. */
  creator_id: Uuid
  /** `merchant` for a token of the merchant; empty for one of a store. */
  roles: string[]
  /** The id of the application token. */
  jti: Uuid
  /** The JWT. After the secret and a dot it is the credential of the `Authorization` header. */
  jwt: string
  /** The mode whose payments it creates and reads; null, which is both, for the merchant. */
  mode: Mode | null
  /** Domains of pages that may use the JWT without the secret. */
  domains: string[]
  /** The creation time. */
  created_on: Instant
  /** The name given to the token; absent without one. */
  name?: string
  /** When a program last used it, to about ten minutes; absent before. */
  last_used_on?: Instant
  /** The expiry of a replaced token; absent if the token does not expire. */
  expires_on?: Instant
}

/** An event about the kind of resource `app_token`. */
export type AppTokenEvent = EventFields & {
  /** The name of the event. */
  event: 'app_token_created' | 'app_token_updated' | 'app_token_deleted'
  /** The resource as it was at that moment. */
  data: AppTokenRecord
}

/** A page of a list. */
export interface AppTokenPage {
  /** The items of this page. */
  items: AppToken[]
  /** Whether more follow. */
  has_more: boolean
}

/** The fields of an application token in events, without its JWT and secret. */
export interface AppTokenRecord {
  /** The id of the application token. */
  jti: Uuid
  /** The store whose payments it may create and read; null for a token of the merchant. */
  store_id: Uuid | null
  /** The application token or user that created it. */
  creator_id: Uuid
  /** The mode whose payments it creates and reads; null, which is both, for the merchant. */
  mode: Mode | null
  /** Domains of pages that may use the JWT without the secret. */
  domains: string[]
}

/** Payment by Apple Pay. */
export interface ApplePayInput {
  /**
   * The payment token from Apple Pay, as JSON or in base64. Live mode passes it on to the
   * acquirer, encrypted as it is; test mode accepts any text.
   */
  applepay_token: string
  /** The name of the customer. */
  cardholder: string
  /** The first line of the billing address. */
  line1?: string | null
  /** The second line of the billing address. */
  line2?: string | null
  /** The state or prefecture. */
  state?: string | null
  /** The city. */
  city?: string | null
  /** The country, as an ISO-3166 code of two letters. */
  country?: string | null
  /** The postal code. */
  zip?: string | null
  /** The phone number of the customer. */
  phone_number?: PhoneInput | null
}

/** A transaction token of the payment type `apple_pay`. */
export type ApplePayToken = TokenFields & {
  /** How the customer pays. */
  payment_type: 'apple_pay'
  /** The customer's payment details. */
  data: ApplePayTokenData
}

/** The payment details that a token of the type `apple_pay` shows. */
export interface ApplePayTokenData {
  /** The card. */
  card?: WalletCard
  /** The billing address. */
  billing?: Billing
  /** The check of the security code when the token is created. */
  cvv_authorize?: CvvAuthorization
  /** The latest check of a security code that was sent later. */
  cvv_authorize_check?: CvvAuthorizationCheck
  /** The authentication of the token with 3-D Secure. */
  three_ds?: TokenThreeDs
}

/** Items that need the merchant's attention, counted up to a limit. */
export interface Attention {
  /** Disputes that need a response. */
  open_disputes: AttentionGroup
  /** Deliveries of the last 7 days that failed after the last attempt. */
  failed_deliveries: AttentionGroup
  /** Webhooks that are paused or were deactivated. */
  open_circuits: AttentionGroup
  /** Charges that wait for a bank transfer or a payment at a convenience store. */
  awaiting_deposits: AttentionGroup
  /** Authorized charges that expire within 48 hours. */
  expiring_authorizations: AttentionGroup
  /** Subscriptions with an unpaid payment. */
  unpaid_subscriptions: AttentionGroup
  /** Hours of the last 7 days in which many cards were tried at the store. */
  card_testing: AttentionGroup
  /** Deposits of the last 7 days that were or are being returned. */
  returned_deposits: AttentionGroup
}

/** Things of one kind that need attention. */
export interface AttentionGroup {
  /** The number of items, at most 100. */
  count: number
  /** Whether there are more than were counted. */
  has_more: boolean
  /** The newest items, or the next to expire; at most 5. */
  newest: AttentionItem[]
}

/** Something that needs attention. */
export interface AttentionItem {
  /** The charge, subscription, deposit, event or webhook. */
  resource_id: Uuid
  /** The store that it belongs to; null for all stores. */
  store_id: Uuid | null
  /** The charge that it is about; null without one. */
  charge_id: Uuid | null
  /** The webhook that it is about; null without one. */
  webhook_id: Uuid | null
  /** The time of the item, or its expiry; null if unknown. */
  on: Instant | null
  /** The amount in the smallest unit; null without one. */
  amount: number | null
  /** The currency; null without an amount. */
  currency: string | null
  /** The address, event, name or reason; null without one. */
  text: string | null
}

/** An account that payouts of the merchant go to. */
export interface BankAccount {
  /** The id of the bank account. */
  id: Uuid
  /** The name of the account holder. */
  holder_name: string
  /** The name of the bank. */
  bank_name: string
  /** The name of the branch; null without one. */
  branch_name: string | null
  /** The address of the bank; null without one. */
  bank_address: string | null
  /**
   * The routing number of the bank, where the country has one; otherwise null. In Japan the codes
   * of bank and branch, such as `0001-001`.
   */
  routing_number: string | null
  /** The SWIFT code (BIC) of the bank; null without one. */
  swift_code: string | null
  /** The IFSC code of the branch, in India; otherwise null. */
  ifsc_code: string | null
  /** Another code of the bank, where the country has one; otherwise null. */
  routing_code: string | null
  /** Whether it is a checking or a savings account. */
  account_type: 'checking' | 'savings'
  /** Whether payouts go to this account. A merchant has one primary account. */
  primary: boolean
  /** The country of the bank, as an ISO-3166 code of two letters. */
  country: string
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The number of the account, masked but for the last four characters. */
  account_number: string
  /** The last four characters of the number. */
  last_four: string
  /** The verification by the operator: `new` before it. */
  status: 'new' | 'unable_to_verify' | 'verified' | 'errored'
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** An event about the kind of resource `bank_account`. */
export type BankAccountEvent = EventFields & {
  /** The name of the event. */
  event: 'bank_account_created' | 'bank_account_updated' | 'bank_account_deleted'
  /** The resource as it was at that moment. */
  data: BankAccount
}

/** A page of a list. */
export interface BankAccountPage {
  /** The items of this page. */
  items: BankAccount[]
  /** Whether more follow. */
  has_more: boolean
}

/** Bank transfers. */
export interface BankTransferConfiguration {
  /** Whether bank transfers are accepted. Default: true. */
  enabled: boolean | null
  /** Stored, no effect yet. */
  automatic_extension_enabled: boolean | null
  /** Stored, no effect yet. */
  remind_notification_enabled: boolean | null
  /** Stored, no effect yet. */
  charge_request_notification_enabled: boolean | null
  /** Stored, no effect yet. */
  charge_request_canceled_notification_enabled: boolean | null
  /** Stored, no effect yet. */
  charge_expired_notification_enabled: boolean | null
  /** Stored, no effect yet. */
  deposit_received_notification_enabled: boolean | null
  /** Stored, no effect yet. */
  deposit_insufficient_notification_enabled: boolean | null
  /** Stored, no effect yet. */
  deposit_exceeded_notification_enabled: boolean | null
  /** Stored, no effect yet. */
  extension_notification_enabled: boolean | null
  /** The handling of a transfer of another amount. Default: exact. */
  match_amount: 'disabled' | 'exact' | 'minimum' | 'maximum' | null
  /** How long customers can pay. Default: 7 days. As an ISO-8601 duration. */
  expiration: string | null
  /** The time of day at which payments expire. */
  expiration_time_shift: ExpirationTimeShift
  /** Stored, no effect yet. */
  virtual_bank_accounts_threshold?: number | null
  /** Stored, no effect yet. */
  virtual_bank_accounts_fetch_count?: number | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  default_extension_period?: string | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  maximum_extension_period?: string | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  remind_notification_period?: string | null
}

/** Payment by bank transfer to an account that is opened for the charge. */
export interface BankTransferInput {
  /** The bank. One of aozora_bank, bank_test_brand; letters in any case. */
  brand: string
  /**
   * The handling of a transfer of another amount. Default: the store's setting, which is `exact`
   * by default.
   */
  match_amount?: 'disabled' | 'exact' | 'minimum' | 'maximum' | null
  /**
   * How long the account is open, from the creation of the charge: 30 minutes to 365 days.
   * Default: 7 days.
   */
  expiration_period?: string | null
  /** The time of day at which the account closes. Needs `expiration_period`. */
  expiration_time_shift?: string | null
}

/** A movement on the virtual account of a bank transfer. */
export interface BankTransferLedger {
  /** The id of the movement. */
  id: Uuid
  /** Money that arrived (`deposit`), or that paid the charge or was returned (`payment`). */
  bank_ledger_type: 'deposit' | 'payment'
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The balance after the entry, in the smallest unit of the currency. */
  balance: number
  /** The name of the account holder; null without an account. */
  virtual_bank_account_holder_name: string | null
  /** The number of the virtual account; null without an account. */
  virtual_bank_account_number: string | null
  /** The id of the virtual account; null without one. */
  virtual_account_id: Uuid | null
  /** The day of the movement in Japan, as year-month-day. */
  transaction_date: string
  /** The time. */
  transaction_timestamp: Instant
  /** The mode it belongs to. */
  mode: Mode
  /** The creation time. */
  created_on: Instant
}

/** A page of a list. */
export interface BankTransferLedgerPage {
  /** The items of this page. */
  items: BankTransferLedger[]
  /** Whether more follow. */
  has_more: boolean
}

/** The money that arrived for a charge by bank transfer. */
export interface BankTransferStatus {
  /** The id of the deposit that arrived last. */
  id: Uuid
  /** The charge that it belongs to. */
  charge_id: Uuid
  /** The arrived amount, compared with the amount of the charge. */
  payment_status: 'unpaid' | 'insufficient' | 'exact' | 'exceeded'
  /** The time when money last arrived. */
  latest_deposit_date: Instant
  /** The last amount that arrived, in the smallest unit of the currency. */
  latest_deposit_amount: number
  /** The amount that arrived and was not returned, in the smallest unit of the currency. */
  balance: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The amount to pay, in the smallest unit of the currency. */
  amount: number
  /** The balance less the amount: negative while money is missing. */
  amount_difference: number
  /** The metadata of the token. */
  token_metadata: Metadata
  /** The metadata of the charge. */
  charge_metadata: Metadata
  /** The creation time. */
  created_on: Instant
}

/** An event about the kind of resource `bank_transfer_status`. */
export type BankTransferStatusEvent = EventFields & {
  /** The name of the event. */
  event: 'bank_transfer_status_updated'
  /** The resource as it was at that moment. */
  data: BankTransferStatus
}

/** A transaction token of the payment type `bank_transfer`. */
export type BankTransferToken = TokenFields & {
  /** How the customer pays. */
  payment_type: 'bank_transfer'
  /** The customer's payment details. */
  data: BankTransferTokenData
}

/** The payment details that a token of the type `bank_transfer` shows. */
export interface BankTransferTokenData {
  /** The bank. */
  brand?: string | null
  /** The handling of a transfer of another amount; null: the store's setting. */
  match_amount?: MatchAmount | null
  /** The four-digit code of the bank; null until a charge waits for the transfer. */
  bank_code?: string | null
  /** The name of the bank; null until a charge waits for the transfer. */
  bank_name?: string | null
  /** The three-digit code of the branch; null until a charge waits for the transfer. */
  branch_code?: string | null
  /** The name of the branch; null until a charge waits for the transfer. */
  branch_name?: string | null
  /** The number of the virtual account; null until a charge waits for the transfer. */
  account_number?: string | null
  /** The account holder; null until a charge waits for the transfer. */
  account_holder_name?: string | null
  /** The id of the virtual account; null until a charge waits for the transfer. */
  account_id?: Uuid | null
  /** The period in which the account accepts transfers; null: the store's setting. */
  expiration_period?: string | null
  /** The time of day at which the account closes; null: to the minute. */
  expiration_time_shift?: string | null
}

/** The billing address of a card. */
export interface Billing {
  /** The first line of the billing address; null if not given. */
  line1: string | null
  /** The second line of the billing address; null if not given. */
  line2: string | null
  /** The state or prefecture; null if not given. */
  state: string | null
  /** The city; null if not given. */
  city: string | null
  /** The country, as an ISO-3166 code of two letters; null if not given. */
  country: string | null
  /** The postal code; null if not given. */
  zip: string | null
  /** The phone number of the customer; null if not given. */
  phone_number: Phone | null
}

/** How a page or an app of a brand is called. */
export type CallMethod = 'http_get' | 'http_get_mobile' | 'http_post' | 'sdk' | 'web' | 'app'

/** The cancellation of an awaiting or authorized charge. */
export interface Cancel {
  /** The id of the cancel. */
  id: Uuid
  /** The charge that is canceled. */
  charge_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** Whether the provider has released the money: `pending` until it has responded. */
  status: CancelStatus
  /** The reason for the failure; null without one. */
  error: PaymentError | null
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The mode it belongs to. */
  mode: Mode
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** An event about the kind of resource `cancel`. */
export type CancelEvent = EventFields & {
  /** The name of the event. */
  event: 'cancel_finished'
  /** The resource as it was at that moment. */
  data: Cancel
}

/** A page of a list. */
export interface CancelPage {
  /** The items of this page. */
  items: Cancel[]
  /** Whether more follow. */
  has_more: boolean
}

/** The status of a cancel. */
export type CancelStatus = 'pending' | 'successful' | 'failed' | 'error'

/** The captured amount of an authorized charge. */
export interface CaptureCharge {
  /** The amount to capture. Maximum and default: the authorized amount. The rest is released. */
  amount?: number | null
  /** The currency of the charge; not needed without `amount`. */
  currency?: string | null
}

/** The public fields of a card. */
export interface Card {
  /** The name on the card. */
  cardholder: string
  /** The month in which the card expires. */
  exp_month: number
  /** The year in which the card expires. */
  exp_year: number
  /** The first digits of the number, which identify the issuer. */
  card_bin: string
  /** The last four digits of the number. */
  last_four: string
  /** The card network. */
  brand: string
  /** `credit`, `debit` or `charge_card`; null where it is not known. */
  card_type: string | null
  /** The country of the issuer; null where it is not known. */
  country: string | null
  /** The product of the issuer; null where it is not known. */
  category: string | null
  /** The name of the issuer; null where it is not known. */
  issuer: string | null
  /** A brand within the card network; `none` without one. */
  sub_brand: string
}

/** Fees by card network. The operator sets them. */
export interface CardBrandPercentFees {
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  visa: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  american_express: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  mastercard: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  maestro: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  discover: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  jcb: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  diners_club: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  union_pay: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  private_label: number | null
}

/** The rule for requesting a stored card's security code again. */
export interface CardChargeCvvConfirmation {
  /** Whether a stored card needs its security code again. Default: false. */
  enabled: boolean | null
  /** From which amounts; empty: always. */
  threshold: Money[] | null
}

/** Which cards are accepted, and how. */
export interface CardConfiguration {
  /** Whether cards are accepted. Default: true. */
  enabled: boolean | null
  /** Whether debit cards are accepted. Default: true. */
  debit_enabled: boolean | null
  /** Whether prepaid cards are accepted. Default: true. */
  prepaid_enabled: boolean | null
  /** Whether debit cards can be authorized without capture. Default: true. */
  debit_authorization_enabled: boolean | null
  /** Whether prepaid cards can be authorized without capture. Default: true. */
  prepaid_authorization_enabled: boolean | null
  /** Whether cards of issuers in other countries are accepted. Default: true. */
  foreign_cards_allowed: boolean | null
  /** Whether a card is refused with another e-mail than it was first used with. Default: false. */
  fail_on_new_email: boolean | null
  /** Whether the security code may be absent. Default: false. */
  allow_empty_cvv: boolean | null
  /** Whether charges fail instead of being converted to another currency. Default: false. */
  only_direct_currency: boolean | null
  /** Whether every cardholder is authenticated. Default: false. */
  three_ds_required: boolean | null
  /** Whether cards need a billing address. Default: false. */
  three_ds_address_required: boolean | null
  /** Whether cards need a phone number. Default: false. */
  three_ds_phone_number_required: boolean | null
  /** Whether `three_ds_mode: skip` is allowed. Default: false. The operator sets it. */
  three_ds_skip_enabled: boolean | null
  /** Whether card tokens can be created with the secret, not only from pages. Default: true. */
  allow_direct_token_creation: boolean | null
  /** Card networks that are refused. */
  forbidden_card_brands: string[] | null
  /** Stored, no effect yet. */
  allowed_countries_by_ip: string[] | null
  /** The maximum amount of one card within a period; null: no limit. */
  card_limit: CardLimit | null
}

/** Payment by card. */
export interface CardInput {
  /** The name on the card. */
  cardholder: string
  /**
   * The number of the card, 12 to 19 digits, in half or full width; spaces and hyphens are
   * ignored.
   */
  card_number: string
  /** The month in which the card expires, 1 to 12. */
  exp_month: string | number
  /** The year in which the card expires, with two or four digits. */
  exp_year: string | number
  /**
   * The security code. Required unless the store allows it to be absent; it is deleted after its
   * first use.
   */
  cvv?: string | number | null
  /** The first line of the billing address. */
  line1?: string | null
  /** The second line of the billing address. */
  line2?: string | null
  /** The state or prefecture. */
  state?: string | null
  /** The city. */
  city?: string | null
  /** The country, as an ISO-3166 code of two letters. */
  country?: string | null
  /** The postal code. */
  zip?: string | null
  /** The phone number of the customer. */
  phone_number?: PhoneInput | null
  /** Checks the security code with the issuer before the first charge. */
  cvv_authorize?: CvvAuthorizeInput
  /** Authenticates the cardholder when the token is created. For recurring tokens. */
  three_ds?: TokenThreeDsInput
}

/** The maximum amount of one card within a period. */
export interface CardLimit {
  /** The amount in the smallest unit of the currency. */
  amount: number
  /** The currency, as an ISO-4217 code. */
  currency: string
  /** The time in which charges are added up, as an ISO-8601 duration. */
  duration: string
}

/** The plans that card companies offer. */
export interface CardProcessor {
  /** Whether revolving payments are offered. Default: true. */
  revolving: boolean | null
  /** Whether a fixed number of installments is offered. Default: true. */
  fixed_cycle: boolean | null
}

/** A transaction token of the payment type `card`. */
export type CardToken = TokenFields & {
  /** How the customer pays. */
  payment_type: 'card'
  /** The customer's payment details. */
  data: CardTokenData
}

/** The payment details that a token of the type `card` shows. */
export interface CardTokenData {
  /** The card. */
  card?: Card
  /** The billing address. */
  billing?: Billing
  /** The check of the security code when the token is created. */
  cvv_authorize?: CvvAuthorization
  /** The latest check of a security code that was sent later. */
  cvv_authorize_check?: CvvAuthorizationCheck
  /** The authentication of the token with 3-D Secure. */
  three_ds?: TokenThreeDs
}

/** The new token of a subscription. */
export interface ChangeSubscriptionToken {
  /** The `subscription` or `recurring` token that is charged from now on. */
  transaction_token_id: Uuid
}

/** The rotation of a webhook secret. */
export interface ChangeWebhookSecret {
  /** The signature of future deliveries. Default: unchanged. */
  type?: 'hmac' | 'ed25519'
  /** The time in which the previous secret signs too, at most a week. */
  overlap?: string
}

/** A payment: an amount that is collected with a transaction token. */
export interface Charge {
  /** The id of the charge. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The transaction token that is charged. */
  transaction_token_id: Uuid
  /** The type of its token. */
  transaction_token_type: TokenType
  /** The subscription that created it; null for a charge of its own. */
  subscription_id: Uuid | null
  /** Your own payment number; null if none was given. */
  merchant_transaction_id: string | null
  /** The requested amount, in the smallest unit of the requested currency. */
  requested_amount: number
  /** The currency of the request, as an ISO-4217 code. */
  requested_currency: string
  /** The requested amount in the major unit of its currency. */
  requested_amount_formatted: number
  /** The charged amount, in the smallest unit of its currency; null before the charge. */
  charged_amount: number | null
  /** The charged currency, which differs after a conversion; null before the charge. */
  charged_currency: string | null
  /** The charged amount in the major unit of its currency; null before the charge. */
  charged_amount_formatted: number | null
  /**
   * The fee of the operator, in the smallest unit of its currency; null until the charge succeeds.
   */
  fee_amount: number | null
  /** The currency of the fee; null without one. */
  fee_currency: string | null
  /** The fee in the major unit of its currency; null without one. */
  fee_amount_formatted: number | null
  /** Whether the charge fails instead of being converted to another currency. */
  only_direct_currency: boolean
  /**
   * The capture time of an authorized charge, or the customer's payment deadline; null if not
   * given.
   */
  capture_at: Instant | null
  /** The text for the statement of the cardholder; null without one. */
  descriptor: string | null
  /** The phone number for the statement of the cardholder; null without one. */
  descriptor_phone_number: string | null
  /**
   * The state of the charge. `pending` and `awaiting` change without a request; `authorized` waits
   * for a capture.
   */
  status: ChargeStatus
  /** The reason for the failure; null without one. */
  error: PaymentError | null
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The mode it belongs to. */
  mode: Mode
  /** A payment (`normal`), or the check of a security code that moves no money. */
  type: ChargeType
  /** The customer's destination after payment; null if not requested. */
  redirect: Redirect | null
  /** The 3-D Secure authentication; null if it does not apply. */
  three_ds: ThreeDs | null
  /** The creation time, in milliseconds since 1970. */
  created_on: number | string
  /** The time of the last change. */
  updated_on: Instant
}

/** The objects that a charge belongs to. */
export interface ChargeConnections {
  /** The customer; null until a payment of theirs has ended. */
  customer: ConnectedCustomer | null
  /** The payout with the money of the charge; null until there is one. */
  transfer: ConnectedTransfer | null
}

/** An event about the kind of resource `charge`. */
export type ChargeEvent = EventFields & {
  /** The name of the event. */
  event: 'charge_updated' | 'charge_finished'
  /** The resource as it was at that moment. */
  data: Charge
}

/** The payment deadline of a charge. */
export interface ChargeExpiry {
  /** The id of the expiry. */
  id: Uuid
  /** The charge that it belongs to. */
  charge_id: Uuid
  /** The payment deadline. */
  expiration_date: Instant
  /** The number of extensions: always 0. */
  extension_count: number
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** A charge in a list. */
export type ChargeItem = Charge & {
  /** The name of the merchant. */
  merchant_name: string
  /** The name of the store. */
  store_name: string
}

/** A page of a list. */
export interface ChargePage {
  /** The items of this page. */
  items: ChargeItem[]
  /** Whether more follow. */
  has_more: boolean
}

/**
 * The status of a charge. `awaiting` waits for the customer; `failed` was refused, `error` broke
 * down.
 */
export type ChargeStatus = 'pending' | 'awaiting' | 'authorized' | 'successful' | 'failed' | 'error' | 'canceled'

/** A payment, or the check of a security code. */
export type ChargeType = 'normal' | 'cvv_auth'

/** Card testing at a store: attempts were refused or challenged during one hour. */
export interface CheckoutAttack {
  /** The id of this record. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The mode it belongs to. */
  mode: Mode
  /** The time of the first refused or challenged attempt. */
  created_on: Instant
}

/** An event about the kind of resource `checkout_attack`. */
export type CheckoutAttackEvent = EventFields & {
  /** The name of the event. */
  event: 'checkout_attacked'
  /** The resource as it was at that moment. */
  data: CheckoutAttack
}

/** The colours of a checkout page. */
export interface CheckoutColors {
  /** The colour `main_background`. */
  main_background: string
  /** The colour `secondary_background`. */
  secondary_background: string
  /** The colour `main_color`. */
  main_color: string
  /** The colour `main_text`. */
  main_text: string
  /** The colour `primary_text`. */
  primary_text: string
  /** The colour `secondary_text`. */
  secondary_text: string
  /** The colour `base_text`. */
  base_text: string
  /** The colour `body_background`. */
  body_background: string
}

/** The look of the pages that customers see. */
export interface CheckoutConfiguration {
  /** Stored, no effect yet. */
  ec_email: EcEmail
  /** Stored, no effect yet. */
  ec_products: EcProducts
  /**
   * The color of buttons and links on the pages of customers, such as #1f5eff. Texts keep a
   * readable contrast with every color.
   */
  main_color: string | null
  /** The address for customers' questions. */
  contact_email: string | null
  /** The number that customers call. */
  contact_phone: string | null
  /** A page for questions of customers. */
  contact_url: string | null
  /** The disclosure by the Act on Specified Commercial Transactions (特定商取引法に基づく表記). */
  commercial_disclosure_url: string | null
  /** The privacy policy. */
  privacy_url: string | null
  /** The terms of sale. */
  terms_url: string | null
}

/** The payer. */
export interface CheckoutCustomer {
  /** The e-mail of the customer; null: the page asks for it. */
  email: string | null
  /** The UUID of the customer; null without one. */
  customer_id: Uuid | null
  /** The name that forms are filled with; null without one. */
  name: string | null
  /** The number that forms are filled with; or null. */
  phone: Phone | null
}

/** An event about the kind of resource `checkout`. */
export type CheckoutEvent = EventFields & {
  /** The name of the event. */
  event: 'checkout_completed' | 'checkout_expired'
  /** The resource as it was at that moment. */
  data: CheckoutSession
}

/** Facts about the store for a checkout page. Switches have their effective values. */
export interface CheckoutInfo {
  /** The mode of the application token. */
  mode: Mode
  /** The recurring tokens that can be created: none, only with a `usage_limit`, or all. */
  recurring_token_privilege: 'none' | 'bounded' | 'infinite'
  /** The name of the store. */
  name: string
  /** Which cards are accepted, and how. */
  card_configuration: CardConfiguration
  /** QR codes of customers. */
  qr_scan_configuration: QrScanConfiguration
  /** QR codes that the shop displays. */
  qr_merchant_configuration: QrMerchantConfiguration
  /** Payments at convenience stores. */
  convenience_configuration: ConvenienceConfiguration
  /** The wallet Paidy. */
  paidy_configuration: PaidyConfiguration
  /** Online brands. */
  online_configuration: OnlineConfiguration
  /** Bank transfers. */
  bank_transfer_configuration: BankTransferConfiguration
  /** Subscriptions. */
  subscription_configuration: SubscriptionConfiguration
  /** Plans that split a total into payments. */
  subscription_plan_configuration: SubscriptionPlanConfiguration
  /** Installments. */
  installments_configuration: InstallmentsConfiguration
  /** The look of the pages that customers see. */
  checkout_configuration: CheckoutConfiguration
  /** The rule for requesting a stored card's security code again. */
  recurring_card_charge_cvv_confirmation: CardChargeCvvConfirmation
  /** Always null. */
  paidy_public_key: string | null
  /** The URL of the logo of the store; null without one. */
  logo_image: string | null
  /** The appearance of the checkout page. */
  theme: CheckoutTheme
  /** Every brand that the store accepts. */
  supported_brands: SupportedBrand[]
}

/** A payment that a customer makes on a page of this service. */
export interface CheckoutSession {
  /** The id of the checkout session. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The mode it belongs to. */
  mode: Mode
  /** The page on which the customer pays: send them there. Null once the session has ended. */
  url: string | null
  /** The state. `completed`: paid, authorized or subscribed. */
  status: CheckoutStatus
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The items of the order. */
  line_items: LineItem[]
  /** The payer; null if unknown. */
  customer: CheckoutCustomer | null
  /** How the customer can pay. */
  payment_types: PaymentType[]
  /** The kind of token. */
  token_type: TokenType
  /** The billing plan of the subscription; null without one. */
  subscription: AnyObject | null
  /** Whether the money is taken immediately. */
  capture: boolean
  /** The 3-D Secure settings; null if not given. */
  three_ds: CheckoutThreeDs | null
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The language of the page; null: that of the browser. */
  locale: string | null
  /** The customer's destination after payment; null: none. */
  success_url: string | null
  /** The customer's destination without payment; null: none. */
  cancel_url: string | null
  /** Whether the charge fails instead of being converted; null: the store's setting. */
  only_direct_currency: boolean | null
  /** The text for the statement of the cardholder; null without one. */
  descriptor: string | null
  /** The capture time of an authorized charge; null if not given. */
  capture_at: Instant | null
  /** The customer's last choice; null before it. */
  payment_type: PaymentType | null
  /** The token of the last attempt; null before it. */
  transaction_token_id: Uuid | null
  /** The charge of the last attempt; null without one. */
  charge_id: Uuid | null
  /** The subscription of the last attempt; null without one. */
  subscription_id: Uuid | null
  /** The payment link that it belongs to; or null. */
  payment_link_id: Uuid | null
  /** The number of attempts to pay. */
  attempts: number
  /** Why the last attempt failed; null if it did not. */
  error: PaymentError | null
  /** The expiry time, unless a payment is in progress then. */
  expires_on: Instant
  /** The completion time; null before it. */
  completed_on: Instant | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** A page of a list. */
export interface CheckoutSessionPage {
  /** The items of this page. */
  items: CheckoutSession[]
  /** Whether more follow. */
  has_more: boolean
}

/**
 * The status of a checkout session. `processing`: a payment is in progress, or the customer pays
 * elsewhere. If the payment fails, the session is `open` again.
 */
export type CheckoutStatus = 'open' | 'processing' | 'completed' | 'expired' | 'canceled'

/** The appearance of the checkout page. */
export interface CheckoutTheme {
  /** Its colours, each as a hexadecimal code. */
  colors: CheckoutColors
}

/** The 3-D Secure settings. */
export interface CheckoutThreeDs {
  /** The 3-D Secure mode. */
  mode: string
}

/** The action of a waiting test charge's customer. */
export interface CompleteTestCharge {
  /**
   * The customer's action: pay (`successful`), decline (`failed`), or nothing in time (`expired`).
   */
  outcome: 'successful' | 'failed' | 'expired'
}

/** The bank's decision about a test dispute. */
export interface CompleteTestDispute {
  /** How the bank decides. */
  outcome: 'won' | 'lost'
}

/** The code with which a customer confirms a token. */
export interface ConfirmToken {
  /** The code from the mail to the customer. */
  confirmation_code: string
}

/** The customer of a payment or a subscription. */
export interface ConnectedCustomer {
  /** The key of the customer. */
  id: Uuid
  /** The name of the customer; null where it is not known. */
  name: string | null
  /** The e-mail of the customer; null without one. */
  email: string | null
}

/** The payout that a payment is part of. */
export interface ConnectedTransfer {
  /** The id of the transfer. */
  id: Uuid
  /** The status of the transfer. */
  status: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled'
  /** The end of the period that it pays out. */
  to: Instant
}

/** The address of a company. */
export interface ContactInfo {
  /** The name of the person to contact. */
  name: string
  /** The name of the company. */
  company_name: string
  /** The phone number of the company. */
  phone_number: VerificationPhone
  /** The first line of the address. */
  line1: string
  /** The second line of the address. */
  line2?: string | null
  /** The city. */
  city: string
  /** The state or prefecture. */
  state: string
  /** The country, as an ISO-3166 code of two letters. */
  country: string
  /** The postal code. */
  zip: string
}

/** Payments at convenience stores. */
export interface ConvenienceConfiguration {
  /** Whether customers can pay at convenience stores. Default: true. */
  enabled: boolean | null
  /** How long customers can pay. Default: 30 days. As an ISO-8601 duration. */
  expiration: string | null
  /** The time of day at which payments expire. */
  expiration_time_shift: ExpirationTimeShift
}

/** An amount, and the currency it is wanted in. */
export interface ConvertAmount {
  /** The amount to convert, in the smallest unit of its currency. */
  amount: number
  /** The currency to convert from. */
  currency: string
  /** The currency to convert to. */
  to: string
}

/** An amount in the requested currency. */
export interface ConvertedAmount {
  /** The converted amount, in the smallest unit of its currency. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
}

/** Between which amounts customers choose. */
export interface CreateAmountChoice {
  /** The least that a customer can pay. */
  min: number
  /** The most that a customer can pay. */
  max: number
  /** The amount that the page suggests. */
  suggested?: number | null
}

/** A new application token of the merchant. */
export interface CreateAppToken {
  /** `merchant` is the only value and the default. */
  roles?: ('merchant')[]
  /** A name of your own, such as the program that uses the token; 1 to 255 characters. */
  name?: string | null
}

/** A new transaction token of the payment type `apple_pay`. */
export type CreateApplePayToken = CreateTokenFields & {
  /** How the customer pays. */
  payment_type: 'apple_pay'
  /** The customer's payment details. */
  data: ApplePayInput
}

/** A new bank account. */
export interface CreateBankAccount {
  /** The name of the account holder. */
  holder_name: string
  /** The name of the bank. */
  bank_name: string
  /** The name of the branch; null without one. */
  branch_name?: string | null
  /** The address of the bank; null without one. */
  bank_address?: string | null
  /**
   * The routing number of the bank, where the country has one; otherwise null. In Japan the codes
   * of bank and branch, such as `0001-001`.
   */
  routing_number?: string | null
  /** The SWIFT code (BIC) of the bank; null without one. */
  swift_code?: string | null
  /** The IFSC code of the branch, in India; otherwise null. */
  ifsc_code?: string | null
  /** Another code of the bank, where the country has one; otherwise null. */
  routing_code?: string | null
  /** Whether it is a checking or a savings account. */
  account_type?: 'checking' | 'savings'
  /** Whether payouts go to this account. A merchant has one primary account. */
  primary?: boolean
  /** The country of the bank, as an ISO-3166 code of two letters. */
  country: string
  /** The currency of the account, as an ISO-4217 code. */
  currency: string
  /** The number of the account. It is stored encrypted. */
  account_number: string
}

/** A new transaction token of the payment type `bank_transfer`. */
export type CreateBankTransferToken = CreateTokenFields & {
  /** How the customer pays. */
  payment_type: 'bank_transfer'
  /** The customer's payment details. */
  data: BankTransferInput
}

/** A new cancel of a charge. */
export interface CreateCancel {
  /** Keys and values of your own to store with it. */
  metadata?: Metadata | null
}

/** A new transaction token of the payment type `card`. */
export type CreateCardToken = CreateTokenFields & {
  /** How the customer pays. */
  payment_type: 'card'
  /** The customer's payment details. */
  data: CardInput
}

/** A new charge. */
export interface CreateCharge {
  /** The token that is charged, `one_time` or `recurring`. */
  transaction_token_id: Uuid
  /** The amount to charge, in the smallest unit of the currency: 1 to 999,999,999,999. */
  amount: number
  /** The currency, as an ISO-4217 code in any case. */
  currency: string
  /**
   * Whether the charge fails when no provider takes its currency, instead of being converted.
   * Default: false.
   */
  only_direct_currency?: boolean | null
  /**
   * Whether the money is taken immediately. `false` only authorizes it, for seven days; cards
   * only. Default: true.
   */
  capture?: boolean | null
  /**
   * Card with `capture: false`: when to capture, 1 hour to 7 days ahead. Convenience store and
   * bank transfer: until when the customer can pay.
   */
  capture_at?: string | null
  /** Your own payment number, unique. For `we_chat`, `we_chat_mpm` and `we_chat_online` only. */
  merchant_transaction_id?: string | null
  /** Keys and values of your own to store with it. */
  metadata?: Metadata | null
  /**
   * The customer's destination after payment. For `alipay_online`, `alipay_plus_online` and
   * `pay_pay_online`.
   */
  redirect?: CreateRedirect | null
  /** The cardholder's destination after a 3-D Secure challenge. */
  redirect_three_ds?: CreateRedirect | null
  /**
   * The 3-D Secure mode. `normal`, the default, skips authentication if the token was
   * authenticated; `skip` must be enabled.
   */
  three_ds_mode?: 'normal' | 'require' | 'force' | 'skip' | 'if_available' | 'provided' | null
  /**
   * The same as `three_ds_mode` and `redirect_three_ds` in one object, or the result of an
   * authentication.
   */
  three_ds?: CreateChargeThreeDs | null
  /** A text for the statement of the cardholder. For cards and Apple Pay only. */
  descriptor?: string | null
  /** A phone number for the statement of the cardholder. For cards and Apple Pay only. */
  descriptor_phone_number?: string | null
  /** Whether a descriptor is left out, not refused, where the payment type has none. */
  ignore_descriptor_on_error?: boolean | null
  /** Data of the client that created the charge. It is accepted and not stored. */
  client_metadata?: AnyObject | null
}

/** The 3-D Secure mode, or the result of an authentication done elsewhere. */
export interface CreateChargeThreeDs {
  /** The same as `three_ds_mode` of a charge. */
  mode?: 'normal' | 'require' | 'force' | 'skip' | 'if_available' | 'provided' | null
  /** The cardholder's destination after a challenge. */
  redirect_endpoint?: string | null
  /** With `provided`: the cryptogram of the authentication (CAVV). */
  authentication_value?: string | null
  /** With `provided`: the electronic commerce indicator. */
  eci?: string | null
  /** With `provided`: the transaction id of the directory server. */
  ds_transaction_id?: string | null
  /** With `provided`: the transaction id of the 3-D Secure server. */
  server_transaction_id?: string | null
  /** With `provided`: the version of 3-D Secure, such as `2.2.0`. */
  message_version?: string | null
  /** With `provided`: the result of the authentication, such as `Y`. */
  transaction_status?: string | null
}

/** The payer. */
export interface CreateCheckoutCustomer {
  /** The customer's e-mail. If absent, the page asks for it. */
  email?: string | null
  /**
   * The UUID of the customer. The page offers the customer's stored cards, and stores the UUID in
   * tokens as `svc-customer-id`.
   */
  customer_id?: Uuid | null
  /** The name that forms are filled with. */
  name?: string | null
  /** The number that forms are filled with. */
  phone?: PhoneInput | null
}

/** A new checkout session. The customer's browser cannot change it. */
export interface CreateCheckoutSession {
  /**
   * The amount, in the smallest unit of the currency; for a subscription, the amount of each
   * cycle.
   */
  amount: number
  /** The currency, as an ISO-4217 code in any case. */
  currency: string
  /** The items of the order. If given, they must sum to the amount. */
  line_items?: CreateLineItem[] | null
  /** The payer. */
  customer?: CreateCheckoutCustomer | null
  /**
   * With `capture: false`: when to capture, at least an hour after the session expires and at most
   * 7 days ahead.
   */
  capture_at?: string | null
  /**
   * The payment methods, in the order in which the page shows them. Default: all that the store
   * accepts, those that its customers use most first; `qr_scan` is for tills and has to be named.
   */
  payment_types?: ('card' | 'apple_pay' | 'qr_scan' | 'qr_merchant' | 'konbini' | 'paidy' | 'online' | 'bank_transfer')[] | null
  /**
   * The kind of token: `recurring` stores the details for later charges, `subscription` begins a
   * subscription. Default: `one_time`.
   */
  token_type?: 'one_time' | 'recurring' | 'subscription' | null
  /** The billing plan of the subscription. Required with `subscription`. */
  subscription?: SubscriptionTerms | null
  /**
   * Whether the money is taken immediately. `false` only authorizes it; cards only. Default: true.
   */
  capture?: boolean | null
  /** The 3-D Secure settings. */
  three_ds?: CreateCheckoutThreeDs | null
  /** Keys and values of your own to store with it. */
  metadata?: Metadata | null
  /**
   * The language of the page. Default: that of the browser. The customer can choose another one.
   */
  locale?: 'en' | 'ja' | 'zh-Hans' | 'zh-Hant' | 'ko' | null
  /** The page after payment; {CHECKOUT_SESSION_ID} is replaced with the id. */
  success_url?: string | null
  /** The page after cancellation; {CHECKOUT_SESSION_ID} is replaced with the id. */
  cancel_url?: string | null
  /** Whether the charge fails when no provider takes its currency, instead of being converted. */
  only_direct_currency?: boolean | null
  /** A text for the statement of the cardholder. Payments by other means have none. */
  descriptor?: string | null
  /**
   * The last time at which the customer can start to pay: 5 minutes to 7 days ahead. Default: 24
   * hours.
   */
  expires_on?: string | null
}

/** The 3-D Secure settings. */
export interface CreateCheckoutThreeDs {
  /** The 3-D Secure mode, as `three_ds_mode` of a charge. */
  mode: 'normal' | 'require' | 'force' | 'skip' | 'if_available'
}

/** A customer by your own id. */
export interface CreateCustomerId {
  /** The id that you use for the customer, at most 64 characters. */
  customer_id: string
}

/** A declaration of a charge to customs. */
export interface CreateCustomsDeclaration {
  /** The declared values. Their fields may also be at the top level of the body. */
  declaration: CustomsDeclarationInput
}

/** A new file of the evidence. */
export interface CreateDisputeFile {
  /** The name of the file, at most 100 characters. */
  name: string
  /** The type of the file; the first bytes of the content must match it. */
  content_type: "application/pdf" | "image/png" | "image/jpeg" | "text/plain"
  /** The content as Base64, at most 5 MB before that. */
  content: string
}

/** One charge that the card company splits. */
export interface CreateInstallmentPlan {
  /** Revolving payments, or a fixed number of installments. The card company splits the amount. */
  plan_type: 'revolving' | 'fixed_cycles'
  /** The number of installments. Required with `fixed_cycles`. */
  fixed_cycles?: number | null
}

/** A new transaction token of the payment type `konbini`. */
export type CreateKonbiniToken = CreateTokenFields & {
  /** How the customer pays. */
  payment_type: 'konbini'
  /** The customer's payment details. */
  data: KonbiniInput
}

/** Something that the customer buys. */
export interface CreateLineItem {
  /** The items of the order. */
  name: string
  /** The number of units. */
  quantity: number
  /** The price of one, in the smallest unit of the currency. */
  amount: number
  /** More about it. */
  description?: string | null
  /** A picture of the item, as an https address. */
  image_url?: string | null
}

/** A new transaction token of the payment type `online`. */
export type CreateOnlineToken = CreateTokenFields & {
  /** How the customer pays. */
  payment_type: 'online'
  /** The customer's payment details. */
  data: OnlineInput
}

/** A new transaction token of the payment type `paidy`. */
export type CreatePaidyToken = CreateTokenFields & {
  /** How the customer pays. */
  payment_type: 'paidy'
  /** The customer's payment details. */
  data: PaidyInput
}

/** A new payment link. */
export interface CreatePaymentLink {
  /** The description that customers read on the page. */
  name: string
  /** The maximum number of payments. Default: no limit. */
  max_uses?: number | null
  /** Whether it can be paid at. Default: true. */
  active?: boolean | null
  /** The last time at which customers can start to pay. Default: no limit. */
  expires_on?: string | null
  /** The amount, in the smallest unit of the currency. Send either this or `amount_choice`. */
  amount?: number | null
  /** Lets customers choose the amount. */
  amount_choice?: CreateAmountChoice | null
  /** The currency, as an ISO-4217 code in any case. */
  currency: string
  /**
   * The payment methods, in the order in which the page shows them. Default: all that the store
   * accepts, those that its customers use most first; `qr_scan` is for tills and has to be named.
   */
  payment_types?: ('card' | 'apple_pay' | 'qr_scan' | 'qr_merchant' | 'konbini' | 'paidy' | 'online' | 'bank_transfer')[] | null
  /**
   * The kind of token: `recurring` stores the details for later charges, `subscription` begins a
   * subscription. Default: `one_time`.
   */
  token_type?: 'one_time' | 'recurring' | 'subscription' | null
  /** The billing plan of the subscription. Required with `subscription`. */
  subscription?: SubscriptionTerms | null
  /**
   * Whether the money is taken immediately. `false` only authorizes it; cards only. Default: true.
   */
  capture?: boolean | null
  /** The 3-D Secure settings. */
  three_ds?: CreateCheckoutThreeDs | null
  /** Keys and values of your own to store with it. */
  metadata?: Metadata | null
  /**
   * The language of the page. Default: that of the browser. The customer can choose another one.
   */
  locale?: 'en' | 'ja' | 'zh-Hans' | 'zh-Hant' | 'ko' | null
  /** The page after payment; {CHECKOUT_SESSION_ID} is replaced with the id. */
  success_url?: string | null
  /** The page after cancellation; {CHECKOUT_SESSION_ID} is replaced with the id. */
  cancel_url?: string | null
  /** Whether the charge fails when no provider takes its currency, instead of being converted. */
  only_direct_currency?: boolean | null
  /** A text for the statement of the cardholder. Payments by other means have none. */
  descriptor?: string | null
}

/** A new transaction token of the payment type `qr_merchant`. */
export type CreateQrMerchantToken = CreateTokenFields & {
  /** How the customer pays. */
  payment_type: 'qr_merchant'
  /** The customer's payment details. */
  data: QrMerchantInput
}

/** A new transaction token of the payment type `qr_scan`. */
export type CreateQrScanToken = CreateTokenFields & {
  /** How the customer pays. */
  payment_type: 'qr_scan'
  /** The customer's payment details. */
  data: QrScanInput
}

/** The customer's destination afterwards. */
export interface CreateRedirect {
  /** The customer's destination; its query gets the metadata, `svcChargeId` and `svcTokenId`. */
  endpoint?: string | null
}

/** A new refund of a charge. */
export interface CreateRefund {
  /**
   * The amount to refund, in the smallest unit of the currency. Maximum: the charged amount minus
   * earlier refunds.
   */
  amount: number
  /** The currency of the charge. */
  currency: string
  /** Why the money is returned. */
  reason?: 'fraud' | 'duplicate' | 'customer_request' | null
  /** A note about the refund, at most 1,000 characters. */
  message?: string | null
  /** Keys and values of your own to store with it. */
  metadata?: Metadata | null
}

/** Which events are sent to a webhook again. */
export interface CreateReplay {
  /** Only events from this time on. */
  from?: string
  /** Only events before this time. */
  to?: string
  /** Only events with these names. Default: the triggers of the webhook. */
  triggers?: Trigger[]
  /** Only events about this resource. */
  resource_id?: Uuid
  /**
   * All events; `not_delivered` events, which were never sent or failed; or only those that
   * `failed`.
   */
  which?: 'all' | 'not_delivered' | 'failed'
  /** Test delivery: each is sent once to this URL. Events of test mode only. */
  url?: string
  /** Whether to only count: nothing is sent. */
  preview?: boolean
}

/** The billing schedule of a subscription. */
export interface CreateScheduleSettings {
  /** The day of the first payment. Default: immediately. */
  start_on?: string | null
  /** The time zone of the days; payments are charged at 09:00 there. Default: Asia/Tokyo. */
  zone_id?: string | null
  /** Whether a start on the last day of a month means the last day of every month. */
  preserve_end_of_month?: boolean | null
  /**
   * The effective time of a suspension or cancellation: `immediate` (the default), or before the
   * next payment.
   */
  termination_mode?: 'immediate' | 'on_next_payment' | null
  /** The delay before a failed payment is retried: at least a day, and less than the cycle. */
  retry_interval?: string | null
}

/** A new store. */
export interface CreateStore {
  /** The name of the store, 1 to 255 characters. */
  name: string
  /** Keys and values of your own to store with it. */
  metadata?: Metadata
  /** Settings of the store; absent ones are inherited from the merchant. */
  configuration?: UpdateStoreConfiguration
}

/** A new application token of a store. */
export interface CreateStoreAppToken {
  /** The mode whose payments it creates and reads. `live` needs a verified merchant. */
  mode?: 'test' | 'live'
  /**
   * Domains of pages that may use the JWT without the secret, at most 50. `*` stands for a part.
   */
  domains?: string[]
  /** A name of your own, such as the program that uses the token; 1 to 255 characters. */
  name?: string | null
}

/** A new subscription. */
export interface CreateSubscription {
  /** The token that is charged: of type `subscription` or `recurring`. */
  transaction_token_id: Uuid
  /** The amount of each cycle, or the total with a plan, in the smallest unit of the currency. */
  amount: number
  /** The currency, as an ISO-4217 code in any case. */
  currency: string
  /** The amount of the first payment, if it is another one; it is always paid immediately. */
  initial_amount?: number | null
  /** The billing cycle. Either this or `cyclical_period`. */
  period?: 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'bimonthly' | 'quarterly' | 'semiannually' | 'annually' | null
  /** The billing cycle as an ISO-8601 duration of whole days, weeks, months or years. */
  cyclical_period?: string | null
  /** The billing schedule. */
  schedule_settings?: CreateScheduleSettings | null
  /**
   * One charge that the card company splits into installments. Cannot be combined with
   * `subscription_plan`.
   */
  installment_plan?: CreateInstallmentPlan | null
  /** Splits the total into parts. Cannot be combined with `installment_plan`. */
  subscription_plan?: CreateSubscriptionPlan | null
  /** Whether the first payment is only authorized. Default: false. */
  first_charge_authorization_only?: boolean | null
  /** The time between authorization and capture of the first payment. */
  first_charge_capture_after?: string | null
  /**
   * Whether charges fail when no provider takes the currency, instead of being converted. Default:
   * false.
   */
  only_direct_currency?: boolean | null
  /** A text for the statement of the cardholder. */
  descriptor?: string | null
  /** The 3-D Secure settings of the first payment. */
  three_ds?: CreateChargeThreeDs | null
  /** Keys and values of your own to store with it. */
  metadata?: Metadata | null
}

/** Several subscriptions to create. */
export interface CreateSubscriptionBatch {
  /** 1 to 100 bodies of POST /subscriptions. */
  subscriptions: CreateSubscription[]
  /** Added to the metadata of the first charge of each subscription. */
  initial_charge_metadata?: Metadata | null
  /** Not supported: create charges with POST /charges. */
  charges?: AnyObject[] | null
}

/** A total that is paid in parts. */
export interface CreateSubscriptionPlan {
  /** Whether the number of payments is fixed, or the amount of each. */
  plan_type: 'fixed_cycles' | 'fixed_cycle_amount'
  /** The number of payments. Required with `fixed_cycles`. */
  fixed_cycles?: number | null
  /** The amount of each payment. Required with `fixed_cycle_amount`. */
  fixed_cycle_amount?: number | null
}

/** Money that arrives for a test charge. */
export interface CreateTestDeposit {
  /** The arriving amount, in the smallest unit of the charge's currency. */
  amount: number
  /** The name of the payer. `RETURN FAILS` makes a return of the money fail. */
  name?: string | null
}

/** A dispute of a test charge. */
export interface CreateTestDispute {
  /** The disputed amount. Maximum and default: the remaining amount of the charge. */
  amount?: number | null
  /** Why. Default: `fraudulent`. */
  reason?: 'fraudulent' | 'unrecognized' | 'duplicate' | 'product_not_received' | 'product_unacceptable' | 'subscription_canceled' | 'credit_not_processed' | 'general'
}

/** A new transaction token. `payment_type` says what is in `data`. */
export type CreateToken = CreateCardToken | CreateApplePayToken | CreateQrScanToken | CreateQrMerchantToken | CreateKonbiniToken | CreatePaidyToken | CreateOnlineToken | CreateBankTransferToken

/** A new alias of a transaction token. */
export interface CreateTokenAlias {
  /** The token to create an alias for. */
  transaction_token_id: Uuid
  /** The amount of the planned payment, for the program that reads the alias. Needs `currency`. */
  amount?: number | null
  /** The currency of the planned payment. Needs `amount`. */
  currency?: string | null
  /** Keys and values of your own to store with the alias. */
  metadata?: Metadata | null
  /** The alias's expiry, at most 24 hours ahead. Default: 15 minutes from now. */
  valid_until?: string | null
}

/** The common fields of new transaction tokens. */
export interface CreateTokenFields {
  /** The kind of token. Default: `one_time`, or `subscription` when `subscription` is true. */
  type?: 'one_time' | 'subscription' | 'recurring' | null
  /**
   * How often a recurring token can be charged: a number up to 9999, or once `daily`, `weekly`,
   * `monthly` or `annually`. Default: no limit.
   */
  usage_limit?: string | null
  /** The e-mail of the customer. Required except for `online`. */
  email?: string | null
  /** The IPv4 address of the customer. Required for `we_chat_online` with `web` or `http_get`. */
  ip_address?: string | null
  /** Keys and values of your own to store with it. */
  metadata?: Metadata | null
  /** Whether it is for a subscription: the same as the type `subscription`. Default: false. */
  subscription?: boolean
  /** Whether the customer confirms the token with a code from a mail before it can be charged. */
  use_confirmation?: boolean | null
}

/** The facts about a merchant that an operator checks before allowing live mode. */
export interface CreateVerification {
  /** The homepage of the company. */
  homepage_url: string
  /** The company's business, at most 2,000 characters. */
  company_description: string
  /** The address of the company. */
  company_contact_info: ContactInfo
  /** The kind of business. */
  business_type: string
  /** The name of the system manager; null if not given. */
  system_manager_name?: string | null
  /** The phone number of the system manager; null if not given. */
  system_manager_number?: VerificationPhone | null
  /** The e-mail of the system manager; null if not given. */
  system_manager_email?: string | null
  /** The e-mail for customers; null if not given. */
  customer_contact_email?: string | null
  /** The phone number for customers; null if not given. */
  customer_contact_number?: VerificationPhone | null
  /**
   * The recurring tokens that the merchant wants to create: none, only with a `usage_limit`, or
   * all.
   */
  recurring_token_request?: 'none' | 'bounded' | 'infinite' | null
  /** The reason for this request; null if not given. */
  recurring_token_request_reason?: string | null
  /**
   * Whether the merchant wants to create card tokens without a security code; null if not given.
   */
  allow_empty_cvv?: boolean | null
}

/** A new webhook. */
export interface CreateWebhook {
  /** The URL that receives events. */
  url: string
  /** The names of the events that are sent. */
  triggers: Trigger[]
  /**
   * Sent in the `Authorization` header of each delivery, after `Bearer` unless it names a scheme.
   */
  auth_token?: string | null
  /** Whether events are sent. */
  active?: boolean
}

/** Lines of a CSV file, the first with the names. */
export type CsvFile = string

/** A customer of the merchant, known by an id of the merchant or by the e-mail. */
export interface Customer {
  /** The key of the customer. Everybody with one e-mail is one customer. */
  id: Uuid
  /** The mode it belongs to. */
  mode: Mode
  /**
   * The first id under `svc-customer-id` of their tokens; null for a customer known by the e-mail.
   */
  customer_id: Uuid | null
  /** The e-mail of the first payment; null without one. */
  email: string | null
  /** The name of the first payment; null without one. */
  name: string | null
  /** The end of the customer's first payment. */
  created_on: Instant
}

/** A customer, with totals and payment methods. */
export type CustomerDetails = Customer & {
  /** Every id under `svc-customer-id` that came with the e-mail, at most 100. */
  customer_ids: Uuid[]
  /** The amounts the customer has paid, by currency, of the newest 10,000 charges. */
  totals: CustomerTotal[]
  /** The newest recurring and subscription tokens, at most 100. */
  tokens: CustomerToken[]
  /** The newest subscriptions, at most 20. */
  subscriptions: CustomerSubscription[]
  /** The newest disputes, at most 20. */
  disputes: CustomerDispute[]
}

/** A dispute of a customer. */
export interface CustomerDispute {
  /** The id of the dispute. */
  id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The charge that it belongs to. */
  charge_id: Uuid
  /** The status of the dispute. */
  status: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted'
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The creation time. */
  created_on: Instant
}

/** The UUID of a customer, for the metadata key `svc-customer-id`. */
export interface CustomerId {
  /** A UUID for the customer, always the same for the same id and store. */
  customer_id: Uuid
}

/** Stored, no effect yet. */
export interface CustomerManagementConfiguration {
  /** Stored, no effect yet. */
  enabled: boolean | null
  /** Stored, no effect yet. */
  default_roles: string[] | null
  /** Stored, no effect yet. */
  default_mode: string | null
}

/** A page of a list. */
export interface CustomerPage {
  /** The items of this page. */
  items: Customer[]
  /** Whether more follow. */
  has_more: boolean
}

/** A subscription of a customer. */
export interface CustomerSubscription {
  /** The id of the subscription. */
  id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The status of the subscription. */
  status: 'unverified' | 'unconfirmed' | 'authorized' | 'current' | 'unpaid' | 'suspended' | 'canceled' | 'completed'
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The creation time. */
  created_on: Instant
}

/** A payment method of a customer, masked. */
export interface CustomerToken {
  /** The id of the transaction token. */
  id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** How the customer pays. */
  payment_type: PaymentType
  /** The kind of token. */
  type: TokenType
  /** Whether it can be charged. */
  active: boolean
  /** The brand; null where it is not known. */
  brand: string | null
  /** The last four digits of a card; otherwise null. */
  last_four: string | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last charge; null before it. */
  last_used_on: Instant | null
}

/** The amount that a customer has paid in a currency. */
export interface CustomerTotal {
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The number of successful charges. */
  successful: number
  /** The number of charges that failed. */
  failed: number
  /** The charged amount, in the smallest unit of the currency. */
  amount: number
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The refunded part. */
  refunded_amount: number
  /** When the first successful charge was created; null without one. */
  first_on: Instant | null
  /** When the last successful charge was created; null without one. */
  last_on: Instant | null
}

/** An attempt of a customs declaration that has ended. */
export interface CustomsAttempt {
  /** The id of the attempt. */
  id: Uuid
  /** The declared values, without the customer. */
  declaration: CustomsAttemptData
  /** The response of customs. */
  declaration_result: CustomsResult
  /** How the attempt ended. */
  status: CustomsDeclarationStatus
  /** The reason for the failure; null without one. */
  error: PaymentError | null
  /** The start time, with zone offset. */
  created_on: string
  /** The end time, with zone offset. */
  finished_on: string
}

/** The declared values, without the customer. */
export interface CustomsAttemptData {
  /** The customs office. */
  customs: string
  /** Your number at the customs office. */
  merchant_customs_no: string
}

/** A page of a list. */
export interface CustomsAttemptPage {
  /** The items of this page. */
  items: CustomsAttempt[]
  /** Whether more follow. */
  has_more: boolean
}

/** The declaration of a charge to customs. */
export interface CustomsDeclaration {
  /** The id of the customs declaration. */
  id: Uuid
  /** The charge that is declared. */
  charge_id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The mode it belongs to. */
  mode: Mode
  /** The brand of the charge: `we_chat_online`. */
  gateway: string
  /** The declared values. */
  declaration: CustomsDeclarationData
  /** The response of customs; empty while the declaration is pending. */
  declaration_result: CustomsResult
  /** The state at customs: `pending` until they respond. */
  status: CustomsDeclarationStatus
  /** The reason for the failure; null without one. */
  error: PaymentError | null
  /** The creation time, with zone offset. */
  created_on: string
  /** The time of the last change, with zone offset. */
  updated_on: string
}

/** Changes to a declaration. */
export interface CustomsDeclarationChange {
  /** Your number at the customs office. */
  merchant_customs_no?: string
  /** The number on the certificate of the customer. It is stored encrypted. */
  certificate_id?: string
  /** The name on the certificate of the customer. It is stored encrypted. */
  certificate_name?: string
  /** The customs office. It cannot change. */
  customs?: string
}

/** The declared values. */
export interface CustomsDeclarationData {
  /** The customs office. */
  customs: string
  /** Your number at the customs office. */
  merchant_customs_no: string
  /** The number on the certificate of the customer; `****` in events. */
  certificate_id: string
  /** The name on the certificate of the customer; `****` in events. */
  certificate_name: string
}

/** An event about the kind of resource `customs_declaration`. */
export type CustomsDeclarationEvent = EventFields & {
  /** The name of the event. */
  event: 'customs_declaration_finished'
  /** The resource as it was at that moment. */
  data: CustomsDeclaration
}

/** The declared values. */
export interface CustomsDeclarationInput {
  /** The customs office. */
  customs: 'GUANGZHOU_ZS' | 'GUANGZHOU_HP_GJ' | 'GUANGZHOU_NS_GJ' | 'HANGZHOU_ZS' | 'NINGBO' | 'ZHENGZHOU_BS' | 'CHONGQING' | 'SHANGHAI_ZS' | 'SHENZHEN' | 'ZHENGZHOU_ZH_ZS' | 'TIANJIN'
  /** Your number at the customs office. */
  merchant_customs_no: string
  /** The number on the certificate of the customer. It is stored encrypted. */
  certificate_id: string
  /** The name on the certificate of the customer. It is stored encrypted. */
  certificate_name: string
}

/** A page of a list. */
export interface CustomsDeclarationPage {
  /** The items of this page. */
  items: CustomsDeclaration[]
  /** Whether more follow. */
  has_more: boolean
}

/** The status of a customs declaration. */
export type CustomsDeclarationStatus = 'pending' | 'successful' | 'failed' | 'error'

/** The response of customs, in the words of the brand; empty before it. */
export type CustomsResult = Record<string, string>

/** The check of the security code when a token is created. */
export interface CvvAuthorization {
  /** Whether the security code is checked before the first charge. */
  enabled: boolean
  /** The result: `pending`, `current` when it is right, or `failed`; null without a check. */
  status: string | null
  /** The currency of the check; null without one. */
  currency: string | null
  /** The charge that did the check; null if there was none. */
  charge_id: Uuid | null
  /** Always null. */
  credentials_id: Uuid | null
}

/** The latest check of a security code that was sent later. */
export interface CvvAuthorizationCheck {
  /** The result: `pending`, `current` when it is right, or `failed`; null without a check. */
  status: string | null
  /** The charge that did the check; null if there was none. */
  charge_id: Uuid | null
  /** The time of the call; null if there was none. */
  date: string | null
}

/** A check of the security code. */
export interface CvvAuthorizeInput {
  /** Whether the security code is checked. Default: false. */
  enabled?: boolean
  /** The currency of the check, which moves no money. */
  currency?: string | null
}

/** An event, and its delivery to a webhook. */
export interface Delivery {
  /** The id of the event. */
  id: Uuid
  /** The webhook that it is sent to. */
  webhook_id: Uuid
  /** The name of the event. */
  event: string
  /** The resource as it was when the event happened. */
  data: unknown
  /** The resource that the event is about. */
  resource_id: Uuid
  /** The number of the event among those of its resource, from 1. */
  sequence: number
  /** The mode it belongs to. */
  mode: Mode
  /**
   * The state: `waiting` for the next attempt, `delivered`, or `failed` after the last attempt.
   */
  status: 'waiting' | 'delivered' | 'failed'
  /** Whether it arrived. */
  successful: boolean
  /** The time of the last attempt; null before it. */
  fired_on: Instant | null
  /** The time of the next attempt; null if there is none. */
  next_attempt_on: Instant | null
  /** The error of the last attempt; null if there was none. */
  error_message: string | null
  /** Every attempt, the oldest first. */
  attempts: DeliveryAttempt[]
  /** The time of the event. */
  created_on: Instant
}

/** An attempt to deliver an event. */
export interface DeliveryAttempt {
  /** The sending time. */
  fired_on: Instant
  /** How long it took, in milliseconds. */
  duration_ms: number
  /** The HTTP status of the response; null when there was none. */
  status: number | null
  /** The reason for a missing response; null with a response. */
  error: string | null
  /** The beginning of an unsuccessful response; otherwise null. */
  answer: string | null
}

/** A page of a list. */
export interface DeliveryPage {
  /** The items of this page. */
  items: Delivery[]
  /** Whether more follow. */
  has_more: boolean
}

/** Money that arrived for a charge, or is expected. */
export interface Deposit {
  /** The id of the deposit; of an expected one, that of its charge. */
  id: Uuid
  /** The charge that it belongs to. */
  charge_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The mode it belongs to. */
  mode: Mode
  /** How the customer pays. */
  payment_type: PaymentType
  /**
   * The state: expected, held in suspense, applied to its charge, being returned, returned, or not
   * returnable.
   */
  status: DepositStatus
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The part that pays the charge. */
  applied_amount: number
  /** The returned amount, including pending returns. */
  return_amount: number
  /** The reason for the return, such as `too_much` or `late`; otherwise null. */
  return_reason: string | null
  /** The name of the sender; null where not known. */
  name: string | null
  /** The e-mail of the customer; null without one. */
  email: string | null
  /** The payment deadline of the charge; null: no limit. */
  expires_on: Instant | null
  /** The time of arrival; for an expected deposit, the time of the request. */
  created_on: Instant
}

/** A page of a list. */
export interface DepositPage {
  /** The items of this page. */
  items: Deposit[]
  /** Whether more follow. */
  has_more: boolean
}

/** The state of past and expected deposits. */
export type DepositStatus = 'expected' | 'held' | 'applied' | 'returning' | 'returned' | 'unreturned'

/** Stored, no effect yet. */
export interface DescriptorProvidedConfiguration {
  /** Stored, no effect yet. */
  name: string | null
  /** Stored, no effect yet. */
  phone_number: string | null
}

/** Money of a charge that the customer asked their bank to return. */
export interface Dispute {
  /** The id of the dispute. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The charge that is disputed. */
  charge_id: Uuid
  /** The mode it belongs to. */
  mode: Mode
  /** The state: you must respond, the bank decides, or the result. */
  status: DisputeStatus
  /** The reason for the dispute. */
  reason: DisputeReason
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The provider's fee for it, won or lost. */
  fee_amount: number
  /** The deadline for your response; without one the dispute is lost. */
  respond_by: Instant
  /** The provider's own name of the dispute. */
  provider_reference: string
  /** Your texts; null in lists and events. */
  evidence: DisputeEvidence | null
  /** Your files, at most 5. */
  files: DisputeFile[]
  /** The operation in progress at the provider; null if there is none. */
  pending_response: 'evidence' | 'acceptance' | null
  /** Why the provider refused a response; null if it did not. */
  error: PaymentError | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** An event about the kind of resource `dispute`. */
export type DisputeEvent = EventFields & {
  /** The name of the event. */
  event: 'dispute_created' | 'dispute_updated' | 'dispute_closed'
  /** The resource as it was at that moment. */
  data: Dispute
}

/** The merchant's response to a dispute. */
export interface DisputeEvidence {
  /** The reasons why the charge is valid. */
  explanation?: string
  /** The sale and its terms. */
  product?: string
  /** Your data about the customer, and your correspondence. */
  customer?: string
  /** The delivery: method, date and parcel number. */
  delivery?: string
  /** Your refund policy, and its disclosure to the customer. */
  refund_policy?: string
}

/** A file of the evidence. */
export interface DisputeFile {
  /** The id of the file. */
  id: Uuid
  /** The name of the file. */
  name: string
  /** The type of the file. */
  content_type: "application/pdf" | "image/png" | "image/jpeg" | "text/plain"
  /** How many bytes it has. */
  size: number
  /** The creation time. */
  created_on: Instant
}

/** A file of the evidence with its content. */
export type DisputeFileContent = DisputeFile & {
  /** The content as Base64. */
  content: string
}

/** A page of a list. */
export interface DisputePage {
  /** The items of this page. */
  items: Dispute[]
  /** Whether more follow. */
  has_more: boolean
}

/** Why a customer disputes a charge. */
export type DisputeReason = 'fraudulent' | 'unrecognized' | 'duplicate' | 'product_not_received' | 'product_unacceptable' | 'subscription_canceled' | 'credit_not_processed' | 'general'

/** The status of a dispute. */
export type DisputeStatus = 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted'

/** Stored, no effect yet. */
export interface EcEmail {
  /** Stored, no effect yet. */
  enabled: boolean | null
}

/** Stored, no effect yet. */
export interface EcProducts {
  /** Stored, no effect yet. */
  enabled: boolean | null
}

/** The body of every error response. */
export interface Error {
  /** Always `error`. */
  status: 'error'
  /** The fault, for programs. */
  code: ErrorCode
  /** The code in another spelling. */
  name: string
  /** The fault and the advice, for people. The text may change. */
  message: string
  /** Every wrong field of the request, at most 50; empty when no field is at fault. */
  errors: FieldError[]
  /** With `CHARGE_TOO_QUICK` only: the error that the charge would have had. */
  error?: ErrorDetail
}

/** The fault of a request. */
export type ErrorCode = 'VALIDATION_ERROR' | 'INVALID_REQUEST' | 'RESOURCE_LIMIT_REACHED' | 'LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED' | 'ALREADY_CAPTURED' | 'CONNECTOR_TEST_FAILED' | 'CANCEL_NOT_ALLOWED' | 'CANNOT_REFUND_UNSUCCESSFUL_CHARGE' | 'CANNOT_DECLARE_UNSUCCESSFUL_CHARGE' | 'CUSTOMS_NOT_AVAILABLE' | 'CAPTURE_AMOUNT_TOO_LARGE' | 'CARD_BRAND_NOT_SUPPORTED' | 'CARD_COUNTRY_NOT_SUPPORTED' | 'CARD_PROCESSING_DISABLED' | 'QR_PROCESSING_DISABLED' | 'INVALID_QR_SCAN_GATEWAY' | 'CONVENIENCE_PROCESSING_DISABLED' | 'PAIDY_PROCESSING_DISABLED' | 'ONLINE_PROCESSING_DISABLED' | 'BANK_TRANSFER_PROCESSING_DISABLED' | 'CHARGE_AMOUNT_TOO_HIGH' | 'CHARGE_AMOUNT_TOO_LOW' | 'CHARGE_TOO_QUICK' | 'CURRENCY_MUST_MATCH_CHARGE' | 'CVV_AUTHORIZATION_NOT_COMPLETED' | 'CVV_REQUIRED' | 'NO_TEST_CARD_IN_LIVE_MODE' | 'NON_SUBSCRIPTION_PAYMENT' | 'RECURRING_USAGE_REQUIRES_CVV' | 'CARD_LOCKED' | 'INVALID_TOKEN_TYPE' | 'NOT_SUBSCRIPTION_TOKEN' | 'SUBSCRIPTION_ALREADY_ENDED' | 'INSTALLMENT_MAX_PAYOUT_PERIOD_EXCEEDED' | 'INSTALLMENTS_NOT_ENABLED' | 'SUBSCRIPTIONS_NOT_ENABLED' | 'NOT_SUPPORTED_BY_PROCESSOR' | 'RECURRING_TOKEN_DISABLED' | 'RECURRING_USAGE_LIMIT_REQUIRED' | 'CHARGE_DISPUTED' | 'REFUND_EXCEEDS_CHARGE_AMOUNT' | 'REFUND_NOT_ALLOWED' | 'REFUND_NOT_WITHIN_BOUNDS' | 'TOKEN_FOR_WRONG_STORE' | 'TRANSACTION_ALREADY_PROCESSED' | 'TRANSACTION_TOKEN_EXPIRED' | 'PROCESSING_MODE_MISMATCH' | 'USAGE_LIMIT_REACHED' | 'USAGE_LIMIT_NOT_APPLICABLE' | 'DIRECT_CARD_TOKEN_CREATION_DISABLED' | 'NON_UNIQUE_ACTIVE_TOKEN' | 'AUTH_HEADER_MISSING' | 'INVALID_APP_TOKEN' | 'INVALID_CREDENTIALS' | 'INVALID_LOGIN_TOKEN' | 'EXPIRED_LOGIN_TOKEN' | 'TOTP_REQUIRED' | 'INVALID_DOMAIN' | 'INVALID_PERMISSIONS' | 'CONFIRMATION_REQUIRED' | 'OUTDATED_APP_TOKEN' | 'NOT_FOUND' | 'NOT_ALLOWED' | 'IDEMPOTENCY_KEY_CONFLICT' | 'MERCHANT_TRANSACTION_ID_EXISTS' | 'CUSTOMS_DECLARATION_PENDING' | 'CUSTOMS_DECLARATION_SUCCESSFUL' | 'CUSTOMS_DECLARATION_FAILED' | 'CHECKOUT_SESSION_ENDED' | 'CHECKOUT_SESSION_PROCESSING' | 'CHECKOUT_CARDS_CLOSED' | 'CHECKOUT_CHALLENGE_REQUIRED' | 'PAYMENT_LINK_CLOSED' | 'DISPUTE_NOT_OPEN' | 'INVALID_PASSWORD_LINK' | 'USER_EMAIL_EXISTS' | 'DEMO_SHOP_EXISTS' | 'VERIFICATION_EXISTS' | 'WEBHOOK_INACTIVE' | 'WEBHOOK_URL_EXISTS' | 'PAYLOAD_TOO_LARGE' | 'URI_TOO_LONG' | 'UNSUPPORTED_MEDIA_TYPE' | 'BAD_REQUEST' | 'REQUEST_HEADER_TOO_LARGE' | 'REQUEST_TIMEOUT' | 'UNKNOWN_ERROR' | 'SERVICE_UNAVAILABLE'

/** The error of a payment. */
export interface ErrorDetail {
  /** The code of the error of a payment, such as 311. */
  code: number
  /** The meaning. */
  message: string
}

/** A change of a resource. Its name determines the type of its data. */
export type Event = TokenEvent | ChargeEvent | RefundEvent | CancelEvent | CustomsDeclarationEvent | BankTransferStatusEvent | DisputeEvent | SubscriptionEvent | CheckoutEvent | CheckoutAttackEvent | TransferEvent | ReconciliationEvent | MerchantEvent | StoreEvent | AppTokenEvent | WebhookEvent | BankAccountEvent | UserEvent

/** The common fields of events. */
export interface EventFields {
  /** The id of the event, the same at every attempt of every delivery. */
  id: Uuid
  /** The time. */
  created_on: Instant
  /** The resource that it is about. */
  resource_id: Uuid
  /**
   * The number of the event among the events of its resource, from 1. The highest number is the
   * newest.
   */
  sequence: number
  /** The store it happened in; null for the merchant. In the feed only. */
  store_id?: Uuid | null
  /** The mode it happened in; null where there is none. In the feed only. */
  mode?: Mode | null
}

/** A page of a list. */
export interface EventPage {
  /** The items of this page. */
  items: Event[]
  /** Whether more follow. */
  has_more: boolean
}

/** The time of day at which payments expire. */
export interface ExpirationTimeShift {
  /** Whether the expiry is moved to a time of its day. Default: false. */
  enabled: boolean | null
  /** The time of day with its zone, such as 23:59:59+09:00. */
  value: string | null
}

/** The reasons for failed payments. */
export interface FailureReason {
  /** The code of the error, such as 306; 0 without one. */
  code: number
  /** The meaning of the code. */
  message: string
  /** How many payments failed with it. */
  count: number
}

/** The fault of one field of a request. */
export interface FieldError {
  /** The name of the field in dotted form, such as `data.card_number`. */
  field: string
  /** The fault. */
  reason: Reason
}

/** A brand of a gateway. */
export interface GatewayBrand {
  /** The key of the brand in this API. */
  brand: string
  /** The key of the brand at the gateway. */
  service_brand_name: string
  /** The name of the brand, for display. */
  brand_display_name: string
  /** Additions of the gateway, such as logos and promotions. They may change without notice. */
  extras: AnyObject
}

/** The offers of a gateway for a payment. */
export interface GatewayInfo {
  /** The key of the gateway. */
  service: string
  /** The name of the gateway, for display. */
  service_name: string
  /** The brands that it offers for the payment. */
  brands: GatewayBrand[]
}

/** The payment that a gateway is asked about. */
export interface GetGatewayInfo {
  /** The amount of the planned payment, in the smallest unit of the currency. */
  amount: number
  /** The currency of the planned payment. */
  currency: string
  /** One of http_get, http_get_mobile, sdk, app. */
  call_method: string
  /** The operating system: android or ios. Needed for http_get_mobile and app. */
  os_type?: string | null
}

/** The response of a probe that found no fault. */
export interface Healthy {
  /** Always `ok`. */
  status: 'ok'
}

/** A charge or a refund. */
export interface HistoryItem {
  /** The name of the merchant. */
  merchant_name: string
  /** The store that it belongs to. */
  store_id: Uuid
  /** The name of the store. */
  store_name: string
  /** The id of the charge or refund. */
  resource_id: Uuid
  /** The id of the charge: the same for the charge itself. */
  charge_id: Uuid
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** Whether it is a charge or a refund. */
  type: 'charge' | 'refund'
  /** The status of the charge or refund. */
  status: 'pending' | 'awaiting' | 'authorized' | 'successful' | 'failed' | 'error' | 'canceled'
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The creation time. */
  created_on: Instant
  /** The mode it belongs to. */
  mode: Mode
  /** How the customer pays. */
  payment_type: PaymentType
  /** A payment (`normal`), or the check of a security code (`cvv_auth`). */
  charge_type: string
  /** The last four digits of the card; null without a card. */
  last_four: string | null
  /** The refunded amount of a charge, including pending refunds; null for a refund. */
  refunded_amount: number | null
  /** The currency of `refunded_amount`; null without one. */
  refunded_currency: string | null
  /** The reason for the failure; null without one. */
  error: PaymentError | null
  /** The customer, and the result of the payment. */
  user_data: HistoryPayer
  /**
   * The state of a bank transfer: `unpaid`, `insufficient`, `exact` or `exceeded`; otherwise null.
   */
  bank_transfer_payment_status: string | null
  /** The last arrival of money for a bank transfer; otherwise null. */
  bank_transfer_latest_deposit_date: Instant | null
}

/** A page of charges and refunds. */
export interface HistoryPage {
  /** The items of this page. */
  items: HistoryItem[]
  /** Whether more follow. */
  has_more: boolean
  /** The cursor of the next page; null on the last one. */
  next_cursor?: Uuid | null
}

/** The customer of a charge, and its refunds. */
export interface HistoryPayer {
  /** The payment type. */
  type: string
  /** The name of the customer; null where the payment type has none. */
  cardholder_name: string | null
  /** The e-mail of the customer; null without one. */
  cardholder_email_address: string | null
  /** The brand of the card or wallet; null where it is not known. */
  brand: string | null
  /** The provider of the payment; null without one. */
  gateway: string | null
  /** The same as `gateway`. */
  service_provider: string | null
  /** The newest refunds of the charge; empty for a refund. */
  refunds: HistoryRefund[]
  /** Why the money was returned; null for a charge. */
  reason: string | null
}

/** A refund of a charge in the transaction history. */
export interface HistoryRefund {
  /** The id of the refund. */
  refund_id: Uuid
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The status of the refund. */
  status: RefundStatus
  /** The reason for the refund; null if not given. */
  reason: string | null
}

/** The sums of a currency. */
export interface HistoryTotal {
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The number of charges and refunds. */
  count: number
  /** The number of successful charges. */
  successful: number
  /** The sum of the successful charges. */
  amount: number
  /** The refunded part of these charges; of a list of refunds, the sum of the successful ones. */
  refunded_amount: number
}

/** The sums of a list of charges and refunds. */
export interface HistoryTotals {
  /** The number of charges and refunds that were added up. */
  count: number
  /** Whether these are all; otherwise there are more, and only the newest were added up. */
  is_complete: boolean
  /** The sums by currency, the most frequent first. */
  items: HistoryTotal[]
}

/** The result of an event that was sent immediately. */
export interface ImmediateDelivery {
  /** The id of the event that was sent. */
  id: Uuid
  /** The sending time. */
  fired_on: Instant
  /** How long the attempt took, in milliseconds. */
  duration_ms: number
  /** The HTTP status of the response; null when there was none. */
  status: number | null
  /** The reason for a missing response; null with a response. */
  error: string | null
  /** The beginning of an unsuccessful response; otherwise null. */
  answer: string | null
}

/** One charge that the card company splits. */
export interface InstallmentPlan {
  /** `revolving` or `fixed_cycles`. */
  plan_type: string
  /** The number of installments; null where it is not fixed. */
  fixed_cycles?: number | null
}

/** Installments. */
export interface InstallmentsConfiguration {
  /** Whether installments are accepted. Default: true. */
  enabled: boolean | null
  /** Whether only the card company splits payments: always the case. */
  only_with_processor: boolean | null
  /** The smallest total of installments; null: any. */
  min_charge_amount: Money | null
  /** How long installments may run. As an ISO-8601 duration. */
  max_payout_period: string | null
  /** Stored, no effect yet. */
  failed_cycles_to_cancel: number | null
  /** The plans that card companies offer. */
  card_processor: CardProcessor
  /** Stored, no effect yet. */
  supported_payment_types: string[] | null
}

/** A time as ISO-8601 with fractional seconds. */
export type Instant = string

/** The payment page, or the payment instructions. */
export interface IssuerToken {
  /** How the customer pays. */
  payment_type: PaymentType
  /** The URL of the page where the customer pays, or the token of an SDK. */
  issuer_token?: string | null
  /**
   * The use of the issuer token: open the page, post to it, or pass the token to the SDK or app.
   */
  call_method?: CallMethod | null
  /**
   * The fields to post with `http_post`, or the customer's instructions, such as a payment code;
   * null if there are none.
   */
  payload?: AnyObject | null
  /** The content type of the form to post. For 3-D Secure only. */
  content_type?: string
  /** Bank transfer: the id of the virtual account. */
  account_id?: Uuid
  /** Bank transfer: the four-digit code of the bank. */
  bank_code?: string
  /** Bank transfer: the name of the bank. */
  bank_name?: string
  /** Bank transfer: the three-digit code of the branch. */
  branch_code?: string
  /** Bank transfer: the name of the branch. */
  branch_name?: string
  /** Bank transfer: the number of the virtual account. */
  account_number?: string
  /** Bank transfer: the name of the account holder. */
  account_holder_name?: string
}

/** Payment at a convenience store. */
export interface KonbiniInput {
  /** The name of the customer. */
  customer_name: string
  /** The phone number of the customer: a Japanese one. */
  phone_number: PhoneInput
  /** The chain of convenience stores. */
  convenience_store: 'seven_eleven' | 'family_mart' | 'lawson' | 'mini_stop' | 'seico_mart' | 'pay_easy' | 'circle_k' | 'sunkus' | 'daily_yamazaki' | 'yamazaki_daily_store'
  /**
   * How long the customer can pay, from the creation of the charge: 30 minutes to 30 days.
   * Default: 30 days.
   */
  expiration_period?: string | null
  /**
   * The time of day at which the period ends. Needs a period of a day or more; not for
   * seven_eleven, seico_mart, pay_easy, circle_k, sunkus.
   */
  expiration_time_shift?: string | null
}

/** A transaction token of the payment type `konbini`. */
export type KonbiniToken = TokenFields & {
  /** How the customer pays. */
  payment_type: 'konbini'
  /** The customer's payment details. */
  data: KonbiniTokenData
}

/** The payment details that a token of the type `konbini` shows. */
export interface KonbiniTokenData {
  /** The name of the customer. */
  customer_name?: string
  /** The chain of convenience stores. */
  convenience_store?: string
  /** The phone number of the customer. */
  phone_number?: Phone | null
  /** The time the customer has to pay. Default: the store's period, or 30 days. */
  expiration_period?: string | null
  /** The time of day at which the period ends; null: to the minute. */
  expiration_time_shift?: string | null
}

/** A transaction of the double-entry ledger. */
export interface Ledger {
  /** The id of the ledger transaction. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The charge that caused it; null without one. */
  charge_id: Uuid | null
  /** The refund that caused it; null without one. */
  refund_id: Uuid | null
  /** The transfer that pays it, or that it is; null while it is not paid. */
  transfer_id: Uuid | null
  /** The mode it belongs to. */
  mode: Mode
  /**
   * The change of the amount owed to the merchant, in the smallest unit of the currency: positive
   * for a sale, negative for fees and refunds.
   */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** Always null: a fee is a ledger transaction of its own. */
  percent_fee: number | null
  /** Always null: a fee is a ledger transaction of its own. */
  flat_fee_amount: number | null
  /** Always null: a fee is a ledger transaction of its own. */
  flat_fee_currency: string | null
  /** Always null: a fee is a ledger transaction of its own. */
  flat_fee_formatted: number | null
  /** Always null: the entries of a conversion have both amounts. */
  exchange_rate: number | null
  /** The cause. */
  origin: 'charge' | 'refund' | 'cancel' | 'manual'
  /** The recorded action. */
  kind: 'authorization' | 'release' | 'capture' | 'fee' | 'conversion' | 'refund' | 'deposit' | 'return' | 'adjustment' | 'payout'
  /** A note of the operator; null without one. */
  note: string | null
  /** The entries by account; those of one currency sum to zero. */
  entries: LedgerEntry[]
  /** The creation time. */
  created_on: Instant
}

/** An account of the ledger. */
export type LedgerAccount = 'authorization_hold' | 'authorized_by_customer' | 'provider_receivable' | 'provider_settled' | 'merchant_payable' | 'paid_out' | 'fee_income' | 'fx_clearing' | 'conversion_requested' | 'conversion_charged' | 'suspense'

/** The balance of an account. */
export interface LedgerBalance {
  /** The account. */
  account: LedgerAccount
  /** The purpose of the account. */
  description: string
  /** The store; null for the sum of all stores. */
  store_id: Uuid | null
  /** The mode it belongs to. */
  mode: Mode
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The sum of its entries in the smallest unit: debits are positive, credits negative. */
  balance: number
  /** The same in the major unit of the currency. */
  balance_formatted: number
}

/** The balances of the ledger. */
export interface LedgerBalances {
  /** The balances, by mode, currency and account. */
  balances: LedgerBalance[]
  /** The sums of each mode and currency. */
  trial_balance: TrialBalance[]
}

/** An entry of a ledger transaction. All entries of one currency sum to zero. */
export interface LedgerEntry {
  /** The account of the ledger. */
  account: 'authorization_hold' | 'authorized_by_customer' | 'provider_receivable' | 'provider_settled' | 'merchant_payable' | 'paid_out' | 'fee_income' | 'fx_clearing' | 'conversion_requested' | 'conversion_charged' | 'suspense'
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The amount in the smallest unit of the currency: a debit is positive, a credit negative. */
  amount: number
}

/** An entry of the ledger, with its transaction. */
export interface LedgerEntryItem {
  /** The id of the ledger transaction; its entries share it. */
  id: Uuid
  /** The number of the entry in its transaction, from 1. */
  line: number
  /** The store that it belongs to. */
  store_id: Uuid
  /** The mode it belongs to. */
  mode: Mode
  /** The recorded operation. */
  kind: 'authorization' | 'release' | 'capture' | 'fee' | 'conversion' | 'refund' | 'deposit' | 'return' | 'adjustment' | 'payout'
  /** The account. */
  account: LedgerAccount
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The amount in the smallest unit: a debit is positive, a credit negative. */
  amount: number
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The charge that caused it; null without one. */
  charge_id: Uuid | null
  /** The refund that caused it; null without one. */
  refund_id: Uuid | null
  /** The deposit that caused it; null without one. */
  deposit_id: Uuid | null
  /** The payout that it is; null for others. */
  transfer_id: Uuid | null
  /** A note of the operator; null without one. */
  note: string | null
  /** The creation time. */
  created_on: Instant
}

/** A page of a list. */
export interface LedgerEntryPage {
  /** The items of this page. */
  items: LedgerEntryItem[]
  /** Whether more follow. */
  has_more: boolean
}

/** A page of a list. */
export interface LedgerPage {
  /** The items of this page. */
  items: Ledger[]
  /** Whether more follow. */
  has_more: boolean
}

/** An application token, in the form of older programs. */
export interface LegacyAppToken {
  /** The id of the application token. */
  id: Uuid
  /** The store whose payments it may create and read. */
  store_id: Uuid | null
  /** The JWT. The `Authorization` header carries the secret, a dot and this JWT. */
  token: string
  /** The secret, returned only when the object is created; otherwise null. */
  secret: string | null
  /** Domains of pages that may use the JWT without the secret. */
  domains: string[]
  /** The mode whose payments it creates and reads. */
  mode: Mode | null
  /** The creation time. */
  created_on: Instant
}

/** A page of a list. */
export interface LegacyAppTokenPage {
  /** The items of this page. */
  items: LegacyAppToken[]
  /** Whether more follow. */
  has_more: boolean
}

/** The limit of charges for one card. */
export interface LimitChargeByCardConfiguration {
  /** How many charges a card can have in the time. */
  quantity_of_charges: number | null
  /** The time in which charges are counted. As an ISO-8601 duration. */
  duration_window: string | null
}

/** Stored, no effect yet. */
export interface LimitRefundBySales {
  /** Stored, no effect yet. */
  enabled: boolean | null
  /** Stored, no effect yet. */
  period: string | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  rolling_window: string | null
}

/** Something that the customer buys. */
export interface LineItem {
  /** The items of the order. */
  name: string
  /** The number of units. */
  quantity: number
  /** The price of one, in the smallest unit of the currency. */
  amount: number
  /** Further details; null if there are none. */
  description: string | null
  /** A picture of the item; null without one. */
  image_url: string | null
}

/** A request that was answered. */
export interface LoggedRequest {
  /** The id of the line in the log. */
  id: Uuid
  /** The id of the request: the header `X-Request-Id`. */
  request_id: string
  /** Whether a program or a user sent it. */
  credential: 'application_token' | 'user'
  /** The application token, or the user. */
  token_id: Uuid
  /** The store of the application token; null for all stores. */
  store_id: Uuid | null
  /** The mode of the caller; null: both. */
  mode: Mode | null
  /** The HTTP method. */
  method: string
  /** The operation of the API; null where there is none. */
  operation: string | null
  /** The path with its ids; never the query. */
  path: string
  /** The HTTP status of the response. */
  status: number
  /** How long it took, in milliseconds. */
  duration_ms: number
  /** The idempotency key; null without one. */
  idempotency_key: string | null
  /** The created object, or the last object in the path; null without either. */
  resource_id: Uuid | null
  /** Why it was refused; null when it was not. */
  error: LoggedRequestError | null
  /** The time of the response, in real time. */
  created_on: Instant
}

/** The reasons for a refused request: error codes and field names. */
export interface LoggedRequestError {
  /** The fault, for programs. */
  code: string
  /** The fields that were wrong; never their values. */
  errors: FieldError[]
}

/** A page of a list. */
export interface LoggedRequestPage {
  /** The items of this page. */
  items: LoggedRequest[]
  /** Whether more follow. */
  has_more: boolean
}

/** The handling of a transfer of another amount. */
export type MatchAmount = 'disabled' | 'exact' | 'minimum' | 'maximum'

/** The owner of stores. */
export interface Merchant {
  /** The id of the merchant. */
  id: Uuid
  /** The name of the merchant. */
  name: string
  /** The e-mail of the merchant. The operator sets it. */
  email: string
  /** Whether the operator has verified the merchant. Live mode needs it. */
  verified: boolean
  /** The verification that the merchant has sent; null without one. */
  verification_data_id: Uuid | null
  /** The address for mails about the service; null: `email`. */
  notification_email: string | null
  /** The address for mails about payouts. It is stored and has no effect yet. */
  finance_notification_email: string | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
  /** The settings of the merchant, which its stores inherit; null where nothing is set. */
  configuration: MerchantConfiguration
}

/** Settings of a merchant, which its stores inherit. Null: the default applies. */
export interface MerchantConfiguration {
  /** The fee in percent of each charge. The operator sets it. */
  percent_fee: number | null
  /** The fee for each charge, by currency. The operator sets it. */
  flat_fees: Money[] | null
  /** The logo of the shop. */
  logo_url: string | null
  /** The country; amounts are converted to its currency. Default: JP. */
  country: string | null
  /** The language of mails. */
  language: string | null
  /** The time zone in which the days of payouts begin. Default: Asia/Tokyo. */
  display_time_zone: string | null
  /** The smallest payout, in its currency. The operator sets it. */
  min_transfer_payout: Money | null
  /** The smallest amount of a charge, by currency. */
  minimum_charge_amounts: Money[] | null
  /** The largest amount of a charge, by currency. */
  maximum_charge_amounts: Money[] | null
  /** Stored, no effect yet. */
  platform_credentials_enabled: boolean | null
  /** Stored, no effect yet. */
  tagged_platform_credentials_enabled: boolean | null
  /** The payout schedule of the merchant. The operator sets it. */
  transfer_schedule: TransferSchedule
  /** Mails about payments. */
  user_transactions_configuration: UserTransactionsConfiguration
  /** Which cards are accepted, and how. */
  card_configuration: CardConfiguration
  /** QR codes of customers. */
  qr_scan_configuration: QrScanConfiguration
  /** QR codes that the shop displays. */
  qr_merchant_configuration: QrMerchantConfiguration
  /** The wallet Paidy. */
  paidy_configuration: PaidyConfiguration
  /** Online brands. */
  online_configuration: OnlineConfiguration
  /** Payments at convenience stores. */
  convenience_configuration: ConvenienceConfiguration
  /** Bank transfers. */
  bank_transfer_configuration: BankTransferConfiguration
  /** Recurring tokens. */
  recurring_token_configuration: RecurringTokenConfiguration
  /** Limits that protect against abuse. */
  security_configuration: SecurityConfiguration
  /** Installments. */
  installments_configuration: InstallmentsConfiguration
  /** Subscriptions. */
  subscription_configuration: SubscriptionConfiguration
  /** Plans that split a total into payments. */
  subscription_plan_configuration: SubscriptionPlanConfiguration
  /** The look of the pages that customers see. */
  checkout_configuration: CheckoutConfiguration
  /** Stored, no effect yet. */
  descriptor_provided_configuration: DescriptorProvidedConfiguration
  /** Stored, no effect yet. */
  customer_management_configuration: CustomerManagementConfiguration
  /** Fees by card network. The operator sets them. */
  card_brand_percent_fees: CardBrandPercentFees
}

/** An event about the kind of resource `merchant`. */
export type MerchantEvent = EventFields & {
  /** The name of the event. */
  event: 'merchant_updated'
  /** The resource as it was at that moment. */
  data: Merchant
}

/** Your own keys and values, at most 16 KB and 100 keys; value types are preserved. */
export type Metadata = Record<string, unknown>

/** In test mode no money moves: simulators take the place of payment providers. */
export type Mode = 'test' | 'live'

/** An amount with its currency. */
export interface Money {
  /** The amount in the smallest unit of the currency. */
  amount: number
  /** The currency, as an ISO-4217 code. */
  currency: string
}

/** An application token with its secret. */
export type NewAppToken = AppToken & {
  /** The secret, returned only in this response. */
  secret: string
}

/** An alias of a transaction token. */
export interface NewTokenAlias {
  /** The alias: a key that cannot be guessed. */
  key: Uuid
  /** The alias's expiry. */
  valid_until: Instant
}

/** The next payout of one currency, as the scheduler would create it now. */
export interface NextTransfer {
  /** The transfer, once it was created; null before. */
  transfer_id: Uuid | null
  /** The state of that transfer; null without one. */
  status: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled' | null
  /**
   * Its transfer is under way, or the schedule or the operator (`no_schedule`) will create it;
   * with every other reason nothing is paid, and `amount` is carried over.
   */
  reason: 'under_way' | 'scheduled' | 'no_schedule' | 'below_minimum' | 'debt' | 'nothing_owed'
  /** The mode it belongs to. */
  mode: Mode
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The sum of its parts, in the smallest unit of the currency. */
  amount: number
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /**
   * The day of the merchant's schedule, in its time zone; null where the schedule does not decide
   * it.
   */
  paid_on: string | null
  /** The posting time of its oldest sale; null without any. */
  from: Instant | null
  /** Sales posted before this time are in it; null where everything that is owed was added up. */
  to: Instant | null
  /** The sums by kind; a kind without lines is absent. */
  parts: TransferPart[]
  /**
   * The amount of the following payout, on `later_on`; without that day, the remaining amount
   * owed.
   */
  later_amount: number
  /** The day of the payout after it; null when none is due yet. */
  later_on: string | null
  /** The smallest payout, in the smallest unit. */
  min_amount: number
  /** The account for this payout; null without one. */
  bank_account_id: Uuid | null
  /**
   * The account's details; null without one, and for callers without permission to read bank
   * accounts.
   */
  bank_account: PayoutAccount | null
}

/** The next payouts, one for each currency. */
export interface NextTransfers {
  /** One for each currency of the ledger. */
  payouts: NextTransfer[]
}

/** A body without fields. */
export type NoFields = Record<string, unknown>

/** Online brands. */
export interface OnlineConfiguration {
  /** Whether online brands are accepted. Default: true. */
  enabled: boolean | null
}

/** Payment on the page or in the app of a brand. */
export interface OnlineInput {
  /**
   * The brand. One of alipay_online, alipay_plus_online, pay_pay_online, we_chat_online,
   * d_barai_online; letters in any case.
   */
  brand: string
  /**
   * How the page or app is called. By brand: alipay_online: http_get, sdk, app;
   * alipay_plus_online: http_get, http_get_mobile, sdk, app; pay_pay_online: http_post;
   * we_chat_online: http_get, sdk, app, web; d_barai_online: http_post.
   */
  call_method: string
  /** The id of the customer at the brand. Required for `we_chat_online` with `sdk` or `web`. */
  user_identifier?: string | null
  /**
   * For `alipay_plus_online` with `http_get_mobile` or `app`. One of android, ios; letters in any
   * case.
   */
  os_type?: string | null
}

/** A transaction token of the payment type `online`. */
export type OnlineToken = TokenFields & {
  /** How the customer pays. */
  payment_type: 'online'
  /** The customer's payment details. */
  data: OnlineTokenData
}

/** The payment details that a token of the type `online` shows. */
export interface OnlineTokenData {
  /** The brand. */
  brand?: string | null
  /** How the page or app of the brand is called. */
  call_method?: string
  /** The URL of the page, or the token of the SDK; null until a charge waits for the customer. */
  issuer_token?: string | null
  /** The fields to post to the page; null where there are none. */
  issuer_token_payload?: AnyObject | null
  /** The operating system of the customer; null if not given. */
  os_type?: string | null
  /** The id of the customer at the brand; null if not given. */
  user_identifier?: string | null
  /** `provided` when the id of the customer was sent; otherwise null. */
  user_identifier_source?: string | null
}

/** The wallet Paidy. */
export interface PaidyConfiguration {
  /** Whether the wallet is accepted. Default: true. */
  enabled: boolean | null
}

/** Payment with a wallet that has asked its customer already. */
export interface PaidyInput {
  /** The token that the wallet gave to your page. */
  paidy_token: string
  /** The phone number of the customer. */
  phone_number?: PhoneInput | null
  /** The delivery address. */
  shipping_address?: ShippingAddressInput | null
}

/** A transaction token of the payment type `paidy`. */
export type PaidyToken = TokenFields & {
  /** How the customer pays. */
  payment_type: 'paidy'
  /** The customer's payment details. */
  data: PaidyTokenData
}

/** The payment details that a token of the type `paidy` shows. */
export interface PaidyTokenData {
  /** The token of the wallet. */
  paidy_token?: string
  /** The phone number of the customer; null if not given. */
  phone_number?: Phone | null
  /** The delivery address; null if not given. */
  shipping_address?: ShippingAddress | null
}

/** The payer. */
export interface PayerSummary {
  /** The name of the customer; null where the payment type has none. */
  cardholder_name: string | null
  /** The e-mail of the customer; null without one. */
  email: string | null
  /** The brand of the card or wallet; null where it is not known. */
  brand: string | null
}

/** Which payment methods are switched on. */
export interface PaymentDefaults {
  /** Whether cards are accepted. */
  cards_enabled: boolean
  /** Whether debit cards are accepted. */
  debit_enabled: boolean
  /** Whether debit cards can be authorized without capture. */
  debit_authorization_enabled: boolean
  /** Whether prepaid cards are accepted. */
  prepaid_enabled: boolean
  /** Whether prepaid cards can be authorized without capture. */
  prepaid_authorization_enabled: boolean
  /** Whether QR codes of customers are accepted. */
  qr_scan_enabled: boolean
  /** Whether QR codes can be displayed. */
  qr_merchant_enabled: boolean
  /** Whether customers can pay at convenience stores. */
  convenience_enabled: boolean
  /** Whether the wallet is accepted. */
  paidy_enabled: boolean
  /** Whether online brands are accepted. */
  online_enabled: boolean
  /** Whether bank transfers are accepted. */
  bank_transfer_enabled: boolean
}

/** The reason for a failed payment. */
export interface PaymentError {
  /** The error code for programs: 3xx refused, 5xx a technical failure. */
  code: number
  /** The description in a sentence. */
  message: string
  /** Further details from the provider; null if there are none. */
  detail: string | null
}

/** An address at which any number of customers pay. */
export interface PaymentLink {
  /** The id of the payment link. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The mode it belongs to. */
  mode: Mode
  /** The address of the payment page; it can be shared with anyone. */
  url: string
  /** The address of the same as a QR code, for you. */
  qr_code_svg_url: string
  /** The items that customers pay for. */
  name: string
  /** The amount; null where the customer chooses it. */
  amount: number | null
  /** Between which amounts customers choose; null with a fixed amount. */
  amount_choice: AmountChoice | null
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** How the customer can pay. */
  payment_types: PaymentType[]
  /** The kind of token. */
  token_type: TokenType
  /** The billing plan of the subscription; null without one. */
  subscription: AnyObject | null
  /** Whether the money is taken immediately. */
  capture: boolean
  /** The 3-D Secure settings; null if not given. */
  three_ds: CheckoutThreeDs | null
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The language of the page; null: that of the browser. */
  locale: string | null
  /** The customer's destination after payment; null: none. */
  success_url: string | null
  /** The customer's destination without payment; null: none. */
  cancel_url: string | null
  /** Whether the charge fails instead of being converted; null: the store's setting. */
  only_direct_currency: boolean | null
  /** The text for the statement of the cardholder; null without one. */
  descriptor: string | null
  /** The maximum number of payments; null: no limit. */
  max_uses: number | null
  /** How often it was paid. */
  uses: number
  /** Whether it can be paid at. */
  active: boolean
  /** The expiry time; null: never. */
  expires_on: Instant | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** A page of a list. */
export interface PaymentLinkPage {
  /** The items of this page. */
  items: PaymentLink[]
  /** Whether more follow. */
  has_more: boolean
}

/** How the customer pays. */
export type PaymentType = 'card' | 'apple_pay' | 'qr_scan' | 'qr_merchant' | 'konbini' | 'paidy' | 'online' | 'bank_transfer'

/** The bank account that a payout goes to. */
export interface PayoutAccount {
  /** The id of the bank account. */
  id: Uuid
  /** The name of the account holder. */
  holder_name: string
  /** The name of the bank. */
  bank_name: string
  /** The name of the branch; null without one. */
  branch_name: string | null
  /** Whether it is a checking or a savings account. */
  account_type: 'checking' | 'savings'
  /** The last four characters of the number. */
  last_four: string
}

/** A ledger transaction of a payout, with the customer of its charge. */
export type PayoutLine = Ledger & {
  /** The name on the card of its charge; null without one. */
  customer_name: string | null
  /** The e-mail of its charge; null without one. */
  customer_email: string | null
}

/** A page of a list. */
export interface PayoutLinePage {
  /** The items of this page. */
  items: PayoutLine[]
  /** Whether more follow. */
  has_more: boolean
}

/** How often a subscription is billed. */
export type Period = 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'bimonthly' | 'quarterly' | 'semiannually' | 'annually'

/** A phone number. */
export interface Phone {
  /** The country code, such as 81. */
  country_code: number
  /** The number in the country, in digits. */
  local_number: string
}

/** A phone number. */
export interface PhoneInput {
  /** The country code in digits, such as 81. */
  country_code: string | number
  /** The number in the country, in digits. */
  local_number: string | number
}

/** A payment of a plan that does not exist yet. */
export interface PlannedPayment {
  /** The day of the payment, as year-month-day. */
  due_date: string
  /** The time zone of the day. */
  zone_id: string
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** Whether the payment was completed. */
  is_paid: boolean
  /** Whether no payment follows. */
  is_last_payment: boolean
  /** The payment date; null while unpaid. */
  successful_payment_date: string | null
  /** The day of the next attempt after a failure; null without one. */
  retry_date: string | null
  /** The delay before a retry; null: the retries are spread over the cycle. */
  retry_interval: string | null
  /** The status with which the subscription ends right before it; null if it does not. */
  terminate_with_status: string | null
}

/** The first payments of a plan. */
export type PlannedPayments = PlannedPayment[]

/** The offers of this service. */
export interface Platform {
  /** The id of the service. */
  id: Uuid
  /** The name of the service. */
  name: string
  /** The host of its public address. */
  domain: string
  /** The payment types that it offers. */
  supported_payment_types: string[]
  /** The card networks that it accepts. */
  supported_card_brands: string[]
  /** The defaults for a merchant without settings. */
  configuration: PlatformConfiguration
}

/** The defaults for a merchant without settings. */
export interface PlatformConfiguration {
  /** The country of merchants that have set none. */
  country: string
  /** The language of mails where none is set. */
  default_language: string
  /** The languages of mails and pages. */
  supported_languages: string[]
  /** Whether cards of issuers in other countries are accepted. */
  foreign_cards_enabled: boolean
  /** The refundable part of a charge, in percent; null: all of it. */
  refund_percent_limit: number | null
  /**
   * Which recurring tokens can be created: `none`, `bounded` (with a `usage_limit`) or `infinite`.
   */
  recurring_token_privilege: string
  /** Which payment methods are switched on. */
  payment_defaults: PaymentDefaults
}

/** The QR code that the customer of a charge scans. */
export interface QrImage {
  /** Whether the charge awaits the customer and its code can be scanned. */
  ready: boolean
  /** The URL of the QR code as a picture; null while it is not ready. */
  qr_image_url: string | null
}

/** QR codes that the shop displays. */
export interface QrMerchantConfiguration {
  /** Whether QR codes can be displayed. Default: true. */
  enabled: boolean | null
}

/** Payment with a QR code that you display. */
export interface QrMerchantInput {
  /**
   * The wallet. One of alipay_merchant_qr, pay_pay_merchant, we_chat_mpm, d_barai_online,
   * d_barai_mpm, d_barai_merchant; letters in any case.
   */
  brand: string
}

/** A transaction token of the payment type `qr_merchant`. */
export type QrMerchantToken = TokenFields & {
  /** How the customer pays. */
  payment_type: 'qr_merchant'
  /** The customer's payment details. */
  data: QrMerchantTokenData
}

/** The payment details that a token of the type `qr_merchant` shows. */
export interface QrMerchantTokenData {
  /** The wallet. */
  brand?: string | null
  /** The URL of the QR code as a picture; null until a charge waits for the customer. */
  qr_image_url?: string | null
}

/** QR codes of customers. */
export interface QrScanConfiguration {
  /** Whether QR codes of customers are accepted. Default: true. */
  enabled: boolean | null
  /** Wallets that are refused. */
  forbidden_qr_scan_gateways: string[] | null
}

/** Payment with a QR code or barcode of the customer. */
export interface QrScanInput {
  /** The text of the code that the wallet of the customer displays. */
  scanned_qr: string
}

/** A transaction token of the payment type `qr_scan`. */
export type QrScanToken = TokenFields & {
  /** How the customer pays. */
  payment_type: 'qr_scan'
  /** The customer's payment details. */
  data: QrScanTokenData
}

/** The payment details that a token of the type `qr_scan` shows. */
export interface QrScanTokenData {
  /** The wallet, by the beginning of the code; null where it is not known. */
  brand?: string | null
  /** The same as `brand`. */
  gateway?: string | null
}

/** The response of the readiness probe when requests can be served. */
export interface Ready {
  /** Always `ok`. */
  status: 'ok'
  /** Faults that do not prevent requests, a sentence each. */
  warnings: string[]
}

/** A fault of a field. */
export type Reason = 'REQUIRED_VALUE' | 'FORBIDDEN_PARAMETER' | 'CHANGE_PROHIBITED' | 'NOT_ALLOWED_VALUE' | 'INVALID_FORMAT' | 'INVALID_FORMAT_LENGTH' | 'INVALID_UUID' | 'INVALID_FORMAT_EMAIL' | 'INVALID_FORMAT_CURRENCY' | 'INVALID_FORMAT_DOMAIN' | 'INVALID_FORMAT_URL' | 'INVALID_FORMAT_OBJECT' | 'INVALID_FORMAT_COUNTRY' | 'INVALID_FORMAT_DATE' | 'INVALID_DURATION' | 'INVALID_TIME_PERIOD' | 'INVALID_LANGUAGE' | 'INVALID_PATH_VALUE' | 'INCOHERENT_DATE_RANGE' | 'MUST_BE_FUTURE_TIME' | 'MUST_BE_FUTURE_OR_TODAY' | 'START_ON_EXCEEDS_LIMIT' | 'MUST_BE_MONTH_BASED_TO_SET' | 'MUST_BE_LOWER_THAN_FULL_AMOUNT' | 'NEED_AT_LEAST_TWO_CYCLES' | 'CANNOT_SET_AFTER_SUBSCRIPTION_STARTED' | 'INSTALLMENT_INVALID_PLAN_TYPE' | 'INSTALLMENT_INVALID_INITIAL_AMOUNT' | 'INSTALLMENT_REVOLVING_PLAN_CANNOT_SET_INITIAL_AMOUNT' | 'CANNOT_CHANGE_INSTALLMENT_AMOUNT' | 'PAYMENT_IN_TIME_PERIOD' | 'INVALID_AMOUNT' | 'INVALID_CARD_NUMBER' | 'CARD_NUMBER_NOT_ALLOWED' | 'INVALID_CARD_EXPIRATION' | 'INVALID_CVV' | 'INVALID_PHONE_NUMBER' | 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED' | 'ONE_TIME_ONLY_ALLOWED' | 'EXPIRATION_DATE_OUT_OF_BOUNDS' | 'NOT_QR_CHARGE' | 'NOT_ONLINE_CHARGE' | 'ISSUER_TOKEN_EMPTY' | 'INVALID_SCHEDULED_CAPTURE_DATE' | 'INVALID_CARD_TYPE_FOR_CAPTURE' | 'INVALID_CHARGE_AMOUNT_LIMIT' | 'CAPTURE_ONLY_FOR_CARD_PAYMENT' | 'ONLY_FOR_CARD_PAYMENT' | 'INVALID_CHARGE_STATUS' | 'NOT_SUPPORTED_BY_PROCESSOR' | 'TOKEN_MUST_BE_CONFIRMED' | 'WRONG_CONFIRMATION_CODE' | 'CONFIRMATION_REQUIRES_EMAIL' | 'UNFINISHED_CHARGES_EXIST_FOR_TOKEN' | 'ONGOING_SUBSCRIPTIONS_EXIST_FOR_TOKEN' | 'NUMBER_MIN' | 'NUMBER_MAX' | 'MUST_HAVE_AT_LEAST_ONE_ELEMENT' | 'INVALID_EVENT_FOR_STORE' | 'INVALID_EVENT_FOR_MERCHANT' | 'STORE_EXISTS' | 'BANK_ACCOUNT_EXISTS'

/** A settlement of a provider that was compared with the ledger. */
export interface Reconciliation {
  /** The id of the run. */
  id: Uuid
  /** The connector. */
  provider: string
  /** The start. */
  period_from: Instant | null
  /** The end. */
  period_to: Instant | null
  /** By currency. */
  totals: ReconciliationTotal[]
}

/** An event about the kind of resource `reconciliation`. */
export type ReconciliationEvent = EventFields & {
  /** The name of the event. */
  event: 'reconciliation_finished'
  /** The resource as it was at that moment. */
  data: Reconciliation
}

/** Sums of one currency. */
export interface ReconciliationTotal {
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The sum of the matching lines, before fees. */
  settled_amount: number
  /** The provider's fee, if the provider reports it. */
  fee_amount: number
  /** Lines that agree. */
  matched: number
  /** Lines with another amount. */
  amount_differs: number
  /** Postings without a line. */
  missing_there: number
}

/** Recurring tokens. */
export interface RecurringTokenConfiguration {
  /**
   * The recurring tokens that can be created: none, only with a `usage_limit`, or all. Default:
   * infinite. The operator sets it.
   */
  recurring_type: 'none' | 'bounded' | 'infinite' | null
  /**
   * The time after a charge in which the same recurring token is refused, 30 seconds or more. As
   * an ISO-8601 duration.
   */
  charge_wait_period: string | null
  /** The rule for requesting a stored card's security code again. */
  card_charge_cvv_confirmation: CardChargeCvvConfirmation
}

/** The redelivery of an event. */
export interface RedeliverEvent {
  /** Test delivery: sent once to this URL instead. Events of test mode only. */
  url?: string
}

/** The customer's destination after payment. */
export interface Redirect {
  /** The customer's destination. */
  endpoint: string
  /** The id of the redirection. */
  redirect_id: Uuid
}

/** A refund of a successful charge to the customer. */
export interface Refund {
  /** The id of the refund. */
  id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The charge whose money is returned. */
  charge_id: Uuid
  /** Whether the money was returned: `pending` until the provider has responded. */
  status: RefundStatus
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The reason for the refund; null if not given. */
  reason: RefundReason | null
  /** The note about the refund; null when none was given. */
  message: string | null
  /** The reason for the failure; null without one. */
  error: PaymentError | null
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The mode it belongs to. */
  mode: Mode
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** An event about the kind of resource `refund`. */
export type RefundEvent = EventFields & {
  /** The name of the event. */
  event: 'refund_finished'
  /** The resource as it was at that moment. */
  data: Refund
}

/** A page of a list. */
export interface RefundPage {
  /** The items of this page. */
  items: Refund[]
  /** Whether more follow. */
  has_more: boolean
}

/** Why money is returned. */
export type RefundReason = 'fraud' | 'duplicate' | 'customer_request'

/** The status of a refund. */
export type RefundStatus = 'pending' | 'successful' | 'failed' | 'error'

/** Events that are sent to a webhook again. */
export interface Replay {
  /** The id of the replay. */
  id: Uuid
  /** The webhook that events are sent to. */
  webhook_id: Uuid
  /** Whether it has put everything into the queue. */
  status: 'running' | 'finished'
  /** Only events from this time on; null without a bound. */
  from: Instant | null
  /** Only events before this time; null without a bound. */
  to: Instant | null
  /** The names of its events. */
  triggers: Trigger[]
  /** Only events about this resource; null: about any. */
  resource_id: Uuid | null
  /** Which events of that time are sent. */
  which: 'all' | 'not_delivered' | 'failed'
  /** Test delivery: the URL instead of that of the webhook; otherwise null. */
  url: string | null
  /** How many events it sends, counted when it began. */
  count: number
  /** How many were put into the queue of the webhook. */
  queued: number
  /** Test delivery: how many got a successful response. */
  delivered: number
  /** Test delivery: how many did not. */
  failed: number
  /** The creation time. */
  created_on: Instant
  /** The time when everything was queued; null before it. */
  finished_on: Instant | null
}

/** The response to a replay with `preview`. */
export interface ReplayPreview {
  /** How many events would be sent. */
  count: number
}

/** Stored, no effect yet. */
export interface RestrictIpAfterFailedCharge {
  /** Stored, no effect yet. */
  enabled: boolean | null
  /** Stored, no effect yet. */
  count: number | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  cooldown: string | null
}

/** The overlap of both tokens. */
export interface RotateAppToken {
  /** The time for which the old token still works: `PT0S` to one week. Default: one day. */
  overlap?: string
}

/** The result of a rule for a payment. */
export interface RouteCheck {
  /** The connector. */
  connector: string
  /** The position of the rule; null without rules. */
  position: number | null
  /** Whether the connector processes the payment, is a fallback, or why it is skipped. */
  outcome: RouteOutcome
  /** Whether the connector is tried last because it does not respond. */
  is_circuit_open: boolean
}

/** The role of a connector for a payment. */
export type RouteOutcome = 'takes' | 'falls_back' | 'no_match' | 'earlier_rule' | 'kind_unknown' | 'disabled' | 'not_taken' | 'no_settings' | 'currency'

/** The routes of live payments. */
export interface Routing {
  /** The owner of the rules; the installation has the nil UUID. */
  merchant_id: Uuid
  /** Its own rules. The first that matches decides. */
  rules: RoutingRule[]
  /** The version that a change must name. */
  version: string
  /** The deciding rules: its own, the installation's, or the order of creation. */
  used: 'merchant' | 'installation' | 'order'
  /** The rules that decide, in their order. */
  used_rules: RoutingRule[]
  /** The route of the payment in the query. */
  check: RouteCheck[]
}

/** A rule that selects the connector of a payment. */
export interface RoutingRule {
  /** The name of the connector. */
  connector: string
  /** Null: any. */
  payment_type: 'card' | 'apple_pay' | 'qr_scan' | 'qr_merchant' | 'konbini' | 'paidy' | 'online' | 'bank_transfer' | null
  /** Null: any. */
  brand: string | null
  /** Null: any. */
  currency: string | null
  /** From this amount of the currency; null: from 0. */
  min_amount: number | null
  /** The maximum amount in this currency; null: no limit. */
  max_amount: number | null
  /** The country of the card; null: any. */
  country: string | null
}

/** The billing schedule of a subscription. */
export interface ScheduleSettings {
  /** The day of the first payment; null: immediately. */
  start_on: string | null
  /** The time zone of the days; payments are charged at 09:00 there. */
  zone_id: string
  /** Whether it is billed on the last day of every month; null if not given. */
  preserve_end_of_month: boolean | null
  /**
   * How long after a failed payment it is tried again; null: the attempts are spread over the
   * cycle.
   */
  retry_interval: string | null
  /** The effective time of a suspension or cancellation: `immediate` or `on_next_payment`. */
  termination_mode: string
}

/** A resource that a search has found. */
export interface SearchResult {
  /** The kind of the result. */
  type: SearchResultType
  /** The id of the resource; of a customer, their key. */
  id: Uuid
  /** Its store; null where it belongs to the merchant. */
  store_id: Uuid | null
  /** The charge that it belongs to; null without one. */
  charge_id: Uuid | null
  /** The name of the customer or link; null where it is not known. */
  name: string | null
  /** The e-mail of the customer; null without one. */
  email: string | null
  /** The last four digits of the card; null without one. */
  last_four: string | null
  /** Its amount; null where it has none. */
  amount: number | null
  /** The currency of the amount; null without one. */
  currency: string | null
  /** Its status; null where it has none. */
  status: string | null
  /** When it was created. */
  created_on: Instant
}

/** A kind of resource that is searched. */
export type SearchResultType = 'charge' | 'customer' | 'subscription' | 'refund' | 'dispute' | 'deposit' | 'transfer' | 'payment_link' | 'checkout_session'

/** The results of a search: at most five of each kind, the newest first. */
export interface SearchResults {
  /** The results, grouped by type. */
  items: SearchResult[]
}

/** Limits that protect against abuse. */
export interface SecurityConfiguration {
  /** Stored, no effect yet. As an ISO-8601 duration. */
  inspect_suspicious_login_after: string | null
  /** The refundable part of a charge, in percent. Default: 100. */
  refund_percent_limit: number | null
  /** The limit of charges for one card. */
  limit_charge_by_card_configuration: LimitChargeByCardConfiguration
  /** Stored, no effect yet. */
  confirmation_required: boolean | null
  /** The smallest refund, in its currency; null: any. */
  min_refund_threshold: Money | null
  /** How long after a charge the same card is refused. As an ISO-8601 duration. */
  card_charge_cooldown: string | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  subscription_cooldown: string | null
  /** Stored, no effect yet. */
  restrict_ip_after_failed_charge: RestrictIpAfterFailedCharge
  /** Stored, no effect yet. */
  limit_refund_by_sales: LimitRefundBySales
}

/** The delivery address. */
export interface ShippingAddress {
  /** The first line of the address; null if not given. */
  line1: string | null
  /** The second line of the address; null if not given. */
  line2: string | null
  /** The city; null if not given. */
  city: string | null
  /** The state or prefecture; null if not given. */
  state: string | null
  /** The postal code; null if not given. */
  zip: string | null
}

/** The delivery address. */
export interface ShippingAddressInput {
  /** The first line of the address. */
  line1?: string | null
  /** The second line of the address. */
  line2?: string | null
  /** The city. */
  city?: string | null
  /** The state or prefecture. */
  state?: string | null
  /** The postal code. */
  zip?: string | null
}

/** A plan to calculate. Nothing is created. */
export interface SimulatePlan {
  /** The payment type. Default: card. */
  payment_type?: string | null
  /** The amount of each cycle, or the total with a plan, in the smallest unit of the currency. */
  amount: number
  /** The currency, as an ISO-4217 code in any case. */
  currency: string
  /** The amount of the first payment, if it is another one; it is always paid immediately. */
  initial_amount?: number | null
  /** The billing cycle. Either this or `cyclical_period`. */
  period?: 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'bimonthly' | 'quarterly' | 'semiannually' | 'annually' | null
  /** The billing cycle as an ISO-8601 duration of whole days, weeks, months or years. */
  cyclical_period?: string | null
  /** The billing schedule. */
  schedule_settings?: CreateScheduleSettings | null
  /**
   * One charge that the card company splits into installments. Cannot be combined with
   * `subscription_plan`.
   */
  installment_plan?: CreateInstallmentPlan | null
  /** Splits the total into parts. Cannot be combined with `installment_plan`. */
  subscription_plan?: CreateSubscriptionPlan | null
}

/** The 3-D Secure settings of a token. */
export interface StartTokenThreeDs {
  /** The cardholder's destination after a challenge. Default: a page with the result. */
  redirect_endpoint?: string | null
}

/** A line of the account statement: one change of the amount owed to the merchant. */
export interface StatementLine {
  /** The id of the ledger transaction. */
  id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The kind of line: a sale, a fee, a refund, a dispute, an adjustment or a payout. */
  part: 'sales' | 'fees' | 'refunds' | 'disputes' | 'adjustments' | 'payout'
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** By how much it changes the balance; fees and payouts are negative. */
  amount: number
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The balance after this line. */
  balance: number
  /** The charge that caused it; null without one. */
  charge_id: Uuid | null
  /** The payout that it is; null for other lines. */
  transfer_id: Uuid | null
  /** How the customer paid; null for payouts. */
  payment_type: PaymentType | null
  /** The brand of the card or wallet, where known. */
  brand: string | null
  /** The last four digits of the card, if any. */
  last_four: string | null
  /** The customer's name, where known. */
  customer_name: string | null
  /** A note of the operator; null without one. */
  note: string | null
  /** The creation time. */
  created_on: Instant
}

/** A page of a list. */
export interface StatementLinePage {
  /** The items of this page. */
  items: StatementLine[]
  /** Whether more follow. */
  has_more: boolean
}

/** The termination of a subscription. */
export interface StopSubscription {
  /** The effective time. Default: the subscription's `schedule_settings`. */
  termination_mode?: 'immediate' | 'on_next_payment' | null
}

/** A shop of a merchant, with its own payments and settings. */
export interface Store {
  /** The id of the store. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The name of the store. */
  name: string
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
  /** The settings of the store; null is inherited from the merchant. */
  configuration: StoreConfiguration
}

/** Settings of a store. Null: the merchant's value applies. */
export interface StoreConfiguration {
  /** The fee in percent of each charge. The operator sets it. */
  percent_fee: number | null
  /** The fee for each charge, by currency. The operator sets it. */
  flat_fees: Money[] | null
  /** The logo of the shop. */
  logo_url: string | null
  /** The country; amounts are converted to its currency. Default: JP. */
  country: string | null
  /** The language of mails. */
  language: string | null
  /** The time zone in which the days of payouts begin. Default: Asia/Tokyo. */
  display_time_zone: string | null
  /** The smallest payout, in its currency. The operator sets it. */
  min_transfer_payout: Money | null
  /** The smallest amount of a charge, by currency. */
  minimum_charge_amounts: Money[] | null
  /** The largest amount of a charge, by currency. */
  maximum_charge_amounts: Money[] | null
  /** Stored, no effect yet. */
  platform_credentials_enabled: boolean | null
  /** Stored, no effect yet. */
  tagged_platform_credentials_enabled: boolean | null
  /** Mails about payments. */
  user_transactions_configuration: UserTransactionsConfiguration
  /** Which cards are accepted, and how. */
  card_configuration: CardConfiguration
  /** QR codes of customers. */
  qr_scan_configuration: QrScanConfiguration
  /** QR codes that the shop displays. */
  qr_merchant_configuration: QrMerchantConfiguration
  /** The wallet Paidy. */
  paidy_configuration: PaidyConfiguration
  /** Online brands. */
  online_configuration: OnlineConfiguration
  /** Payments at convenience stores. */
  convenience_configuration: ConvenienceConfiguration
  /** Bank transfers. */
  bank_transfer_configuration: BankTransferConfiguration
  /** Recurring tokens. */
  recurring_token_configuration: RecurringTokenConfiguration
  /** Limits that protect against abuse. */
  security_configuration: SecurityConfiguration
  /** Installments. */
  installments_configuration: InstallmentsConfiguration
  /** Subscriptions. */
  subscription_configuration: SubscriptionConfiguration
  /** Plans that split a total into payments. */
  subscription_plan_configuration: SubscriptionPlanConfiguration
  /** The look of the pages that customers see. */
  checkout_configuration: CheckoutConfiguration
  /** Stored, no effect yet. */
  descriptor_provided_configuration: DescriptorProvidedConfiguration
  /** Stored, no effect yet. */
  customer_management_configuration: CustomerManagementConfiguration
  /** Fees by card network. The operator sets them. */
  card_brand_percent_fees: CardBrandPercentFees
}

/** An event about the kind of resource `store`. */
export type StoreEvent = EventFields & {
  /** The name of the event. */
  event: 'store_created' | 'store_updated' | 'store_deleted'
  /** The resource as it was at that moment. */
  data: Store
}

/** A store in a list. */
export type StoreItem = Store & {
  /** The name of the merchant. */
  merchant_name: string
}

/** A page of a list. */
export interface StorePage {
  /** The items of this page. */
  items: StoreItem[]
  /** Whether more follow. */
  has_more: boolean
}

/** Payments that repeat, or a total that is paid in parts. */
export interface Subscription {
  /** The id of the subscription. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The transaction token that is charged. */
  transaction_token_id: Uuid
  /** How the customer pays. */
  payment_type: PaymentType
  /** The amount of each cycle, or the total with a plan, in the smallest unit of the currency. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The amount of the first payment, if it is another one; otherwise null. */
  initial_amount: number | null
  /** The initial amount in the major unit of the currency; null without one. */
  initial_amount_formatted: number | null
  /** How often it is billed; null with a `cyclical_period`. */
  period: Period | null
  /** The billing cycle as an ISO-8601 duration; null with a `period`. */
  cyclical_period: string | null
  /** Always null. */
  subsequent_cycles_start: null
  /** The billing schedule. */
  schedule_settings: ScheduleSettings
  /** The next payment; null without one. */
  next_payment: SubscriptionPayment | null
  /** The date of the next payment; null without one. */
  next_payment_date: string | null
  /** How many payments are left; null without a plan. */
  cycles_left: number | null
  /** The same as `cycles_left`. */
  payments_left: number | null
  /** The remaining amount to pay, in the smallest unit of the currency; null without a plan. */
  amount_left: number | null
  /** The amount left in the major unit of the currency; null without a plan. */
  amount_left_formatted: number | null
  /** The installment plan of the card company; null without installments. */
  installment_plan: InstallmentPlan | null
  /** The plan that splits the total into payments; null without a plan. */
  subscription_plan: SubscriptionPlan | null
  /** Whether the first payment is only authorized. */
  first_charge_authorization_only: boolean
  /** The time between authorization and capture of the first payment; null if not given. */
  first_charge_capture_after: string | null
  /** Whether charges fail instead of being converted to another currency. */
  only_direct_currency: boolean
  /** The text for the statement of the cardholder; null without one. */
  descriptor: string | null
  /** The 3-D Secure authentication of the first payment; null if it does not apply. */
  three_ds: ThreeDs | null
  /** The state: `unverified` until the first payment has a result. */
  status: SubscriptionStatus
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The mode it belongs to. */
  mode: Mode
  /** The creation time, in milliseconds since 1970. */
  created_on: number | string
  /** The time of the last change. */
  updated_on: Instant
}

/** A charge for a payment of a subscription. */
export interface SubscriptionAttempt {
  /** The charge that it belongs to. */
  charge_id: Uuid
  /** The planned payment; null without one. */
  payment_id: Uuid | null
  /** The status of the charge. */
  status: 'pending' | 'awaiting' | 'authorized' | 'successful' | 'failed' | 'error' | 'canceled'
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The reason for the failure; null without one. */
  error: PaymentError | null
  /** The creation time. */
  created_on: Instant
}

/** Several subscriptions that were created with one request. */
export interface SubscriptionBatch {
  /** The id of the batch. */
  id: Uuid
  /** The same as `id`. */
  batch_id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The mode it belongs to. */
  mode: Mode
  /**
   * Whether all were created: `failed` when at least one was not, `awaiting` until all have a
   * result.
   */
  status: 'awaiting' | 'successful' | 'failed'
  /** The subscriptions that were created. */
  subscription_ids: Uuid[]
  /** The first charge, when there is exactly one; otherwise null. */
  charge_id: Uuid | null
  /** Added to the metadata of the first charge of each subscription; null if not given. */
  initial_charge_metadata: Metadata | null
  /** One for each subscription, in their order. */
  results: SubscriptionBatchItem[]
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** The error of a subscription in a batch. */
export interface SubscriptionBatchError {
  /** The error code that a single request would receive. */
  code: string
  /** The fault, for people. */
  message: string
  /** Every wrong field. */
  errors: FieldError[]
}

/** The result for one subscription of a batch. */
export interface SubscriptionBatchItem {
  /** The state of the creation: `awaiting` until it is done. */
  status: 'awaiting' | 'successful' | 'failed'
  /** The subscription that was created; null without one. */
  subscription_id: Uuid | null
  /** Its first charge; null without one. */
  charge_id: Uuid | null
  /** The error; null if the subscription was created. */
  error: SubscriptionBatchError | null
}

/** Subscriptions. */
export interface SubscriptionConfiguration {
  /** Whether subscriptions can be created. Default: true. */
  enabled: boolean | null
  /** Whether a subscription is suspended, not canceled, after its last attempt. Default: true. */
  suspend_on_cancel: boolean | null
  /** Whether the amount can be changed. Default: true. */
  allow_merchant_amount_patch: boolean | null
  /** Whether the day of a payment can be changed. Default: true. */
  allow_merchant_due_date_patch: boolean | null
  /** How often a payment is attempted. Default: 5. */
  failed_charges_to_cancel: number | null
}

/** The customer and the results of a subscription. */
export interface SubscriptionConnections {
  /** The customer; null until a payment of theirs has ended. */
  customer: ConnectedCustomer | null
  /** The name on the payment method; null where it has none. */
  name: string | null
  /** The e-mail of the payment method; null without one. */
  email: string | null
  /** How the customer pays. */
  payment_type: PaymentType
  /** The brand; null where it is not known. */
  brand: string | null
  /** The last four digits of a card; otherwise null. */
  last_four: string | null
  /** The number of successful charges. */
  paid_count: number
  /** The number of failed charges. */
  failed_count: number
  /** The sum of the successful charges. */
  paid_amount: number
  /** The refunded part of the amount. */
  refunded_amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** When the last successful charge was created. */
  last_paid_on: Instant | null
  /** The newest charges, at most 100. */
  attempts: SubscriptionAttempt[]
}

/** An event about the kind of resource `subscription`. */
export type SubscriptionEvent = EventFields & {
  /** The name of the event. */
  event: 'subscription_created' | 'subscription_payment' | 'subscription_failure' | 'subscription_canceled' | 'subscription_suspended' | 'subscription_completed'
  /** The resource as it was at that moment. */
  data: Subscription
}

/** A subscription in a list. */
export type SubscriptionItem = Subscription & {
  /** The name of the merchant. */
  merchant_name: string
  /** The name of the store. */
  store_name: string
  /** The payer. */
  user_data: PayerSummary
}

/** A page of a list. */
export interface SubscriptionPage {
  /** The items of this page. */
  items: SubscriptionItem[]
  /** Whether more follow. */
  has_more: boolean
}

/** A past or future payment of a subscription. */
export interface SubscriptionPayment {
  /** The id of the payment. */
  id: Uuid
  /** The day of the payment, as year-month-day. */
  due_date: string
  /** The time zone of the day. */
  zone_id: string
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** Whether the payment was completed. */
  is_paid: boolean
  /** Whether no payment follows. */
  is_last_payment: boolean
  /** The payment date; null while unpaid. */
  successful_payment_date: string | null
  /** The day of the next attempt after a failure; null without one. */
  retry_date: string | null
  /** The delay before a retry; null: the retries are spread over the cycle. */
  retry_interval: string | null
  /** The status with which the subscription ends right before it; null if it does not. */
  terminate_with_status: string | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** A page of a list. */
export interface SubscriptionPaymentPage {
  /** The items of this page. */
  items: SubscriptionPayment[]
  /** Whether more follow. */
  has_more: boolean
}

/** A total that is paid in parts. */
export interface SubscriptionPlan {
  /** `fixed_cycles` or `fixed_cycle_amount`. */
  plan_type: string
  /** The number of payments; null where it is not fixed. */
  fixed_cycles?: number | null
  /** The amount of each payment; null where it is not fixed. */
  fixed_cycle_amount?: number | null
}

/** Plans that split a total into payments. */
export interface SubscriptionPlanConfiguration {
  /** Whether plans are accepted. Default: true. */
  enabled: boolean | null
  /** Whether a fixed number of payments is offered. Default: true. */
  fixed_cycle: boolean | null
  /** Whether a fixed amount of each payment is offered. Default: true. */
  fixed_cycle_amount: boolean | null
  /** Stored, no effect yet. */
  supported_payment_types: string[] | null
  /** The smallest total of a plan; null: any. */
  min_charge_amount: Money | null
  /** How long a plan may run. As an ISO-8601 duration. */
  max_payout_period: string | null
}

/** The status of a subscription. `current` is paid up; in `unpaid` a payment is retried. */
export type SubscriptionStatus = 'unverified' | 'unconfirmed' | 'authorized' | 'current' | 'unpaid' | 'suspended' | 'canceled' | 'completed'

/** The billing plan of a subscription. */
export interface SubscriptionTerms {
  /** The amount of the first payment, if it is another one; it is always paid immediately. */
  initial_amount?: number | null
  /** The billing cycle. Either this or `cyclical_period`. */
  period?: 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'bimonthly' | 'quarterly' | 'semiannually' | 'annually' | null
  /** The billing cycle as an ISO-8601 duration of whole days, weeks, months or years. */
  cyclical_period?: string | null
  /** The billing schedule. */
  schedule_settings?: CreateScheduleSettings | null
  /**
   * One charge that the card company splits into installments. Cannot be combined with
   * `subscription_plan`.
   */
  installment_plan?: CreateInstallmentPlan | null
  /** Splits the total into parts. Cannot be combined with `installment_plan`. */
  subscription_plan?: CreateSubscriptionPlan | null
  /** Whether the first payment is only authorized. Default: false. */
  first_charge_authorization_only?: boolean | null
  /** The time between authorization and capture of the first payment. */
  first_charge_capture_after?: string | null
}

/** A brand that the store accepts. */
export interface SupportedBrand {
  /** How the customer pays. */
  payment_type: PaymentType
  /** The brand. */
  brand: string
  /** The same for a card; otherwise null. */
  card_brand?: string | null
  /** The same for a QR code; otherwise null. */
  qr_brand?: string | null
  /** The same for an online brand; otherwise null. */
  online_brand?: string | null
  /** Whether `POST /checkout_info/gateways/{gateway}` has more information about the brand. */
  dynamic_info: boolean
  /** Whether a charge can be authorized first and captured later. */
  support_auth_capture: boolean
  /** Whether the name of the customer is needed. */
  requires_full_name: boolean
  /** Whether the security code is needed. */
  requires_cvv: boolean
  /** Always null: every country. */
  countries_allowed: string[] | null
  /** The currencies that are charged without conversion. */
  supported_currencies: string[]
  /** Whether the security code can be checked when a token is created. */
  cvv_auth: boolean
  /** Whether the card company can split the payment. */
  installment_capable: boolean
  /** Whether amounts in other currencies are converted. */
  mcp_capable: boolean
  /** Whether all amounts are converted: always false. */
  mcp_only: boolean
  /** The URL of a logo; null without one. */
  logo_url: string | null
}

/** A picture as SVG. */
export type SvgFile = string

/** The time of test mode. */
export interface TestClock {
  /** The time of test mode for this merchant. */
  now: Instant
  /** The lead of test mode over real time, in milliseconds. */
  ahead_ms: number
}

/** Money that the simulator has received for a charge. */
export interface TestDeposit {
  /** The reference of the deposit at the simulated bank or convenience store. */
  reference: Uuid
  /** The charge that it belongs to. */
  charge_id: Uuid
  /** The amount in the smallest unit of the currency; yen have no decimals. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The name of the payer; null when none was sent. */
  name: string | null
}

/** A scenario of test mode. */
export interface TestScenario {
  /**
   * A stable identifier. Scenarios of one kind differ after the colon, as in `qr_wallet:pay_pay`.
   */
  id: string
  /** The kind of value or call that selects the scenario, such as a card or a deposit. */
  group: string
  /** The value or the call that selects the scenario. */
  trigger: string
  /** The former name of `trigger`, with the same value. */
  lever: string
  /** The outcome of the scenario. */
  effect: string
}

/** The scenarios of test mode. */
export interface TestScenarios {
  /** Every scenario, in the order of the documentation. */
  items: TestScenario[]
}

/** The 3-D Secure settings of a charge or subscription. */
export interface ThreeDs {
  /** The 3-D Secure mode; null if it was not given. */
  mode: ThreeDsMode | null
  /** The cardholder's destination after a challenge; null if not given. */
  redirect_endpoint: string | null
  /** The id of the redirection; null without an endpoint. */
  redirect_id: Uuid | null
}

/** The 3-D Secure mode. */
export type ThreeDsMode = 'normal' | 'require' | 'force' | 'skip' | 'if_available' | 'provided'

/** Everything that happened to a payment, in order. */
export interface Timeline {
  /** The entries, the oldest first. */
  items: TimelineEntry[]
  /** Whether there are more entries than shown. */
  has_more: boolean
}

/** An entry of the kind `action`. */
export type TimelineAction = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'action'
  /** The fields of the kind. */
  details: TimelineActionDetails
}

/** The details of the kind `action`. */
export interface TimelineActionDetails {
  /** The charge, or the related object. */
  resource_type: 'charge' | 'transaction_token' | 'refund' | 'cancel' | 'deposit' | 'dispute'
  /** The id of that resource. */
  resource_id: Uuid
  /** The id of the action in the audit log. */
  action_id: Uuid
  /** The user's action: an operation of the API. */
  action: string
  /** Whether it began, ended or was refused. */
  step: string
  /** The user. */
  user_id: Uuid
}

/** The source of an entry. */
export type TimelineActor = 'api' | 'person' | 'customer' | 'rule' | 'provider' | 'worker' | 'ledger' | 'webhook'

/** An entry of the kind `checkout`. */
export type TimelineCheckout = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'checkout'
  /** The fields of the kind. */
  details: TimelineCheckoutDetails
}

/** The details of the kind `checkout`. */
export interface TimelineCheckoutDetails {
  /** The checkout session on whose page the customer paid. */
  checkout_session_id: Uuid
  /** The payment link that led there; null without one. */
  payment_link_id: Uuid | null
}

/** An entry of the kind `created`. */
export type TimelineCreated = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'created'
  /** The fields of the kind. */
  details: TimelineCreatedDetails
}

/** The details of the kind `created`. */
export interface TimelineCreatedDetails {
  /** The charge, or the related object. */
  resource_type: 'charge' | 'transaction_token' | 'refund' | 'cancel' | 'deposit' | 'dispute'
  /** The id of that resource. */
  resource_id: Uuid
  /** The amount in the smallest unit; null without one. */
  amount: number | null
  /** The currency; null without an amount. */
  currency: string | null
}

/** An entry of the kind `delivery`. */
export type TimelineDelivery = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'delivery'
  /** The fields of the kind. */
  details: TimelineDeliveryDetails
}

/** The details of the kind `delivery`. */
export interface TimelineDeliveryDetails {
  /** The event. */
  event_id: Uuid
  /** The name of the event. */
  event: string
  /** The webhook. */
  webhook_id: Uuid
  /** The store of the webhook; null: all stores. */
  store_id: Uuid | null
  /** The destination address; null for users without permission to read webhooks. */
  url: string | null
  /** The number of the attempt. */
  attempt: number
  /** The HTTP status of the response; null without one. */
  status: number | null
  /** The reason for a missing response; null with a response. */
  error: string | null
  /**
   * The beginning of an unsuccessful response; null otherwise, and without permission for
   * webhooks.
   */
  answer: string | null
}

/** An entry of the kind `deposit`. */
export type TimelineDeposit = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'deposit'
  /** The fields of the kind. */
  details: TimelineDepositDetails
}

/** The details of the kind `deposit`. */
export interface TimelineDepositDetails {
  /** The deposit. */
  deposit_id: Uuid
  /** The outcome. */
  status: string
  /** The amount in the smallest unit; null without one. */
  amount: number | null
  /** The currency; null without an amount. */
  currency: string | null
  /** Why it was returned; otherwise null. */
  return_reason: string | null
}

/** Something that happened to a payment. */
export type TimelineEntry = TimelineCheckout | TimelineRequest | TimelineAction | TimelineRule | TimelineCreated | TimelineProviderCall | TimelineStatusChange | TimelineLedger | TimelineDeposit | TimelineEvent | TimelineDelivery

/** The common fields of timeline entries. */
export interface TimelineEntryFields {
  /** The time. */
  on: Instant
  /** The source. */
  actor: TimelineActor
  /** The description in one sentence. */
  title: string
  /** The duration; null if unknown. */
  duration_ms: number | null
}

/** An entry of the kind `event`. */
export type TimelineEvent = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'event'
  /** The fields of the kind. */
  details: TimelineEventDetails
}

/** The details of the kind `event`. */
export interface TimelineEventDetails {
  /** The charge, or the related object. */
  resource_type: 'charge' | 'transaction_token' | 'refund' | 'cancel' | 'deposit' | 'dispute'
  /** The id of that resource. */
  resource_id: Uuid
  /** The event. */
  event_id: Uuid
  /** The name of the event. */
  event: string
}

/** An entry of the kind `ledger`. */
export type TimelineLedger = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'ledger'
  /** The fields of the kind. */
  details: TimelineLedgerDetails
}

/** The details of the kind `ledger`. */
export interface TimelineLedgerDetails {
  /** The ledger transaction. */
  ledger_id: Uuid
  /** The recorded action. */
  ledger_kind: string
  /** Its step in a dispute; null without one. */
  dispute_step: string | null
  /** Its entries. */
  entries: LedgerEntry[]
}

/** An entry of the kind `provider_call`. */
export type TimelineProviderCall = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'provider_call'
  /** The fields of the kind. */
  details: TimelineProviderCallDetails
}

/** The details of the kind `provider_call`. */
export interface TimelineProviderCallDetails {
  /** The charge, or the related object. */
  resource_type: 'charge' | 'transaction_token' | 'refund' | 'cancel' | 'deposit' | 'dispute'
  /** The id of that resource. */
  resource_id: Uuid
  /** The payment provider. */
  provider: string
  /** The requested operation: `authorize`, `capture`, `refund` and others. */
  operation: string
  /** The number of the attempt. */
  attempt: number
  /** Whether only the outcome was inquired. */
  is_inquiry: boolean
  /** The provider's response; null before it. */
  outcome: string | null
  /** The code of the error of the payment, such as 311; null without one. */
  code: number | null
  /** The provider's own code; null without one. */
  raw_code: string | null
  /** The provider's own message; null without one. */
  raw_message: string | null
}

/** An entry of the kind `request`. */
export type TimelineRequest = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'request'
  /** The fields of the kind. */
  details: TimelineRequestDetails
}

/** The details of the kind `request`. */
export interface TimelineRequestDetails {
  /** The id of the request. */
  request_id: string
  /** The operation of the API; null where there is none. */
  operation: string | null
  /** The HTTP method. */
  method: string
  /** The path, with its ids. */
  path: string
  /** The HTTP status of the response. */
  status: number
  /** The application token, or the user. */
  token_id: Uuid
  /** The idempotency key; null without one. */
  idempotency_key: string | null
  /** The error code of a refused request; otherwise null. */
  error_code: string | null
  /** The fields that were refused. */
  fields: string[]
}

/** An entry of the kind `rule`. */
export type TimelineRule = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'rule'
  /** The fields of the kind. */
  details: TimelineRuleDetails
}

/** The details of the kind `rule`. */
export interface TimelineRuleDetails {
  /** The charge, or the related object. */
  resource_type: 'charge' | 'transaction_token' | 'refund' | 'cancel' | 'deposit' | 'dispute'
  /** The id of that resource. */
  resource_id: Uuid
  /** The code of the error of the payment, such as 311; null without one. */
  code: number | null
  /** The error code of the response; null without one. */
  error_code: string | null
  /** The rule or limit. */
  message: string
}

/** An entry of the kind `status_change`. */
export type TimelineStatusChange = TimelineEntryFields & {
  /** The kind of entry. */
  kind: 'status_change'
  /** The fields of the kind. */
  details: TimelineStatusChangeDetails
}

/** The details of the kind `status_change`. */
export interface TimelineStatusChangeDetails {
  /** The charge, or the related object. */
  resource_type: 'charge' | 'transaction_token' | 'refund' | 'cancel' | 'deposit' | 'dispute'
  /** The id of that resource. */
  resource_id: Uuid
  /** The previous status; null at creation. */
  from: string | null
  /** The status after. */
  to: string
  /** The code of the error of the payment, such as 311; null without one. */
  code: number | null
}

/** The transaction token behind an alias. */
export interface TokenAlias {
  /** The id of the transaction token. */
  id: Uuid
  /** The alias. */
  key: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The e-mail of the customer; null without one. */
  email: string | null
  /** How the customer pays. */
  payment_type: PaymentType
  /** Whether the token can be charged. */
  active: boolean
  /** The mode it belongs to. */
  mode: Mode
  /** The kind of token. */
  type: TokenType
  /**
   * The amount of the planned payment, in the smallest unit of the currency; null if not given.
   */
  amount: number | null
  /** The currency of the planned payment; null if not given. */
  currency: string | null
  /** The keys and values that were stored with the alias. */
  alias_metadata: Metadata
  /** The alias's expiry. */
  valid_until: Instant
  /** The creation time of the token. */
  created_on: Instant
  /** The time of the token's last charge; null before it. */
  last_used_on: Instant | null
}

/** An event about the kind of resource `token`. */
export type TokenEvent = EventFields & {
  /** The name of the event. */
  event: 'token_created' | 'token_updated' | 'token_three_ds_updated' | 'token_cvv_auth_updated' | 'token_cvv_auth_check_updated' | 'token_replaced' | 'recurring_token_deleted' | 'token_three_d_s_updated'
  /** The resource as it was at that moment. */
  data: TransactionToken
}

/** The common fields of transaction tokens. */
export interface TokenFields {
  /** The id of the transaction token. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The e-mail of the customer; null without one, and for a browser without the secret. */
  email: string | null
  /** How the customer pays. */
  payment_type: PaymentType
  /** Whether it can be charged: false when it was used up, deleted or has expired. */
  active: boolean
  /** The mode it belongs to. */
  mode: Mode
  /** The kind of token. */
  type: TokenType
  /** The charge limit: a number, or an interval such as `monthly`; null: no limit. */
  usage_limit: string | null
  /** Whether the customer has confirmed it; null where no confirmation is needed. */
  confirmed: boolean | null
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The IPv4 address of the customer; null without one, and for a browser without the secret. */
  ip_address: string | null
  /** The time of the last change. */
  updated_on: Instant
  /** The time of the last charge; null before it. */
  last_used_on: Instant | null
  /** After a renewal: the token that this one replaces. */
  previous_id?: Uuid
  /**
   * The creation time: milliseconds since 1970 in the response to the creation, otherwise
   * ISO-8601.
   */
  created_on: number | string
}

/** The authentication of a token with 3-D Secure. */
export interface TokenThreeDs {
  /** Whether the token is authenticated, or being authenticated. */
  enabled: boolean
  /**
   * `pending`, `awaiting` the cardholder, `successful`, `failed` or `error`; null if not enabled.
   */
  status: string | null
  /** The cardholder's destination after a challenge; null if not given. */
  redirect_endpoint: string | null
  /** The id of the redirection; null if not enabled. */
  redirect_id: Uuid | null
  /** The reason for the failure; null without one. */
  error: PaymentError | null
  /** Whether the authentication was waived: always false. */
  exempted: boolean
}

/** An authentication with 3-D Secure. */
export interface TokenThreeDsInput {
  /** Whether the cardholder is authenticated. Default: false. */
  enabled?: boolean
  /** The cardholder's destination after a challenge. */
  redirect_endpoint?: string | null
}

/** The use of a transaction token: one charge, a subscription, or any number of charges. */
export type TokenType = 'one_time' | 'subscription' | 'recurring'

/** The payment details of a customer. `payment_type` determines the fields of `data`. */
export type TransactionToken = CardToken | ApplePayToken | QrScanToken | QrMerchantToken | KonbiniToken | PaidyToken | OnlineToken | BankTransferToken

/** A transaction token in a list. */
export interface TransactionTokenItem {
  /** The id of the transaction token. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store that it belongs to. */
  store_id: Uuid
  /** The e-mail of the customer; null without one, and for a browser without the secret. */
  email: string | null
  /** How the customer pays. */
  payment_type: PaymentType
  /** Whether it can be charged: false when it was used up, deleted or has expired. */
  active: boolean
  /** The mode it belongs to. */
  mode: Mode
  /** The kind of token. */
  type: TokenType
  /** The charge limit: a number, or an interval such as `monthly`; null: no limit. */
  usage_limit: string | null
  /** Whether the customer has confirmed it; null where no confirmation is needed. */
  confirmed: boolean | null
  /** Keys and values of your own, returned as you sent them. */
  metadata: Metadata
  /** The IPv4 address of the customer; null without one, and for a browser without the secret. */
  ip_address: string | null
  /** The time of the last change. */
  updated_on: Instant
  /** The time of the last charge; null before it. */
  last_used_on: Instant | null
  /** The creation time. */
  created_on: Instant
  /** The name of the merchant. */
  merchant_name: string
  /** The name of the store. */
  store_name: string
  /** The payer. */
  user_data: PayerSummary
}

/** A page of a list. */
export interface TransactionTokenPage {
  /** The items of this page. */
  items: TransactionTokenItem[]
  /** Whether more follow. */
  has_more: boolean
}

/** A payout of the amount owed to the merchant. */
export interface Transfer {
  /** The id of the transfer. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The account for this payout; null without one. */
  bank_account_id: Uuid | null
  /** The mode it belongs to. */
  mode: Mode
  /** The sum of its ledger transactions, in the smallest unit of the currency. */
  amount: number
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** The state, changed by the operator. */
  status: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled'
  /** Always null; the reason is in `error_text`. */
  error_code: string | null
  /** The reason for the failure or cancellation; otherwise null. */
  error_text: string | null
  /** Keys and values of the operator. */
  metadata: Metadata
  /** A note of the operator; null without one. */
  note: string | null
  /** The posting time of its oldest sale. */
  from: Instant
  /** Sales posted before this time are in it. */
  to: Instant
  /** The creator: `operator`, or `schedule`. */
  started_by: string
  /** The creation time. */
  created_on: Instant
}

/** An event about the kind of resource `transfer`. */
export type TransferEvent = EventFields & {
  /** The name of the event. */
  event: 'transfer_created' | 'transfer_updated' | 'transfer_finalized'
  /** The resource as it was at that moment. */
  data: Transfer
}

/** A page of a list. */
export interface TransferPage {
  /** The items of this page. */
  items: Transfer[]
  /** Whether more follow. */
  has_more: boolean
}

/** A part of a payout. The parts of a payout sum to its amount. */
export interface TransferPart {
  /** The kind of ledger lines: sales, fees, refunds, disputes or other adjustments. */
  part: 'sales' | 'fees' | 'refunds' | 'disputes' | 'adjustments'
  /** By how much it changes the payout, in the smallest unit: fees and refunds are negative. */
  amount: number
  /** The same amount in the major unit of the currency: 2.5 for 250 cents. */
  amount_formatted: number
  /** How many ledger transactions it sums. */
  count: number
}

/** The sums that make up a transfer. */
export interface TransferParts {
  /** The sums by kind; a kind without lines is absent. */
  parts: TransferPart[]
}

/** The payout schedule of the merchant. The operator sets it. */
export interface TransferSchedule {
  /** How old a sale must be to be paid out. As an ISO-8601 duration. */
  wait_period: string | null
  /** How often the merchant is paid. */
  period: 'weekly' | 'biweekly' | 'semimonthly' | 'monthly' | 'bimonthly' | null
  /** Whether only sales before the current period are paid out. */
  full_period_required: boolean | null
  /** The day of the week on which it is paid. */
  day_of_week: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
  /** The week of the month in which it is paid, together with `day_of_week`. */
  week_of_month: 'first' | 'second' | 'third' | 'fourth' | 'last' | null
  /** The day of the month on which it is paid, or the last of a shorter month. */
  day_of_month: number | null
  /** The last day of sales in a weekly payout. */
  weekly_closing_day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
  /** With a weekly period: the day on which it is paid. */
  weekly_payout_day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
}

/** A change of the status of a transfer. */
export interface TransferStatusChange {
  /** The id of the change. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The transfer that changed. */
  transfer_id: Uuid
  /** The status before. */
  old_status: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled'
  /** The status after. */
  new_status: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled'
  /** Why it changed; null if not given. */
  reason: string | null
  /** The creation time. */
  created_on: Instant
}

/** A page of a list. */
export interface TransferStatusChangePage {
  /** The items of this page. */
  items: TransferStatusChange[]
  /** Whether more follow. */
  has_more: boolean
}

/** All accounts of a mode and currency together. */
export interface TrialBalance {
  /** The mode it belongs to. */
  mode: Mode
  /** The currency, as an ISO-4217 code in capitals. */
  currency: string
  /** The sum of the balances above zero. */
  debits: number
  /** The sum of the balances below zero, as a positive number. */
  credits: number
  /** Debits less credits: zero. */
  difference: number
}

/** An event that a webhook can be sent. */
export type Trigger = 'token_created' | 'token_updated' | 'token_three_ds_updated' | 'token_cvv_auth_updated' | 'token_cvv_auth_check_updated' | 'token_replaced' | 'recurring_token_deleted' | 'charge_updated' | 'charge_finished' | 'refund_finished' | 'cancel_finished' | 'customs_declaration_finished' | 'bank_transfer_status_updated' | 'dispute_created' | 'dispute_updated' | 'dispute_closed' | 'subscription_created' | 'subscription_payment' | 'subscription_failure' | 'subscription_canceled' | 'subscription_suspended' | 'subscription_completed' | 'checkout_completed' | 'checkout_expired' | 'transfer_created' | 'transfer_updated' | 'transfer_finalized' | 'reconciliation_finished' | 'token_three_d_s_updated'

/** Upcoming work in test mode until a time. */
export interface Upcoming {
  /** Upcoming work, the next first, at most 200 items. */
  items: UpcomingItem[]
  /** Whether there is more than is shown. */
  has_more: boolean
}

/** Something that becomes due in test mode. */
export interface UpcomingItem {
  /** The due time. */
  on: Instant
  /** The kind. */
  kind: UpcomingKind
  /** The charge, subscription, checkout session, refund, deposit or webhook. */
  resource_id: Uuid
  /** The store that it belongs to; null without one. */
  store_id: Uuid | null
  /** The amount of money; null without one. */
  amount: number | null
  /** The currency of the amount; null without one. */
  currency: string | null
}

/** Upcoming work. */
export type UpcomingKind = 'charge_processing' | 'scheduled_capture' | 'authorization_expiry' | 'payment_expiry' | 'refund_processing' | 'cancel_processing' | 'customs_processing' | 'subscription_payment' | 'subscription_retry' | 'checkout_expiry' | 'deposit_return' | 'dispute_deadline' | 'webhook_retry'

/** Changes to a bank account. An account with another number is another account. */
export interface UpdateBankAccount {
  /** The name of the account holder. */
  holder_name?: string
  /** The name of the bank. */
  bank_name?: string
  /** The name of the branch; null without one. */
  branch_name?: string | null
  /** The address of the bank; null without one. */
  bank_address?: string | null
  /**
   * The routing number of the bank, where the country has one; otherwise null. In Japan the codes
   * of bank and branch, such as `0001-001`.
   */
  routing_number?: string | null
  /** The SWIFT code (BIC) of the bank; null without one. */
  swift_code?: string | null
  /** The IFSC code of the branch, in India; otherwise null. */
  ifsc_code?: string | null
  /** Another code of the bank, where the country has one; otherwise null. */
  routing_code?: string | null
  /** Whether it is a checking or a savings account. */
  account_type?: 'checking' | 'savings'
  /** Whether payouts go to this account. A merchant has one primary account. */
  primary?: boolean
}

/** Bank transfers. */
export interface UpdateBankTransferConfiguration {
  /** Whether bank transfers are accepted. Default: true. */
  enabled?: boolean | null
  /** Stored, no effect yet. */
  automatic_extension_enabled?: boolean | null
  /** Stored, no effect yet. */
  remind_notification_enabled?: boolean | null
  /** Stored, no effect yet. */
  charge_request_notification_enabled?: boolean | null
  /** Stored, no effect yet. */
  charge_request_canceled_notification_enabled?: boolean | null
  /** Stored, no effect yet. */
  charge_expired_notification_enabled?: boolean | null
  /** Stored, no effect yet. */
  deposit_received_notification_enabled?: boolean | null
  /** Stored, no effect yet. */
  deposit_insufficient_notification_enabled?: boolean | null
  /** Stored, no effect yet. */
  deposit_exceeded_notification_enabled?: boolean | null
  /** Stored, no effect yet. */
  extension_notification_enabled?: boolean | null
  /** The handling of a transfer of another amount. Default: exact. */
  match_amount?: 'disabled' | 'exact' | 'minimum' | 'maximum' | null
  /** How long customers can pay. Default: 7 days. As an ISO-8601 duration. */
  expiration?: string | null
  /** The time of day at which payments expire. */
  expiration_time_shift?: UpdateExpirationTimeShift | null
  /** Stored, no effect yet. */
  virtual_bank_accounts_threshold?: number | null
  /** Stored, no effect yet. */
  virtual_bank_accounts_fetch_count?: number | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  default_extension_period?: string | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  maximum_extension_period?: string | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  remind_notification_period?: string | null
}

/** Changes to a cancel. */
export interface UpdateCancel {
  /** Keys that are added or replaced; all others stay as they are. */
  metadata?: Metadata
}

/** Fees by card network. The operator sets them. */
export interface UpdateCardBrandPercentFees {
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  visa?: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  american_express?: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  mastercard?: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  maestro?: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  discover?: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  jcb?: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  diners_club?: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  union_pay?: number | null
  /** The fee in percent for cards of this network, instead of `percent_fee`. */
  private_label?: number | null
}

/** The rule for requesting a stored card's security code again. */
export interface UpdateCardChargeCvvConfirmation {
  /** Whether a stored card needs its security code again. Default: false. */
  enabled?: boolean | null
  /** From which amounts; empty: always. */
  threshold?: Money[] | null
}

/** Which cards are accepted, and how. */
export interface UpdateCardConfiguration {
  /** Whether cards are accepted. Default: true. */
  enabled?: boolean | null
  /** Whether debit cards are accepted. Default: true. */
  debit_enabled?: boolean | null
  /** Whether prepaid cards are accepted. Default: true. */
  prepaid_enabled?: boolean | null
  /** Whether debit cards can be authorized without capture. Default: true. */
  debit_authorization_enabled?: boolean | null
  /** Whether prepaid cards can be authorized without capture. Default: true. */
  prepaid_authorization_enabled?: boolean | null
  /** Whether cards of issuers in other countries are accepted. Default: true. */
  foreign_cards_allowed?: boolean | null
  /** Whether a card is refused with another e-mail than it was first used with. Default: false. */
  fail_on_new_email?: boolean | null
  /** Whether the security code may be absent. Default: false. */
  allow_empty_cvv?: boolean | null
  /** Whether charges fail instead of being converted to another currency. Default: false. */
  only_direct_currency?: boolean | null
  /** Whether every cardholder is authenticated. Default: false. */
  three_ds_required?: boolean | null
  /** Whether cards need a billing address. Default: false. */
  three_ds_address_required?: boolean | null
  /** Whether cards need a phone number. Default: false. */
  three_ds_phone_number_required?: boolean | null
  /** Whether `three_ds_mode: skip` is allowed. Default: false. The operator sets it. */
  three_ds_skip_enabled?: boolean | null
  /** Whether card tokens can be created with the secret, not only from pages. Default: true. */
  allow_direct_token_creation?: boolean | null
  /** Card networks that are refused. */
  forbidden_card_brands?: string[] | null
  /** Stored, no effect yet. */
  allowed_countries_by_ip?: string[] | null
  /** The maximum amount of one card within a period; null: no limit. */
  card_limit?: CardLimit | null
}

/** Changes to the card of a token. */
export interface UpdateCardInput {
  /**
   * The security code. Required unless the store allows it to be absent; it is deleted after its
   * first use.
   */
  cvv?: string | number | null
  /** The name on the card. */
  cardholder?: string
  /** The month in which the card expires, 1 to 12. */
  exp_month?: string | number
  /** The year in which the card expires, with two or four digits. */
  exp_year?: string | number
  /** The first line of the billing address. */
  line1?: string | null
  /** The second line of the billing address. */
  line2?: string | null
  /** The state or prefecture. */
  state?: string | null
  /** The city. */
  city?: string | null
  /** The country, as an ISO-3166 code of two letters. */
  country?: string | null
  /** The postal code. */
  zip?: string | null
  /** The phone number of the customer. */
  phone_number?: PhoneInput | null
  /** Checks the security code with the issuer before the first charge. */
  cvv_authorize?: CvvAuthorizeInput
}

/** The plans that card companies offer. */
export interface UpdateCardProcessor {
  /** Whether revolving payments are offered. Default: true. */
  revolving?: boolean | null
  /** Whether a fixed number of installments is offered. Default: true. */
  fixed_cycle?: boolean | null
}

/** Changes to a charge. */
export interface UpdateCharge {
  /** Keys that are added or replaced; all others stay as they are. */
  metadata?: Metadata
}

/** Changes to a refund that the body names. */
export interface UpdateChargeRefund {
  /** Why the money is returned. */
  reason?: 'fraud' | 'duplicate' | 'customer_request' | null
  /** A note about the refund, at most 1,000 characters. */
  message?: string | null
  /** Keys that are added or replaced; all others stay as they are. */
  metadata?: Metadata
  /** The id of the refund; not needed when the charge has only one. */
  id?: Uuid
  /** The same as `id`. */
  refund_id?: Uuid
}

/** The look of the pages that customers see. */
export interface UpdateCheckoutConfiguration {
  /** Stored, no effect yet. */
  ec_email?: UpdateEcEmail | null
  /** Stored, no effect yet. */
  ec_products?: UpdateEcProducts | null
  /**
   * The color of buttons and links on the pages of customers, such as #1f5eff. Texts keep a
   * readable contrast with every color.
   */
  main_color?: string | null
  /** The address for customers' questions. */
  contact_email?: string | null
  /** The number that customers call. */
  contact_phone?: string | null
  /** A page for questions of customers. */
  contact_url?: string | null
  /** The disclosure by the Act on Specified Commercial Transactions (特定商取引法に基づく表記). */
  commercial_disclosure_url?: string | null
  /** The privacy policy. */
  privacy_url?: string | null
  /** The terms of sale. */
  terms_url?: string | null
}

/** Changes to the address of the company. */
export interface UpdateContactInfo {
  /** The name of the person to contact. */
  name?: string
  /** The name of the company. */
  company_name?: string
  /** The phone number of the company. */
  phone_number?: VerificationPhone
  /** The first line of the address. */
  line1?: string
  /** The second line of the address. */
  line2?: string | null
  /** The city. */
  city?: string
  /** The state or prefecture. */
  state?: string
  /** The country, as an ISO-3166 code of two letters. */
  country?: string
  /** The postal code. */
  zip?: string
}

/** Payments at convenience stores. */
export interface UpdateConvenienceConfiguration {
  /** Whether customers can pay at convenience stores. Default: true. */
  enabled?: boolean | null
  /** How long customers can pay. Default: 30 days. As an ISO-8601 duration. */
  expiration?: string | null
  /** The time of day at which payments expire. */
  expiration_time_shift?: UpdateExpirationTimeShift | null
}

/** Stored, no effect yet. */
export interface UpdateCustomerManagementConfiguration {
  /** Stored, no effect yet. */
  enabled?: boolean | null
  /** Stored, no effect yet. */
  default_roles?: string[] | null
  /** Stored, no effect yet. */
  default_mode?: string | null
}

/** Changes to a successful customs declaration. */
export interface UpdateCustomsDeclaration {
  /** The changes. Their fields may also be at the top level of the body. */
  declaration: CustomsDeclarationChange
}

/** Stored, no effect yet. */
export interface UpdateDescriptorProvidedConfiguration {
  /** Stored, no effect yet. */
  name?: string | null
  /** Stored, no effect yet. */
  phone_number?: string | null
}

/** Changes to the evidence of a dispute. */
export interface UpdateDispute {
  /** Texts to add or replace, at most 5,000 characters each; null removes one. */
  evidence?: UpdateDisputeEvidence
  /** Whether to send texts and files to the bank now. That can be done once. */
  submit?: boolean
}

/** The evidence texts to update. */
export interface UpdateDisputeEvidence {
  /** The reasons why the charge is valid. */
  explanation?: string | null
  /** The sale and its terms. */
  product?: string | null
  /** Your data about the customer, and your correspondence. */
  customer?: string | null
  /** The delivery: method, date and parcel number. */
  delivery?: string | null
  /** Your refund policy, and its disclosure to the customer. */
  refund_policy?: string | null
}

/** Stored, no effect yet. */
export interface UpdateEcEmail {
  /** Stored, no effect yet. */
  enabled?: boolean | null
}

/** Stored, no effect yet. */
export interface UpdateEcProducts {
  /** Stored, no effect yet. */
  enabled?: boolean | null
}

/** The time of day at which payments expire. */
export interface UpdateExpirationTimeShift {
  /** Whether the expiry is moved to a time of its day. Default: false. */
  enabled?: boolean | null
  /** The time of day with its zone, such as 23:59:59+09:00. */
  value?: string | null
}

/** Installments. */
export interface UpdateInstallmentsConfiguration {
  /** Whether installments are accepted. Default: true. */
  enabled?: boolean | null
  /** Whether only the card company splits payments: always the case. */
  only_with_processor?: boolean | null
  /** The smallest total of installments; null: any. */
  min_charge_amount?: Money | null
  /** How long installments may run. As an ISO-8601 duration. */
  max_payout_period?: string | null
  /** Stored, no effect yet. */
  failed_cycles_to_cancel?: number | null
  /** The plans that card companies offer. */
  card_processor?: UpdateCardProcessor | null
  /** Stored, no effect yet. */
  supported_payment_types?: string[] | null
}

/** The new domains of an application token. */
export interface UpdateLegacyAppToken {
  /** All domains of pages that may use the JWT without the secret, at most 50. */
  domains: string[]
}

/** The limit of charges for one card. */
export interface UpdateLimitChargeByCardConfiguration {
  /** How many charges a card can have in the time. */
  quantity_of_charges?: number | null
  /** The time in which charges are counted. As an ISO-8601 duration. */
  duration_window?: string | null
}

/** Stored, no effect yet. */
export interface UpdateLimitRefundBySales {
  /** Stored, no effect yet. */
  enabled?: boolean | null
  /** Stored, no effect yet. */
  period?: string | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  rolling_window?: string | null
}

/** Changes to the merchant. Absent fields stay unchanged. */
export interface UpdateMerchant {
  /** The name of the merchant, 1 to 255 characters. */
  name?: string
  /** The address for mails about the service; null: `email`. */
  notification_email?: string | null
  /** The address for mails about payouts. It is stored and has no effect yet. */
  finance_notification_email?: string | null
  /** Settings to change; null resets one. Fees, payouts and privileges are set by the operator. */
  configuration?: UpdateMerchantConfiguration
}

/** Settings of a merchant, which its stores inherit. Null: the default applies. */
export interface UpdateMerchantConfiguration {
  /** The fee in percent of each charge. The operator sets it. */
  percent_fee?: number | null
  /** The fee for each charge, by currency. The operator sets it. */
  flat_fees?: Money[] | null
  /** The logo of the shop. */
  logo_url?: string | null
  /** The country; amounts are converted to its currency. Default: JP. */
  country?: string | null
  /** The language of mails. */
  language?: string | null
  /** The time zone in which the days of payouts begin. Default: Asia/Tokyo. */
  display_time_zone?: string | null
  /** The smallest payout, in its currency. The operator sets it. */
  min_transfer_payout?: Money | null
  /** The smallest amount of a charge, by currency. */
  minimum_charge_amounts?: Money[] | null
  /** The largest amount of a charge, by currency. */
  maximum_charge_amounts?: Money[] | null
  /** Stored, no effect yet. */
  platform_credentials_enabled?: boolean | null
  /** Stored, no effect yet. */
  tagged_platform_credentials_enabled?: boolean | null
  /** The payout schedule of the merchant. The operator sets it. */
  transfer_schedule?: UpdateTransferSchedule | null
  /** Mails about payments. */
  user_transactions_configuration?: UpdateUserTransactionsConfiguration | null
  /** Which cards are accepted, and how. */
  card_configuration?: UpdateCardConfiguration | null
  /** QR codes of customers. */
  qr_scan_configuration?: UpdateQrScanConfiguration | null
  /** QR codes that the shop displays. */
  qr_merchant_configuration?: UpdateQrMerchantConfiguration | null
  /** The wallet Paidy. */
  paidy_configuration?: UpdatePaidyConfiguration | null
  /** Online brands. */
  online_configuration?: UpdateOnlineConfiguration | null
  /** Payments at convenience stores. */
  convenience_configuration?: UpdateConvenienceConfiguration | null
  /** Bank transfers. */
  bank_transfer_configuration?: UpdateBankTransferConfiguration | null
  /** Recurring tokens. */
  recurring_token_configuration?: UpdateRecurringTokenConfiguration | null
  /** Limits that protect against abuse. */
  security_configuration?: UpdateSecurityConfiguration | null
  /** Installments. */
  installments_configuration?: UpdateInstallmentsConfiguration | null
  /** Subscriptions. */
  subscription_configuration?: UpdateSubscriptionConfiguration | null
  /** Plans that split a total into payments. */
  subscription_plan_configuration?: UpdateSubscriptionPlanConfiguration | null
  /** The look of the pages that customers see. */
  checkout_configuration?: UpdateCheckoutConfiguration | null
  /** Stored, no effect yet. */
  descriptor_provided_configuration?: UpdateDescriptorProvidedConfiguration | null
  /** Stored, no effect yet. */
  customer_management_configuration?: UpdateCustomerManagementConfiguration | null
  /** Fees by card network. The operator sets them. */
  card_brand_percent_fees?: UpdateCardBrandPercentFees | null
}

/** Changes to the next payment of a subscription. */
export interface UpdateNextPayment {
  /** The day of the payment. */
  due_date?: string | null
  /** The amount of the payment, in the smallest unit of the currency. */
  amount?: number | null
  /** Ends the subscription right before this payment, with this status. */
  terminate_with_status?: 'suspended' | 'canceled' | null
}

/** Online brands. */
export interface UpdateOnlineConfiguration {
  /** Whether online brands are accepted. Default: true. */
  enabled?: boolean | null
}

/** The wallet Paidy. */
export interface UpdatePaidyConfiguration {
  /** Whether the wallet is accepted. Default: true. */
  enabled?: boolean | null
}

/** Changes to a payment link. Its items and amount cannot change. */
export interface UpdatePaymentLink {
  /** The description that customers read on the page. */
  name?: string
  /** The maximum number of payments. Default: no limit. */
  max_uses?: number | null
  /** Whether it can be paid at. Default: true. */
  active?: boolean | null
  /** The last time at which customers can start to pay. Default: no limit. */
  expires_on?: string | null
}

/** QR codes that the shop displays. */
export interface UpdateQrMerchantConfiguration {
  /** Whether QR codes can be displayed. Default: true. */
  enabled?: boolean | null
}

/** QR codes of customers. */
export interface UpdateQrScanConfiguration {
  /** Whether QR codes of customers are accepted. Default: true. */
  enabled?: boolean | null
  /** Wallets that are refused. */
  forbidden_qr_scan_gateways?: string[] | null
}

/** Recurring tokens. */
export interface UpdateRecurringTokenConfiguration {
  /**
   * The recurring tokens that can be created: none, only with a `usage_limit`, or all. Default:
   * infinite. The operator sets it.
   */
  recurring_type?: 'none' | 'bounded' | 'infinite' | null
  /**
   * The time after a charge in which the same recurring token is refused, 30 seconds or more. As
   * an ISO-8601 duration.
   */
  charge_wait_period?: string | null
  /** The rule for requesting a stored card's security code again. */
  card_charge_cvv_confirmation?: UpdateCardChargeCvvConfirmation | null
}

/** Changes to a refund. */
export interface UpdateRefund {
  /** Why the money is returned. */
  reason?: 'fraud' | 'duplicate' | 'customer_request' | null
  /** A note about the refund, at most 1,000 characters. */
  message?: string | null
  /** Keys that are added or replaced; all others stay as they are. */
  metadata?: Metadata
}

/** Stored, no effect yet. */
export interface UpdateRestrictIpAfterFailedCharge {
  /** Stored, no effect yet. */
  enabled?: boolean | null
  /** Stored, no effect yet. */
  count?: number | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  cooldown?: string | null
}

/** Limits that protect against abuse. */
export interface UpdateSecurityConfiguration {
  /** Stored, no effect yet. As an ISO-8601 duration. */
  inspect_suspicious_login_after?: string | null
  /** The refundable part of a charge, in percent. Default: 100. */
  refund_percent_limit?: number | null
  /** The limit of charges for one card. */
  limit_charge_by_card_configuration?: UpdateLimitChargeByCardConfiguration | null
  /** Stored, no effect yet. */
  confirmation_required?: boolean | null
  /** The smallest refund, in its currency; null: any. */
  min_refund_threshold?: Money | null
  /** How long after a charge the same card is refused. As an ISO-8601 duration. */
  card_charge_cooldown?: string | null
  /** Stored, no effect yet. As an ISO-8601 duration. */
  subscription_cooldown?: string | null
  /** Stored, no effect yet. */
  restrict_ip_after_failed_charge?: UpdateRestrictIpAfterFailedCharge | null
  /** Stored, no effect yet. */
  limit_refund_by_sales?: UpdateLimitRefundBySales | null
}

/** Changes to a store. Absent fields stay unchanged. */
export interface UpdateStore {
  /** The name of the store, 1 to 255 characters. */
  name?: string
  /** Keys and values of your own to store with it. */
  metadata?: Metadata
  /** Settings of the store; absent ones are inherited from the merchant. */
  configuration?: UpdateStoreConfiguration
}

/** Settings of a store. Null: the merchant's value applies. */
export interface UpdateStoreConfiguration {
  /** The fee in percent of each charge. The operator sets it. */
  percent_fee?: number | null
  /** The fee for each charge, by currency. The operator sets it. */
  flat_fees?: Money[] | null
  /** The logo of the shop. */
  logo_url?: string | null
  /** The country; amounts are converted to its currency. Default: JP. */
  country?: string | null
  /** The language of mails. */
  language?: string | null
  /** The time zone in which the days of payouts begin. Default: Asia/Tokyo. */
  display_time_zone?: string | null
  /** The smallest payout, in its currency. The operator sets it. */
  min_transfer_payout?: Money | null
  /** The smallest amount of a charge, by currency. */
  minimum_charge_amounts?: Money[] | null
  /** The largest amount of a charge, by currency. */
  maximum_charge_amounts?: Money[] | null
  /** Stored, no effect yet. */
  platform_credentials_enabled?: boolean | null
  /** Stored, no effect yet. */
  tagged_platform_credentials_enabled?: boolean | null
  /** Mails about payments. */
  user_transactions_configuration?: UpdateUserTransactionsConfiguration | null
  /** Which cards are accepted, and how. */
  card_configuration?: UpdateCardConfiguration | null
  /** QR codes of customers. */
  qr_scan_configuration?: UpdateQrScanConfiguration | null
  /** QR codes that the shop displays. */
  qr_merchant_configuration?: UpdateQrMerchantConfiguration | null
  /** The wallet Paidy. */
  paidy_configuration?: UpdatePaidyConfiguration | null
  /** Online brands. */
  online_configuration?: UpdateOnlineConfiguration | null
  /** Payments at convenience stores. */
  convenience_configuration?: UpdateConvenienceConfiguration | null
  /** Bank transfers. */
  bank_transfer_configuration?: UpdateBankTransferConfiguration | null
  /** Recurring tokens. */
  recurring_token_configuration?: UpdateRecurringTokenConfiguration | null
  /** Limits that protect against abuse. */
  security_configuration?: UpdateSecurityConfiguration | null
  /** Installments. */
  installments_configuration?: UpdateInstallmentsConfiguration | null
  /** Subscriptions. */
  subscription_configuration?: UpdateSubscriptionConfiguration | null
  /** Plans that split a total into payments. */
  subscription_plan_configuration?: UpdateSubscriptionPlanConfiguration | null
  /** The look of the pages that customers see. */
  checkout_configuration?: UpdateCheckoutConfiguration | null
  /** Stored, no effect yet. */
  descriptor_provided_configuration?: UpdateDescriptorProvidedConfiguration | null
  /** Stored, no effect yet. */
  customer_management_configuration?: UpdateCustomerManagementConfiguration | null
  /** Fees by card network. The operator sets them. */
  card_brand_percent_fees?: UpdateCardBrandPercentFees | null
}

/** Changes to a subscription. Its plan and period are fixed once it runs. */
export interface UpdateSubscription {
  /** The token that is charged from now on. */
  transaction_token_id?: Uuid
  /**
   * The new amount of each cycle, in the smallest unit of the currency. Refused once a plan has
   * started.
   */
  amount?: number
  /** The amount of the first payment, if it is another one; it is always paid immediately. */
  initial_amount?: number | null
  /** The billing cycle. Either this or `cyclical_period`. */
  period?: 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'bimonthly' | 'quarterly' | 'semiannually' | 'annually' | null
  /** The billing cycle as an ISO-8601 duration of whole days, weeks, months or years. */
  cyclical_period?: string | null
  /** The billing schedule. */
  schedule_settings?: CreateScheduleSettings | null
  /**
   * One charge that the card company splits into installments. Cannot be combined with
   * `subscription_plan`.
   */
  installment_plan?: CreateInstallmentPlan | null
  /** Splits the total into parts. Cannot be combined with `installment_plan`. */
  subscription_plan?: CreateSubscriptionPlan | null
  /** Whether the first payment is only authorized. Default: false. */
  first_charge_authorization_only?: boolean | null
  /** The time between authorization and capture of the first payment. */
  first_charge_capture_after?: string | null
  /** `suspended` stops it; `unpaid` resumes a suspended one. */
  status?: 'suspended' | 'unpaid'
  /** Keys that are added or replaced; all others stay as they are. */
  metadata?: Metadata
  /** Changes to the next payment. */
  next_payment?: UpdateNextPayment | null
}

/** Subscriptions. */
export interface UpdateSubscriptionConfiguration {
  /** Whether subscriptions can be created. Default: true. */
  enabled?: boolean | null
  /** Whether a subscription is suspended, not canceled, after its last attempt. Default: true. */
  suspend_on_cancel?: boolean | null
  /** Whether the amount can be changed. Default: true. */
  allow_merchant_amount_patch?: boolean | null
  /** Whether the day of a payment can be changed. Default: true. */
  allow_merchant_due_date_patch?: boolean | null
  /** How often a payment is attempted. Default: 5. */
  failed_charges_to_cancel?: number | null
}

/** Changes to a future payment. */
export interface UpdateSubscriptionPayment {
  /** The day of the payment. */
  due_date?: string | null
  /** `true` marks it as paid in another way: it is not charged. */
  is_paid?: boolean | null
  /** Ends the subscription right before this payment, with this status; null undoes that. */
  terminate_with_status?: 'suspended' | 'canceled' | null
  /** The delay before a failed payment is retried: at least a day, and less than the cycle. */
  retry_interval?: string | null
}

/** Plans that split a total into payments. */
export interface UpdateSubscriptionPlanConfiguration {
  /** Whether plans are accepted. Default: true. */
  enabled?: boolean | null
  /** Whether a fixed number of payments is offered. Default: true. */
  fixed_cycle?: boolean | null
  /** Whether a fixed amount of each payment is offered. Default: true. */
  fixed_cycle_amount?: boolean | null
  /** Stored, no effect yet. */
  supported_payment_types?: string[] | null
  /** The smallest total of a plan; null: any. */
  min_charge_amount?: Money | null
  /** How long a plan may run. As an ISO-8601 duration. */
  max_payout_period?: string | null
}

/** Changes to a transaction token. */
export interface UpdateToken {
  /** The new e-mail of the customer. */
  email?: string
  /** Keys that are added or replaced; all others stay as they are. */
  metadata?: Metadata
  /** Changes to the card: its security code, expiry, cardholder or billing address. */
  data?: UpdateCardInput
}

/** The payout schedule of the merchant. The operator sets it. */
export interface UpdateTransferSchedule {
  /** How old a sale must be to be paid out. As an ISO-8601 duration. */
  wait_period?: string | null
  /** How often the merchant is paid. */
  period?: 'weekly' | 'biweekly' | 'semimonthly' | 'monthly' | 'bimonthly' | null
  /** Whether only sales before the current period are paid out. */
  full_period_required?: boolean | null
  /** The day of the week on which it is paid. */
  day_of_week?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
  /** The week of the month in which it is paid, together with `day_of_week`. */
  week_of_month?: 'first' | 'second' | 'third' | 'fourth' | 'last' | null
  /** The day of the month on which it is paid, or the last of a shorter month. */
  day_of_month?: number | null
  /** The last day of sales in a weekly payout. */
  weekly_closing_day?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
  /** With a weekly period: the day on which it is paid. */
  weekly_payout_day?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
}

/** Mails about payments. */
export interface UpdateUserTransactionsConfiguration {
  /** Stored, no effect yet. */
  enabled?: boolean | null
  /** Stored, no effect yet. */
  notify_customer?: boolean | null
  /** Stored, no effect yet. */
  notify_on_test?: boolean | null
  /** Stored, no effect yet. */
  notify_on_recurring_token_creation?: boolean | null
  /** Stored, no effect yet. */
  notify_on_webhook_failure?: boolean | null
  /**
   * Whether the merchant receives an e-mail when the service deactivates a webhook. Default: true.
   */
  notify_on_webhook_disabled?: boolean | null
  /** Stored, no effect yet. */
  notify_on_subscriptions?: boolean | null
  /** Stored, no effect yet. */
  notify_on_authorizations?: boolean | null
  /** Stored, no effect yet. */
  notify_on_cancels?: boolean | null
  /** Stored, no effect yet. */
  notify_on_convenience_expiry?: boolean | null
  /** Stored, no effect yet. */
  notify_user_on_failed_transactions?: boolean | null
  /** Stored, no effect yet. */
  notify_customer_on_failed_transactions?: boolean | null
}

/** Changes to the verification. Absent fields stay unchanged. */
export interface UpdateVerification {
  /** The homepage of the company. */
  homepage_url?: string
  /** The company's business, at most 2,000 characters. */
  company_description?: string
  /** Changes to the address of the company. */
  company_contact_info?: UpdateContactInfo
  /** The kind of business. */
  business_type?: string
  /** The name of the system manager; null if not given. */
  system_manager_name?: string | null
  /** The phone number of the system manager; null if not given. */
  system_manager_number?: VerificationPhone | null
  /** The e-mail of the system manager; null if not given. */
  system_manager_email?: string | null
  /** The e-mail for customers; null if not given. */
  customer_contact_email?: string | null
  /** The phone number for customers; null if not given. */
  customer_contact_number?: VerificationPhone | null
  /**
   * The recurring tokens that the merchant wants to create: none, only with a `usage_limit`, or
   * all.
   */
  recurring_token_request?: 'none' | 'bounded' | 'infinite' | null
  /** The reason for this request; null if not given. */
  recurring_token_request_reason?: string | null
  /**
   * Whether the merchant wants to create card tokens without a security code; null if not given.
   */
  allow_empty_cvv?: boolean | null
}

/** Changes to a webhook. Absent fields stay unchanged. */
export interface UpdateWebhook {
  /** The URL that receives events. */
  url?: string
  /** The names of the events that are sent. */
  triggers?: Trigger[]
  /**
   * Sent in the `Authorization` header of each delivery, after `Bearer` unless it names a scheme.
   */
  auth_token?: string | null
  /** Whether events are sent. `true` also activates a webhook that the service has deactivated. */
  active?: boolean
  /** With `active: true`: also sends the events missed since this time. */
  resend_from?: string
}

/** An event about the kind of resource `user`. */
export type UserEvent = EventFields & {
  /** The name of the event. */
  event: 'user_created' | 'user_updated' | 'user_disabled' | 'user_locked' | 'password_changed' | 'totp_enabled' | 'totp_removed'
  /** The resource as it was at that moment. */
  data: UserRecord
}

/** The fields of a user in events. */
export interface UserRecord {
  /** The id of the user. */
  id: Uuid
  /** The e-mail of the user, with which they log in. */
  email: string
  /** The name of the user. */
  name: string
  /**
   * The user's role. An `owner` may do everything, a `developer` manages webhooks, tokens and test
   * mode, `staff` manage payments, a `viewer` only reads.
   */
  role: 'owner' | 'developer' | 'staff' | 'viewer'
  /** Whether logging in needs an authenticator app, which live mode requires. */
  totp_enabled: boolean
}

/** Mails about payments. */
export interface UserTransactionsConfiguration {
  /** Stored, no effect yet. */
  enabled: boolean | null
  /** Stored, no effect yet. */
  notify_customer: boolean | null
  /** Stored, no effect yet. */
  notify_on_test: boolean | null
  /** Stored, no effect yet. */
  notify_on_recurring_token_creation: boolean | null
  /** Stored, no effect yet. */
  notify_on_webhook_failure: boolean | null
  /**
   * Whether the merchant receives an e-mail when the service deactivates a webhook. Default: true.
   */
  notify_on_webhook_disabled: boolean | null
  /** Stored, no effect yet. */
  notify_on_subscriptions: boolean | null
  /** Stored, no effect yet. */
  notify_on_authorizations: boolean | null
  /** Stored, no effect yet. */
  notify_on_cancels: boolean | null
  /** Stored, no effect yet. */
  notify_on_convenience_expiry: boolean | null
  /** Stored, no effect yet. */
  notify_user_on_failed_transactions: boolean | null
  /** Stored, no effect yet. */
  notify_customer_on_failed_transactions: boolean | null
}

/** An id that this service has assigned. */
export type Uuid = string

/** A merchant's application for live mode. */
export interface Verification {
  /** The id of the verification. */
  id: Uuid
  /** The homepage of the company. */
  homepage_url: string
  /** The company's business, at most 2,000 characters. */
  company_description: string
  /** The address of the company. */
  company_contact_info: VerifiedContactInfo
  /** The kind of business. */
  business_type: string
  /** The name of the system manager; null if not given. */
  system_manager_name: string | null
  /** The phone number of the system manager; null if not given. */
  system_manager_number: VerificationPhone | null
  /** The e-mail of the system manager; null if not given. */
  system_manager_email: string | null
  /** The e-mail for customers; null if not given. */
  customer_contact_email: string | null
  /** The phone number for customers; null if not given. */
  customer_contact_number: VerificationPhone | null
  /**
   * The recurring tokens that the merchant wants to create: none, only with a `usage_limit`, or
   * all.
   */
  recurring_token_request: 'none' | 'bounded' | 'infinite' | null
  /** The reason for this request; null if not given. */
  recurring_token_request_reason: string | null
  /**
   * Whether the merchant wants to create card tokens without a security code; null if not given.
   */
  allow_empty_cvv: boolean | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** A phone number. */
export interface VerificationPhone {
  /** The country code in digits, such as 81. */
  country_code: string | number
  /** The number in the country, in digits. */
  local_number: string
}

/** The address of a company. */
export interface VerifiedContactInfo {
  /** The name of the person to contact. */
  name: string
  /** The name of the company. */
  company_name: string
  /** The phone number of the company. */
  phone_number: VerificationPhone
  /** The first line of the address. */
  line1: string
  /** The second line of the address; null without one. */
  line2: string | null
  /** The city. */
  city: string
  /** The state or prefecture. */
  state: string
  /** The country, as an ISO-3166 code of two letters. */
  country: string
  /** The postal code. */
  zip: string
}

/** The public fields of a card in a wallet. */
export interface WalletCard {
  /** The name on the card. */
  cardholder: string
  /** The month in which the card expires; null in live mode. */
  exp_month: number | null
  /** The year in which the card expires; null in live mode. */
  exp_year: number | null
  /** The first digits of the number; null in live mode. */
  card_bin: string | null
  /** The last four digits of the number; null where the wallet does not name them. */
  last_four: string | null
  /** The card network. */
  brand: string
  /** `credit`, `debit` or `charge_card`; null where it is not known. */
  card_type: string | null
  /** The country of the issuer; null where it is not known. */
  country: string | null
  /** The product of the issuer; null where it is not known. */
  category: string | null
  /** The name of the issuer; null where it is not known. */
  issuer: string | null
  /** A brand within the card network; `none` without one. */
  sub_brand: string
}

/** A URL that events are posted to. */
export interface Webhook {
  /** The id of the webhook. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store whose events are sent; null: events of the whole merchant. */
  store_id: Uuid | null
  /** The names of the events that are sent. */
  triggers: Trigger[]
  /** The URL that receives events. */
  url: string
  /** Sent in the `Authorization` header of each delivery; null without one. */
  auth_token: string | null
  /** Whether events are sent. */
  active: boolean
  /** Whether it belongs to another service: always false. */
  is_integration: boolean
  /** Why the service has deactivated it; null if it has not. */
  disabled_reason: string | null
  /** The time when the service deactivated it; null if it did not. */
  disabled_on: Instant | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** An event about the kind of resource `webhook`. */
export type WebhookEvent = EventFields & {
  /** The name of the event. */
  event: 'webhook_created' | 'webhook_updated' | 'webhook_deleted' | 'webhook_disabled' | 'webhook_ping'
  /** The resource as it was at that moment. */
  data: WebhookRecord
}

/** A page of a list. */
export interface WebhookPage {
  /** The items of this page. */
  items: Webhook[]
  /** Whether more follow. */
  has_more: boolean
}

/** The fields of a webhook in events, without its `auth_token`. */
export interface WebhookRecord {
  /** The id of the webhook. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The store whose events are sent; null: events of the whole merchant. */
  store_id: Uuid | null
  /** The names of the events that are sent. */
  triggers: Trigger[]
  /** The URL that receives events. */
  url: string
  /** Whether events are sent. */
  active: boolean
  /** Whether it belongs to another service: always false. */
  is_integration: boolean
  /** Why the service has deactivated it; null if it has not. */
  disabled_reason: string | null
  /** The time when the service deactivated it; null if it did not. */
  disabled_on: Instant | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** The signing secret or public key of a webhook. */
export interface WebhookSecret {
  /** The signing method: a shared secret or a key pair. */
  type: 'hmac' | 'ed25519'
  /** The key that verifies signatures: `whsec_…`, or a public key `whpk_…`. */
  secret: string
  /** The secret before, which signs as well until it expires; otherwise null. */
  previous_secret: string | null
  /** The time when the previous secret stops signing; null if there is none. */
  previous_secret_expires_on: Instant | null
}

/** The query of `listStores`. */
export interface ListStoresQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Part of the name, in any case. */
  search?: string
}

/** The query of `listAppTokens`. */
export interface ListAppTokensQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Whether to include the items of all stores. By default only those of the merchant itself. */
  with_stores?: boolean
}

/** The query of `listLegacyAppTokens`. */
export interface ListLegacyAppTokensQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items of this mode. */
  mode?: Mode
}

/** The query of `listTokens`. */
export interface ListTokensQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Words of name, e-mail and metadata, each by its beginning. */
  search?: string
  /** Only items whose metadata has this id under `svc-customer-id`. */
  customer_id?: Uuid
  /** Only items of this type. Tokens for one charge are not listed. */
  type?: 'recurring' | 'subscription'
  /** Only items of this mode. */
  mode?: Mode
  /** Only items of this payment type. */
  payment_type?: string
  /** Only chargeable items (`active`), only the others (`inactive`), or `all`. */
  active?: 'active' | 'inactive' | 'all'
  /** The same as `active=all`. */
  all?: boolean
}

/** The query of `getToken`. */
export interface GetTokenQuery {
  /** Wait up to five seconds for the status to change. */
  polling?: boolean
}

/** The query of `getTokenAlias`. */
export interface GetTokenAliasQuery {
  /** `qr` returns a picture of the key as an SVG. */
  media?: 'json' | 'qr'
}

/** The query of `listCharges`. */
export interface ListChargesQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only cards that end in these four digits. Needs `name`, `exp_month` and `exp_year`. */
  last_four?: string
  /** Only cards of this cardholder. Needs `last_four`, `exp_month` and `exp_year`. */
  name?: string
  /** Only cards that expire in this month. Needs `last_four`, `name` and `exp_year`. */
  exp_month?: number
  /** Only cards that expire in this year. Needs `last_four`, `name` and `exp_month`. */
  exp_year?: number
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
  /** Only items of the customer with this e-mail. */
  email?: string
  /** Only items of the customer with this phone number. */
  phone?: string
  /** Only items with this requested amount or more. */
  amount_from?: number
  /** Only items with less than this requested amount. */
  amount_to?: number
  /** Only items requested or charged in this currency. */
  currency?: string
  /** Only items of this mode. */
  mode?: Mode
  /** Only items whose metadata contains words that begin with each of these. */
  metadata?: string
  /** Only items of this transaction token. */
  transaction_token_id?: Uuid
}

/** The query of `getCharge`. */
export interface GetChargeQuery {
  /** Wait up to five seconds for the status to change. */
  polling?: boolean
}

/** The query of `listRefunds`. */
export interface ListRefundsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items whose metadata contains words that begin with each of these. */
  metadata?: string
}

/** The query of `getRefund`. */
export interface GetRefundQuery {
  /** Wait up to five seconds for the status to change. */
  polling?: boolean
}

/** The query of `listCancels`. */
export interface ListCancelsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `getCancel`. */
export interface GetCancelQuery {
  /** Wait up to five seconds for the status to change. */
  polling?: boolean
}

/** The query of `listDisputes`. */
export interface ListDisputesQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items with this status. */
  status?: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted'
  /** Only items with this reason. */
  reason?: 'fraudulent' | 'unrecognized' | 'duplicate' | 'product_not_received' | 'product_unacceptable' | 'subscription_canceled' | 'credit_not_processed' | 'general'
  /** Only items of this charge. */
  charge_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `getDispute`. */
export interface GetDisputeQuery {
  /** Wait up to five seconds for the status to change. */
  polling?: boolean
}

/** The query of `listCustomsDeclarations`. */
export interface ListCustomsDeclarationsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items with this status. */
  status?: CustomsDeclarationStatus
}

/** The query of `getCustomsDeclaration`. */
export interface GetCustomsDeclarationQuery {
  /** Wait up to 30 seconds until it is no longer pending. */
  polling?: boolean
}

/** The query of `listCustomsAttempts`. */
export interface ListCustomsAttemptsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listSubscriptions`. */
export interface ListSubscriptionsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** An id, or words of name, e-mail and metadata, each by its beginning. */
  search?: string
  /** Only items with this status. */
  status?: 'unverified' | 'unconfirmed' | 'authorized' | 'current' | 'unpaid' | 'suspended' | 'canceled' | 'completed' | 'cancelled'
  /** Only items of this mode. */
  mode?: Mode
}

/** The query of `getSubscription`. */
export interface GetSubscriptionQuery {
  /** Wait up to five seconds for the status to change. */
  polling?: boolean
}

/** The query of `getSubscriptionBatch`. */
export interface GetSubscriptionBatchQuery {
  /** Wait up to five seconds for the status to change. */
  polling?: boolean
}

/** The query of `listSubscriptionCharges`. */
export interface ListSubscriptionChargesQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only cards that end in these four digits. Needs `name`, `exp_month` and `exp_year`. */
  last_four?: string
  /** Only cards of this cardholder. Needs `last_four`, `exp_month` and `exp_year`. */
  name?: string
  /** Only cards that expire in this month. Needs `last_four`, `name` and `exp_year`. */
  exp_month?: number
  /** Only cards that expire in this year. Needs `last_four`, `name` and `exp_month`. */
  exp_year?: number
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
  /** Only items of the customer with this e-mail. */
  email?: string
  /** Phone number of the customer, with or without its country code. */
  phone?: string
  /** Only items with this requested amount or more. */
  amount_from?: number
  /** Only items with less than this requested amount. */
  amount_to?: number
  /** Only items requested or charged in this currency. */
  currency?: string
  /** Only items of this mode. */
  mode?: Mode
  /** Only items whose metadata contains words that begin with each of these. */
  metadata?: string
  /** Only items of this transaction token. */
  transaction_token_id?: Uuid
  /** The whole number of the card. It is never logged. */
  card_number?: string
}

/** The query of `listSubscriptionPayments`. */
export interface ListSubscriptionPaymentsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listSubscriptionPaymentCharges`. */
export interface ListSubscriptionPaymentChargesQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only cards that end in these four digits. Needs `name`, `exp_month` and `exp_year`. */
  last_four?: string
  /** Only cards of this cardholder. Needs `last_four`, `exp_month` and `exp_year`. */
  name?: string
  /** Only cards that expire in this month. Needs `last_four`, `name` and `exp_year`. */
  exp_month?: number
  /** Only cards that expire in this year. Needs `last_four`, `name` and `exp_month`. */
  exp_year?: number
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
  /** Only items of the customer with this e-mail. */
  email?: string
  /** Phone number of the customer, with or without its country code. */
  phone?: string
  /** Only items with this requested amount or more. */
  amount_from?: number
  /** Only items with less than this requested amount. */
  amount_to?: number
  /** Only items requested or charged in this currency. */
  currency?: string
  /** Only items of this mode. */
  mode?: Mode
  /** Only items whose metadata contains words that begin with each of these. */
  metadata?: string
  /** Only items of this transaction token. */
  transaction_token_id?: Uuid
  /** The whole number of the card. It is never logged. */
  card_number?: string
}

/** The query of `listCheckoutSessions`. */
export interface ListCheckoutSessionsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items with this status. */
  status?: 'open' | 'processing' | 'completed' | 'expired' | 'canceled'
  /** Only items of this payment link. */
  payment_link_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `getCheckoutSession`. */
export interface GetCheckoutSessionQuery {
  /** Wait up to five seconds for the status to change. */
  polling?: boolean
}

/** The query of `listPaymentLinks`. */
export interface ListPaymentLinksQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only active items (`true`), or only inactive ones (`false`). */
  active?: boolean
  /** Only items of this mode. */
  mode?: Mode
}

/** The query of `listTransactionHistory`. */
export interface ListTransactionHistoryQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items created at this time or later, as ISO-8601 or milliseconds since 1970. */
  from?: string
  /** Only items created before this time, as ISO-8601 or milliseconds since 1970. */
  to?: string
  /**
   * An id, an error code, or words of cardholder, e-mail, last four digits, metadata and error,
   * each by its beginning.
   */
  search?: string
  /** Only charges, or only refunds. */
  type?: 'charge' | 'refund'
  /** Only items with this status; several as status[]=a&status[]=b. */
  status?: ('pending' | 'awaiting' | 'authorized' | 'successful' | 'failed' | 'error' | 'canceled')[] | string
  /** Only items that failed with this error code, such as 306. */
  error_code?: number
  /**
   * Only authorized charges that expire within this number of hours and are not being captured or
   * canceled.
   */
  expires_within_hours?: number
  /** Only items with this amount or more. */
  amount_from?: number
  /** Only items with less than this amount. */
  amount_to?: number
  /** Only items of this subscription. */
  subscription_id?: Uuid
  /** Only items of tokens with this id under `svc-customer-id`, of its newest 1000 tokens. */
  customer_id?: Uuid
  /**
   * Only items of the customer with this key: matched by e-mail and the customer ids used with it,
   * among the newest 10,000 of each.
   */
  customer_key?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only the charge or refund with this id. */
  id?: Uuid
  /** Only items of the customer with this e-mail. */
  email?: string
  /** Only items whose metadata contains words that begin with each of these. */
  metadata?: string
  /** Only cards that end in these four digits. */
  card_last_four?: string
  /** Only cards of this cardholder. */
  cardholder?: string
  /** Only cards that expire in this month, such as 2030-12. */
  card_exp?: string
  /** Only items in this currency. */
  currency?: string
  /** Only items of this payment type. */
  payment_type?: string
  /** The last six characters of an id. */
  short_id?: string
  /** The reference at the provider, which is the id of the resource. */
  gateway_transaction_id?: string
  /** Only items of this brand; several as brand[]=a&brand[]=b. */
  brand?: string[] | string
  /** Only items of this provider; several as service_provider[]=a&service_provider[]=b. */
  service_provider?: string[] | string
  /** The same as `service_provider`. */
  service_providers?: string[] | string
}

/** The query of `getTransactionHistoryTotals`. */
export interface GetTransactionHistoryTotalsQuery {
  /** Only items created at this time or later, as ISO-8601 or milliseconds since 1970. */
  from?: string
  /** Only items created before this time, as ISO-8601 or milliseconds since 1970. */
  to?: string
  /**
   * An id, an error code, or words of cardholder, e-mail, last four digits, metadata and error,
   * each by its beginning.
   */
  search?: string
  /** Only charges, or only refunds. */
  type?: 'charge' | 'refund'
  /** Only items with this status; several as status[]=a&status[]=b. */
  status?: ('pending' | 'awaiting' | 'authorized' | 'successful' | 'failed' | 'error' | 'canceled')[] | string
  /** Only items that failed with this error code, such as 306. */
  error_code?: number
  /**
   * Only authorized charges that expire within this number of hours and are not being captured or
   * canceled.
   */
  expires_within_hours?: number
  /** Only items with this amount or more. */
  amount_from?: number
  /** Only items with less than this amount. */
  amount_to?: number
  /** Only items of this subscription. */
  subscription_id?: Uuid
  /** Only items of tokens with this id under `svc-customer-id`, of its newest 1000 tokens. */
  customer_id?: Uuid
  /**
   * Only items of the customer with this key: matched by e-mail and the customer ids used with it,
   * among the newest 10,000 of each.
   */
  customer_key?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only the charge or refund with this id. */
  id?: Uuid
  /** Only items of the customer with this e-mail. */
  email?: string
  /** Only items whose metadata contains words that begin with each of these. */
  metadata?: string
  /** Only cards that end in these four digits. */
  card_last_four?: string
  /** Only cards of this cardholder. */
  cardholder?: string
  /** Only cards that expire in this month, such as 2030-12. */
  card_exp?: string
  /** Only items in this currency. */
  currency?: string
  /** Only items of this payment type. */
  payment_type?: string
  /** The last six characters of an id. */
  short_id?: string
  /** The reference at the provider, which is the id of the resource. */
  gateway_transaction_id?: string
  /** Only items of this brand; several as brand[]=a&brand[]=b. */
  brand?: string[] | string
  /** Only items of this provider; several as service_provider[]=a&service_provider[]=b. */
  service_provider?: string[] | string
  /** The same as `service_provider`. */
  service_providers?: string[] | string
}

/** The query of `listCustomers`. */
export interface ListCustomersQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items of this mode. */
  mode?: Mode
  /** Only customers with payments in this store, by the newest 200 payments of each. */
  store_id?: Uuid
  /** A customer id, or the beginning of an e-mail; of many, the first 2000 by the alphabet. */
  search?: string
}

/** The query of `listDeposits`. */
export interface ListDepositsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /**
   * Only items with this status, several as status[]=a&status[]=b; `expected` are charges that
   * wait for their customer.
   */
  status?: ('expected' | 'held' | 'applied' | 'returning' | 'returned' | 'unreturned')[] | string
  /** Only items of this payment type. */
  payment_type?: 'konbini' | 'bank_transfer'
  /** Only items of this charge. */
  charge_id?: Uuid
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `listChargeLedgers`. */
export interface ListChargeLedgersQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `getLedgerBalances`. */
export interface GetLedgerBalancesQuery {
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Whether each store has its own balances; otherwise all stores are summed. */
  by_store?: boolean
}

/** The query of `listLedgerEntries`. */
export interface ListLedgerEntriesQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only entries of this account. */
  account?: LedgerAccount
  /** Only items in this currency. */
  currency?: string
  /** Only entries that this charge caused. */
  charge_id?: Uuid
  /** Only entries paid by this transfer, and the entries of the payout itself. */
  transfer_id?: Uuid
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `getLedgerStatement`. */
export interface GetLedgerStatementQuery {
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** Items on a page, 10 to 100. */
  limit?: number
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** The currency of the account; by default the first one with a balance. */
  currency?: string
  /** With a cursor: that item's `balance` less its `amount`. The page continues from there. */
  balance?: number
}

/** The query of `listBankTransferLedgers`. */
export interface ListBankTransferLedgersQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `getCheckoutInfo`. */
export interface GetCheckoutInfoQuery {
  /** The origin of the page. It is accepted, and changes nothing. */
  origin?: string
}

/** The query of `listWebhooks`. */
export interface ListWebhooksQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only active items (`true`), or only inactive ones (`false`). */
  active?: boolean
  /**
   * With `true`, only webhooks that are paused or were deactivated after failures, in a mode of
   * the caller.
   */
  paused?: boolean
  /** Only items created at this time or later. */
  "created_on.from"?: string
  /** Only items created before this time. */
  "created_on.to"?: string
  /** Whether to include the items of all stores. By default only those of the merchant itself. */
  with_stores?: boolean
}

/** The query of `listWebhookDeliveries`. */
export interface ListWebhookDeliveriesQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items with this status. */
  status?: 'waiting' | 'delivered' | 'failed'
  /** Only events of this name. */
  event?: string
  /** Only events about this resource. */
  resource_id?: Uuid
  /** Only items created at this time or later. */
  "created_on.from"?: string
  /** Only items created before this time. */
  "created_on.to"?: string
}

/** The query of `listAllDeliveries`. */
export interface ListAllDeliveriesQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items with this status. */
  status?: 'waiting' | 'delivered' | 'failed'
  /** Only events of this name. */
  event?: string
  /** Only events about this resource. */
  resource_id?: Uuid
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only items to this webhook. */
  webhook_id?: Uuid
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `listEvents`. */
export interface ListEventsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only events of these names, separated by commas. */
  event?: string
  /** Only events about this resource. */
  resource_id?: Uuid
  /** With `cursor_direction=asc`: wait up to five seconds for a next event. */
  polling?: boolean
}

/** The query of `getActivity`. */
export interface GetActivityQuery {
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** The start of the period; by default the start of today. Full hours count. */
  from?: string
  /** The end of the period; by default now. */
  to?: string
  /** The currency. Default: the currency with the most payments. */
  currency?: string
  /** The zone in which days begin; by default that of the merchant. */
  time_zone?: string
}

/** The query of `getAttention`. */
export interface GetAttentionQuery {
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
}

/** The query of `searchEverything`. */
export interface SearchEverythingQuery {
  /**
   * An id or its first or last characters; the beginning of an e-mail, name, last four digits or
   * metadata value; or an amount such as ¥12,800.
   */
  q: string
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
}

/** The query of `listRequests`. */
export interface ListRequestsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only requests of this application token or user. */
  token_id?: Uuid
  /** Only requests of this operation, such as `createCharge`. */
  operation?: string
  /** Only requests with this HTTP method. */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Only responses of this class; `error` is 4xx and 5xx. */
  status?: '2xx' | '3xx' | '4xx' | '5xx' | 'error'
  /** Only requests with this id of the header `X-Request-Id`. */
  request_id?: string
  /** Only requests about this resource. */
  resource_id?: Uuid
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `getActivityTransactionsCsv`. */
export interface GetActivityTransactionsCsvQuery {
  /** The columns in their order, separated by commas; by default all of them. */
  columns?: string
  /** Whether the file begins with a byte order mark, as some spreadsheets need it. */
  bom?: boolean
  /** Only items of this store. */
  store_id?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items created at this time or later, as ISO-8601 or milliseconds since 1970. */
  from?: string
  /** Only items created before this time, as ISO-8601 or milliseconds since 1970. */
  to?: string
  /**
   * An id, an error code, or words of cardholder, e-mail, last four digits, metadata and error,
   * each by its beginning.
   */
  search?: string
  /** Only charges, or only refunds. */
  type?: 'charge' | 'refund'
  /** Only items with this status; several as status[]=a&status[]=b. */
  status?: ('pending' | 'awaiting' | 'authorized' | 'successful' | 'failed' | 'error' | 'canceled')[] | string
  /** Only items that failed with this error code, such as 306. */
  error_code?: number
  /**
   * Only authorized charges that expire within this number of hours and are not being captured or
   * canceled.
   */
  expires_within_hours?: number
  /** Only items with this amount or more. */
  amount_from?: number
  /** Only items with less than this amount. */
  amount_to?: number
  /** Only items of this subscription. */
  subscription_id?: Uuid
  /** Only items of tokens with this id under `svc-customer-id`, of its newest 1000 tokens. */
  customer_id?: Uuid
  /**
   * Only items of the customer with this key: matched by e-mail and the customer ids used with it,
   * among the newest 10,000 of each.
   */
  customer_key?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only the charge or refund with this id. */
  id?: Uuid
  /** Only items of the customer with this e-mail. */
  email?: string
  /** Only items whose metadata contains words that begin with each of these. */
  metadata?: string
  /** Only cards that end in these four digits. */
  card_last_four?: string
  /** Only cards of this cardholder. */
  cardholder?: string
  /** Only cards that expire in this month, such as 2030-12. */
  card_exp?: string
  /** Only items in this currency. */
  currency?: string
  /** Only items of this payment type. */
  payment_type?: string
  /** The last six characters of an id. */
  short_id?: string
  /** The reference at the provider, which is the id of the resource. */
  gateway_transaction_id?: string
  /** Only items of this brand; several as brand[]=a&brand[]=b. */
  brand?: string[] | string
  /** Only items of this provider; several as service_provider[]=a&service_provider[]=b. */
  service_provider?: string[] | string
  /** The same as `service_provider`. */
  service_providers?: string[] | string
}

/** The query of `getActivityRefundsCsv`. */
export interface GetActivityRefundsCsvQuery {
  /** The columns in their order, separated by commas; by default all of them. */
  columns?: string
  /** Whether the file begins with a byte order mark, as some spreadsheets need it. */
  bom?: boolean
  /** Only items of this store. */
  store_id?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items created at this time or later, as ISO-8601 or milliseconds since 1970. */
  from?: string
  /** Only items created before this time, as ISO-8601 or milliseconds since 1970. */
  to?: string
  /**
   * An id, an error code, or words of cardholder, e-mail, last four digits, metadata and error,
   * each by its beginning.
   */
  search?: string
  /** Only charges, or only refunds. */
  type?: 'charge' | 'refund'
  /** Only items with this status; several as status[]=a&status[]=b. */
  status?: ('pending' | 'awaiting' | 'authorized' | 'successful' | 'failed' | 'error' | 'canceled')[] | string
  /** Only items that failed with this error code, such as 306. */
  error_code?: number
  /**
   * Only authorized charges that expire within this number of hours and are not being captured or
   * canceled.
   */
  expires_within_hours?: number
  /** Only items with this amount or more. */
  amount_from?: number
  /** Only items with less than this amount. */
  amount_to?: number
  /** Only items of this subscription. */
  subscription_id?: Uuid
  /** Only items of tokens with this id under `svc-customer-id`, of its newest 1000 tokens. */
  customer_id?: Uuid
  /**
   * Only items of the customer with this key: matched by e-mail and the customer ids used with it,
   * among the newest 10,000 of each.
   */
  customer_key?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only the charge or refund with this id. */
  id?: Uuid
  /** Only items of the customer with this e-mail. */
  email?: string
  /** Only items whose metadata contains words that begin with each of these. */
  metadata?: string
  /** Only cards that end in these four digits. */
  card_last_four?: string
  /** Only cards of this cardholder. */
  cardholder?: string
  /** Only cards that expire in this month, such as 2030-12. */
  card_exp?: string
  /** Only items in this currency. */
  currency?: string
  /** Only items of this payment type. */
  payment_type?: string
  /** The last six characters of an id. */
  short_id?: string
  /** The reference at the provider, which is the id of the resource. */
  gateway_transaction_id?: string
  /** Only items of this brand; several as brand[]=a&brand[]=b. */
  brand?: string[] | string
  /** Only items of this provider; several as service_provider[]=a&service_provider[]=b. */
  service_provider?: string[] | string
  /** The same as `service_provider`. */
  service_providers?: string[] | string
}

/** The query of `getActivityChargesCsv`. */
export interface GetActivityChargesCsvQuery {
  /** The columns in their order, separated by commas; by default all of them. */
  columns?: string
  /** Whether the file begins with a byte order mark, as some spreadsheets need it. */
  bom?: boolean
  /** Only items of this store. */
  store_id?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only cards that end in these four digits. Needs `name`, `exp_month` and `exp_year`. */
  last_four?: string
  /** Only cards of this cardholder. Needs `last_four`, `exp_month` and `exp_year`. */
  name?: string
  /** Only cards that expire in this month. Needs `last_four`, `name` and `exp_year`. */
  exp_month?: number
  /** Only cards that expire in this year. Needs `last_four`, `name` and `exp_month`. */
  exp_year?: number
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
  /** Only items of the customer with this e-mail. */
  email?: string
  /** Only items of the customer with this phone number. */
  phone?: string
  /** Only items with this requested amount or more. */
  amount_from?: number
  /** Only items with less than this requested amount. */
  amount_to?: number
  /** Only items requested or charged in this currency. */
  currency?: string
  /** Only items of this mode. */
  mode?: Mode
  /** Only items whose metadata contains words that begin with each of these. */
  metadata?: string
  /** Only items of this transaction token. */
  transaction_token_id?: Uuid
}

/** The query of `getActivitySubscriptionsCsv`. */
export interface GetActivitySubscriptionsCsvQuery {
  /** The columns in their order, separated by commas; by default all of them. */
  columns?: string
  /** Whether the file begins with a byte order mark, as some spreadsheets need it. */
  bom?: boolean
  /** Only items of this store. */
  store_id?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** An id, or words of name, e-mail and metadata, each by its beginning. */
  search?: string
  /** Only items with this status. */
  status?: 'unverified' | 'unconfirmed' | 'authorized' | 'current' | 'unpaid' | 'suspended' | 'canceled' | 'completed' | 'cancelled'
  /** Only items of this mode. */
  mode?: Mode
}

/** The query of `getActivityLedgerEntriesCsv`. */
export interface GetActivityLedgerEntriesCsvQuery {
  /** The columns in their order, separated by commas; by default all of them. */
  columns?: string
  /** Whether the file begins with a byte order mark, as some spreadsheets need it. */
  bom?: boolean
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items of this store. */
  store_id?: Uuid
  /** Only items of this mode. */
  mode?: Mode
  /** Only entries of this account. */
  account?: LedgerAccount
  /** Only items in this currency. */
  currency?: string
  /** Only entries that this charge caused. */
  charge_id?: Uuid
  /** Only entries paid by this transfer, and the entries of the payout itself. */
  transfer_id?: Uuid
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `getActivityTransfersCsv`. */
export interface GetActivityTransfersCsvQuery {
  /** The columns in their order, separated by commas; by default all of them. */
  columns?: string
  /** Whether the file begins with a byte order mark, as some spreadsheets need it. */
  bom?: boolean
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items with this status; `blank` finds none. */
  status?: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled' | 'blank'
  /** Only items in this currency. */
  currency?: string
  /** Only items created by this actor, such as `operator`. */
  started_by?: string
  /** Only items of this mode. */
  mode?: Mode
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `getActivityPayoutLinesCsv`. */
export interface GetActivityPayoutLinesCsvQuery {
  /** The columns in their order, separated by commas; by default all of them. */
  columns?: string
  /** Whether the file begins with a byte order mark, as some spreadsheets need it. */
  bom?: boolean
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** The transfer whose ledger transactions are listed. */
  transfer_id: Uuid
  /** Only items of this part of the payout. */
  part?: 'sales' | 'fees' | 'refunds' | 'disputes' | 'adjustments'
}

/** The query of `listBankAccounts`. */
export interface ListBankAccountsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only the primary account (`true`), or only the others (`false`). */
  primary?: boolean
}

/** The query of `listTransfers`. */
export interface ListTransfersQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items with this status; `blank` finds none. */
  status?: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled' | 'blank'
  /** Only items in this currency. */
  currency?: string
  /** Only items created by this actor, such as `operator`. */
  started_by?: string
  /** Only items of this mode. */
  mode?: Mode
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `getNextTransfers`. */
export interface GetNextTransfersQuery {
  /** Only items in this currency. */
  currency?: string
  /** Only items of this mode. */
  mode?: Mode
}

/** The query of `listTransferStatusChanges`. */
export interface ListTransferStatusChangesQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listTransferLedgers`. */
export interface ListTransferLedgersQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items of this part of the payout. */
  part?: 'sales' | 'fees' | 'refunds' | 'disputes' | 'adjustments'
}

/** The query of `listNextTransferLedgers`. */
export interface ListNextTransferLedgersQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items of this part of the payout. */
  part?: 'sales' | 'fees' | 'refunds' | 'disputes' | 'adjustments'
  /** The currency of the payout; by default the first of the ledger. */
  currency?: string
  /** Only items of this mode. */
  mode?: Mode
}

/** The query of `getRouting`. */
export interface GetRoutingQuery {
  /** With the settings of this store. */
  store_id?: Uuid
  /** The payment type to check the routing for. */
  payment_type?: 'card' | 'apple_pay' | 'qr_scan' | 'qr_merchant' | 'konbini' | 'paidy' | 'online' | 'bank_transfer'
  /** Its brand. */
  brand?: string
  /** Its amount. */
  amount?: number
  /** Its currency. */
  currency?: string
  /** The country of the card. */
  country?: string
}

/** The query of `getTestClockUpcoming`. */
export interface GetTestClockUpcomingQuery {
  /** The time that the clock would be moved to, later than now. */
  until: string
}

/** Payments: created from a transaction token, captured, and read until they have ended. */
export interface ChargesResource {
  /** Create a charge. */
  create(body: CreateCharge, options?: CallOptions): Promise<Charge>
  /** List charges. */
  list(query?: ListChargesQuery, options?: CallOptions): List<ChargeItem>
  /** Get a charge. */
  get(charge_id: string, query?: GetChargeQuery, options?: CallOptions): Promise<Charge>
  /** Update the metadata of a charge. */
  update(charge_id: string, body?: UpdateCharge, options?: CallOptions): Promise<Charge>
  /** Capture an authorized charge. */
  capture(charge_id: string, body?: CaptureCharge, options?: CallOptions): Promise<void>
  /** Get the timeline of a charge. */
  getTimeline(charge_id: string, options?: CallOptions): List<TimelineEntry>
  /** Get the payment page or instructions. */
  getIssuerToken(charge_id: string, options?: CallOptions): Promise<IssuerToken>
  /** Get the 3-D Secure challenge form of a charge. */
  getThreeDsIssuerToken(charge_id: string, options?: CallOptions): Promise<IssuerToken>
  /** Get the address of the QR code. */
  getQr(charge_id: string, options?: CallOptions): Promise<QrImage>
  /** Get the payment deadline. */
  getExpiry(charge_id: string, options?: CallOptions): Promise<ChargeExpiry>
  /** Get the customer and the payout of a charge. */
  getConnections(charge_id: string, options?: CallOptions): Promise<ChargeConnections>
}

/** A full or partial refund of a successful charge to the customer. */
export interface RefundsResource {
  /** Refund part or all of a charge. */
  create(charge_id: string, body: CreateRefund, options?: CallOptions): Promise<Refund>
  /** List the refunds of a charge. */
  list(charge_id: string, query?: ListRefundsQuery, options?: CallOptions): List<Refund>
  /** Get a refund. */
  get(charge_id: string, refund_id: string, query?: GetRefundQuery, options?: CallOptions): Promise<Refund>
  /** Update a refund. */
  update(charge_id: string, refund_id: string, body?: UpdateRefund, options?: CallOptions): Promise<Refund>
}

/** Cancels of awaiting or authorized charges. */
export interface CancelsResource {
  /** Cancel an awaiting or authorized charge. */
  create(charge_id: string, body?: CreateCancel, options?: CallOptions): Promise<Cancel>
  /** List the cancels of a charge. */
  list(charge_id: string, query?: ListCancelsQuery, options?: CallOptions): List<Cancel>
  /** Get a cancel. */
  get(charge_id: string, cancel_id: string, query?: GetCancelQuery, options?: CallOptions): Promise<Cancel>
  /** Update the metadata of a cancel. */
  update(charge_id: string, cancel_id: string, body?: UpdateCancel, options?: CallOptions): Promise<Cancel>
}

/** Payments that customers asked their banks to return. */
export interface DisputesResource {
  /** List disputes. */
  list(query?: ListDisputesQuery, options?: CallOptions): List<Dispute>
  /** Get a dispute. */
  get(dispute_id: string, query?: GetDisputeQuery, options?: CallOptions): Promise<Dispute>
  /** Update the evidence of a dispute, or submit it. */
  update(dispute_id: string, body?: UpdateDispute, options?: CallOptions): Promise<Dispute>
  /** Accept a dispute. */
  accept(dispute_id: string, options?: CallOptions): Promise<Dispute>
  /** Add a file to the evidence. */
  createFile(dispute_id: string, body: CreateDisputeFile, options?: CallOptions): Promise<Dispute>
  /** Get a file of the evidence. */
  getFile(dispute_id: string, file_id: string, options?: CallOptions): Promise<DisputeFileContent>
  /** Delete a file of the evidence. */
  deleteFile(dispute_id: string, file_id: string, options?: CallOptions): Promise<void>
}

/** A stored payment instrument. Charges and subscriptions are created with a token. */
export interface TokensResource {
  /** Create a transaction token. */
  create(body: CreateToken, options?: CallOptions): Promise<TransactionToken>
  /** List transaction tokens. */
  list(query?: ListTokensQuery, options?: CallOptions): List<TransactionTokenItem>
  /** Get a transaction token. */
  get(token_id: string, query?: GetTokenQuery, options?: CallOptions): Promise<TransactionToken>
  /** Update a transaction token. */
  update(token_id: string, body?: UpdateToken, options?: CallOptions): Promise<TransactionToken>
  /** Delete a transaction token. */
  delete(token_id: string, options?: CallOptions): Promise<void>
  /** Renew a recurring or subscription token. */
  renew(token_id: string, options?: CallOptions): Promise<TransactionToken>
  /** Create a UUID from your customer id. */
  createCustomerId(body: CreateCustomerId, options?: CallOptions): Promise<CustomerId>
  /** Authenticate a recurring card token with 3-D Secure. */
  startThreeDs(token_id: string, body?: StartTokenThreeDs, options?: CallOptions): Promise<TransactionToken>
  /** Delete the 3-D Secure authentication of a token. */
  deleteThreeDs(token_id: string, options?: CallOptions): Promise<TransactionToken>
  /** Get the 3-D Secure challenge form of a token. */
  getThreeDsIssuerToken(token_id: string, options?: CallOptions): Promise<IssuerToken>
  /** Create a short-lived alias of a transaction token. */
  createAlias(body: CreateTokenAlias, options?: CallOptions): Promise<NewTokenAlias>
  /** Get a transaction token by its alias, or the alias as a QR code. */
  getAlias(alias_key: string, query?: GetTokenAliasQuery, options?: CallOptions): Promise<TokenAlias>
  /** Delete an alias of a transaction token. */
  deleteAlias(alias_key: string, options?: CallOptions): Promise<void>
  /** Confirm a transaction token with the code from the customer's mail. */
  confirm(token_id: string, body: ConfirmToken, options?: CallOptions): Promise<TransactionToken>
}

/** Payments that repeat, and installments. */
export interface SubscriptionsResource {
  /** Create a subscription. */
  create(body: CreateSubscription, options?: CallOptions): Promise<Subscription>
  /** List subscriptions. */
  list(query?: ListSubscriptionsQuery, options?: CallOptions): List<SubscriptionItem>
  /** Simulate the payments of a plan. */
  simulatePlan(body: SimulatePlan, options?: CallOptions): Promise<PlannedPayments>
  /** Get a subscription. */
  get(subscription_id: string, query?: GetSubscriptionQuery, options?: CallOptions): Promise<Subscription>
  /** Update a subscription. */
  update(subscription_id: string, body?: UpdateSubscription, options?: CallOptions): Promise<Subscription>
  /** Cancel a subscription, immediately or before its next payment. */
  cancel(subscription_id: string, options?: CallOptions): Promise<void>
  /** Change the token of a subscription. */
  changeToken(subscription_id: string, body: ChangeSubscriptionToken, options?: CallOptions): Promise<Subscription>
  /** Suspend a subscription, immediately or before its next payment. */
  suspend(subscription_id: string, body?: StopSubscription, options?: CallOptions): Promise<Subscription>
  /** Resume a suspended subscription. */
  unsuspend(subscription_id: string, body?: StopSubscription, options?: CallOptions): Promise<Subscription>
  /** Create a batch of subscriptions. */
  createBatch(body: CreateSubscriptionBatch, options?: CallOptions): Promise<SubscriptionBatch>
  /** Get a batch of subscriptions. */
  getBatch(batch_id: string, query?: GetSubscriptionBatchQuery, options?: CallOptions): Promise<SubscriptionBatch>
  /** List the charges of a subscription. */
  listCharges(subscription_id: string, query?: ListSubscriptionChargesQuery, options?: CallOptions): List<ChargeItem>
  /** Get the newest charge of a subscription. */
  getLatestCharge(subscription_id: string, options?: CallOptions): Promise<Charge>
  /** List the past and next payments of a subscription. */
  listPayments(subscription_id: string, query?: ListSubscriptionPaymentsQuery, options?: CallOptions): List<SubscriptionPayment>
  /** Get a payment of a subscription. */
  getPayment(subscription_id: string, payment_id: string, options?: CallOptions): Promise<SubscriptionPayment>
  /** Update a payment that has not been made yet. */
  updatePayment(subscription_id: string, payment_id: string, body?: UpdateSubscriptionPayment, options?: CallOptions): Promise<SubscriptionPayment>
  /** List the charges of a payment, one for each attempt. */
  listPaymentCharges(subscription_id: string, payment_id: string, query?: ListSubscriptionPaymentChargesQuery, options?: CallOptions): List<ChargeItem>
  /** Get the customer and the results of a subscription. */
  getConnections(subscription_id: string, options?: CallOptions): Promise<SubscriptionConnections>
}

/** Payments that a customer makes on a page of this service. */
export interface CheckoutSessionsResource {
  /** Create a checkout session. */
  create(body: CreateCheckoutSession, options?: CallOptions): Promise<CheckoutSession>
  /** List checkout sessions. */
  list(query?: ListCheckoutSessionsQuery, options?: CallOptions): List<CheckoutSession>
  /** Get a checkout session. */
  get(checkout_session_id: string, query?: GetCheckoutSessionQuery, options?: CallOptions): Promise<CheckoutSession>
  /** Cancel an open checkout session. */
  cancel(checkout_session_id: string, options?: CallOptions): Promise<CheckoutSession>
}

/** Addresses at which any number of customers pay. */
export interface PaymentLinksResource {
  /** Create a payment link. */
  create(body: CreatePaymentLink, options?: CallOptions): Promise<PaymentLink>
  /** List payment links. */
  list(query?: ListPaymentLinksQuery, options?: CallOptions): List<PaymentLink>
  /** Get a payment link. */
  get(payment_link_id: string, options?: CallOptions): Promise<PaymentLink>
  /** Update a payment link. */
  update(payment_link_id: string, body?: UpdatePaymentLink, options?: CallOptions): Promise<PaymentLink>
  /** Get a payment link as a QR code. */
  getQrCode(payment_link_id: string, options?: CallOptions): Promise<void>
}

/** Declarations of charges to the customs of China. */
export interface CustomsResource {
  /** Create or retry a customs declaration. */
  create(charge_id: string, body: CreateCustomsDeclaration, options?: CallOptions): Promise<CustomsDeclaration>
  /** List the customs declarations of a charge. */
  list(charge_id: string, query?: ListCustomsDeclarationsQuery, options?: CallOptions): List<CustomsDeclaration>
  /** Get a customs declaration. */
  get(charge_id: string, customs_declaration_id: string, query?: GetCustomsDeclarationQuery, options?: CallOptions): Promise<CustomsDeclaration>
  /** Update a successful customs declaration. */
  update(charge_id: string, customs_declaration_id: string, body: UpdateCustomsDeclaration, options?: CallOptions): Promise<CustomsDeclaration>
  /** List the finished attempts of a customs declaration. */
  listAttempts(charge_id: string, customs_declaration_id: string, query?: ListCustomsAttemptsQuery, options?: CallOptions): List<CustomsAttempt>
}

/** Charges and refunds in one list, with everything to filter it by. */
export interface HistoryResource {
  /** List charges and refunds. */
  list(query?: ListTransactionHistoryQuery, options?: CallOptions): List<HistoryItem>
  /** Get the totals of the charges and refunds of a list. */
  getTotals(query?: GetTransactionHistoryTotalsQuery, options?: CallOptions): Promise<HistoryTotals>
}

/** Money that arrives at convenience stores and banks, and its state. */
export interface DepositsResource {
  /** List expected and received deposits. */
  list(query?: ListDepositsQuery, options?: CallOptions): List<Deposit>
}

/** Customers by the id that the merchant gave them, or by e-mail. */
export interface CustomersResource {
  /** List customers. */
  list(query?: ListCustomersQuery, options?: CallOptions): List<Customer>
  /** Get a customer with totals and payment methods. */
  get(customer_key: string, options?: CallOptions): Promise<CustomerDetails>
}

/** Sums, the attention list, requests and exports, as the console shows them. */
export interface ActivityResource {
  /** Get the totals of a period and the previous one. */
  get(query?: GetActivityQuery, options?: CallOptions): Promise<Activity>
  /** List what needs attention. */
  getAttention(query?: GetAttentionQuery, options?: CallOptions): Promise<Attention>
  /** Search payments, customers and everything about them. */
  search(query: SearchEverythingQuery, options?: CallOptions): Promise<SearchResults>
  /** List the requests of the last days. */
  listRequests(query?: ListRequestsQuery, options?: CallOptions): List<LoggedRequest>
  /** Get a request of the last days. */
  getRequest(request_id: string, options?: CallOptions): Promise<LoggedRequest>
  /** Export transactions as CSV. */
  getTransactionsCsv(query?: GetActivityTransactionsCsvQuery, options?: CallOptions): Promise<void>
  /** Export refunds as CSV. */
  getRefundsCsv(query?: GetActivityRefundsCsvQuery, options?: CallOptions): Promise<void>
  /** Export charges as CSV. */
  getChargesCsv(query?: GetActivityChargesCsvQuery, options?: CallOptions): Promise<void>
  /** Export subscriptions as CSV. */
  getSubscriptionsCsv(query?: GetActivitySubscriptionsCsvQuery, options?: CallOptions): Promise<void>
  /** Export ledger entries as CSV. */
  getLedgerEntriesCsv(query?: GetActivityLedgerEntriesCsvQuery, options?: CallOptions): Promise<void>
  /** Export transfers as CSV. */
  getTransfersCsv(query?: GetActivityTransfersCsvQuery, options?: CallOptions): Promise<void>
  /** Export payout lines as CSV. */
  getPayoutLinesCsv(query: GetActivityPayoutLinesCsvQuery, options?: CallOptions): Promise<void>
}

/** The bookkeeping behind charges, refunds and transfers. */
export interface LedgersResource {
  /** Get a ledger transaction. */
  get(ledger_id: string, options?: CallOptions): Promise<Ledger>
  /** List the ledger transactions of a charge. */
  listChargeLedgers(charge_id: string, query?: ListChargeLedgersQuery, options?: CallOptions): List<Ledger>
  /** Get the balances of the ledger. */
  getBalances(query?: GetLedgerBalancesQuery, options?: CallOptions): Promise<LedgerBalances>
  /** List the entries of the ledger. */
  listEntries(query?: ListLedgerEntriesQuery, options?: CallOptions): List<LedgerEntryItem>
  /** Get the account statement. */
  getStatement(query?: GetLedgerStatementQuery, options?: CallOptions): List<StatementLine>
  /** List the movements on a bank transfer's virtual account. */
  listBankTransferLedgers(charge_id: string, query?: ListBankTransferLedgersQuery, options?: CallOptions): List<BankTransferLedger>
}

/** Payouts of the amount owed to the merchant. */
export interface TransfersResource {
  /** List transfers to the merchant. */
  list(query?: ListTransfersQuery, options?: CallOptions): List<Transfer>
  /** Get the next payout of each currency. */
  getNext(query?: GetNextTransfersQuery, options?: CallOptions): Promise<NextTransfers>
  /** Get a transfer. */
  get(transfer_id: string, options?: CallOptions): Promise<Transfer>
  /** Get the parts of a transfer. */
  getParts(transfer_id: string, options?: CallOptions): Promise<TransferParts>
  /** List the status changes of a transfer. */
  listStatusChanges(transfer_id: string, query?: ListTransferStatusChangesQuery, options?: CallOptions): List<TransferStatusChange>
  /** List the ledger transactions of a transfer. */
  listLedgers(transfer_id: string, query?: ListTransferLedgersQuery, options?: CallOptions): List<PayoutLine>
  /** List the ledger transactions of the next payout. */
  listNextLedgers(query?: ListNextTransferLedgersQuery, options?: CallOptions): List<PayoutLine>
}

/** The accounts that payouts go to. */
export interface BankAccountsResource {
  /** List bank accounts. */
  list(query?: ListBankAccountsQuery, options?: CallOptions): List<BankAccount>
  /** Create a bank account. */
  create(body: CreateBankAccount, options?: CallOptions): Promise<BankAccount>
  /** Get the primary account. */
  getPrimary(options?: CallOptions): Promise<BankAccount>
  /** Get a bank account. */
  get(bank_account_id: string, options?: CallOptions): Promise<BankAccount>
  /** Update a bank account. */
  update(bank_account_id: string, body?: UpdateBankAccount, options?: CallOptions): Promise<BankAccount>
  /** Delete a bank account. */
  delete(bank_account_id: string, options?: CallOptions): Promise<void>
}

/** Facts for a checkout page before a payment. */
export interface CheckoutResource {
  /** Get the settings of a checkout. */
  get(query?: GetCheckoutInfoQuery, options?: CallOptions): Promise<CheckoutInfo>
  /** Convert an amount to another currency. */
  calculateExchangeRate(body: ConvertAmount, options?: CallOptions): Promise<ConvertedAmount>
  /** Get what a gateway offers for a payment. */
  getGatewayInfo(gateway: string, body: GetGatewayInfo, options?: CallOptions): Promise<GatewayInfo>
}

/** Endpoints for events, their deliveries, and the verification of signatures. */
export interface WebhooksResource {
  /** List webhooks. */
  list(query?: ListWebhooksQuery, options?: CallOptions): List<Webhook>
  /** Create a webhook. */
  create(body: CreateWebhook, options?: CallOptions): Promise<Webhook>
  /** Get a webhook. */
  get(webhook_id: string, options?: CallOptions): Promise<Webhook>
  /** Update a webhook. */
  update(webhook_id: string, body?: UpdateWebhook, options?: CallOptions): Promise<Webhook>
  /** Delete a webhook. */
  delete(webhook_id: string, options?: CallOptions): Promise<void>
  /** List the deliveries of a webhook. */
  listDeliveries(webhook_id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): List<Delivery>
  /** Get a delivery of a webhook. */
  getDelivery(webhook_id: string, event_id: string, options?: CallOptions): Promise<Delivery>
  /** Redeliver an event to a webhook. */
  redeliverEvent(webhook_id: string, event_id: string, body?: RedeliverEvent, options?: CallOptions): Promise<ImmediateDelivery | Delivery>
  /** Send a test event to a webhook. */
  ping(webhook_id: string, options?: CallOptions): Promise<ImmediateDelivery>
  /** Create a replay of events to a webhook. */
  createReplay(webhook_id: string, body?: CreateReplay, options?: CallOptions): Promise<ReplayPreview | Replay>
  /** Get a replay of events to a webhook. */
  getReplay(webhook_id: string, replay_id: string, options?: CallOptions): Promise<Replay>
  /** Get the signing secret of a webhook. */
  getSecret(webhook_id: string, options?: CallOptions): Promise<WebhookSecret>
  /** Rotate the signing secret of a webhook. */
  changeSecret(webhook_id: string, body?: ChangeWebhookSecret, options?: CallOptions): Promise<WebhookSecret>
  /** List the deliveries of all webhooks. */
  listAllDeliveries(query?: ListAllDeliveriesQuery, options?: CallOptions): List<AnyDeliveryItem>
}

/** Everything that happened, in its order. */
export interface EventsResource {
  /** List events in commit order. */
  list(query?: ListEventsQuery, options?: CallOptions): List<Event>
  /** Get an event. */
  get(event_id: string, options?: CallOptions): Promise<Event>
}

/** The shops of a merchant: each has its own payments and configuration. */
export interface StoresResource {
  /** List stores. */
  list(query?: ListStoresQuery, options?: CallOptions): List<StoreItem>
  /** Create a store. */
  create(body: CreateStore, options?: CallOptions): Promise<Store>
  /** Get a store. */
  get(store_id: string, options?: CallOptions): Promise<Store>
  /** Update a store. */
  update(store_id: string, body?: UpdateStore, options?: CallOptions): Promise<Store>
  /** Delete a store. */
  delete(store_id: string, options?: CallOptions): Promise<void>
}

/** The merchant itself: its configuration and its verification. */
export interface MerchantResource {
  /** Get the merchant. */
  get(options?: CallOptions): Promise<Merchant>
  /** Update the merchant. */
  update(body?: UpdateMerchant, options?: CallOptions): Promise<Merchant>
  /** Get the default settings of the platform. */
  getDefaults(options?: CallOptions): Promise<StoreConfiguration>
  /** Get the verification of the merchant. */
  getVerification(options?: CallOptions): Promise<Verification>
  /** Submit the verification of the merchant. */
  createVerification(body: CreateVerification, options?: CallOptions): Promise<Verification>
  /** Update the verification of the merchant. */
  updateVerification(body?: UpdateVerification, options?: CallOptions): Promise<Verification>
  /** Get the offers and defaults of this service. */
  getPlatform(options?: CallOptions): Promise<Platform>
  /** Get the routing rules. */
  getRouting(query?: GetRoutingQuery, options?: CallOptions): Promise<Routing>
}

/** The credentials of programs. */
export interface AppTokensResource {
  /** List tokens. */
  list(query?: ListAppTokensQuery, options?: CallOptions): List<AppToken>
  /** Create a token. */
  create(body?: CreateAppToken | CreateStoreAppToken, options?: CallOptions): Promise<NewAppToken>
  /** Replace a token. */
  rotate(app_token_id: string, body?: RotateAppToken, options?: CallOptions): Promise<NewAppToken>
  /** Delete a token. */
  delete(app_token_id: string, options?: CallOptions): Promise<void>
  /** List the tokens of a store, in the older form. */
  listLegacy(query?: ListLegacyAppTokensQuery, options?: CallOptions): List<LegacyAppToken>
  /** Create a token of a store, in the older form. */
  createLegacy(body?: CreateStoreAppToken, options?: CallOptions): Promise<LegacyAppToken>
  /** Update the domains of a token. */
  updateLegacy(app_token_id: string, body: UpdateLegacyAppToken, options?: CallOptions): Promise<LegacyAppToken>
  /** Delete a token of a store, in the older form. */
  deleteLegacy(app_token_id: string, options?: CallOptions): Promise<void>
}

/** Acting as the customer, the bank or the clock of test mode. */
export interface TestResource {
  /** List the scenarios of test mode. */
  listScenarios(options?: CallOptions): Promise<TestScenarios>
  /** Complete an awaiting test charge as the customer. */
  completeCharge(charge_id: string, body: CompleteTestCharge, options?: CallOptions): Promise<Charge>
  /** Create a deposit for a test charge. */
  createDeposit(charge_id: string, body: CreateTestDeposit, options?: CallOptions): Promise<TestDeposit>
  /** Create a dispute of a test charge. */
  createDispute(charge_id: string, body?: CreateTestDispute, options?: CallOptions): Promise<Dispute>
  /** Complete a dispute of a test charge as the bank. */
  completeDispute(dispute_id: string, body: CompleteTestDispute, options?: CallOptions): Promise<Dispute>
  /** Get the test clock. */
  getClock(options?: CallOptions): Promise<TestClock>
  /** Advance the test clock. */
  advanceClock(body?: AdvanceTestClock, options?: CallOptions): Promise<TestClock>
  /** List what is due in test mode until a time. */
  getClockUpcoming(query: GetTestClockUpcomingQuery, options?: CallOptions): List<UpcomingItem>
}

/** Every resource of the client. */
export interface Resources {
  readonly charges: ChargesResource
  readonly refunds: RefundsResource
  readonly cancels: CancelsResource
  readonly disputes: DisputesResource
  readonly tokens: TokensResource
  readonly subscriptions: SubscriptionsResource
  readonly checkoutSessions: CheckoutSessionsResource
  readonly paymentLinks: PaymentLinksResource
  readonly customs: CustomsResource
  readonly history: HistoryResource
  readonly deposits: DepositsResource
  readonly customers: CustomersResource
  readonly activity: ActivityResource
  readonly ledgers: LedgersResource
  readonly transfers: TransfersResource
  readonly bankAccounts: BankAccountsResource
  readonly checkout: CheckoutResource
  readonly webhooks: WebhooksResource
  readonly events: EventsResource
  readonly stores: StoresResource
  readonly merchant: MerchantResource
  readonly appTokens: AppTokensResource
  readonly test: TestResource
}
