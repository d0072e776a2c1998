import { expect } from 'vitest'
import { password } from './console-users.ts'
import type { ApiResponse, CallOptions, World } from './world.ts'

/** A browser with the console open: it keeps the cookie, as it was set last. */
export interface ConsoleBrowser {
  cookie: string
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
  /** A call of the API below `/console/api`. */
  api(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
}

export const own_page = {
  'x-kaikei-console': '1',
  origin: 'http://127.0.0.1:8080',
  'sec-fetch-site': 'same-origin',
}

export function cookieOf({ headers }: ApiResponse): string | null {
  const lines = [headers['set-cookie'] ?? []].flat()
  return lines.at(-1)?.split(';')[0] ?? null
}

export function newBrowser(world: World, cookie = ''): ConsoleBrowser {
  const browser: ConsoleBrowser = {
    cookie,
    call: async (method, path, { headers = {}, ...options } = {}) => {
      const own: Record<string, string> = method === 'GET' ? {} : { ...own_page }
      if (browser.cookie !== '') own.cookie = browser.cookie
      const response = await world.call(method, path, {
        ...options,
        headers: { ...own, ...headers },
      })
      browser.cookie = cookieOf(response) ?? browser.cookie
      return response
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
  const response = await browser.call('POST', '/console/session', { body })
  expect(response, response.text).toMatchObject({ status: 200 })
  return browser
}
