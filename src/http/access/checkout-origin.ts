import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../../core/api/errors.ts'
import { isConsoleCall } from './console-call.ts'

/** The pages of customers, as routes begin. */
const customer_pages = ['/checkout/', '/pay/', '/checkout.js']
/** The paths that these pages load and call: nothing else is available on their own origin. */
const needed = [...customer_pages, '/assets/', '/logos/', '/favicon.ico']
const needed_call = 'POST /tokens'

const isBelow = (path: string, places: readonly string[]) =>
  places.some((place) => path.startsWith(place))

const nameOf = ({ hostname }: URL) => hostname.replace(/\.+$/, '')

/**
 * Whether a `Host` is that of the customers' pages. Browsers send a final dot and any given port, and
 * proxies add the usual one: the name decides. Two origins with one name differ only by their ports.
 */
function isAt(host: string, pages: URL, api: URL): boolean {
  const address = `${pages.protocol}//${host}`
  if (!URL.canParse(address)) return false
  const given = new URL(address)
  if (nameOf(given) !== nameOf(pages)) return false
  return nameOf(pages) !== nameOf(api) || given.port === pages.port
}

/**
 * With an origin of their own, the pages of customers are there and only there, and nothing else
 * is: a fault of the console or of the reference is no way to a card number, and vice versa.
 * Returns whether the request was sent there.
 */
export function keepOrigins(request: FastifyRequest, reply: FastifyReply): boolean {
  const { checkout_url, base_url } = request.service.address
  if (checkout_url === null) return false
  const { host, routeOptions, method, raw } = request
  const route = routeOptions.url ?? ''
  if (isAt(host, new URL(checkout_url), new URL(base_url))) {
    const is_needed = isBelow(route, needed) || `${method} ${route}` === needed_call
    if (is_needed && !isConsoleCall(raw)) return false
    fail('NOT_FOUND', { message: 'This address is for the pages of customers only.' })
  }
  if (!isBelow(route, customer_pages)) return false
  // Addresses that were given out before stay valid, forms included.
  void reply
    .header('location', checkout_url + request.originalUrl)
    .code(308)
    .send()
  return true
}
