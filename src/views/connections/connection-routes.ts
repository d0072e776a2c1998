import { operation, type Route } from '../../api/routes/operation.ts'
import {
  ChargeConnections,
  readChargeConnections,
  readSubscriptionConnections,
  SubscriptionConnections,
} from './connections.ts'

export const connectionRoutes: readonly Route[] = [
  operation({
    at: 'GET /stores/:store_id/charges/:charge_id/connections',
    id: 'getChargeConnections',
    client: 'charges.getConnections',
    tag: 'charges',
    summary: 'Get the customer and the payout of a charge',
    text:
      'The customer and the payout that the charge belongs to. Each is null while there is ' +
      'none.',
    right: 'payments',
    responses: { 200: ChargeConnections },
    handle: ({ service, caller, params }) => readChargeConnections(service, caller, params),
  }),

  operation({
    at: 'GET /stores/:store_id/subscriptions/:subscription_id/connections',
    id: 'getSubscriptionConnections',
    client: 'subscriptions.getConnections',
    tag: 'subscriptions',
    summary: 'Get the customer and the results of a subscription',
    text:
      'The customer, the payment method, and the numbers and sums of successful and failed ' +
      'charges.',
    right: 'payments',
    responses: { 200: SubscriptionConnections },
    handle: ({ service, caller, params }) => readSubscriptionConnections(service, caller, params),
  }),
]
