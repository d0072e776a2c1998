/** How a deposit of another amount than its charge is handled. */
export const match_amounts = ['disabled', 'exact', 'minimum', 'maximum'] as const
export type MatchAmount = (typeof match_amounts)[number]
