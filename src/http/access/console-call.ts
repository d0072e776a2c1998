import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { console_path } from '../../accounts/sessions/console-cookie.ts'
import { requireSecondFactor } from '../../accounts/users/user-rights.ts'
import type { Caller, Mode } from '../../core/access/caller.ts'
import { fail } from '../../core/api/errors.ts'
import type { Service } from '../../service.ts'
import { newRefusal, type Refusal } from '../admission/refusal.ts'

const within = `${console_path}/`
const api_prefix = `${console_path}/api`
const api_beginning = `${api_prefix}/`

interface RoutedMessage extends IncomingMessage {
  /** The URL of the request, before the framework rewrites `url`. */
  originalUrl?: string
}

/** Every operation of the API exists below `/console/api` too, where the cookie is the credential. */
export function withoutConsolePrefix({ url = '' }: IncomingMessage): string {
  return url.startsWith(api_beginning) ? url.slice(api_prefix.length) : url
}

/** Whether a request was sent to the console: then the cookie is its credential, and no other is. */
export function isConsoleCall(raw: RoutedMessage): boolean {
  return (raw.originalUrl ?? raw.url ?? '').startsWith(within)
}

const with_authorization = newRefusal(
  'INVALID_PERMISSIONS',
  'The console takes its cookie only: leave the header Authorization out.',
)
const login_token_route = newRefusal(
  'INVALID_PERMISSIONS',
  'The console signs in with POST /console/session.',
)
const not_from_console = newRefusal(
  'INVALID_PERMISSIONS',
  'Changes are accepted from pages of the console only, with the header "X-Kaikei-Console: 1".',
)

/** No response may show a login token to a script. */
const routes_with_tokens: ReadonlySet<string> = new Set(['/authenticate'])

/**
 * Why a call to the console is refused before its cookie is read. A form or page of another site cannot
 * set the header, and browsers say where a request comes from.
 */
export function consoleRefusal(service: Service, request: FastifyRequest): Refusal | null {
  const { headers, method, routeOptions } = request
  if (headers.authorization !== undefined) return with_authorization
  if (method === 'GET' || method === 'HEAD') return null
  const { origin, host, 'sec-fetch-site': site } = headers
  const is_own =
    headers['x-kaikei-console'] === '1' &&
    (origin === undefined || origin === ownOrigin(service, host)) &&
    (site === undefined || site === 'same-origin')
  if (!is_own) return not_from_console
  return routes_with_tokens.has(routeOptions.url ?? '') ? login_token_route : null
}

/** Without a configured address the service runs for development, under several names of the machine. */
function ownOrigin({ config, address }: Service, host: string | undefined): string {
  return config.base_url === null ? `http://${host}` : new URL(address.base_url).origin
}

/** A page that asks again and again must not keep the session of an absent user alive. */
export function isBackground({ headers }: FastifyRequest): boolean {
  return headers['x-kaikei-background'] === '1'
}

/** The caller, limited to the mode that the console shows. */
export function inShownMode(request: FastifyRequest, caller: Caller): Caller {
  const mode = shownMode(request)
  if (mode === 'test' || caller.user?.second_factor) return { ...caller, mode }
  // Operations that concern only the user work in either mode.
  if (request.routeOptions.config.access?.level === 'user') return { ...caller, mode: 'test' }
  return requireSecondFactor()
}

function shownMode({ headers }: FastifyRequest): Mode {
  const mode = headers['x-kaikei-mode'] ?? 'test'
  if (mode === 'test' || mode === 'live') return mode
  fail('INVALID_REQUEST', { message: 'The header X-Kaikei-Mode must be test or live.' })
}
