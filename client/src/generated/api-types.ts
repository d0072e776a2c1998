// Generated from openapi.json by `npm run generate`; never edited.
import type { List } from '../list-pages.ts'
import type { CallOptions } from '../send-request.ts'

export interface AdvanceTestClock {
  advance?: string | null
  now?: string | null
}

export type AnyObject = Record<string, unknown>

export interface AppToken {
  merchant_id: string
  store_id: string | null
  creator_id: string
  roles: string[]
  jti: string
  jwt: string
  mode: 'test' | 'live' | null
  domains: string[]
  /** ISO-8601 with fractional seconds */
  created_on: string
}

export type AppTokenEvent = EventFields & {
  event: 'app_token_created' | 'app_token_updated' | 'app_token_deleted'
  data: AppTokenRecord
}

export interface AppTokenPage {
  items: AppToken[]
  has_more: boolean
}

export interface AppTokenRecord {
  jti: string
  store_id: string | null
  creator_id: string
  mode: 'test' | 'live' | null
  domains: string[]
}

export interface ApplePayInput {
  applepay_token: string
  cardholder: string
  line1?: string | null
  line2?: string | null
  state?: string | null
  city?: string | null
  country?: string | null
  zip?: string | null
  phone_number?: PhoneInput | null
}

export type ApplePayToken = TokenFields & {
  payment_type: 'apple_pay'
  data: ApplePayTokenData
}

export interface ApplePayTokenData {
  card?: Card
  billing?: Billing
  cvv_authorize?: CvvAuthorization
  cvv_authorize_check?: CvvAuthorizationCheck
  three_ds?: TokenThreeDs
}

export interface BankAccount {
  id: string
  holder_name: string
  bank_name: string
  branch_name: string | null
  bank_address: string | null
  routing_number: string | null
  swift_code: string | null
  ifsc_code: string | null
  routing_code: string | null
  account_type: 'checking' | 'savings'
  primary: boolean
  country: string
  currency: string
  /** Masked but for the last four characters */
  account_number: string
  last_four: string
  status: 'new' | 'unable_to_verify' | 'verified' | 'errored'
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export type BankAccountEvent = EventFields & {
  event: 'bank_account_created' | 'bank_account_updated' | 'bank_account_deleted'
  data: BankAccount
}

export interface BankAccountPage {
  items: BankAccount[]
  has_more: boolean
}

export interface BankTransferConfiguration {
  enabled: boolean | null
  automatic_extension_enabled: boolean | null
  remind_notification_enabled: boolean | null
  charge_request_notification_enabled: boolean | null
  charge_request_canceled_notification_enabled: boolean | null
  charge_expired_notification_enabled: boolean | null
  deposit_received_notification_enabled: boolean | null
  deposit_insufficient_notification_enabled: boolean | null
  deposit_exceeded_notification_enabled: boolean | null
  extension_notification_enabled: boolean | null
  match_amount: 'disabled' | 'exact' | 'minimum' | 'maximum' | null
  expiration: string | null
  expiration_time_shift: ExpirationTimeShift
  virtual_bank_accounts_threshold: number | null
  virtual_bank_accounts_fetch_count: number | null
  default_extension_period: string | null
  maximum_extension_period: string | null
  remind_notification_period: string | null
}

export interface BankTransferInput {
  /** One of aozora_bank, bank_test_brand; letters in any case */
  brand: string
  match_amount?: 'disabled' | 'exact' | 'minimum' | 'maximum' | null
  expiration_period?: string | null
  /** Time of day at which the account ends */
  expiration_time_shift?: string | null
}

export interface BankTransferLedger {
  id: string
  bank_ledger_type: 'deposit' | 'payment'
  amount: number
  balance: number
  virtual_bank_account_holder_name: string | null
  virtual_bank_account_number: string | null
  virtual_account_id: string | null
  transaction_date: string
  /** ISO-8601 with fractional seconds */
  transaction_timestamp: string
  mode: string
  /** ISO-8601 with fractional seconds */
  created_on: string
}

export interface BankTransferLedgerPage {
  items: BankTransferLedger[]
  has_more: boolean
}

export interface BankTransferStatus {
  id: string
  charge_id: string
  payment_status: 'unpaid' | 'insufficient' | 'exact' | 'exceeded'
  /** ISO-8601 with fractional seconds */
  latest_deposit_date: string
  latest_deposit_amount: number
  balance: number
  currency: string
  amount: number
  amount_difference: number
  token_metadata: Metadata
  charge_metadata: Metadata
  /** ISO-8601 with fractional seconds */
  created_on: string
}

export type BankTransferStatusEvent = EventFields & {
  event: 'bank_transfer_status_updated'
  data: BankTransferStatus
}

export type BankTransferToken = TokenFields & {
  payment_type: 'bank_transfer'
  data: BankTransferTokenData
}

export interface BankTransferTokenData {
  brand?: string | null
  match_amount?: string | null
  bank_code?: string | null
  bank_name?: string | null
  branch_code?: string | null
  branch_name?: string | null
  account_number?: string | null
  account_holder_name?: string | null
  account_id?: string | null
  expiration_period?: string | null
  expiration_time_shift?: string | null
}

export interface Billing {
  line1: string | null
  line2: string | null
  state: string | null
  city: string | null
  country: string | null
  zip: string | null
  phone_number: Phone | null
}

export interface Cancel {
  id: string
  charge_id: string
  store_id: string
  status: CancelStatus
  error: PaymentError | null
  metadata: Metadata
  mode: string
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export type CancelEvent = EventFields & {
  event: 'cancel_finished'
  data: Cancel
}

export interface CancelPage {
  items: Cancel[]
  has_more: boolean
}

export type CancelStatus = 'pending' | 'successful' | 'failed' | 'error'

export interface CaptureCharge {
  amount?: number | null
  currency?: string | null
}

export interface Card {
  cardholder: string
  exp_month: number
  exp_year: number
  card_bin: string
  last_four: string
  brand: string
  card_type: string | null
  country: string | null
  category: string | null
  issuer: string | null
  sub_brand: string
}

export interface CardBrandPercentFees {
  visa: number | null
  american_express: number | null
  mastercard: number | null
  maestro: number | null
  discover: number | null
  jcb: number | null
  diners_club: number | null
  union_pay: number | null
  private_label: number | null
}

export interface CardChargeCvvConfirmation {
  enabled: boolean | null
  threshold: Money[] | null
}

export interface CardConfiguration {
  enabled: boolean | null
  debit_enabled: boolean | null
  prepaid_enabled: boolean | null
  debit_authorization_enabled: boolean | null
  prepaid_authorization_enabled: boolean | null
  foreign_cards_allowed: boolean | null
  fail_on_new_email: boolean | null
  allow_empty_cvv: boolean | null
  only_direct_currency: boolean | null
  three_ds_required: boolean | null
  three_ds_address_required: boolean | null
  three_ds_phone_number_required: boolean | null
  three_ds_skip_enabled: boolean | null
  allow_direct_token_creation: boolean | null
  forbidden_card_brands: string[] | null
  allowed_countries_by_ip: string[] | null
  card_limit: CardLimit | null
}

export interface CardInput {
  cardholder: string
  card_number: string
  exp_month: string | number
  exp_year: string | number
  cvv?: string | number | null
  line1?: string | null
  line2?: string | null
  state?: string | null
  city?: string | null
  country?: string | null
  zip?: string | null
  phone_number?: PhoneInput | null
  cvv_authorize?: CvvAuthorizeInput
  three_ds?: TokenThreeDsInput
}

export interface CardLimit {
  amount: number
  currency: string
  duration: string
}

export interface CardProcessor {
  revolving: boolean | null
  fixed_cycle: boolean | null
}

export type CardToken = TokenFields & {
  payment_type: 'card'
  data: CardTokenData
}

export interface CardTokenData {
  card?: Card
  billing?: Billing
  cvv_authorize?: CvvAuthorization
  cvv_authorize_check?: CvvAuthorizationCheck
  three_ds?: TokenThreeDs
}

export interface ChangePassword {
  password: string
  new_password: string
}

export interface ChangeSubscriptionToken {
  transaction_token_id: string
}

export interface ChangeWebhookSecret {
  type?: 'hmac' | 'ed25519'
  /** How long the secret before goes on signing as well, at most a week */
  overlap?: string
}

export interface Charge {
  id: string
  merchant_id: string
  store_id: string
  transaction_token_id: string
  transaction_token_type: string
  subscription_id: string | null
  merchant_transaction_id: string | null
  requested_amount: number
  requested_currency: string
  requested_amount_formatted: number
  charged_amount: number | null
  charged_currency: string | null
  charged_amount_formatted: number | null
  fee_amount: number | null
  fee_currency: string | null
  fee_amount_formatted: number | null
  only_direct_currency: boolean
  /** ISO-8601 with fractional seconds */
  capture_at: string | null
  descriptor: string | null
  descriptor_phone_number: string | null
  status: ChargeStatus
  error: PaymentError | null
  metadata: Metadata
  mode: string
  type: string
  redirect: Redirect | null
  three_ds: ThreeDs | null
  /** Epoch milliseconds */
  created_on: number | string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export type ChargeEvent = EventFields & {
  event: 'charge_updated' | 'charge_finished'
  data: Charge
}

export interface ChargeExpiry {
  id: string
  charge_id: string
  /** ISO-8601 with fractional seconds */
  expiration_date: string
  extension_count: number
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export type ChargeItem = Charge & {
  merchant_name: string
  store_name: string
}

export interface ChargePage {
  items: ChargeItem[]
  has_more: boolean
}

export type ChargeStatus = 'pending' | 'awaiting' | 'authorized' | 'successful' | 'failed' | 'error' | 'canceled'

export interface CheckoutColors {
  main_background: string
  secondary_background: string
  main_color: string
  main_text: string
  primary_text: string
  secondary_text: string
  base_text: string
  body_background: string
}

export interface CheckoutConfiguration {
  ec_email: EcEmail
  ec_products: EcProducts
}

export interface CheckoutInfo {
  mode: 'test' | 'live'
  recurring_token_privilege: 'none' | 'bounded' | 'infinite'
  name: string
  card_configuration: CardConfiguration
  qr_scan_configuration: QrScanConfiguration
  qr_merchant_configuration: QrMerchantConfiguration
  convenience_configuration: ConvenienceConfiguration
  paidy_configuration: PaidyConfiguration
  online_configuration: OnlineConfiguration
  bank_transfer_configuration: BankTransferConfiguration
  subscription_configuration: SubscriptionConfiguration
  subscription_plan_configuration: SubscriptionPlanConfiguration
  installments_configuration: InstallmentsConfiguration
  checkout_configuration: CheckoutConfiguration
  recurring_card_charge_cvv_confirmation: CardChargeCvvConfirmation
  paidy_public_key: string | null
  logo_image: string | null
  theme: CheckoutTheme
  supported_brands: SupportedBrand[]
}

export interface CheckoutTheme {
  colors: CheckoutColors
}

export interface CompleteTestCharge {
  outcome: 'successful' | 'failed' | 'expired'
}

export interface ConfirmToken {
  confirmation_code: string
}

export interface ConfirmTotp {
  totp: string
}

export interface ContactInfo {
  name: string
  company_name: string
  phone_number: VerificationPhone
  line1: string
  line2?: string | null
  city: string
  state: string
  country: string
  zip: string
}

export interface ConvenienceConfiguration {
  enabled: boolean | null
  expiration: string | null
  expiration_time_shift: ExpirationTimeShift
}

export interface ConvertAmount {
  amount: number
  currency: string
  to: string
}

export interface ConvertedAmount {
  amount: number
  currency: string
}

export interface CreateAppToken {
  roles?: ('merchant')[]
}

export type CreateApplePayToken = CreateTokenFields & {
  payment_type: 'apple_pay'
  data: ApplePayInput
}

export interface CreateBankAccount {
  holder_name: string
  bank_name: string
  branch_name?: string | null
  bank_address?: string | null
  routing_number?: string | null
  swift_code?: string | null
  ifsc_code?: string | null
  routing_code?: string | null
  account_type?: 'checking' | 'savings'
  primary?: boolean
  country: string
  currency: string
  account_number: string
}

export type CreateBankTransferToken = CreateTokenFields & {
  payment_type: 'bank_transfer'
  data: BankTransferInput
}

export interface CreateCancel {
  metadata?: Metadata | null
}

export type CreateCardToken = CreateTokenFields & {
  payment_type: 'card'
  data: CardInput
}

export interface CreateCharge {
  transaction_token_id: string
  amount: number
  currency: string
  only_direct_currency?: boolean | null
  capture?: boolean | null
  capture_at?: string | null
  merchant_transaction_id?: string | null
  metadata?: Metadata | null
  redirect?: CreateRedirect | null
  redirect_three_ds?: CreateRedirect | null
  three_ds_mode?: 'normal' | 'require' | 'force' | 'skip' | 'if_available' | 'provided' | null
  three_ds?: CreateChargeThreeDs | null
  descriptor?: string | null
  descriptor_phone_number?: string | null
  ignore_descriptor_on_error?: boolean | null
  client_metadata?: AnyObject | null
}

export interface CreateChargeThreeDs {
  mode?: 'normal' | 'require' | 'force' | 'skip' | 'if_available' | 'provided' | null
  redirect_endpoint?: string | null
  authentication_value?: string | null
  eci?: string | null
  ds_transaction_id?: string | null
  server_transaction_id?: string | null
  message_version?: string | null
  transaction_status?: string | null
}

export interface CreateCustomerId {
  customer_id: string
}

export interface CreateCustomsDeclaration {
  declaration: CustomsDeclarationInput
}

export interface CreateInstallmentPlan {
  plan_type: 'revolving' | 'fixed_cycles'
  fixed_cycles?: number | null
}

export type CreateKonbiniToken = CreateTokenFields & {
  payment_type: 'konbini'
  data: KonbiniInput
}

export type CreateOnlineToken = CreateTokenFields & {
  payment_type: 'online'
  data: OnlineInput
}

export type CreatePaidyToken = CreateTokenFields & {
  payment_type: 'paidy'
  data: PaidyInput
}

export type CreateQrMerchantToken = CreateTokenFields & {
  payment_type: 'qr_merchant'
  data: QrMerchantInput
}

export type CreateQrScanToken = CreateTokenFields & {
  payment_type: 'qr_scan'
  data: QrScanInput
}

export interface CreateRedirect {
  endpoint?: string | null
}

export interface CreateRefund {
  amount: number
  currency: string
  reason?: 'fraud' | 'duplicate' | 'customer_request' | null
  message?: string | null
  metadata?: Metadata | null
}

export interface CreateReplay {
  /** First moment, included */
  from?: string
  /** Last moment, not included */
  to?: string
  triggers?: string[]
  resource_id?: string
  /** `not_delivered`: never sent or given up; `failed`: given up */
  which?: 'all' | 'not_delivered' | 'failed'
  /** Test delivery: each is sent once to this URL. Events of test mode only */
  url?: string
  /** Only count; nothing is sent */
  preview?: boolean
}

export interface CreateScheduleSettings {
  /** Year-Month-Day */
  start_on?: string | null
  zone_id?: string | null
  preserve_end_of_month?: boolean | null
  termination_mode?: 'immediate' | 'on_next_payment' | null
  retry_interval?: string | null
}

export interface CreateStore {
  name: string
  metadata?: Metadata
  configuration?: UpdateStoreConfiguration
}

export interface CreateStoreAppToken {
  mode?: 'test' | 'live'
  domains?: string[]
}

export interface CreateSubscription {
  transaction_token_id: string
  amount: number
  currency: string
  initial_amount?: number | null
  period?: 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'bimonthly' | 'quarterly' | 'semiannually' | 'annually' | null
  cyclical_period?: string | null
  schedule_settings?: CreateScheduleSettings | null
  installment_plan?: CreateInstallmentPlan | null
  subscription_plan?: CreateSubscriptionPlan | null
  first_charge_authorization_only?: boolean | null
  first_charge_capture_after?: string | null
  only_direct_currency?: boolean | null
  descriptor?: string | null
  three_ds?: CreateChargeThreeDs | null
  metadata?: Metadata | null
}

export interface CreateSubscriptionBatch {
  /** 1 to 100 bodies of POST /subscriptions */
  subscriptions: CreateSubscription[]
  /** Added to the metadata of the first charge of each subscription */
  initial_charge_metadata?: Metadata | null
  /** Not supported: create charges with POST /charges */
  charges?: AnyObject[] | null
}

export interface CreateSubscriptionPlan {
  plan_type: 'fixed_cycles' | 'fixed_cycle_amount'
  fixed_cycles?: number | null
  fixed_cycle_amount?: number | null
}

export interface CreateTestDeposit {
  amount: number
  name?: string | null
}

export type CreateToken = CreateCardToken | CreateApplePayToken | CreateQrScanToken | CreateQrMerchantToken | CreateKonbiniToken | CreatePaidyToken | CreateOnlineToken | CreateBankTransferToken

export interface CreateTokenAlias {
  transaction_token_id: string
  amount?: number | null
  currency?: string | null
  metadata?: Metadata | null
  valid_until?: string | null
}

export interface CreateTokenFields {
  type?: 'one_time' | 'subscription' | 'recurring' | null
  usage_limit?: string | null
  email?: string | null
  ip_address?: string | null
  metadata?: Metadata | null
  subscription?: boolean
  use_confirmation?: boolean | null
}

export interface CreateVerification {
  homepage_url: string
  company_description: string
  company_contact_info: ContactInfo
  business_type: string
  system_manager_name?: string | null
  system_manager_number?: VerificationPhone | null
  system_manager_email?: string | null
  customer_contact_email?: string | null
  customer_contact_number?: VerificationPhone | null
  recurring_token_request?: 'none' | 'bounded' | 'infinite' | null
  recurring_token_request_reason?: string | null
  allow_empty_cvv?: boolean | null
}

export interface CreateWebhook {
  /** Where events are posted to */
  url: string
  /** Names of events */
  triggers: string[]
  auth_token?: string | null
  active?: boolean
}

export interface CustomerId {
  customer_id: string
}

export interface CustomerManagementConfiguration {
  enabled: boolean | null
  default_roles: string[] | null
  default_mode: string | null
}

export interface CustomsAttempt {
  id: string
  declaration: CustomsAttemptData
  declaration_result: CustomsResult
  status: CustomsDeclarationStatus
  error: PaymentError | null
  /** ISO-8601 with zone offset */
  created_on: string
  /** ISO-8601 with zone offset */
  finished_on: string
}

export interface CustomsAttemptData {
  customs: string
  merchant_customs_no: string
}

export interface CustomsAttemptPage {
  items: CustomsAttempt[]
  has_more: boolean
}

export interface CustomsDeclaration {
  id: string
  charge_id: string
  merchant_id: string
  store_id: string
  mode: string
  gateway: string
  declaration: CustomsDeclarationData
  declaration_result: CustomsResult
  status: CustomsDeclarationStatus
  error: PaymentError | null
  /** ISO-8601 with zone offset */
  created_on: string
  /** ISO-8601 with zone offset */
  updated_on: string
}

export interface CustomsDeclarationChange {
  merchant_customs_no?: string
  certificate_id?: string
  certificate_name?: string
  /** Not modifiable */
  customs?: string
}

export interface CustomsDeclarationData {
  customs: string
  merchant_customs_no: string
  certificate_id: string
  certificate_name: string
}

export type CustomsDeclarationEvent = EventFields & {
  event: 'customs_declaration_finished'
  data: CustomsDeclaration
}

export interface CustomsDeclarationInput {
  customs: 'GUANGZHOU_ZS' | 'GUANGZHOU_HP_GJ' | 'GUANGZHOU_NS_GJ' | 'HANGZHOU_ZS' | 'NINGBO' | 'ZHENGZHOU_BS' | 'CHONGQING' | 'SHANGHAI_ZS' | 'SHENZHEN' | 'ZHENGZHOU_ZH_ZS' | 'TIANJIN'
  merchant_customs_no: string
  certificate_id: string
  certificate_name: string
}

export interface CustomsDeclarationPage {
  items: CustomsDeclaration[]
  has_more: boolean
}

export type CustomsDeclarationStatus = 'pending' | 'successful' | 'failed' | 'error'

/** As the brand tells it */
export type CustomsResult = Record<string, string>

export interface CvvAuthorization {
  enabled: boolean
  status: string | null
  currency: string | null
  charge_id: string | null
  credentials_id: string | null
}

export interface CvvAuthorizationCheck {
  status: string | null
  charge_id: string | null
  date: string | null
}

export interface CvvAuthorizeInput {
  enabled?: boolean
  currency?: string | null
}

export interface Delivery {
  id: string
  webhook_id: string
  event: string
  /** What was or will be sent */
  data: unknown
  resource_id: string
  /** The event's number among those of its resource */
  sequence: number
  mode: 'test' | 'live'
  status: 'waiting' | 'delivered' | 'failed'
  successful: boolean
  /** ISO-8601 with fractional seconds */
  fired_on: string | null
  /** ISO-8601 with fractional seconds */
  next_attempt_on: string | null
  error_message: string | null
  attempts: DeliveryAttempt[]
  /** ISO-8601 with fractional seconds */
  created_on: string
}

export interface DeliveryAttempt {
  /** ISO-8601 with fractional seconds */
  fired_on: string
  duration_ms: number
  /** The HTTP status of the response, if there was one */
  status: number | null
  /** Why there was no response */
  error: string | null
  /** The beginning of an unsuccessful response */
  answer: string | null
}

export interface DeliveryPage {
  items: Delivery[]
  has_more: boolean
}

export interface DescriptorProvidedConfiguration {
  name: string | null
  phone_number: string | null
}

export interface EcEmail {
  enabled: boolean | null
}

export interface EcProducts {
  enabled: boolean | null
}

export interface Error {
  status: 'error'
  code: ErrorCode
  name: string
  message: string
  errors: FieldError[]
  error?: ErrorDetail
}

export type ErrorCode = 'VALIDATION_ERROR' | 'INVALID_REQUEST' | 'RESOURCE_LIMIT_REACHED' | 'LIVE_MODE_NOT_ENABLED_WHEN_UNVERIFIED' | 'ALREADY_CAPTURED' | 'CANCEL_NOT_ALLOWED' | 'CANNOT_REFUND_UNSUCCESSFUL_CHARGE' | 'CANNOT_DECLARE_UNSUCCESSFUL_CHARGE' | 'CUSTOMS_NOT_AVAILABLE' | 'CAPTURE_AMOUNT_TOO_LARGE' | 'CARD_BRAND_NOT_SUPPORTED' | 'CARD_COUNTRY_NOT_SUPPORTED' | 'CARD_PROCESSING_DISABLED' | 'QR_PROCESSING_DISABLED' | 'INVALID_QR_SCAN_GATEWAY' | 'CONVENIENCE_PROCESSING_DISABLED' | 'PAIDY_PROCESSING_DISABLED' | 'ONLINE_PROCESSING_DISABLED' | 'BANK_TRANSFER_PROCESSING_DISABLED' | 'CHARGE_AMOUNT_TOO_HIGH' | 'CHARGE_AMOUNT_TOO_LOW' | 'CHARGE_TOO_QUICK' | 'CURRENCY_MUST_MATCH_CHARGE' | 'CVV_AUTHORIZATION_NOT_COMPLETED' | 'CVV_REQUIRED' | 'NO_TEST_CARD_IN_LIVE_MODE' | 'NON_SUBSCRIPTION_PAYMENT' | 'RECURRING_USAGE_REQUIRES_CVV' | 'CARD_LOCKED' | 'INVALID_TOKEN_TYPE' | 'NOT_SUBSCRIPTION_TOKEN' | 'SUBSCRIPTION_ALREADY_ENDED' | 'INSTALLMENT_MAX_PAYOUT_PERIOD_EXCEEDED' | 'INSTALLMENTS_NOT_ENABLED' | 'SUBSCRIPTIONS_NOT_ENABLED' | 'NOT_SUPPORTED_BY_PROCESSOR' | 'RECURRING_TOKEN_DISABLED' | 'RECURRING_USAGE_LIMIT_REQUIRED' | 'REFUND_EXCEEDS_CHARGE_AMOUNT' | 'REFUND_NOT_ALLOWED' | 'REFUND_NOT_WITHIN_BOUNDS' | 'TOKEN_FOR_WRONG_STORE' | 'TRANSACTION_ALREADY_PROCESSED' | 'TRANSACTION_TOKEN_EXPIRED' | 'PROCESSING_MODE_MISMATCH' | 'USAGE_LIMIT_REACHED' | 'USAGE_LIMIT_NOT_APPLICABLE' | 'DIRECT_CARD_TOKEN_CREATION_DISABLED' | 'NON_UNIQUE_ACTIVE_TOKEN' | 'AUTH_HEADER_MISSING' | 'INVALID_APP_TOKEN' | 'INVALID_CREDENTIALS' | 'INVALID_LOGIN_TOKEN' | 'EXPIRED_LOGIN_TOKEN' | 'TOTP_REQUIRED' | 'INVALID_DOMAIN' | 'INVALID_PERMISSIONS' | 'OUTDATED_APP_TOKEN' | 'NOT_FOUND' | 'NOT_ALLOWED' | 'IDEMPOTENCY_KEY_CONFLICT' | 'MERCHANT_TRANSACTION_ID_EXISTS' | 'CUSTOMS_DECLARATION_PENDING' | 'CUSTOMS_DECLARATION_SUCCESSFUL' | 'CUSTOMS_DECLARATION_FAILED' | 'INVALID_PASSWORD_LINK' | 'USER_EMAIL_EXISTS' | 'VERIFICATION_EXISTS' | 'WEBHOOK_INACTIVE' | 'WEBHOOK_URL_EXISTS' | 'PAYLOAD_TOO_LARGE' | 'URI_TOO_LONG' | 'UNSUPPORTED_MEDIA_TYPE' | 'BAD_REQUEST' | 'REQUEST_HEADER_TOO_LARGE' | 'REQUEST_TIMEOUT' | 'UNKNOWN_ERROR' | 'SERVICE_UNAVAILABLE'

export interface ErrorDetail {
  code: number
  message: string
}

export type Event = TokenEvent | ChargeEvent | RefundEvent | CancelEvent | CustomsDeclarationEvent | BankTransferStatusEvent | SubscriptionEvent | TransferEvent | MerchantEvent | StoreEvent | AppTokenEvent | WebhookEvent | BankAccountEvent | UserEvent

export interface EventFields {
  id: string
  /** ISO-8601 with fractional seconds */
  created_on: string
  resource_id: string
  /** The event's number among those of its resource */
  sequence: number
  /** In the feed only */
  store_id?: string | null
  /** In the feed only */
  mode?: 'test' | 'live' | null
}

export interface EventPage {
  items: Event[]
  has_more: boolean
}

export interface ExpirationTimeShift {
  enabled: boolean | null
  value: string | null
}

export interface FieldError {
  field: string
  reason: Reason
}

export interface GatewayBrand {
  brand: string
  service_brand_name: string
  brand_display_name: string
  extras: AnyObject
}

export interface GatewayInfo {
  service: string
  service_name: string
  brands: GatewayBrand[]
}

export interface GetGatewayInfo {
  amount: number
  currency: string
  /** One of http_get, http_get_mobile, sdk, app */
  call_method: string
  /** android, ios */
  os_type?: string | null
}

export interface Healthy {
  status: 'ok'
}

export interface HistoryItem {
  merchant_name: string
  store_id: string
  store_name: string
  resource_id: string
  charge_id: string
  amount: number
  currency: string
  amount_formatted: number
  type: string
  status: string
  metadata: Metadata
  /** ISO-8601 with fractional seconds */
  created_on: string
  mode: string
  payment_type: string
  charge_type: string
  user_data: HistoryPayer
  bank_transfer_payment_status: string | null
  /** ISO-8601 with fractional seconds */
  bank_transfer_latest_deposit_date: string | null
}

export interface HistoryPage {
  items: HistoryItem[]
  has_more: boolean
  /** The cursor of the next page */
  next_cursor?: string | null
}

export interface HistoryPayer {
  /** The payment type */
  type: string
  cardholder_name: string | null
  cardholder_email_address: string | null
  brand: string | null
  gateway: string | null
  service_provider: string | null
  refunds: HistoryRefund[]
  reason: string | null
}

export interface HistoryRefund {
  refund_id: string
  amount: number
  currency: string
  amount_formatted: number
  status: string
  reason: string | null
}

export interface ImmediateDelivery {
  id: string
  /** ISO-8601 with fractional seconds */
  fired_on: string
  duration_ms: number
  status: number | null
  error: string | null
  answer: string | null
}

export interface InstallmentPlan {
  plan_type: string
  fixed_cycles?: number | null
}

export interface InstallmentsConfiguration {
  enabled: boolean | null
  only_with_processor: boolean | null
  min_charge_amount: Money | null
  max_payout_period: string | null
  failed_cycles_to_cancel: number | null
  card_processor: CardProcessor
  supported_payment_types: string[] | null
}

export interface IssuerToken {
  payment_type: string
  issuer_token?: string | null
  call_method?: string | null
  payload?: AnyObject | null
  content_type?: string
  account_id?: string
  bank_code?: string
  bank_name?: string
  branch_code?: string
  branch_name?: string
  account_number?: string
  account_holder_name?: string
}

export interface KonbiniInput {
  customer_name: string
  phone_number: PhoneInput
  convenience_store: 'seven_eleven' | 'family_mart' | 'lawson' | 'mini_stop' | 'seico_mart' | 'pay_easy' | 'circle_k' | 'sunkus' | 'daily_yamazaki' | 'yamazaki_daily_store'
  expiration_period?: string | null
  /**
   * Time of day at which the payment ends; needs a period of a day or more; not for seven_eleven,
   * seico_mart, pay_easy, circle_k, sunkus
   */
  expiration_time_shift?: string | null
}

export type KonbiniToken = TokenFields & {
  payment_type: 'konbini'
  data: KonbiniTokenData
}

export interface KonbiniTokenData {
  customer_name?: string
  convenience_store?: string
  phone_number?: Phone | null
  expiration_period?: string | null
  expiration_time_shift?: string | null
}

export interface Ledger {
  id: string
  merchant_id: string
  store_id: string
  charge_id: string | null
  refund_id: string | null
  transfer_id: string | null
  mode: 'test' | 'live'
  /** What the merchant is owed more: above zero for a sale, below for fee and refund */
  amount: number
  currency: string
  amount_formatted: number
  percent_fee: number | null
  flat_fee_amount: number | null
  flat_fee_currency: string | null
  flat_fee_formatted: number | null
  exchange_rate: number | null
  origin: 'charge' | 'refund' | 'cancel' | 'manual'
  kind: 'authorization' | 'release' | 'capture' | 'fee' | 'conversion' | 'refund' | 'deposit' | 'return' | 'adjustment' | 'payout'
  note: string | null
  entries: LedgerEntry[]
  /** ISO-8601 with fractional seconds */
  created_on: string
}

export interface LedgerEntry {
  account: 'authorization_hold' | 'authorized_by_customer' | 'provider_receivable' | 'merchant_payable' | 'paid_out' | 'fee_income' | 'fx_clearing' | 'conversion_requested' | 'conversion_charged' | 'suspense'
  currency: string
  /** A debit is positive, a credit negative */
  amount: number
}

export interface LedgerPage {
  items: Ledger[]
  has_more: boolean
}

export interface LegacyAppToken {
  id: string
  store_id: string | null
  /** The JWT */
  token: string
  /** Only in the response to a creation */
  secret: string | null
  domains: string[]
  mode: 'test' | 'live' | null
  /** ISO-8601 with fractional seconds */
  created_on: string
}

export interface LegacyAppTokenPage {
  items: LegacyAppToken[]
  has_more: boolean
}

export interface LimitChargeByCardConfiguration {
  quantity_of_charges: number | null
  duration_window: string | null
}

export interface LimitRefundBySales {
  enabled: boolean | null
  period: string | null
  rolling_window: string | null
}

export interface LogIn {
  email: string
  password: string
  /** The code of the authenticator app */
  totp?: string
  /** Instead of a code; each works once */
  recovery_code?: string
}

export interface LogOut {
  everywhere?: boolean
}

export interface Login {
  jwt: string
  merchant_id: string
}

export interface Merchant {
  id: string
  name: string
  email: string
  verified: boolean
  verification_data_id: string | null
  notification_email: string | null
  finance_notification_email: string | null
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
  configuration: MerchantConfiguration
}

export interface MerchantConfiguration {
  percent_fee: number | null
  flat_fees: Money[] | null
  logo_url: string | null
  country: string | null
  language: string | null
  display_time_zone: string | null
  min_transfer_payout: Money | null
  minimum_charge_amounts: Money[] | null
  maximum_charge_amounts: Money[] | null
  platform_credentials_enabled: boolean | null
  tagged_platform_credentials_enabled: boolean | null
  transfer_schedule: TransferSchedule
  user_transactions_configuration: UserTransactionsConfiguration
  card_configuration: CardConfiguration
  qr_scan_configuration: QrScanConfiguration
  qr_merchant_configuration: QrMerchantConfiguration
  paidy_configuration: PaidyConfiguration
  online_configuration: OnlineConfiguration
  convenience_configuration: ConvenienceConfiguration
  bank_transfer_configuration: BankTransferConfiguration
  recurring_token_configuration: RecurringTokenConfiguration
  security_configuration: SecurityConfiguration
  installments_configuration: InstallmentsConfiguration
  subscription_configuration: SubscriptionConfiguration
  subscription_plan_configuration: SubscriptionPlanConfiguration
  checkout_configuration: CheckoutConfiguration
  descriptor_provided_configuration: DescriptorProvidedConfiguration
  customer_management_configuration: CustomerManagementConfiguration
  card_brand_percent_fees: CardBrandPercentFees
}

export type MerchantEvent = EventFields & {
  event: 'merchant_updated'
  data: Merchant
}

export type Metadata = Record<string, unknown>

export interface Money {
  amount: number
  currency: string
}

export type NewAppToken = AppToken & {
  /** Shown only here */
  secret: string
}

export interface NewTokenAlias {
  key: string
  /** ISO-8601 with fractional seconds */
  valid_until: string
}

export type NoFields = Record<string, unknown>

export interface OnlineConfiguration {
  enabled: boolean | null
}

export interface OnlineInput {
  /**
   * One of alipay_online, alipay_plus_online, pay_pay_online, we_chat_online, d_barai_online;
   * letters in any case
   */
  brand: string
  /**
   * By brand: alipay_online: http_get, sdk, app; alipay_plus_online: http_get, http_get_mobile,
   * sdk, app; pay_pay_online: http_post; we_chat_online: http_get, sdk, app, web; d_barai_online:
   * http_post. One of http_get, http_get_mobile, http_post, sdk, web, app; letters in any case
   */
  call_method: string
  user_identifier?: string | null
  /** One of android, ios; letters in any case */
  os_type?: string | null
}

export type OnlineToken = TokenFields & {
  payment_type: 'online'
  data: OnlineTokenData
}

export interface OnlineTokenData {
  brand?: string | null
  call_method?: string
  issuer_token?: string | null
  issuer_token_payload?: AnyObject | null
  os_type?: string | null
  user_identifier?: string | null
  user_identifier_source?: string | null
}

export interface PaidyConfiguration {
  enabled: boolean | null
}

export interface PaidyInput {
  paidy_token: string
  phone_number?: PhoneInput | null
  shipping_address?: ShippingAddressInput | null
}

export type PaidyToken = TokenFields & {
  payment_type: 'paidy'
  data: PaidyTokenData
}

export interface PaidyTokenData {
  paidy_token?: string
  phone_number?: Phone | null
  shipping_address?: ShippingAddress | null
}

export interface PasswordResetRequested {
  message: string
}

export interface PayerSummary {
  cardholder_name: string | null
  email: string | null
  brand: string | null
}

export interface PaymentDefaults {
  cards_enabled: boolean
  debit_enabled: boolean
  debit_authorization_enabled: boolean
  prepaid_enabled: boolean
  prepaid_authorization_enabled: boolean
  qr_scan_enabled: boolean
  qr_merchant_enabled: boolean
  convenience_enabled: boolean
  paidy_enabled: boolean
  online_enabled: boolean
  bank_transfer_enabled: boolean
}

export interface PaymentError {
  code: number
  message: string
  detail: string | null
}

export interface Phone {
  country_code: number
  local_number: string
}

export interface PhoneInput {
  country_code: string | number
  local_number: string | number
}

export interface PlannedPayment {
  due_date: string
  zone_id: string
  amount: number
  currency: string
  amount_formatted: number
  is_paid: boolean
  is_last_payment: boolean
  successful_payment_date: string | null
  retry_date: string | null
  retry_interval: string | null
  terminate_with_status: string | null
}

export type PlannedPayments = PlannedPayment[]

export interface Platform {
  id: string
  name: string
  domain: string
  supported_payment_types: string[]
  supported_card_brands: string[]
  configuration: PlatformConfiguration
}

export interface PlatformConfiguration {
  country: string
  default_language: string
  supported_languages: string[]
  foreign_cards_enabled: boolean
  refund_percent_limit: number | null
  recurring_token_privilege: string
  payment_defaults: PaymentDefaults
}

export interface QrImage {
  ready: boolean
  qr_image_url: string | null
}

export interface QrMerchantConfiguration {
  enabled: boolean | null
}

export interface QrMerchantInput {
  /**
   * One of alipay_merchant_qr, pay_pay_merchant, we_chat_mpm, d_barai_online, d_barai_mpm,
   * d_barai_merchant; letters in any case
   */
  brand: string
}

export type QrMerchantToken = TokenFields & {
  payment_type: 'qr_merchant'
  data: QrMerchantTokenData
}

export interface QrMerchantTokenData {
  brand?: string | null
  qr_image_url?: string | null
}

export interface QrScanConfiguration {
  enabled: boolean | null
  forbidden_qr_scan_gateways: string[] | null
}

export interface QrScanInput {
  scanned_qr: string
}

export type QrScanToken = TokenFields & {
  payment_type: 'qr_scan'
  data: QrScanTokenData
}

export interface QrScanTokenData {
  brand?: string | null
  gateway?: string | null
}

export type Reason = 'REQUIRED_VALUE' | 'FORBIDDEN_PARAMETER' | 'CHANGE_PROHIBITED' | 'NOT_ALLOWED_VALUE' | 'INVALID_FORMAT' | 'INVALID_FORMAT_LENGTH' | 'INVALID_UUID' | 'INVALID_FORMAT_EMAIL' | 'INVALID_FORMAT_CURRENCY' | 'INVALID_FORMAT_DOMAIN' | 'INVALID_FORMAT_URL' | 'INVALID_FORMAT_OBJECT' | 'INVALID_FORMAT_COUNTRY' | 'INVALID_FORMAT_DATE' | 'INVALID_DURATION' | 'INVALID_TIME_PERIOD' | 'INVALID_LANGUAGE' | 'INVALID_PATH_VALUE' | 'INCOHERENT_DATE_RANGE' | 'MUST_BE_FUTURE_TIME' | 'MUST_BE_FUTURE_OR_TODAY' | 'START_ON_EXCEEDS_LIMIT' | 'MUST_BE_MONTH_BASED_TO_SET' | 'MUST_BE_LOWER_THAN_FULL_AMOUNT' | 'NEED_AT_LEAST_TWO_CYCLES' | 'CANNOT_SET_AFTER_SUBSCRIPTION_STARTED' | 'INSTALLMENT_INVALID_PLAN_TYPE' | 'INSTALLMENT_INVALID_INITIAL_AMOUNT' | 'INSTALLMENT_REVOLVING_PLAN_CANNOT_SET_INITIAL_AMOUNT' | 'CANNOT_CHANGE_INSTALLMENT_AMOUNT' | 'PAYMENT_IN_TIME_PERIOD' | 'INVALID_AMOUNT' | 'INVALID_CARD_NUMBER' | 'CARD_NUMBER_NOT_ALLOWED' | 'INVALID_CARD_EXPIRATION' | 'INVALID_CVV' | 'INVALID_PHONE_NUMBER' | 'ONLY_JAPANESE_PHONE_NUMBER_ALLOWED' | 'ONE_TIME_ONLY_ALLOWED' | 'EXPIRATION_DATE_OUT_OF_BOUNDS' | 'NOT_QR_CHARGE' | 'NOT_ONLINE_CHARGE' | 'ISSUER_TOKEN_EMPTY' | 'INVALID_SCHEDULED_CAPTURE_DATE' | 'INVALID_CARD_TYPE_FOR_CAPTURE' | 'INVALID_CHARGE_AMOUNT_LIMIT' | 'CAPTURE_ONLY_FOR_CARD_PAYMENT' | 'ONLY_FOR_CARD_PAYMENT' | 'INVALID_CHARGE_STATUS' | 'NOT_SUPPORTED_BY_PROCESSOR' | 'TOKEN_MUST_BE_CONFIRMED' | 'WRONG_CONFIRMATION_CODE' | 'CONFIRMATION_REQUIRES_EMAIL' | 'UNFINISHED_CHARGES_EXIST_FOR_TOKEN' | 'ONGOING_SUBSCRIPTIONS_EXIST_FOR_TOKEN' | 'NUMBER_MIN' | 'NUMBER_MAX' | 'MUST_HAVE_AT_LEAST_ONE_ELEMENT' | 'INVALID_EVENT_FOR_STORE' | 'INVALID_EVENT_FOR_MERCHANT' | 'STORE_EXISTS' | 'BANK_ACCOUNT_EXISTS'

export interface RecurringTokenConfiguration {
  recurring_type: 'none' | 'bounded' | 'infinite' | null
  charge_wait_period: string | null
  card_charge_cvv_confirmation: CardChargeCvvConfirmation
}

export interface RedeliverEvent {
  /** Test delivery: sent once to this URL instead. Events of test mode only */
  url?: string
}

export interface Redirect {
  endpoint: string
  redirect_id: string
}

export interface Refund {
  id: string
  store_id: string
  charge_id: string
  status: RefundStatus
  amount: number
  currency: string
  amount_formatted: number
  reason: string | null
  message: string | null
  error: PaymentError | null
  metadata: Metadata
  mode: string
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export type RefundEvent = EventFields & {
  event: 'refund_finished'
  data: Refund
}

export interface RefundPage {
  items: Refund[]
  has_more: boolean
}

export type RefundStatus = 'pending' | 'successful' | 'failed' | 'error'

export interface Replay {
  id: string
  webhook_id: string
  status: 'running' | 'finished'
  /** ISO-8601 with fractional seconds */
  from: string | null
  /** ISO-8601 with fractional seconds */
  to: string | null
  triggers: string[]
  resource_id: string | null
  which: 'all' | 'not_delivered' | 'failed'
  url: string | null
  /** Events it is about, counted when it began */
  count: number
  /** Put in the queue of the webhook */
  queued: number
  /** Test delivery: successful responses */
  delivered: number
  /** Test delivery: other results */
  failed: number
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  finished_on: string | null
}

export interface ReplayPreview {
  count: number
}

export interface RequestPasswordReset {
  email: string
}

export interface ResetPassword {
  password: string
}

export interface RestrictIpAfterFailedCharge {
  enabled: boolean | null
  count: number | null
  cooldown: string | null
}

export interface ScheduleSettings {
  start_on: string | null
  zone_id: string
  preserve_end_of_month: boolean | null
  retry_interval: string | null
  termination_mode: string
}

export interface SecurityConfiguration {
  inspect_suspicious_login_after: string | null
  refund_percent_limit: number | null
  limit_charge_by_card_configuration: LimitChargeByCardConfiguration
  confirmation_required: boolean | null
  min_refund_threshold: Money | null
  card_charge_cooldown: string | null
  subscription_cooldown: string | null
  restrict_ip_after_failed_charge: RestrictIpAfterFailedCharge
  limit_refund_by_sales: LimitRefundBySales
}

export interface ShippingAddress {
  line1: string | null
  line2: string | null
  city: string | null
  state: string | null
  zip: string | null
}

export interface ShippingAddressInput {
  line1?: string | null
  line2?: string | null
  city?: string | null
  state?: string | null
  zip?: string | null
}

export interface SimulatePlan {
  payment_type?: string | null
  amount: number
  currency: string
  initial_amount?: number | null
  period?: 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'bimonthly' | 'quarterly' | 'semiannually' | 'annually' | null
  cyclical_period?: string | null
  schedule_settings?: CreateScheduleSettings | null
  installment_plan?: CreateInstallmentPlan | null
  subscription_plan?: CreateSubscriptionPlan | null
}

export interface StartTokenThreeDs {
  redirect_endpoint?: string | null
}

export interface StartTotp {
  password: string
}

export interface StopSubscription {
  termination_mode?: 'immediate' | 'on_next_payment' | null
}

export interface Store {
  id: string
  merchant_id: string
  name: string
  metadata: Metadata
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
  configuration: StoreConfiguration
}

export interface StoreConfiguration {
  percent_fee: number | null
  flat_fees: Money[] | null
  logo_url: string | null
  country: string | null
  language: string | null
  display_time_zone: string | null
  min_transfer_payout: Money | null
  minimum_charge_amounts: Money[] | null
  maximum_charge_amounts: Money[] | null
  platform_credentials_enabled: boolean | null
  tagged_platform_credentials_enabled: boolean | null
  user_transactions_configuration: UserTransactionsConfiguration
  card_configuration: CardConfiguration
  qr_scan_configuration: QrScanConfiguration
  qr_merchant_configuration: QrMerchantConfiguration
  paidy_configuration: PaidyConfiguration
  online_configuration: OnlineConfiguration
  convenience_configuration: ConvenienceConfiguration
  bank_transfer_configuration: BankTransferConfiguration
  recurring_token_configuration: RecurringTokenConfiguration
  security_configuration: SecurityConfiguration
  installments_configuration: InstallmentsConfiguration
  subscription_configuration: SubscriptionConfiguration
  subscription_plan_configuration: SubscriptionPlanConfiguration
  checkout_configuration: CheckoutConfiguration
  descriptor_provided_configuration: DescriptorProvidedConfiguration
  customer_management_configuration: CustomerManagementConfiguration
  card_brand_percent_fees: CardBrandPercentFees
}

export type StoreEvent = EventFields & {
  event: 'store_created' | 'store_updated' | 'store_deleted'
  data: Store
}

export interface StorePage {
  items: Store[]
  has_more: boolean
}

export interface Subscription {
  id: string
  merchant_id: string
  store_id: string
  transaction_token_id: string
  payment_type: string
  amount: number
  currency: string
  amount_formatted: number
  initial_amount: number | null
  initial_amount_formatted: number | null
  period: string | null
  cyclical_period: string | null
  subsequent_cycles_start: null
  schedule_settings: ScheduleSettings
  next_payment: SubscriptionPayment | null
  next_payment_date: string | null
  cycles_left: number | null
  payments_left: number | null
  amount_left: number | null
  amount_left_formatted: number | null
  installment_plan: InstallmentPlan | null
  subscription_plan: SubscriptionPlan | null
  first_charge_authorization_only: boolean
  first_charge_capture_after: string | null
  only_direct_currency: boolean
  descriptor: string | null
  three_ds: ThreeDs | null
  status: SubscriptionStatus
  metadata: Metadata
  mode: string
  /** Epoch milliseconds */
  created_on: number | string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export interface SubscriptionBatch {
  id: string
  batch_id: string
  merchant_id: string
  store_id: string
  mode: string
  /** failed when at least one subscription could not be created */
  status: 'awaiting' | 'successful' | 'failed'
  subscription_ids: string[]
  /** The first charge, when there is exactly one */
  charge_id: string | null
  initial_charge_metadata: Metadata | null
  /** One for each subscription, in their order */
  results: SubscriptionBatchItem[]
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export interface SubscriptionBatchError {
  code: string
  message: string
  errors: FieldError[]
}

export interface SubscriptionBatchItem {
  status: 'awaiting' | 'successful' | 'failed'
  subscription_id: string | null
  charge_id: string | null
  error: SubscriptionBatchError | null
}

export interface SubscriptionConfiguration {
  enabled: boolean | null
  suspend_on_cancel: boolean | null
  allow_merchant_amount_patch: boolean | null
  allow_merchant_due_date_patch: boolean | null
  failed_charges_to_cancel: number | null
}

export type SubscriptionEvent = EventFields & {
  event: 'subscription_created' | 'subscription_payment' | 'subscription_failure' | 'subscription_canceled' | 'subscription_suspended' | 'subscription_completed'
  data: Subscription
}

export type SubscriptionItem = Subscription & {
  merchant_name: string
  store_name: string
  user_data: PayerSummary
}

export interface SubscriptionPage {
  items: SubscriptionItem[]
  has_more: boolean
}

export interface SubscriptionPayment {
  id: string
  due_date: string
  zone_id: string
  amount: number
  currency: string
  amount_formatted: number
  is_paid: boolean
  is_last_payment: boolean
  successful_payment_date: string | null
  retry_date: string | null
  retry_interval: string | null
  terminate_with_status: string | null
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export interface SubscriptionPaymentPage {
  items: SubscriptionPayment[]
  has_more: boolean
}

export interface SubscriptionPlan {
  plan_type: string
  fixed_cycles?: number | null
  fixed_cycle_amount?: number | null
}

export interface SubscriptionPlanConfiguration {
  enabled: boolean | null
  fixed_cycle: boolean | null
  fixed_cycle_amount: boolean | null
  supported_payment_types: string[] | null
  min_charge_amount: Money | null
  max_payout_period: string | null
}

export type SubscriptionStatus = 'unverified' | 'unconfirmed' | 'authorized' | 'current' | 'unpaid' | 'suspended' | 'canceled' | 'completed'

export interface SupportedBrand {
  payment_type: string
  brand: string
  card_brand: string | null
  qr_brand: string | null
  online_brand: string | null
  dynamic_info: boolean
  support_auth_capture: boolean
  requires_full_name: boolean
  requires_cvv: boolean
  countries_allowed: string[] | null
  supported_currencies: string[]
  cvv_auth: boolean
  installment_capable: boolean
  mcp_capable: boolean
  mcp_only: boolean
  logo_url: string | null
}

export interface TestClock {
  /** ISO-8601 with fractional seconds */
  now: string
  ahead_ms: number
}

export interface TestDeposit {
  reference: string
  charge_id: string
  amount: number
  currency: string
  name: string | null
}

export interface TestScenario {
  group: string
  lever: string
  effect: string
}

export interface TestScenarios {
  items: TestScenario[]
}

export interface ThreeDs {
  mode: string | null
  redirect_endpoint: string | null
  redirect_id: string | null
}

export interface TokenAlias {
  id: string
  key: string
  merchant_id: string
  store_id: string
  email: string | null
  payment_type: string
  active: boolean
  mode: string
  type: string
  amount: number | null
  currency: string | null
  alias_metadata: Metadata
  /** ISO-8601 with fractional seconds */
  valid_until: string
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  last_used_on: string | null
}

export type TokenEvent = EventFields & {
  event: 'token_created' | 'token_updated' | 'token_three_ds_updated' | 'token_cvv_auth_updated' | 'token_cvv_auth_check_updated' | 'token_replaced' | 'recurring_token_deleted' | 'token_three_d_s_updated'
  data: TransactionToken
}

export interface TokenFields {
  id: string
  merchant_id: string
  store_id: string
  email: string | null
  payment_type: string
  active: boolean
  mode: string
  type: string
  usage_limit: string | null
  confirmed: boolean | null
  metadata: Metadata
  ip_address: string | null
  /** ISO-8601 with fractional seconds */
  updated_on: string
  /** ISO-8601 with fractional seconds */
  last_used_on: string | null
  /** Epoch milliseconds */
  created_on: number | string
}

export interface TokenThreeDs {
  enabled: boolean
  status: string | null
  redirect_endpoint: string | null
  redirect_id: string | null
  error: PaymentError | null
  exempted: boolean
}

export interface TokenThreeDsInput {
  enabled?: boolean
  redirect_endpoint?: string | null
}

export type TotpConfirmed = Login & {
  /** Shown only here */
  recovery_codes: string[]
}

export interface TotpSecret {
  secret: string
  otpauth_url: string
}

export type TransactionToken = CardToken | ApplePayToken | QrScanToken | QrMerchantToken | KonbiniToken | PaidyToken | OnlineToken | BankTransferToken

export interface TransactionTokenItem {
  id: string
  merchant_id: string
  store_id: string
  email: string | null
  payment_type: string
  active: boolean
  mode: string
  type: string
  usage_limit: string | null
  confirmed: boolean | null
  metadata: Metadata
  ip_address: string | null
  /** ISO-8601 with fractional seconds */
  updated_on: string
  /** ISO-8601 with fractional seconds */
  last_used_on: string | null
  /** ISO-8601 with fractional seconds */
  created_on: string
  merchant_name: string
  store_name: string
  user_data: PayerSummary
}

export interface TransactionTokenPage {
  items: TransactionTokenItem[]
  has_more: boolean
}

export interface Transfer {
  id: string
  merchant_id: string
  bank_account_id: string | null
  mode: 'test' | 'live'
  amount: number
  currency: string
  amount_formatted: number
  status: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled'
  error_code: string | null
  error_text: string | null
  metadata: Metadata
  note: string | null
  /** ISO-8601 with fractional seconds */
  from: string
  /** ISO-8601 with fractional seconds */
  to: string
  started_by: string
  /** ISO-8601 with fractional seconds */
  created_on: string
}

export type TransferEvent = EventFields & {
  event: 'transfer_created' | 'transfer_updated' | 'transfer_finalized'
  data: Transfer
}

export interface TransferPage {
  items: Transfer[]
  has_more: boolean
}

export interface TransferSchedule {
  wait_period: string | null
  period: 'weekly' | 'biweekly' | 'semimonthly' | 'monthly' | 'bimonthly' | null
  full_period_required: boolean | null
  day_of_week: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
  week_of_month: 'first' | 'second' | 'third' | 'fourth' | 'last' | null
  day_of_month: number | null
  weekly_closing_day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
  weekly_payout_day: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
}

export interface TransferStatusChange {
  id: string
  merchant_id: string
  transfer_id: string
  old_status: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled'
  new_status: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled'
  reason: string | null
  /** ISO-8601 with fractional seconds */
  created_on: string
}

export interface TransferStatusChangePage {
  items: TransferStatusChange[]
  has_more: boolean
}

export interface UpdateBankAccount {
  holder_name?: string
  bank_name?: string
  branch_name?: string | null
  bank_address?: string | null
  routing_number?: string | null
  swift_code?: string | null
  ifsc_code?: string | null
  routing_code?: string | null
  account_type?: 'checking' | 'savings'
  primary?: boolean
}

export interface UpdateBankTransferConfiguration {
  enabled?: boolean | null
  automatic_extension_enabled?: boolean | null
  remind_notification_enabled?: boolean | null
  charge_request_notification_enabled?: boolean | null
  charge_request_canceled_notification_enabled?: boolean | null
  charge_expired_notification_enabled?: boolean | null
  deposit_received_notification_enabled?: boolean | null
  deposit_insufficient_notification_enabled?: boolean | null
  deposit_exceeded_notification_enabled?: boolean | null
  extension_notification_enabled?: boolean | null
  match_amount?: 'disabled' | 'exact' | 'minimum' | 'maximum' | null
  expiration?: string | null
  expiration_time_shift?: UpdateExpirationTimeShift | null
  virtual_bank_accounts_threshold?: number | null
  virtual_bank_accounts_fetch_count?: number | null
  default_extension_period?: string | null
  maximum_extension_period?: string | null
  remind_notification_period?: string | null
}

export interface UpdateCancel {
  metadata?: Metadata
}

export interface UpdateCardBrandPercentFees {
  visa?: number | null
  american_express?: number | null
  mastercard?: number | null
  maestro?: number | null
  discover?: number | null
  jcb?: number | null
  diners_club?: number | null
  union_pay?: number | null
  private_label?: number | null
}

export interface UpdateCardChargeCvvConfirmation {
  enabled?: boolean | null
  threshold?: Money[] | null
}

export interface UpdateCardConfiguration {
  enabled?: boolean | null
  debit_enabled?: boolean | null
  prepaid_enabled?: boolean | null
  debit_authorization_enabled?: boolean | null
  prepaid_authorization_enabled?: boolean | null
  foreign_cards_allowed?: boolean | null
  fail_on_new_email?: boolean | null
  allow_empty_cvv?: boolean | null
  only_direct_currency?: boolean | null
  three_ds_required?: boolean | null
  three_ds_address_required?: boolean | null
  three_ds_phone_number_required?: boolean | null
  three_ds_skip_enabled?: boolean | null
  allow_direct_token_creation?: boolean | null
  forbidden_card_brands?: string[] | null
  allowed_countries_by_ip?: string[] | null
  card_limit?: CardLimit | null
}

export interface UpdateCardInput {
  cvv?: string | number | null
  cardholder?: string
  exp_month?: string | number
  exp_year?: string | number
  line1?: string | null
  line2?: string | null
  state?: string | null
  city?: string | null
  country?: string | null
  zip?: string | null
  phone_number?: PhoneInput | null
  cvv_authorize?: CvvAuthorizeInput
}

export interface UpdateCardProcessor {
  revolving?: boolean | null
  fixed_cycle?: boolean | null
}

export interface UpdateCharge {
  metadata?: Metadata
}

export interface UpdateChargeRefund {
  reason?: 'fraud' | 'duplicate' | 'customer_request' | null
  message?: string | null
  metadata?: Metadata
  id?: string
  refund_id?: string
}

export interface UpdateCheckoutConfiguration {
  ec_email?: UpdateEcEmail | null
  ec_products?: UpdateEcProducts | null
}

export interface UpdateContactInfo {
  name?: string
  company_name?: string
  phone_number?: VerificationPhone
  line1?: string
  line2?: string | null
  city?: string
  state?: string
  country?: string
  zip?: string
}

export interface UpdateConvenienceConfiguration {
  enabled?: boolean | null
  expiration?: string | null
  expiration_time_shift?: UpdateExpirationTimeShift | null
}

export interface UpdateCustomerManagementConfiguration {
  enabled?: boolean | null
  default_roles?: string[] | null
  default_mode?: string | null
}

export interface UpdateCustomsDeclaration {
  declaration: CustomsDeclarationChange
}

export interface UpdateDescriptorProvidedConfiguration {
  name?: string | null
  phone_number?: string | null
}

export interface UpdateEcEmail {
  enabled?: boolean | null
}

export interface UpdateEcProducts {
  enabled?: boolean | null
}

export interface UpdateExpirationTimeShift {
  enabled?: boolean | null
  value?: string | null
}

export interface UpdateInstallmentsConfiguration {
  enabled?: boolean | null
  only_with_processor?: boolean | null
  min_charge_amount?: Money | null
  max_payout_period?: string | null
  failed_cycles_to_cancel?: number | null
  card_processor?: UpdateCardProcessor | null
  supported_payment_types?: string[] | null
}

export interface UpdateLegacyAppToken {
  domains: string[]
}

export interface UpdateLimitChargeByCardConfiguration {
  quantity_of_charges?: number | null
  duration_window?: string | null
}

export interface UpdateLimitRefundBySales {
  enabled?: boolean | null
  period?: string | null
  rolling_window?: string | null
}

export interface UpdateMerchant {
  name?: string
  notification_email?: string | null
  finance_notification_email?: string | null
  configuration?: UpdateMerchantConfiguration
}

export interface UpdateMerchantConfiguration {
  percent_fee?: number | null
  flat_fees?: Money[] | null
  logo_url?: string | null
  country?: string | null
  language?: string | null
  display_time_zone?: string | null
  min_transfer_payout?: Money | null
  minimum_charge_amounts?: Money[] | null
  maximum_charge_amounts?: Money[] | null
  platform_credentials_enabled?: boolean | null
  tagged_platform_credentials_enabled?: boolean | null
  transfer_schedule?: UpdateTransferSchedule | null
  user_transactions_configuration?: UpdateUserTransactionsConfiguration | null
  card_configuration?: UpdateCardConfiguration | null
  qr_scan_configuration?: UpdateQrScanConfiguration | null
  qr_merchant_configuration?: UpdateQrMerchantConfiguration | null
  paidy_configuration?: UpdatePaidyConfiguration | null
  online_configuration?: UpdateOnlineConfiguration | null
  convenience_configuration?: UpdateConvenienceConfiguration | null
  bank_transfer_configuration?: UpdateBankTransferConfiguration | null
  recurring_token_configuration?: UpdateRecurringTokenConfiguration | null
  security_configuration?: UpdateSecurityConfiguration | null
  installments_configuration?: UpdateInstallmentsConfiguration | null
  subscription_configuration?: UpdateSubscriptionConfiguration | null
  subscription_plan_configuration?: UpdateSubscriptionPlanConfiguration | null
  checkout_configuration?: UpdateCheckoutConfiguration | null
  descriptor_provided_configuration?: UpdateDescriptorProvidedConfiguration | null
  customer_management_configuration?: UpdateCustomerManagementConfiguration | null
  card_brand_percent_fees?: UpdateCardBrandPercentFees | null
}

export interface UpdateNextPayment {
  /** Year-Month-Day */
  due_date?: string | null
  amount?: number | null
  terminate_with_status?: 'suspended' | 'canceled' | null
}

export interface UpdateOnlineConfiguration {
  enabled?: boolean | null
}

export interface UpdatePaidyConfiguration {
  enabled?: boolean | null
}

export interface UpdateQrMerchantConfiguration {
  enabled?: boolean | null
}

export interface UpdateQrScanConfiguration {
  enabled?: boolean | null
  forbidden_qr_scan_gateways?: string[] | null
}

export interface UpdateRecurringTokenConfiguration {
  recurring_type?: 'none' | 'bounded' | 'infinite' | null
  charge_wait_period?: string | null
  card_charge_cvv_confirmation?: UpdateCardChargeCvvConfirmation | null
}

export interface UpdateRefund {
  reason?: 'fraud' | 'duplicate' | 'customer_request' | null
  message?: string | null
  metadata?: Metadata
}

export interface UpdateRestrictIpAfterFailedCharge {
  enabled?: boolean | null
  count?: number | null
  cooldown?: string | null
}

export interface UpdateSecurityConfiguration {
  inspect_suspicious_login_after?: string | null
  refund_percent_limit?: number | null
  limit_charge_by_card_configuration?: UpdateLimitChargeByCardConfiguration | null
  confirmation_required?: boolean | null
  min_refund_threshold?: Money | null
  card_charge_cooldown?: string | null
  subscription_cooldown?: string | null
  restrict_ip_after_failed_charge?: UpdateRestrictIpAfterFailedCharge | null
  limit_refund_by_sales?: UpdateLimitRefundBySales | null
}

export interface UpdateStore {
  name?: string
  metadata?: Metadata
  configuration?: UpdateStoreConfiguration
}

export interface UpdateStoreConfiguration {
  percent_fee?: number | null
  flat_fees?: Money[] | null
  logo_url?: string | null
  country?: string | null
  language?: string | null
  display_time_zone?: string | null
  min_transfer_payout?: Money | null
  minimum_charge_amounts?: Money[] | null
  maximum_charge_amounts?: Money[] | null
  platform_credentials_enabled?: boolean | null
  tagged_platform_credentials_enabled?: boolean | null
  user_transactions_configuration?: UpdateUserTransactionsConfiguration | null
  card_configuration?: UpdateCardConfiguration | null
  qr_scan_configuration?: UpdateQrScanConfiguration | null
  qr_merchant_configuration?: UpdateQrMerchantConfiguration | null
  paidy_configuration?: UpdatePaidyConfiguration | null
  online_configuration?: UpdateOnlineConfiguration | null
  convenience_configuration?: UpdateConvenienceConfiguration | null
  bank_transfer_configuration?: UpdateBankTransferConfiguration | null
  recurring_token_configuration?: UpdateRecurringTokenConfiguration | null
  security_configuration?: UpdateSecurityConfiguration | null
  installments_configuration?: UpdateInstallmentsConfiguration | null
  subscription_configuration?: UpdateSubscriptionConfiguration | null
  subscription_plan_configuration?: UpdateSubscriptionPlanConfiguration | null
  checkout_configuration?: UpdateCheckoutConfiguration | null
  descriptor_provided_configuration?: UpdateDescriptorProvidedConfiguration | null
  customer_management_configuration?: UpdateCustomerManagementConfiguration | null
  card_brand_percent_fees?: UpdateCardBrandPercentFees | null
}

export interface UpdateSubscription {
  transaction_token_id?: string
  amount?: number
  initial_amount?: number | null
  period?: 'daily' | 'weekly' | 'biweekly' | 'monthly' | 'bimonthly' | 'quarterly' | 'semiannually' | 'annually' | null
  cyclical_period?: string | null
  schedule_settings?: CreateScheduleSettings | null
  installment_plan?: CreateInstallmentPlan | null
  subscription_plan?: CreateSubscriptionPlan | null
  first_charge_authorization_only?: boolean | null
  first_charge_capture_after?: string | null
  status?: 'suspended' | 'unpaid'
  metadata?: Metadata
  next_payment?: UpdateNextPayment | null
}

export interface UpdateSubscriptionConfiguration {
  enabled?: boolean | null
  suspend_on_cancel?: boolean | null
  allow_merchant_amount_patch?: boolean | null
  allow_merchant_due_date_patch?: boolean | null
  failed_charges_to_cancel?: number | null
}

export interface UpdateSubscriptionPayment {
  /** Year-Month-Day */
  due_date?: string | null
  is_paid?: boolean | null
  terminate_with_status?: 'suspended' | 'canceled' | null
  retry_interval?: string | null
}

export interface UpdateSubscriptionPlanConfiguration {
  enabled?: boolean | null
  fixed_cycle?: boolean | null
  fixed_cycle_amount?: boolean | null
  supported_payment_types?: string[] | null
  min_charge_amount?: Money | null
  max_payout_period?: string | null
}

export interface UpdateToken {
  email?: string
  metadata?: Metadata
  data?: UpdateCardInput
}

export interface UpdateTransferSchedule {
  wait_period?: string | null
  period?: 'weekly' | 'biweekly' | 'semimonthly' | 'monthly' | 'bimonthly' | null
  full_period_required?: boolean | null
  day_of_week?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
  week_of_month?: 'first' | 'second' | 'third' | 'fourth' | 'last' | null
  day_of_month?: number | null
  weekly_closing_day?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
  weekly_payout_day?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday' | null
}

export interface UpdateUserTransactionsConfiguration {
  enabled?: boolean | null
  notify_customer?: boolean | null
  notify_on_test?: boolean | null
  notify_on_recurring_token_creation?: boolean | null
  notify_on_webhook_failure?: boolean | null
  notify_on_webhook_disabled?: boolean | null
  notify_on_subscriptions?: boolean | null
  notify_on_authorizations?: boolean | null
  notify_on_cancels?: boolean | null
  notify_on_convenience_expiry?: boolean | null
  notify_user_on_failed_transactions?: boolean | null
  notify_customer_on_failed_transactions?: boolean | null
}

export interface UpdateVerification {
  homepage_url?: string
  company_description?: string
  company_contact_info?: UpdateContactInfo
  business_type?: string
  system_manager_name?: string | null
  system_manager_number?: VerificationPhone | null
  system_manager_email?: string | null
  customer_contact_email?: string | null
  customer_contact_number?: VerificationPhone | null
  recurring_token_request?: 'none' | 'bounded' | 'infinite' | null
  recurring_token_request_reason?: string | null
  allow_empty_cvv?: boolean | null
}

export interface UpdateWebhook {
  /** Where events are posted to */
  url?: string
  /** Names of events */
  triggers?: string[]
  auth_token?: string | null
  active?: boolean
  /** With `active: true`: also send what was missed since this moment */
  resend_from?: string
}

export interface User {
  id: string
  merchant_id: string
  email: string
  name: string
  role: 'owner' | 'staff'
  lang: 'en' | 'ja'
  /** Live mode is seen only with it */
  totp_enabled: boolean
  /** ISO-8601 with fractional seconds */
  created_on: string
}

export type UserEvent = EventFields & {
  event: 'user_created' | 'user_disabled' | 'user_locked' | 'password_changed' | 'totp_enabled' | 'totp_removed'
  data: UserRecord
}

export interface UserRecord {
  id: string
  email: string
  name: string
  role: 'owner' | 'staff'
  /** Live mode is seen only with it */
  totp_enabled: boolean
}

export interface UserTransactionsConfiguration {
  enabled: boolean | null
  notify_customer: boolean | null
  notify_on_test: boolean | null
  notify_on_recurring_token_creation: boolean | null
  notify_on_webhook_failure: boolean | null
  notify_on_webhook_disabled: boolean | null
  notify_on_subscriptions: boolean | null
  notify_on_authorizations: boolean | null
  notify_on_cancels: boolean | null
  notify_on_convenience_expiry: boolean | null
  notify_user_on_failed_transactions: boolean | null
  notify_customer_on_failed_transactions: boolean | null
}

export interface Verification {
  id: string
  homepage_url: string
  company_description: string
  company_contact_info: VerifiedContactInfo
  business_type: string
  system_manager_name: string | null
  system_manager_number: VerificationPhone | null
  system_manager_email: string | null
  customer_contact_email: string | null
  customer_contact_number: VerificationPhone | null
  recurring_token_request: 'none' | 'bounded' | 'infinite' | null
  recurring_token_request_reason: string | null
  allow_empty_cvv: boolean | null
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export interface VerificationPhone {
  country_code: string | number
  local_number: string
}

export interface VerifiedContactInfo {
  name: string
  company_name: string
  phone_number: VerificationPhone
  line1: string
  line2: string | null
  city: string
  state: string
  country: string
  zip: string
}

export interface Webhook {
  id: string
  merchant_id: string
  store_id: string | null
  triggers: string[]
  url: string
  auth_token: string | null
  active: boolean
  is_integration: boolean
  /** Why the service switched it off by itself */
  disabled_reason: string | null
  /** ISO-8601 with fractional seconds */
  disabled_on: string | null
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export type WebhookEvent = EventFields & {
  event: 'webhook_created' | 'webhook_updated' | 'webhook_deleted' | 'webhook_disabled' | 'webhook_ping'
  data: WebhookRecord
}

export interface WebhookPage {
  items: Webhook[]
  has_more: boolean
}

export interface WebhookRecord {
  id: string
  merchant_id: string
  store_id: string | null
  triggers: string[]
  url: string
  active: boolean
  is_integration: boolean
  /** Why the service switched it off by itself */
  disabled_reason: string | null
  /** ISO-8601 with fractional seconds */
  disabled_on: string | null
  /** ISO-8601 with fractional seconds */
  created_on: string
  /** ISO-8601 with fractional seconds */
  updated_on: string
}

export interface WebhookSecret {
  type: 'hmac' | 'ed25519'
  /** What signatures are verified with: `whsec_…`, or a public key `whpk_…` */
  secret: string
  /** Signs as well until it expires */
  previous_secret: string | null
  /** ISO-8601 with fractional seconds */
  previous_secret_expires_on: string | null
}

/** The query of `listStores`. */
export interface ListStoresQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  /** Part of the name */
  search?: string
}

/** The query of `listAppTokens`. */
export interface ListAppTokensQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listLegacyAppTokens`. */
export interface ListLegacyAppTokensQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  mode?: 'test' | 'live'
}

/** The query of `listTokens`. */
export interface ListTokensQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  /** Words by their beginning */
  search?: string
  customer_id?: string
  type?: 'recurring' | 'subscription'
  mode?: 'test' | 'live'
  payment_type?: string
  active?: 'active' | 'inactive' | 'all'
  all?: boolean
}

/** The query of `getToken`. */
export interface GetTokenQuery {
  /** Wait up to five seconds for the status to change */
  polling?: boolean
}

/** The query of `getTokenAlias`. */
export interface GetTokenAliasQuery {
  /** `qr` answers an SVG picture of the key */
  media?: 'json' | 'qr'
}

/** The query of `listCharges`. */
export interface ListChargesQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  last_four?: string
  /** Cardholder */
  name?: string
  exp_month?: number
  exp_year?: number
  from?: string
  to?: string
  email?: string
  phone?: string
  amount_from?: number
  amount_to?: number
  currency?: string
  mode?: 'test' | 'live'
  /** Words of its values, by their beginning */
  metadata?: string
  transaction_token_id?: string
}

/** The query of `getCharge`. */
export interface GetChargeQuery {
  /** Wait up to five seconds for the status to change */
  polling?: boolean
}

/** The query of `listRefunds`. */
export interface ListRefundsQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  metadata?: string
}

/** The query of `getRefund`. */
export interface GetRefundQuery {
  /** Wait up to five seconds for the status to change */
  polling?: boolean
}

/** The query of `listCancels`. */
export interface ListCancelsQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `getCancel`. */
export interface GetCancelQuery {
  /** Wait up to five seconds for the status to change */
  polling?: boolean
}

/** The query of `listCustomsDeclarations`. */
export interface ListCustomsDeclarationsQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  status?: CustomsDeclarationStatus
}

/** The query of `getCustomsDeclaration`. */
export interface GetCustomsDeclarationQuery {
  /** Wait up to 30 seconds until it is no longer pending */
  polling?: boolean
}

/** The query of `listCustomsAttempts`. */
export interface ListCustomsAttemptsQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listSubscriptions`. */
export interface ListSubscriptionsQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  /** An id, or words by their beginning */
  search?: string
  status?: 'unverified' | 'unconfirmed' | 'authorized' | 'current' | 'unpaid' | 'suspended' | 'canceled' | 'completed' | 'cancelled'
  mode?: 'test' | 'live'
}

/** The query of `getSubscription`. */
export interface GetSubscriptionQuery {
  /** Wait up to five seconds for the status to change */
  polling?: boolean
}

/** The query of `getSubscriptionBatch`. */
export interface GetSubscriptionBatchQuery {
  /** Wait up to five seconds for the status to change */
  polling?: boolean
}

/** The query of `listSubscriptionCharges`. */
export interface ListSubscriptionChargesQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  last_four?: string
  /** Cardholder */
  name?: string
  exp_month?: number
  exp_year?: number
  from?: string
  to?: string
  email?: string
  /** Phone number, with or without its country code */
  phone?: string
  amount_from?: number
  amount_to?: number
  currency?: string
  mode?: 'test' | 'live'
  /** Words of its values, by their beginning */
  metadata?: string
  transaction_token_id?: string
  /** Whole number of a card */
  card_number?: string
}

/** The query of `listSubscriptionPayments`. */
export interface ListSubscriptionPaymentsQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listSubscriptionPaymentCharges`. */
export interface ListSubscriptionPaymentChargesQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  last_four?: string
  /** Cardholder */
  name?: string
  exp_month?: number
  exp_year?: number
  from?: string
  to?: string
  email?: string
  /** Phone number, with or without its country code */
  phone?: string
  amount_from?: number
  amount_to?: number
  currency?: string
  mode?: 'test' | 'live'
  /** Words of its values, by their beginning */
  metadata?: string
  transaction_token_id?: string
  /** Whole number of a card */
  card_number?: string
}

/** The query of `listTransactionHistory`. */
export interface ListTransactionHistoryQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  /** ISO-8601, or epoch milliseconds */
  from?: string
  /** ISO-8601, or epoch milliseconds */
  to?: string
  /** An id, or words by their beginning */
  search?: string
  type?: 'charge' | 'refund'
  status?: 'pending' | 'awaiting' | 'authorized' | 'successful' | 'failed' | 'error' | 'canceled'
  mode?: 'test' | 'live'
  id?: string
  email?: string
  metadata?: string
  card_last_four?: string
  cardholder?: string
  card_exp?: string
  currency?: string
  payment_type?: string
  /** The last six characters of an id */
  short_id?: string
  /** The reference at the provider, which is the id */
  gateway_transaction_id?: string
  /** One name, or several as name[]=a&name[]=b */
  brand?: string[] | string
  /** One name, or several as name[]=a&name[]=b */
  service_provider?: string[] | string
  /** One name, or several as name[]=a&name[]=b */
  service_providers?: string[] | string
}

/** The query of `listChargeLedgers`. */
export interface ListChargeLedgersQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listBankTransferLedgers`. */
export interface ListBankTransferLedgersQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `getCheckoutInfo`. */
export interface GetCheckoutInfoQuery {
  origin?: string
}

/** The query of `listWebhooks`. */
export interface ListWebhooksQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  active?: boolean
  "created_on.from"?: string
  "created_on.to"?: string
}

/** The query of `listWebhookDeliveries`. */
export interface ListWebhookDeliveriesQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  status?: 'waiting' | 'delivered' | 'failed'
  event?: string
  resource_id?: string
  "created_on.from"?: string
  "created_on.to"?: string
}

/** The query of `listEvents`. */
export interface ListEventsQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  /** Names of events, separated by commas */
  event?: string
  resource_id?: string
  /** With `cursor_direction=asc`: wait up to five seconds for a next event */
  polling?: boolean
}

/** The query of `listBankAccounts`. */
export interface ListBankAccountsQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  primary?: boolean
}

/** The query of `listTransfers`. */
export interface ListTransfersQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
  status?: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled' | 'blank'
  currency?: string
  started_by?: string
  mode?: 'test' | 'live'
  from?: string
  to?: string
}

/** The query of `listTransferLedgers`. */
export interface ListTransferLedgersQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listTransferStatusChanges`. */
export interface ListTransferStatusChangesQuery {
  /** Items on a page, 10 to 100 */
  limit?: number
  cursor?: string
  cursor_direction?: 'asc' | 'desc'
}

/** Payments: created from a transaction token, captured, and read until they have ended. */
export interface ChargesResource {
  /** Create a charge. */
  create(body: CreateCharge, options?: CallOptions): Promise<Charge>
  /** List charges. */
  list(query?: ListChargesQuery, options?: CallOptions): List<ChargeItem>
  /** Read a charge. */
  get(charge_id: string, query?: GetChargeQuery, options?: CallOptions): Promise<Charge>
  /** Change the metadata of a charge. */
  update(charge_id: string, body?: UpdateCharge, options?: CallOptions): Promise<Charge>
  /** Capture an authorized charge; the answer has no body. */
  capture(charge_id: string, body?: CaptureCharge, options?: CallOptions): Promise<void>
  /** Read where the customer pays, or what they pay to. */
  getIssuerToken(charge_id: string, options?: CallOptions): Promise<IssuerToken>
  /** Read the form that takes the cardholder to the 3-D Secure challenge. */
  getThreeDsIssuerToken(charge_id: string, options?: CallOptions): Promise<IssuerToken>
  /** Read the address of the QR code that the customer scans. */
  getQr(charge_id: string, options?: CallOptions): Promise<QrImage>
  /** Read until when a bank transfer or a payment at a till is possible. */
  getExpiry(charge_id: string, options?: CallOptions): Promise<ChargeExpiry>
}

/** Money of a successful charge that goes back to the customer, in part or all of it. */
export interface RefundsResource {
  /** Refund part or all of a charge. */
  create(charge_id: string, body: CreateRefund, options?: CallOptions): Promise<Refund>
  /** List the refunds of a charge. */
  list(charge_id: string, query?: ListRefundsQuery, options?: CallOptions): List<Refund>
  /** Read a refund. */
  get(charge_id: string, refund_id: string, query?: GetRefundQuery, options?: CallOptions): Promise<Refund>
  /** Change a refund. */
  update(charge_id: string, refund_id: string, body?: UpdateRefund, options?: CallOptions): Promise<Refund>
}

/** Ends of charges that wait for their customer or are only authorized. */
export interface CancelsResource {
  /** Cancel a charge that waits or is authorized. */
  create(charge_id: string, body?: CreateCancel, options?: CallOptions): Promise<Cancel>
  /** List the cancels of a charge. */
  list(charge_id: string, query?: ListCancelsQuery, options?: CallOptions): List<Cancel>
  /** Read a cancel. */
  get(charge_id: string, cancel_id: string, query?: GetCancelQuery, options?: CallOptions): Promise<Cancel>
  /** Change the metadata of a cancel. */
  update(charge_id: string, cancel_id: string, body?: UpdateCancel, options?: CallOptions): Promise<Cancel>
}

/** What a customer pays with. A charge or a subscription is made with one. */
export interface TokensResource {
  /** Create a transaction token. */
  create(body: CreateToken, options?: CallOptions): Promise<TransactionToken>
  /** List transaction tokens. */
  list(query?: ListTokensQuery, options?: CallOptions): List<TransactionTokenItem>
  /** Read a transaction token. */
  get(token_id: string, query?: GetTokenQuery, options?: CallOptions): Promise<TransactionToken>
  /** Change a transaction token. */
  update(token_id: string, body?: UpdateToken, options?: CallOptions): Promise<TransactionToken>
  /** Delete a transaction token. */
  delete(token_id: string, options?: CallOptions): Promise<void>
  /** Replace a recurring or subscription token by a new one for the same card. */
  renew(token_id: string, options?: CallOptions): Promise<TransactionToken>
  /** Make a UUID of the merchant's own customer id. */
  createCustomerId(body: CreateCustomerId, options?: CallOptions): Promise<CustomerId>
  /** Authenticate a recurring card token with 3-D Secure. */
  startThreeDs(token_id: string, body?: StartTokenThreeDs, options?: CallOptions): Promise<TransactionToken>
  /** Forget the 3-D Secure authentication of a token. */
  deleteThreeDs(token_id: string, options?: CallOptions): Promise<TransactionToken>
  /** Read the form that takes the cardholder to the challenge of a token. */
  getThreeDsIssuerToken(token_id: string, options?: CallOptions): Promise<IssuerToken>
  /** Give a transaction token another name for a short time. */
  createAlias(body: CreateTokenAlias, options?: CallOptions): Promise<NewTokenAlias>
  /** Read the transaction token behind an alias, or show its key as a QR code. */
  getAlias(alias_key: string, query?: GetTokenAliasQuery, options?: CallOptions): Promise<TokenAlias>
  /** End an alias of a transaction token. */
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
  /** Show what a plan would bill, and when. */
  simulatePlan(body: SimulatePlan, options?: CallOptions): Promise<PlannedPayments>
  /** Read a subscription. */
  get(subscription_id: string, query?: GetSubscriptionQuery, options?: CallOptions): Promise<Subscription>
  /** Change a subscription. */
  update(subscription_id: string, body?: UpdateSubscription, options?: CallOptions): Promise<Subscription>
  /** Cancel a subscription, immediately or before its next payment. */
  cancel(subscription_id: string, options?: CallOptions): Promise<void>
  /** Give a subscription another token. */
  changeToken(subscription_id: string, body: ChangeSubscriptionToken, options?: CallOptions): Promise<Subscription>
  /** Suspend a subscription, at once or before its next payment. */
  suspend(subscription_id: string, body?: StopSubscription, options?: CallOptions): Promise<Subscription>
  /** Resume a suspended subscription. */
  unsuspend(subscription_id: string, body?: StopSubscription, options?: CallOptions): Promise<Subscription>
  /** Create several subscriptions with one request. */
  createBatch(body: CreateSubscriptionBatch, options?: CallOptions): Promise<SubscriptionBatch>
  /** Read what became of several subscriptions that were created with one request. */
  getBatch(batch_id: string, query?: GetSubscriptionBatchQuery, options?: CallOptions): Promise<SubscriptionBatch>
  /** List the charges of a subscription. */
  listCharges(subscription_id: string, query?: ListSubscriptionChargesQuery, options?: CallOptions): List<ChargeItem>
  /** Read the newest charge of a subscription. */
  getLatestCharge(subscription_id: string, options?: CallOptions): Promise<Charge>
  /** List the payments of a subscription that were made or come next. */
  listPayments(subscription_id: string, query?: ListSubscriptionPaymentsQuery, options?: CallOptions): List<SubscriptionPayment>
  /** Read a payment of a subscription. */
  getPayment(subscription_id: string, payment_id: string, options?: CallOptions): Promise<SubscriptionPayment>
  /** Change a payment that was not made yet. */
  updatePayment(subscription_id: string, payment_id: string, body?: UpdateSubscriptionPayment, options?: CallOptions): Promise<SubscriptionPayment>
  /** List the charges of a payment: one for each try. */
  listPaymentCharges(subscription_id: string, payment_id: string, query?: ListSubscriptionPaymentChargesQuery, options?: CallOptions): List<ChargeItem>
}

/** Declarations of charges to the customs of China. */
export interface CustomsResource {
  /** Declare a charge to customs, or again after it failed. */
  create(charge_id: string, body: CreateCustomsDeclaration, options?: CallOptions): Promise<CustomsDeclaration>
  /** List the customs declarations of a charge. */
  list(charge_id: string, query?: ListCustomsDeclarationsQuery, options?: CallOptions): List<CustomsDeclaration>
  /** Read a customs declaration. */
  get(charge_id: string, customs_declaration_id: string, query?: GetCustomsDeclarationQuery, options?: CallOptions): Promise<CustomsDeclaration>
  /** Change a successful customs declaration; customs are told again. */
  update(charge_id: string, customs_declaration_id: string, body: UpdateCustomsDeclaration, options?: CallOptions): Promise<CustomsDeclaration>
  /** List the attempts of a customs declaration that have ended. */
  listAttempts(charge_id: string, customs_declaration_id: string, query?: ListCustomsAttemptsQuery, options?: CallOptions): List<CustomsAttempt>
}

/** Charges and refunds in one list, with everything to filter it by. */
export interface HistoryResource {
  /** List charges and refunds. */
  list(query?: ListTransactionHistoryQuery, options?: CallOptions): List<HistoryItem>
}

/** The bookkeeping behind charges, refunds and transfers. */
export interface LedgersResource {
  /** Read a ledger transaction. */
  get(ledger_id: string, options?: CallOptions): Promise<Ledger>
  /** List the ledger transactions of a charge. */
  listChargeLedgers(charge_id: string, query?: ListChargeLedgersQuery, options?: CallOptions): List<Ledger>
  /** List the movements on a bank transfer's virtual account. */
  listBankTransferLedgers(charge_id: string, query?: ListBankTransferLedgersQuery, options?: CallOptions): List<BankTransferLedger>
}

/** Payouts of what the merchant is owed. */
export interface TransfersResource {
  /** List transfers to the merchant. */
  list(query?: ListTransfersQuery, options?: CallOptions): List<Transfer>
  /** Read a transfer. */
  get(transfer_id: string, options?: CallOptions): Promise<Transfer>
  /** List what a transfer pays. */
  listLedgers(transfer_id: string, query?: ListTransferLedgersQuery, options?: CallOptions): List<Ledger>
  /** List how a transfer came to its status. */
  listStatusChanges(transfer_id: string, query?: ListTransferStatusChangesQuery, options?: CallOptions): List<TransferStatusChange>
}

/** The accounts that payouts go to. */
export interface BankAccountsResource {
  /** List bank accounts. */
  list(query?: ListBankAccountsQuery, options?: CallOptions): List<BankAccount>
  /** Create a bank account. */
  create(body: CreateBankAccount, options?: CallOptions): Promise<BankAccount>
  /** Read the primary account. */
  getPrimary(options?: CallOptions): Promise<BankAccount>
  /** Read a bank account. */
  get(bank_account_id: string, options?: CallOptions): Promise<BankAccount>
  /** Change a bank account. */
  update(bank_account_id: string, body?: UpdateBankAccount, options?: CallOptions): Promise<BankAccount>
  /** Delete a bank account. */
  delete(bank_account_id: string, options?: CallOptions): Promise<void>
}

/** What a checkout page needs to know before a payment. */
export interface CheckoutResource {
  /** Read what a checkout needs to know of the store. */
  get(query?: GetCheckoutInfoQuery, options?: CallOptions): Promise<CheckoutInfo>
  /** Say what an amount is in another currency, by the dated table of rates. */
  calculateExchangeRate(body: ConvertAmount, options?: CallOptions): Promise<ConvertedAmount>
  /** Ask a gateway what it can offer for a payment. */
  getGatewayInfo(gateway: string, body: GetGatewayInfo, options?: CallOptions): Promise<GatewayInfo>
}

/** Where events are sent to, what was sent, and how signatures are verified. */
export interface WebhooksResource {
  /** List webhooks. */
  list(query?: ListWebhooksQuery, options?: CallOptions): List<Webhook>
  /** Create a webhook. */
  create(body: CreateWebhook, options?: CallOptions): Promise<Webhook>
  /** Read a webhook. */
  get(webhook_id: string, options?: CallOptions): Promise<Webhook>
  /** Change a webhook. */
  update(webhook_id: string, body?: UpdateWebhook, options?: CallOptions): Promise<Webhook>
  /** Delete a webhook. */
  delete(webhook_id: string, options?: CallOptions): Promise<void>
  /** List what was sent to a webhook. */
  listDeliveries(webhook_id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): List<Delivery>
  /** Read what was sent to a webhook. */
  getDelivery(webhook_id: string, event_id: string, options?: CallOptions): Promise<Delivery>
  /** Send an event to a webhook again, or once to another URL. */
  redeliverEvent(webhook_id: string, event_id: string, body?: RedeliverEvent, options?: CallOptions): Promise<ImmediateDelivery | Delivery>
  /** Send a test event to a webhook immediately and return the result. */
  ping(webhook_id: string, options?: CallOptions): Promise<ImmediateDelivery>
  /** Send many events to a webhook again, or only count them. */
  createReplay(webhook_id: string, body?: CreateReplay, options?: CallOptions): Promise<ReplayPreview | Replay>
  /** Read the progress of a replay of a webhook. */
  getReplay(webhook_id: string, replay_id: string, options?: CallOptions): Promise<Replay>
  /** Read what verifies the signatures of a webhook. */
  getSecret(webhook_id: string, options?: CallOptions): Promise<WebhookSecret>
  /** Change the secret of a webhook. */
  changeSecret(webhook_id: string, body?: ChangeWebhookSecret, options?: CallOptions): Promise<WebhookSecret>
}

/** Everything that happened, in its order. */
export interface EventsResource {
  /** Read events in the order in which they were committed. */
  list(query?: ListEventsQuery, options?: CallOptions): List<Event>
  /** Read an event. */
  get(event_id: string, options?: CallOptions): Promise<Event>
}

/** The shops of a merchant: each has its own payments and configuration. */
export interface StoresResource {
  /** List stores. */
  list(query?: ListStoresQuery, options?: CallOptions): List<Store>
  /** Create a store. */
  create(body: CreateStore, options?: CallOptions): Promise<Store>
  /** Read a store. */
  get(store_id: string, options?: CallOptions): Promise<Store>
  /** Change a store. */
  update(store_id: string, body?: UpdateStore, options?: CallOptions): Promise<Store>
  /** Delete a store. */
  delete(store_id: string, options?: CallOptions): Promise<void>
}

/** The merchant itself: its configuration and its verification. */
export interface MerchantResource {
  /** Read the merchant. */
  get(options?: CallOptions): Promise<Merchant>
  /** Change the merchant. */
  update(body?: UpdateMerchant, options?: CallOptions): Promise<Merchant>
  /** Read the verification of the merchant. */
  getVerification(options?: CallOptions): Promise<Verification>
  /** Send the verification of the merchant. */
  createVerification(body: CreateVerification, options?: CallOptions): Promise<Verification>
  /** Change the verification of the merchant. */
  updateVerification(body?: UpdateVerification, options?: CallOptions): Promise<Verification>
  /** Read what this service offers, and what holds where nothing is set. */
  getPlatform(options?: CallOptions): Promise<Platform>
}

/** The credentials of programs. */
export interface AppTokensResource {
  /** List tokens. */
  list(query?: ListAppTokensQuery, options?: CallOptions): List<AppToken>
  /** Create a token. */
  create(body?: CreateAppToken | CreateStoreAppToken, options?: CallOptions): Promise<NewAppToken>
  /** Delete a token. */
  delete(app_token_id: string, options?: CallOptions): Promise<void>
  /** List the tokens of a store, in the older form. */
  listLegacy(query?: ListLegacyAppTokensQuery, options?: CallOptions): List<LegacyAppToken>
  /** Create a token of a store, in the older form. */
  createLegacy(body?: CreateStoreAppToken, options?: CallOptions): Promise<LegacyAppToken>
  /** Change the domains of a token. */
  updateLegacy(app_token_id: string, body: UpdateLegacyAppToken, options?: CallOptions): Promise<LegacyAppToken>
  /** Delete a token of a store, in the older form. */
  deleteLegacy(app_token_id: string, options?: CallOptions): Promise<void>
}

/** People who sign in, and how they prove who they are. */
export interface UsersResource {
  /** Sign in to the console. */
  logIn(body: LogIn, options?: CallOptions): Promise<Login>
  /** Sign out, here or everywhere. */
  logOut(body?: LogOut, options?: CallOptions): Promise<void>
  /** Ask for a link to choose a new password. */
  requestPasswordReset(body: RequestPasswordReset, options?: CallOptions): Promise<PasswordResetRequested>
  /** Choose a password with the last part of the link. */
  resetPassword(link: string, body: ResetPassword, options?: CallOptions): Promise<void>
  /** Read the current user. */
  getCurrent(options?: CallOptions): Promise<User>
  /** Change the password; all sessions end. */
  changePassword(body: ChangePassword, options?: CallOptions): Promise<void>
  /** Get a secret for an authenticator app. */
  startTotp(body: StartTotp, options?: CallOptions): Promise<TotpSecret>
  /** Switch the authenticator app on with its first code. */
  confirmTotp(body: ConfirmTotp, options?: CallOptions): Promise<TotpConfirmed>
}

/** Acting as the customer, the bank or the clock of test mode. */
export interface TestResource {
  /** List everything that test mode can be made to do. */
  listScenarios(options?: CallOptions): Promise<TestScenarios>
  /** Act as the customer of a test charge that waits. */
  completeCharge(charge_id: string, body: CompleteTestCharge, options?: CallOptions): Promise<Charge>
  /** Let money arrive for a test charge at a till or by bank transfer. */
  createDeposit(charge_id: string, body: CreateTestDeposit, options?: CallOptions): Promise<TestDeposit>
  /** Read the time of test mode. */
  getClock(options?: CallOptions): Promise<TestClock>
  /** Move test mode of the merchant forward; everything due on the way happens. */
  advanceClock(body?: AdvanceTestClock, options?: CallOptions): Promise<TestClock>
}

/** Every resource of the client. */
export interface Resources {
  readonly charges: ChargesResource
  readonly refunds: RefundsResource
  readonly cancels: CancelsResource
  readonly tokens: TokensResource
  readonly subscriptions: SubscriptionsResource
  readonly customs: CustomsResource
  readonly history: HistoryResource
  readonly ledgers: LedgersResource
  readonly transfers: TransfersResource
  readonly bankAccounts: BankAccountsResource
  readonly checkout: CheckoutResource
  readonly webhooks: WebhooksResource
  readonly events: EventsResource
  readonly stores: StoresResource
  readonly merchant: MerchantResource
  readonly appTokens: AppTokensResource
  readonly users: UsersResource
  readonly test: TestResource
}
