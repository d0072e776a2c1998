// Generated from openapi.json by `npm run generate`; never edited.
import type { List } from '../../../../client/src/list-pages.ts'
import type { CallOptions } from '../../../../client/src/send-request.ts'
import type { Instant, Merchant, Mode, PaymentType, Routing, RoutingRule, Transfer, Uuid } from '../../../../client/src/generated/api-types.ts'

/** A new connector, or new settings of an existing one, which replace the previous settings. */
export interface AddConnector {
  /** 1 to 40 of a-z, 0-9 and -. */
  name: string
  /** One of the kinds in the list. */
  kind: string
  /** The owner of the settings. Default: the installation. */
  merchant_id?: Uuid | null
  /** Only items of this store of the merchant. */
  store_id?: Uuid | null
  /**
   * The settings that the kind of connector defines; null if only merchants and stores have some.
   * They are never returned.
   */
  settings?: Record<string, unknown> | null
}

/** A line of the audit log. */
export interface AuditLine {
  /** The id of the line. */
  id: Uuid
  /** The number of the line, from 1 without gaps. */
  number: number
  /** The same for the beginning and the end of one action. */
  action_id: Uuid
  /**
   * An action has a line before it runs (`begun`) and one about its result (`ended`). Others have
   * one.
   */
  kind: 'begun' | 'ended' | 'refused' | 'signed_in' | 'sign_in_failed'
  /** The user who did it. */
  user_id: Uuid
  /** Their name now. */
  user_name: string | null
  /** Their e-mail. */
  user_email: string | null
  /** The session; null before there was one. */
  session_id: Uuid | null
  /** The id of the operation, such as `createRefund`. */
  action: string
  /** The object's id; null if it has none. */
  resource_id: Uuid | null
  /** The request, as in the header `X-Request-Id`. */
  request_id: string | null
  /** The address that the request came from. */
  ip_address: string | null
  /** The user agent of the browser or program. */
  user_agent: string | null
  /** The mode that was shown; null: both. */
  mode: string | null
  /** The path that was called. */
  path: string | null
  /** The body of the request; secrets and card numbers are masked. */
  input: unknown
  /** The resource before the action; null when there was none. */
  before: unknown
  /** The status of the response. */
  status: number | null
  /** Why it was refused; null when it was not. */
  error_code: string | null
  /** The resource in the response. */
  after: unknown
  /** The keyed hash of this line and the previous one, in hex. */
  hash: string
  /** The creation time. */
  created_on: Instant
}

/** A page of a list. */
export interface AuditLinePage {
  /** The items of this page. */
  items: AuditLine[]
  /** Whether more follow. */
  has_more: boolean
}

/** The current password and a new one. */
export interface ChangePassword {
  /** The current password. A user without one, signed in by a link, leaves it out. */
  password?: string
  /** The new password, 12 to 128 characters. */
  new_password: string
}

/** The proof that it is still the same user. */
export interface ConfirmConsoleSession {
  /** The current code of the authenticator app; needed when the user has one. */
  totp?: string
  /** A recovery code instead of `totp`; each works once. */
  recovery_code?: string
  /** The password, when the user has no authenticator app. */
  password?: string
}

/** The first code of an authenticator app. */
export interface ConfirmTotp {
  /** The current code of the authenticator app. */
  totp: string
}

/** The connectors of live payments. */
export interface Connector {
  /** The id of the connector. */
  id: Uuid
  /** Its name, which charges keep. */
  name: string
  /** The kind of connector. */
  kind: string
  /** Whether it takes new payments. Refunds and captures always continue. */
  enabled: boolean
  /** Whether the installation has settings there. */
  has_settings: boolean
  /** Settings of merchants and stores, at most 100. */
  accounts: ConnectorAccount[]
  /** Null: this release lacks the kind. */
  capabilities: ConnectorCapabilities | null
  /** The health of its provider. */
  health: ConnectorHealth
  /** The last test call by way of the API; null without one. */
  last_test: ConnectorTest | null
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** Settings of a merchant or store. They are never shown. */
export interface ConnectorAccount {
  /** The owner of the settings. */
  merchant_id: Uuid
  /** The name of the merchant. */
  merchant_name: string
  /** The only store that uses them; null: all of the merchant. */
  store_id: Uuid | null
  /** Its name. */
  store_name: string | null
  /** The time of the last change. */
  updated_on: Instant
}

/** The capabilities of a connector, with the installation's settings. */
export interface ConnectorCapabilities {
  /** The payment types that it takes. */
  payment_types: string[]
  /** Null: every brand of these types. */
  brands: string[] | null
  /** The currencies that it takes without conversion. */
  currencies: string[]
  /** Whether a part can be captured. */
  partial_capture: boolean
  /** Whether a part can be refunded. */
  partial_refund: boolean
  /** Whether it sends notifications. */
  notifications: boolean
  /** Whether it reports disputes. */
  disputes: boolean
  /** Whether it reports settlements. */
  settlements: boolean
}

/** The responses of a connector. */
export interface ConnectorHealth {
  /** Accounts that the answering process passes over for now. */
  open_circuits: number
  /** Calls within the last hour. */
  calls: number
  /** The calls that the provider refused. */
  refused: number
  /** The calls with an unknown outcome. */
  unanswered: number
}

/** A kind of connector. */
export interface ConnectorKind {
  /** Its name. */
  kind: string
  /** One sentence about it. */
  title: string
  /** Its settings. */
  settings: ConnectorSetting[]
}

/** The connectors of this installation. */
export interface ConnectorList {
  /** In the order of their creation. */
  connectors: Connector[]
  /** The kinds that can be added. */
  kinds: ConnectorKind[]
}

/** The settings of a connector. */
export interface ConnectorSetting {
  /** Its name. */
  name: string
  /** The kind. */
  description: string
  /** Whether it must be given. */
  required: boolean
  /** Whether it is hidden while it is typed. */
  is_secret: boolean
}

/** A call to a provider that has no effect. */
export interface ConnectorTest {
  /** Whether the provider accepted the settings. */
  is_ok: boolean
  /** The observation, or the fault. */
  text: string
  /** The time of the call. */
  tested_on: Instant
}

/** The merchant that the console shows. */
export interface ConsoleMerchant {
  /** The id of the merchant. */
  id: Uuid
  /** The name of the merchant. */
  name: string
  /** Whether it is the demo merchant of a first start. */
  is_demo: boolean
}

/** A session of the console. */
export interface ConsoleSession {
  /** The user who is signed in. */
  user: User
  /** Whether the user has a password; without one, only links sign them in. */
  has_password: boolean
  /** The merchant of the user. */
  merchant: ConsoleMerchant
  /** The role of the user. */
  role: 'owner' | 'developer' | 'staff' | 'viewer'
  /** Whether the user has shown more than a password. Live mode needs it. */
  second_factor: boolean
  /** The modes that the session may show. */
  modes: Mode[]
  /** The session's rights in its mode: `payments:read`, `payments:write` and so on. */
  rights: string[]
  /**
   * The end of the time without another confirmation; null if the next sensitive call asks for
   * one.
   */
  confirmed_until: Instant | null
  /** The end of the session, regardless of activity. */
  expires_on: Instant
}

/** A new view of a list. */
export interface CreateSavedView {
  /** The name that the user gave it. */
  name: string
  /** The list that it is a view of, such as `transaction_history`. */
  list: string
  /** The parameters of the list, by their names. */
  filters?: ViewFilters
  /** The columns that are shown, in their order; empty for the default ones. */
  columns?: string[]
}

/** For whom transfers are created. */
export interface CreateTransfers {
  /** The merchant that is paid. */
  merchant_id: Uuid
  /** Sales posted before this time are paid; by default all. */
  to?: string
  /** Only items of this mode. Default: both modes. */
  mode?: Mode
}

/** A new user. A mail has the link to choose a password. */
export interface CreateUser {
  /** The name of the user, 1 to 255 characters. */
  name: string
  /** The user's role. */
  role: 'owner' | 'developer' | 'staff' | 'viewer'
  /** The language of mails to the user. */
  lang: 'en' | 'ja'
  /** The e-mail to log in with. */
  email: string
}

/** New transfers. */
export interface CreatedTransfers {
  /** The transfers that were created. */
  transfers: Transfer[]
}

/**
 * The demo shop of the service: a merchant of its own in test mode, with half a year of invented
 * payments.
 */
export interface DemoShop {
  /** The id of the merchant that is the demo shop; null: there is none. */
  merchant_id: Uuid | null
  /** Whether this service may have one: it has no verified merchant and no connector. */
  is_allowed: boolean
  /** Whether it is filled; false without a demo shop. */
  is_ready: boolean
}

/** A way into the demo shop. */
export interface DemoShopLink {
  /** Signs the demo shop's owner in to the console, once and within ten minutes. */
  url: string
}

/** The result of a check of the data. */
export interface DoctorFinding {
  /** The checked facts. */
  check: string
  /** The faults and the advice for each; empty when there are none. */
  faults: string[]
}

/** A run of all checks of the data. */
export interface DoctorRun {
  /** The id of the run; null when there was none yet. */
  id: Uuid | null
  /** Whether it is `running`, `finished`, or was `lost` with its process. */
  status: 'running' | 'finished' | 'lost' | null
  /** The start time. */
  started_on: Instant | null
  /** The end time; null before it. */
  finished_on: Instant | null
  /** The results, when it is finished. */
  findings: DoctorFinding[]
}

/** A user who was invited. */
export type InvitedUser = ManagedUser & {
  /** The link to choose a password. Only without a mail server: give it to the user. */
  invitation_link?: string
}

/** The credentials of a user. */
export interface LogIn {
  /** The e-mail of the user. */
  email: string
  /** The password of the user. */
  password: string
  /** The current code of the authenticator app; needed when the user has one. */
  totp?: string
  /** A recovery code instead of `totp`; each works once. */
  recovery_code?: string
}

/** Which sessions end. */
export interface LogOut {
  /** Whether all sessions of the user end, or only this one. */
  everywhere?: boolean
}

/** The login token of a user. */
export interface Login {
  /**
   * The login token: the whole credential of the `Authorization` header. It is valid for an hour.
   */
  jwt: string
  /** The merchant of the user. */
  merchant_id: Uuid
}

/** A user, as an owner of the merchant sees them. */
export type ManagedUser = User & {
  /** Whether the user has chosen a password. */
  has_password: boolean
  /** Whether the user operates this service. */
  is_operator: boolean
  /** The time when the user was disabled; null: the user may log in. */
  disabled_on: Instant | null
}

/** A page of a list. */
export interface ManagedUserPage {
  /** The items of this page. */
  items: ManagedUser[]
  /** Whether more follow. */
  has_more: boolean
}

/** The next step of a transfer. */
export interface MoveTransfer {
  /** The step that was taken. */
  action: 'approve' | 'process' | 'pay' | 'fail' | 'cancel'
  /** Why; stored with the change. */
  reason?: string
}

/** A refusal or fault of a provider. */
export interface OperatorErrorCount {
  /** The name of the provider or connector. */
  provider: string
  /** The call: `authorize`, `capture`, `refund` and so on. */
  kind: string
  /** The provider's own code; null without one. */
  code: string | null
  /** Its message; null without one. */
  message: string | null
  /** How often it came. */
  count: number
  /** When it came last. */
  last_on: Instant
}

/** How the service is. */
export interface OperatorHealth {
  /** How many processes this machine serves with. */
  processes: number
  /** Whether this process works at due work: `on` or `off`. */
  worker: string
  /** Due work, by kind. */
  queues: OperatorQueue[]
  /** Batches of events not yet delivered to webhooks, counted up to 10000. */
  waiting_events: number
  /** Deliveries that will be sent or retried, counted up to 10000. */
  waiting_deliveries: number
  /** Calls to providers in the last hour. */
  providers: OperatorProvider[]
}

/** A merchant, as operators list them. */
export interface OperatorMerchant {
  /** The id of the merchant. */
  id: Uuid
  /** The name of the merchant. */
  name: string
  /** The e-mail of the merchant. */
  email: string
  /** Whether it may use live mode. */
  verified: boolean
  /** Whether it is the demo merchant. */
  is_demo: boolean
  /** The verification that the merchant has sent; null without one. */
  verification_data_id: Uuid | null
  /** The creation time. */
  created_on: Instant
}

/** A page of a list. */
export interface OperatorMerchantPage {
  /** The items of this page. */
  items: OperatorMerchant[]
  /** Whether more follow. */
  has_more: boolean
}

/** How a payment provider answers. */
export interface OperatorProvider {
  /** The name of the provider. */
  provider: string
  /** Calls within the last hour. */
  calls: number
  /** The calls that the provider refused. */
  refused: number
  /** The calls with an unknown outcome, and the failed ones. */
  unknown: number
}

/** Work that is due. */
export interface OperatorQueue {
  /** The kind of work. */
  name: string
  /** The name to show. */
  label: OperatorQueueLabel
  /** The number of due items, counted up to 10000. */
  due: number
  /** When the oldest item became due; null if nothing is due. */
  oldest_on: Instant | null
}

/** How long work of one kind was due in the last 24 hours. */
export interface OperatorQueueDay {
  /** The kind of work. */
  name: string
  /** The name to show. */
  label: OperatorQueueLabel
  /** How long the oldest item had been due, at most. */
  waited_ms: number
  /** The last 24 hours, the oldest first. */
  hours: OperatorQueuePoint[]
}

/** The name of a kind of work for people. */
export interface OperatorQueueLabel {
  /** In English. */
  en: string
  /** In Japanese. */
  ja: string
}

/** The work of one kind that was due in an hour. */
export interface OperatorQueuePoint {
  /** The start of the hour. */
  on: Instant
  /** The most due items; null if nothing was measured. */
  due: number | null
  /** How long the oldest item had been due, at most; null if nothing was measured. */
  waited_ms: number | null
}

/** A transfer with the name of its merchant. */
export type OperatorTransfer = Transfer & {
  /** The name of the merchant. */
  merchant_name: string
}

/** A page of a list. */
export interface OperatorTransferPage {
  /** The items of this page. */
  items: OperatorTransfer[]
  /** Whether more follow. */
  has_more: boolean
}

/** The approval rate of a payment method at a provider. */
export interface OperatorTrend {
  /** The name of the provider or connector. */
  provider: string
  /** The payment method. */
  payment_type: PaymentType
  /** Authorizations that were approved or refused. */
  ended: number
  /** The approved ones. */
  approved: number
  /** The last 24 hours, the oldest first. */
  hours: OperatorTrendPoint[]
}

/** Authorizations of an hour. */
export interface OperatorTrendPoint {
  /** The start of the hour. */
  on: Instant
  /** Authorizations that were approved or refused. */
  ended: number
  /** The approved ones. */
  approved: number
}

/** The responses of providers and the queues in the last 24 hours. */
export interface OperatorTrends {
  /** The start of the examined time. */
  from: Instant
  /** Whether there were more than 20000 calls, so that only the newest were examined. */
  is_cut: boolean
  /** Success by provider and method, the most calls first. */
  trends: OperatorTrend[]
  /** Errors by code, the most frequent first. */
  errors: OperatorErrorCount[]
  /** The queues that had work due at a measurement, the longest wait first. */
  queues: OperatorQueueDay[]
  /** In how many of the hours a worker measured the queues, which it does every five minutes. */
  measured_hours: number
}

/** The response to every request for a new password. */
export interface PasswordResetRequested {
  /** A sentence that does not say whether there is such a user. */
  message: string
}

/** The user who wants to choose a new password. */
export interface RequestPasswordReset {
  /** The e-mail of the user. */
  email: string
}

/** A new password. */
export interface ResetPassword {
  /** The new password, 12 to 128 characters. */
  password: string
}

/** A view of a list that a user has saved: filters and columns under a name. */
export interface SavedView {
  /** The id of the view. */
  id: Uuid
  /** The name that the user gave it. */
  name: string
  /** The list that it is a view of, such as `transaction_history`. */
  list: string
  /** The parameters of the list, by their names. */
  filters: ViewFilters
  /** The columns that are shown, in their order; empty for the default ones. */
  columns: string[]
  /** The creation time. */
  created_on: Instant
  /** The time of the last change. */
  updated_on: Instant
}

/** A page of a list. */
export interface SavedViewPage {
  /** The items of this page. */
  items: SavedView[]
  /** Whether more follow. */
  has_more: boolean
}

/** The password of the user, and a code of the authenticator app that is to be replaced. */
export interface StartTotp {
  /** The current password. */
  password: string
  /** The current code of the authenticator app; needed when the user has one. */
  totp?: string
  /** A recovery code instead of `totp`; each works once. */
  recovery_code?: string
}

/** The owner of the tested settings. */
export interface TestConnector {
  /** The owner of the settings. Default: the installation. */
  merchant_id?: Uuid | null
  /** Only items of this store of the merchant. */
  store_id?: Uuid | null
}

/** A new login token, and codes for the case that the app is lost. */
export interface TotpConfirmed {
  /** The new login token. Null in the console: there it is in the cookie. */
  jwt: string | null
  /** The merchant of the user. */
  merchant_id: Uuid
  /** Ten codes, each for one login without the app. Only this response has them. */
  recovery_codes: string[]
}

/** A new secret for an authenticator app. */
export interface TotpSecret {
  /** The secret for the authenticator app, in base32. */
  secret: string
  /** The same as a URL, for a QR code. */
  otpauth_url: string
}

/** A change of a connector. */
export interface UpdateConnector {
  /** Whether it takes new payments. */
  enabled: boolean
}

/** Changes that users make to themselves. */
export interface UpdateCurrentUser {
  /** The name of the user, 1 to 255 characters. */
  name?: string
  /** The language of mails to the user. */
  lang?: 'en' | 'ja'
}

/** The rules that replace the rules of the given version. */
export interface UpdateRouting {
  /** That of the rules that are replaced. */
  version: string
  /** All rules, in their new order. */
  rules: RoutingRule[]
}

/** Changes to a view. Absent fields stay unchanged. */
export interface UpdateSavedView {
  /** The name that the user gave it. */
  name?: string
  /** The list that it is a view of, such as `transaction_history`. */
  list?: string
  /** The parameters of the list, by their names. */
  filters?: ViewFilters
  /** The columns that are shown, in their order; empty for the default ones. */
  columns?: string[]
}

/** Changes to a user. */
export interface UpdateUser {
  /** The name of the user, 1 to 255 characters. */
  name?: string
  /** The user's role. */
  role?: 'owner' | 'developer' | 'staff' | 'viewer'
  /** The language of mails to the user. */
  lang?: 'en' | 'ja'
  /** Whether the access ends; `false` restores it, with a mail to choose a new password. */
  disabled?: boolean
}

/** A person who logs in. */
export interface User {
  /** The id of the user. */
  id: Uuid
  /** The merchant that it belongs to. */
  merchant_id: Uuid
  /** The e-mail of the user, with which they log in. */
  email: string
  /** The name of the user. */
  name: string
  /**
   * The user's role. An `owner` may do everything, a `developer` manages webhooks, tokens and test
   * mode, `staff` manage payments, a `viewer` only reads.
   */
  role: 'owner' | 'developer' | 'staff' | 'viewer'
  /** The language of mails to the user. */
  lang: 'en' | 'ja'
  /** Whether logging in needs an authenticator app, which live mode requires. */
  totp_enabled: boolean
  /** The creation time. */
  created_on: Instant
}

/** A session of a user. */
export interface UserSession {
  /** The id of the session. */
  id: Uuid
  /** Whether it is a program with a login token, or the console with its cookie. */
  via: 'token' | 'cookie'
  /** True for the session of this request. */
  is_current: boolean
  /** The address that it was started from. */
  ip_address: string
  /** The user agent of the browser or program. */
  user_agent: string
  /** Whether more than a password was shown. */
  second_factor: boolean
  /** The creation time. */
  created_on: Instant
  /** The time of the last use, to the minute. */
  used_on: Instant
  /** The latest end time. */
  expires_on: Instant
}

/** A page of a list. */
export interface UserSessionPage {
  /** The items of this page. */
  items: UserSession[]
  /** Whether more follow. */
  has_more: boolean
}

/** That the merchant was verified. */
export interface VerifyMerchant {
  /** Allows live mode. */
  verified: true
}

/** Parameters of a list and their values. */
export type ViewFilters = Record<string, unknown>

/** The query of `listUsers`. */
export interface ListUsersQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Whether disabled users are listed. */
  disabled?: boolean
}

/** The query of `listUserSessions`. */
export interface ListUserSessionsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listSavedViews`. */
export interface ListSavedViewsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
}

/** The query of `listAuditLog`. */
export interface ListAuditLogQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only actions of this user. */
  user_id?: Uuid
  /** Only this operation, such as `createRefund`. */
  action?: string
  /** Only lines about this resource. */
  resource_id?: Uuid
  /** Only items created at this time or later. */
  from?: string
  /** Only items created before this time. */
  to?: string
}

/** The query of `listOperatorMerchants`. */
export interface ListOperatorMerchantsQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items with this text in their name or e-mail, or with this id. */
  search?: string
}

/** The query of `listOperatorTransfers`. */
export interface ListOperatorTransfersQuery {
  /** Items on a page, 10 to 100. */
  limit?: number
  /** The id of the last item of the previous page. */
  cursor?: Uuid
  /** By the time of creation: the newest first (`desc`), or the oldest (`asc`). */
  cursor_direction?: 'asc' | 'desc'
  /** Only items of this merchant. */
  merchant_id?: Uuid
  /** Only items with this status. */
  status?: 'created' | 'approved' | 'processing' | 'paid' | 'failed' | 'canceled'
  /** Only items of this mode. */
  mode?: Mode
}

/** The query of `getOperatorRouting`. */
export interface GetOperatorRoutingQuery {
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

/** People who sign in, and how they prove who they are. */
export interface UsersResource {
  /** Sign in to the console. */
  logIn(body: LogIn, options?: CallOptions): Promise<Login>
  /** Sign out of one session or all. */
  logOut(body?: LogOut, options?: CallOptions): Promise<void>
  /** Request a password reset. */
  requestPasswordReset(body: RequestPasswordReset, options?: CallOptions): Promise<PasswordResetRequested>
  /** Set a password with a reset link. */
  resetPassword(link: string, body: ResetPassword, options?: CallOptions): Promise<void>
  /** Get the current user. */
  getCurrent(options?: CallOptions): Promise<User>
  /** Update the current user. */
  updateCurrent(body?: UpdateCurrentUser, options?: CallOptions): Promise<User>
  /** Change the password. */
  changePassword(body: ChangePassword, options?: CallOptions): Promise<void>
  /** Get a secret for an authenticator app. */
  startTotp(body: StartTotp, options?: CallOptions): Promise<TotpSecret>
  /** Confirm the authenticator app with its first code. */
  confirmTotp(body: ConfirmTotp, options?: CallOptions): Promise<TotpConfirmed>
  /** List the users of the merchant. */
  list(query?: ListUsersQuery, options?: CallOptions): List<ManagedUser>
  /** Invite a user by mail. */
  create(body: CreateUser, options?: CallOptions): Promise<InvitedUser>
  /** Get a user. */
  get(user_id: string, options?: CallOptions): Promise<ManagedUser>
  /** Update a user. */
  update(user_id: string, body?: UpdateUser, options?: CallOptions): Promise<ManagedUser>
  /** Delete a user. */
  delete(user_id: string, options?: CallOptions): Promise<void>
  /** List the sessions of the current user. */
  listSessions(query?: ListUserSessionsQuery, options?: CallOptions): List<UserSession>
  /** End a session of the current user. */
  deleteSession(session_id: string, options?: CallOptions): Promise<void>
  /** Sign in to the console with a cookie. */
  createConsoleSession(body: LogIn, options?: CallOptions): Promise<ConsoleSession>
  /** Get the session of the console. */
  getConsoleSession(options?: CallOptions): Promise<ConsoleSession>
  /** Sign out of the console. */
  deleteConsoleSession(options?: CallOptions): Promise<void>
  /** Confirm the session with a code or password. */
  confirmConsoleSession(body?: ConfirmConsoleSession, options?: CallOptions): Promise<void>
  /** List the saved views of the user. */
  listSavedViews(query?: ListSavedViewsQuery, options?: CallOptions): List<SavedView>
  /** Create a saved view of a list. */
  createSavedView(body: CreateSavedView, options?: CallOptions): Promise<SavedView>
  /** Update a saved view. */
  updateSavedView(view_id: string, body?: UpdateSavedView, options?: CallOptions): Promise<SavedView>
  /** Delete a saved view. */
  deleteSavedView(view_id: string, options?: CallOptions): Promise<void>
}

/** Actions and attempts of console users. */
export interface AuditLogResource {
  /** List the audit log. */
  list(query?: ListAuditLogQuery, options?: CallOptions): List<AuditLine>
}

/** For operators of this service: all merchants, payouts, and the state of the service. */
export interface OperatorResource {
  /** List all merchants. */
  listMerchants(query?: ListOperatorMerchantsQuery, options?: CallOptions): List<OperatorMerchant>
  /** Get any merchant. */
  getMerchant(merchant_id: string, options?: CallOptions): Promise<Merchant>
  /** Allow live mode for a merchant. */
  updateVerification(merchant_id: string, body: VerifyMerchant, options?: CallOptions): Promise<Merchant>
  /** List transfers of all merchants. */
  listTransfers(query?: ListOperatorTransfersQuery, options?: CallOptions): List<OperatorTransfer>
  /** Create the transfers of a merchant. */
  createTransfers(body: CreateTransfers, options?: CallOptions): Promise<CreatedTransfers>
  /** Create the scheduled transfers of all merchants. */
  createDueTransfers(options?: CallOptions): Promise<CreatedTransfers>
  /** Move a transfer to its next state. */
  updateTransfer(transfer_id: string, body: MoveTransfer, options?: CallOptions): Promise<Transfer>
  /** Get the demo shop. */
  getDemoShop(options?: CallOptions): Promise<DemoShop>
  /** Create the demo shop. */
  createDemoShop(options?: CallOptions): Promise<DemoShop>
  /** Remove the demo shop with everything in it. */
  deleteDemoShop(options?: CallOptions): Promise<void>
  /** Create a link that signs in to the demo shop. */
  createDemoShopLink(options?: CallOptions): Promise<DemoShopLink>
  /** Get the health of the service. */
  getHealth(options?: CallOptions): Promise<OperatorHealth>
  /** Get the responses of providers and the queues of the last 24 hours. */
  getTrends(options?: CallOptions): Promise<OperatorTrends>
  /** List connectors, and what can be added. */
  listConnectors(options?: CallOptions): Promise<ConnectorList>
  /** Create a connector, or add settings to it. */
  createConnector(body: AddConnector, options?: CallOptions): Promise<Connector>
  /** Get a connector. */
  getConnector(connector_id: string, options?: CallOptions): Promise<Connector>
  /** Enable or disable a connector for new payments. */
  updateConnector(connector_id: string, body: UpdateConnector, options?: CallOptions): Promise<Connector>
  /** Test the settings of a connector. */
  pingConnector(connector_id: string, body?: TestConnector, options?: CallOptions): Promise<ConnectorTest>
  /** Get the routing rules of a merchant. */
  getRouting(merchant_id: string, query?: GetOperatorRoutingQuery, options?: CallOptions): Promise<Routing>
  /** Update the routing rules. */
  updateRouting(merchant_id: string, body: UpdateRouting, options?: CallOptions): Promise<Routing>
  /** Get the last check of the data. */
  getDoctorRun(options?: CallOptions): Promise<DoctorRun>
  /** Start a check of the data. */
  startDoctorRun(options?: CallOptions): Promise<DoctorRun>
}

/** Every resource that only the console has. */
export interface ConsoleResources {
  readonly users: UsersResource
  readonly auditLog: AuditLogResource
  readonly operator: OperatorResource
}
