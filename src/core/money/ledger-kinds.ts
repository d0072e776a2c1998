/** The cause of a ledger entry, as the API names it. */
export const ledger_origins = ['charge', 'refund', 'cancel', 'manual'] as const
export type LedgerOrigin = (typeof ledger_origins)[number]

/** The kinds of ledger entries. The first six happen once per charge, or once per refund. */
export const ledger_kinds = [
  'authorization',
  'release',
  'capture',
  'fee',
  'conversion',
  'refund',
  'deposit',
  'return',
  'adjustment',
  'payout',
] as const
export type LedgerKind = (typeof ledger_kinds)[number]
