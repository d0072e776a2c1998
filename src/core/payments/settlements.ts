/** What a line of a settlement is about, and its sign: what the provider pays us is positive. */
export const settlement_kinds = {
  payment: 1,
  refund: -1,
  deposit: 1,
  return: -1,
  dispute: -1,
  dispute_fee: -1,
  dispute_reversal: 1,
} as const
export type SettlementKind = keyof typeof settlement_kinds

/** What a provider says that it has settled with us. */
export interface SettlementLine {
  /** The provider's own name of the line, the same whenever it is told. */
  readonly line_id: string
  readonly kind: SettlementKind
  /** The operation: by our reference, or by the provider's. */
  readonly reference: string
  /** Before fees, with its sign. */
  readonly amount: number
  /** What the provider kept of it for itself; null: it does not say. */
  readonly fee_amount: number | null
  readonly currency: string
  readonly booked_on: Date
}
