import type { FastifyRequest } from 'fastify'
import { readDemoCredentials } from '../../../accounts/demo/demo-credentials.ts'
import { isLoopback } from '../../../config.ts'
import type { Service } from '../../../service.ts'

/** Headers that a proxy adds: with one of them, the caller is not on this machine. */
const proxy_headers = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * The credentials of the demo store in test mode, for trying operations in the reference. They are given
 * to a page of this service in a browser on this machine, and only on a development start: with the
 * embedded database, on loopback, without a public address and without proxies. Null: not here.
 */
export function demoCredentialsFor(service: Service, request: FastifyRequest): string | null {
  if (!isDevelopment(service) || !isLocalPage(request)) return null
  const found = readDemoCredentials(service.config.data_dir)
  return found ? `${found.secret}.${found.jwt}` : null
}

function isDevelopment({ config }: Service): boolean {
  const { host, database_url, base_url, trusted_proxies } = config
  const is_public = base_url !== null && !isLoopback(nameIn(base_url) ?? '')
  return isLoopback(host) && database_url === null && !is_public && trusted_proxies.length === 0
}

/**
 * A page of another site sends another origin, and so does a page behind a proxy; a name that was made
 * to resolve to this machine is no loopback name.
 */
function isLocalPage({ headers, socket }: FastifyRequest): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers
  const is_loopback = isLoopback(nameIn(`http://${host}`) ?? '')
  return (
    isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
    is_loopback &&
    origin === `http://${host}` &&
    (site === undefined || site === 'same-origin') &&
    proxy_headers.every((name) => headers[name] === undefined)
  )
}

function nameIn(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : null
}
