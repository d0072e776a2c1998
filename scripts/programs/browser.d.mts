/** The path of a browser that starts, or null. */
export function findBrowser(): string | null
export function prepareBrowser(): void
export const browser_advice: string
