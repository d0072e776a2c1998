import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookiesNamed } from '../../core/text/http/cookies.ts'
import type { Service } from '../../service.ts'

/** The pages of the console, and its calls: the cookie is sent there and nowhere else. */
export const console_path = '/console'

function isHttps({ address }: Service): boolean {
  return address.base_url.startsWith('https:')
}

/** Browsers accept the prefix over https only; `__Host-` would need the path `/`. */
function cookieName(service: Service): string {
  return isHttps(service) ? '__Secure-kaikei_console' : 'kaikei_console'
}

function cookieText(service: Service, value: string, more = ''): string {
  const secure = isHttps(service) ? '; Secure' : ''
  return `${cookieName(service)}=${value}; Path=${console_path}; HttpOnly; SameSite=Strict${secure}${more}`
}

/** Without an expiry: the browser forgets it when it is closed, and the session decides until then. */
export function setConsoleCookie(reply: FastifyReply, service: Service, jwt: string): void {
  reply.header('set-cookie', cookieText(service, jwt))
}

export function clearConsoleCookie(reply: FastifyReply, service: Service): void {
  reply.header('set-cookie', cookieText(service, '', '; Max-Age=0'))
}

/**
 * The login token in the cookie. A page of a neighboring domain can add a cookie with this name: of
 * several none is trusted.
 */
export function readConsoleCookie(service: Service, { headers }: FastifyRequest): string | null {
  const [only, ...others] = cookiesNamed(headers.cookie, cookieName(service))
  return only !== undefined && others.length === 0 ? only : null
}
