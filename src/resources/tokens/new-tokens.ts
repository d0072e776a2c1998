import type { Token } from './token.ts'

/** A token as it was written, and by which transaction: whoever changes its row leaves another mark. */
export interface NewToken {
  readonly token: Token
  readonly made_by: string
}

/** Kept at most, in two generations: the older is dropped as a whole when the younger is full. */
const most_kept = 20_000
let young = new Map<string, NewToken>()
let old = new Map<string, NewToken>()

/**
 * Tokens that this process has just made, for the charge that usually comes next. They may have been
 * changed elsewhere since: who uses one has the database check that its row still has the same mark.
 */
export function keepNewToken(made: NewToken): void {
  if (young.size >= most_kept / 2) {
    old = young
    young = new Map()
  }
  young.set(made.token.id, made)
}

/** Gives it back once. */
export function takeNewToken(id: string): NewToken | undefined {
  const found = young.get(id) ?? old.get(id)
  if (found && !young.delete(id)) old.delete(id)
  return found
}
