import { expect } from 'vitest'
import { password } from './console-users.ts'
import type { Answer, CallOptions, World } from './world.ts'

/** A browser with the console open: it keeps the cookie, as it was set last. */
export interface ConsoleBrowser {
  cookie: string
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A call of the API below `/console/api`. */
  api(method: string, path: string, options?: CallOptions): Promise<Answer>
}

export const own_page = {
  'x-kaikei-console': '1',
  origin: 'http://127.0.0.1:8080',
  'sec-fetch-site': 'same-origin',
}

export function cookieOf({ headers }: Answer): string | null {
  const lines = [headers['set-cookie'] ?? []].flat()
  return lines.at(-1)?.split(';')[0] ?? null
}

export function newBrowser(world: World, cookie = ''): ConsoleBrowser {
  const browser: ConsoleBrowser = {
    cookie,
    call: async (method, path, { headers = {}, ...options } = {}) => {
      const own: Record<string, string> = method === 'GET' ? {} : { ...own_page }
      if (browser.cookie !== '') own.cookie = browser.cookie
      const answer = await world.call(method, path, { ...options, headers: { ...own, ...headers } })
      browser.cookie = cookieOf(answer) ?? browser.cookie
      return answer
    },
    api: (method, path, options) => browser.call(method, `/console/api${path}`, options),
  }
  return browser
}

/** Signs in with the password, and a code where there is one. */
export async function signIn(
  world: World,
  email: string,
  more: object = {},
): Promise<ConsoleBrowser> {
  const browser = newBrowser(world)
  const body = { email, password, ...more }
  const answer = await browser.call('POST', '/console/session', { body })
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return browser
}
