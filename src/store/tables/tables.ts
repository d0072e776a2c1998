import type { Mode } from '../../core/access/caller.ts'
import type { LedgerKind, LedgerOrigin } from '../../core/money/ledger-kinds.ts'
import type { CallMethod } from '../../core/payments/call-methods.ts'
import type { ChargeError } from '../../core/payments/charge-errors.ts'
import type { Instructions } from '../../core/payments/instructions.ts'
import type { MatchAmount } from '../../core/payments/match-amounts.ts'
import type { PaymentType } from '../../core/payments/payment-types.ts'
import type { StateOf } from '../../core/payments/states.ts'
import type { Metadata } from '../../core/text/metadata.ts'
import type {
  ActivityHourTable,
  ActivityPositionTable,
  CustomerTable,
  QueueSampleTable,
  RequestLogTable,
  SavedViewTable,
} from './accounts/console-tables.ts'
import type {
  AuditAnchorTable,
  AuditHeadTable,
  AuditLogTable,
  ConsoleLinkTable,
  DoctorRunTable,
  MailTable,
  PasswordLinkTable,
  PasswordResetRequestTable,
  RemovableMerchantTable,
  UserSessionTable,
  UserTable,
} from './accounts/user-tables.ts'
import type {
  EventFeedEndTable,
  EventFeedTable,
  EventQueueTable,
  EventRetentionTable,
  EventTable,
  WebhookDeliveryTable,
  WebhookLaneTable,
  WebhookReplayTable,
  WebhookTable,
} from './accounts/webhook-tables.ts'
import type { Defaulted, JsonColumn, NullableJson } from './column-kinds.ts'
import type {
  CheckoutAttackTable,
  CheckoutSessionTable,
  PaymentLinkTable,
} from './commerce/checkout-tables.ts'
import type { CustomsAttemptTable, CustomsDeclarationTable } from './commerce/customs-tables.ts'
import type { BankTransferLedgerTable, DepositTable } from './commerce/deposit-tables.ts'
import type {
  DisputeFileTable,
  DisputePostingTable,
  DisputeTable,
} from './commerce/dispute-tables.ts'
import type {
  MissingSettlementTable,
  ReconciliationRunTable,
  SettlementLineTable,
} from './commerce/settlement-tables.ts'
import type {
  SubscriptionBatchItemTable,
  SubscriptionBatchTable,
  SubscriptionPaymentTable,
  SubscriptionTable,
  TestClockTable,
} from './commerce/subscription-tables.ts'
import type {
  BankFileLineTable,
  BankFileTable,
  TokenAliasTable,
  TokenConfirmationTable,
  TransferLedgerTable,
  TransferStatusChangeTable,
  TransferTable,
  VerificationTable,
} from './commerce/transfer-tables.ts'
import type {
  AccountCapabilityTable,
  ChargeRoute,
  ConnectorTable,
  ProviderCredentialTable,
  ProviderNotificationTable,
  ProviderOperationTable,
  RoutingRuleTable,
} from './payments/provider-tables.ts'
import type { SimulatorDisputeTable, SimulatorOperationTable } from './payments/simulator-tables.ts'
import type {
  ThreeDsResultData,
  TokenCreationMetadataTable,
  TokenType,
  TransactionTokenTable,
} from './payments/token-tables.ts'

export type StoredConfiguration = { [key: string]: unknown }

export interface MerchantTable {
  id: string
  name: string
  email: string
  notification_email: string | null
  finance_notification_email: string | null
  verified: boolean
  demo: boolean
  verification_data_id: Defaulted<string | null>
  configuration: JsonColumn<StoredConfiguration>
  created_on: Date
  updated_on: Date
}

export interface StoreTable {
  merchant_id: string
  id: string
  name: string
  configuration: JsonColumn<StoredConfiguration>
  metadata: JsonColumn<Metadata>
  created_on: Date
  updated_on: Date
  deleted_on: Date | null
}

export interface AppTokenTable {
  merchant_id: string
  id: string
  store_id: string | null
  mode: Mode | null
  domains: string[]
  creator_id: string
  secret_key_id: string
  secret_hash: Buffer
  signing_key_id: string
  name: Defaulted<string | null>
  last_used_on: Defaulted<Date | null>
  created_on: Date
  deleted_on: Date | null
  due_on: Date | null
  claims: Defaulted<number>
}

export interface BankAccountTable {
  merchant_id: string
  id: string
  holder_name: string
  bank_name: string
  branch_name: string | null
  country: string
  bank_address: string | null
  currency: string
  routing_number: string | null
  swift_code: string | null
  ifsc_code: string | null
  routing_code: string | null
  account_number: Buffer
  fingerprint: Buffer
  last_four: string
  account_type: 'checking' | 'savings'
  status: 'new' | 'unable_to_verify' | 'verified' | 'errored'
  primary: boolean
  created_on: Date
  updated_on: Date
  deleted_on: Date | null
}

export interface IdempotencyRecordTable {
  merchant_id: string
  mode: string
  key: string
  fingerprint: Buffer
  status: number
  body: Buffer
  due_on: Date
}

export interface KeyCheckTable {
  purpose: string
  key_id: string
  check_value: Buffer
  created_on: Date
}

export interface ChargeThreeDs {
  mode: string | null
  redirect_endpoint: string | null
  redirect_id: string | null
}

export interface ChargeTable {
  merchant_id: string
  id: string
  store_id: string
  mode: Mode
  type: 'normal' | 'cvv_auth'
  transaction_token_id: string
  transaction_token_type: TokenType
  payment_type: PaymentType
  subscription_id: string | null
  payment_id: string | null
  payment_attempt: number | null
  /** The checkout session that it pays. */
  checkout_session_id: string | null
  merchant_transaction_id: string | null
  requested_amount: number
  requested_currency: string
  provider_amount: number
  provider_currency: string
  charged_amount: number | null
  charged_currency: string | null
  fee_amount: number | null
  only_direct_currency: boolean
  capture: boolean
  capture_at: Date | null
  descriptor: string | null
  descriptor_phone_number: string | null
  status: StateOf<'charge'>
  error: NullableJson<ChargeError>
  metadata: JsonColumn<Metadata>
  redirect: NullableJson<{ endpoint: string; redirect_id: string }>
  three_ds: NullableJson<ChargeThreeDs>
  external_three_ds: NullableJson<Record<string, string>>
  three_ds_passed_on: Date | null
  three_ds_result: NullableJson<ThreeDsResultData>
  page_id: string | null
  redirect_url: string | null
  instructions: NullableJson<Instructions>
  call_method: CallMethod | null
  expires_on: Date | null
  match_amount: MatchAmount | null
  pending_action: 'capture' | 'cancel' | 'expire' | 'reverse' | null
  capture_amount: number | null
  refunded_amount: Defaulted<number>
  email: string | null
  cardholder: string | null
  phone: string | null
  brand: string | null
  last_four: string | null
  exp_month: number | null
  exp_year: number | null
  card_fingerprint: Buffer | null
  search_words: string | null
  /** The provider of the payment; null: there is none. */
  provider: string | null
  /** Of a live payment: where it may go, decided when it was created. */
  route: NullableJson<ChargeRoute>
  /** The account at the provider, where merchants have accounts of their own; decided once. */
  provider_credentials_id: string | null
  provider_reference: string | null
  authorization_code: string | null
  network_transaction_id: string | null
  provider_data: NullableJson<Record<string, unknown>>
  returned_with: NullableJson<Record<string, string>>
  created_on: Date
  updated_on: Date
  authorized_on: Date | null
  due_on: Date | null
  claims: Defaulted<number>
}

export interface RefundTable {
  merchant_id: string
  id: string
  store_id: string
  charge_id: string
  mode: Mode
  status: StateOf<'refund'>
  amount: number
  currency: string
  reason: string | null
  message: string | null
  error: NullableJson<ChargeError>
  metadata: JsonColumn<Metadata>
  search_words: string | null
  created_on: Date
  updated_on: Date
  due_on: Date | null
  claims: Defaulted<number>
}

export interface CancelTable {
  merchant_id: string
  id: string
  store_id: string
  charge_id: string
  mode: Mode
  status: StateOf<'cancel'>
  error: NullableJson<ChargeError>
  metadata: JsonColumn<Metadata>
  created_on: Date
  updated_on: Date
  due_on: Date | null
  claims: Defaulted<number>
}

/** For reading the ledger; only `ledger/post.ts` writes it. */
export interface LedgerTransactionTable {
  merchant_id: string
  id: string
  store_id: string
  mode: Mode
  origin: LedgerOrigin
  kind: LedgerKind
  charge_id: string | null
  refund_id: string | null
  deposit_id: string | null
  transfer_id: string | null
  note: string | null
  created_on: Date
}

export interface LedgerBalanceTable {
  merchant_id: string
  store_id: string
  mode: Mode
  account: string
  currency: string
  balance: number
}

export interface NodeTable {
  id: string
  host: string
  version: string
  schema_version: number
  shared_state: 'server' | 'per_machine' | 'none'
  started_on: Defaulted<Date>
  seen_on: Defaulted<Date>
}

export interface Tables {
  merchants: MerchantTable
  removable_merchants: RemovableMerchantTable
  stores: StoreTable
  app_tokens: AppTokenTable
  users: UserTable
  user_sessions: UserSessionTable
  console_links: ConsoleLinkTable
  audit_log: AuditLogTable
  audit_heads: AuditHeadTable
  audit_anchors: AuditAnchorTable
  doctor_runs: DoctorRunTable
  password_links: PasswordLinkTable
  password_reset_requests: PasswordResetRequestTable
  mails: MailTable
  webhooks: WebhookTable
  webhook_lanes: WebhookLaneTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_replays: WebhookReplayTable
  bank_accounts: BankAccountTable
  idempotency_records: IdempotencyRecordTable
  events: EventTable
  event_queue: EventQueueTable
  event_feed: EventFeedTable
  event_feed_end: EventFeedEndTable
  event_retention: EventRetentionTable
  key_checks: KeyCheckTable
  transaction_tokens: TransactionTokenTable
  charges: ChargeTable
  refunds: RefundTable
  cancels: CancelTable
  customs_declarations: CustomsDeclarationTable
  customs_attempts: CustomsAttemptTable
  deposits: DepositTable
  bank_transfer_ledgers: BankTransferLedgerTable
  disputes: DisputeTable
  dispute_files: DisputeFileTable
  dispute_postings: DisputePostingTable
  simulator_operations: SimulatorOperationTable
  simulator_disputes: SimulatorDisputeTable
  provider_operations: ProviderOperationTable
  provider_notifications: ProviderNotificationTable
  provider_credentials: ProviderCredentialTable
  account_capabilities: AccountCapabilityTable
  connectors: ConnectorTable
  routing_rules: RoutingRuleTable
  test_clocks: TestClockTable
  subscriptions: SubscriptionTable
  subscription_payments: SubscriptionPaymentTable
  subscription_batches: SubscriptionBatchTable
  subscription_batch_items: SubscriptionBatchItemTable
  ledger_transactions: LedgerTransactionTable
  ledger_balances: LedgerBalanceTable
  transfers: TransferTable
  transfer_status_changes: TransferStatusChangeTable
  transfer_ledgers: TransferLedgerTable
  bank_files: BankFileTable
  bank_file_lines: BankFileLineTable
  token_aliases: TokenAliasTable
  token_creation_metadata: TokenCreationMetadataTable
  token_confirmations: TokenConfirmationTable
  verifications: VerificationTable
  activity_hours: ActivityHourTable
  activity_position: ActivityPositionTable
  customers: CustomerTable
  request_log: RequestLogTable
  queue_samples: QueueSampleTable
  saved_views: SavedViewTable
  checkout_sessions: CheckoutSessionTable
  payment_links: PaymentLinkTable
  checkout_attacks: CheckoutAttackTable
  nodes: NodeTable
  reconciliation_runs: ReconciliationRunTable
  settlement_lines: SettlementLineTable
  missing_settlements: MissingSettlementTable
}
