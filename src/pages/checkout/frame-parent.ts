import type { FastifyRequest } from 'fastify'
import { mayFrame, storeDomains } from '../../accounts/app-tokens/frame-domains.ts'
import { queryOf, queryText } from '../../api/routes/request-parts.ts'
import type { CheckoutSession } from '../../commerce/checkout/checkout-session.ts'
import { readWebAddress } from '../../core/typed/web-address.ts'

/** The origin that the address of a page names as that of the page around it. */
export function namedParent(request: FastifyRequest): string | null {
  return readWebAddress(queryText(request, 'parent'))?.origin ?? null
}

/** The origin that may show the page of a session in a frame; null: none, or the page is in none. */
export async function frameParent(
  request: FastifyRequest,
  session: CheckoutSession,
): Promise<string | null> {
  const parent = namedParent(request)
  if (parent === null) return null
  const domains = await storeDomains(request.service, session)
  return mayFrame(parent, { mode: session.mode, domains }) ? parent : null
}

/**
 * A page in a frame has no cookies: what its address says of the frame and of the language must be in the
 * address of the next one too. Links and forms know nothing of it, but browsers send with a request which
 * page of ours it comes from. Null: the address is complete.
 */
export function addressInFrame(request: FastifyRequest, path: string): string | null {
  const { referer } = request.headers
  const query = queryOf(request)
  if ('parent' in query || !referer || !URL.canParse(referer)) return null
  const { pathname, searchParams } = new URL(referer)
  const parent = searchParams.get('parent')
  if (pathname !== path || parent === null) return null
  const next = new URLSearchParams({ parent })
  for (const name of ['language', 'error', 'missing', 'wrong', 'leave']) {
    const value = query[name] ?? (name === 'language' ? searchParams.get(name) : null)
    if (typeof value === 'string') next.set(name, value)
  }
  return `${path}?${next}`
}
