import { appTokenRoutes } from '../accounts/app-tokens/app-token-routes.ts'
import { legacyAppTokenRoutes } from '../accounts/app-tokens/legacy-app-token-routes.ts'
import { auditRoutes } from '../accounts/audit/audit-routes.ts'
import { bankAccountRoutes } from '../accounts/bank-accounts/bank-account-routes.ts'
import { connectorRoutes } from '../accounts/connectors/connector-routes.ts'
import { merchantRoutes } from '../accounts/merchants/merchant-routes.ts'
import { savedViewRoutes } from '../accounts/saved-views/saved-view-routes.ts'
import { consoleSessionRoutes } from '../accounts/sessions/console-session-routes.ts'
import { userRoutes } from '../accounts/sessions/user-routes.ts'
import { storeRoutes } from '../accounts/stores/store-routes.ts'
import { manageUserRoutes } from '../accounts/users/manage-user-routes.ts'
import { verificationRoutes } from '../accounts/verification/verification-routes.ts'
import { deliveryRoutes } from '../accounts/webhooks/deliveries/delivery-routes.ts'
import { allDeliveryRoutes } from '../accounts/webhooks/deliveries/list-all-deliveries.ts'
import { webhookRoutes } from '../accounts/webhooks/webhook-routes.ts'
import type { Route } from '../api/routes/operation.ts'
import { cancelRoutes } from '../commerce/cancels/cancel-routes.ts'
import { checkoutRoutes } from '../commerce/checkout/checkout-routes.ts'
import { customsRoutes } from '../commerce/customs/customs-routes.ts'
import { demoShopRoutes } from '../commerce/demo-shop/demo-shop-routes.ts'
import { bankTransferLedgerRoutes } from '../commerce/deposits/bank-transfer-ledgers.ts'
import { depositRoutes } from '../commerce/deposits/deposit-routes.ts'
import { disputeRoutes } from '../commerce/disputes/dispute-routes.ts'
import { callbackRoutes } from '../commerce/notifications/callback-routes.ts'
import { operatorRoutes } from '../commerce/operator/operator-routes.ts'
import { paymentLinkRoutes } from '../commerce/payment-links/payment-link-routes.ts'
import { refundRoutes } from '../commerce/refunds/refund-routes.ts'
import { subscriptionBatchRoutes } from '../commerce/subscriptions/batches/subscription-batch-routes.ts'
import { paymentRoutes } from '../commerce/subscriptions/cycles/payment-routes.ts'
import { subscriptionRoutes } from '../commerce/subscriptions/subscription-routes.ts'
import { testActionRoutes } from '../commerce/test-actions/test-action-routes.ts'
import { testClockRoutes } from '../commerce/test-clock/test-clock-routes.ts'
import { transferRoutes } from '../commerce/transfers/transfer-routes.ts'
import { doctorRoutes } from '../doctor/doctor-routes.ts'
import { chargeRoutes } from '../payments/charges/charge-routes.ts'
import { issuerRoutes } from '../payments/charges/customer/issuer-routes.ts'
import { checkoutInfoRoutes } from '../payments/checkout-info/checkout-info-routes.ts'
import { routingRoutes } from '../payments/routing/routing-routes.ts'
import { platformRoutes } from '../payments/store-rules/platform-routes.ts'
import { tokenAliasRoutes } from '../payments/tokens/token-alias-routes.ts'
import { tokenRoutes } from '../payments/tokens/token-routes.ts'
import { confirmTokenRoutes } from '../payments/tokens/verify/confirm-token.ts'
import { tokenThreeDsRoutes } from '../payments/tokens/verify/token-three-ds.ts'
import { activityRoutes } from '../views/activity/activity-routes.ts'
import { connectionRoutes } from '../views/connections/connection-routes.ts'
import { customerRoutes } from '../views/customers/customer-routes.ts'
import { eventRoutes } from '../views/events/event-routes.ts'
import { exportRoutes } from '../views/exports/export-routes.ts'
import { historyRoutes } from '../views/history/history-routes.ts'
import { ledgerRoutes, transferLedgerRoutes } from '../views/ledgers/ledger-routes.ts'
import { requestLogRoutes } from '../views/request-log/request-log-routes.ts'
import { searchRoutes } from '../views/search/search-routes.ts'
import { serviceHealthRoutes } from '../views/service-health/service-health-routes.ts'
import { timelineRoutes } from '../views/timeline/timeline-routes.ts'

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
  connectionRoutes,
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
  searchRoutes,
  requestLogRoutes,
  exportRoutes,
  bankAccountRoutes,
  transferRoutes,
  transferLedgerRoutes,
  userRoutes,
  manageUserRoutes,
  consoleSessionRoutes,
  savedViewRoutes,
  auditRoutes,
  operatorRoutes,
  demoShopRoutes,
  serviceHealthRoutes,
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
