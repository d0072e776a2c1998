import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { IconName } from './parts/icon.tsx'
import { UnloadedScreen } from './parts/unloaded-screen.tsx'
import type { frame_words } from './words/frame-words.ts'

type FrameWords = (typeof frame_words)['en']

interface Screen {
  /** Below `/console/test` or `/console/live`; `:name` stands for an id. */
  readonly path: string
  readonly Show: LazyExoticComponent<ComponentType>
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

/** A screen is a chunk of its own, loaded when it is opened. */
function screen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): LazyExoticComponent<ComponentType> {
  const loaded = async () => (await load())[name]
  return lazy(async () => ({ default: await loaded().catch(() => UnloadedScreen) }))
}

/** Every screen, in the order of the navigation. The first one with a menu is where people begin. */
export const screens: readonly Screen[] = [
  {
    path: '/home',
    Show: screen(() => import('./screens/home/home-screen.tsx'), 'HomeScreen'),
    menu: { name: 'home', group: null, icon: 'home' },
  },
  {
    path: '/payments',
    Show: screen(() => import('./screens/payments/payments-screen.tsx'), 'PaymentsScreen'),
    menu: { name: 'payments', group: null, icon: 'payments' },
  },
  {
    path: '/payments/:store_id/:charge_id',
    Show: screen(() => import('./screens/payment/payment-screen.tsx'), 'PaymentScreen'),
  },
  {
    path: '/subscriptions',
    Show: screen(
      () => import('./screens/subscriptions/subscriptions-screen.tsx'),
      'SubscriptionsScreen',
    ),
    menu: { name: 'subscriptions', group: null, icon: 'subscriptions' },
  },
  {
    path: '/subscriptions/:store_id/:subscription_id',
    Show: screen(
      () => import('./screens/subscriptions/subscription-screen.tsx'),
      'SubscriptionScreen',
    ),
  },
  {
    path: '/checkout',
    Show: screen(() => import('./screens/checkout/checkout-screen.tsx'), 'CheckoutScreen'),
    menu: { name: 'checkout', group: null, icon: 'checkout' },
  },
  {
    path: '/checkout/links/:store_id/:payment_link_id',
    Show: screen(() => import('./screens/checkout/payment-link-screen.tsx'), 'PaymentLinkScreen'),
  },
  {
    path: '/checkout/sessions/:store_id/:checkout_session_id',
    Show: screen(
      () => import('./screens/checkout/checkout-session-screen.tsx'),
      'CheckoutSessionScreen',
    ),
  },
  {
    path: '/customers',
    Show: screen(() => import('./screens/customers/customers-screen.tsx'), 'CustomersScreen'),
    menu: { name: 'customers', group: null, icon: 'customers' },
  },
  {
    path: '/customers/:customer_key',
    Show: screen(() => import('./screens/customers/customer-screen.tsx'), 'CustomerScreen'),
  },
  {
    path: '/deposits',
    Show: screen(() => import('./screens/deposits/deposits-screen.tsx'), 'DepositsScreen'),
    menu: { name: 'deposits', group: null, icon: 'deposits' },
  },
  {
    path: '/disputes',
    Show: screen(() => import('./screens/disputes/disputes-screen.tsx'), 'DisputesScreen'),
    menu: { name: 'disputes', group: null, icon: 'disputes' },
  },
  {
    path: '/disputes/:store_id/:dispute_id',
    Show: screen(() => import('./screens/disputes/dispute-screen.tsx'), 'DisputeScreen'),
  },
  {
    path: '/ledger',
    Show: screen(() => import('./screens/ledger/ledger-screen.tsx'), 'LedgerScreen'),
    menu: { name: 'ledger', group: null, icon: 'ledger' },
  },
  {
    path: '/ledger/payouts/:transfer_id',
    Show: screen(() => import('./screens/ledger/payout-screen.tsx'), 'PayoutScreen'),
  },
  {
    path: '/developers',
    Show: screen(() => import('./screens/developers/developers-screen.tsx'), 'DevelopersScreen'),
    menu: { name: 'developers', group: 'build', icon: 'developers', right: 'requests:read' },
  },
  {
    path: '/developers/webhooks/:webhook_id/:store_id?',
    Show: screen(() => import('./screens/developers/webhook-screen.tsx'), 'WebhookScreen'),
  },
  {
    path: '/time',
    Show: screen(() => import('./screens/time-travel/time-screen.tsx'), 'TimeScreen'),
    menu: { name: 'time', group: 'build', icon: 'time', only_test: true },
  },
  {
    path: '/settings',
    Show: screen(() => import('./screens/settings/settings-screen.tsx'), 'SettingsScreen'),
    menu: { name: 'settings', group: 'account', icon: 'settings' },
  },
  {
    path: '/settings/stores/:store_id',
    Show: screen(() => import('./screens/settings/store-screen.tsx'), 'StoreScreen'),
  },
  {
    path: '/operator',
    Show: screen(() => import('./screens/operator/operator-screen.tsx'), 'OperatorScreen'),
    menu: { name: 'operator', group: 'account', icon: 'operator', right: 'operator:read' },
  },
]
