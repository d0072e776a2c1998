import { outageOf } from '../../../core/api/outages.ts'
import { faultOf } from '../../../core/read-unknown.ts'
import { isOutdatedPlan } from './prepared-statements.ts'

/** Whether an error means that the database is unavailable, and not that the statement was wrong. */
export function isUnavailable(error: unknown): boolean {
  return outageOf(error) !== null
}

/**
 * Whether the connection was lost during a statement, which may have been executed. A statement that
 * the server refused, or that was never sent, was not.
 */
export function isLost(error: unknown): boolean {
  const { code, message } = faultOf(error)
  if (code !== undefined) return /^(08|57P0[12]|ECONNRESET$|EPIPE$|ETIMEDOUT$)/.test(code)
  return /Connection terminated/.test(message ?? '')
}

/** A rolled-back transaction may be retried: it met a conflict, or the schema has just changed. */
export function isRetryable(error: unknown): boolean {
  const { code = '' } = faultOf(error)
  return ['40001', '40P01'].includes(code) || isOutdatedPlan(error)
}

/** The unique index that an insert violated, if that was the error; of a partition, that of its table. */
export function violatedIndex(error: unknown): string | null {
  const { code, constraint } = faultOf(error)
  return code === '23505' ? indexOfTable(constraint ?? '') : null
}

/** The index of the table that an index of one of its partitions belongs to, by name. */
export function indexOfTable(name: string): string {
  return name.replace(/_p\d\d$/, '')
}
