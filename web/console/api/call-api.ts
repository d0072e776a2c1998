import { KaikeiError } from '../../../client/src/kaikei-client.ts'
import { type ConsoleApi, newConsoleApi } from './console-client.ts'
import { currentMode } from './mode.ts'
import { prompts } from './prompts.ts'

export type * from '../../../client/src/kaikei-client.ts'
export type * from './generated/console-types.ts'
export { KaikeiError }

/** The API on our own origin: the cookie is the credential, which no script can read. */
export const api_address = '/console/api'

let last_input_ms = Date.now()
for (const name of ['pointerdown', 'keydown', 'focus']) {
  addEventListener(name, () => {
    last_input_ms = Date.now()
  })
}
const absent_after_ms = 60_000

/**
 * Another site cannot send the first header; the second chooses between test and live. The last one says
 * that a page reads by itself, with no person there: such calls do not keep a session alive.
 */
export function consoleHeaders(): Record<string, string> {
  const is_absent = Date.now() - last_input_ms > absent_after_ms
  return {
    'x-kaikei-console': '1',
    'x-kaikei-mode': currentMode(),
    ...(is_absent ? { 'x-kaikei-background': '1' } : {}),
  }
}

const kaikei = newConsoleApi({ base_url: api_address, headers: consoleHeaders, max_retries: 2 })

const session_codes: ReadonlySet<string> = new Set([
  'AUTH_HEADER_MISSING',
  'INVALID_LOGIN_TOKEN',
  'EXPIRED_LOGIN_TOKEN',
])

export function isSessionEnd(error: unknown): boolean {
  return error instanceof KaikeiError && session_codes.has(error.code)
}

/**
 * Calls the API. When the session has ended, the person signs in again over the screen; when the call
 * must be confirmed, they enter their code. The call is then repeated, so nothing typed is lost.
 */
export async function callApi<Result>(
  call: (api: ConsoleApi) => PromiseLike<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await call(kaikei)
    } catch (error) {
      const prompt = promptFor(error)
      if (!prompt || !(await prompt())) throw error
    }
  }
}

function promptFor(error: unknown): (() => Promise<boolean>) | null {
  if (isSessionEnd(error)) return prompts.signIn
  if (error instanceof KaikeiError && (error.code as string) === 'CONFIRMATION_REQUIRED') {
    return prompts.confirm
  }
  return null
}

/** Calls the API without asking for anything: for the session itself. */
export async function callApiAsIs<Result>(
  call: (api: ConsoleApi) => PromiseLike<Result>,
): Promise<Result> {
  return call(kaikei)
}
