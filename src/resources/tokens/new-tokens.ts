import { remember } from '../believed-rows.ts'
import type { Token } from './token.ts'

/** A token as it was written, and by which transaction: whoever changes its row leaves another mark. */
export interface NewToken {
  readonly token: Token
  readonly made_by: string
}

const most_kept = 10_000
const kept = new Map<string, NewToken>()

/**
 * Tokens that this process has just made, for the charge that usually comes next. They may have been
 * changed elsewhere since: who uses one has the database check that its row still has the same mark.
 */
export function keepNewToken(made: NewToken): void {
  remember(kept, made.token.id, made, most_kept)
}

/** Gives it back once. */
export function takeNewToken(id: string): NewToken | undefined {
  const found = kept.get(id)
  if (found) kept.delete(id)
  return found
}
