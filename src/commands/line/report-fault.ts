import { newLog } from '../../log.ts'
import type { Context } from './terminal.ts'

type Place = Pick<Context, 'terminal' | 'environment'>

/**
 * Reports why the service does not run: for people, or as a line of its log when all of its output
 * is JSON.
 */
export function reportFault({ terminal, environment }: Place, message: string): void {
  if (environment.LOG_FORMAT?.trim() !== 'json') terminal.writeError(`kaikei: ${message}\n`)
  else newLog('fatal', { write: terminal.writeError }).fatal(message)
}
