import { doctorRoutes } from '../doctor/doctor-routes.ts'
import { activityRoutes } from '../resources/activity/activity-routes.ts'
import { appTokenRoutes } from '../resources/app-tokens/app-token-routes.ts'
import { legacyAppTokenRoutes } from '../resources/app-tokens/legacy-app-token-routes.ts'
import { auditRoutes } from '../resources/audit/audit-routes.ts'
import { bankAccountRoutes } from '../resources/bank-accounts/bank-account-routes.ts'
import { cancelRoutes } from '../resources/cancels/cancel-routes.ts'
import { chargeRoutes } from '../resources/charges/charge-routes.ts'
import { issuerRoutes } from '../resources/charges/customer/issuer-routes.ts'
import { checkoutRoutes } from '../resources/checkout/checkout-routes.ts'
import { checkoutInfoRoutes } from '../resources/checkout-info/checkout-info-routes.ts'
import { connectorRoutes } from '../resources/connectors/connector-routes.ts'
import { customerRoutes } from '../resources/customers/customer-routes.ts'
import { customsRoutes } from '../resources/customs/customs-routes.ts'
import { bankTransferLedgerRoutes } from '../resources/deposits/bank-transfer-ledgers.ts'
import { depositRoutes } from '../resources/deposits/deposit-routes.ts'
import { disputeRoutes } from '../resources/disputes/dispute-routes.ts'
import { eventRoutes } from '../resources/events/event-routes.ts'
import { exportRoutes } from '../resources/exports/export-routes.ts'
import { historyRoutes } from '../resources/history/history-routes.ts'
import { ledgerRoutes } from '../resources/ledgers/ledger-routes.ts'
import { merchantRoutes } from '../resources/merchants/merchant-routes.ts'
import { platformRoutes } from '../resources/merchants/platform-routes.ts'
import { callbackRoutes } from '../resources/notifications/callback-routes.ts'
import type { Route } from '../resources/operation.ts'
import { operatorRoutes } from '../resources/operator/operator-routes.ts'
import { paymentLinkRoutes } from '../resources/payment-links/payment-link-routes.ts'
import { refundRoutes } from '../resources/refunds/refund-routes.ts'
import { requestLogRoutes } from '../resources/request-log/request-log-routes.ts'
import { routingRoutes } from '../resources/routing/routing-routes.ts'
import { savedViewRoutes } from '../resources/saved-views/saved-view-routes.ts'
import { storeRoutes } from '../resources/stores/store-routes.ts'
import { paymentRoutes } from '../resources/subscriptions/payment-routes.ts'
import { subscriptionBatchRoutes } from '../resources/subscriptions/subscription-batch-routes.ts'
import { subscriptionRoutes } from '../resources/subscriptions/subscription-routes.ts'
import { testActionRoutes } from '../resources/test-actions/test-action-routes.ts'
import { testClockRoutes } from '../resources/test-clock/test-clock-routes.ts'
import { timelineRoutes } from '../resources/timeline/timeline-routes.ts'
import { tokenAliasRoutes } from '../resources/tokens/token-alias-routes.ts'
import { tokenRoutes } from '../resources/tokens/token-routes.ts'
import { confirmTokenRoutes } from '../resources/tokens/verify/confirm-token.ts'
import { tokenThreeDsRoutes } from '../resources/tokens/verify/token-three-ds.ts'
import { transferRoutes } from '../resources/transfers/transfer-routes.ts'
import { consoleSessionRoutes } from '../resources/users/console-session-routes.ts'
import { manageUserRoutes } from '../resources/users/manage-user-routes.ts'
import { userRoutes } from '../resources/users/user-routes.ts'
import { verificationRoutes } from '../resources/verification/verification-routes.ts'
import { deliveryRoutes } from '../resources/webhooks/delivery-routes.ts'
import { allDeliveryRoutes } from '../resources/webhooks/list-all-deliveries.ts'
import { webhookRoutes } from '../resources/webhooks/webhook-routes.ts'

/** Every route of the service, in the order of the documents. */
export const route_modules: readonly (readonly Route[])[] = [
  merchantRoutes,
  verificationRoutes,
  platformRoutes,
  storeRoutes,
  appTokenRoutes,
  legacyAppTokenRoutes,
  tokenRoutes,
  tokenThreeDsRoutes,
  tokenAliasRoutes,
  confirmTokenRoutes,
  chargeRoutes,
  timelineRoutes,
  issuerRoutes,
  refundRoutes,
  cancelRoutes,
  disputeRoutes,
  customsRoutes,
  subscriptionRoutes,
  subscriptionBatchRoutes,
  paymentRoutes,
  checkoutRoutes,
  paymentLinkRoutes,
  historyRoutes,
  customerRoutes,
  depositRoutes,
  ledgerRoutes,
  bankTransferLedgerRoutes,
  checkoutInfoRoutes,
  callbackRoutes,
  webhookRoutes,
  deliveryRoutes,
  allDeliveryRoutes,
  eventRoutes,
  activityRoutes,
  requestLogRoutes,
  exportRoutes,
  bankAccountRoutes,
  transferRoutes,
  userRoutes,
  manageUserRoutes,
  consoleSessionRoutes,
  savedViewRoutes,
  auditRoutes,
  operatorRoutes,
  connectorRoutes,
  routingRoutes,
  doctorRoutes,
  testActionRoutes,
  testClockRoutes,
]

/** The names of operations in the client, by their ids. */
export const client_names: ReadonlyMap<string, string> = new Map(
  route_modules
    .flat()
    .flatMap(({ schema: { operationId }, config: { client } }) =>
      operationId && client ? [[operationId, client] as const] : [],
    ),
)
