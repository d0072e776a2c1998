/** The groups of the API description, in its order. A route has one of them. */
export const tags = {
  charges: 'Payments: created from a transaction token, captured, and read until they have ended.',
  refunds: 'A full or partial refund of a successful charge to the customer.',
  cancels: 'Cancels of awaiting or authorized charges.',
  disputes: 'Payments that customers asked their banks to return.',
  'transaction tokens':
    'A stored payment instrument. Charges and subscriptions are created with a token.',
  subscriptions: 'Payments that repeat, and installments.',
  'checkout sessions': 'Payments that a customer makes on a page of this service.',
  'payment links': 'Addresses at which any number of customers pay.',
  'customs declarations': 'Declarations of charges to the customs of China.',
  'transaction history': 'Charges and refunds in one list, with everything to filter it by.',
  deposits: 'Money that arrives at convenience stores and banks, and its state.',
  customers: 'Customers by the id that the merchant gave them, or by e-mail.',
  activity: 'Sums, the attention list, requests and exports, as the console shows them.',
  ledgers: 'The bookkeeping behind charges, refunds and transfers.',
  transfers: 'Payouts of the amount owed to the merchant.',
  'bank accounts': 'The accounts that payouts go to.',
  'checkout information': 'Facts for a checkout page before a payment.',
  webhooks: 'Endpoints for events, their deliveries, and the verification of signatures.',
  events: 'Everything that happened, in its order.',
  stores: 'The shops of a merchant: each has its own payments and configuration.',
  merchant: 'The merchant itself: its configuration and its verification.',
  'application tokens': 'The credentials of programs.',
  users: 'People who sign in, and how they prove who they are.',
  'audit log': 'Actions and attempts of console users.',
  operator: 'For operators of this service: all merchants, payouts, and the state of the service.',
  'test mode': 'Acting as the customer, the bank or the clock of test mode.',
  callbacks: 'Notifications of payment providers.',
  health: 'Probes for load balancers and supervisors.',
} as const satisfies Record<string, string>

/** Operations of people who sign in: the console calls them, and they are described apart. */
export const console_tags = [
  'users',
  'audit log',
  'operator',
] as const satisfies readonly (keyof typeof tags)[]
