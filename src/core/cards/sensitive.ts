import { inspect } from 'node:util'
import { passesLuhn } from './card-number.ts'
import { holdsCardNumber, maskCardNumbers } from './find-card-numbers.ts'

/**
 * A value that must stay hidden: it prints, logs and serializes as a mask, and only `reveal()` returns
 * it, so that every use can be found by searching for that word.
 */
export class Sensitive<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  reveal(): T {
    return this.#value
  }

  toJSON(): string {
    return mask
  }

  toString(): string {
    return mask
  }

  [inspect.custom](): string {
    return mask
  }
}

const mask = '[hidden]'
const card_mask = '[card]'
const max_card_digits = 19

export function sensitive<T>(value: T): Sensitive<T> {
  return new Sensitive(value)
}

/** UUIDs are matched first, so that an id made of digits is not masked as a card number. */
const suspects = new RegExp(
  [
    '(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})',
    '(?<jwt>(?:(?<![\\w-])[\\w-]+\\.)?eyJ[\\w-]{1,500}\\.[\\w-]+\\.[\\w-]*)',
    '(?<bearer>bearer\\s+[^\\s"\\\\]+)',
    '(?<card>(?<![0-9.])\\d(?:(?:[ +-]|%20)?\\d){12,})',
  ].join('|'),
  'gi',
)

/**
 * Masks everything that looks like a card number or a credential in a text. It is the last step for a
 * log line, so it need not know the paths of a log record.
 */
export function maskText(text: string): string {
  const masked = text.replace(suspects, (found, ...rest) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    if (groups.id !== undefined) return found
    if (groups.card === undefined) return mask
    const digits = found.replace(/%20|\D/g, '')
    const is_card = digits.length <= max_card_digits && passesLuhn(digits)
    return is_card || holdsCardNumber(found) ? card_mask : found
  })
  return maskCardNumbers(masked, card_mask)
}
