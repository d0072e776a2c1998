/** The subject of a settlement line, and its sign: money that the provider pays us is positive. */
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

/** A provider's report of its settlements with us. */
export interface SettlementLine {
  /** The provider's own name of the line, the same in every report. */
  readonly line_id: string
  readonly kind: SettlementKind
  /** The operation: by our reference, or by the provider's. */
  readonly reference: string
  /** Before fees, with its sign. */
  readonly amount: number
  /** The fee that the provider deducted; null if it does not report it. */
  readonly fee_amount: number | null
  readonly currency: string
  readonly booked_on: Date
}
