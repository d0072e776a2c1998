import type { Mode } from './caller.ts'
import type { Metadata } from './metadata.ts'
import { maskText } from './sensitive.ts'

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

/** Browsers and servers on the way take addresses of this length; metadata beyond it is left out. */
const longest_url = 8000
const our_names: readonly string[] = ['svcChargeId', 'svcTokenId']

type Ids = { readonly svcChargeId?: string; readonly svcTokenId: string }

/**
 * The endpoint with the creation-time metadata and our ids in its query. Our names stand there
 * exactly once and last, whatever the endpoint or the metadata say. A parameter that the endpoint
 * has already is kept as its owner wrote it, and metadata of the same name is not added to it. What
 * looks like a card number or a credential never gets into an address.
 */
export function redirectUrl(endpoint: string, metadata: Metadata, ids: Ids): string {
  const url = new URL(endpoint)
  for (const name of our_names) {
    if (url.searchParams.has(name)) url.searchParams.delete(name)
  }
  const taken = new Set([...url.searchParams.keys(), ...our_names])
  const ours = new URLSearchParams(ids).toString()
  const parts = url.search.length > 1 ? [url.search.slice(1)] : []
  let length = url.href.length + ours.length
  for (const [name, value] of Object.entries(metadata)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const part = new URLSearchParams([[name, text]]).toString()
    if (taken.has(name) || maskText(text) !== text || length + part.length >= longest_url) continue
    length += part.length + 1
    parts.push(part)
  }
  url.search = [...parts, ours].join('&')
  return url.href
}
