import { readInstant } from '../../core/typed/formats.ts'
import { UsageError } from './command.ts'

/** The time that an option gives: a day is its beginning. */
export function readTime(option: string, text: string): Date {
  const time = readInstant(text)
  if (time) return time
  throw new UsageError(
    `--${option} must be a date (2026-01-31) or a time (2026-01-31T00:00:00+09:00).`,
  )
}
