/** What made an entry in the books, as the interface names it. */
export const ledger_origins = ['charge', 'refund', 'cancel', 'manual'] as const
export type LedgerOrigin = (typeof ledger_origins)[number]

/** What an entry in the books is. The first six happen once to a charge, or once to a refund. */
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
