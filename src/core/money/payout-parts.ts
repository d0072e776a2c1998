/** The parts of a payout, in the order in which people add them up. */
export const payout_parts = ['sales', 'fees', 'refunds', 'disputes', 'adjustments'] as const
export type PayoutPart = (typeof payout_parts)[number]
