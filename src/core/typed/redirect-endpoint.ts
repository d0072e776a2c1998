import type { Mode } from '../access/caller.ts'
import { maskText } from '../cards/sensitive.ts'
import type { Metadata } from '../text/metadata.ts'
import { readWebAddress } from './web-address.ts'

/**
 * The URL a customer is redirected to, in its stored form; null when it must not be used. It comes only
 * from the merchant's request, never from a browser.
 */
export function readRedirectEndpoint(text: string, mode: Mode): string | null {
  const url = readWebAddress(text)
  if (!url || url.username || url.password) return null
  if (mode === 'live' && url.protocol !== 'https:') return null
  return url.href.length > longest_endpoint ? null : url.href
}

/** Browsers and servers accept URLs of this length; metadata beyond it is left out. */
const longest_url = 8000
/** Escaped, a URL can be much longer than it was; our ids still fit behind this one. */
const longest_endpoint = longest_url - 100
/**
 * Our parameter names, also in the forms that frameworks treat as equal: `svcchargeid` or
 * `svcChargeId[]`.
 */
const our_name = /^\s*svc(charge|token)id\s*(\[|$)/i

type Ids = { readonly svcChargeId?: string; readonly svcTokenId: string }

/**
 * The endpoint with the creation-time metadata and our ids in its query. Our parameters occur exactly
 * once and last, whatever the endpoint or the metadata contain. A parameter of the endpoint stays as
 * its owner wrote it, and metadata of the same name is not added. Values that look like a card number
 * or a credential are left out.
 */
export function redirectUrl(endpoint: string, metadata: Metadata, ids: Ids): string {
  const url = new URL(endpoint)
  const taken = new Set(url.searchParams.keys())
  const ours = new URLSearchParams(ids).toString()
  const parts = url.search === '' ? [] : url.search.slice(1).split('&').filter(isForeign)
  url.search = ''
  let length = [url.href, ...parts, ours].join('&').length
  for (const [name, value] of Object.entries(metadata)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const part = new URLSearchParams([[name, text]]).toString()
    if (taken.has(name) || our_name.test(name) || length + 1 + part.length > longest_url) continue
    if (maskText(name) !== name || maskText(text) !== text) continue
    length += 1 + part.length
    parts.push(part)
  }
  // The question mark is added explicitly, because a second one in the query would be taken for it.
  url.search = `?${[...parts, ours].join('&')}`
  return url.href
}

/** Whether a part of a query, as its owner wrote it, has a name other than ours. */
function isForeign(part: string): boolean {
  const [name = ''] = new URLSearchParams(`?${part}`).keys()
  return !our_name.test(name)
}
