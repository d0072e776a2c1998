import { Kaikei, type KaikeiOptions, newResources } from '../../../client/src/kaikei.ts'
import { console_routes } from './generated/console-routes.ts'
import type { ConsoleResources } from './generated/console-types.ts'

/** The client of the API, and the operations that only the console calls. */
export type ConsoleApi = Kaikei & ConsoleResources

export function newConsoleApi(options: KaikeiOptions): ConsoleApi {
  const own = newResources(options, console_routes) as unknown as ConsoleResources
  return Object.assign(new Kaikei(options), own)
}
