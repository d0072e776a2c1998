/** The path of a server that starts, or null. */
export function findRedis(): string | null
export function prepareRedis(): void
export const redis_advice: string
