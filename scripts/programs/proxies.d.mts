/** The path of a program that starts, or null. */
export function findProxy(name: 'haproxy' | 'pgbouncer'): string | null
export function prepareProxies(): void
export const proxies_advice: string
