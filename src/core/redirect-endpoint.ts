import type { Mode } from './caller.ts'

/**
 * The address a customer is sent back to, in the one form it is stored in; null when it must not
 * be used. It is taken from the merchant's request only, never from a browser.
 */
export function readRedirectEndpoint(text: string, mode: Mode): string | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const allowed = mode === 'live' ? ['https:'] : ['https:', 'http:']
  if (!allowed.includes(url.protocol) || url.username || url.password) return null
  return url.href
}
