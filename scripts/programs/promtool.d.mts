export const promtool_advice: string
export function findPromtool(): string | null
