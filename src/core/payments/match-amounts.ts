/** The rules for deposits whose amount differs from the charge. */
export const match_amounts = ['disabled', 'exact', 'minimum', 'maximum'] as const
export type MatchAmount = (typeof match_amounts)[number]
