/** What a payout is made of, in the order in which people add it up. */
export const payout_parts = ['sales', 'fees', 'refunds', 'disputes', 'adjustments'] as const
export type PayoutPart = (typeof payout_parts)[number]
