import { minute_ms } from '../../../core/time/clock.ts'
import type { Token } from '../token.ts'

/** One-time and subscription tokens must be used for the first time within this time. */
export const first_use_ms = 5 * minute_ms

/** A token as it was written, and the version of its row: any change of the row has another one. */
export interface NewToken {
  readonly token: Token
  readonly row_version: string
}

/**
 * How many are cached, in two generations: the older is dropped when the younger is full or time has
 * passed, so nothing stays longer than its row would keep the card.
 */
const max_stored = 20_000
const generation_ms = first_use_ms / 2
let young = new Map<string, NewToken>()
let old = new Map<string, NewToken>()
let turning: NodeJS.Timeout | null = null

function turn(): void {
  old = young
  young = new Map()
  if (turning) clearTimeout(turning)
  turning = old.size > 0 ? setTimeout(turn, generation_ms).unref() : null
}

/** Client input must not fill the memory: only a few short values are cached. */
function isSmall({ metadata }: Token): boolean {
  let letters = 0
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value === 'object' && value !== null) return false
    letters += key.length + String(value).length
  }
  return letters <= max_letters
}

const max_letters = 1000

/**
 * Tokens that this process has just made, for the charge that usually comes next. They may have been
 * changed elsewhere since: the statement that uses one checks that its row has the same version.
 */
export function keepNewToken(created: NewToken): void {
  if (!isSmall(created.token)) return
  if (young.size >= max_stored / 2) turn()
  turning ??= setTimeout(turn, generation_ms).unref()
  young.set(created.token.id, created)
}

/** Gives it back once, to its owner. */
export function takeNewToken(merchant_id: string, id: string): NewToken | undefined {
  const found = young.get(id) ?? old.get(id)
  if (found?.token.merchant_id !== merchant_id) return undefined
  if (!young.delete(id)) old.delete(id)
  return found
}
