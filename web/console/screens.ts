import { type LoadedLater, loadedLater } from './parts/screen/loaded-later.ts'
import type { IconName } from './parts/values/icon.tsx'
import type { frame_words } from './words/frame-words.ts'

type FrameWords = (typeof frame_words)['en']

interface Screen {
  /** Below `/console/test` or `/console/live`; `:name` stands for an id. */
  readonly path: string
  readonly Show: LoadedLater
  /** Its place in the navigation; none for a screen that is reached from another one. */
  readonly menu?: {
    readonly name: keyof FrameWords['screens']
    readonly group: keyof FrameWords['groups'] | null
    readonly icon: IconName
    /** Only people with this right see it. */
    readonly right?: string
    readonly only_test?: true
  }
}

/** Every screen, in the order of the navigation. The first one with a menu is where people begin. */
export const screens: readonly Screen[] = [
  {
    path: '/home',
    Show: loadedLater(() => import('./screens/home/home-screen.tsx'), 'HomeScreen'),
    menu: { name: 'home', group: null, icon: 'home' },
  },
  {
    path: '/payments',
    Show: loadedLater(() => import('./screens/payments/payments-screen.tsx'), 'PaymentsScreen'),
    menu: { name: 'payments', group: null, icon: 'payments' },
  },
  {
    path: '/payments/:store_id/:charge_id',
    Show: loadedLater(() => import('./screens/payment/payment-screen.tsx'), 'PaymentScreen'),
  },
  {
    path: '/subscriptions',
    Show: loadedLater(
      () => import('./screens/subscriptions/subscriptions-screen.tsx'),
      'SubscriptionsScreen',
    ),
    menu: { name: 'subscriptions', group: null, icon: 'subscriptions' },
  },
  {
    path: '/subscriptions/:store_id/:subscription_id',
    Show: loadedLater(
      () => import('./screens/subscriptions/subscription-screen.tsx'),
      'SubscriptionScreen',
    ),
  },
  {
    path: '/checkout',
    Show: loadedLater(() => import('./screens/checkout/checkout-screen.tsx'), 'CheckoutScreen'),
    menu: { name: 'checkout', group: null, icon: 'checkout' },
  },
  {
    path: '/checkout/links/:store_id/:payment_link_id',
    Show: loadedLater(
      () => import('./screens/checkout/links/payment-link-screen.tsx'),
      'PaymentLinkScreen',
    ),
  },
  {
    path: '/checkout/sessions/:store_id/:checkout_session_id',
    Show: loadedLater(
      () => import('./screens/checkout/sessions/checkout-session-screen.tsx'),
      'CheckoutSessionScreen',
    ),
  },
  {
    path: '/customers',
    Show: loadedLater(() => import('./screens/customers/customers-screen.tsx'), 'CustomersScreen'),
    menu: { name: 'customers', group: null, icon: 'customers' },
  },
  {
    path: '/customers/:customer_key',
    Show: loadedLater(() => import('./screens/customers/customer-screen.tsx'), 'CustomerScreen'),
  },
  {
    path: '/deposits',
    Show: loadedLater(() => import('./screens/deposits/deposits-screen.tsx'), 'DepositsScreen'),
    menu: { name: 'deposits', group: null, icon: 'deposits' },
  },
  {
    path: '/disputes',
    Show: loadedLater(() => import('./screens/disputes/disputes-screen.tsx'), 'DisputesScreen'),
    menu: { name: 'disputes', group: null, icon: 'disputes' },
  },
  {
    path: '/disputes/:store_id/:dispute_id',
    Show: loadedLater(() => import('./screens/disputes/dispute-screen.tsx'), 'DisputeScreen'),
  },
  {
    path: '/ledger',
    Show: loadedLater(() => import('./screens/ledger/ledger-screen.tsx'), 'LedgerScreen'),
    menu: { name: 'ledger', group: null, icon: 'ledger' },
  },
  {
    path: '/ledger/payouts/next',
    Show: loadedLater(
      () => import('./screens/ledger/payouts/next-payout-screen.tsx'),
      'NextPayoutScreen',
    ),
  },
  {
    path: '/ledger/payouts/:transfer_id',
    Show: loadedLater(() => import('./screens/ledger/payouts/payout-screen.tsx'), 'PayoutScreen'),
  },
  {
    path: '/developers',
    Show: loadedLater(
      () => import('./screens/developers/developers-screen.tsx'),
      'DevelopersScreen',
    ),
    menu: { name: 'developers', group: 'build', icon: 'developers' },
  },
  {
    path: '/developers/webhooks/:webhook_id/:store_id?',
    Show: loadedLater(
      () => import('./screens/developers/webhooks/webhook-screen.tsx'),
      'WebhookScreen',
    ),
  },
  {
    path: '/time',
    Show: loadedLater(() => import('./screens/time-travel/time-screen.tsx'), 'TimeScreen'),
    menu: { name: 'time', group: 'build', icon: 'time', only_test: true },
  },
  {
    path: '/settings',
    Show: loadedLater(() => import('./screens/settings/settings-screen.tsx'), 'SettingsScreen'),
    menu: { name: 'settings', group: 'account', icon: 'settings' },
  },
  {
    path: '/settings/stores/:store_id',
    Show: loadedLater(() => import('./screens/settings/store-screen.tsx'), 'StoreScreen'),
  },
  {
    path: '/operator',
    Show: loadedLater(() => import('./screens/operator/operator-screen.tsx'), 'OperatorScreen'),
    menu: { name: 'operator', group: 'account', icon: 'operator', right: 'operator:read' },
  },
]
