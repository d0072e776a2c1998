import { useRead } from '../../api/api-hooks.ts'
import type { Period, Subscription, SubscriptionPayment } from '../../api/call-api.ts'

export interface SubscriptionPath {
  readonly store_id: string
  readonly subscription_id: string
}

const refresh_ms = 5_000

export function useSubscription(path: SubscriptionPath) {
  const { store_id, subscription_id: id } = path
  const options = { store_id }
  const refresh = { refresh_ms }
  return {
    subscription: useRead((api) => api.subscriptions.get(id, {}, options), refresh),
    payments: useRead(
      (api) => api.subscriptions.listPayments(id, { limit: 100 }, options),
      refresh,
    ),
    connections: useRead((api) => api.subscriptions.getConnections(id, options), refresh),
  }
}

/** `Month`, or the given period: `P10D`. */
export function rhythmOf(
  { period, cyclical_period }: Pick<Subscription, 'period' | 'cyclical_period'>,
  words: Readonly<Record<Period, string>>,
): string {
  return period ? words[period] : (cyclical_period ?? '')
}

export type PaymentState = 'paid' | 'due' | 'planned' | 'retry'

export function stateOf(
  payment: Pick<SubscriptionPayment, 'is_paid' | 'retry_date' | 'due_date'>,
  today: string,
): PaymentState {
  if (payment.is_paid) return 'paid'
  if (payment.retry_date) return 'retry'
  return payment.due_date > today ? 'planned' : 'due'
}

const running: ReadonlySet<string> = new Set([
  'unverified',
  'unconfirmed',
  'authorized',
  'current',
  'unpaid',
])

/** The possible actions of a subscription in its state. */
export function actionsOf({ status }: Subscription) {
  const is_running = running.has(status)
  const is_suspended = status === 'suspended'
  return {
    change: is_running || is_suspended,
    suspend: is_running,
    resume: is_suspended,
    cancel: is_running || is_suspended,
  }
}
