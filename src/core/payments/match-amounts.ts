/** What happens to a deposit of another amount than that of its charge. */
export const match_amounts = ['disabled', 'exact', 'minimum', 'maximum'] as const
export type MatchAmount = (typeof match_amounts)[number]
