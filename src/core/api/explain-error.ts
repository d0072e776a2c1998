import { faultOf } from '../read-unknown.ts'
import { Failure } from './errors.ts'
import { isFileError, outageOf } from './outages.ts'
import { PlainError } from './plain-error.ts'

/** The message for the person who ran the command: one sentence where the cause is known. */
export function explainError(error: unknown, embedded_database: boolean): string {
  if (error instanceof PlainError) return error.message
  if (error instanceof Failure) {
    return [error.message, ...error.errors.map(({ field, reason }) => `${field}: ${reason}`)].join(
      ' ',
    )
  }
  const { code, message, stack } = faultOf(error)
  const outage = outageOf(error)
  if (!outage) return stack ?? String(error)
  if (isFileError(error)) return `A file cannot be used: ${message || code}`
  const name = embedded_database ? 'The embedded database' : 'The database of DATABASE_URL'
  return `${name} cannot be used: ${message || code}`
}
