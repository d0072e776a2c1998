/** The name of each group of operations in the client, and the noun in its operation ids. */
export const client_resources: Readonly<Record<string, readonly [name: string, noun: string]>> = {
  charges: ['charges', 'Charge'],
  refunds: ['refunds', 'Refund'],
  cancels: ['cancels', 'Cancel'],
  disputes: ['disputes', 'Dispute'],
  'transaction tokens': ['tokens', 'Token'],
  subscriptions: ['subscriptions', 'Subscription'],
  'checkout sessions': ['checkoutSessions', 'CheckoutSession'],
  'payment links': ['paymentLinks', 'PaymentLink'],
  'customs declarations': ['customs', 'Customs(?:Declaration)?'],
  'transaction history': ['history', 'TransactionHistory'],
  deposits: ['deposits', 'Deposit'],
  customers: ['customers', 'Customer'],
  activity: ['activity', 'Activity'],
  ledgers: ['ledgers', 'Ledger'],
  transfers: ['transfers', 'Transfer'],
  'bank accounts': ['bankAccounts', 'BankAccount'],
  'checkout information': ['checkout', 'CheckoutInfo'],
  webhooks: ['webhooks', 'Webhook'],
  events: ['events', 'Event'],
  stores: ['stores', 'Store'],
  merchant: ['merchant', 'Merchant'],
  'application tokens': ['appTokens', 'AppToken'],
  users: ['users', 'User'],
  'audit log': ['auditLog', 'AuditLog'],
  operator: ['operator', 'Operator'],
  'test mode': ['test', 'Test'],
}

/** Other spellings of calls that the client has. */
export const other_spellings: readonly string[] = [
  'updateStoreRefund',
  'updateChargeRefund',
  'getIssuerTokenAlias',
]

/** The operation id without the noun of its resource: `createCharge` of charges is `create`. */
export function clientMethod(operation_id: string, noun: string): string {
  const pattern = new RegExp(`^([a-z]+)(Latest|Primary|Current|Legacy)?${noun}s?(?=[A-Z]|$)`)
  return operation_id.replace(pattern, '$1$2')
}
