import type { FastifyRequest } from 'fastify'
import type { Service } from '../service.ts'
import { customersUrl } from './hosted-links.ts'

/** By which card fields name the page that they are part of. Other sites would have to ask first. */
export const parent_header = 'x-checkout-parent'

/** Whether a request comes from one of our pages, as far as browsers report it: other sites may not act. */
export function isOwnOrigin(service: Service, { headers, host }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  const own = [new URL(customersUrl(service)).host, host]
  return URL.canParse(origin) && own.includes(new URL(origin).host)
}
